/* SPDX-License-Identifier: MIT */
#include "schedule/take.h"

#include "schedule/may_run.h"
#include "schedule/slice.h"

/* ---- What is in the way ---- */

static int is_at_project_limit(const vcs_selection *selection, uint32_t project) {
    const uint32_t limit = selection->project_records[project].max_concurrent;
    return limit != 0 && selection->projects[project].tasks >= limit;
}

static int is_at_app_limit(const vcs_selection *selection, uint32_t app) {
    if (app == VCS_NONE) {
        return 0;
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

/* Whether enough of what is free on its resource is free for its project. */
static int is_allowed(const vcs_selection *selection, const vcs_prepared_task *task) {
    const uint64_t allowed = vcs_allowed_to(selection->state, task->project, task->resource);
    const int64_t free = vcs_instance_sets_free(&selection->resources[task->resource].sets, allowed);
    return vcs_own_use(task) <= vcs_largest_fit(selection->state, free);
}

/* Why a task waits although no limit stops it. */
static uint32_t reason_to_wait(const vcs_selection *selection, const vcs_prepared_task *task) {
    if (!vcs_runs_already(task)) {
        return VCS_REASON_WAITS;
    }
    return selection->resources[task->resource].has_late ? VCS_REASON_GIVES_WAY : VCS_REASON_SLICE_OVER;
}

/* What keeps a task from being taken; VCS_REASON_NONE if nothing does. */
static uint32_t find_obstacle(const vcs_selection *selection, const vcs_prepared_task *task) {
    const vcs_selection_resource *own = &selection->resources[task->resource];
    const uint32_t limit = selection->has_limits ? find_limit(selection, task) : VCS_REASON_NONE;
    if (limit != VCS_REASON_NONE) {
        return limit;
    }
    if (vcs_own_use(task) > own->largest_fit) {
        return reason_to_wait(selection, task);
    }
    if (own->sets.count > 0 && !is_allowed(selection, task)) {
        return VCS_REASON_EXCLUDED;
    }
    return task->cpu_units > selection->resources[0].largest_fit ? reason_to_wait(selection, task) : VCS_REASON_NONE;
}

/* ---- Taking ---- */

/* A task of a project uses `units` of a resource from now on. */
static inline void use(vcs_selection *selection, uint32_t project, uint32_t resource, int64_t units) {
    vcs_selection_resource *of = &selection->resources[resource];
    of->free -= units;
    of->largest_fit = vcs_largest_fit(selection->state, of->free);
    vcs_selection_at(selection, project, resource)->used += units;
    if (of->sets.count > 0) {
        vcs_instance_sets_use(&of->sets, vcs_allowed_to(selection->state, project, resource), units);
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
        left = vcs_slice_left(state, task);
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

static void take(vcs_selection *selection, uint32_t index, uint32_t reason) {
    const vcs_prepared_task *task = &selection->prepared[index];
    const uint32_t place = selection->summary.running++;
    selection->running[place] = index;
    selection->summary.ram += task->ram;
    selection->projects[task->project].tasks++;
    if (task->app != VCS_NONE) {
        selection->app_tasks[task->app]++;
    }
    use(selection, task->project, 0, task->cpu_units);
    if (task->resource != 0) {
        use(selection, task->project, task->resource, task->gpu_units);
    }
    uint32_t flags = note_slice(selection, task);
    if (reason == VCS_REASON_LATE) {
        flags |= VCS_DECISION_LATE;
        if (!vcs_runs_already(task)) {
            note_late(selection, task);
        }
    }
    selection->decisions[index] =
        (vcs_task_decision){.run = 1, .reason = reason, .place = place, .flags = flags};
}

/* ---- Offers ---- */

int vcs_offer_task(vcs_selection *selection, uint32_t task, uint32_t reason) {
    const uint32_t obstacle = find_obstacle(selection, &selection->prepared[task]);
    if (obstacle != VCS_REASON_NONE) {
        selection->decisions[task].reason = obstacle;
        return 0;
    }
    take(selection, task, reason);
    return 1;
}

/* ---- The tasks that wait for their project's turn ---- */

/* The queue of a project that a task joins. */
static inline uint32_t *queue_of(vcs_selection_project_resource *of, const vcs_prepared_task *task) {
    if (vcs_runs_already(task)) {
        return &of->queues[0];
    }
    return (task->flags & VCS_TASK_STARTED) != 0 ? &of->queues[1] : &of->queues[2];
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
        if (tasks[index].stage == VCS_STAGE_TURN && vcs_may_run(selection, task)) {
            uint32_t *first = queue_of(&project_resources[task->project * resources + task->resource], task);
            tasks[index].next = *first;
            *first = index;
        }
    }
}

int vcs_offer_waiting(vcs_selection *selection, uint32_t project, uint32_t resource) {
    vcs_selection_project_resource *of = vcs_selection_at(selection, project, resource);
    for (uint32_t q = 0; q < VCS_TURN_QUEUES; q++) {
        while (of->queues[q] != VCS_NONE) {
            const uint32_t task = of->queues[q];
            of->queues[q] = selection->tasks[task].next;
            if (vcs_offer_task(selection, task, VCS_REASON_TURN)) {
                return 1;
            }
        }
    }
    return 0;
}
