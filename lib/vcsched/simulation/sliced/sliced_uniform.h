/*
 * The sliced simulation of a uniform host: every task uses one CPU and nothing else, and no limit holds it back.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_SLICED_UNIFORM_H
#define VCS_SIMULATION_SLICED_SLICED_UNIFORM_H

#include "vcsched/host/prepared.h"

#include <stdbool.h>

/* Returns false, with nothing done, if the host is not uniform or its numbers are too extreme to compare. */
bool vcs_sliced_uniform(vcs_state *state, vcs_wrr_summary *summary);

#endif
