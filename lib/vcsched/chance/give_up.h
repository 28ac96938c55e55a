/*
 * Whether a task is stopped for good, for rooms that know all terms.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHANCE_GIVE_UP_H
#define VCS_CHANCE_GIVE_UP_H

#include "vcsched/chance/finish.h"

#include <stdbool.h>
#include <vcsched/chance.h>

/* Why a task is given up or kept, `window` seconds before its deadline, whatever its project says; and its chance. */
uint32_t vcs_give_up_reason(const vcs_give_up_terms *terms, double window, double *chance);

/* The same where a new job has other spells within its bound than the task within its window. */
uint32_t vcs_give_up_reason_within(const vcs_give_up_terms *terms, double window, vcs_mean_spells of_new_job,
                                   double *chance);

/* Whether it is surely kept, which costs next to nothing to find out; false says nothing. */
bool vcs_is_surely_kept(const vcs_give_up_terms *terms, double window);

#endif
