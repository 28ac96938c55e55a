/*
 * The events of a grid as CSV: one line for each event of a server or a host.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_GRID_GRID_TRACE_H
#define VCEMU_GRID_GRID_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include <vcemu/grid.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/state/state_file.h"

struct grid_trace {
    FILE *out;
    const char *path; /* the caller's */
    uint32_t host;    /* VCS_NONE = all hosts */
    const struct state_file *file;
};

/*
 * Begins the file `path`, for the events of a host and its copies or, with VCS_NONE, for all. If it cannot be written,
 * returns false and says why; nothing is to be closed then.
 */
bool grid_trace_open(struct grid_trace *trace, const char *path, uint32_t host, const struct state_file *file,
                     struct fault *fault);

/* Adds an event to a struct grid_trace, unless it is of another host. Write errors are reported on closing. */
int grid_trace_event(void *trace, const vcs_grid_event *event);

/* Returns false and says so if not all of it could be written. */
bool grid_trace_close(struct grid_trace *trace, struct fault *fault);

#endif
