/* SPDX-License-Identifier: MIT */
#include "client/schedule.h"

/* The instances that a project may use. */
static uint64_t allowed_to(const vcs_state *state, uint32_t project, uint32_t resource) {
    return ~vcs_pairs(state)[(size_t)project * state->resource_count + resource].excluded;
}

void vcs_fit_begin(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    for (uint32_t r = 0; r < state->resource_count; r++) {
        vcs_selection_pool *pool = &selection->pools[r];
        pool->free = vcs_resources(state)[r].capacity;
        pool->most = vcs_most_that_fits(state, pool->free);
    }
}

void vcs_fit_confine(vcs_selection *selection, uint32_t resource) {
    const vcs_state *state = selection->state;
    const vcs_prepared_resource *known = &vcs_resources(state)[resource];
    vcs_instance_sets *sets = &selection->pools[resource].sets;
    const size_t first = ((size_t)state->project_count + 1) * resource;
    vcs_instance_sets_begin(sets, selection->maps + first, selection->room + first, known->instances, known->capacity);
    for (uint32_t p = 0; p < state->project_count; p++) {
        if (vcs_selection_pair_of(selection, p, resource)->candidates > 0) {
            vcs_instance_sets_confine(sets, allowed_to(state, p, resource));
        }
    }
}

/* ---- What is in the way of a task ---- */

static int is_at_project_limit(const vcs_selection *selection, const vcs_job *job) {
    const uint32_t limit = vcs_projects(selection->state)[job->project].max_concurrent;
    return limit != 0 && selection->projects[job->project].tasks >= limit;
}

static int is_at_app_limit(const vcs_selection *selection, const vcs_job *job) {
    if (job->app == VCS_NONE) {
        return 0;
    }
    const uint32_t limit = vcs_apps(selection->state)[job->app].max_concurrent;
    return limit != 0 && selection->app_tasks[job->app] >= limit;
}

static int fits_memory(const vcs_selection *selection, const vcs_job *job) {
    return selection->summary.ram + job->ram <= selection->ram;
}

/* What a task uses of its own resource, units. */
static int64_t own_use(const vcs_job *job) {
    return job->resource == 0 ? job->cpu_units : job->gpu_units;
}

/* Whether enough of what is free on its resource is free for its project. */
static int is_allowed(const vcs_selection *selection, const vcs_job *job) {
    const uint64_t allowed = allowed_to(selection->state, job->project, job->resource);
    const int64_t free = vcs_instance_sets_free(&selection->pools[job->resource].sets, allowed);
    return own_use(job) <= vcs_most_that_fits(selection->state, free);
}

/* Why a task has no place although no limit keeps it from running. */
static uint32_t reason_to_wait(const vcs_selection *selection, const vcs_job *job) {
    if (!vcs_runs_already(job)) {
        return VCS_REASON_WAITS;
    }
    return selection->pools[job->resource].has_late ? VCS_REASON_GIVES_WAY : VCS_REASON_SLICE_OVER;
}

/* What keeps a task from running; VCS_REASON_NONE if nothing does. */
static uint32_t find_obstacle(const vcs_selection *selection, const vcs_job *job) {
    if (is_at_project_limit(selection, job)) {
        return VCS_REASON_PROJECT_LIMIT;
    }
    if (is_at_app_limit(selection, job)) {
        return VCS_REASON_APP_LIMIT;
    }
    if (!fits_memory(selection, job)) {
        return VCS_REASON_MEMORY;
    }
    const vcs_selection_pool *pool = &selection->pools[job->resource];
    if (own_use(job) > pool->most) {
        return reason_to_wait(selection, job);
    }
    if (pool->sets.count > 0 && !is_allowed(selection, job)) {
        return VCS_REASON_EXCLUDED;
    }
    return job->cpu_units > selection->pools[0].most ? reason_to_wait(selection, job) : VCS_REASON_NONE;
}

/* ---- Taking it ---- */

static void use(vcs_selection *selection, const vcs_job *job, uint32_t resource, int64_t units) {
    vcs_selection_pool *pool = &selection->pools[resource];
    pool->free -= units;
    pool->most = vcs_most_that_fits(selection->state, pool->free);
    vcs_selection_pair_of(selection, job->project, resource)->used += units;
    if (pool->sets.count > 0) {
        vcs_instance_sets_use(&pool->sets, allowed_to(selection->state, job->project, resource), units);
    }
}

/* Late tasks that begin to run make others give way on all that they use. */
static void note_late(vcs_selection *selection, const vcs_job *job) {
    selection->pools[job->resource].has_late = 1;
    if (job->cpu_units > 0) {
        selection->pools[0].has_late = 1;
    }
}

/* In how many seconds a slice that lasts ends, or is to be looked at again. */
static double slice_left(const vcs_state *state, const vcs_job *job) {
    const double period = state->parameters.period, elapsed = state->now - job->running_since;
    if (elapsed < period) {
        return period - elapsed;
    }
    /* It waits for a checkpoint. */
    return state->parameters.look_interval > 0.0 ? state->parameters.look_interval : 60.0;
}

/* It runs from now on: in the slice that it has, or in a new one. */
static void note_slice(vcs_selection *selection, const vcs_job *job, vcs_task_decision *decision) {
    const vcs_state *state = selection->state;
    vcs_schedule_summary *summary = &selection->summary;
    double left = state->parameters.period;
    if (vcs_slice_lasts(state, job)) {
        left = slice_left(state, job);
    } else {
        decision->flags |= VCS_DECISION_NEW_SLICE;
    }
    summary->look_again = left < summary->look_again ? left : summary->look_again;
    if (vcs_runs_already(job)) {
        decision->flags &= ~VCS_DECISION_STOP;
        summary->stopped--;
    } else {
        decision->flags |= VCS_DECISION_START;
        summary->started++;
    }
}

static void take(vcs_selection *selection, const vcs_job *job, vcs_task_decision *decision, uint32_t reason) {
    decision->run = 1;
    decision->reason = reason;
    decision->place = selection->summary.running++;
    selection->summary.ram += job->ram;
    selection->projects[job->project].tasks++;
    if (job->app != VCS_NONE) {
        selection->app_tasks[job->app]++;
    }
    use(selection, job, 0, job->cpu_units);
    if (job->resource != 0) {
        use(selection, job, job->resource, job->gpu_units);
    }
    if (reason == VCS_REASON_LATE && !vcs_runs_already(job)) {
        note_late(selection, job);
    }
    note_slice(selection, job, decision);
}

/* ---- Offers ---- */

int vcs_offer(vcs_selection *selection, uint32_t task, uint32_t reason) {
    const vcs_job *job = &selection->jobs[task];
    vcs_task_decision *decision = &selection->decisions[task];
    const uint32_t obstacle = find_obstacle(selection, job);
    if (obstacle != VCS_REASON_NONE) {
        decision->reason = obstacle;
        return 0;
    }
    take(selection, job, decision, reason);
    return 1;
}

int vcs_offer_waiting(vcs_selection *selection, vcs_selection_pair *pair) {
    for (uint32_t q = 0; q < VCS_QUEUES_PER_PAIR; q++) {
        while (pair->queues[q] != VCS_NONE) {
            const uint32_t task = pair->queues[q];
            pair->queues[q] = selection->tasks[task].next;
            if (vcs_offer(selection, task, VCS_REASON_TURN)) {
                return 1;
            }
        }
    }
    return 0;
}
