/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/place.h"

#include "vcsched/core/invariant.h"
#include "vcsched/simulation/slice.h"

/* ---- Obstacles ---- */

/* Whether a task has run, so that it goes on where it was stopped. */
static bool has_begun(const vcs_prepared_task *task) {
    return (task->flags & (VCS_TASK_RUNNING | VCS_TASK_STARTED)) != 0;
}

/* Units that a task uses of its own resource. */
static int64_t main_use(const vcs_prepared_task *task) {
    return task->resource == 0 ? task->cpu_units : task->gpu_units;
}

/* The limit in instances that keeps a task from running; VCS_REASON_NONE. */
static uint32_t find_instance_limit(const vcs_placement *placement, const vcs_prepared_task *task) {
    const vcs_state *state = placement->selection->state;
    const size_t index = vcs_selection_index(placement->selection, task->project, task->resource);
    const uint64_t of_project = vcs_most_units(vcs_project_resources(state)[index].max_instances);
    if ((uint64_t)(placement->project_units[index] + main_use(task)) > of_project) {
        return VCS_REASON_PROJECT_LIMIT;
    }
    const vcs_app_resource *of_app = vcs_app_resource_of(state, task);
    if (of_app != NULL) {
        const size_t app_index = (size_t)task->app * state->resource_count + task->resource;
        if ((uint64_t)(placement->app_units[app_index] + main_use(task)) > vcs_most_units(of_app->max_instances)) {
            return VCS_REASON_APP_LIMIT;
        }
    }
    return VCS_REASON_NONE;
}

/* The limit that keeps a task from running, wherever it may run; VCS_REASON_NONE. */
static uint32_t find_limit(const vcs_placement *placement, const vcs_prepared_task *task) {
    const vcs_selection *selection = placement->selection;
    const uint32_t of_project = selection->project_records[task->project].max_concurrent;
    if (of_project != 0 && placement->project_tasks[task->project] >= of_project) {
        return VCS_REASON_PROJECT_LIMIT;
    }
    const uint32_t of_app = task->app == VCS_NONE ? 0 : selection->apps[task->app].max_concurrent;
    if (of_app != 0 && placement->app_tasks[task->app] >= of_app) {
        return VCS_REASON_APP_LIMIT;
    }
    if (selection->state->has_instance_limits) {
        const uint32_t limit = find_instance_limit(placement, task);
        if (limit != VCS_REASON_NONE) {
            return limit;
        }
    }
    const double kept = vcs_keeps_memory(selection->state, task) ? 0.0 : placement->kept_ram;
    return placement->summary.ram + kept + task->ram <= selection->ram ? VCS_REASON_NONE : VCS_REASON_MEMORY;
}

/*
 * Whether a task, once stopped, belongs to the devices it had: it may use them, and they are as many as it needs.
 * Exclusions and uses may have changed since.
 */
static bool is_bound(const vcs_selection *selection, uint32_t index) {
    const vcs_state *state = selection->state;
    const vcs_prepared_task *task = &selection->prepared[index];
    if (state->parameters.device_bound == VCS_DEVICES_FREE || task->resource == 0 || !has_begun(task)) {
        return false;
    }
    const uint64_t own = vcs_task_records(state)[index].devices;
    return vcs_devices_match(task->gpu_units, own) && (own & ~vcs_allowed_devices(state, task)) == 0;
}

/* Whether a task must not go on on other devices, even if it must not use its own any more. */
static bool needs_own_devices(const vcs_state *state, uint32_t index) {
    const vcs_prepared_task *task = &vcs_prepared_tasks(state)[index];
    return state->parameters.device_bound == VCS_DEVICES_REQUIRED && has_begun(task) &&
           vcs_devices_match(task->gpu_units, vcs_task_records(state)[index].devices);
}

/*
 * Finds the devices that limits on each leave to a task among the allowed ones. Returns the limit that alone keeps the
 * task from running, or VCS_REASON_NONE.
 */
static uint32_t find_open_devices(const vcs_placement *placement, const vcs_prepared_task *task, uint64_t allowed,
                                  uint64_t *open) {
    const vcs_state *state = placement->selection->state;
    const vcs_devices *of = &placement->devices[task->resource];
    uint64_t unused;
    const uint64_t full_for_project =
        vcs_devices_full_for_project(state, task, placement->device_uses, placement->device_use_count);
    *open = allowed & ~(full_for_project |
                        vcs_devices_full_for_app(state, task, placement->device_uses, placement->device_use_count));
    if (!vcs_devices_find(of, task->gpu_units, allowed, &unused) ||
        vcs_devices_find(of, task->gpu_units, *open, &unused)) {
        return VCS_REASON_NONE;
    }
    return vcs_devices_find(of, task->gpu_units, allowed & ~full_for_project, &unused) ? VCS_REASON_APP_LIMIT
                                                                                       : VCS_REASON_PROJECT_LIMIT;
}

