/* SPDX-License-Identifier: MIT */
#include "schedule/schedule.h"

void vcs_fit_confine(vcs_selection *selection, uint32_t resource) {
    const vcs_state *state = selection->state;
    const vcs_prepared_resource *known = &vcs_resources(state)[resource];
    vcs_instance_sets *sets = &selection->pools[resource].sets;
    const size_t first = ((size_t)state->project_count + 1) * resource;
    vcs_instance_sets_begin(sets, selection->maps + first, selection->room + first, known->instances, known->capacity);
    for (uint32_t p = 0; p < state->project_count; p++) {
        if (vcs_selection_pair_of(selection, p, resource)->candidates > 0) {
            vcs_instance_sets_confine(sets, vcs_allowed_to(state, p, resource));
        }
    }
}

/* ---- What is in the way of a task ---- */

static int is_at_project_limit(const vcs_selection *selection, uint32_t project) {
    const uint32_t limit = selection->records[project].max_concurrent;
    return limit != 0 && selection->projects[project].tasks >= limit;
}

static int is_at_app_limit(const vcs_selection *selection, const vcs_prepared_task *task) {
    if (task->app == VCS_NONE) {
        return 0;
    }
    const uint32_t limit = selection->apps[task->app].max_concurrent;
    return limit != 0 && selection->app_tasks[task->app] >= limit;
}

static int fits_memory(const vcs_selection *selection, const vcs_prepared_task *task) {
    return selection->summary.ram + task->ram <= selection->ram;
}

/* Which limit keeps a task of a project from running, whatever it uses; VCS_REASON_NONE if none does. */
static uint32_t find_limit(const vcs_selection *selection, const vcs_prepared_task *task, uint32_t project) {
    if (is_at_project_limit(selection, project)) {
        return VCS_REASON_PROJECT_LIMIT;
    }
    if (is_at_app_limit(selection, task)) {
        return VCS_REASON_APP_LIMIT;
    }
    return fits_memory(selection, task) ? VCS_REASON_NONE : VCS_REASON_MEMORY;
}

/* What keeps a task of a project from taking its own resource; VCS_REASON_NONE if nothing does. */
static inline uint32_t find_obstacle(const vcs_selection *selection, const vcs_prepared_task *task, uint32_t project,
                                     uint32_t resource) {
    const uint32_t limit = selection->has_limits ? find_limit(selection, task, project) : VCS_REASON_NONE;
    if (limit != VCS_REASON_NONE) {
        return limit;
    }
    return vcs_use_of(task, resource) > selection->pools[resource].most ? vcs_reason_to_wait(selection, task)
                                                                        : VCS_REASON_NONE;
}

/* ---- Offers ---- */

/* Project and resource are the task's own: with those of a whole queue, what depends on them is looked up once. */
static inline int offer(vcs_selection *selection, uint32_t task, uint32_t project, uint32_t resource, uint32_t reason) {
    const uint32_t obstacle = find_obstacle(selection, &selection->jobs[task], project, resource);
    if (obstacle != VCS_REASON_NONE) {
        selection->decisions[task].reason = obstacle;
        return 0;
    }
    return vcs_take(selection, task, reason);
}

int vcs_offer(vcs_selection *selection, uint32_t task, uint32_t reason) {
    const vcs_prepared_task *job = &selection->jobs[task];
    return offer(selection, task, job->project, job->resource, reason);
}

int vcs_offer_waiting(vcs_selection *selection, uint32_t project, uint32_t resource) {
    vcs_selection_pair *pair = vcs_selection_pair_of(selection, project, resource);
    for (uint32_t q = 0; q < VCS_QUEUES_PER_PAIR; q++) {
        while (pair->queues[q] != VCS_NONE) {
            const uint32_t task = pair->queues[q];
            pair->queues[q] = selection->tasks[task].next;
            if (offer(selection, task, project, resource, VCS_REASON_TURN)) {
                return 1;
            }
        }
    }
    return 0;
}

void vcs_offer_all_waiting(vcs_selection *selection, uint32_t project, uint32_t resource) {
    const vcs_selection_pair *pair = vcs_selection_pair_of(selection, project, resource);
    for (uint32_t q = 0; q < VCS_QUEUES_PER_PAIR; q++) {
        for (uint32_t task = pair->queues[q]; task != VCS_NONE; task = selection->tasks[task].next) {
            if (offer(selection, task, project, resource, VCS_REASON_TURN) && vcs_is_used_up(selection, resource)) {
                return;
            }
        }
    }
}
