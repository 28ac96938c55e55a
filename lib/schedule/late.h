/*
 * Late tasks: which they are, and in which order they go.
 *
 * Rules 5.2, 5.5 and 13.7; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_LATE_H
#define VCS_SCHEDULE_LATE_H

#include "schedule/selection.h"

/* Counts the late tasks. Returns whether there are any. */
int vcs_expect_late(vcs_selection *selection);

/*
 * The next late task by deadline, which is VCS_STAGE_LATE from now on; VCS_NONE if there are no more. Those that are
 * nearly done were offered before: they are only marked late.
 */
uint32_t vcs_next_late(vcs_selection *selection);

/* Whether late tasks may go in another order than that of their deadlines. */
static inline int vcs_late_reorders(const vcs_state *state) {
    return state->resource_count > 1 || state->parameters.save_first || state->parameters.hysteresis;
}

/* Of two late tasks for one resource, the one with the lower number goes first; if it is the same, by deadline. */
#define VCS_LATE_ORDERS 4u
uint32_t vcs_late_order(const vcs_selection *selection, const vcs_prepared_task *task);

#endif
