/*
 * Which limits of its project and application leave room for a task of a class.
 *
 * Rules 4.3, 4.7 and 15.4; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_CLASS_LIMITS_H
#define VCS_SIMULATION_SLICED_CLASS_LIMITS_H

#include "vcsched/core/invariant.h"
#include "vcsched/simulation/sliced/sliced_classes.h"

/* Whether the limits of its project and application let one more task of a class run. */
static inline bool vcs_has_room(const vcs_general *g, const vcs_task_class *class) {
    const uint64_t units = (uint64_t) class->units;
    return g->room[class->project] > 0 && g->room[class->app_limit] > 0 && g->room[class->project_units] >= units &&
           g->room[class->app_units] >= units;
}

/* Counts one more against the limits of its project and application. */
static inline void vcs_use_room(vcs_general *g, const vcs_task_class *class) {
    if (class->is_limited) {
        g->room[class->project]--;
        g->room[class->app_limit]--;
        g->room[class->project_units] -= (uint64_t) class->units;
        g->room[class->app_units] -= (uint64_t) class->units;
    }
}

/* It runs no more. */
static inline void vcs_give_room(vcs_general *g, const vcs_task_class *class) {
    if (class->is_limited) {
        g->room[class->project]++;
        g->room[class->app_limit]++;
        g->room[class->project_units] += (uint64_t) class->units;
        g->room[class->app_units] += (uint64_t) class->units;
    }
}

static inline const vcs_prepared_task *vcs_task_of_class(const vcs_general *g, const vcs_task_class *class) {
    VCS_INVARIANT(class->task < g->sim.state->task_count); /* one of its tasks */
    return &vcs_prepared_tasks(g->sim.state)[class->task];
}

/* The devices that limits leave to one more task of a class. */
static inline uint64_t vcs_devices_within_limits(vcs_general *g, const vcs_task_class *class) {
    const vcs_prepared_task *task = vcs_task_of_class(g, class);
    g->sim.effort += g->device_use_count;
    return class->allowed & ~(vcs_devices_full_for_project(g->sim.state, task, g->device_uses, g->device_use_count) |
                              vcs_devices_full_for_app(g->sim.state, task, g->device_uses, g->device_use_count));
}

/* Counts a task of a class with a limit per device towards it. */
static inline void vcs_note_device_use(vcs_general *g, const vcs_task_class *class, uint64_t devices) {
    const vcs_prepared_task *task = vcs_task_of_class(g, class);
    VCS_INVARIANT(g->device_use_count < g->sim.state->task_count); /* each task is picked once */
    g->device_uses[g->device_use_count++] =
        (vcs_device_use){.devices = devices, .project = task->project, .app = task->app, .resource = task->resource};
}

#endif
