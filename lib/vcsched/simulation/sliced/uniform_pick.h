/*
 * The pick of the uniform sliced simulation.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_UNIFORM_PICK_H
#define VCS_SIMULATION_SLICED_UNIFORM_PICK_H

#include "vcsched/simulation/sliced/uniform_queues.h"

/*
 * Decides how many tasks of each competitor run now. True means: as many as before, and no CPU is idle; false means
 * nothing.
 */
bool vcs_uniform_pick(vcs_uniform *u);

#endif
