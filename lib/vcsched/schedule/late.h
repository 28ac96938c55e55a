/*
 * Late tasks: which they are, and in which order they go.
 *
 * Rules 5.2, 5.5 and 13.7; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_LATE_H
#define VCS_SCHEDULE_LATE_H

#include "vcsched/schedule/selection.h"

/* Whether any task may be late: mostly the simulation has found none that will be, and counted them. */
static inline bool vcs_may_be_late(const vcs_state *state) {
    if (state->parameters.scheduling != VCS_SCHEDULING_DEADLINE) {
        return false;
    }
    const vcs_project_resource_forecast *project_resources = vcs_project_resource_forecasts(state);
    const size_t count = (size_t)state->project_count * state->resource_count;
    uint32_t late = state->parameters.hysteresis; /* a task that was late may stay so */
    for (size_t i = 0; i < count; i++) {
        late |= project_resources[i].misses;
    }
    return late != 0;
}

/* Counts the late tasks. */
void vcs_expect_late(vcs_selection *selection);

/*
 * The next late task by deadline, which is VCS_STAGE_LATE from now on; VCS_NONE if there are no more. Those that are
 * nearly done were offered before: they are only marked late.
 */
uint32_t vcs_next_late(vcs_selection *selection);

/* Whether late tasks may go in another order than that of their deadlines, or pass their places on. */
static inline bool vcs_late_reorders(const vcs_state *state) {
    return state->resource_count > 1 || state->parameters.save_first || state->parameters.hysteresis ||
           state->parameters.late_by == VCS_LATE_BY_COUNT;
}

/* Offers all late tasks in their order. */
void vcs_offer_late(vcs_selection *selection);

#endif
