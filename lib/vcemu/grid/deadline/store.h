/*
 * Memory for the unfinished units of a server by deadline.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_DEADLINE_STORE_H
#define VCS_EMU_GRID_DEADLINE_STORE_H

#include "vcemu/grid/grid_server.h"

vcs_grid_unit *vcs_grid_unit_at(const vcs_grid_store *store, uint32_t slot);

/* A new unit without copies; NULL = there is no memory. */
vcs_grid_unit *vcs_grid_unit_new(vcs_grid_server *s);

/* Makes room for `count` copies. Returns whether there is. */
bool vcs_grid_unit_reserve(vcs_grid_server *s, vcs_grid_unit *unit, uint32_t count);

void vcs_grid_unit_free(vcs_grid_server *s, vcs_grid_unit *unit);

#endif
