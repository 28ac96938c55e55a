/*
 * Whether a task fits beside the tasks already chosen: on the CPUs, and on the devices of a GPU type.
 *
 * Rule 4.7; the plain reference is tests/oracle/oracle_fit.c. The sliced simulation and the choice of tasks both ask
 * here, so they cannot disagree. Placement by deadline (rules 4.4, 4.5) keeps its own instances.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_FIT_H
#define VCS_SIMULATION_FIT_H

#include "vcsched/core/invariant.h"
#include "vcsched/host/prepared.h"

#include <stdbool.h>

/* ---- CPUs ---- */

typedef struct vcs_cpus {
    int64_t free;        /* units; below 0 where a fraction overshot */
    int64_t largest;     /* units of the largest CPU task that fits */
    int64_t spare;       /* units that a CPU task may lack */
    int64_t share_spare; /* units that the CPU share of a GPU task may lack */
    bool shares_count;   /* CPU shares of GPU tasks count against CPU tasks */
} vcs_cpus;

static inline int64_t vcs_largest_beside(int64_t free, int64_t spare) {
    return free < VCS_LEAST_FREE ? 0 : free + spare;
}

/* CPUs with `capacity` units, all free; `rule` is VCS_CPU_FIT_*. */
static inline vcs_cpus vcs_cpus_of(int64_t capacity, uint32_t rule) {
    const bool strict = rule == VCS_CPU_FIT_STRICT;
    const int64_t spare = rule == VCS_CPU_FIT_ANY ? INT64_MAX / 2 : strict ? 0 : VCS_ONE - 1;
    return (vcs_cpus){
        .free = capacity,
        .largest = vcs_largest_beside(capacity, spare),
        .spare = spare,
        .share_spare = strict ? 0 : VCS_ONE,
        .shares_count = strict,
    };
}

static inline void vcs_cpus_begin(vcs_cpus *cpus, const vcs_state *state) {
    *cpus = vcs_cpus_of(vcs_resources(state)[0].capacity, state->parameters.cpu_fit);
}

/* The largest CPU share of a GPU task that fits: even if no CPU is free, as long as less than one is missing. */
static inline int64_t vcs_largest_cpu_share(const vcs_cpus *cpus) {
    return vcs_max_i64(cpus->free + cpus->share_spare, 0);
}

/* A use of 0 always fits. */
static inline bool vcs_cpu_task_fits(const vcs_cpus *cpus, int64_t units) {
    return units <= cpus->largest;
}

static inline bool vcs_cpu_share_fits(const vcs_cpus *cpus, int64_t units) {
    return units <= vcs_largest_cpu_share(cpus);
}

/*
 * Whether a CPU task that must not be interrupted goes on. It did fit, but beside it such tasks may have been taken in
 * another order this time, so what CPU tasks and shares may lack counts as one.
 */
static inline bool vcs_cpu_task_goes_on(const vcs_cpus *cpus, int64_t units) {
    return vcs_cpu_task_fits(cpus, units) || units <= cpus->free + vcs_max_i64(cpus->spare, cpus->share_spare);
}

/* Updates what fits after `free` has become less, where that counts. */
static inline void vcs_cpus_note_free(vcs_cpus *cpus) {
    if (cpus->shares_count) {
        cpus->largest = vcs_largest_beside(cpus->free, cpus->spare);
    }
}

/*
 * Occupies CPUs by a CPU task. Until the first one, CPU shares of GPU tasks do not count: GPU tasks alone must not keep
 * every CPU task out for ever.
 */
static inline void vcs_cpus_occupy_by_cpu_task(vcs_cpus *cpus, int64_t units) {
    if (units > 0) {
        /* A few uses of 32 bits are missing, however CPUs are counted. */
        VCS_INVARIANT(cpus->free >= INT64_MIN / 4 && units <= INT64_MAX / 4);
        cpus->free -= units;
        cpus->shares_count = true;
        cpus->largest = vcs_largest_beside(cpus->free, cpus->spare);
    }
}

static inline void vcs_cpus_occupy(vcs_cpus *cpus, int64_t units, bool has_gpu) {
    if (has_gpu) {
        VCS_INVARIANT(cpus->free >= INT64_MIN / 4 && units <= INT64_MAX / 4); /* as above */
        cpus->free -= units;
        vcs_cpus_note_free(cpus);
    } else {
        vcs_cpus_occupy_by_cpu_task(cpus, units);
    }
}

/* ---- The devices of a GPU type ---- */

/* Units by which the uses of a device may exceed it: 1e-4 instance, so that ten tasks of 0.1 and six of 1/6 fit. */
#define VCS_DEVICE_EXCESS ((int64_t)(1e-4 * VCS_ONE))

