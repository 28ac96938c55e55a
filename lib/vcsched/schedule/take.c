/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/take.h"

#include "vcsched/core/invariant.h"
#include "vcsched/schedule/may_run.h"
#include "vcsched/schedule/slice.h"

/* ---- What is in the way ---- */

static bool is_at_project_limit(const vcs_selection *selection, uint32_t project) {
    const uint32_t limit = selection->project_records[project].max_concurrent;
    return limit != 0 && selection->project_tasks[project] >= limit;
}

static bool is_at_app_limit(const vcs_selection *selection, uint32_t app) {
    if (app == VCS_NONE) {
        return false;
    }
    const uint32_t limit = selection->apps[app].max_concurrent;
    return limit != 0 && selection->app_tasks[app] >= limit;
}

/* Which limit keeps a task from running, whatever it uses; VCS_REASON_NONE if none does. */
static uint32_t find_limit(const vcs_selection *selection, const vcs_prepared_task *task) {
    if (is_at_project_limit(selection, task->project)) {
        return VCS_REASON_PROJECT_LIMIT;
    }
    if (is_at_app_limit(selection, task->app)) {
        return VCS_REASON_APP_LIMIT;
    }
    return selection->summary.ram + task->ram <= selection->ram ? VCS_REASON_NONE : VCS_REASON_MEMORY;
}

/* Why a task waits although no limit stops it. */
static uint32_t reason_to_wait(const vcs_selection *selection, const vcs_prepared_task *task) {
    if (!vcs_runs_already(task)) {
        return VCS_REASON_WAITS;
    }
    return selection->resources[task->resource].has_late ? VCS_REASON_GIVES_WAY : VCS_REASON_SLICE_OVER;
}

/* Finds devices for a GPU task: those that it holds if it may keep them, else others; or says what is in the way. */
static uint32_t find_devices(const vcs_selection *selection, const vcs_prepared_task *task, uint64_t *devices) {
    const vcs_devices *of = &selection->devices[task->resource];
    const uint64_t allowed = vcs_allowed_to(selection->state, task);
    if (vcs_devices_suit(of, task->gpu_units, allowed, *devices) ||
        vcs_devices_find(of, task->gpu_units, allowed, devices)) {
        return VCS_REASON_NONE;
    }
    return vcs_devices_find(of, task->gpu_units, UINT64_MAX, devices) ? VCS_REASON_EXCLUDED
                                                                      : reason_to_wait(selection, task);
}

/* Whether a task finds a place; else why not. `devices`: those it holds, then those it gets. */
static uint32_t find_place(const vcs_selection *selection, const vcs_prepared_task *task, uint64_t *devices) {
    if (task->resource == 0) {
        return vcs_cpu_task_fits(&selection->cpus, task->cpu_units) ? VCS_REASON_NONE : reason_to_wait(selection, task);
    }
    const uint32_t obstacle = find_devices(selection, task, devices);
    if (obstacle != VCS_REASON_NONE || vcs_cpu_share_fits(&selection->cpus, task->cpu_units)) {
        return obstacle;
    }
    return reason_to_wait(selection, task);
}

/* What keeps a task from being taken; VCS_REASON_NONE if nothing. Notes where memory alone does. */
static uint32_t find_obstacle(vcs_selection *selection, const vcs_prepared_task *task, uint64_t *devices) {
    const uint32_t limit = selection->has_limits ? find_limit(selection, task) : VCS_REASON_NONE;
    if (limit != VCS_REASON_NONE && limit != VCS_REASON_MEMORY) {
        return limit;
    }
    const uint32_t obstacle = find_place(selection, task, devices);
    if (limit == VCS_REASON_NONE) {
        return obstacle;
    }
    selection->lacks_memory |= obstacle == VCS_REASON_NONE;
    return limit;
}

/* ---- Taking ---- */

/* A task of a project uses `units` of a resource from now on. */
static inline void use(vcs_selection *selection, uint32_t project, uint32_t resource, int64_t units) {
    vcs_selection_resource *all = &selection->resources[resource];
    vcs_selection_project_resource *own = vcs_selection_at(selection, project, resource);
    /* It fits, so that together they use little more than there is; a project uses no more than all of them. */
    const int64_t of_all = all->used, of_own = own->used;
    VCS_INVARIANT(of_all <= INT64_MAX / 2 && of_own <= INT64_MAX / 2 && units <= INT64_MAX / 2);
    all->used = of_all + units;
    own->used = of_own + units;
}

static void use_all(vcs_selection *selection, const vcs_prepared_task *task, uint64_t devices) {
    use(selection, task->project, 0, task->cpu_units);
    vcs_cpus_occupy(&selection->cpus, task->cpu_units, task->resource != 0);
    if (task->resource != 0) {
        use(selection, task->project, task->resource, task->gpu_units);
        vcs_devices_occupy(&selection->devices[task->resource], task->gpu_units, devices);
    }
}

/* A late task that starts makes others give way on all that it uses. */
static void note_late(vcs_selection *selection, const vcs_prepared_task *task) {
    selection->resources[task->resource].has_late = 1;
    if (task->cpu_units > 0) {
        selection->resources[0].has_late = 1;
    }
}

