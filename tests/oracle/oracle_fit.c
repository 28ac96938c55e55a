/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_fit.h"

#include <math.h>
#include <stdlib.h>

/* How far the uses of a device may be above it: a ten-thousandth. */
#define EXCESS (ORACLE_ONE / 10000)

oracle_fit oracle_fit_new(const vcs_snapshot *snapshot, const vcs_parameters *parameters) {
    uint64_t devices = (uint64_t)snapshot->resources.count * ORACLE_MOST_DEVICES;
    oracle_fit fit = {
        .snapshot = snapshot,
        .parameters = parameters,
        .used = oracle_allocate(devices, sizeof(int64_t)),
        .held = oracle_allocate(devices, sizeof(int64_t)),
        .bound = oracle_allocate(devices, sizeof(int64_t)),
        .loss = oracle_allocate(devices, sizeof(double)),
        .takers = oracle_allocate(snapshot->tasks.count, sizeof(vcs_task *)),
        .taken = oracle_allocate(snapshot->tasks.count, sizeof(uint64_t)),
    };
    oracle_fit_clear(&fit);
    return fit;
}

void oracle_fit_free(oracle_fit *fit) {
    free(fit->used);
    free(fit->held);
    free(fit->bound);
    free(fit->loss);
    free(fit->takers);
    free(fit->taken);
}

void oracle_fit_clear(oracle_fit *fit) {
    fit->used_by_cpu_tasks = fit->used_by_gpu_tasks = 0;
    fit->cpu_task_runs = false;
    fit->taker_count = 0;
    for (uint32_t i = 0; i < fit->snapshot->resources.count * ORACLE_MOST_DEVICES; i++) {
        fit->used[i] = fit->held[i] = fit->bound[i] = 0;
        fit->loss[i] = -INFINITY;
    }
}

/* CPUs */

int64_t oracle_fit_capacity(const oracle_fit *fit, uint32_t resource) {
    const vcs_resource *record = oracle_resource(fit->snapshot, resource);
    return record->instances * ORACLE_ONE - oracle_units(record->reserve);
}

static bool cpu_task_fits_beside(const oracle_fit *fit, int64_t use, int64_t used) {
    int64_t left = oracle_fit_capacity(fit, 0) - used;
    if (left < ORACLE_LEAST_FREE) {
        return false;
    }
    switch (fit->parameters->cpu_fit) {
    case VCS_CPU_FIT_ANY:
        return true;
    case VCS_CPU_FIT_STRICT:
        return use <= left;
    default:
        return use < left + ORACLE_ONE;
    }
}

static bool cpu_task_fits(const oracle_fit *fit, int64_t use) {
    if (use == 0 || cpu_task_fits_beside(fit, use, fit->used_by_cpu_tasks + fit->used_by_gpu_tasks)) {
        return true;
    }
    /* Is it the GPU tasks alone that keep it away? */
    bool strict = fit->parameters->cpu_fit == VCS_CPU_FIT_STRICT;
    return !strict && !fit->cpu_task_runs && cpu_task_fits_beside(fit, use, 0);
}

static bool cpu_share_fits(const oracle_fit *fit, int64_t share) {
    int64_t left = oracle_fit_free_units(fit, 0);
    int64_t missing = fit->parameters->cpu_fit == VCS_CPU_FIT_STRICT ? 0 : ORACLE_ONE;
    return share == 0 || share <= left + missing;
}

/* Devices */

/* How many a task needs: none, one in part or as a whole, or several whole ones. */
static int64_t devices_needed(int64_t use) {
    int64_t devices = 0;
    while (devices * ORACLE_ONE < use && (devices == 0 || devices * ORACLE_ONE + EXCESS < use)) {
        devices++;
    }
    return devices;
}

static int64_t use_of_each(int64_t use) {
    return use > ORACLE_ONE ? ORACLE_ONE : use;
}

uint64_t oracle_fit_allowed(const vcs_snapshot *snapshot, const vcs_task *task) {
    uint64_t allowed = 0;
    for (uint32_t i = 0; i < ORACLE_MOST_DEVICES; i++) {
        const vcs_app_resource *of_app = oracle_app_resource(snapshot, task->app, task->gpu);
        bool app_excluded = of_app != NULL && (of_app->excluded >> i & 1) != 0;
        if (oracle_allows(snapshot, task->project, task->gpu, i) && !app_excluded) {
            allowed |= UINT64_C(1) << i;
        }
    }
    return allowed;
}

