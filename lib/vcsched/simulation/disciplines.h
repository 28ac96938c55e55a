/*
 * The two disciplines behind vcs_wrr(). Each fills the forecasts of tasks, resources and project-resources, and the
 * summary.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_DISCIPLINES_H
#define VCS_SIMULATION_DISCIPLINES_H

#include "vcsched/host/prepared.h"

void vcs_wrr_fluid(vcs_state *state, vcs_wrr_summary *summary);
void vcs_wrr_sliced(vcs_state *state, vcs_wrr_summary *summary);

#endif
