/*
 * The servers, all together.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_SERVERS_H
#define VCS_EMU_GRID_SERVERS_H

#include "vcemu/grid/world.h"

void vcs_grid_servers_open(vcs_grid_world *w);

/* Introduces a host to its servers. */
void vcs_grid_servers_meet(vcs_grid_world *w, uint32_t number);

/* Does all that is due at servers before `now`, in order of time, whoever is called then. */
void vcs_grid_servers_advance(vcs_grid_world *w, double now);

#endif
