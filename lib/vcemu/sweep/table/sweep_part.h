/*
 * The runs of a row that is not complete yet: in FILE.part, beside the FILE of the rows, one line for each, so that a
 * sweep that is broken off keeps them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_TABLE_SWEEP_PART_H
#define VCS_EMU_SWEEP_TABLE_SWEEP_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "vcemu/sweep/table/sweep_file.h"
#include "vcemu/sweep/table/sweep_rows.h"
#include "vcemu/sweep/table/text.h"

struct sweep_part {
    const struct sweep_table *table;
    char *name;
    int descriptor;    /* -1 = none: rows of one run each, or no file to stand beside */
    char key[24];      /* of the row: its lines begin with it */
    size_t figures;    /* how many values a run has */
    struct text lines; /* where lines are put together */
    uint64_t bytes;    /* how long they are in the file */
};

/* Whether it wants the runs that were kept; returns false to go no further. */
typedef bool (*sweep_part_take)(void *context, const double *values);

/*
 * Opens the part of a table whose file is open, and gives `take` the runs from number `next` on, in order, as far as
 * they were kept. *taken is how many. Returns false and describes what is wrong; in both cases vcs_swp_part_close() is
 * due.
 */
bool vcs_swp_part_open(struct sweep_part *part, const struct sweep_file *file, const struct sweep_table *table,
                       uint64_t next, sweep_part_take take, void *context, uint64_t *taken, struct fault *fault);

/* Keeps a run. Returns false and describes what is wrong. */
bool vcs_swp_part_add(struct sweep_part *part, uint64_t run, const double *values, struct fault *fault);

/* Forgets all: the row is complete, and the next one is of this number. Returns false and describes what is wrong. */
bool vcs_swp_part_next_row(struct sweep_part *part, uint64_t row, struct fault *fault);

/* An empty part disappears. */
void vcs_swp_part_close(struct sweep_part *part);

#endif
