/*
 * The course of time in the fluid simulation.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_FLUID_FLUID_RUN_H
#define VCS_SIMULATION_FLUID_FLUID_RUN_H

#include "vcsched/simulation/fluid/fluid_projects.h"

/*
 * Runs from time 0 until all tasks have ended, or to where it must stop; returns whether it came to its end. At first
 * each project with tasks has all the CPUs it can use; if there are not enough, they are divided here.
 */
int vcs_fluid_run(vcs_fluid *f);

#endif
