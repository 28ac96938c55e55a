/*
 * The choice without stops in vain: what runs goes on to its end, then the earliest deadlines.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_TO_THE_END_H
#define VCS_SCHEDULE_TO_THE_END_H

#include "vcsched/core/sort.h"
#include "vcsched/schedule/place.h"

/*
 * Offers tasks that ran until now, GPU types from the last to the first, then the CPU. `items`: such tasks, in the
 * order of their offers.
 */
void vcs_choose_running(vcs_placement *placement, const vcs_sort_item *items, uint32_t count);

/*
 * Then offers all tasks that wait for a turn, by deadline; `items` is memory for two per task.
 * O(resources * tasks + tasks log(tasks)).
 */
void vcs_choose_by_deadline(vcs_placement *placement, const vcs_offer *offers, vcs_sort_item *items);

#endif
