/*
 * The sliced simulation of a small uniform host: few projects and tasks, each of one CPU, and no limit holds them back.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_SLICED_FEW_H
#define VCS_SIMULATION_SLICED_SLICED_FEW_H

#include "vcsched/host/prepared.h"

#include <stdbool.h>

/* Returns false, with nothing decided, if the host is not such a host, or two projects come too close to compare. */
bool vcs_sliced_few(vcs_state *state, vcs_wrr_summary *summary);

#endif
