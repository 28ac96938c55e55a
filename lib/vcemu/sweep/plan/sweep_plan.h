/*
 * The plan of a sweep.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_PLAN_SWEEP_PLAN_H
#define VCS_EMU_SWEEP_PLAN_SWEEP_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "vcemu/scenario/policy/policy.h"
#include "vcemu/sweep/figures/sweep_figures.h"
#include "vcemu/sweep/points/sweep_grid.h"
#include "vcemu/sweep/figures/sweep_statistics.h"
#include <vcemu/sweep.h>

#define SWEEP_MOST_WORKERS 1024u

struct sweep_plan {
    const vcs_sweep *sweep; /* as the caller describes it */
    struct sweep_grid grid;
    struct sweep_figures figures;
    struct sweep_statistics statistics;
    uint64_t points_per_row;         /* several if a row is about all hosts */
    size_t shown_axes;               /* the first axes, which have a column */
    uint64_t first_point, end_point; /* the points of this shard, end_point excluded */
    bool has_header;                 /* is it the first shard? */
    uint64_t seeds;                  /* how many for each point */
    const char *output;              /* the file to write; NULL = none, or the standard output */
    bool each_seed;                  /* a row for each seed, not for each point */
    bool json;                       /* each row is an object, on a line of its own */
};

/*
 * Reads a sweep over scenarios of this grammar; `wish` is its policy. Returns false and describes the fault. Either
 * way, vcs_swp_plan_free() is due.
 */
bool vcs_swp_plan_read(struct sweep_plan *plan, const vcs_sweep *sweep, const struct state_grammar *grammar,
                       const struct policy_wish *wish, struct fault *fault);

void vcs_swp_plan_free(struct sweep_plan *plan);

/* Runs of a row. */
uint64_t vcs_swp_runs_per_row(const struct sweep_plan *plan);

/* Does a row combine different hosts? */
bool vcs_swp_plan_has_hosts(const struct sweep_plan *plan);

/* The rows of this shard in the whole sweep, the end excluded. */
uint64_t vcs_swp_first_row(const struct sweep_plan *plan);
uint64_t vcs_swp_end_row(const struct sweep_plan *plan);

#endif
