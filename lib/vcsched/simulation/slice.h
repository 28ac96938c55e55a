/*
 * Slices: how long a running task keeps its place.
 *
 * Rules 5.1, 5.3 and 5.7; the plain references are tests/oracle/oracle_schedule.c and tests/oracle/oracle_sliced.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICE_H
#define VCS_SIMULATION_SLICE_H

#include "vcsched/host/prepared.h"

#include <stdbool.h>

static inline bool vcs_runs_already(const vcs_prepared_task *task) {
    return (task->flags & VCS_TASK_RUNNING) != 0;
}

/* Whether nothing stops a task but the user, suspension and memory (rule 5.7). */
static inline bool vcs_must_go_on(const vcs_prepared_task *task) {
    return vcs_runs_already(task) && (task->flags & VCS_TASK_UNINTERRUPTIBLE) != 0;
}

/* A wide task needs several CPUs at once, so it can have to wait until they come free together. */
static inline bool vcs_is_wide(const vcs_prepared_task *task) {
    return task->resource == 0 && task->cpu_units > VCS_ONE;
}

/* The work that is lost if a task stops now, s; none if it stays in memory. */
static inline double vcs_work_at_risk(uint32_t task_flags, double since_checkpoint) {
    return (task_flags & VCS_TASK_IN_MEMORY) != 0 ? 0.0 : since_checkpoint;
}

static inline double vcs_loss(const vcs_prepared_task *task) {
    return vcs_work_at_risk(task->flags, task->since_checkpoint);
}

/* Whether a task takes memory whether it runs or not, and that counts (rule 5.7). */
static inline bool vcs_keeps_memory(const vcs_state *state, const vcs_prepared_task *task) {
    return state->parameters.stopped_memory && (task->flags & VCS_TASK_IN_MEMORY) != 0 &&
           (task->flags & (VCS_TASK_RUNNING | VCS_TASK_STARTED)) != 0;
}

/* How long slices last. */
typedef struct vcs_periods {
    double of_gpus, of_cpus; /* s */
    bool has_wide;           /* CPUs may have to be held for a wide task, so that slices of CPU tasks last longer */
} vcs_periods;

/* O(tasks). */
vcs_periods vcs_find_periods(const vcs_state *state);

static inline double vcs_period_of(const vcs_periods *periods, const vcs_prepared_task *task) {
    return task->resource == 0 ? periods->of_cpus : periods->of_gpus;
}

/*
 * A slice that began `elapsed` seconds ago lasts for a period, and then until the next checkpoint. A slice that began
 * in the future has ended.
 */
static inline bool vcs_slice_goes_on(double period, double elapsed, double loss) {
    return elapsed >= 0.0 && (elapsed < period || loss > elapsed - period);
}

/* A task that fills in has no slice. */
static inline bool vcs_slice_lasts(const vcs_state *state, const vcs_periods *periods, const vcs_prepared_task *task) {
    return (task->flags & (VCS_TASK_RUNNING | VCS_TASK_FILLS_IN)) == VCS_TASK_RUNNING &&
           vcs_slice_goes_on(vcs_period_of(periods, task), state->now - task->running_since, vcs_loss(task));
}

/* How long until a slice that lasts ends or has to be looked at again, s. */
static inline double vcs_slice_left(const vcs_parameters *parameters, double period, double elapsed) {
    return elapsed < period ? period - elapsed : vcs_look_interval(parameters);
}

/*
 * Whether a task would end within its next slice, so that it need not stop for the turn of another. Where it has a part
 * of a device, the rest of that would wait with it.
 */
static inline bool vcs_ends_soon(const vcs_state *state, const vcs_prepared_task *task) {
    return state->parameters.let_finish && task->gpu_units % VCS_ONE == 0 &&
           (task->flags & (VCS_TASK_RUNNING | VCS_TASK_FILLS_IN)) == VCS_TASK_RUNNING &&
           task->run_time <= vcs_micros(state->parameters.period);
}

/* Whether a running task keeps its place whosever turn comes. */
static inline bool vcs_keeps_place(const vcs_state *state, const vcs_periods *periods, const vcs_prepared_task *task) {
    return vcs_ends_soon(state, task) || vcs_slice_lasts(state, periods, task);
}

/* For how long it keeps it, microseconds; 0 = it does not, or has nothing left to do. */
int64_t vcs_keeps_place_for(const vcs_state *state, const vcs_periods *periods, const vcs_prepared_task *task);

/*
 * Slices of smaller tasks yield to a wide task where CPUs would idle until they end: all of them, or none if one would
 * lose as much work as the longest of them lasts on.
 */
typedef struct vcs_yield {
    int64_t most_loss, longest; /* microseconds */
} vcs_yield;

static inline void vcs_yield_add(vcs_yield *yield, int64_t loss, int64_t keeps_for) {
    yield->most_loss = vcs_max_i64(loss, yield->most_loss);
    yield->longest = vcs_max_i64(keeps_for, yield->longest);
}

static inline bool vcs_yield_pays(const vcs_yield *yield) {
    return yield->most_loss < yield->longest;
}

#endif
