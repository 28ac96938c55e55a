/*
 * A table of points or hosts: a CSV or TSV file whose first line has a key for each column.
 *
 * The columns are separated by tabs if there is one in the first line, else by commas; a cell may stand in quotes.
 * Empty lines and those that begin with # are skipped. Blanks around a cell do not count.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_POINTS_SWEEP_POINTS_H
#define VCS_EMU_SWEEP_POINTS_SWEEP_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "vcemu/scenario/text/fault.h"

struct sweep_points {
    char *file; /* its name with a colon, as messages begin */
    char *text;
    const char **cells; /* line by line: the headings, then the rows */
    size_t column_count, row_count;
};

/* Reads the file. Returns false and describes what is wrong. In both cases vcs_swp_points_free() is due. */
bool vcs_swp_points_read(struct sweep_points *points, const char *path, struct fault *fault);

void vcs_swp_points_free(struct sweep_points *points);

#endif
