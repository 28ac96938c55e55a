/*
 * The pick of the uniform sliced simulation.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_UNIFORM_PICK_H
#define VCS_SIMULATION_SLICED_UNIFORM_PICK_H

#include "vcsched/simulation/sliced/uniform_queues.h"

/*
 * Approximate keys are right to within this part of the largest number that went into any key: some ten roundings of
 * 2^-53 and the mark in two keys, with a margin of 10.
 */
#define VCS_UNIFORM_TOLERANCE 1e-12

/*
 * Decides how many tasks of each competitor run now. True means: as many as before, and no CPU is idle; false means
 * nothing.
 */
bool vcs_uniform_pick(vcs_uniform *u);

#endif
