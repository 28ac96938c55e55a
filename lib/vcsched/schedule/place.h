/*
 * Placing tasks: finding the obstacle to a task or, without one, occupying its resources and choosing its slice.
 *
 * Rules 4.7, 5.1 to 5.4 and 5.6; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_PLACE_H
#define VCS_SCHEDULE_PLACE_H

#include "vcsched/schedule/selection.h"
#include "vcsched/simulation/fit.h"
#include "vcsched/simulation/lateness.h"
#include "vcsched/simulation/limits.h"

#include <stdbool.h>

typedef struct vcs_placement_resource {
    int64_t used;      /* units */
    int64_t least_use; /* units, the least use by any task that may run; INT64_MAX if none may */
    uint32_t has_late; /* 1: a late task that did not run before uses it now */
} vcs_placement_resource;

/* The tasks chosen so far, the room they occupy and the room left. */
typedef struct vcs_placement {
    const vcs_selection *selection;
    vcs_task_decision *decisions;      /* per task */
    uint32_t *running;                 /* the chosen tasks, in order of choice */
    uint32_t *project_tasks;           /* chosen tasks, per project */
    uint32_t *app_tasks;               /* chosen tasks, per application */
    int64_t *project_uses;             /* units, per project and resource */
    int64_t *project_units;            /* units used by its tasks for the resource alone, likewise */
    int64_t *app_units;                /* likewise per application and resource, where some vcs_app_resource is given */
    vcs_device_use *device_uses;       /* of chosen tasks with a limit per device */
    uint32_t device_use_count;
    uint32_t lacks_memory;             /* 1: some task waits for memory alone */
    vcs_placement_resource *resources; /* per resource */
    vcs_devices *devices;              /* per resource; unused for the CPUs */
    vcs_cpus cpus;
    double kept_ram;       /* of tasks in memory that do not run, where it counts, bytes */
    int64_t held; /* units of the wide task for which CPUs are held from now on; 0 = none (rule 5.7) */
    uint32_t is_overdue;   /* 1: tasks that start now get no slice either */
    vcs_schedule_summary summary;
} vcs_placement;

/* VCS_DECISION_HOPELESS if a task would be too late even if it ran alone from now on (rule 5.6), else 0. */
static inline uint32_t vcs_hopeless_flag(const vcs_state *state, const vcs_prepared_task *task) {
    return vcs_latest_in_edf(state->now, task->deadline) < task->run_time ? VCS_DECISION_HOPELESS : 0;
}

/* Whether a reason names a limit on this one task: others may still fit in its place. */
static inline bool vcs_is_limit(uint32_t reason) {
    return reason >= VCS_REASON_MEMORY && reason <= VCS_REASON_APP_LIMIT;
}

/* Whether the CPUs have no room left for the least CPU task. */
static inline bool vcs_is_full_of_cpu_tasks(const vcs_placement *placement) {
    return !vcs_cpu_task_fits(&placement->cpus, placement->resources[0].least_use);
}

/*
 * Whether nothing more can be placed on a resource, because even the least use does not fit. With reasons, a waiting
 * task must also have no other obstacle: then its first reason is right.
 *
 * Without reasons (VCS_SCHEDULE_RUNNING) a resource is used up soon, and most waiting tasks are never looked at. An
 * emulation with reasons takes 2 % more instructions with 2 CPUs (examples/study/base.ini), 24 % more with 64
 * (wide.ini), and 2.2 times as many with a few thousand tasks waiting (crowded.ini).
 */
static inline bool vcs_is_used_up(const vcs_placement *placement, uint32_t resource) {
    const vcs_placement_resource *of = &placement->resources[resource];
    uint64_t unused;
    const vcs_selection *selection = placement->selection;
    const uint32_t has_late = of->has_late | placement->resources[0].has_late; /* GPU tasks have shares of the CPUs */
    if (selection->explains & (has_late | selection->has_limits | selection->periods.has_wide)) {
        return false;
    }
    if (resource == 0) {
        return vcs_is_full_of_cpu_tasks(placement);
    }
    return of->least_use == INT64_MAX ||
           !vcs_devices_find(&placement->devices[resource], of->least_use, UINT64_MAX, &unused);
}

/* Binds a task that does not run to the devices it had, so that others keep away from them where they can. */
void vcs_bind_devices(vcs_placement *placement, uint32_t task);

/* Before a task is offered: it no longer holds its devices, and is not bound to them. Returns them, as bits. */
uint64_t vcs_release_devices(vcs_placement *placement, uint32_t task);

/*
 * Places a task if it fits, for this reason, and returns VCS_REASON_NONE; else records the obstacle and returns it.
 * `devices`: the devices it had until now, as bits.
 */
uint32_t vcs_place_task(vcs_placement *placement, uint32_t task, uint32_t reason, uint64_t devices);

/* Likewise, once the task has released its devices. */
uint32_t vcs_offer_task(vcs_placement *placement, uint32_t task, uint32_t reason);

#endif
