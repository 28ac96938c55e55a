/*
 * The sliced simulation without turns, for any host.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_SLICED_TO_THE_END_H
#define VCS_SIMULATION_SLICED_SLICED_TO_THE_END_H

#include "vcsched/host/prepared.h"

void vcs_sliced_to_the_end(vcs_state *state, vcs_wrr_summary *summary);

#endif
