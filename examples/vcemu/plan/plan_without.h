/*
 * How the other tasks would fare without some of them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PLAN_PLAN_WITHOUT_H
#define VCEMU_PLAN_PLAN_WITHOUT_H

#include "plan/plan.h"

struct plan_without {
    struct state_file file; /* the same state; the tasks left out are suspended */
    struct plan plan;
};

/* Whether to leave out a task. */
typedef bool plan_leaves_out(const struct plan *plan, uint32_t task, const void *context);

/*
 * Makes the plan of the same state without the tasks that `leaves_out` names. Returns false if memory is short. Call
 * plan_without_free() in either case.
 */
bool plan_without_make(struct plan_without *without, const struct plan *plan, plan_leaves_out *leaves_out,
                       const void *context);

void plan_without_free(struct plan_without *without);

#endif
