/*
 * The servers, as their hosts see them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_SUPPLY_H
#define VCS_EMU_GRID_SUPPLY_H

#include "vcemu/grid/world.h"
#include "vcemu/host/server/grid_servers.h"

#define VCS_GRID_SPOT_CHECK UINT64_MAX /* vcs_emu_origin.copy of a spot check */

/* How long a host takes to transfer `bytes` bytes, s. */
double vcs_grid_transfer_seconds(const vcs_grid_world *w, uint32_t host, double bytes);

extern const vcs_emu_grid_servers vcs_grid_supply;

#endif
