/* SPDX-License-Identifier: MIT */
#include "client/schedule.h"

/* Units of a resource that a project may use. */
static int64_t capacity_for(const vcs_state *state, uint32_t project, uint32_t resource) {
    const vcs_pair *pair = &vcs_pairs(state)[(size_t)project * state->resource_count + resource];
    return vcs_resources(state)[resource].capacity - (int64_t)vcs_count_instances(pair->excluded) * VCS_ONE;
}

int vcs_fits_gpu(const vcs_state *state, const vcs_job *job) {
    return job->gpu_units <= vcs_most_that_fits(state, capacity_for(state, job->project, job->resource));
}

/* Why a task may not run. */
static uint32_t reason_never(const vcs_state *state, const vcs_job *job) {
    if (job->takes_part) {
        return VCS_REASON_CANNOT_RUN;
    }
    if ((job->flags & VCS_TASK_SUSPENDED) != 0) {
        return VCS_REASON_TASK_SUSPENDED;
    }
    if ((vcs_projects(state)[job->project].flags & VCS_PROJECT_SUSPENDED) != 0) {
        return VCS_REASON_PROJECT_SUSPENDED;
    }
    return VCS_REASON_RESOURCE_SUSPENDED;
}

/* ---- When each task is offered ---- */

/* A running task that is nearly done, or whose slice lasts, does not wait for its project's turn. */
static uint32_t stage_of_running(const vcs_state *state, const vcs_job *job, int64_t switch_cost) {
    if (job->run_time < switch_cost) {
        return VCS_STAGE_NEARLY_DONE;
    }
    return vcs_slice_lasts(state, job) ? VCS_STAGE_SLICE : VCS_STAGE_TURN;
}

/* Begins the decision on a task that may be known to be late. Returns when it is offered. */
static inline uint32_t begin_decision(vcs_selection *selection, const vcs_job *job, vcs_selection_task *entry,
                                      vcs_task_decision *decision, int64_t switch_cost) {
    uint32_t stage = VCS_STAGE_TURN;
    *decision = (vcs_task_decision){.place = VCS_NONE, .reason = VCS_REASON_WAITS}; /* until it is taken */
    if (vcs_runs_already(job)) {
        stage = stage_of_running(selection->state, job, switch_cost);
        decision->reason = VCS_REASON_SLICE_OVER;
        decision->flags = VCS_DECISION_STOP;
        selection->summary.stopped++;
    }
    if (entry->is_late) {
        decision->flags |= VCS_DECISION_LATE;
        selection->summary.late++;
        entry->is_late = stage != VCS_STAGE_NEARLY_DONE; /* if it is, it is offered before those that are late */
        return entry->is_late ? VCS_STAGE_LATE : stage;
    }
    if (!vcs_may_run(selection, job)) {
        decision->reason = reason_never(selection->state, job);
        return VCS_STAGE_NEVER;
    }
    if (vcs_use_of(job, job->resource) == 0) {
        selection->has_free_riders = 1;
    }
    return stage;
}

/* The list that a task joins: that of its stage, or, if it waits for its project's turn, one of the project's. */
static inline uint32_t *list_of(vcs_selection *selection, vcs_selection_pair *pair, const vcs_job *job,
                                uint32_t stage) {
    if (stage != VCS_STAGE_TURN) {
        return &selection->first[stage];
    }
    if (vcs_runs_already(job)) {
        return &pair->queues[0];
    }
    return (job->flags & VCS_TASK_STARTED) != 0 ? &pair->queues[1] : &pair->queues[2];
}

void vcs_find_stages(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_job *jobs = selection->jobs;
    vcs_selection_task *tasks = selection->tasks;
    vcs_task_decision *decisions = selection->decisions;
    vcs_selection_pair *pairs = selection->pairs;
    const size_t resources = state->resource_count;
    const uint32_t *by_arrival = vcs_arrival_order(state);
    const int64_t switch_cost = vcs_micros(state->parameters.switch_cost);
    for (uint32_t i = state->job_count; i-- > 0;) { /* the last to arrive first: each goes before those queued so far */
        const uint32_t task = by_arrival[i];
        const vcs_job *job = &jobs[task];
        const uint32_t stage = begin_decision(selection, job, &tasks[task], &decisions[task], switch_cost);
        vcs_selection_pair *pair = &pairs[job->project * resources + job->resource];
        uint32_t *first = list_of(selection, pair, job, stage);
        pair->candidates += job->takes_part;
        tasks[task].next = *first;
        *first = task;
    }
}
