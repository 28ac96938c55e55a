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

/* What all rows share. */
struct sweep_table {
    const struct sweep_plan *plan;
    const struct state_file *scenarios; /* one for each file of the plan */
    char mark[24];                      /* last column: differs where scenario, policy or version differ */
};

struct sweep_table vcs_swp_table_of(const struct sweep_plan *plan, const struct state_file *scenarios,
                                    const struct policy_wish *wish);

/* The seed of a run of the whole sweep. Each host has its own seeds, the same at each point. */
uint64_t vcs_swp_table_seed(const struct sweep_table *table, uint64_t run);

void vcs_swp_rows_header(FILE *out, const struct sweep_table *table);

/* The cells of a row before its figures. */
void vcs_swp_rows_beginning(FILE *out, const struct sweep_table *table, uint64_t row);

/* The number of these cells, and the heading of one. */
size_t vcs_swp_rows_beginning_cells(const struct sweep_table *table);
const char *vcs_swp_rows_heading(const struct sweep_table *table, size_t cell);

/* The figures of a row: samples of all its runs, or values of a single run. */
void vcs_swp_rows_samples(FILE *out, const struct sweep_table *table, struct sweep_sample *samples);
void vcs_swp_rows_values(FILE *out, const struct sweep_table *table, const double *values);

/* The end of each row, behind its figures. */
void vcs_swp_rows_end(FILE *out, const struct sweep_table *table);

#endif
