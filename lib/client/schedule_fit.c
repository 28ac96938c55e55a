/* SPDX-License-Identifier: MIT */
#include "client/schedule.h"

static const vcs_pair *pair_of(const vcs_state *state, uint32_t project, uint32_t resource) {
    return &vcs_pairs(state)[(size_t)project * state->resource_count + resource];
}

/* The instances that a project may use. */
static uint64_t allowed_to(const vcs_state *state, uint32_t project, uint32_t resource) {
    return ~pair_of(state, project, resource)->excluded;
}

/* ---- On an empty host ---- */

static int fits_memory_alone(const vcs_state *state, const vcs_job *job) {
    return state->host.ram == 0.0 || job->ram <= state->host.ram;
}

/* Units of a resource that a project may use. */
static int64_t capacity_for(const vcs_state *state, uint32_t project, uint32_t resource) {
    const vcs_prepared_resource *known = &vcs_resources(state)[resource];
    return known->capacity - (int64_t)vcs_count_instances(pair_of(state, project, resource)->excluded) * VCS_ONE;
}

static int fits(const vcs_state *state, int64_t use, int64_t free) {
    return use == 0 || (state->parameters.overcommit ? free >= VCS_ROOM : use <= free);
}

int vcs_fits_alone(const vcs_state *state, const vcs_job *job) {
    const uint32_t gpu = job->resource;
    return fits_memory_alone(state, job) && fits(state, job->cpu_units, vcs_resources(state)[0].capacity) &&
           (gpu == 0 || fits(state, job->gpu_units, capacity_for(state, job->project, gpu)));
}

/* ---- Beside what was taken ---- */

void vcs_fit_begin(vcs_selection *selection, uint64_t *maps, int64_t *room) {
    const vcs_state *state = selection->state;
    const size_t places = (size_t)state->project_count + 1;
    for (uint32_t r = 0; r < state->resource_count; r++) {
        const vcs_prepared_resource *resource = &vcs_resources(state)[r];
        vcs_instance_sets *pool = &selection->pools[r];
        vcs_instance_sets_begin(pool, maps + places * r, room + places * r, resource->instances, resource->capacity);
        for (uint32_t p = 0; resource->excludes && p < state->project_count; p++) {
            if (selection->pair_candidates[(size_t)p * state->resource_count + r] > 0) {
                vcs_instance_sets_confine(pool, allowed_to(state, p, r));
            }
        }
    }
}

static int is_at_project_limit(const vcs_selection *selection, const vcs_job *job) {
    const uint32_t limit = vcs_projects(selection->state)[job->project].max_concurrent;
    return limit != 0 && selection->project_tasks[job->project] >= limit;
}

static int is_at_app_limit(const vcs_selection *selection, const vcs_job *job) {
    if (job->app == VCS_NONE) {
        return 0;
    }
    const uint32_t limit = vcs_apps(selection->state)[job->app].max_concurrent;
    return limit != 0 && selection->app_tasks[job->app] >= limit;
}

static int fits_memory(const vcs_selection *selection, const vcs_job *job) {
    const double ram = selection->state->host.ram;
    return ram == 0.0 || selection->summary.ram + job->ram <= ram;
}

/* Whether its use of a resource is free, whoever may use what is free. */
static int is_free(const vcs_selection *selection, const vcs_job *job, uint32_t resource) {
    return fits(selection->state, vcs_use_of(job, resource), selection->pools[resource].free[0]);
}

/* Whether some of what is free on its GPU type is free for its project. */
static int is_allowed(const vcs_selection *selection, const vcs_job *job) {
    const uint32_t gpu = job->resource;
    const uint64_t allowed = allowed_to(selection->state, job->project, gpu);
    return fits(selection->state, vcs_use_of(job, gpu), vcs_instance_sets_free(&selection->pools[gpu], allowed));
}

/* Why a task has no place although no limit keeps it from running. */
static uint32_t reason_to_wait(const vcs_selection *selection, const vcs_job *job) {
    if (!vcs_runs_already(job)) {
        return VCS_REASON_WAITS;
    }
    return selection->has_late[job->resource] ? VCS_REASON_GIVES_WAY : VCS_REASON_SLICE_OVER;
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
    if (!is_free(selection, job, job->resource)) {
        return reason_to_wait(selection, job);
    }
    if (!is_allowed(selection, job)) {
        return VCS_REASON_EXCLUDED;
    }
    return is_free(selection, job, 0) ? VCS_REASON_NONE : reason_to_wait(selection, job);
}

static void use(vcs_selection *selection, const vcs_job *job, uint32_t resource) {
    const vcs_state *state = selection->state;
    const int64_t units = vcs_use_of(job, resource);
    vcs_instance_sets_use(&selection->pools[resource], allowed_to(state, job->project, resource), units);
    selection->used[(size_t)job->project * state->resource_count + resource] += units;
}

/* Late tasks that begin to run make others give way on all that they use. */
static void note_late(vcs_selection *selection, const vcs_job *job) {
    selection->has_late[job->resource] = 1;
    if (job->cpu_units > 0) {
        selection->has_late[0] = 1;
    }
}

static void take(vcs_selection *selection, const vcs_job *job, vcs_task_decision *decision, uint32_t reason) {
    decision->run = 1;
    decision->reason = reason;
    decision->place = selection->summary.running++;
    selection->summary.ram += job->ram;
    selection->project_tasks[job->project]++;
    if (job->app != VCS_NONE) {
        selection->app_tasks[job->app]++;
    }
    use(selection, job, 0);
    if (job->resource != 0) {
        use(selection, job, job->resource);
    }
    if (reason == VCS_REASON_LATE && !vcs_runs_already(job)) {
        note_late(selection, job);
    }
}

void vcs_offer(vcs_selection *selection, uint32_t task, uint32_t reason) {
    const vcs_job *job = &vcs_jobs(selection->state)[task];
    vcs_task_decision *decision = &selection->decisions[task];
    const uint32_t obstacle = find_obstacle(selection, job);
    if (obstacle == VCS_REASON_NONE) {
        take(selection, job, decision, reason);
    } else {
        decision->reason = obstacle;
    }
}
