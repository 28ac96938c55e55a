/*
 * What fits into what is free, and on the empty host.
 *
 * Rule 5.4; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_MAY_RUN_H
#define VCS_SCHEDULE_MAY_RUN_H

#include "schedule/selection.h"

/* The largest use that fits into what is free, units. A use of 0 always fits. */
static inline int64_t vcs_largest_fit(const vcs_state *state, int64_t free) {
    if (state->parameters.cpu_fit == VCS_CPU_FIT_ANY) {
        return free >= VCS_LEAST_FREE ? INT64_MAX : 0;
    }
    return vcs_max_i64(free, 0);
}

/* What a task uses of its own resource, units. */
static inline int64_t vcs_own_use(const vcs_prepared_task *task) {
    return task->resource == 0 ? task->cpu_units : task->gpu_units;
}

/* The instances that a project may use. */
static inline uint64_t vcs_allowed_to(const vcs_state *state, uint32_t project, uint32_t resource) {
    return ~vcs_project_resources(state)[(size_t)project * state->resource_count + resource].excluded;
}

/* Whether a GPU task fits on its GPU type if nothing else is there. */
int vcs_fits_gpu(const vcs_state *state, const vcs_prepared_task *task);

/* Whether a task takes part and could run on this host if it were alone. */
static inline int vcs_may_run(const vcs_selection *selection, const vcs_prepared_task *task) {
    return task->can_start && task->ram <= selection->ram && task->cpu_units <= selection->most_cpus &&
           (task->resource == 0 || vcs_fits_gpu(selection->state, task));
}

/*
 * Whether a resource need not be offered to anyone any more, because all instances are in use. With reasons, a waiting
 * task must also have nothing else in its way: then the reason it began with is right.
 */
static inline int vcs_is_used_up(const vcs_selection *selection, uint32_t resource) {
    const vcs_selection_resource *of = &selection->resources[resource];
    const uint32_t reasons_differ = selection->explains & (of->has_late | selection->has_limits);
    return of->largest_fit == 0 && !selection->has_free_riders && !reasons_differ;
}

/* Confines the projects that compete for a resource to the instances that they may use. */
void vcs_confine_projects(vcs_selection *selection, uint32_t resource);

#endif
