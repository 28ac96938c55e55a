/*
 * The decision which tasks run, from inside: what its parts share.
 *
 *   schedule.c         offers the tasks in order
 *   schedule_late.c    who is late, and in which order late tasks go
 *   schedule_stage.c   when each task is offered
 *   schedule_turn.c    whose turn it is
 *   schedule_fit.c     what fits beside what was taken, and what is in the way of the rest
 *   schedule_take.c    what a task uses and begins once it is taken
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_SCHEDULE_H
#define VCS_SCHEDULE_SCHEDULE_H

#include "simulation/instance_sets.h"
#include "state/prepared.h"
#include "accounts/rank_key.h"
#include "core/sort.h"

/* When a task is offered; each is once. */
#define VCS_STAGE_NEVER 0u       /* it runs, but is suspended, or needs more than there is */
#define VCS_STAGE_NEARLY_DONE 1u /* it runs, and has less left than it takes to switch */
#define VCS_STAGE_LATE 2u        /* it is late */
#define VCS_STAGE_SLICE 3u       /* it runs, and its slice has not ended */
#define VCS_STAGE_TURN 4u        /* when it is its project's turn, if it may run */

/* A project offers tasks that run first, then those that have run, then those that have not. */
#define VCS_QUEUES_PER_PAIR 3u

/* What is known of a resource while tasks are taken. */
typedef struct vcs_selection_pool {
    int64_t free;           /* units */
    int64_t most;           /* the greatest use that fits, whoever may use what is free */
    vcs_instance_sets sets; /* what is free for whom; none unless some project is excluded from some instance */
    uint32_t has_late;      /* 1 if a late task that did not run before uses it now */
    uint32_t keeps_late;    /* 1 if a running task stays late there until its slice ends */
} vcs_selection_pool;

/* Of a project. */
typedef struct vcs_selection_project {
    uint32_t tasks;  /* taken so far */
    uint32_t misses; /* predicted ones that no task was found for yet */
} vcs_selection_project;

/* Of a project on a resource. */
typedef struct vcs_selection_pair {
    int64_t used;                         /* units taken so far */
    uint32_t candidates;                  /* tasks that take part */
    uint32_t queues[VCS_QUEUES_PER_PAIR]; /* the first tasks that wait for their project's turn, by arrival; VCS_NONE */
} vcs_selection_pair;

/* Of a task. */
typedef struct vcs_selection_task {
    uint32_t stage; /* VCS_STAGE_* */
    uint32_t next;  /* the task behind it in its queue; VCS_NONE */
} vcs_selection_task;

/* A project that has a task to offer, and how it ranks at this moment. */
typedef struct vcs_turn {
    vcs_rank_key key;
    uint32_t project;
    uint32_t unused;
} vcs_turn;

typedef struct vcs_selection {
    vcs_state *state;
    const vcs_project *records;      /* per project, in the state */
    const vcs_app *apps;             /* per application, in the state */
    const vcs_prepared_task *jobs;   /* per task, in the state */
    vcs_task_decision *decisions;    /* per task, in the state */
    uint32_t *running;               /* the tasks taken, by place, in the state */
    vcs_selection_project *projects; /* per project */
    vcs_selection_pair *project_resources;       /* per project and resource; project by project */
    vcs_selection_pool *pools;       /* per resource */
    uint32_t *app_tasks;             /* per application: tasks taken so far */
    vcs_selection_task *tasks;       /* per task */
    uint32_t *ran;                   /* the tasks that ran until now */
    vcs_sort_item *items;            /* tasks in the order in which they are offered; twice as many, for sorting */
    vcs_turn *turns;                 /* per project: a heap of those with a task to offer */
    uint64_t *maps;                  /* of the instance sets, projects + 1 for each resource */
    int64_t *room;                   /* the same */
    double ram;                      /* of the host, bytes; +infinity if it is no limit */
    int64_t most_cpus;               /* units: the greatest use of CPUs that fits if nothing else runs */
    uint32_t ran_count;
    uint32_t explains;        /* 1: what is decided on tasks that wait is asked for, too */
    uint32_t has_limits;      /* 1: memory, or tasks at once of a project or application, are limited */
    uint32_t has_free_riders; /* 1: some task uses nothing of its resource, and fits even if nothing is free */
    uint32_t has_exclusions;  /* 1: some project is excluded from some instance */
    uint32_t has_queues;      /* 1: the tasks that wait for a turn are queued */
    /* the late tasks, which are looked for by deadline */
    uint32_t deadline_place; /* up to where in that order they are found */
    uint32_t misses;         /* of those to come: that are predicted to be late, */
    uint32_t staying;        /* and that stay late */
    vcs_schedule_summary summary;
} vcs_selection;

static inline vcs_selection_pair *vcs_selection_pair_of(const vcs_selection *selection, uint32_t project,
                                                        uint32_t resource) {
    return &selection->project_resources[(size_t)project * selection->state->resource_count + resource];
}

/* Whether a project has a task to offer when it is its turn. */
static inline int vcs_has_waiting(const vcs_selection_pair *pair) {
    uint32_t empty = VCS_NONE;
    for (uint32_t q = 0; q < VCS_QUEUES_PER_PAIR; q++) {
        empty &= pair->queues[q]; /* VCS_NONE is all ones, and no task's number */
    }
    return empty != VCS_NONE;
}

static inline int vcs_runs_already(const vcs_prepared_task *task) {
    return (task->flags & VCS_TASK_RUNNING) != 0;
}

