/*
 * Figures of the runs of a sweep. Of a host: the fields of vcs_outcome under their names and in their order; on request
 * fields of vcs_project_outcome and vcs_resource_outcome, as project.NAME.FIELD and resource.NAME.FIELD. Of a grid: the
 * figures of grid_figures.h for all hosts, and as project.NAME.FIGURE for each project; on request as
 * population.NAME.FIGURE. What was lost beyond the bound of rule 15.9 takes time to find, so it is there only on
 * request.
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

enum sweep_of {
    SWEEP_OF_HOST,
    SWEEP_OF_PROJECT,
    SWEEP_OF_RESOURCE,
    SWEEP_OF_GRID, /* from here on: of a grid */
    SWEEP_OF_GRID_PROJECT,
    SWEEP_OF_POPULATION
};

/* What was lost of the processor time used, what would have been at least, and the difference. */
enum sweep_comparison { SWEEP_NOT_COMPARED, SWEEP_LOST, SWEEP_LEAST_LOSS, SWEEP_BEYOND_BOUND };

struct sweep_figure {
    char *name;
    enum sweep_of of;
    char *owner;        /* name of the part; NULL = each part, until vcs_swp_figures_bind() */
    uint32_t index;     /* which part */
    uint32_t offset;    /* of the field in its record */
    bool whole;         /* a uint64_t, not a double */
    uint32_t undefined; /* flag of an outcome without this value */
    bool optional;      /* a run may lack it */
    enum sweep_comparison compared; /* with the bound: of a host, without a field */
    const struct grid_figure *grid; /* of a grid; NULL = of a host, by the four fields above */
};

struct sweep_figures {
    struct sweep_figure *list;
    size_t count;
    bool of_parts; /* some figure is of a project, resource or population */
    bool compared; /* some figure is compared with the bound */
    bool bound;    /* vcs_swp_figures_bind() has been called */
};

/* Outcomes of an emulation, as far as figures need them. */
struct sweep_outcomes {
    vcs_outcome host;
    vcs_project_outcome *projects;
    vcs_resource_outcome *resources;
    double lost, least;               /* of the processor time used, and at least; NaN = unknown */
    const struct grid_emulated *grid; /* of a grid, with one run */
};

/*
 * Chooses the figures in `names`, "waste,project.P.late", in this order; NULL = all figures of the host, or of the grid
 * and its projects. Returns false and describes the fault. Either way, vcs_swp_figures_free() is due.
 */
bool vcs_swp_figures_choose(struct sweep_figures *figures, const char *names, bool of_grid, struct fault *fault);

/*
 * Finds the named parts in a scenario; the first call turns a figure of all parts into one for each. To be called for
 * each scenario of the sweep. Returns false and describes the fault.
 */
bool vcs_swp_figures_bind(struct sweep_figures *figures, const struct state_file *file, struct fault *fault);

void vcs_swp_figures_free(struct sweep_figures *figures);

/* Index of the figure of this name, of `length` bytes; `count` if there is none. */
size_t vcs_swp_figures_find(const struct sweep_figures *figures, const char *name, size_t length);

/* The figure of a run; NaN if it is undefined. */
double vcs_swp_figure_of(const struct sweep_figure *figure, const struct sweep_outcomes *outcomes);

#endif