/* The device with least left that has so much; the number of devices if there is none. */
static uint32_t find_device(const oracle_fit *fit, uint32_t gpu, int64_t use, uint64_t allowed, bool spare_held,
                            bool spare_bound) {
    uint32_t count = oracle_resource(fit->snapshot, gpu)->instances;
    uint32_t best = count;
    int64_t least = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = gpu * ORACLE_MOST_DEVICES + i;
        int64_t left =
            ORACLE_ONE - fit->used[place] - (spare_held ? fit->held[place] : 0) - (spare_bound ? fit->bound[place] : 0);
        bool is_better =
            best == count || left < least ||
            (left == least && !spare_held && fit->loss[place] < fit->loss[gpu * ORACLE_MOST_DEVICES + best]);
        if ((allowed >> i & 1) != 0 && use <= left + EXCESS && is_better) {
            best = i;
            least = left;
        }
    }
    return best;
}

bool oracle_fit_finds_devices(const oracle_fit *fit, const vcs_task *task, uint64_t among, uint64_t *devices) {
    uint32_t count = oracle_resource(fit->snapshot, task->gpu)->instances;
    int64_t use = oracle_use(task, task->gpu);
    *devices = 0;
    for (int64_t needed = devices_needed(use); needed > 0; needed--) {
        uint32_t found = find_device(fit, task->gpu, use_of_each(use), among & ~*devices, true, true);
        if (found == count) {
            found = find_device(fit, task->gpu, use_of_each(use), among & ~*devices, true, false);
        }
        if (found == count) {
            found = find_device(fit, task->gpu, use_of_each(use), among & ~*devices, false, false);
        }
        if (found == count) {
            return false;
        }
        *devices |= UINT64_C(1) << found;
    }
    return true;
}

bool oracle_fit_keeps(const oracle_fit *fit, const vcs_task *task) {
    int64_t use = oracle_use(task, task->gpu), count = 0;
    for (uint32_t i = 0; i < ORACLE_MOST_DEVICES; i++) {
        if ((task->devices >> i & 1) != 0) {
            count++;
            if (fit->used[task->gpu * ORACLE_MOST_DEVICES + i] + use_of_each(use) > ORACLE_ONE + EXCESS) {
                return false;
            }
        }
    }
    return (task->devices & ~oracle_fit_allowed(fit->snapshot, task)) == 0 && count == devices_needed(use);
}

bool oracle_fit_matches(const vcs_task *task) {
    int64_t count = 0;
    for (uint32_t i = 0; i < ORACLE_MOST_DEVICES; i++) {
        count += (task->devices >> i & 1) != 0;
    }
    return count == devices_needed(oracle_use(task, task->gpu));
}

bool oracle_fit_is_spare(const oracle_fit *fit, const vcs_task *task, uint64_t devices) {
    for (uint32_t i = 0; i < ORACLE_MOST_DEVICES; i++) {
        const uint32_t place = task->gpu * ORACLE_MOST_DEVICES + i;
        if ((devices >> i & 1) != 0 &&
            fit->used[place] + fit->held[place] + use_of_each(oracle_use(task, task->gpu)) > ORACLE_ONE + EXCESS) {
            return false;
        }
    }
    return true;
}

/* Both */

bool oracle_fit_has_cpus(const oracle_fit *fit, const vcs_task *task) {
    return task->gpu == 0 ? cpu_task_fits(fit, oracle_use(task, 0)) : cpu_share_fits(fit, oracle_use(task, 0));
}

bool oracle_fit_had_cpus(const oracle_fit *fit, const vcs_task *task) {
    const int64_t left = oracle_fit_free_units(fit, 0);
    switch (fit->parameters->cpu_fit) {
    case VCS_CPU_FIT_ANY:
        return task->gpu == 0;
    case VCS_CPU_FIT_STRICT:
        return task->gpu == 0 && oracle_use(task, 0) <= left;
    default:
        return task->gpu == 0 && oracle_use(task, 0) <= left + ORACLE_ONE;
    }
}

bool oracle_fit_finds(const oracle_fit *fit, const vcs_task *task, uint64_t *devices) {
    *devices = 0;
    return oracle_fit_has_cpus(fit, task) &&
           (task->gpu == 0 || oracle_fit_finds_devices(fit, task, oracle_fit_open(fit, task), devices));
}

/* Limits in instances, and per device */

static bool have_room(const oracle_fit *fit, const vcs_task *task, double max_instances, bool of_app) {
    int64_t units = oracle_use(task, task->gpu);
    for (uint32_t i = 0; i < fit->taker_count; i++) {
        const vcs_task *other = fit->takers[i];
        if (other->gpu == task->gpu && (of_app ? other->app == task->app : other->project == task->project)) {
            units += oracle_use(other, other->gpu);
        }
    }
    return max_instances == 0 || units <= oracle_units(max_instances) + EXCESS;
}

