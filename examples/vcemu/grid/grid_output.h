/*
 * The outcome of a grid as text, JSON and CSV.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_GRID_GRID_OUTPUT_H
#define VCEMU_GRID_GRID_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "text/screen.h"
#include "vcemu/sweep/figures/grid_emulation.h"
#include "vcemu/sweep/figures/grid_figures.h"
#include "text/json.h"

/* Returns false if memory is short. */
bool grid_print_text(const struct grid_emulated *emulated, const struct screen *screen);

void grid_print_json(const struct grid_emulated *emulated, FILE *out);

/* Writes all figures of a kind into the open object, each by `write`; a group is an object within. */
void grid_json_figures(struct json *json, const struct grid_emulated *emulated, enum grid_figure_of kind,
                       uint32_t index,
                       void (*write)(struct json *json, const char *key, const struct sweep_mean *mean));

/* The array "seeds". */
void grid_json_seeds(struct json *json, const struct grid_emulated *emulated);

/* One line for each sample of each project, with means over the seeds and their standard errors. */
void grid_print_csv(const struct grid_emulated *emulated, FILE *out);

#endif
