/*
 * Scenario files of grids for other programs in C: from a file as `vcemu grid` takes it to what vcs_emulate_grid()
 * takes.
 *
 * Link libvcemu_reader, or with Meson depend on vcemu_reader_dep. doc/grid.md says more; an example is
 * examples/grid_policy.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_GRID_FILE_H
#define VCEMU_GRID_FILE_H

#include <stdint.h>

#include <vcsched/grid.h>

#include "vcemu_scenario.h"

struct vcemu_grid;

/*
 * Reads the scenario file `path`, or standard input for "-", with the tables of hosts that it names. `options` are
 * those of `vcemu grid` and may be NULL. Returns NULL if something is wrong, and writes what as one line,
 * "FILE:LINE: [section] key: ..."; else vcemu_grid_free() is due, and the message is what was taken for granted, or "".
 * On a terminal, a file that takes long to read shows a bar. Thread-safe.
 */
struct vcemu_grid *vcemu_grid_read(const char *path, const struct vcemu_options *options,
                                   char message[VCEMU_MESSAGE_SIZE]);

/* NULL is allowed. */
void vcemu_grid_free(struct vcemu_grid *grid);

/*
 * The grid for vcs_emulate_grid(). It belongs to what was read. The terms, which hold duration, seed and how often a
 * sample is taken (at first never), may be changed, and so may the functions of each class of hosts, of which there is
 * one for each [population]: vcs_host_class.hooks. The hooks of a class must live as long as they are called.
 */
const vcs_grid *vcemu_grid_records(const struct vcemu_grid *grid);
vcs_grid_terms *vcemu_grid_terms(struct vcemu_grid *grid);
vcs_host_class *vcemu_grid_class(struct vcemu_grid *grid, uint32_t population);

/* How many hosts there are at most, as far as that is sure: room for vcs_grid_results.hosts. */
uint64_t vcemu_grid_most_hosts(const struct vcemu_grid *grid);

/* Names: of the project, and of the population, with this index. */
const char *vcemu_grid_project(const struct vcemu_grid *grid, uint32_t project);
const char *vcemu_grid_population(const struct vcemu_grid *grid, uint32_t population);

/* What vcs_emulate_grid() refused, by file, line and key. */
void vcemu_grid_explain(const struct vcemu_grid *grid, const vcs_error *error, char message[VCEMU_MESSAGE_SIZE]);

#endif
