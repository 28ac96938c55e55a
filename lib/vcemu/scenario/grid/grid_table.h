/*
 * A table of hosts: a file with one line per kind of host, with the number of such hosts and their properties.
 *
 * Tabs, commas or semicolons separate the columns. The first line names them, or the caller does.
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
    uint32_t skipped_lines; /* lines to skip before the table */
    double cpus;            /* of a host without CPUs in its row; 0 = unknown */
};

/* The names that columns may have. */
#define GRID_TABLE_COLUMNS "count cpus flops gflops host_flops host_gflops available ram -"

/*
 * Reads the file `path`, which is named at `named`. Returns false and describes the fault by its line. Either way,
 * vcs_scn_grid_table_free() is due.
 */
bool vcs_scn_grid_table_read(struct grid_table *table, const char *path, const struct grid_table_form *form,
                             const struct place *named, struct fault *fault);

void vcs_scn_grid_table_free(struct grid_table *table);

#endif
