/*
 * Emulations of a grid, each with its own seed, and their outcomes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_FIGURES_GRID_EMULATION_H
#define VCS_EMU_SWEEP_FIGURES_GRID_EMULATION_H

#include <stdbool.h>
#include <stdint.h>

#include <vcemu/grid.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/grid/grid_scenario.h"
#include "vcemu/scenario/state/state_file.h"
#include "vcemu/sweep/workers.h"

/* Bins for fractions of hosts, from 0 to 1. */
#define GRID_FRACTION_BINS 1000u

/* The distribution of a fraction over hosts. */
struct grid_fractions {
    double sum;
    uint64_t count;
    uint64_t bins[GRID_FRACTION_BINS];
};

enum grid_fraction { GRID_IDLENESS, GRID_WASTE, GRID_SHARE_VIOLATION, GRID_FRACTIONS };

/* What hosts that have a bound (rule 15.9) lost, and would have lost at least: sums, in FLOP. */
struct grid_comparison {
    double used, lost, least;
};

/* The hosts of a population. */
struct grid_population_outcome {
    uint64_t hosts, saboteurs, reported, calls;
    uint64_t too_slow;                               /* hosts without a job, since each would have been late */
    double cpus, flops, on;                          /* sums over hosts: CPUs, FLOPS of all CPUs, seconds on */
    struct grid_fractions fractions[GRID_FRACTIONS]; /* of hosts that were on at all */
    struct grid_comparison compared;                 /* all 0 unless bounds are wanted */
};

/* One emulation. */
struct grid_emulation {
    uint64_t seed;
    vcs_grid_outcome total;
    vcs_grid_project_outcome *projects;
    uint64_t *turnarounds;    /* VCS_GRID_BINS of each project */
    vcs_grid_sample *samples; /* sample_room of each project */
    struct grid_population_outcome *populations;
    struct grid_comparison compared; /* of all hosts */
    vcs_grid_host_outcome *hosts; /* NULL = not wanted */
    uint32_t host_count;
};

struct grid_emulated {
    const struct state_file *file;
    const struct grid_scenario *grid;
    struct grid_emulation *runs;
    uint32_t run_count; /* runs done */
    uint32_t run_room;  /* runs wanted */
    bool interrupted;   /* the user ended it before all runs were done */
    bool bounds;        /* hosts are compared with their bounds */
    double sample;      /* s between two samples */
    uint32_t sample_room;
    uint32_t sample_count; /* of each project, in all runs */
};

/* Who is told each event; a number other than VCS_OK ends the emulation. */
struct grid_observer {
    int (*observe)(void *context, const vcs_grid_event *event);
    void *context;
};

/*
 * Emulates once for a worker, with the seed of the run. `observer` may be NULL. Returns false and describes the fault.
 * Either way, vcs_swp_grid_emulation_free() is due.
 */
bool vcs_swp_grid_emulate(struct grid_emulation *run, const struct grid_emulated *emulated, const struct worker *worker,
                          const struct grid_observer *observer, struct fault *fault);

/* Releases the hosts. The outcomes of populations stay. */
void vcs_swp_grid_emulation_forget_hosts(struct grid_emulation *run);

void vcs_swp_grid_emulation_free(struct grid_emulation *run);

/* The quantile of a fraction: `part` of the hosts lie below. NaN without hosts. */
double vcs_swp_grid_fraction_quantile(const struct grid_fractions *fractions, double part);

#endif
