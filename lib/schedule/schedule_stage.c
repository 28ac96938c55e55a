/* SPDX-License-Identifier: MIT */
#include "schedule/schedule.h"

/* Units of a resource that a project may use. */
static int64_t capacity_for(const vcs_state *state, uint32_t project, uint32_t resource) {
    const vcs_project_resource *pair =
        &vcs_project_resources(state)[(size_t)project * state->resource_count + resource];
    return vcs_resources(state)[resource].capacity - (int64_t)vcs_count_instances(pair->excluded) * VCS_ONE;
}

int vcs_fits_gpu(const vcs_state *state, const vcs_prepared_task *task) {
    return task->gpu_units <= vcs_most_that_fits(state, capacity_for(state, task->project, task->resource));
}

/* Why a task may not run. */
static uint32_t reason_never(const vcs_state *state, const vcs_prepared_task *task) {
    if (task->takes_part) {
        return VCS_REASON_CANNOT_RUN;
    }
    if ((task->flags & VCS_TASK_SUSPENDED) != 0) {
        return VCS_REASON_TASK_SUSPENDED;
    }
    if ((vcs_projects(state)[task->project].flags & VCS_PROJECT_SUSPENDED) != 0) {
        return VCS_REASON_PROJECT_SUSPENDED;
    }
    return VCS_REASON_RESOURCE_SUSPENDED;
}

/* ---- What is decided until a task is taken ---- */

static inline void begin_decision(vcs_selection *selection, uint32_t task) {
    const vcs_prepared_task *job = &selection->jobs[task];
    vcs_task_decision decision = {.place = VCS_NONE, .reason = VCS_REASON_WAITS};
    if (vcs_runs_already(job)) {
        decision.reason = VCS_REASON_SLICE_OVER;
        decision.flags = VCS_DECISION_STOP;
    }
    if (!vcs_may_run(selection, job)) {
        decision.reason = reason_never(selection->state, job);
    }
    selection->decisions[task] = decision;
}

void vcs_begin_decisions(vcs_selection *selection) {
    for (uint32_t task = 0; task < selection->state->task_count; task++) {
        begin_decision(selection, task);
    }
}

/* ---- When each task is offered ---- */

/* A running task that is nearly done, or whose slice lasts, does not wait for its project's turn. */
static inline uint32_t stage_of_running(const vcs_selection *selection, const vcs_prepared_task *task,
                                        int64_t switch_cost) {
    if (!vcs_may_run(selection, task)) {
        return VCS_STAGE_NEVER;
    }
    if (task->run_time < switch_cost) {
        return VCS_STAGE_NEARLY_DONE;
    }
    return vcs_slice_lasts(selection->state, task) ? VCS_STAGE_SLICE : VCS_STAGE_TURN;
}

void vcs_find_running(vcs_selection *selection) {
    const vcs_prepared_task *jobs = selection->jobs;
    vcs_selection_task *tasks = selection->tasks;
    const uint32_t count = selection->state->task_count;
    const int64_t switch_cost = vcs_micros(selection->state->parameters.switch_cost);
    for (uint32_t task = 0; task < count; task++) {
        tasks[task].stage = VCS_STAGE_TURN;
        if (!vcs_runs_already(&jobs[task])) {
            continue;
        }
        selection->ran[selection->ran_count++] = task;
        tasks[task].stage = stage_of_running(selection, &jobs[task], switch_cost);
        if (tasks[task].stage == VCS_STAGE_NEARLY_DONE) {
            begin_decision(selection, task); /* it may turn out to be late after it was offered */
        }
    }
}

/* The queue of a project that a task joins. */
static inline uint32_t *queue_of(vcs_selection_pair *pair, const vcs_prepared_task *task) {
    if (vcs_runs_already(task)) {
        return &pair->queues[0];
    }
    return (task->flags & VCS_TASK_STARTED) != 0 ? &pair->queues[1] : &pair->queues[2];
}

void vcs_queue_waiting(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_prepared_task *jobs = selection->jobs;
    vcs_selection_task *tasks = selection->tasks;
    vcs_selection_pair *project_resources = selection->project_resources;
    const size_t resources = state->resource_count;
    const uint32_t *by_arrival = vcs_arrival_order(state);
    /* The last to arrive first: each goes before those queued so far. */
    for (uint32_t i = state->task_count; i-- > 0;) {
        const uint32_t task = by_arrival[i];
        const vcs_prepared_task *job = &jobs[task];
        if (tasks[task].stage == VCS_STAGE_TURN && vcs_may_run(selection, job)) {
            uint32_t *first = queue_of(&project_resources[job->project * resources + job->resource], job);
            tasks[task].next = *first;
            *first = task;
        }
    }
}
