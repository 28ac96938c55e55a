/*
 * What came of a grid as a page for a browser: one HTML file that needs nothing else.
 *
 * The page itself is report.html; its data are written into it as JSON.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_REPORT_H
#define VCEMU_REPORT_H

#include <stdbool.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/sweep/grid_run.h"
#include "vcemu/sweep/table/json.h"

/* Writes the page `path`, in place of what the file contained. If it cannot be written, returns false and says why. */
bool report_write(const struct grid_emulated *emulated, const char *path, struct fault *fault);

/* ---- report_assumed.c ---- */

/* Writes what was assumed: `assumptions`, sentences that hold for every grid, and `sections`, the values in use. */
void report_assumptions(struct json *json, const struct grid_emulated *emulated);

#endif
