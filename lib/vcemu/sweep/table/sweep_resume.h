/*
 * Rows of an earlier sweep in a file.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_TABLE_SWEEP_RESUME_H
#define VCS_EMU_SWEEP_TABLE_SWEEP_RESUME_H

#include <stdbool.h>

#include "vcemu/sweep/table/sweep_rows.h"

struct sweep_progress {
    uint64_t rows;  /* whole rows */
    uint64_t bytes; /* size with the header; a torn row follows */
};

/*
 * Reads the file from its beginning. Returns false and explains why this sweep cannot have left it; messages call it
 * `name`.
 */
bool vcs_swp_resume(FILE *stream, const char *name, const struct sweep_table *table, struct sweep_progress *progress,
                    struct fault *fault);

#endif
