/*
 * The rows of a sweep as CSV. doc/vcemu.md says what the columns are.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_SWEEP_CSV_H
#define VCEMU_SWEEP_CSV_H

#include <stdint.h>
#include <stdio.h>

#include "state_file.h"
#include "sweep_mean.h"
#include "sweep_plan.h"

/* What the rows of a sweep have in common. */
struct sweep_table {
    const struct sweep_plan *plan;
    uint64_t first_seed; /* that of the scenario */
    char mark[24];       /* last column: stands for scenario, policy and version, and differs where they do */
};

struct sweep_table sweep_table_of(const struct sweep_plan *plan, const struct state_file *file,
                                  const struct policy_wish *wish);

void sweep_csv_header(FILE *out, const struct sweep_table *table);

/* What stands before the figures in row number `row` of the whole sweep: the same whatever they are. */
void sweep_csv_beginning(FILE *out, const struct sweep_table *table, uint64_t row);

/* The figures of a row of means, one for each figure of the plan, or of a single run. */
void sweep_csv_means(FILE *out, const struct sweep_table *table, const struct sweep_mean *means);
void sweep_csv_run(FILE *out, const struct sweep_table *table, const vcs_outcome *outcome);

/* What stands behind the figures in each row, its end included. */
void sweep_csv_end(FILE *out, const struct sweep_table *table);

#endif
