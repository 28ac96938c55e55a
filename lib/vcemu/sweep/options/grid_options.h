/*
 * The options of `vcemu grid`, as they are given and as they are meant.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_OPTIONS_GRID_OPTIONS_H
#define VCS_EMU_SWEEP_OPTIONS_GRID_OPTIONS_H

#include <stdbool.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/sweep/grid_run.h"

/* As they are given; NULL = not given. */
struct grid_words {
    const char *seeds, *workers, *every, *trace, *trace_host;
    bool json, csv;
};

/* Returns false and describes what is wrong. */
bool vcs_swp_grid_options_read(struct grid_options *options, const struct grid_words *words, struct fault *fault);

#endif
