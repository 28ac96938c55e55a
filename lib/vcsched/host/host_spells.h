/*
 * For how long the host is on and off at a time, as all decisions of a state take it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_HOST_SPELLS_H
#define VCS_HOST_HOST_SPELLS_H

#include "vcsched/chance/finish.h"
#include "vcsched/host/prepared.h"

/* The mean spells of the host; where they are not known, they follow from the fraction of time of its CPUs. */
vcs_mean_spells vcs_spells_of(const vcs_state *state);

#endif
