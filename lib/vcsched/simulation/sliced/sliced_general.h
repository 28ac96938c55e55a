/*
 * The sliced simulation for any host.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_SLICED_GENERAL_H
#define VCS_SIMULATION_SLICED_SLICED_GENERAL_H

#include "vcsched/host/prepared.h"

void vcs_sliced_general(vcs_state *state, vcs_wrr_summary *summary);

#endif
