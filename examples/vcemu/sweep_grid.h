/*
 * The points of a sweep: all combinations of the values of its axes. The last axis changes fastest.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_SWEEP_GRID_H
#define VCEMU_SWEEP_GRID_H

#include "sweep_axis.h"

struct sweep_grid {
    struct sweep_axis *axes;
    size_t axis_count;
    uint64_t point_count; /* 1 without axes */
};

/* Reads axes, each "KEY=VALUES". Returns false and describes what is wrong. In both cases sweep_grid_free() is due. */
bool sweep_grid_read(struct sweep_grid *grid, const char *const *axes, size_t count,
                     const struct state_grammar *grammar, struct fault *fault);

void sweep_grid_free(struct sweep_grid *grid);

/* The text of the value that axis number `axis` has at the point. That of a number is written to `text`. */
const char *sweep_grid_value(const struct sweep_grid *grid, uint64_t point, size_t axis, char text[SWEEP_NUMBER_SIZE]);

/* Puts before the message what the point is: "host.cpus=2, min_buffer=0: ...". Always returns false. */
bool sweep_grid_fault_at(const struct sweep_grid *grid, uint64_t point, struct fault *fault);

#endif
