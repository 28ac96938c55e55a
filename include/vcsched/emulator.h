/*
 * libvcemu, the emulator: a host and its servers in virtual time, driven by the decisions of libvcsched.
 *
 * It answers what a policy is worth without a grid: how much processing is wasted on late results or lies idle, how far
 * the shares are kept, how often servers are called. It stands on the public functions of libvcsched alone, and each
 * of its decisions can be replaced by a function of the caller's.
 *
 * This header is not included by vcsched.h: it belongs to a library of its own, which allocates memory and calls back.
 * All other conventions of vcsched.h hold here too.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_EMULATOR_H
#define VCSCHED_EMULATOR_H

#include <vcsched/admit.h>
#include <vcsched/estimate.h>
#include <vcsched/fetch.h>
#include <vcsched/parameters.h>
#include <vcsched/record.h>
#include <vcsched/schedule.h>
#include <vcsched/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The structs of this library, as vcs_struct_size() and vcs_error name them. Values are never reused. */
#define VCS_TYPE_EMULATION 1000u
#define VCS_TYPE_JOB_MODEL 1001u
#define VCS_TYPE_SERVER_MODEL 1002u
#define VCS_TYPE_EVENT 1003u
#define VCS_TYPE_OUTCOME 1004u
#define VCS_TYPE_PROJECT_OUTCOME 1005u

/* More errors: what vcs_emulate() can return besides those of abi.h and those of the caller's own functions. */
#define VCS_ERR_MEMORY (-100) /* the caller's function, or malloc, gave no memory */

/* The longest emulation, in seconds (about 3,170 years). */
#define VCS_MAX_EMULATION 1e11

/*
 * What is emulated, and how the host is there. Fill it with vcs_emulation_init(), then change what you want.
 * 104 bytes. Since 0.1.
 */
typedef struct vcs_emulation {
    uint32_t struct_size;       /* bytes; set by vcs_emulation_init() */
    uint32_t flags;             /* 0 */
    uint64_t seed;              /* of all random draws; any number */
    double start;               /* the time at which it begins, in the epoch of the snapshot, within +-1e12 */
    double duration;            /* how long it lasts, s; > 0 */
    double available;           /* fraction of time in which the host is on, 0 < available <= 1 */
    double available_mean;      /* mean length of the exponential spells in which it is on, s; > 0 if available < 1 */
    double connection_interval; /* least time between moments at which servers are called, s; 0 = none */
    uint32_t study_rules;       /* 1: clients and servers behave as in the study's program where that differs (rules
                                   13.6, 13.10, 13.11); 0: as rules 3.3, 7.1 and 9 have it */
    uint32_t max_reply;         /* most jobs in one reply of a server; 1 ... 1,000,000 */
    uint64_t reserved[5];       /* 0 */
} vcs_emulation;

/* vcs_job_model.distribution: what is known of the sizes of jobs */
#define VCS_SIZES_NORMAL 0u      /* normal, with mean and standard deviation; below 0 counts as 0 */
#define VCS_SIZES_EXPONENTIAL 1u /* exponential, with this mean */
#define VCS_SIZES_CONSTANT 2u    /* all the mean */
#define VCS_SIZES_LIST 3u        /* from vcs_scenario.sizes, one after the other, and from the first again */

/* The jobs of one application: element i is about application i of the snapshot. 128 bytes. Since 0.1. */
typedef struct vcs_job_model {
    double latency_bound;       /* a result is due so long after its job was sent, s; > 0 */
    double est_flops;           /* operations that a job is said to need */
    double mean_flops;          /* operations that jobs need on average */
    double sd_flops;            /* their standard deviation; for VCS_SIZES_NORMAL */
    double cpus;                /* CPUs that a job uses, fractions too */
    double gpus;                /* instances of `gpu` that it uses; 0 if gpu = 0, > 0 otherwise */
    double weight;              /* how often it is sent, compared with others of its project that use the same kind of
                                   processor (0 = never) */
    double ram;                 /* memory that a job needs, bytes */
    double checkpoint_interval; /* a running job makes a checkpoint each so many device seconds; 0 = all the time */
    uint32_t gpu;               /* index of the GPU type that it needs; 0 = none */
    uint32_t distribution;      /* VCS_SIZES_* */
    uint32_t first_size;        /* for VCS_SIZES_LIST: index of its first size in vcs_scenario.sizes */
    uint32_t size_count;        /* and how many sizes it has; >= 1 then */
    uint64_t reserved[5];       /* 0 */
} vcs_job_model;

