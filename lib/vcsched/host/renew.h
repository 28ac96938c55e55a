/*
 * Updates a state after only a few records have changed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_RENEW_H
#define VCS_HOST_RENEW_H

#include "vcsched/host/prepared.h"

#include <stdbool.h>

uint64_t vcs_renew_scratch(const vcs_counts *counts);

/*
 * Updates the changed records. False if more than a few have changed, or something is wrong: then nothing was written,
 * except for two tasks with the same id, which are found only by ordering the tasks.
 */
bool vcs_renew_quickly(vcs_state *state, const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now);

#endif
