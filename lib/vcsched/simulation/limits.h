/*
 * Limits on the tasks of a project or an application that run at the same time: in tasks, in instances, and in tasks on
 * one device; and how much of a resource a project could use under them.
 *
 * Rules 4.3 and 5.4; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_LIMITS_H
#define VCS_SIMULATION_LIMITS_H

#include "vcsched/simulation/fit.h"

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

/* Whether there is any limit, in tasks, in instances or per device. */
static inline bool vcs_has_any_limits(const vcs_state *state) {
    return (state->has_instance_limits | state->has_device_limits) != 0 || vcs_has_limits(state);
}

/*
 * Finds how many tasks of each project may run at the same time on each resource, project by project; 0 = any number.
 * That is the project's own limit or, if less, the sum of its applications' limits. The sum counts if all applications
 * are listed and each has a limit. An application that declares tasks for others alone, and has none for a resource, is
 * left out there; where the project has tasks for a resource, so is one whose tasks are all for others. `used`: memory,
 * a number for each application. The forecasts know how many tasks there are.
 */
void vcs_find_limits(const vcs_state *state, uint64_t *limits, uint64_t *used);

/* ---- Limits in instances, and per device ---- */

/* Units that tasks may use together under a limit in instances, with the excess that fits; UINT64_MAX = any number. */
static inline uint64_t vcs_most_units(double max_instances) {
    return max_instances > 0.0 ? (uint64_t)(vcs_units(max_instances) + VCS_DEVICE_EXCESS) : UINT64_MAX;
}

/* The use of devices by a chosen task. */
typedef struct vcs_device_use {
    uint64_t devices; /* bits */
    uint32_t project, app, resource;
    uint32_t unused;
} vcs_device_use;

/* Whether limits hold for a task on each device of its resource. */
bool vcs_has_device_limit(const vcs_state *state, const vcs_prepared_task *task);

/*
 * Finds the devices, as bits, that already have as many tasks of a project, or of an application, as one device may.
 * `uses`: of the tasks chosen so far, at least of all with such a limit. O(uses).
 */
uint64_t vcs_devices_full_for_project(const vcs_state *state, const vcs_prepared_task *task, const vcs_device_use *uses,
                                      uint32_t count);
uint64_t vcs_devices_full_for_app(const vcs_state *state, const vcs_prepared_task *task, const vcs_device_use *uses,
                                  uint32_t count);

/* ---- What a project could use ---- */

/* Units that the tasks of a project for a resource use, at least and at most; 0 = not known. */
typedef struct vcs_task_uses {
    int64_t narrowest, widest;
} vcs_task_uses;

/* What its applications declare, as long as it has no tasks there. `place`: by project. */
static inline vcs_task_uses vcs_uses_without_tasks(const vcs_state *state, uint64_t place) {
    const vcs_declared_use *declared = vcs_declared_use_of(state, place);
    return declared == NULL ? (vcs_task_uses){0, 0} : (vcs_task_uses){declared->narrowest, declared->widest};
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
 * use       units that one of its tasks uses; 0, not known, counts as one instance
 */
static inline int64_t vcs_could_use(uint32_t allowed, uint64_t limit, int64_t use) {
    const uint64_t all = allowed * (uint64_t)VCS_ONE, of_a_task = (uint64_t)(use > 0 ? use : VCS_ONE);
    return (int64_t)(limit == 0 || limit > all / of_a_task ? all : limit * of_a_task);
}

/* Whether limits in instances or per device hold for a project on a resource. */
static inline bool vcs_limits_units(const vcs_project_resource *record) {
    return record->max_instances > 0.0 || record->max_per_device > 0;
}

/* Units that tasks of `use` units each could use of the allowed instances, a limited number on each. */
static inline int64_t vcs_units_per_device(const vcs_project_resource *record, uint32_t allowed, int64_t use) {
    const uint64_t one = (uint64_t)(use > 0 ? use : VCS_ONE), most = record->max_per_device;
    return most == 0 || most > (uint64_t)VCS_ONE / one ? INT64_MAX : (int64_t)(allowed * (most * one));
}

/*
 * Units that limits in instances and per device let a project use, with tasks of `narrowest` to `widest` units; 0, not
 * known, counts as one instance. If all use the same, it is a multiple of that.
 */
static inline int64_t vcs_could_use_units(const vcs_project_resource *record, uint32_t allowed, int64_t narrowest,
                                          int64_t widest) {
    const int64_t use = widest > 0 ? widest : VCS_ONE;
    int64_t most = record->max_instances > 0.0 ? vcs_units(record->max_instances) : INT64_MAX;
    if (record->max_instances > 0.0 && narrowest == widest && use <= most + VCS_DEVICE_EXCESS) {
        most = (most + VCS_DEVICE_EXCESS) / use * use;
    }
    return vcs_min_i64(most, vcs_units_per_device(record, allowed, widest));
}

/* Units from which on they let a project use no more: not even its narrowest task has room. */
static inline int64_t vcs_enough_units(const vcs_project_resource *record, uint32_t allowed, int64_t narrowest) {
    const int64_t use = narrowest > 0 ? narrowest : VCS_ONE;
    const int64_t enough = record->max_instances > 0.0
                               ? vcs_max_i64(vcs_units(record->max_instances) + VCS_DEVICE_EXCESS - use + 1, 1)
                               : INT64_MAX;
    return vcs_min_i64(enough, vcs_units_per_device(record, allowed, narrowest));
}

#endif