/* Whether a running task keeps its place for now: rule 5.3. A slice that began in the future has ended. */
static inline int vcs_slice_lasts(const vcs_state *state, const vcs_prepared_task *task) {
    if (!vcs_runs_already(task)) {
        return 0;
    }
    const double period = state->parameters.period, elapsed = state->now - task->running_since;
    return elapsed >= 0.0 && (elapsed < period || task->since_checkpoint > elapsed - period);
}

/* The instances that a project may use. */
static inline uint64_t vcs_allowed_to(const vcs_state *state, uint32_t project, uint32_t resource) {
    return ~vcs_project_resources(state)[(size_t)project * state->resource_count + resource].excluded;
}

/* The greatest use that fits into what is free. A use of 0 always does. */
static inline int64_t vcs_most_that_fits(const vcs_state *state, int64_t free) {
    if (state->parameters.overcommit) {
        return free >= VCS_LEAST_FREE ? INT64_MAX : 0;
    }
    return free > 0 ? free : 0;
}

/* What a task uses of its own resource, which is known, units. */
static inline int64_t vcs_use_of(const vcs_prepared_task *task, uint32_t resource) {
    return resource == 0 ? task->cpu_units : task->gpu_units;
}

/* Why a task has no place although no limit keeps it from running. */
static inline uint32_t vcs_reason_to_wait(const vcs_selection *selection, const vcs_prepared_task *task) {
    if (!vcs_runs_already(task)) {
        return VCS_REASON_WAITS;
    }
    return selection->pools[task->resource].has_late ? VCS_REASON_GIVES_WAY : VCS_REASON_SLICE_OVER;
}

/*
 * Whether a resource need not be offered to anyone any more: all instances are in use. If it is asked for, each task
 * that waits for its project's turn has the reason that it was given when its decision began: nothing else than that is
 * in its way.
 */
static inline int vcs_is_used_up(const vcs_selection *selection, uint32_t resource) {
    const vcs_selection_pool *pool = &selection->pools[resource];
    const uint32_t reasons_differ = selection->explains & (pool->has_late | selection->has_limits);
    return pool->most == 0 && !selection->has_free_riders && !reasons_differ;
}

/* schedule_fit.c: the projects that compete for a resource are confined to the instances that they may use. */
void vcs_fit_confine(vcs_selection *selection, uint32_t resource);

/* Takes a task if it fits, for this reason; else notes what is in the way. Returns whether it was taken. */
int vcs_offer(vcs_selection *selection, uint32_t task, uint32_t reason);

/* Offers the tasks that wait for a project's turn on a resource until one is taken. Returns whether one was. */
int vcs_offer_waiting(vcs_selection *selection, uint32_t project, uint32_t resource);

/* Offers all that are left of them, as long as one may be taken: nobody looks at the queues again. */
void vcs_offer_all_waiting(vcs_selection *selection, uint32_t project, uint32_t resource);

/*
 * schedule_take.c: takes a task for which its own resource has room, unless exclusions, or the CPUs that a GPU task
 * needs, are in the way. Returns whether it was taken.
 */
int vcs_take(vcs_selection *selection, uint32_t task, uint32_t reason);

/* Whether any task may be late: mostly the simulation has found none that will be, and counted them. */
static inline int vcs_may_be_late(const vcs_state *state) {
    if (state->parameters.scheduling != VCS_SCHEDULING_DEADLINE) {
        return 0;
    }
    const vcs_project_resource_forecast *project_resources = vcs_project_resource_forecasts(state);
    const size_t count = (size_t)state->project_count * state->resource_count;
    uint32_t late = state->parameters.hysteresis; /* one that was late may stay so */
    for (size_t i = 0; i < count; i++) {
        late |= project_resources[i].misses;
    }
    return late != 0;
}

/* schedule_late.c: counts the late tasks. */
void vcs_expect_late(vcs_selection *selection);

/*
 * The next late task by deadline, which is VCS_STAGE_LATE from now on; VCS_NONE if there are no more. Those that are
 * nearly done, and offered before, are only noted to be late.
 */
uint32_t vcs_next_late(vcs_selection *selection);

/* Whether late tasks may go in another order than that of their deadlines. */
static inline int vcs_late_reorders(const vcs_state *state) {
    return state->resource_count > 1 || state->parameters.save_first || state->parameters.hysteresis;
}

/* Of two late tasks for one resource, the one with the lower number goes first; if it is the same, by deadline. */
#define VCS_LATE_ORDERS 4u
uint32_t vcs_late_order(const vcs_selection *selection, const vcs_prepared_task *task);

/* schedule_stage.c: whether a GPU task fits on its GPU type if nothing else is there. */
int vcs_fits_gpu(const vcs_state *state, const vcs_prepared_task *task);

/* Whether a task takes part and could run on this host if it were alone. */
static inline int vcs_may_run(const vcs_selection *selection, const vcs_prepared_task *task) {
    return task->takes_part && task->ram <= selection->ram && task->cpu_units <= selection->most_cpus &&
           (task->resource == 0 || vcs_fits_gpu(selection->state, task));
}

/* What is decided on each task until it is taken. */
void vcs_begin_decisions(vcs_selection *selection);

/* Finds the tasks that ran until now, and when each task is offered as long as none is known to be late. */
void vcs_find_running(vcs_selection *selection);

/* Queues the tasks that wait for their project's turn. */
void vcs_queue_waiting(vcs_selection *selection);

/*
 * schedule_turn.c: the first `count` projects of `turns`, more than one, offer their tasks for a resource in turn. The
 * end is when it is used up, or when only one of them, which is then the first, has more to offer.
 */
void vcs_take_turns(vcs_selection *selection, uint32_t resource, uint32_t count);

#endif
