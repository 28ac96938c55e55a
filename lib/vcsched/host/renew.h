/*
 * Bringing a state up to date where only a few records have changed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_RENEW_H
#define VCS_HOST_RENEW_H

#include "vcsched/host/prepared.h"

#include <stdbool.h>

uint64_t vcs_renew_scratch(const vcs_counts *counts);

/*
 * Takes what has changed; false if it is more than a few records, or something is wrong: then nothing was written,
 * unless two tasks have the same id, which takes ordering them to find.
 */
bool vcs_renew_quickly(vcs_state *state, const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now);

#endif
