/*
 * Two plans of the same state side by side: what another policy would do, and why.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PLAN_COMPARE_H
#define VCEMU_PLAN_COMPARE_H

#include "plan/plan.h"
#include "vcemu/scenario/policy/policy.h"

struct comparison {
    struct plan plans[2];
    char names[2][64]; /* of the policies */
};

/*
 * Makes the plan of a state file under the policy that it was read with, and under another one: `policy` is
 * PROFILE[,PARAMETER=VALUE]..., in place of wish->profile and beside wish->settings. The file is then as the other
 * policy has it, and must outlive the plans. Returns false with a fault. Call comparison_free() in either case.
 */
bool comparison_make(struct comparison *comparison, struct state_file *file, const struct policy_wish *wish,
                     const char *policy, struct fault *fault);

void comparison_free(struct comparison *comparison);

void comparison_print_json(const struct comparison *comparison, FILE *out);

/* For people: all tasks, or those on which the policies differ. Returns false if memory is short. */
bool comparison_print_text(const struct comparison *comparison, const struct screen *screen, bool all_tasks);

#endif
