/*
 * The simulation without turns of a host where every task uses one CPU and has no limit.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_TO_THE_END_TO_THE_END_PLAIN_H
#define VCS_SIMULATION_TO_THE_END_TO_THE_END_PLAIN_H

#include "vcsched/host/prepared.h"

#include <stdbool.h>

/* Returns false, and leaves everything to the general form, if the host is not like that. */
bool vcs_to_the_end_plain(vcs_state *state, vcs_wrr_summary *summary);

#endif
