/*
 * How hosts come and go.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_HOSTS_H
#define VCS_EMU_GRID_HOSTS_H

#include "vcemu/grid/host_class.h"

/* Plans the arrival of the next host, not before `from`: it gets a number, and is in the queue from then on. */
void vcs_grid_host_plan(vcs_grid_world *w, uint32_t class_index, uint32_t index_in_class, double from);

/* The host arrives. */
void vcs_grid_host_open(vcs_grid_world *w, uint32_t number);

/* The host leaves, or the emulation ends. */
void vcs_grid_host_close(vcs_grid_world *w, uint32_t number);

#endif
