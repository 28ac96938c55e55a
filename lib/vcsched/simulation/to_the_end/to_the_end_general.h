/*
 * The sliced simulation without turns, for any host.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_TO_THE_END_TO_THE_END_GENERAL_H
#define VCS_SIMULATION_TO_THE_END_TO_THE_END_GENERAL_H

#include "vcsched/host/prepared.h"

void vcs_to_the_end_general(vcs_state *state, vcs_wrr_summary *summary);

#endif
