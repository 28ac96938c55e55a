/*
 * The pick of the general sliced simulation: who runs now.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_PICK_H
#define VCS_SIMULATION_SLICED_PICK_H

#include "simulation/sliced_queues.h"

/* Starts and stops tasks so that exactly those run which the rule picks now. */
void vcs_general_pick(vcs_general *g);

/* A task of a competitor no longer uses anything. */
void vcs_general_release(vcs_general *g, uint32_t competitor, const vcs_sliced_use *task);

#endif