/*
 * Finds devices for a task: those it had until now, `devices`, if it may go on there, or others. Sets `devices`, or
 * returns the obstacle. A stopped task takes its devices from a running one only if it must, or fits nowhere else.
 */
static uint32_t find_devices(const vcs_placement *placement, uint32_t index, uint64_t *devices) {
    const vcs_state *state = placement->selection->state;
    const vcs_prepared_task *task = &placement->selection->prepared[index];
    const vcs_devices *of = &placement->devices[task->resource];
    const uint64_t own = *devices;
    uint64_t allowed = vcs_allowed_devices(state, task);
    if (state->has_device_limits) {
        const uint32_t limit = find_open_devices(placement, task, allowed, &allowed);
        if (limit != VCS_REASON_NONE) {
            return limit;
        }
    }
    const bool suits = vcs_devices_suit(of, task->gpu_units, allowed, own);
    const bool needs_own = needs_own_devices(state, index);
    if (suits && (needs_own || vcs_runs_already(task) || vcs_devices_are_spare(of, task->gpu_units, own))) {
        return VCS_REASON_NONE;
    }
    if (!vcs_devices_find(of, task->gpu_units, allowed, devices)) {
        return vcs_devices_find(of, task->gpu_units, UINT64_MAX, devices) ? VCS_REASON_EXCLUDED : VCS_REASON_WAITS;
    }
    if (needs_own) {
        return VCS_REASON_OWN_DEVICES;
    }
    if (suits && !vcs_devices_are_spare(of, task->gpu_units, *devices)) {
        *devices = own;
    }
    return VCS_REASON_NONE;
}

/* Finds room for a task, or returns the obstacle. Sets its devices; until now it had `devices`. */
static uint32_t find_room(const vcs_placement *placement, uint32_t index, uint64_t *devices) {
    const vcs_prepared_task *task = &placement->selection->prepared[index];
    uint32_t obstacle = VCS_REASON_NONE;
    bool has_cpus = false;
    if (task->resource == 0) {
        has_cpus = vcs_must_go_on(task) ? vcs_cpu_task_goes_on(&placement->cpus, task->cpu_units)
                                        : vcs_cpu_task_fits(&placement->cpus, task->cpu_units);
    } else {
        obstacle = find_devices(placement, index, devices);
        has_cpus = vcs_cpu_share_fits(&placement->cpus, task->cpu_units);
    }
    if (obstacle == VCS_REASON_NONE && !has_cpus) {
        obstacle = VCS_REASON_WAITS;
    }
    if (obstacle != VCS_REASON_WAITS || !vcs_runs_already(task) || vcs_must_go_on(task) ||
        placement->selection->state->parameters.keep_running) {
        return obstacle;
    }
    const bool has_late = placement->resources[task->resource].has_late ||
                          (!has_cpus && placement->resources[0].has_late); /* its share of the CPUs, too */
    return has_late ? VCS_REASON_GIVES_WAY : VCS_REASON_SLICE_OVER;
}

/* The obstacle to a task; VCS_REASON_NONE. Records whether memory is the only one. */
static uint32_t find_obstacle(vcs_placement *placement, uint32_t index, uint64_t *devices) {
    const vcs_prepared_task *task = &placement->selection->prepared[index];
    const uint32_t limit = placement->selection->has_limits ? find_limit(placement, task) : VCS_REASON_NONE;
    if (limit != VCS_REASON_NONE && limit != VCS_REASON_MEMORY) {
        return limit;
    }
    const uint32_t obstacle = find_room(placement, index, devices);
    if (limit == VCS_REASON_NONE) {
        return obstacle;
    }
    placement->lacks_memory |= obstacle == VCS_REASON_NONE;
    return limit;
}

/* ---- Placing ---- */

/* Adds the use of a resource by a task of a project. */
static inline void add_use(vcs_placement *placement, uint32_t project, uint32_t resource, int64_t units) {
    int64_t *all = &placement->resources[resource].used;
    int64_t *own = &placement->project_uses[vcs_selection_index(placement->selection, project, resource)];
    /* The task fits, so all uses exceed the resource by little; a project uses no more than all projects. */
    const int64_t of_all = *all, of_own = *own;
    VCS_INVARIANT(of_all <= INT64_MAX / 2 && of_own <= INT64_MAX / 2 && units <= INT64_MAX / 2);
    *all = of_all + units;
    *own = of_own + units;
}

