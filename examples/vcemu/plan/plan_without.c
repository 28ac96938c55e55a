/* SPDX-License-Identifier: MIT */
#include "plan/plan_without.h"

#include <stdlib.h>
#include <string.h>

bool plan_without_make(struct plan_without *without, const struct plan *plan, plan_leaves_out *leaves_out,
                       const void *context) {
    const size_t count = plan->file->counts[STATE_TASK];
    struct fault fault;
    memset(&without->plan, 0, sizeof without->plan);
    without->file = *plan->file;
    without->file.tasks = malloc(count * sizeof *without->file.tasks);
    if (without->file.tasks == NULL) {
        return false;
    }
    memcpy(without->file.tasks, plan->file->tasks, count * sizeof *without->file.tasks);
    for (uint32_t i = 0; i < count; i++) {
        without->file.tasks[i].flags |= leaves_out(plan, i, context) ? VCS_TASK_SUSPENDED : 0;
    }
    return plan_make(&without->plan, &without->file, &fault);
}

void plan_without_free(struct plan_without *without) {
    plan_free(&without->plan);
    free(without->file.tasks);
}
