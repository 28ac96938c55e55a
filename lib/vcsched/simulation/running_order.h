/*
 * The order in which tasks that run are to go on: if not all fit any more, the first of them do.
 *
 * Rules 5.3, 5.5, 5.7 and 15.4; the plain reference is tests/oracle/oracle_schedule.c. The choice of tasks and the
 * simulation without stops both ask here, so they cannot disagree.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_RUNNING_ORDER_H
#define VCS_SIMULATION_RUNNING_ORDER_H

#include "vcsched/core/sort.h"
#include "vcsched/host/prepared.h"

#include <stdbool.h>

/*
 * Sorts tasks, the indices of `items`: by the time they have left, or by the work that would be lost, most first; by
 * arrival, then id among equals. `items` has room for twice as many. O(count).
 */
void vcs_sort_running(const vcs_state *state, vcs_sort_item *items, uint32_t count, bool by_time_left);

#endif
