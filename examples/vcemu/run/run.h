/*
 * An emulation of the host that a state file describes, and its outcome.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_RUN_H
#define VCEMU_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include <vcemu/emulator.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/state/state_file.h"

struct emulated {
    const struct state_file *file;
    vcs_outcome outcome;
    vcs_project_outcome *projects;
    vcs_resource_outcome *resources;
    uint32_t resource_count;
};

/*
 * Emulates, with the policy that is wished. If `trace` is not NULL, all events are written to the file of this name; if
 * `timeline` is not NULL, the page that shows them to that one. Returns false and describes what is wrong. In both
 * cases emulated_free() is due.
 */
bool emulated_run(struct emulated *emulated, const struct state_file *file, const struct policy_wish *wish,
                  const char *trace, const char *timeline, struct fault *fault);

void emulated_free(struct emulated *emulated);

void emulated_print_text(const struct emulated *emulated, FILE *out);

/* A line for each application whose jobs cannot be in time, however soon they run. */
void emulated_print_late_jobs(const struct emulated *emulated, FILE *out);

void emulated_print_json(const struct emulated *emulated, FILE *out);

#endif