bool oracle_fit_project_has_room(const oracle_fit *fit, const vcs_task *task) {
    const vcs_project_resource *pair = oracle_project_resource(fit->snapshot, task->project, task->gpu);
    return pair == NULL || have_room(fit, task, pair->max_instances, false);
}

bool oracle_fit_app_has_room(const oracle_fit *fit, const vcs_task *task) {
    const vcs_app_resource *of_app = oracle_app_resource(fit->snapshot, task->app, task->gpu);
    return of_app == NULL || have_room(fit, task, of_app->max_instances, true);
}

/* Devices with fewer tasks than may be on each. */
static uint64_t with_fewer(const oracle_fit *fit, const vcs_task *task, uint32_t most, bool of_app) {
    uint64_t fewer = 0;
    for (uint32_t device = 0; device < ORACLE_MOST_DEVICES; device++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < fit->taker_count; i++) {
            const vcs_task *other = fit->takers[i];
            const bool is_counted = of_app ? other->app == task->app : other->project == task->project;
            count += other->gpu == task->gpu && is_counted && (fit->taken[i] >> device & 1) != 0;
        }
        fewer |= (uint64_t)(most == 0 || count < most) << device;
    }
    return fewer;
}

uint64_t oracle_fit_open_to_project(const oracle_fit *fit, const vcs_task *task) {
    const vcs_project_resource *pair = oracle_project_resource(fit->snapshot, task->project, task->gpu);
    return oracle_fit_allowed(fit->snapshot, task) &
           (pair == NULL ? UINT64_MAX : with_fewer(fit, task, pair->max_per_device, false));
}

uint64_t oracle_fit_open(const oracle_fit *fit, const vcs_task *task) {
    const vcs_app_resource *of_app = oracle_app_resource(fit->snapshot, task->app, task->gpu);
    return oracle_fit_open_to_project(fit, task) &
           (of_app == NULL ? UINT64_MAX : with_fewer(fit, task, of_app->max_per_device, true));
}

bool oracle_fit_is_at_device_limit(const oracle_fit *fit, const vcs_task *task) {
    uint64_t unused;
    return task->gpu != 0 && oracle_fit_finds_devices(fit, task, oracle_fit_allowed(fit->snapshot, task), &unused) &&
           !oracle_fit_finds_devices(fit, task, oracle_fit_open(fit, task), &unused);
}

static void add(int64_t *amounts, const vcs_task *task, uint64_t devices, int64_t times) {
    for (uint32_t i = 0; i < ORACLE_MOST_DEVICES; i++) {
        if ((devices >> i & 1) != 0) {
            amounts[task->gpu * ORACLE_MOST_DEVICES + i] += times * use_of_each(oracle_use(task, task->gpu));
        }
    }
}

void oracle_fit_take(oracle_fit *fit, const vcs_task *task, uint64_t devices) {
    int64_t cpus = oracle_use(task, 0);
    fit->takers[fit->taker_count] = task;
    fit->taken[fit->taker_count++] = devices;
    if (task->gpu == 0) {
        fit->used_by_cpu_tasks += cpus;
        fit->cpu_task_runs |= cpus > 0;
    } else {
        fit->used_by_gpu_tasks += cpus;
        add(fit->used, task, devices, 1);
    }
}

void oracle_fit_hold(oracle_fit *fit, const vcs_task *task, int64_t times) {
    add(fit->held, task, task->devices, times);
}

void oracle_fit_bind(oracle_fit *fit, const vcs_task *task) {
    add(fit->bound, task, task->devices, 1);
}

void oracle_fit_risk(oracle_fit *fit, const vcs_task *task, double loss) {
    for (uint32_t i = 0; i < ORACLE_MOST_DEVICES; i++) {
        double *of_device = &fit->loss[task->gpu * ORACLE_MOST_DEVICES + i];
        if ((task->devices >> i & 1) != 0 && loss > *of_device) {
            *of_device = loss;
        }
    }
}

/* A device with no more left than a possible excess is full. */
int64_t oracle_fit_free_parts(const oracle_fit *fit, uint32_t resource, int64_t least) {
    int64_t left = 0;
    for (uint32_t i = 0; i < oracle_resource(fit->snapshot, resource)->instances; i++) {
        int64_t of_device = ORACLE_ONE - fit->used[resource * ORACLE_MOST_DEVICES + i];
        left += of_device > EXCESS && of_device >= least ? of_device : 0;
    }
    return left;
}

int64_t oracle_fit_free_units(const oracle_fit *fit, uint32_t resource) {
    if (resource == 0) {
        return oracle_fit_capacity(fit, 0) - fit->used_by_cpu_tasks - fit->used_by_gpu_tasks;
    }
    return oracle_fit_free_parts(fit, resource, 0);
}
