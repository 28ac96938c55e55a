/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/place.h"

#include "vcsched/core/invariant.h"
#include "vcsched/schedule/slice.h"

/* ---- Obstacles ---- */

static bool is_at_project_limit(const vcs_placement *placement, uint32_t project) {
    const uint32_t limit = placement->selection->project_records[project].max_concurrent;
    return limit != 0 && placement->project_tasks[project] >= limit;
}

static bool is_at_app_limit(const vcs_placement *placement, uint32_t app) {
    if (app == VCS_NONE) {
        return false;
    }
    const uint32_t limit = placement->selection->apps[app].max_concurrent;
    return limit != 0 && placement->app_tasks[app] >= limit;
}

/* The limit that keeps a task from running, whatever it uses; VCS_REASON_NONE. */
static uint32_t find_limit(const vcs_placement *placement, const vcs_prepared_task *task) {
    if (is_at_project_limit(placement, task->project)) {
        return VCS_REASON_PROJECT_LIMIT;
    }
    if (is_at_app_limit(placement, task->app)) {
        return VCS_REASON_APP_LIMIT;
    }
    return placement->summary.ram + task->ram <= placement->selection->ram ? VCS_REASON_NONE : VCS_REASON_MEMORY;
}

/* Why a task waits although no limit stops it. */
static uint32_t reason_to_wait(const vcs_placement *placement, const vcs_prepared_task *task) {
    if (!vcs_runs_already(task)) {
        return VCS_REASON_WAITS;
    }
    return placement->resources[task->resource].has_late ? VCS_REASON_GIVES_WAY : VCS_REASON_SLICE_OVER;
}

/* Finds devices for a GPU task: its own if it may keep them, else others; or returns the obstacle. */
static uint32_t find_devices(const vcs_placement *placement, const vcs_prepared_task *task, uint64_t *devices) {
    const vcs_devices *of = &placement->devices[task->resource];
    const uint64_t allowed = vcs_allowed_to(placement->selection->state, task);
    if (vcs_devices_suit(of, task->gpu_units, allowed, *devices) ||
        vcs_devices_find(of, task->gpu_units, allowed, devices)) {
        return VCS_REASON_NONE;
    }
    return vcs_devices_find(of, task->gpu_units, UINT64_MAX, devices) ? VCS_REASON_EXCLUDED
                                                                      : reason_to_wait(placement, task);
}

/* Finds room for a task, or returns the obstacle. `devices`: those it held, then those it gets. */
static uint32_t find_room(const vcs_placement *placement, const vcs_prepared_task *task, uint64_t *devices) {
    if (task->resource == 0) {
        return vcs_cpu_task_fits(&placement->cpus, task->cpu_units) ? VCS_REASON_NONE : reason_to_wait(placement, task);
    }
    const uint32_t obstacle = find_devices(placement, task, devices);
    if (obstacle != VCS_REASON_NONE || vcs_cpu_share_fits(&placement->cpus, task->cpu_units)) {
        return obstacle;
    }
    return reason_to_wait(placement, task);
}

/* The obstacle to a task; VCS_REASON_NONE. Records whether memory is the only one. */
static uint32_t find_obstacle(vcs_placement *placement, const vcs_prepared_task *task, uint64_t *devices) {
    const uint32_t limit = placement->selection->has_limits ? find_limit(placement, task) : VCS_REASON_NONE;
    if (limit != VCS_REASON_NONE && limit != VCS_REASON_MEMORY) {
        return limit;
    }
    const uint32_t obstacle = find_room(placement, task, devices);
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

static void occupy(vcs_placement *placement, const vcs_prepared_task *task, uint64_t devices) {
    add_use(placement, task->project, 0, task->cpu_units);
    vcs_cpus_occupy(&placement->cpus, task->cpu_units, task->resource != 0);
    if (task->resource != 0) {
        add_use(placement, task->project, task->resource, task->gpu_units);
        vcs_devices_occupy(&placement->devices[task->resource], task->gpu_units, devices);
    }
}

/* A late task that starts makes others give way on all resources it uses. */
static void mark_resource_late(vcs_placement *placement, const vcs_prepared_task *task) {
    placement->resources[task->resource].has_late = 1;
    if (task->cpu_units > 0) {
        placement->resources[0].has_late = 1;
    }
}

/* Runs a task in its present slice or in a new one. Returns the changes: VCS_DECISION_*. */
static uint32_t choose_slice(vcs_placement *placement, const vcs_prepared_task *task) {
    const vcs_state *state = placement->selection->state;
    vcs_schedule_summary *summary = &placement->summary;
    uint32_t flags = 0;
    double left = state->parameters.period;
    if (vcs_slice_lasts(state, task)) {
        left = vcs_slice_left(&state->parameters, state->now - task->running_since);
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
    const uint32_t position = placement->summary.running++;
    /* Each task is offered once (its stage says when), so it is placed once at most. */
    VCS_INVARIANT(position < placement->selection->state->task_count);
    placement->running[position] = index;
    placement->summary.ram += task->ram;
    placement->project_tasks[task->project]++;
    if (task->app != VCS_NONE) {
        placement->app_tasks[task->app]++;
    }
    occupy(placement, task, devices);
    uint32_t flags = choose_slice(placement, task);
    if (reason == VCS_REASON_LATE) {
        flags |= VCS_DECISION_LATE;
        if (!vcs_runs_already(task)) {
            mark_resource_late(placement, task);
        }
    }
    placement->decisions[index] =
        (vcs_task_decision){.run = 1, .reason = reason, .place = position, .flags = flags, .devices = devices};
}

/* ---- Offers ---- */

void vcs_hold_devices(vcs_placement *placement, uint32_t index, double loss) {
    const vcs_prepared_task *task = &placement->selection->prepared[index];
    const uint64_t held = vcs_task_records(placement->selection->state)[index].devices;
    vcs_devices *devices = &placement->devices[task->resource];
    vcs_devices_hold(devices, task->gpu_units, held);
    vcs_devices_risk(devices, held, loss);
}

uint64_t vcs_release_devices(vcs_placement *placement, uint32_t index) {
    const vcs_prepared_task *task = &placement->selection->prepared[index];
    if (task->resource == 0 || !vcs_runs_already(task)) {
        return 0;
    }
    const uint64_t held = vcs_task_records(placement->selection->state)[index].devices;
    vcs_devices_let_go(&placement->devices[task->resource], task->gpu_units, held);
    return held;
}

uint32_t vcs_place_task(vcs_placement *placement, uint32_t task, uint32_t reason, uint64_t devices) {
    const uint32_t obstacle = find_obstacle(placement, &placement->selection->prepared[task], &devices);
    if (obstacle == VCS_REASON_NONE) {
        place(placement, task, reason, devices);
    } else {
        placement->decisions[task].reason = obstacle;
    }
    return obstacle;
}

uint32_t vcs_offer_task(vcs_placement *placement, uint32_t task, uint32_t reason) {
    return vcs_place_task(placement, task, reason, vcs_release_devices(placement, task));
}