/* The server of one project: element i is about project i of the snapshot. 80 bytes. Since 0.1. */
typedef struct vcs_server_model {
    double up_mean;           /* mean length of the exponential spells in which it answers, s; 0 = always */
    double down_mean;         /* mean length of those in which it does not, s; > 0 if up_mean > 0 */
    double scheduler_failure; /* probability that a call is not answered although the server is up */
    double network_failure;   /* probability that a call, or a try to read the master file, does not reach it */
    double request_delay;     /* it asks not to be called again for so long, s */
    uint32_t max_in_progress; /* most jobs that a host may have; 0 = no limit */
    uint32_t reserved0;       /* 0 */
    double master_failure;    /* probability that its master file cannot be read although it is up and reached */
    double moves_at;          /* its scheduler moves to another URL so long after the start, s; 0 = never. Clients that
                                 know the old one have no answer until they have read the master file again */
    uint64_t reserved[2];     /* 0 */
} vcs_server_model;

/*
 * A scenario: the host at the start, and what will happen to it. The caller owns all of it; nothing is kept.
 *
 * Initial tasks of the snapshot need exactly the time that vcs_task.remaining says. A project without applications
 * sends nothing.
 */
typedef struct vcs_scenario {
    uint32_t struct_size; /* bytes; set by the caller to sizeof(vcs_scenario) */
    uint32_t flags;       /* 0 */
    vcs_snapshot snapshot; /* the host at the start, with its initial tasks; no candidates */
    vcs_array emulation;  /* vcs_emulation, exactly one */
    vcs_array models;     /* vcs_job_model, one for each application */
    vcs_array servers;    /* vcs_server_model, one for each project; or none, if all answer always */
    vcs_array sizes;      /* double: sizes of jobs for VCS_SIZES_LIST, operations */
    vcs_array switches;   /* double: when the host is switched off, on, off, ..., s from the start, ascending; if there
                             are any, they take the place of vcs_emulation.available. It is on at the start */
} vcs_scenario;

/* ---- What happens ---- */

/* vcs_event.kind */
#define VCS_EVENT_ON 0u         /* the host was switched on */
#define VCS_EVENT_OFF 1u        /* it was switched off; tasks keep their places and do not get on */
#define VCS_EVENT_RECEIVED 2u   /* a job arrived; amount = operations that it needs */
#define VCS_EVENT_STARTED 3u    /* a task began, or went on */
#define VCS_EVENT_STOPPED 4u    /* a task was stopped before its end */
#define VCS_EVENT_ENDED 5u      /* a task came to its end */
#define VCS_EVENT_REPORTED 6u   /* its result was reported in time; amount = operations */
#define VCS_EVENT_LATE 7u       /* its result was reported too late; amount = operations */
#define VCS_EVENT_CALLED 8u     /* a server was called, and answered; amount = instance-seconds asked for */
#define VCS_EVENT_FAILED 9u     /* a server was called, and did not answer; amount likewise */
#define VCS_EVENT_FORECAST 10u  /* it was decided whether to fetch; amount = how long the resource is saturated, s */
#define VCS_EVENT_MASTER 11u    /* the master file of a project was read (rule 7.2) */
#define VCS_EVENT_NO_MASTER 12u /* it could not be read */
#define VCS_EVENT_KINDS 13u

