/*
 * Runs of an incomplete row, so that an interrupted sweep keeps them: FILE.part beside the FILE of the rows, with one
 * line per run.
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
    int descriptor;    /* -1 = none: rows of one run, or no regular file */
    char key[24];      /* of the row; its lines begin with it */
    size_t figures;    /* values of a run */
    struct text lines; /* lines to write */
    uint64_t bytes;    /* size of the useful lines in the file */
};

/* Accepts the values of a kept run; returns false to stop. */
typedef bool (*sweep_part_accept)(void *context, const double *values);

/*
 * Opens the part of a table with an open file, and passes the kept runs from number `next` on to `accept`, in order.
 * Returns false and describes the fault. Either way, vcs_swp_part_close() is due.
 */
bool vcs_swp_part_open(struct sweep_part *part, const struct sweep_file *file, const struct sweep_table *table,
                       uint64_t next, sweep_part_accept accept, void *context, struct fault *fault);

/* Keeps a run. Returns false and describes the fault. */
bool vcs_swp_part_add(struct sweep_part *part, uint64_t run, const double *values, struct fault *fault);

/* Forgets the runs of a complete row; the next row is `row`. Returns false and describes the fault. */
bool vcs_swp_part_next_row(struct sweep_part *part, uint64_t row, struct fault *fault);

/* Closes the file, and removes it if it is empty. */
void vcs_swp_part_close(struct sweep_part *part);

#endif
