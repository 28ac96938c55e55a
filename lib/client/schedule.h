/*
 * The decision which tasks run, from inside: what its parts share.
 *
 *   schedule.c         offers the tasks in order, and reports
 *   schedule_late.c    who is late, and in which order late tasks go
 *   schedule_turn.c    whose turn it is
 *   schedule_fit.c     what fits beside what was taken, and what is in the way of the rest
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CLIENT_SCHEDULE_H
#define VCS_CLIENT_SCHEDULE_H

#include "client/instance_sets.h"
#include "client/prepared.h"
#include "client/priority.h"
#include "core/order.h"

/* When a task is offered; each is once. */
#define VCS_STAGE_NEVER 0u       /* it is suspended, or needs more than there is */
#define VCS_STAGE_NEARLY_DONE 1u /* it runs, and has less left than it takes to switch */
#define VCS_STAGE_LATE 2u        /* it is late */
#define VCS_STAGE_SLICE 3u       /* it runs, and its slice has not ended */
#define VCS_STAGE_TURN 4u        /* when it is its project's turn */

/* A project offers tasks that run first, then those that have run, then those that have not. */
#define VCS_QUEUES_PER_PAIR 3u

/* A project that has a task to offer, and how it ranks at this moment. */
typedef struct vcs_turn {
    vcs_rank_key key;
    uint32_t project;
    uint32_t unused;
} vcs_turn;

typedef struct vcs_selection {
    vcs_state *state;
    vcs_task_decision *decisions; /* per task, in the state */
    unsigned char *stages;        /* per task: VCS_STAGE_* */
    vcs_sort_item *items, *spare; /* tasks in the order in which they are offered */
    /* what was taken so far */
    vcs_instance_sets *pools;     /* per resource: what is free */
    int64_t *used;                /* units per project and resource; project by project */
    uint32_t *project_tasks;      /* tasks per project */
    uint32_t *app_tasks;          /* tasks per application */
    uint32_t *has_late;           /* per resource: 1 if a late task that did not run before uses it now */
    uint32_t *keeps_late;         /* per resource: 1 if a running task stays late there until its slice ends */
    vcs_schedule_summary summary;
    /* whose turn it is */
    uint32_t *pair_candidates;    /* per project and resource: tasks that take part */
    uint32_t *project_candidates; /* per project */
    uint32_t *queues;             /* first tasks: VCS_QUEUES_PER_PAIR per project and resource; VCS_NONE */
    uint32_t *next;               /* per task: the one behind it in its queue; VCS_NONE */
    vcs_turn *turns;              /* per project: a heap of those with a task to offer */
    uint32_t *misses;             /* per project: predicted misses that no task was found for yet */
} vcs_selection;

/* What a task uses of a resource, units. */
static inline int64_t vcs_use_of(const vcs_job *job, uint32_t resource) {
    return resource == 0 ? job->cpu_units : resource == job->resource ? job->gpu_units : 0;
}

static inline int vcs_runs_already(const vcs_job *job) {
    return (job->flags & VCS_TASK_RUNNING) != 0;
}

/* Whether a running task keeps its place for now: rule 5.3. A slice that began in the future has ended. */
static inline int vcs_slice_lasts(const vcs_state *state, const vcs_job *job) {
    const double period = state->parameters.period, elapsed = state->now - job->running_since;
    return vcs_runs_already(job) && elapsed >= 0.0 &&
           (elapsed < period || job->since_checkpoint > elapsed - period);
}

/* schedule_fit.c */

/* Nothing is taken yet. `maps` and `room` have projects + 1 places for each resource. */
void vcs_fit_begin(vcs_selection *selection, uint64_t *maps, int64_t *room);

/* Whether a task could run on this host if it were alone. */
int vcs_fits_alone(const vcs_state *state, const vcs_job *job);

/* Takes a task if it fits, for this reason; else notes what is in the way. */
void vcs_offer(vcs_selection *selection, uint32_t task, uint32_t reason);

/* schedule_late.c: flags the late tasks and moves them to VCS_STAGE_LATE. */
void vcs_find_late(vcs_selection *selection);

/* Of two late tasks for one resource, the one with the lower number goes first; if it is the same, by deadline. */
#define VCS_LATE_ORDERS 4u
uint32_t vcs_late_order(const vcs_selection *selection, const vcs_job *job);

/* schedule_turn.c */

/* Queues the tasks that wait for their project's turn. */
void vcs_turn_begin(vcs_selection *selection);

/* Lets the projects offer their tasks for a resource in turn, until nobody has one left. */
void vcs_turn_take(vcs_selection *selection, uint32_t resource);

#endif
