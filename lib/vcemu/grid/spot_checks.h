/*
 * Spot checks: jobs with a result that is known already.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_SPOT_CHECKS_H
#define VCS_EMU_GRID_SPOT_CHECKS_H

#include "vcemu/grid/grid_server.h"

/* vcs_emu_origin.copy of a spot check */
#define VCS_GRID_SPOT_CHECK UINT64_MAX

/* Draws whether the next job of a host is a spot check; if so, offers it. */
bool vcs_grid_spot_check_next(vcs_grid_server *s, uint32_t host, double *flops, vcs_emu_origin *origin);

/* Undoes the draw: there was no next job. */
void vcs_grid_spot_check_undo(vcs_grid_server *s, uint32_t host);

void vcs_grid_spot_check_report(vcs_grid_server *s, uint32_t host, const vcs_emu_result *result);

#endif
