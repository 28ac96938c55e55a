/*
 * How much of a resource a project could use under limits on concurrent tasks and exclusions.
 *
 * Rule 4.3; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_LIMITS_H
#define VCS_SIMULATION_LIMITS_H

#include "simulation/instance_sets.h"
#include "core/number.h"

#include <stdint.h>

/* Instances of a resource that a project may use; `excluded` is the map of the others. */
static inline uint32_t vcs_allowed_instances(uint32_t instances, uint64_t excluded) {
    return excluded == 0 ? instances : instances - vcs_count_instances(excluded);
}

/*
 * Units that a project could use of a resource.
 *
 * allowed   instances that it may use
 * limit     tasks that may run at the same time; 0 = any number
 * widest    units that the greatest of its tasks uses; a task takes whole instances, and none counts as one of one
 */
static inline int64_t vcs_could_use(uint32_t allowed, uint64_t limit, int64_t widest) {
    const uint64_t wide = widest > 0 ? (uint64_t)(widest + VCS_ONE - 1) / (uint64_t)VCS_ONE : 1;
    if (limit == 0 || limit > allowed / wide) {
        return (int64_t)allowed * VCS_ONE;
    }
    return (int64_t)(limit * wide) * VCS_ONE;
}

#endif
