/*
 * Questions about one task and time: how long it keeps its place, what it loses, whether it can still be in time.
 *
 * Rules 5.1, 5.3 and 5.6; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_SLICE_H
#define VCS_SCHEDULE_SLICE_H

#include "vcsched/host/prepared.h"
#include "vcsched/simulation/lateness.h"

#include <stdbool.h>

static inline bool vcs_runs_already(const vcs_prepared_task *task) {
    return (task->flags & VCS_TASK_RUNNING) != 0;
}

/* Whether nothing stops a task but the user, suspension and memory (rule 5.7). */
static inline bool vcs_must_go_on(const vcs_prepared_task *task) {
    return vcs_runs_already(task) && (task->flags & VCS_TASK_UNINTERRUPTIBLE) != 0;
}

/* The work that is lost if a task stops now, s; none if it stays in memory. */
static inline double vcs_work_at_risk(uint32_t task_flags, double since_checkpoint) {
    return (task_flags & VCS_TASK_IN_MEMORY) != 0 ? 0.0 : since_checkpoint;
}

static inline double vcs_loss(const vcs_prepared_task *task) {
    return vcs_work_at_risk(task->flags, task->since_checkpoint);
}

/*
 * A slice that began `elapsed` seconds ago lasts for a period, and then until the next checkpoint. A slice that began
 * in the future has ended.
 */
static inline bool vcs_slice_goes_on(const vcs_parameters *parameters, double elapsed, double loss) {
    return elapsed >= 0.0 && (elapsed < parameters->period || loss > elapsed - parameters->period);
}

/* VCS_DECISION_HOPELESS if a task would be too late even if it ran alone from now on (rule 5.6), else 0. */
static inline uint32_t vcs_hopeless_flag(const vcs_state *state, const vcs_prepared_task *task) {
    return vcs_latest_in_edf(state->now, task->deadline) < task->run_time ? VCS_DECISION_HOPELESS : 0;
}

static inline bool vcs_slice_lasts(const vcs_state *state, const vcs_prepared_task *task) {
    return vcs_runs_already(task) &&
           vcs_slice_goes_on(&state->parameters, state->now - task->running_since, vcs_loss(task));
}

/* How long until a slice that lasts ends or has to be looked at again, s. */
static inline double vcs_slice_left(const vcs_parameters *parameters, double elapsed) {
    return elapsed < parameters->period ? parameters->period - elapsed : vcs_look_interval(parameters);
}

#endif
