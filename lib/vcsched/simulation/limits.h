/*
 * How much of a resource a project could use under limits on concurrent tasks and excluded instances.
 *
 * Rule 4.3; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_LIMITS_H
#define VCS_SIMULATION_LIMITS_H

#include "vcsched/host/prepared.h"

#include <stdbool.h>

/* Whether any project or application has a limit on concurrent tasks. O(projects + applications). */
static inline bool vcs_has_limits(const vcs_state *state) {
    uint32_t limits = 0;
    for (uint32_t p = 0; p < state->project_count; p++) {
        limits |= vcs_projects(state)[p].max_concurrent;
    }
    for (uint32_t a = 0; a < state->app_count; a++) {
        limits |= vcs_apps(state)[a].max_concurrent;
    }
    return limits != 0;
}

/*
 * Finds how many tasks of each project may run at the same time; 0 = any number. That is the project's own limit or, if
 * less, the sum of its applications' limits. The sum counts if all applications are listed and each has a limit.
 */
static inline void vcs_find_project_limits(const vcs_state *state, uint64_t *limits) {
    const vcs_project *projects = vcs_projects(state);
    bool any_listed = false;
    for (uint32_t p = 0; p < state->project_count; p++) {
        const bool is_listed = (projects[p].flags & VCS_PROJECT_APPS_LISTED) != 0;
        limits[p] = is_listed ? 0 : projects[p].max_concurrent;
        any_listed |= is_listed;
    }
    if (!any_listed) {
        return;
    }
    for (uint32_t i = 0; i < state->app_count; i++) {
        const vcs_app *app = &vcs_apps(state)[i];
        uint64_t *limit = &limits[app->project];
        if ((projects[app->project].flags & VCS_PROJECT_APPS_LISTED) != 0) {
            *limit = app->max_concurrent == 0 || *limit == UINT64_MAX ? UINT64_MAX : *limit + app->max_concurrent;
        }
    }
    for (uint32_t p = 0; p < state->project_count; p++) {
        if ((projects[p].flags & VCS_PROJECT_APPS_LISTED) != 0) {
            const uint64_t own = projects[p].max_concurrent == 0 ? UINT64_MAX : projects[p].max_concurrent;
            const uint64_t limit = limits[p] > 0 ? vcs_min_u64(limits[p], own) : own;
            limits[p] = limit < UINT64_MAX ? limit : 0;
        }
    }
}

/* Instances of a resource that a project may use; `excluded` has a bit for each of the others. */
static inline uint32_t vcs_allowed_instances(uint32_t instances, uint64_t excluded) {
    for (; excluded != 0; excluded &= excluded - 1) {
        instances--;
    }
    return instances;
}

/*
 * Units of a resource that a project could use.
 *
 * allowed   instances that it may use
 * limit     tasks that may run at the same time; 0 = any number
 * widest    units that its widest task uses, rounded up to whole instances; 0 counts as one instance
 */
static inline int64_t vcs_could_use(uint32_t allowed, uint64_t limit, int64_t widest) {
    const uint64_t wide = widest > 0 ? (uint64_t)(widest + VCS_ONE - 1) / (uint64_t)VCS_ONE : 1;
    if (limit == 0 || limit > allowed / wide) {
        return (int64_t)allowed * VCS_ONE;
    }
    return (int64_t)(limit * wide) * VCS_ONE;
}

#endif
