/*
 * The online bound: what a host loses at least, whatever its policy (rule 15.9).
 *
 * A host that is off by turns cannot do all jobs in time. What a task used that is late, or given up, is lost. For each
 * project this header tells which fraction of the processor time used is lost at least, and from these what is lost at
 * least while the projects get certain parts of it. A policy is judged by what it loses beyond that.
 *
 *   bounds      of the projects: vcs_bound()
 *   the curve   the least loss for each share violation: vcs_bound_curve()
 *   a policy    at the mix of projects that it has worked for: vcs_bound_beyond()
 *
 * What is bounded is online: no policy knows when the host will be off. The best policy for a job is found by dynamic
 * programming over the time it has run and the time that is left.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_BOUND_H
#define VCEMU_BOUND_H

#include <vcemu/emulator.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Besides the structs of emulator.h and grid.h. */
#define VCS_TYPE_PROJECT_BOUND 1016u
#define VCS_TYPE_BOUND_POINT 1017u

/* The bounds: what a policy knows of the sizes of jobs, and when it gives jobs up */
#define VCS_BOUND_OPTIMAL 0u        /* sizes are known when jobs come; jobs are given up where this is best, but those
                                       done in time have the same mix of sizes as those on offer */
#define VCS_BOUND_HOPELESS 1u       /* sizes are known; jobs are given up only when they cannot be in time any more */
#define VCS_BOUND_ANY_SIZE 2u       /* sizes are known; jobs are given up where this is best, even if only the sizes and
                                       kinds of job that lose least are done: no policy at all loses less */
#define VCS_BOUND_BLIND_OPTIMAL 3u  /* sizes are not known until jobs end; jobs are given up where this is best */
#define VCS_BOUND_BLIND_HOPELESS 4u /* sizes are not known; jobs are given up when none could be done in time */
#define VCS_BOUND_KINDS 5u          /* how many there are; grows */

/* vcs_project_bound.flags: why there is no bound. All losses are 0 then, but for VCS_BOUND_INFEASIBLE */
#define VCS_BOUND_NO_JOBS 0x1u     /* the project sends no jobs */
#define VCS_BOUND_INFEASIBLE 0x2u  /* no job can be done in time: all losses are 1 */
#define VCS_BOUND_SPELLS 0x4u      /* the spells are not exponential: they are a trace, have another distribution, or
                                      are in steps */
#define VCS_BOUND_RESOURCES 0x8u   /* its jobs use several resources */
#define VCS_BOUND_MANY_SPELLS 0x10u /* a job lasts for more than 1,000 spells on average */

/*
 * The bounds of one project: fractions of the processor time used that are lost at least, 0 ... 1. Used is what counts
 * in vcs_resource_outcome.used, lost what counts in `wasted`, once all jobs are reported or given up. 96 bytes. Since
 * 0.1.
 */
typedef struct vcs_project_bound {
    uint64_t id;           /* id of the project */
    double share;          /* its share of the sum of all shares, 0 ... 1 */
    double optimal;        /* the loss of VCS_BOUND_OPTIMAL */
    double hopeless;       /* the loss of VCS_BOUND_HOPELESS */
    double any_size;       /* the loss of VCS_BOUND_ANY_SIZE */
    double blind_optimal;  /* the loss of VCS_BOUND_BLIND_OPTIMAL */
    double blind_hopeless; /* the loss of VCS_BOUND_BLIND_HOPELESS */
    double error;          /* how far the losses are from the exact ones, estimated from two meshes */
    uint32_t flags;        /* VCS_BOUND_* */
    uint32_t resource;     /* index of the resource that its jobs use */
    uint64_t reserved[3];  /* 0 */
} vcs_project_bound;

/* A corner of the curve; between two corners it is straight. 32 bytes. Since 1.0. */
typedef struct vcs_bound_point {
    double share_violation; /* as vcs_outcome.share_violation */
    double loss;            /* the least fraction lost of the processor time used */
    uint32_t project;       /* index of the project that is worked for until here, and no longer from here on; VCS_NONE
                               = none, at the first corner */
    uint32_t reserved0;     /* 0 */
    uint64_t reserved[1];   /* 0 */
} vcs_bound_point;

/*
 * Finds the bounds of all projects of a host.
 *
 * scenario   as for vcs_emulate(). The host is on and off in spells of vcs_emulation.available and available_mean, or
 *            always on; jobs are those of the models. Initial tasks, servers that do not answer, connections and
 *            checkpoints are left out: without them nothing is better
 * bounds     out: vcs_project_bound[], one for each project; untouched on an error
 * error      what was refused; may be NULL
 *
 * Jobs of several applications of a project come by their weights. Of a list of more than 64 sizes, neighbours count as
 * one. What a list will send next counts as unknown. Sizes rarer than one in a billion are left out.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX,
 * VCS_ERR_COUNT, VCS_ERR_UNSUPPORTED or VCS_ERR_MEMORY. Thread-safe. A few milliseconds for each application whose jobs
 * have one size, tens where sizes vary.
 */
VCS_API int vcs_bound(const vcs_scenario *scenario, const vcs_array *bounds, vcs_error *error);

/*
 * The least loss for each share violation.
 *
 * bounds    vcs_project_bound[], one for each project, as vcs_bound() fills them
 * kind      VCS_BOUND_OPTIMAL, ...
 * points    out: vcs_bound_point[], one for each project; the corners in ascending order of share_violation; the rest
 *           is 0
 * corners   the answer: how many corners there are; 0 if no project sends jobs, if one that does has no bound, or if
 *           they use different resources
 * error     what was refused; may be NULL
 *
 * At the first corner each project gets its share; what would belong to projects without jobs goes to the project that
 * loses least. From there on, the projects that lose more give up what they have to that one, one after the other,
 * first those that lose most. No other mixes lose less for the same share violation.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or VCS_ERR_COUNT.
 * Thread-safe. O(projects^2).
 */
VCS_API int vcs_bound_curve(const vcs_array *bounds, uint32_t kind, const vcs_array *points, uint32_t *corners,
                            vcs_error *error);

/*
 * What an emulated host has lost, and what it would have lost at least at the same mix of projects.
 *
 * bounds      vcs_project_bound[], as vcs_bound() fills them
 * kind        VCS_BOUND_OPTIMAL, ...
 * projects    vcs_project_outcome[], of the same projects
 * resources   vcs_resource_outcome[], of the same host
 * lost        the answer: fraction lost of the processor time used, by the jobs' resource
 * least       the answer: the same at least; lost - least is what is lost beyond the bound
 * error       what was refused; may be NULL
 *
 * Both are NaN if nothing was used, a project that was worked for has no bound, or their jobs use different resources.
 * A job that is not done, reported or given up at the end counts as used, not yet as lost; so a short emulation may
 * lose less than the bound.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX or
 * VCS_ERR_COUNT. Thread-safe. O(projects).
 */
VCS_API int vcs_bound_beyond(const vcs_array *bounds, uint32_t kind, const vcs_array *projects,
                             const vcs_array *resources, double *lost, double *least, vcs_error *error);

/* Name of a bound, such as "blind_optimal"; "" for an unknown one. Never NULL. Thread-safe. O(1). */
VCS_API const char *vcs_bound_name(uint32_t kind);

#ifdef __cplusplus
}
#endif

#endif
