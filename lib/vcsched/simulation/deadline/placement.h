/*
 * Placing tasks by earliest deadline first, one at a time: what vcs_edf() and vcs_admit() share.
 *
 * Rules 4.4 and 4.6; the plain reference is tests/oracle/oracle_place.c.
 *
 * On the usual host every task takes one whole CPU. Then it does not matter which free CPU a task gets, and the times
 * at which CPUs become free say it all. As soon as other tasks are expected, every resource has a timeline.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_DEADLINE_PLACEMENT_H
#define VCS_SIMULATION_DEADLINE_PLACEMENT_H

#include "vcsched/simulation/deadline/timeline.h"
#include "vcsched/host/prepared.h"
#include "vcsched/core/arena.h"
#include "vcsched/core/invariant.h"
#include "vcsched/simulation/deadline/free_times.h"

#include <stdbool.h>

/* What vcs_place() returns instead of a start. */
#define VCS_STUCK VCS_NEVER         /* the task needs more than there is, or than its project may use */
#define VCS_NOT_REACHED INT64_C(-1) /* the horizon or the budget comes first: no further task can be placed */

typedef struct vcs_plan {
    const vcs_state *state;
    int64_t horizon;
    uint64_t budget; /* tasks that may be placed */
    uint64_t placed;
    uint64_t most_effort; /* beyond it no more tasks are placed: see vcs_plan_effort() */
    uint32_t cpus;
    uint32_t single; /* 1: all tasks take one whole CPU; then free_times replaces the timelines */
    int64_t idle;    /* if so, the first moment at which a CPU was left idle; VCS_NEVER if none was */
    vcs_free_times *free_times;
    vcs_timeline *timelines; /* [resources], and on a host with GPUs one more: see vcs_plan_shares() */
    vcs_residents *residents;
    const int64_t *openings; /* of the devices, for the next task to place: see vcs_need.openings */
    /* memory of the free times */
    int64_t *line, *heap;
    /* memory of the timelines */
    vcs_instance *instances;
    int64_t *trees;
    uint32_t *chosen;
    vcs_search_node *nodes;
    int64_t *units, *sums, *ends;
} vcs_plan;

/* Allocates a plan's memory for all tasks and candidates. */
void vcs_plan_lay_out(vcs_plan *plan, const vcs_counts *counts, vcs_arena *arena);

/*
 * Work done for a plan since it began (rule 4.6), in units of about one look at an instance. The plan counts only work
 * that may be long for a single task: looks at instances where not all tasks take one whole CPU, and at lines of tasks
 * that wait for limits. Callers that place tasks of one whole CPU repeatedly add these themselves.
 */
static inline uint64_t *vcs_plan_effort(const vcs_plan *plan) {
    return &plan->residents->effort;
}

/* Begins a plan: no task is expected yet. O(resources). */
void vcs_plan_begin(vcs_plan *plan, const vcs_state *state);

/* Resumes a plan that began in the same memory, which may have moved since. Expected tasks stay expected. */
void vcs_plan_resume(vcs_plan *plan, const vcs_state *state);

/*
 * A second timeline of the CPUs, for GPU tasks that use less than one CPU. It has all bookings; the first timeline
 * omits these shares. Where no share is expected, nothing is booked here.
 */
static inline vcs_timeline *vcs_plan_shares(const vcs_plan *plan) {
    return &plan->timelines[plan->state->resource_count];
}

/* Where a task books its CPUs. */
static inline vcs_timeline *vcs_plan_cpus(const vcs_plan *plan, const vcs_prepared_task *task) {
    return task->resource != 0 && task->cpu_units > 0 && task->cpu_units < VCS_ONE ? vcs_plan_shares(plan)
                                                                                   : plan->timelines;
}

/* Prepares for a task or candidate. Every one must be announced before vcs_plan_clear(). */
static inline void vcs_plan_expect(vcs_plan *plan, const vcs_prepared_task *task) {
    vcs_timeline_expect(vcs_plan_cpus(plan, task), task->cpu_units);
    if (task->resource == 0 && task->cpu_units == VCS_ONE) {
        return; /* the usual task */
    }
    plan->single = 0;
    if (task->resource != 0) {
        vcs_timeline_expect(&plan->timelines[task->resource], task->gpu_units);
    }
}

/* Removes all tasks placed. O(instances). */
void vcs_plan_clear(vcs_plan *plan);

/* Whether the host has what a task needs and its project may use; if not, it is stuck. See vcs_timeline_suffices(). */
bool vcs_plan_suffices(const vcs_plan *plan, const vcs_prepared_task *task);

/*
 * When the first instance that a task would take is free; 0 if it takes none, or is stuck.
 * O(log(instances)).
 */
int64_t vcs_plan_first_free(const vcs_plan *plan, const vcs_prepared_task *task);

/* When the devices of a GPU task are free for it, and plan->openings let it use them. */
int64_t vcs_plan_gpu_start(const vcs_plan *plan, const vcs_prepared_task *task);

/* Whether the budget or the effort is used up, so that no more tasks are placed. */
static inline bool vcs_plan_is_used_up(const vcs_plan *plan) {
    return plan->placed == plan->budget || (plan->residents->effort > plan->most_effort && plan->placed > 0);
}

/* vcs_place() of a task that may not start before `earliest`; the instances it gets stay idle until then. */
int64_t vcs_place_from(vcs_plan *plan, const vcs_prepared_task *task, int64_t earliest);

/* How long all instances of a resource are busy with the tasks placed so far. O(instances). */
int64_t vcs_plan_busy(const vcs_plan *plan, uint32_t resource);

/* When a task finishes. Simulated time ends at VCS_FOREVER. */
static inline int64_t vcs_finish_of(int64_t start, int64_t run_time) {
    /* A task starts at 0, or when others finish. */
    VCS_INVARIANT(start >= 0 && start <= VCS_FOREVER && run_time >= 0 && run_time <= VCS_FOREVER);
    int64_t finish = start + run_time;
    return finish < VCS_FOREVER ? finish : VCS_FOREVER;
}

/*
 * Places the next task and returns its start, VCS_STUCK or VCS_NOT_REACHED. `run_time` is the task's own; the task is
 * not read if all tasks take one whole CPU. O(log(instances)) at most for each instance that the task takes.
 */
static inline int64_t vcs_place(vcs_plan *plan, int64_t run_time, const vcs_prepared_task *task) {
    if (plan->placed == plan->budget) {
        return VCS_NOT_REACHED;
    }
    if (!plan->single) {
        return vcs_place_from(plan, task, 0);
    }
    int64_t start = vcs_free_times_least(plan->free_times);
    if (start > plan->horizon) {
        return VCS_NOT_REACHED;
    }
    vcs_free_times_occupy(plan->free_times, vcs_finish_of(start, run_time));
    plan->placed++;
    return start;
}

#endif
