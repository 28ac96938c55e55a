/*
 * Slices: how long a running task keeps its place.
 *
 * Rules 5.1 and 5.3; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_SLICE_H
#define VCS_SCHEDULE_SLICE_H

#include "state/prepared.h"

#include <stdbool.h>

static inline bool vcs_runs_already(const vcs_prepared_task *task) {
    return (task->flags & VCS_TASK_RUNNING) != 0;
}

/* The work that is lost if a task stops now, s. One that stays in memory loses none. */
static inline double vcs_loss(const vcs_prepared_task *task) {
    return (task->flags & VCS_TASK_IN_MEMORY) != 0 ? 0.0 : task->since_checkpoint;
}

/* A slice lasts for a period, and then until the next checkpoint. One that began in the future has ended. */
static inline bool vcs_slice_lasts(const vcs_state *state, const vcs_prepared_task *task) {
    if (!vcs_runs_already(task)) {
        return false;
    }
    const double period = state->parameters.period, elapsed = state->now - task->running_since;
    return elapsed >= 0.0 && (elapsed < period || vcs_loss(task) > elapsed - period);
}

/* How long until a slice that lasts ends or has to be looked at again, s. */
static inline double vcs_slice_left(const vcs_state *state, const vcs_prepared_task *task) {
    const double period = state->parameters.period, elapsed = state->now - task->running_since;
    if (elapsed < period) {
        return period - elapsed;
    }
    return vcs_look_interval(&state->parameters);
}

#endif
