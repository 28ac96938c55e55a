/*
 * The rows of a sweep, as CSV or as JSON with an object on each line. doc/vcemu.md says what the columns are.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_TABLE_SWEEP_ROWS_H
#define VCS_EMU_SWEEP_TABLE_SWEEP_ROWS_H

#include <stdint.h>
#include <stdio.h>

#include "vcemu/scenario/state/state_file.h"
#include "vcemu/sweep/plan/sweep_plan.h"

/* What the rows of a sweep have in common. */
struct sweep_table {
    const struct sweep_plan *plan;
    const struct state_file *scenarios; /* one for each file of the plan */
    char mark[24]; /* last column: stands for scenario, policy and version, and differs where they do */
};

struct sweep_table vcs_swp_table_of(const struct sweep_plan *plan, const struct state_file *scenarios,
                                    const struct policy_wish *wish);

/* The seed of this run of the whole sweep. Each host has seeds of its own, the same at each point. */
uint64_t vcs_swp_table_seed(const struct sweep_table *table, uint64_t run);

void vcs_swp_rows_header(FILE *out, const struct sweep_table *table);

/* What stands before the figures in row number `row` of the whole sweep: the same whatever they are. */
void vcs_swp_rows_beginning(FILE *out, const struct sweep_table *table, uint64_t row);

/* How many cells that are, and the heading of one. */
size_t vcs_swp_rows_beginning_cells(const struct sweep_table *table);
const char *vcs_swp_rows_heading(const struct sweep_table *table, size_t cell);

/* The figures of a row: of all its runs, a sample for each figure, or of a single one. */
void vcs_swp_rows_samples(FILE *out, const struct sweep_table *table, struct sweep_sample *samples);
void vcs_swp_rows_values(FILE *out, const struct sweep_table *table, const double *values);

/* What stands behind the figures in each row, its end included. */
void vcs_swp_rows_end(FILE *out, const struct sweep_table *table);

#endif
