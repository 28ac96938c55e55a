/*
 * The decision on fetching from inside: what its parts share.
 *
 *   fetch_survey.c    what each project has queued, what limits it, and what forbids to ask it
 *   fetch_rank.c      which project goes before which
 *   fetch_request.c   how much to ask for
 *   fetch_study.c     both questions as the published study answers them
 *   fetch.c           the decision
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FETCH_FETCH_H
#define VCS_FETCH_FETCH_H

#include "state/prepared.h"
#include "accounts/priority_sums.h"
#include "accounts/rank_key.h"

/* How much a project would be asked for of one resource. */
typedef struct vcs_fetch_request {
    double seconds;   /* instance-seconds of wall time; 0 = nothing */
    double instances; /* idle instances that want a task each */
    uint32_t reason;  /* VCS_REASON_*: that it is asked, or why for nothing */
    uint32_t unused;
} vcs_fetch_request;

typedef struct vcs_fetch_pair vcs_fetch_pair;

/* A project on all resources together. */
typedef struct vcs_fetch_project {
    const vcs_project *record;
    vcs_fetch_pair *project_resources; /* its own, by resource */
    double queued_flops;   /* ranking by priority: operations that its tasks need, at peak speed of what they use */
    uint64_t tasks;        /* its tasks that take part */
    uint64_t limit;        /* tasks of it that may run at once; 0 = any number */
    uint64_t app_limits;   /* the sum of the limits of its applications */
    uint32_t open_app;     /* 1: an application without a limit */
    uint32_t index;        /* of its record */
} vcs_fetch_project;

/* A resource. */
typedef struct vcs_fetch_resource {
    const vcs_prepared_resource *prepared;
    const vcs_resource_forecast *forecast;
    const vcs_fetch_pair *best; /* of the project that goes first; NULL if there is none */
    vcs_priority_sums sums;     /* of the projects that could be asked */
    int64_t booked;             /* current rules: units of the tasks that outlast a backup project's lead time */
    uint32_t decided;           /* 1: the rules decide on this resource */
    uint32_t wanted;            /* 1: there is something to ask for */
    uint32_t in_need;           /* 1: that is reason enough to call a project */
    uint32_t unused;
} vcs_fetch_resource;

/* A project on one resource. The tasks are those for this resource that take part. */
struct vcs_fetch_pair {
    const vcs_fetch_project *project;
    vcs_fetch_resource *resource;
    const vcs_project_resource *record;
    const vcs_project_resource_forecast *forecast;
    vcs_fetch_decision *decision; /* what is told of it in the end */
    vcs_rank_key key;
    vcs_fetch_request request;
    /* of a limited one alone */
    vcs_wide queued; /* unit-microseconds of wall time that its tasks need */
    int64_t widest;  /* units that its greatest task uses */
    /* of every one */
    double device_seconds; /* WF1: seconds of the device that its tasks need */
    double queued_flops;   /* ranking by priority: operations of all its tasks on this resource */
    double wait;           /* deferred or backed off, as the obstacle says: for how long still, s; else 0 */
    uint32_t allowed;      /* instances it may use */
    uint32_t limited;      /* 1: limits or exclusions hold it back */
    uint32_t obstacle;     /* VCS_REASON_* that forbids to ask it, the project as a whole first; VCS_REASON_NONE */
    uint32_t asked;        /* 1: it is asked for this resource */
};

/* The study: what the requests of all projects depend on. It knows no other resource than the CPU. */
typedef struct vcs_fetch_totals {
    uint64_t tasks, misses; /* of all projects, as predicted */
    double shortfall;       /* of the CPUs, instance-seconds */
    double share_sum;       /* WF1: of the projects not suspended; WF2: of those that could be asked, not overworked */
    uint32_t sharers;       /* the projects among which it is divided equally if there is no share */
    uint32_t unused;
} vcs_fetch_totals;

typedef struct vcs_fetch_work {
    const vcs_state *state;
    const vcs_parameters *parameters;
    vcs_fetch_project *projects;
    vcs_fetch_pair *project_resources; /* project by project */
    vcs_fetch_resource *resources;
    uint32_t project_count, resource_count;
    uint32_t cpus;                   /* instances of the CPU */
    uint32_t has_limits;             /* 1: some project is limited on some resource */
    double buffer;                   /* the whole of it, s */
    const vcs_fetch_project *called; /* one that is called anyway; NULL if one is to be chosen */
    uint32_t is_study;               /* 1: by the rules of the study */
    uint32_t is_wf1;                 /* 1: by the older of its two policies */
    vcs_fetch_totals all;
} vcs_fetch_work;

/* Whether projects are ranked by their scheduling priority, and so by what they have queued. */
static inline int vcs_fetch_ranks_by_priority(const vcs_fetch_work *work) {
    return !work->is_study && work->parameters->ranking == VCS_RANK_PRIORITY;
}

/* A project without a share is asked only for what nobody else brings (rule 6.5). */
static inline int vcs_fetch_is_backup(const vcs_fetch_pair *pair) {
    return !(pair->project->record->share > 0.0);
}

/* Where a buffer is divided by, or has to hold a task, it is at least a second long. */
static inline double vcs_fetch_reach(const vcs_fetch_work *work) {
    return work->buffer > 1.0 ? work->buffer : 1.0;
}

/* One project before the other; anything goes before nothing. */
static inline int vcs_fetch_ranks_before(const vcs_fetch_pair *a, const vcs_fetch_pair *b) {
    return b == NULL || vcs_ranks_before(&a->key, &b->key);
}

/* Of those that could be asked for something, the first in order is the best for the resource. */
static inline void vcs_fetch_offer(const vcs_fetch_pair *pair) {
    if (pair->obstacle == VCS_REASON_NONE && pair->request.seconds > 0.0 &&
        vcs_fetch_ranks_before(pair, pair->resource->best)) {
        pair->resource->best = pair;
    }
}

/* fetch_survey.c */
void vcs_fetch_survey(vcs_fetch_work *work);

/* fetch_rank.c: fills the keys of all project_resources. */
void vcs_fetch_rank(vcs_fetch_work *work);

/* fetch_request.c: fills the requests of all project_resources, as if each were the best; then each resource knows
 * which is. */
void vcs_fetch_fill_requests(vcs_fetch_work *work);

/* fetch_request.c: of a limited one, no more than its limits can run in the buffer (rule 6.6). */
void vcs_fetch_keep_limits(const vcs_fetch_work *work, vcs_fetch_pair *pair);

/* fetch_study.c: keys, requests and the best, for the CPU alone. */
void vcs_fetch_study(vcs_fetch_work *work);

/* fetch_study.c: when the decision can next become another, s from now; +infinity if time alone changes nothing. */
double vcs_fetch_study_look(const vcs_fetch_work *work);

#endif
