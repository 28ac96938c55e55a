/*
 * What happens on a server by deadline beyond one unit.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_DEADLINE_COURSE_H
#define VCS_EMU_GRID_DEADLINE_COURSE_H

#include "vcemu/grid/grid_server.h"

/* Carries out what follows for other units: withdraws the results of caught hosts, and ends a batch that is done. */
void vcs_grid_conclude(vcs_grid_server *s);

/* When the next transition is due, or the next unit comes. */
double vcs_grid_units_due(const vcs_grid_server *s);

/* Does what is due next. */
void vcs_grid_units_act(vcs_grid_server *s);

/* Moves the time; nothing was due before. */
void vcs_grid_units_advance(vcs_grid_server *s, double until);

#endif