/* It runs from now on, in its present slice or in a new one. Returns what that changes: VCS_DECISION_*. */
static uint32_t note_slice(vcs_selection *selection, const vcs_prepared_task *task) {
    const vcs_state *state = selection->state;
    vcs_schedule_summary *summary = &selection->summary;
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

static void take(vcs_selection *selection, uint32_t index, uint32_t reason, uint64_t devices) {
    const vcs_prepared_task *task = &selection->prepared[index];
    const uint32_t place = selection->summary.running++;
    /* Each task is offered once (its stage says when), so that it is taken once at most. */
    VCS_INVARIANT(place < selection->state->task_count);
    selection->running[place] = index;
    selection->summary.ram += task->ram;
    selection->project_tasks[task->project]++;
    if (task->app != VCS_NONE) {
        selection->app_tasks[task->app]++;
    }
    use_all(selection, task, devices);
    uint32_t flags = note_slice(selection, task);
    if (reason == VCS_REASON_LATE) {
        flags |= VCS_DECISION_LATE;
        if (!vcs_runs_already(task)) {
            note_late(selection, task);
        }
    }
    selection->decisions[index] =
        (vcs_task_decision){.run = 1, .reason = reason, .place = place, .flags = flags, .devices = devices};
}

/* ---- Offers ---- */

/* The devices that a running task has held until now; it is offered. */
static uint64_t let_go(vcs_selection *selection, uint32_t index) {
    const vcs_prepared_task *task = &selection->prepared[index];
    if (task->resource == 0 || !vcs_runs_already(task) || selection->tasks[index].stage == VCS_STAGE_DISPLACED) {
        return 0;
    }
    const uint64_t held = vcs_task_records(selection->state)[index].devices;
    vcs_devices_let_go(&selection->devices[task->resource], task->gpu_units, held);
    return held;
}

uint32_t vcs_offer_task(vcs_selection *selection, uint32_t task, uint32_t reason) {
    uint64_t devices = let_go(selection, task);
    const uint32_t obstacle = find_obstacle(selection, &selection->prepared[task], &devices);
    if (obstacle == VCS_REASON_NONE) {
        take(selection, task, reason, devices);
    } else {
        selection->decisions[task].reason = obstacle;
    }
    return obstacle;
}

/*
 * A running task whose devices were given to others has to start again wherever it goes. So it must not drive out
 * another that keeps running: it waits for its project's turn, behind those.
 */
static bool is_displaced(vcs_selection *selection, uint32_t index) {
    const vcs_prepared_task *task = &selection->prepared[index];
    if (task->resource == 0) {
        return false;
    }
    const uint64_t held = vcs_task_records(selection->state)[index].devices;
    if (held == 0 || vcs_devices_suit(&selection->devices[task->resource], task->gpu_units,
                                      vcs_allowed_to(selection->state, task), held)) {
        return false;
    }
    vcs_selection_project_resource *of = vcs_selection_at(selection, task->project, task->resource);
    uint32_t *first = &of->queues[VCS_TURN_DISPLACED];
    let_go(selection, index);
    selection->tasks[index] = (vcs_selection_task){VCS_STAGE_DISPLACED, VCS_NONE};
    *(*first == VCS_NONE ? first : &selection->tasks[of->last_displaced].next) = index;
    of->last_displaced = index;
    return true;
}

void vcs_offer_slice(vcs_selection *selection, uint32_t task) {
    if (!is_displaced(selection, task)) {
        vcs_offer_task(selection, task, VCS_REASON_SLICE);
    }
}

/* ---- The tasks that wait for their project's turn ---- */

/* The queue of a project that a task joins. */
static inline uint32_t *queue_of(vcs_selection_project_resource *of, const vcs_prepared_task *task) {
    if (vcs_runs_already(task)) {
        return &of->queues[VCS_TURN_RUNNING];
    }
    return &of->queues[(task->flags & VCS_TASK_STARTED) != 0 ? VCS_TURN_STARTED : VCS_TURN_FRESH];
}

void vcs_queue_waiting(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_prepared_task *prepared = selection->prepared;
    vcs_selection_task *tasks = selection->tasks;
    vcs_selection_project_resource *project_resources = selection->project_resources;
    const size_t resources = state->resource_count;
    const uint32_t *by_arrival = vcs_arrival_order(state);
    for (uint32_t i = state->task_count; i-- > 0;) { /* from the last arrival: each goes before those queued so far */
        const uint32_t index = by_arrival[i];
        const vcs_prepared_task *task = &prepared[index];
        vcs_selection_project_resource *of = &project_resources[task->project * resources + task->resource];
        of->taking_part += task->takes_part;
        if (tasks[index].stage == VCS_STAGE_TURN && vcs_may_run(selection, task)) {
            uint32_t *first = queue_of(of, task);
            tasks[index].next = *first;
            *first = index;
        }
    }
}

bool vcs_offer_waiting(vcs_selection *selection, uint32_t project, uint32_t resource) {
    vcs_selection_project_resource *of = vcs_selection_at(selection, project, resource);
    for (uint32_t q = 0; q < VCS_TURN_QUEUES; q++) {
        while (of->queues[q] != VCS_NONE) {
            const uint32_t task = of->queues[q];
            of->queues[q] = selection->tasks[task].next;
            if ((q != VCS_TURN_RUNNING || !is_displaced(selection, task)) &&
                vcs_offer_task(selection, task, VCS_REASON_TURN) == VCS_REASON_NONE) {
                return true;
            }
        }
    }
    return false;
}
