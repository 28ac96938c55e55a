/*
 * Which candidates of a state file may join its tasks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PLAN_ADMIT_H
#define VCEMU_PLAN_ADMIT_H

#include <stdbool.h>
#include <stdio.h>

#include <vcsched/simulation.h>

#include "text/screen.h"
#include "vcemu/scenario/state/state_file.h"
#include "vcemu/scenario/text/fault.h"

struct admissions {
    const struct state_file *file;
    vcs_admission *answers; /* per candidate */
};

/*
 * Decides on the candidates in file order; an admitted candidate counts as a task for the next ones. The state file
 * must outlive the answers. Returns false with a fault if the library refuses the state. Call admissions_free() in
 * either case.
 */
bool admissions_decide(struct admissions *admissions, const struct state_file *file, struct fault *fault);

void admissions_free(struct admissions *admissions);

/* Writes the answers as JSON. */
void admissions_print_json(const struct admissions *admissions, FILE *out);

/* Writes the answers for people. */
void admissions_print_text(const struct admissions *admissions, const struct screen *screen);

#endif
