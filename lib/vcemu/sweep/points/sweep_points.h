/*
 * A table of points or hosts: a CSV or TSV file with a key at the head of each column.
 *
 * Tabs separate the columns if the first line has one, otherwise commas; a cell may stand in quotes. Empty lines and
 * lines that begin with # are skipped, and so are blanks around a cell.
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

/* Reads the file. Returns false and describes the fault. Either way, vcs_swp_points_free() is due. */
bool vcs_swp_points_read(struct sweep_points *points, const char *path, struct fault *fault);

void vcs_swp_points_free(struct sweep_points *points);

#endif
