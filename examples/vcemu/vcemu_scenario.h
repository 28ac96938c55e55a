/*
 * Scenario files for other programs in C: from a file as `vcemu run` takes it to what vcs_emulate() takes.
 *
 * Link libvcemu_reader, or with Meson depend on vcemu_reader_dep. doc/vcemu.md says more; an example is
 * examples/fetch_study.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_SCENARIO_FILE_H
#define VCEMU_SCENARIO_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vcsched/emulator.h>

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
struct vcemu_scenario *vcemu_scenario_read(const char *path, const struct vcemu_options *options,
                                           char message[VCEMU_MESSAGE_SIZE]);

/* NULL is allowed. */
void vcemu_scenario_free(struct vcemu_scenario *scenario);

/*
 * The scenario and the policy for vcs_emulate(). They belong to the scenario. The parameters are a copy in which
 * anything may be changed; so may the emulation, which holds duration and seed.
 */
const vcs_scenario *vcemu_scenario_records(const struct vcemu_scenario *scenario);
vcs_parameters vcemu_scenario_parameters(const struct vcemu_scenario *scenario);
vcs_emulation *vcemu_scenario_emulation(struct vcemu_scenario *scenario);

/* Names: of the project with this index, and of the resource, of which 0 is "CPU". */
const char *vcemu_scenario_project(const struct vcemu_scenario *scenario, uint32_t project);
const char *vcemu_scenario_resource(const struct vcemu_scenario *scenario, uint32_t resource);

/* What vcs_emulate() refused, by file, line and key. */
void vcemu_scenario_explain(const struct vcemu_scenario *scenario, const vcs_error *error,
                            char message[VCEMU_MESSAGE_SIZE]);

#endif
