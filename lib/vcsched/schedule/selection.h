/*
 * A selection: what has been taken so far while tasks are chosen, and what is still free.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_SELECTION_H
#define VCS_SCHEDULE_SELECTION_H

#include "vcsched/accounts/rank_key.h"
#include "vcsched/core/sort.h"
#include "vcsched/simulation/fit.h"
#include "vcsched/host/prepared.h"

#include <stdbool.h>

/* When a task is offered; each is offered once. */
#define VCS_STAGE_NEVER 0u       /* it runs, but is suspended or needs more than there is */
#define VCS_STAGE_NEARLY_DONE 1u /* it runs, and has less left than it takes to switch */
#define VCS_STAGE_LATE 2u        /* it is late */
#define VCS_STAGE_SLICE 3u       /* it runs, and its slice has not ended */
#define VCS_STAGE_TURN 4u        /* when it is its project's turn, if it may run */
#define VCS_STAGE_DISPLACED 5u   /* likewise; it ran, but others have its devices now */

/*
 * A project offers running tasks first, then those that have just lost their devices to others, then those that have
 * run before, then fresh ones.
 */
#define VCS_TURN_RUNNING 0u
#define VCS_TURN_DISPLACED 1u
#define VCS_TURN_STARTED 2u
#define VCS_TURN_FRESH 3u
#define VCS_TURN_QUEUES 4u

/* A resource. */
typedef struct vcs_selection_resource {
    int64_t used;        /* units */
    int64_t least_use;   /* units that the task that uses least of it uses; INT64_MAX if no task may run on it */
    uint32_t has_late;   /* 1: a late task that did not run before uses it now */
    uint32_t keeps_late; /* 1: a running task stays late there until its slice ends */
} vcs_selection_resource;

/* A project on a resource. */
typedef struct vcs_selection_project_resource {
    int64_t used;                     /* units taken so far */
    uint32_t taking_part;             /* tasks that take part, once the waiting ones are queued */
    uint32_t queues[VCS_TURN_QUEUES]; /* the first tasks that wait for their project's turn, by arrival; VCS_NONE */
    uint32_t last_displaced;          /* the last one of that queue */
    uint32_t heirs;                   /* late.c: who is late next if a late one is refused, by deadline; VCS_NONE */
    int32_t places;                   /* predicted misses less the tasks that count as late, where these count only */
} vcs_selection_project_resource;

/* A task. */
typedef struct vcs_selection_task {
    uint32_t stage; /* VCS_STAGE_* */
    uint32_t next;  /* what is behind it in its queue; VCS_NONE */
} vcs_selection_task;

/* A project that has a task to offer, and how it ranks at this moment. */
typedef struct vcs_turn {
    vcs_rank_key key;
    uint32_t project;
    uint32_t unused;
} vcs_turn;

typedef struct vcs_selection {
    /* of the state */
    vcs_state *state;
    const vcs_project *project_records;
    const vcs_app *apps;
    const vcs_prepared_task *prepared;
    vcs_task_decision *decisions; /* per task */
    uint32_t *running;            /* the tasks taken, by place */
    /* scratch */
    uint32_t *project_tasks;                           /* per project: tasks taken so far */
    uint32_t *app_tasks;                               /* per application: likewise */
    vcs_selection_project_resource *project_resources; /* project by project */
    vcs_selection_resource *resources;
    vcs_devices *devices; /* per resource; those of the CPUs are not used */
    vcs_selection_task *tasks;
    uint32_t *ran;        /* the tasks that ran until now */
    vcs_sort_item *items; /* tasks in the order in which they are offered; twice as many, for sorting */
    vcs_turn *turns;      /* per project: a heap of those with a task to offer */
    vcs_cpus cpus;
    /* limits of the host */
    double ram;         /* bytes; +infinity if it is no limit */
    int64_t most_cpus;  /* units: the largest use of CPUs that fits if nothing else runs; of a task without a GPU */
    int64_t most_share; /* likewise, of a GPU task */
    uint32_t ran_count;
    uint32_t has_downloads; /* not 0: some task is being downloaded */
    uint32_t explains;      /* 1: every task gets its reason */
    uint32_t has_limits;    /* 1: memory, or tasks at a time of a project or application, are limited */
    uint32_t has_queues;    /* 1: the tasks that wait for a turn are queued */
    uint32_t lacks_memory;  /* 1: some task waits for memory alone */
    /* the late tasks still to be found, which is done by deadline */
    uint32_t late_rule; /* late.c: which tasks are late */
    const uint32_t *by_deadline;
    uint32_t *urgent;        /* memory for an order of its own */
    uint32_t deadline_place; /* how far that order has been searched */
    uint32_t misses;         /* tasks predicted to be late */
    uint32_t staying;        /* tasks that stay late */
    /* the late tasks that took the place of refused ones, and are still to be offered */
    int64_t *heirs; /* a heap of their keys */
    uint32_t heir_count;
    uint32_t has_heirs; /* 1: the heap and the queues of heirs are there */
    vcs_schedule_summary summary;
} vcs_selection;

static inline vcs_selection_project_resource *vcs_selection_at(const vcs_selection *selection, uint32_t project,
                                                               uint32_t resource) {
    return &selection->project_resources[(size_t)project * selection->state->resource_count + resource];
}

#endif
