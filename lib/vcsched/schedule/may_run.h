/*
 * Which tasks could run if they were alone, and when nothing more fits beside what was taken.
 *
 * Rules 4.7 and 5.4; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_MAY_RUN_H
#define VCS_SCHEDULE_MAY_RUN_H

#include "vcsched/schedule/selection.h"

/* What a task uses of its own resource, units. */
static inline int64_t vcs_own_use(const vcs_prepared_task *task) {
    return task->resource == 0 ? task->cpu_units : task->gpu_units;
}

/* The devices of its GPU type that a task may use, as bits. */
static inline uint64_t vcs_allowed_to(const vcs_state *state, const vcs_prepared_task *task) {
    return vcs_allowed_devices(state, task->project, task->app, task->resource);
}

/* Whether a GPU task fits on its GPU type if nothing else is there. */
bool vcs_fits_gpu(const vcs_state *state, const vcs_prepared_task *task);

/* Whether a task can start and could run on this host if it were alone. */
static inline bool vcs_may_run(const vcs_selection *selection, const vcs_prepared_task *task) {
    if (!task->can_start || task->ram > selection->ram) {
        return false;
    }
    return task->resource == 0 ? task->cpu_units <= selection->most_cpus
                               : task->cpu_units <= selection->most_share && vcs_fits_gpu(selection->state, task);
}

/* Whether the task that uses least of a resource still fits. */
static inline bool vcs_has_room(const vcs_selection *selection, uint32_t resource) {
    const int64_t units = selection->resources[resource].least_use;
    uint64_t unused;
    if (resource == 0) {
        return vcs_cpu_task_fits(&selection->cpus, units);
    }
    return units < INT64_MAX && vcs_devices_find(&selection->devices[resource], units, UINT64_MAX, &unused);
}

/*
 * Whether a resource need not be offered to anyone any more, because not even the least use fits. With reasons, a
 * waiting task must also have nothing else in its way: then the reason it began with is right.
 *
 * Without reasons (VCS_SCHEDULE_RUNNING) that is soon so, and most waiting tasks are not looked at. An emulation whose
 * decisions give reasons takes 2 % more instructions with 2 CPUs (examples/study/base.ini), 24 % more with 64
 * (wide.ini), and 2.2 times as many with a few thousand tasks waiting (crowded.ini).
 */
static inline bool vcs_is_used_up(const vcs_selection *selection, uint32_t resource) {
    const uint32_t reasons_differ =
        selection->explains & (selection->resources[resource].has_late | selection->has_limits);
    return !reasons_differ && !vcs_has_room(selection, resource);
}

#endif
