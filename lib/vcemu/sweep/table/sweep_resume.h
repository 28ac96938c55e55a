/*
 * What a file has of a sweep that was begun before.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_TABLE_SWEEP_RESUME_H
#define VCS_EMU_SWEEP_TABLE_SWEEP_RESUME_H

#include <stdbool.h>

#include "vcemu/sweep/table/sweep_rows.h"

struct sweep_progress {
    uint64_t rows;  /* whole rows */
    uint64_t bytes; /* how long they are, with the header; what follows is a row that was torn */
};

/*
 * Reads the file from its beginning. Returns false and describes why it is not one that this sweep could have left;
 * `name` is how the message calls it.
 */
bool vcs_swp_resume(FILE *stream, const char *name, const struct sweep_table *table, struct sweep_progress *progress,
                    struct fault *fault);

#endif
