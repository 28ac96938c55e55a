/*
 * The file that a sweep writes: what is in it already, and what comes to it.
 *
 * It holds whole rows, in order, at any time, so that a sweep that was broken off can go on from there. A row that was
 * torn, because the machine or the disk failed, is dropped then.
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
    FILE *stream;     /* NULL = nothing is written; only read from; what is written goes past it */
    struct text row;  /* where the next row is put together */
    uint64_t bytes;   /* how long the whole rows are */
    uint64_t rows;    /* how many the file had */
};

/*
 * Opens the file of the plan, the standard output, or nothing. The file must be new or of the same sweep, unless it is
 * to be overwritten. Returns false and describes the fault. Either way, vcs_swp_file_close() is due.
 */
bool vcs_swp_file_open(struct sweep_file *file, const struct sweep_table *table, struct fault *fault);

/* Writes what has been put together in file->row. Returns false and describes what is wrong; the rows before stay. */
bool vcs_swp_file_write(struct sweep_file *file, struct fault *fault);

/* Is it a file on a disk, in which what was written stays? */
bool vcs_swp_file_is_regular(const struct sweep_file *file);

/* Returns false and describes what is wrong if what was written has not come to the disk. */
bool vcs_swp_file_close(struct sweep_file *file, struct fault *fault);

#endif
