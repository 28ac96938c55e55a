/*
 * An emulation of the host that a state file describes, and its outcome.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_RUN_RUN_H
#define VCEMU_RUN_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include <vcemu/emulator.h>

#include "vcemu/scenario/state/state_file.h"
#include "vcemu/scenario/text/fault.h"

struct emulated {
    const struct state_file *file;
    vcs_outcome outcome;
    vcs_project_outcome *projects;
    vcs_resource_outcome *resources;
    uint32_t resource_count;
    bool compared;      /* with the bound */
    double lost, least; /* if so: lost of the processor time used, and at least; NaN = unknown */
};

/*
 * Emulates with the policy of `wish`. `trace` names a file for all events, `timeline` a file for the page that draws
 * them; either may be NULL. Returns false with a fault on failure. Call emulated_free() in either case.
 */
bool emulated_run(struct emulated *emulated, const struct state_file *file, const struct policy_wish *wish,
                  const char *trace, const char *timeline, struct fault *fault);

/* Compares with what any policy loses at least. Returns false with a fault on failure. */
bool emulated_compare(struct emulated *emulated, struct fault *fault);

void emulated_free(struct emulated *emulated);

void emulated_print_text(const struct emulated *emulated, FILE *out);

/* Prints a line for each application with jobs that are late however soon they run. */
void emulated_print_late_jobs(const struct emulated *emulated, FILE *out);

void emulated_print_json(const struct emulated *emulated, FILE *out);

#endif
