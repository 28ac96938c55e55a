/*
 * The outcome of a grid as a page for a browser: one HTML file that needs nothing else.
 *
 * The page is report.html with its data as JSON.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_GRID_REPORT_H
#define VCEMU_GRID_REPORT_H

#include <stdbool.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/sweep/figures/grid_emulation.h"
#include "text/json.h"

/* Writes the page to the file `path`, replacing the file. Returns false with a fault if it cannot be written. */
bool report_write(const struct grid_emulated *emulated, const char *path, struct fault *fault);

/* ---- report_assumed.c ---- */

/* Writes `assumptions`, sentences true of every grid, and `sections`, the scenario's values in use. */
void report_assumptions(struct json *json, const struct grid_emulated *emulated);

#endif
