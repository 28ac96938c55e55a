/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/deadline/unit_limits.h"

#include "vcsched/core/invariant.h"
#include "vcsched/simulation/limits.h"

void vcs_unit_limits_lay_out(vcs_unit_limits *limits, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t owners = counts->projects + counts->apps, tasks = counts->tasks + counts->candidates;
    const bool may_be = vcs_may_limit_units(counts);
    limits->uses = vcs_arena_allocate(arena, may_be ? 2 * tasks : 0, sizeof *limits->uses);
    limits->first = vcs_arena_allocate(arena, may_be ? owners * counts->resources : 0, sizeof *limits->first);
}

void vcs_unit_limits_begin(vcs_unit_limits *limits, vcs_plan *plan) {
    const vcs_state *state = plan->state;
    const size_t lists = ((size_t)state->project_count + state->app_count) * state->resource_count;
    limits->plan = plan;
    limits->count = 0;
    limits->any = (state->has_instance_limits | state->has_device_limits) != 0;
    for (size_t i = 0; limits->any && i < lists; i++) {
        limits->first[i] = VCS_NONE;
    }
}

/* ---- What limits a task ---- */

static int64_t main_use(const vcs_prepared_task *task) {
    return task->resource == 0 ? task->cpu_units : task->gpu_units;
}

static const vcs_project_resource *of_project(const vcs_state *state, const vcs_prepared_task *task) {
    return &vcs_project_resources(state)[(size_t)task->project * state->resource_count + task->resource];
}

/* The greatest sum of units under the limits in instances of a project, and of an application. */
static uint64_t most_of_project(const vcs_state *state, const vcs_prepared_task *task) {
    return vcs_most_units(of_project(state, task)->max_instances);
}

static uint64_t most_of_app(const vcs_state *state, const vcs_prepared_task *task) {
    const vcs_app_resource *of_app = vcs_app_resource_of(state, task);
    return vcs_most_units(of_app != NULL ? of_app->max_instances : 0.0);
}

static uint32_t per_device_of_app(const vcs_state *state, const vcs_prepared_task *task) {
    const vcs_app_resource *of_app = vcs_app_resource_of(state, task);
    return of_app != NULL ? of_app->max_per_device : 0;
}

bool vcs_exceeds_limits(const vcs_state *state, const vcs_prepared_task *task) {
    const uint64_t units = (uint64_t)main_use(task);
    return units > most_of_project(state, task) || units > most_of_app(state, task);
}

bool vcs_limits_units_of(const vcs_unit_limits *limits, const vcs_prepared_task *task) {
    const vcs_state *state = limits->plan->state;
    return limits->any && (most_of_project(state, task) != UINT64_MAX || most_of_app(state, task) != UINT64_MAX ||
                           vcs_has_device_limit(state, task));
}

uint32_t vcs_most_single_tasks(double max_instances, uint32_t most) {
    const uint64_t units = vcs_most_units(max_instances), tasks = units / (uint64_t)VCS_ONE;
    return units == UINT64_MAX || (most > 0 && most < tasks) ? most : (uint32_t)tasks;
}

/* ---- Lists ---- */

static uint32_t *list_of_project(const vcs_unit_limits *limits, const vcs_prepared_task *task) {
    return &limits->first[(size_t)task->project * limits->plan->state->resource_count + task->resource];
}

static uint32_t *list_of_app(const vcs_unit_limits *limits, const vcs_prepared_task *task) {
    const vcs_state *state = limits->plan->state;
    return &limits->first[((size_t)state->project_count + task->app) * state->resource_count + task->resource];
}

static void add_use(vcs_unit_limits *limits, uint32_t *first, const vcs_placed_use *use) {
    const uint32_t added = limits->count++;
    uint32_t *place = first;
    while (*place != VCS_NONE && limits->uses[*place].end > use->end) {
        place = &limits->uses[*place].next;
        ++*vcs_plan_effort(limits->plan);
    }
    limits->uses[added] = *use;
    limits->uses[added].next = *place;
    *place = added;
}

