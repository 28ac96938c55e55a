/*
 * The points of a sweep: all combinations of the values of its dimensions. The last changes fastest.
 *
 * A dimension is one axis, several that move together, or the columns of a table. The list of scenarios, if there are
 * several, is the first dimension, and the table of hosts the last.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_POINTS_SWEEP_GRID_H
#define VCS_EMU_SWEEP_POINTS_SWEEP_GRID_H

#include <vcemu/sweep.h>

#include "vcemu/sweep/points/sweep_axis.h"
#include "vcemu/sweep/points/sweep_points.h"

struct sweep_dimension {
    size_t first_axis, axis_count;
    uint64_t count;
    uint64_t stride; /* this many points have the same value */
};

struct sweep_grid {
    struct sweep_axis *axes;
    size_t axis_count;
    struct sweep_dimension *dimensions;
    size_t dimension_count;
    uint64_t point_count; /* 1 without axes */
    struct sweep_points *tables;
    size_t table_count;
    uint64_t host_count; /* points that differ in the host alone, one after the other; 1 without a table of hosts */
    size_t host_axis;    /* the first axis of the table of hosts; axis_count without one */
    double *weights;     /* number of each host; NULL without a table of hosts */
    const char **weight_texts; /* as written in the table */
    double weight;             /* their sum */
};

/*
 * Reads the axes of a sweep, and makes an axis of its files if there are several; all texts must last as long as the
 * grid. Returns false and describes the fault. Either way, vcs_swp_grid_free() is due.
 */
bool vcs_swp_grid_read(struct sweep_grid *grid, const vcs_sweep *sweep, const struct state_grammar *grammar,
                       struct fault *fault);

void vcs_swp_grid_free(struct sweep_grid *grid);

/* The text of the value of an axis at the point. A number is written to `text`. */
const char *vcs_swp_grid_value(const struct sweep_grid *grid, uint64_t point, size_t axis,
                               char text[SWEEP_NUMBER_SIZE]);

/* Index of the scenario of the point. */
size_t vcs_swp_grid_file(const struct sweep_grid *grid, uint64_t point);

/* Puts the point before the message, as "host.cpus=2, min_buffer=0: ...". Always returns false. */
bool vcs_swp_grid_fault_at(const struct sweep_grid *grid, uint64_t point, struct fault *fault);

#endif
