/*
 * What fits beside what was taken so far: on the CPUs, and on the devices of a GPU type.
 *
 * Rule 4.7; the plain reference is tests/oracle/oracle_fit.c. The simulation and the choice of tasks both ask here, so
 * that they cannot disagree. Placement by deadline (rules 4.4, 4.5) keeps its own instances.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_FIT_H
#define VCS_SIMULATION_FIT_H

#include "state/prepared.h"

#include <stdbool.h>

/* ---- CPUs ---- */

typedef struct vcs_cpus {
    int64_t capacity;   /* units */
    int64_t free;       /* units; below 0 where a fraction overshot */
    uint32_t cpu_tasks; /* taken tasks without a GPU that use a CPU */
    uint32_t rule;      /* VCS_CPU_FIT_* */
} vcs_cpus;

static inline void vcs_cpus_begin(vcs_cpus *cpus, const vcs_state *state) {
    const int64_t capacity = vcs_resources(state)[0].capacity;
    *cpus = (vcs_cpus){.capacity = capacity, .free = capacity, .rule = state->parameters.cpu_fit};
}

/* What counts as free for a task without a GPU. GPU tasks keep none away for ever: while no other runs, they do not. */
static inline int64_t vcs_cpus_for_cpu_tasks(const vcs_cpus *cpus) {
    return cpus->cpu_tasks == 0 && cpus->rule != VCS_CPU_FIT_STRICT ? cpus->capacity : cpus->free;
}

/* Whether no task without a GPU fits that uses any of the CPUs. */
static inline bool vcs_cpus_are_full(const vcs_cpus *cpus) {
    return vcs_cpus_for_cpu_tasks(cpus) < VCS_LEAST_FREE;
}

/* The largest use of a task without a GPU that fits, units; a use of 0 always does. */
static inline int64_t vcs_largest_cpu_task(const vcs_cpus *cpus) {
    if (vcs_cpus_are_full(cpus)) {
        return 0;
    }
    const int64_t spare = cpus->rule == VCS_CPU_FIT_STRICT ? 0 : VCS_ONE - 1;
    return cpus->rule == VCS_CPU_FIT_ANY ? INT64_MAX : vcs_cpus_for_cpu_tasks(cpus) + spare;
}

/* The largest use of CPUs by a GPU task that fits: even if none is free, as long as less than one is missing. */
static inline int64_t vcs_largest_cpu_share(const vcs_cpus *cpus) {
    const int64_t spare = cpus->rule == VCS_CPU_FIT_STRICT ? 0 : VCS_ONE;
    return vcs_max_i64(cpus->free + spare, 0);
}

static inline bool vcs_cpu_task_fits(const vcs_cpus *cpus, int64_t units) {
    return units <= vcs_largest_cpu_task(cpus);
}

static inline bool vcs_cpu_share_fits(const vcs_cpus *cpus, int64_t units) {
    return units <= vcs_largest_cpu_share(cpus);
}

/* A task without a GPU that uses no CPU counts for nothing. */
static inline void vcs_cpus_take(vcs_cpus *cpus, int64_t units, bool has_gpu) {
    cpus->free -= units;
    cpus->cpu_tasks += !has_gpu && units > 0;
}

/* ---- The devices of a GPU type ---- */

/* Units by which the uses of a device may exceed it: 1e-4 instance, so that ten tasks of 0.1 and six of 1/6 fit. */
#define VCS_DEVICE_EXCESS ((int64_t)(1e-4 * VCS_ONE))

typedef struct vcs_devices {
    uint32_t count;
    uint32_t holders;                    /* running tasks that have not been offered yet and hold some device */
    int32_t free[VCS_MAX_GPU_INSTANCES]; /* units of each device */
    int64_t held[VCS_MAX_GPU_INSTANCES]; /* units of each that these running tasks use */
    double loss[VCS_MAX_GPU_INSTANCES];  /* of each, the most that one of them loses if it is taken */
} vcs_devices;

/* All are free, and nobody holds any. */
void vcs_devices_begin(vcs_devices *devices, uint32_t count);

/*
 * Devices for a use of this many units among those that are allowed, as bits: those where least is left, the lowest of
 * several. Those that running tasks hold are taken only if nothing else fits; if as much is left, those with the least
 * to lose. Sets `found` and returns true if it fits; a use of 0 fits without a device. O(devices) for each device that
 * it takes.
 */
bool vcs_devices_find(const vcs_devices *devices, int64_t units, uint64_t allowed, uint64_t *found);

/* Whether a running task may keep the devices that it runs on. */
bool vcs_devices_suit(const vcs_devices *devices, int64_t units, uint64_t allowed, uint64_t held);

/* Whether a use would fit on the allowed ones of so many devices if nothing else were there. */
bool vcs_devices_suffice(uint32_t count, int64_t units, uint64_t allowed);

void vcs_devices_take(vcs_devices *devices, int64_t units, uint64_t taken);

/* A running task holds devices until it has been offered, and has something to lose with them. */
void vcs_devices_hold(vcs_devices *devices, int64_t units, uint64_t held);
void vcs_devices_risk(vcs_devices *devices, uint64_t held, double loss);
void vcs_devices_let_go(vcs_devices *devices, int64_t units, uint64_t held);

/* The instances of its GPU type that tasks of a project and application may use; `app` may be VCS_NONE. */
static inline uint64_t vcs_allowed_devices(const vcs_state *state, uint32_t project, uint32_t app, uint32_t resource) {
    const vcs_app *of_app = &vcs_apps(state)[app == VCS_NONE ? 0 : app];
    const uint64_t by_app = app != VCS_NONE && of_app->gpu == resource ? of_app->excluded : 0;
    return ~(vcs_project_resources(state)[(size_t)project * state->resource_count + resource].excluded | by_app);
}

#endif
