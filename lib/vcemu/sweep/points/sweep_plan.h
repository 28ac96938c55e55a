/*
 * What the command line asks a sweep to do.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_POINTS_SWEEP_PLAN_H
#define VCS_EMU_SWEEP_POINTS_SWEEP_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "vcemu/scenario/policy/policy.h"
#include "vcemu/sweep/table/sweep_figures.h"
#include "vcemu/sweep/points/sweep_grid.h"
#include "vcemu/sweep/table/sweep_statistics.h"
#include <vcemu/sweep.h>

/* The options as they were given; NULL = not given. */
struct sweep_options {
    const char *const *files; /* the scenarios */
    size_t file_count;
    const struct sweep_wanted *wanted; /* --vary, --with, --points and --hosts in their order */
    size_t wanted_count;
    const char *const *histograms;
    size_t histogram_count;
    const char *seeds, *workers, *shard, *figures, *statistics, *output;
    bool each_seed, each_host, json, resume, force;
    int (*receive)(void *context, const vcs_sweep_run *run); /* for the program that calls; NULL = none */
    void *receive_context;
};

struct sweep_plan {
    struct sweep_grid grid;
    struct sweep_figures figures;
    struct sweep_statistics statistics;
    const char *const *files; /* the scenarios */
    size_t file_count;
    uint64_t points_per_row;         /* several if a row is about all hosts */
    size_t shown_axes;               /* the first axes, which have a column */
    uint64_t first_point, end_point; /* the points of this shard; end_point is the first that is not of it */
    bool has_header;                 /* is it the first shard? */
    uint64_t seeds;                  /* how many for each point */
    uint32_t workers;
    const char *output;                                            /* the file to write; NULL = the standard output */
    bool each_seed;                                                /* a row for each seed, not for each point */
    bool json;                                                     /* each row is an object, on a line of its own */
    bool resume;                                                   /* the file must be there already */
    bool force;                                                    /* it is overwritten whatever it is */
    int (*receive)(void *context, const vcs_sweep_run *run);       /* as in the options */
    void *receive_context;
};

/*
 * Reads the options, for scenarios of this grammar. `wish` is what else the command line says about the policy.
 * Returns false and describes what is wrong. In both cases vcs_swp_plan_free() is due; a plan that is all zero need not
 * be freed.
 */
bool vcs_swp_plan_read(struct sweep_plan *plan, const struct sweep_options *options,
                       const struct state_grammar *grammar, const struct policy_wish *wish, struct fault *fault);

void vcs_swp_plan_free(struct sweep_plan *plan);

/* How many runs one row is about. */
uint64_t vcs_swp_runs_per_row(const struct sweep_plan *plan);

/* Are the values of a row those of different hosts? */
bool vcs_swp_plan_has_hosts(const struct sweep_plan *plan);

/* The number of the first row of this shard in the whole sweep, and of the first that is not of it. */
uint64_t vcs_swp_first_row(const struct sweep_plan *plan);
uint64_t vcs_swp_end_row(const struct sweep_plan *plan);

#endif