/* The devices that a task was just placed on: the first ones chosen. */
static uint64_t devices_of(const vcs_unit_limits *limits, const vcs_prepared_task *task) {
    const vcs_timeline *timeline = &limits->plan->timelines[task->resource];
    const int64_t count = (task->gpu_units + VCS_ONE - 1) / VCS_ONE;
    uint64_t devices = 0;
    for (int64_t k = 0; task->resource != 0 && k < count; k++) {
        devices |= UINT64_C(1) << timeline->chosen[k];
    }
    return devices;
}

void vcs_unit_limits_count(vcs_unit_limits *limits, const vcs_prepared_task *task, int64_t end) {
    const vcs_placed_use use = {.end = end, .units = main_use(task), .devices = devices_of(limits, task)};
    add_use(limits, list_of_project(limits, task), &use);
    if (task->app != VCS_NONE) {
        add_use(limits, list_of_app(limits, task), &use);
    }
}

/* ---- When they open ---- */

/* When no more than `most` units are left with `units` more. */
static int64_t units_open(const vcs_unit_limits *limits, uint32_t first, int64_t units, uint64_t most) {
    uint64_t sum = (uint64_t)units;
    for (uint32_t i = first; most != UINT64_MAX && i != VCS_NONE; i = limits->uses[i].next) {
        sum += (uint64_t)limits->uses[i].units;
        ++*vcs_plan_effort(limits->plan);
        if (sum > most) {
            return limits->uses[i].end;
        }
    }
    return 0;
}

/* Finds when fewer than `most` tasks are left on each device. */
static void open_devices(vcs_unit_limits *limits, uint32_t first, uint32_t most, uint32_t instances) {
    uint32_t tasks[VCS_MAX_GPU_INSTANCES] = {0}, open = instances;
    for (uint32_t i = first; most > 0 && open > 0 && i != VCS_NONE; i = limits->uses[i].next) {
        uint64_t devices = limits->uses[i].devices;
        for (uint32_t d = 0; devices != 0; d++, devices >>= 1) {
            if ((devices & 1) != 0 && ++tasks[d] == most) {
                limits->openings[d] = vcs_max_i64(limits->uses[i].end, limits->openings[d]);
                open--;
            }
        }
        ++*vcs_plan_effort(limits->plan);
    }
}

/* When limits per device let a task start; 0 = they do not delay it. */
static int64_t devices_open(vcs_unit_limits *limits, const vcs_prepared_task *task) {
    const vcs_state *state = limits->plan->state;
    const uint32_t instances = vcs_resources(state)[task->resource].instances;
    VCS_INVARIANT(instances <= VCS_MAX_GPU_INSTANCES); /* of a GPU type */
    for (uint32_t d = 0; d < instances; d++) {
        limits->openings[d] = 0;
    }
    open_devices(limits, *list_of_project(limits, task), of_project(state, task)->max_per_device, instances);
    if (task->app != VCS_NONE) {
        open_devices(limits, *list_of_app(limits, task), per_device_of_app(state, task), instances);
    }
    const int64_t whenever = vcs_plan_gpu_start(limits->plan, task);
    limits->plan->openings = limits->openings;
    const int64_t within = vcs_plan_gpu_start(limits->plan, task);
    return within > whenever ? within : 0;
}

int64_t vcs_unit_limits_open(vcs_unit_limits *limits, const vcs_prepared_task *task) {
    const vcs_state *state = limits->plan->state;
    const int64_t units = main_use(task);
    limits->plan->openings = NULL;
    int64_t open = units_open(limits, *list_of_project(limits, task), units, most_of_project(state, task));
    if (task->app != VCS_NONE) {
        open = vcs_max_i64(open, units_open(limits, *list_of_app(limits, task), units, most_of_app(state, task)));
    }
    return vcs_has_device_limit(state, task) ? vcs_max_i64(open, devices_open(limits, task)) : open;
}
