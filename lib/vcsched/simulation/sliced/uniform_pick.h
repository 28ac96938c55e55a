/*
 * The pick of the uniform sliced simulation.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_UNIFORM_PICK_H
#define VCS_SIMULATION_SLICED_UNIFORM_PICK_H

#include "vcsched/simulation/sliced/uniform_queues.h"

/*
 * Decides how many tasks of each competitor are to run now. If true, they are as many as before, and no CPU is idle;
 * false says nothing.
 */
bool vcs_uniform_pick(vcs_uniform *u);

#endif