/* One event. Fields without meaning for the kind are VCS_NONE or 0. 56 bytes. Since 0.1. */
typedef struct vcs_event {
    double time;          /* when, in the epoch of the scenario */
    uint32_t kind;        /* VCS_EVENT_* */
    uint32_t project;     /* index of the project */
    uint64_t task;        /* id of the task */
    uint32_t resource;    /* index of the resource: the GPU type of a task that has one, else the CPU */
    uint32_t track;        /* of a task that runs: index of its track, the lowest that no other on the resource had */
    double amount;        /* see the kind */
    double deadline;      /* report deadline of the task */
    uint64_t reserved[1]; /* 0 */
} vcs_event;

/* ---- Policies ---- */

/* What a decision looks at. It lasts as long as the call. */
typedef struct vcs_situation {
    uint32_t struct_size;             /* bytes */
    uint32_t flags;                   /* 0 */
    double now;                       /* the present */
    const vcs_snapshot *snapshot;             /* the records */
    const vcs_parameters *parameters; /* the policy */
    vcs_state *state;                 /* prepared from them; vcs_wrr() has run on it */
} vcs_situation;

/*
 * The caller's functions. Zero it, set struct_size, then what you want to replace: NULL is the library's own.
 *
 * A function returns VCS_OK, or a negative number, which ends the emulation and is what vcs_emulate() returns.
 */
typedef struct vcs_hooks {
    uint32_t struct_size; /* bytes; set by the caller to sizeof(vcs_hooks) */
    uint32_t flags;       /* 0 */
    void *context;        /* passed to each function; may be NULL */

    /* Memory: both or neither; default malloc() and free(). `allocate` may return NULL; memory is aligned to 16 bytes.
       `release` gets what `allocate` gave, and its size. */
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *memory, size_t size);

    /* Which tasks run: writes a decision for each task of the snapshot, of which `run` and `flags` count, and
       summary->next_check; default vcs_schedule(). The decisions must fit: no more is used than there is. */
    int (*schedule)(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                    vcs_schedule_summary *summary);

    /* Whom to ask for what: writes a decision for each (project, resource), project by project, of which `seconds` and
       `instances` count, summary->project and summary->next_check; default vcs_fetch(). */
    int (*fetch)(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                 vcs_fetch_decision *decisions, vcs_fetch_summary *summary);

    /* Whether the server sends this candidate of the snapshot, of which `admitted` counts; default what rules 9.1
       and 9.2 say of deadlines. It is asked for each job that the host may have and that fills the request, one after
       the other; what it refuses is not replaced. In `remaining` stands what the server knows. */
    int (*send)(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission);

    /* How many device seconds of a task are left; default vcs_estimate_remaining(). */
    int (*estimate)(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds);

    /* Is told of each event, in order of time. */
    int (*observe)(void *context, const vcs_event *event);
} vcs_hooks;

/* ---- The outcome ---- */

/* vcs_outcome.flags: what has no value, and is 0 there, because there was nothing to take it from */
#define VCS_UNDEFINED_WASTE 0x1u    /* waste and idleness: nothing was reported and nothing idle */
#define VCS_UNDEFINED_SHARE 0x2u    /* share_violation: nothing was reported, or no project has a share */
#define VCS_UNDEFINED_MONOTONY 0x4u /* monotony: there is no project, or the host was never on */
#define VCS_UNDEFINED_RPCS 0x8u     /* rpcs_per_job: nothing was reported */

