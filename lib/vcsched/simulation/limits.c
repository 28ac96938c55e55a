/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/limits.h"

#include "vcsched/host/declared.h"

/* No limit, while limits are added up. */
#define ANY_NUMBER UINT64_MAX

static bool is_listed(const vcs_state *state, uint32_t project) {
    return (vcs_projects(state)[project].flags & VCS_PROJECT_APPS_LISTED) != 0;
}

/* What find_resources_of_apps() finds. */
#define DECLARED (UINT64_C(1) << 63) /* the application declares them */

static uint64_t bit_of(uint32_t resource) {
    return UINT64_C(1) << vcs_min_u64(resource, 62); /* resources from the 63rd on count as one */
}

/* The resources for which an application declares that it has tasks. */
static uint64_t declared_by(const vcs_state *state, uint32_t app) {
    uint64_t declared = 0;
    for (uint32_t r = 0; state->capacity.app_resources > 0 && r < state->resource_count; r++) {
        declared |= vcs_app_declares_for(state, app, r) ? bit_of(r) | DECLARED : 0;
    }
    return declared;
}

/* Finds for each application the resources that it has tasks for, or declares, one bit each. */
static void find_resources_of_apps(const vcs_state *state, uint64_t *used) {
    for (uint32_t a = 0; a < state->app_count; a++) {
        used[a] = declared_by(state, a);
    }
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &vcs_prepared_tasks(state)[i];
        if (task->takes_part && task->app != VCS_NONE) {
            used[task->app] |= bit_of(task->resource);
        }
    }
}

/* Adds up the limits of the applications that count for a resource, by project. */
static void add_up(const vcs_state *state, uint32_t resource, const uint64_t *used, uint64_t *limits) {
    const uint64_t here = bit_of(resource);
    for (uint32_t a = 0; a < state->app_count; a++) {
        const vcs_app *app = &vcs_apps(state)[a];
        const size_t index = (size_t)app->project * state->resource_count + resource;
        const bool is_elsewhere = used[a] != 0 && (used[a] & here) == 0;
        const bool may_come = (used[a] & DECLARED) == 0 && vcs_project_resource_forecasts(state)[index].tasks == 0;
        const bool counts = !is_elsewhere || may_come;
        if (is_listed(state, app->project) && limits[index] != ANY_NUMBER) {
            limits[index] = app->max_concurrent == 0 ? ANY_NUMBER : limits[index] + (counts ? app->max_concurrent : 0);
        }
    }
}

void vcs_find_limits(const vcs_state *state, uint64_t *limits, uint64_t *used) {
    bool any_listed = false;
    for (uint32_t p = 0; p < state->project_count; p++) {
        any_listed |= is_listed(state, p);
        for (uint32_t r = 0; r < state->resource_count; r++) {
            limits[(size_t)p * state->resource_count + r] =
                is_listed(state, p) ? 0 : vcs_projects(state)[p].max_concurrent;
        }
    }
    if (!any_listed) {
        return;
    }
    find_resources_of_apps(state, used);
    for (uint32_t r = 0; r < state->resource_count; r++) {
        add_up(state, r, used, limits);
        for (uint32_t p = 0; p < state->project_count; p++) {
            uint64_t *limit = &limits[(size_t)p * state->resource_count + r];
            const uint64_t own = vcs_projects(state)[p].max_concurrent;
            if (is_listed(state, p)) {
                *limit = *limit == 0 || *limit == ANY_NUMBER ? own : own > 0 ? vcs_min_u64(*limit, own) : *limit;
            }
        }
    }
}

/* ---- Limits per device ---- */

bool vcs_has_device_limit(const vcs_state *state, const vcs_prepared_task *task) {
    const size_t index = (size_t)task->project * state->resource_count + task->resource;
    const vcs_app_resource *of_app = vcs_app_resource_of(state, task);
    return vcs_project_resources(state)[index].max_per_device > 0 || (of_app != NULL && of_app->max_per_device > 0);
}

/* Counts a task on its devices. Returns those that have `most` tasks now. */
static uint64_t count_on(uint32_t *tasks, uint64_t devices, uint32_t most) {
    uint64_t full = 0;
    for (uint32_t i = 0; devices != 0; i++, devices >>= 1) {
        tasks[i] += (uint32_t)(devices & 1);
        full |= (uint64_t)(tasks[i] == most && (devices & 1) != 0) << i;
    }
    return full;
}

uint64_t vcs_devices_full_for_project(const vcs_state *state, const vcs_prepared_task *task, const vcs_device_use *uses,
                                      uint32_t count) {
    const size_t index = (size_t)task->project * state->resource_count + task->resource;
    const uint32_t most = vcs_project_resources(state)[index].max_per_device;
    uint32_t tasks[VCS_MAX_GPU_INSTANCES] = {0};
    uint64_t full = 0;
    for (uint32_t i = 0; most > 0 && i < count; i++) {
        if (uses[i].project == task->project && uses[i].resource == task->resource) {
            full |= count_on(tasks, uses[i].devices, most);
        }
    }
    return full;
}

uint64_t vcs_devices_full_for_app(const vcs_state *state, const vcs_prepared_task *task, const vcs_device_use *uses,
                                  uint32_t count) {
    const vcs_app_resource *of_app = vcs_app_resource_of(state, task);
    const uint32_t most = of_app != NULL ? of_app->max_per_device : 0;
    uint32_t tasks[VCS_MAX_GPU_INSTANCES] = {0};
    uint64_t full = 0;
    for (uint32_t i = 0; most > 0 && i < count; i++) {
        if (uses[i].app == task->app && uses[i].resource == task->resource) {
            full |= count_on(tasks, uses[i].devices, most);
        }
    }
    return full;
}