typedef struct vcs_devices {
    uint32_t count;
    uint32_t holders; /* running tasks that hold a device and have not been offered yet */
    uint32_t bonds;   /* stopped tasks that are bound to a device */
    uint32_t unused;
    int32_t free[VCS_MAX_GPU_INSTANCES];  /* units free on each device */
    int64_t held[VCS_MAX_GPU_INSTANCES];  /* units of each device that holders use */
    int64_t bound[VCS_MAX_GPU_INSTANCES]; /* units of each device that the tasks bound to it would use */
    double loss[VCS_MAX_GPU_INSTANCES];   /* the most that a holder loses if the device is occupied */
} vcs_devices;

/* Frees all devices; no task holds one or is bound to one, and none will be. */
static inline void vcs_devices_free_all(vcs_devices *devices, uint32_t count) {
    devices->count = count;
    devices->holders = devices->bonds = 0;
    for (uint32_t i = 0; i < count; i++) {
        devices->free[i] = (int32_t)VCS_ONE;
    }
}

/* Frees all devices; no task holds one or is bound to one yet. */
void vcs_devices_begin(vcs_devices *devices, uint32_t count);

/*
 * Finds devices for a use of `units` among the allowed ones, as bits: the devices with the least left, the lowest index
 * on ties. Devices with bonds serve only if no others fit, and held ones last of all, the least loss first on ties.
 * Returns true and sets `found` if the use fits; a use of 0 fits without a device. O(devices) for each device found.
 */
bool vcs_devices_find(const vcs_devices *devices, int64_t units, uint64_t allowed, uint64_t *found);

/*
 * The device with the least left that has room for a use of at most one; VCS_NONE = none. No device is held or has a
 * bond.
 */
static inline uint32_t vcs_devices_find_one(const vcs_devices *devices, int64_t units, uint64_t allowed) {
    const int64_t needed = units - VCS_DEVICE_EXCESS;
    uint32_t best = VCS_NONE;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < devices->count; i++, allowed >>= 1) {
        const int64_t free = devices->free[i];
        if (free >= needed && free < least && (allowed & 1) != 0) {
            best = i;
            least = free;
        }
    }
    return best;
}

/* Whether no device has room for a use of `units`, or for its part on one device. O(devices). */
static inline bool vcs_devices_are_full(const vcs_devices *devices, int64_t units) {
    const int64_t least = vcs_min_i64(units, VCS_ONE) - VCS_DEVICE_EXCESS;
    for (uint32_t i = 0; i < devices->count; i++) {
        if (devices->free[i] >= least) {
            return false;
        }
    }
    return units > 0;
}

/* Whether `own` are as many devices as a use needs. */
bool vcs_devices_match(int64_t units, uint64_t own);

/* Whether a task may go on on the devices it had, `own`: holders are not asked. */
bool vcs_devices_suit(const vcs_devices *devices, int64_t units, uint64_t allowed, uint64_t own);

/* Whether a use on some devices takes none of them from a holder. */
bool vcs_devices_are_spare(const vcs_devices *devices, int64_t units, uint64_t taken);

/* Whether a use would fit on the allowed ones of `count` devices if all were free. */
bool vcs_devices_suffice(uint32_t count, int64_t units, uint64_t allowed);

void vcs_devices_occupy(vcs_devices *devices, int64_t units, uint64_t taken);
void vcs_devices_release(vcs_devices *devices, int64_t units, uint64_t taken);

/* A running task holds its devices until it has been offered; occupying them costs it `loss`, or later more. */
void vcs_devices_hold(vcs_devices *devices, int64_t units, uint64_t held, double loss);
void vcs_devices_risk(vcs_devices *devices, uint64_t held, double loss);
void vcs_devices_let_go(vcs_devices *devices, int64_t units, uint64_t held);

/* A stopped task is bound to its devices: others keep away from them where they can. */
void vcs_devices_bind(vcs_devices *devices, int64_t units, uint64_t own);
void vcs_devices_unbind(vcs_devices *devices, int64_t units, uint64_t own);

/* The instances of its GPU type that a task may use, as bits. */
static inline uint64_t vcs_allowed_devices(const vcs_state *state, const vcs_prepared_task *task) {
    const size_t of_project = (size_t)task->project * state->resource_count + task->resource;
    const vcs_app_resource *of_app = vcs_app_resource_of(state, task);
    return ~(vcs_project_resources(state)[of_project].excluded | (of_app != NULL ? of_app->excluded : 0));
}

/* Whether a task would fit on this host alone, with all CPUs free: `cpus`. */
static inline bool vcs_task_fits_alone(const vcs_state *state, const vcs_cpus *cpus, const vcs_prepared_task *task) {
    if (task->resource == 0) {
        return vcs_cpu_task_fits(cpus, task->cpu_units);
    }
    return vcs_cpu_share_fits(cpus, task->cpu_units) &&
           vcs_devices_suffice(vcs_resources(state)[task->resource].instances, task->gpu_units,
                               vcs_allowed_devices(state, task));
}

#endif
