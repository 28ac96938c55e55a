/*
 * New units: when they come, how large they are, how many copies they get.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_ARRIVALS_H
#define VCS_EMU_GRID_ARRIVALS_H

#include "vcemu/grid/grid_server.h"

/* The quorum under adaptive replication if the first host is not trusted (rule 11.3). */
static inline uint32_t vcs_grid_untrusted_quorum(const vcs_grid_project *project) {
    return project->min_quorum > 2 ? project->min_quorum : 2;
}

/* Draws the size of the next unit or spot check, operations. */
double vcs_grid_draw_size(const vcs_grid_project *project, vcs_emu_stream *sizes);

/* Draws how many hosts compute the next unit if nothing goes wrong, under recomputation (rule 11.2). */
uint32_t vcs_grid_draw_copies(vcs_grid_server *s);

/* Whether one more unit has come by now; if so, counts it. */
bool vcs_grid_unit_comes(vcs_grid_server *s, double *created);

/* When the next unit comes, if units come at a rate; else +infinity. */
double vcs_grid_next_unit(const vcs_grid_server *s);

#endif
