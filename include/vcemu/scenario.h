/*
 * scenario.h
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_SCENARIO_H
#define VCEMU_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vcemu/emulator.h>
#include <vcemu/grid.h>

/*
 * ---- section ----
 *
 * Scenario files for other programs in C: from a file as `vcemu run` takes it to what vcs_emulate() takes.
 *
 * Link libvcemu_reader, or with Meson depend on vcemu_reader_dep. doc/vcemu.md says more; an example is
 * examples/c/fetch_study.c.
 */

/* What the options of `vcemu run` say. All zero: nothing, all is as in the file. */
struct vcemu_options {
    const char *profile;         /* --profile; NULL = as in the file */
    const char *const *settings; /* each "parameter=value", as given to --set */
    size_t setting_count;
    double days;   /* --days; 0 = as long as the file says */
    bool has_seed; /* --seed, rather than that of the file */
    uint32_t seed;
};

struct vcemu_scenario;

/* Bytes that hold any message. */
#define VCEMU_MESSAGE_SIZE 1024

/*
 * Reads the scenario file `path`, or standard input for "-". `options` may be NULL. Returns NULL if something is wrong,
 * and writes what as one line, "FILE:LINE: [section] key: ..."; else vcemu_scenario_free() is due, and the message is
 * what was taken for granted, or "". On a terminal, a file that takes long to read shows a bar. Thread-safe.
 */
VCS_API struct vcemu_scenario *vcemu_scenario_read(const char *path, const struct vcemu_options *options,
                                           char message[VCEMU_MESSAGE_SIZE]);

/* NULL is allowed. */
VCS_API void vcemu_scenario_free(struct vcemu_scenario *scenario);

/*
 * The scenario and the policy for vcs_emulate(). They belong to the scenario. The parameters are a copy in which
 * anything may be changed; so may the emulation, which holds duration and seed.
 */
VCS_API const vcs_scenario *vcemu_scenario_records(const struct vcemu_scenario *scenario);
VCS_API vcs_parameters vcemu_scenario_parameters(const struct vcemu_scenario *scenario);
VCS_API vcs_emulation *vcemu_scenario_emulation(struct vcemu_scenario *scenario);

/* Names: of the project with this index, and of the resource, of which 0 is "CPU". */
VCS_API const char *vcemu_scenario_project(const struct vcemu_scenario *scenario, uint32_t project);
VCS_API const char *vcemu_scenario_resource(const struct vcemu_scenario *scenario, uint32_t resource);

/* What vcs_emulate() refused, by file, line and key. */
VCS_API void vcemu_scenario_explain(const struct vcemu_scenario *scenario, const vcs_error *error,
                            char message[VCEMU_MESSAGE_SIZE]);

/*
 * ---- section ----
 *
 * Scenario files of grids for other programs in C: from a file as `vcemu grid` takes it to what vcs_emulate_grid()
 * takes.
 *
 * Link libvcemu_reader, or with Meson depend on vcemu_reader_dep. doc/grid.md says more; an example is
 * examples/c/grid_policy.c.
 */

struct vcemu_grid;

/*
 * Reads the scenario file `path`, or standard input for "-", with the tables of hosts that it names. `options` are
 * those of `vcemu grid` and may be NULL. Returns NULL if something is wrong, and writes what as one line,
 * "FILE:LINE: [section] key: ..."; else vcemu_grid_free() is due, and the message is what was taken for granted, or "".
 * On a terminal, a file that takes long to read shows a bar. Thread-safe.
 */
VCS_API struct vcemu_grid *vcemu_grid_read(const char *path, const struct vcemu_options *options,
                                   char message[VCEMU_MESSAGE_SIZE]);

/* NULL is allowed. */
VCS_API void vcemu_grid_free(struct vcemu_grid *grid);

/*
 * The grid for vcs_emulate_grid(). It belongs to what was read. The terms, which hold duration, seed and how often a
 * sample is taken (at first never), may be changed, and so may the functions of each class of hosts, of which there is
 * one for each [population]: vcs_host_class.hooks. The hooks of a class must live as long as they are called.
 */
VCS_API const vcs_grid *vcemu_grid_records(const struct vcemu_grid *grid);
VCS_API vcs_grid_terms *vcemu_grid_terms(struct vcemu_grid *grid);
VCS_API vcs_host_class *vcemu_grid_class(struct vcemu_grid *grid, uint32_t population);

/* How many hosts there are at most, as far as that is sure: room for vcs_grid_results.hosts. */
VCS_API uint64_t vcemu_grid_most_hosts(const struct vcemu_grid *grid);

/* Names: of the project, and of the population, with this index. */
VCS_API const char *vcemu_grid_project(const struct vcemu_grid *grid, uint32_t project);
VCS_API const char *vcemu_grid_population(const struct vcemu_grid *grid, uint32_t population);

/* What vcs_emulate_grid() refused, by file, line and key. */
VCS_API void vcemu_grid_explain(const struct vcemu_grid *grid, const vcs_error *error, char message[VCEMU_MESSAGE_SIZE]);

#endif
