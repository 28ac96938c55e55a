/*
 * What the caller describes, checked and copied.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_GRID_INPUT_H
#define VCS_EMU_GRID_GRID_INPUT_H

#include "vcemu/grid/world.h"

/* Checks and copies what the caller describes. */
void vcs_grid_read(vcs_grid_world *w, const vcs_grid *grid, const vcs_grid_hooks *hooks);

/* If the last failure is about a class, makes `error` say so; not if memory was short. */
void vcs_grid_name_class(const vcs_grid_world *w, uint32_t index, vcs_error *error);

#endif