/* What came of it: the figures of merit of rule 12.2 and what they are made of. 200 bytes. Since 0.1. */
typedef struct vcs_outcome {
    uint32_t struct_size;    /* bytes; set by the caller */
    uint32_t flags;          /* out: VCS_UNDEFINED_* */
    double waste;            /* out: part of the processing that went into results reported late */
    double idleness;         /* out: part that lay idle while the host was on */
    double share_violation;  /* out: part of what was reported beyond the shares: 0 = best, 1 = worst */
    double monotony;         /* out: how long projects wait for their turn: 0 = no time, 1 = for ever */
    double rpcs_per_job;     /* out: calls of servers per reported job */
    double available_time;   /* out: how long the host was on, s */
    double flops_available;  /* out: operations that it could have done in that time */
    double flops_used;       /* out: operations that it did */
    double flops_in_time;    /* out: of those, for results reported in time */
    double flops_late;       /* out: for results reported late; what is left was not reported */
    uint64_t received;       /* out: jobs that arrived, initial tasks not counted */
    uint64_t ended;          /* out: tasks that came to their end */
    uint64_t in_time;        /* out: results reported in time */
    uint64_t late;           /* out: results reported late */
    uint64_t calls;          /* out: calls of servers */
    uint64_t failed_calls;   /* out: of those, the ones that were not answered */
    uint64_t refused;        /* out: jobs that a server did not send, for their deadline or another's */
    uint64_t starts;         /* out: how often a task began or went on */
    uint64_t schedules;      /* out: decisions on which tasks run */
    uint64_t fetches;        /* out: decisions on whether to fetch */
    uint64_t master_fetches; /* out: tries to read a master file (rule 7.2) */
    uint64_t failed_masters; /* out: of those, the ones that failed */
    uint64_t reserved[2];    /* out: 0 */
} vcs_outcome;

/* The same of one project. 104 bytes. Since 0.1. */
typedef struct vcs_project_outcome {
    uint64_t id;             /* the project's */
    double flops_used;       /* operations done for it */
    double flops_in_time;    /* of those, for results reported in time */
    double flops_late;       /* for results reported late */
    double mean_wait;        /* root of the mean square of the time since it last ran, s of available time */
    uint64_t received;       /* jobs that arrived, initial tasks not counted */
    uint64_t ended;          /* tasks that came to their end */
    uint64_t in_time;        /* results reported in time */
    uint64_t late;           /* results reported late */
    uint64_t calls;          /* calls of its server */
    uint64_t failed_calls;   /* of those, the ones that were not answered */
    uint64_t master_fetches; /* tries to read its master file */
    uint64_t failed_masters; /* of those, the ones that failed */
} vcs_project_outcome;

/*
 * Fills the description of an emulation with what goes with a profile: 100 days from time 0, always on, seed 1.
 *
 * emulation   written up to `size` bytes; untouched on an error
 * size        sizeof(vcs_emulation) of the caller
 * profile     VCS_PROFILE_*; VCS_PROFILE_STUDY2007 sets study_rules
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER, or VCS_ERR_FLAGS for an unknown profile.
 * Thread-safe. O(1).
 */
VCS_API int vcs_emulation_init(vcs_emulation *emulation, uint32_t size, uint32_t profile);

/*
 * Emulates a host and its servers from the start to the end, and tells what came of it.
 *
 * scenario       what is emulated
 * parameters     the policy; profiles are ready-made ones
 * hooks          functions of the caller's; NULL = none
 * outcome        the figures of merit; untouched on an error
 * projects       one outcome for each project of the snapshot; untouched on an error; may be NULL if count is 0
 * project_size   sizeof(vcs_project_outcome) of the caller
 * count          the number of projects, or 0 if their outcomes are not wanted
 * error          what was refused, and where; may be NULL
 *
 * The same arguments give the same events and the same outcome, byte for byte, on every platform. A random draw depends
 * on the seed, on what it is for, and on how many were drawn for it before: job k of an application has the same size
 * whatever the policy is, and the host is on at the same times.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX,
 * VCS_ERR_COUNT, VCS_ERR_UNSUPPORTED, VCS_ERR_MEMORY, or what a function of the caller's returned. Thread-safe. All
 * memory is released in the end; it grows with the tasks that the host has at once, and not with time. The cost is that
 * of the decisions: one or two for each task that ends, each call and each scheduling period. Rules 12 and 13.
 */
VCS_API int vcs_emulate(const vcs_scenario *scenario, const vcs_parameters *parameters, const vcs_hooks *hooks,
                        vcs_outcome *outcome, vcs_project_outcome *projects, uint32_t project_size, uint32_t count,
                        vcs_error *error);

/* Name of an event kind, such as "received"; "" if there is none of this number. Never NULL. Thread-safe. O(1). */
VCS_API const char *vcs_event_name(uint32_t kind);

#ifdef __cplusplus
}
#endif

#endif