/* Counts a chosen task towards its limits in instances and per device. */
static void count_towards_limits(vcs_placement *placement, const vcs_prepared_task *task, uint64_t devices) {
    const vcs_state *state = placement->selection->state;
    if (state->has_instance_limits) {
        placement->project_units[vcs_selection_index(placement->selection, task->project, task->resource)] +=
            main_use(task);
        if (vcs_app_resource_of(state, task) != NULL) {
            placement->app_units[(size_t)task->app * state->resource_count + task->resource] += main_use(task);
        }
    }
    if (state->has_device_limits && task->resource != 0 && vcs_has_device_limit(state, task)) {
        placement->device_uses[placement->device_use_count++] = (vcs_device_use){
            .devices = devices, .project = task->project, .app = task->app, .resource = task->resource};
    }
}

/* Runs a task in its present slice, in a new one, or without. Returns the changes: VCS_DECISION_*. */
static uint32_t choose_slice(vcs_placement *placement, const vcs_prepared_task *task, uint32_t reason) {
    const vcs_state *state = placement->selection->state;
    const vcs_periods *periods = &placement->selection->periods;
    vcs_schedule_summary *summary = &placement->summary;
    uint32_t flags = 0;
    double left = vcs_period_of(periods, task);
    if (vcs_slice_lasts(state, periods, task)) {
        left = vcs_slice_left(&state->parameters, left, state->now - task->running_since);
    } else if (reason == VCS_REASON_FILLS_IN) {
        flags |= VCS_DECISION_FILLS_IN;
        left = VCS_INFINITY;
    } else {
        flags |= VCS_DECISION_NEW_SLICE;
    }
    summary->next_check = vcs_min(left, summary->next_check);
    if (vcs_runs_already(task)) {
        summary->stopped--;
    } else {
        flags |= VCS_DECISION_START;
        summary->started++;
    }
    return flags;
}

static void place(vcs_placement *placement, uint32_t index, uint32_t reason, uint64_t devices) {
    const vcs_prepared_task *task = &placement->selection->prepared[index];
    const uint32_t position = placement->summary.running++, resource = task->resource;
    /* Each task is offered once (its stage says when), so it is placed once at most. */
    VCS_INVARIANT(position < placement->selection->state->task_count);
    uint32_t flags = choose_slice(placement, task, reason) | vcs_hopeless_flag(placement->selection->state, task);
    if (reason == VCS_REASON_LATE) {
        flags |= VCS_DECISION_LATE;
        if (!vcs_runs_already(task)) { /* it makes others give way on all resources it uses */
            placement->resources[resource].has_late = 1;
            placement->resources[0].has_late |= task->cpu_units > 0;
        }
    }
    placement->running[position] = index;
    placement->decisions[index] =
        (vcs_task_decision){.run = 1, .reason = reason, .place = position, .flags = flags, .devices = devices};
    placement->summary.ram += task->ram;
    placement->kept_ram -= vcs_keeps_memory(placement->selection->state, task) ? task->ram : 0.0;
    placement->project_tasks[task->project]++;
    if (task->app != VCS_NONE) {
        placement->app_tasks[task->app]++;
    }
    add_use(placement, task->project, 0, task->cpu_units);
    if (resource != 0) {
        add_use(placement, task->project, resource, task->gpu_units);
        vcs_devices_occupy(&placement->devices[resource], task->gpu_units, devices);
    }
    count_towards_limits(placement, task, devices);
    vcs_cpus_occupy(&placement->cpus, task->cpu_units, resource != 0);
}

/* ---- Offers ---- */

void vcs_bind_devices(vcs_placement *placement, uint32_t index) {
    if (is_bound(placement->selection, index)) {
        const vcs_prepared_task *task = &placement->selection->prepared[index];
        vcs_devices_bind(&placement->devices[task->resource], task->gpu_units,
                         vcs_task_records(placement->selection->state)[index].devices);
    }
}

uint64_t vcs_release_devices(vcs_placement *placement, uint32_t index) {
    const vcs_prepared_task *task = &placement->selection->prepared[index];
    const bool runs = vcs_runs_already(task);
    if (task->resource == 0 || (!runs && !is_bound(placement->selection, index))) {
        return 0;
    }
    const uint64_t own = vcs_task_records(placement->selection->state)[index].devices;
    vcs_devices *of = &placement->devices[task->resource];
    if (runs) {
        vcs_devices_let_go(of, task->gpu_units, own);
    } else {
        vcs_devices_unbind(of, task->gpu_units, own);
    }
    return own;
}

uint32_t vcs_place_task(vcs_placement *placement, uint32_t task, uint32_t reason, uint64_t devices) {
    const uint32_t obstacle = find_obstacle(placement, task, &devices);
    if (obstacle == VCS_REASON_NONE) {
        place(placement, task, reason, devices);
    } else {
        placement->decisions[task].reason = obstacle;
        vcs_bind_devices(placement, task);
    }
    return obstacle;
}

uint32_t vcs_offer_task(vcs_placement *placement, uint32_t task, uint32_t reason) {
    return vcs_place_task(placement, task, reason, vcs_release_devices(placement, task));
}
