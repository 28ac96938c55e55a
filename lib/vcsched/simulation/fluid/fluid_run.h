/*
 * The course of time in the fluid simulation.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_FLUID_FLUID_RUN_H
#define VCS_SIMULATION_FLUID_FLUID_RUN_H

#include "vcsched/simulation/fluid/fluid_projects.h"

/*
 * Runs from time 0 until all tasks have ended, or until the horizon, the budget or the effort stops it; returns whether
 * all have ended. Each project with tasks comes with all the CPUs it can use; if there are not enough, they are divided
 * here.
 */
int vcs_fluid_run(vcs_fluid *f);

#endif
