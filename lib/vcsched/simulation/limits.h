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
 * Finds how many tasks of each project may run at the same time on each resource, project by project; 0 = any number.
 * That is the project's own limit or, if less, the sum of its applications' limits. The sum counts if all applications
 * are listed and each has a limit. Where the project has tasks for a resource, an application whose tasks are all for
 * others is left out. `used`: memory, a number for each application. The forecasts know how many tasks there are.
 */
void vcs_find_limits(const vcs_state *state, uint64_t *limits, uint64_t *used);

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
 * use       units that one of its tasks uses; 0, without a task, counts as one instance
 */
static inline int64_t vcs_could_use(uint32_t allowed, uint64_t limit, int64_t use) {
    const uint64_t all = allowed * (uint64_t)VCS_ONE, of_a_task = (uint64_t)(use > 0 ? use : VCS_ONE);
    return (int64_t)(limit == 0 || limit > all / of_a_task ? all : limit * of_a_task);
}

#endif
