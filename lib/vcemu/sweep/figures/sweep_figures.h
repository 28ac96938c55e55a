/*
 * The figures that a sweep tells of its runs: the fields of vcs_outcome, each under its name there, and in that order;
 * and on request those of vcs_project_outcome and vcs_resource_outcome, as project.NAME.FIELD and resource.NAME.FIELD.
 * Of a grid, those of grid_figures.h: of all its hosts, as project.NAME.FIGURE of each project, and on request as
 * population.NAME.FIGURE.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_FIGURES_SWEEP_FIGURES_H
#define VCS_EMU_SWEEP_FIGURES_SWEEP_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vcemu/emulator.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/sweep/figures/grid_figures.h"
#include "vcemu/scenario/state/state_file.h"

/* Of what a figure is. */
enum sweep_of {
    SWEEP_OF_HOST,
    SWEEP_OF_PROJECT,
    SWEEP_OF_RESOURCE,
    SWEEP_OF_GRID, /* this and those below: of a scenario of `grid` */
    SWEEP_OF_GRID_PROJECT,
    SWEEP_OF_POPULATION
};

struct sweep_figure {
    char *name;
    enum sweep_of of;
    char *owner;        /* name of the part that it is of; NULL = of all of them, until vcs_swp_figures_bind() */
    uint32_t index;     /* which part */
    uint32_t offset;    /* of the field in its record */
    bool whole;         /* a uint64_t, not a double */
    uint32_t undefined; /* the flag that says that it has no value */
    bool optional;      /* it may have none */
    const struct grid_figure *grid; /* of a grid; NULL = of a host, as the four lines above say */
};

struct sweep_figures {
    struct sweep_figure *list;
    size_t count;
    bool of_parts; /* there is one of a part: a project, resource or population */
    bool bound;    /* vcs_swp_figures_bind() has been called */
};

/* What came of an emulation, as far as figures are wanted. */
struct sweep_outcomes {
    vcs_outcome host;
    vcs_project_outcome *projects;
    vcs_resource_outcome *resources;
    const struct grid_emulated *grid; /* with one run, instead of these */
};

/*
 * Those that are named, "waste,project.P.late", in this order; NULL = all of the host, or all of the grid and its
 * projects. Returns false and describes what is wrong. In both cases vcs_swp_figures_free() is due.
 */
bool vcs_swp_figures_choose(struct sweep_figures *figures, const char *names, bool of_grid, struct fault *fault);

/*
 * Finds the parts that are named in a scenario; at the first call those of all become one for each.
 * To be called for each scenario of the sweep. Returns false and describes what is wrong.
 */
bool vcs_swp_figures_bind(struct sweep_figures *figures, const struct state_file *file, struct fault *fault);

void vcs_swp_figures_free(struct sweep_figures *figures);

/* The number of the figure of this name, of `length` bytes; `count` if there is none. */
size_t vcs_swp_figures_find(const struct sweep_figures *figures, const char *name, size_t length);

/* The figure of a run; NaN if it has none. */
double vcs_swp_figure_of(const struct sweep_figure *figure, const struct sweep_outcomes *outcomes);

#endif
