/*
 * A table of hosts: a file with one line for each kind of host, how many there are of it, and what they are.
 *
 * Its columns are separated by tabs, commas or semicolons, and named by its first line, or by the one who reads it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_GRID_GRID_TABLE_H
#define VCS_EMU_SCENARIO_GRID_GRID_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <vcemu/grid.h>

#include "vcemu/scenario/text/fault.h"

/* Zero has no rows. */
struct grid_table {
    vcs_host_row *rows;
    uint32_t count;
    size_t capacity;
    double hosts;   /* sum of their weights */
    bool has_cpus;  /* each row says how many CPUs, */
    bool has_flops; /* or how fast they are */
    bool has_off;   /* some row says that its hosts are off for a part of the time */
};

/* How the file is to be read. */
struct grid_table_form {
    const char *columns;    /* names of the columns, with commas between; NULL = the first line has them */
    uint32_t skipped_lines; /* lines before the table that are none of it */
    double cpus;            /* of a host whose row does not say it; 0 = unknown */
};

/* The names that columns may have. */
#define GRID_TABLE_COLUMNS "count cpus flops gflops host_flops host_gflops available ram -"

/*
 * Reads the file `path`; `named` is where that name was given. On an error it returns false, and says which line. In
 * both cases vcs_scn_grid_table_free() is due.
 */
bool vcs_scn_grid_table_read(struct grid_table *table, const char *path, const struct grid_table_form *form,
                             const struct place *named, struct fault *fault);

void vcs_scn_grid_table_free(struct grid_table *table);

#endif
