/*
 * What a host of a grid has lost, beside what it would have lost at least.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_HOST_BOUND_H
#define VCS_EMU_GRID_HOST_BOUND_H

#include "vcemu/grid/host_class.h"

/* Fills `lost` and `least_loss` of a host whose accounts are closed. */
void vcs_grid_compare_host(vcs_grid_world *w, const vcs_emu_emulator *e, vcs_grid_host_outcome *row);

#endif
