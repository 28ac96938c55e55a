/*
 * What a client has seen of the hours of its host, for decisions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHANCE_HOURS_SEEN_H
#define VCS_CHANCE_HOURS_SEEN_H

#include "vcsched/chance/finish.h"

#include <vcsched/chance.h>

/* Whether so many hours are those of a day or of a week. */
static inline bool vcs_is_count_of_hours(uint32_t count) {
    return count == VCS_HOURS_OF_DAY || count == VCS_HOURS_OF_WEEK;
}

/* Whether an array is one of hours: VCS_OK or the error. */
int vcs_check_hours(const vcs_array *hours);

/* For which fraction of each hour a host of these spells is on. */
void vcs_fractions_of_hours(const vcs_array *hours, vcs_mean_spells spells, double *fractions);

#endif
