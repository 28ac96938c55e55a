/*
 * The figures of merit of a grid by name, as means over seeds: those of a project, of all hosts, and of a population.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_FIGURES_GRID_FIGURES_H
#define VCS_EMU_SWEEP_FIGURES_GRID_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "vcemu/sweep/figures/grid_emulation.h"
#include "vcemu/sweep/figures/sweep_sample.h"

/* What a figure is of: a project, the hosts all together, or a population. */
enum grid_figure_of { FIGURE_OF_PROJECT, FIGURE_OF_GRID, FIGURE_OF_POPULATION, FIGURE_KINDS };

struct grid_figure {
    const char *group; /* the object of JSON that it is in; NULL = none */
    const char *name;

    /* Its value in a run, of the project or population of this index; NaN if it is undefined there. */
    double (*value)(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                    uint32_t index);
    size_t offset; /* for some of these */
};

/* All figures of a kind, in the order in which they are shown; those of a group follow each other. */
const struct grid_figure *vcs_swp_grid_figures(enum grid_figure_of kind, size_t *count);

/* Is it defined in every run? */
bool vcs_swp_grid_figure_is_certain(const struct grid_figure *figure);

/* One of them, which exists. */
const struct grid_figure *vcs_swp_grid_figure(enum grid_figure_of kind, const char *group, const char *name);

/* Over the runs in which it is defined. */
struct sweep_mean vcs_swp_grid_figure_mean(const struct grid_figure *figure, const struct grid_emulated *emulated,
                                           uint32_t index);

#endif
