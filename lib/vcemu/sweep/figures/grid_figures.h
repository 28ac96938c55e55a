/*
 * Figures of merit of a grid by name: of a project, of all hosts, and of a population.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_FIGURES_GRID_FIGURES_H
#define VCS_EMU_SWEEP_FIGURES_GRID_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "vcemu/sweep/figures/grid_emulation.h"
#include "vcemu/sweep/figures/sweep_sample.h"

enum grid_figure_of { FIGURE_OF_PROJECT, FIGURE_OF_GRID, FIGURE_OF_POPULATION, FIGURE_KINDS };

/* How a figure follows from a field of the outcome of its project, grid or population. */
enum grid_rule {
    GRID_COUNT,  /* the field, a uint64_t */
    GRID_NUMBER, /* the field, a double */
    GRID_PER_SECOND,
    GRID_THROUGHPUT, /* units a day, until a batch is done; the last rule that is always defined */

    GRID_NUMBER_OF_DONE,  /* undefined unless a unit is done, */
    GRID_NUMBER_OF_BATCH, /* unless all units of a batch have ended, */
    GRID_NUMBER_BY_REPLY, /* or with dispatch by deadline */
    GRID_COUNT_BY_REPLY,
    GRID_COPIES_PER_UNIT,
    GRID_WRONG_FRACTION,
    GRID_PART_OF_OPERATIONS,
    GRID_CALLS_PER_RESULT,
    GRID_IDLENESS_OF_ALL, /* of the time of the processors while their hosts were on */
    GRID_MEAN_OF_HOSTS,
    GRID_LOST, /* this and the two below: compared with the bound, where that is wanted and there is one */
    GRID_LEAST_LOSS,
    GRID_BEYOND_BOUND,
    GRID_MEAN_FRACTION, /* this and the rules below: the field is a grid_fractions */
    GRID_P5,
    GRID_P50,
    GRID_P95
};

struct grid_figure {
    const char *group; /* the object of JSON that it is in; NULL = none */
    const char *name;
    enum grid_rule rule;
    enum grid_figure_of of;
    size_t offset; /* of the field in its record */
};

/* All figures of a kind, in the order in which they are shown; a group stays together. */
const struct grid_figure *vcs_swp_grid_figures(enum grid_figure_of kind, size_t *count);

/* Is it defined in every run? */
bool vcs_swp_grid_figure_is_certain(const struct grid_figure *figure);

/* Does it need bounds (struct grid_emulated)? */
bool vcs_swp_grid_figure_is_compared(const struct grid_figure *figure);

/* The figure of this name, which must exist. */
const struct grid_figure *vcs_swp_grid_figure(enum grid_figure_of kind, const char *group, const char *name);

/* The value in a run, for the project or population `index`; NaN if it is undefined. */
double vcs_swp_grid_figure_value(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                                 uint32_t index);

/* The mean over the runs in which the figure is defined. */
struct sweep_mean vcs_swp_grid_figure_mean(const struct grid_figure *figure, const struct grid_emulated *emulated,
                                           uint32_t index);

#endif
