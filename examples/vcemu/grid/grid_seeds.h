/*
 * All seeds of a grid, emulated by several workers at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_GRID_GRID_SEEDS_H
#define VCEMU_GRID_GRID_SEEDS_H

#include "vcemu/sweep/figures/grid_emulation.h"

/* What `vcemu grid` is told. */
struct grid_options {
    uint32_t seeds;      /* number of seeds, from the seed of the scenario on */
    uint32_t workers;    /* emulations at a time; 0 = as many as there are processors */
    double every;        /* s between two samples; 0 = a hundredth of the duration */
    const char *trace;   /* file for events, of one seed alone; NULL = none */
    uint32_t trace_host; /* host to trace; VCS_NONE = all events */
    bool bounds;         /* compare hosts with their bounds */
    bool hosts;          /* keep the outcome of each host */
};

/*
 * Emulates with all seeds. Returns false with a fault on failure or if interrupted. Call grid_emulated_free() in any
 * case; the finished runs can be used.
 */
bool grid_emulated_run(struct grid_emulated *emulated, const struct state_file *file,
                       const struct grid_options *options, struct fault *fault);

void grid_emulated_free(struct grid_emulated *emulated);

const vcs_grid_sample *grid_sample_at(const struct grid_emulated *emulated, uint32_t run, uint32_t project,
                                      uint32_t index);

#endif
