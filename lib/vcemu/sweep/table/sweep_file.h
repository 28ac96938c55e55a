/*
 * The file of a sweep: rows of an earlier one, and new rows.
 *
 * It has whole rows, in order, at any time, so that an interrupted sweep can continue. A row that was torn when the
 * machine or the disk failed is dropped.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_TABLE_SWEEP_FILE_H
#define VCS_EMU_SWEEP_TABLE_SWEEP_FILE_H

#include <stdbool.h>

#include "vcemu/sweep/table/sweep_rows.h"
#include "vcemu/sweep/table/text.h"

struct sweep_file {
    const char *name; /* as messages name it */
    FILE *stream;     /* NULL = no table; only read, since writing goes past its buffer */
    struct text row;  /* the next row */
    uint64_t bytes;   /* size of the whole rows */
    uint64_t rows;    /* rows that the file had */
};

/*
 * Opens the file of the plan, the standard output, or nothing. The file must be new or of the same sweep, unless it is
 * to be overwritten. Returns false and describes the fault. Either way, vcs_swp_file_close() is due.
 */
bool vcs_swp_file_open(struct sweep_file *file, const struct sweep_table *table, struct fault *fault);

/* Writes file->row. Returns false and describes the fault; earlier rows stay. */
bool vcs_swp_file_write(struct sweep_file *file, struct fault *fault);

/* Is it a regular file, which keeps its rows? */
bool vcs_swp_file_is_regular(const struct sweep_file *file);

/* Returns false and describes the fault unless everything has been written. */
bool vcs_swp_file_close(struct sweep_file *file, struct fault *fault);

#endif
