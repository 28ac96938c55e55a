/* SPDX-License-Identifier: MIT */
#include "schedule/schedule.h"

/* Whether enough of what is free on its resource is free for its project. */
static int is_allowed(const vcs_selection *selection, const vcs_prepared_task *task) {
    const uint64_t allowed = vcs_allowed_to(selection->state, task->project, task->resource);
    const int64_t free = vcs_instance_sets_free(&selection->pools[task->resource].sets, allowed);
    return vcs_use_of(task, task->resource) <= vcs_most_that_fits(selection->state, free);
}

/* What keeps a task from running although its own resource has room; VCS_REASON_NONE if nothing does. */
static uint32_t find_obstacle(const vcs_selection *selection, const vcs_prepared_task *task) {
    if (selection->pools[task->resource].sets.count > 0 && !is_allowed(selection, task)) {
        return VCS_REASON_EXCLUDED;
    }
    return task->cpu_units > selection->pools[0].most ? vcs_reason_to_wait(selection, task) : VCS_REASON_NONE;
}

/* A task uses a resource of which its project has so much in `pair`. */
static inline void use(vcs_selection *selection, const vcs_prepared_task *task, vcs_selection_pair *pair,
                       uint32_t resource, int64_t units) {
    const vcs_state *state = selection->state;
    vcs_selection_pool *pool = &selection->pools[resource];
    pool->free -= units;
    pool->most = vcs_most_that_fits(state, pool->free);
    pair->used += units;
    if (pool->sets.count > 0) {
        vcs_instance_sets_use(&pool->sets, vcs_allowed_to(state, task->project, resource), units);
    }
}

/* Late tasks that begin to run make others give way on all that they use. */
static void note_late(vcs_selection *selection, const vcs_prepared_task *task) {
    selection->pools[task->resource].has_late = 1;
    if (task->cpu_units > 0) {
        selection->pools[0].has_late = 1;
    }
}

/* In how many seconds a slice that lasts ends, or is to be looked at again. */
static double slice_left(const vcs_state *state, const vcs_prepared_task *task) {
    const double period = state->parameters.period, elapsed = state->now - task->running_since;
    if (elapsed < period) {
        return period - elapsed;
    }
    /* It waits for a checkpoint. */
    return state->parameters.look_interval > 0.0 ? state->parameters.look_interval : 60.0;
}

/* It runs from now on: in the slice that it has, or in a new one. Returns what that changes: VCS_DECISION_*. */
static inline uint32_t note_slice(vcs_selection *selection, const vcs_prepared_task *task) {
    const vcs_state *state = selection->state;
    vcs_schedule_summary *summary = &selection->summary;
    uint32_t flags = 0;
    double left = state->parameters.period;
    if (vcs_slice_lasts(state, task)) {
        left = slice_left(state, task);
    } else {
        flags |= VCS_DECISION_NEW_SLICE;
    }
    summary->next_check = left < summary->next_check ? left : summary->next_check;
    if (vcs_runs_already(task)) {
        summary->stopped--;
    } else {
        flags |= VCS_DECISION_START;
        summary->started++;
    }
    return flags;
}

int vcs_take(vcs_selection *selection, uint32_t task, uint32_t reason) {
    const vcs_prepared_task *job = &selection->jobs[task];
    vcs_task_decision *decision = &selection->decisions[task];
    const uint32_t obstacle = find_obstacle(selection, job);
    if (obstacle != VCS_REASON_NONE) {
        decision->reason = obstacle;
        return 0;
    }
    vcs_selection_pair *project_resources = vcs_selection_pair_of(selection, job->project, 0);
    const uint32_t place = selection->summary.running++;
    selection->running[place] = task;
    selection->summary.ram += job->ram;
    selection->projects[job->project].tasks++;
    if (job->app != VCS_NONE) {
        selection->app_tasks[job->app]++;
    }
    use(selection, job, &project_resources[0], 0, job->cpu_units);
    if (job->resource != 0) {
        use(selection, job, &project_resources[job->resource], job->resource, job->gpu_units);
    }
    uint32_t flags = note_slice(selection, job);
    if (reason == VCS_REASON_LATE) {
        flags |= VCS_DECISION_LATE;
        if (!vcs_runs_already(job)) {
            note_late(selection, job);
        }
    }
    *decision = (vcs_task_decision){.run = 1, .reason = reason, .place = place, .flags = flags};
    return 1;
}
