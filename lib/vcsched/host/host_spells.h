/*
 * For how long the host is on and off at a time, as all decisions of a state take it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_HOST_SPELLS_H
#define VCS_HOST_HOST_SPELLS_H

#include "vcsched/chance/hourly.h"
#include "vcsched/host/prepared.h"

/* The mean spells of the host; where they are not known, they follow from the fraction of time of its CPUs. */
vcs_mean_spells vcs_spells_of(const vcs_state *state);

/* The host as its chances go: with its hours, if they are given and the policy asks for them. */
vcs_hourly vcs_hourly_of(const vcs_state *state);

/* Puts the hours of a snapshot into a state that has its host and resources. */
void vcs_convert_hours(vcs_state *state, const vcs_snapshot *snapshot);

#endif
