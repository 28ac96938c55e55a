/*
 * What the host that a state file describes loses at least, whatever its policy.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_BOUND_BOUND_H
#define VCEMU_BOUND_BOUND_H

#include <stdbool.h>
#include <stdio.h>

#include <vcemu/bound.h>

#include "text/screen.h"
#include "vcemu/scenario/state/state_file.h"
#include "vcemu/scenario/text/fault.h"

struct bound_answer {
    const struct state_file *file;
    uint32_t count;                           /* of projects */
    vcs_project_bound *bounds;                /* of each project */
    vcs_bound_point *points[VCS_BOUND_KINDS]; /* the corners of each curve */
    uint32_t corners[VCS_BOUND_KINDS];
};

/* Finds the bounds and the curves. Returns false with a fault on failure. Call bound_free() in either case. */
bool bound_find(struct bound_answer *answer, const struct state_file *file, struct fault *fault);

void bound_free(struct bound_answer *answer);

/* Returns false if memory was short. */
bool bound_print_text(const struct bound_answer *answer, const struct screen *screen);

void bound_print_json(const struct bound_answer *answer, FILE *out);

void bound_print_csv(const struct bound_answer *answer, FILE *out);

/* Draws the curves as SVG. Returns false with a fault if there is none or it cannot be written. */
bool bound_draw(const struct bound_answer *answer, const char *path, struct fault *fault);

/* Of one project: whether it has losses, one of them, and the name of the reason why it has none; NULL = it has. */
bool bound_is_known(const vcs_project_bound *bound);
double bound_loss(const vcs_project_bound *bound, uint32_t kind);
const char *bound_reason(const vcs_project_bound *bound);

#endif
