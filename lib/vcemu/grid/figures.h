/*
 * The figures of merit of a grid.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_FIGURES_H
#define VCS_EMU_GRID_FIGURES_H

#include "vcemu/grid/grid_server.h"

void vcs_grid_copy_sent(vcs_grid_server *s, double now);
void vcs_grid_copy_over(vcs_grid_server *s, double now, double sent);

/* Counts a unit at its end, or when the emulation ends; `took` is its turnaround, if it is done. */
void vcs_grid_unit_end(vcs_grid_server *s, bool is_done, bool is_failed, bool is_wrong, double took);

/* Adds the final state of a unit by deadline and its copies to the outcome. */
void vcs_grid_unit_count(vcs_grid_server *s, const vcs_grid_unit *unit);

/* Notes that a unit is done, or no longer is. */
void vcs_grid_unit_done(vcs_grid_server *s, double now, bool is_done);

/* Makes the samples that are due before a time. */
void vcs_grid_sample_until(vcs_grid_world *w, double until);

void vcs_grid_server_close(vcs_grid_server *s);

/* Hands the outcome to the caller. */
void vcs_grid_hand_out(const vcs_grid_world *w, const vcs_grid_results *results);

#endif
