/* SPDX-License-Identifier: MIT */
#include "client/schedule.h"

static int may_run(const vcs_selection *selection, uint32_t task) {
    return vcs_may_run(selection, &selection->jobs[task]);
}

/* Marks the tasks that the simulation found to miss their deadline. */
static void predict_each(vcs_selection *selection) {
    const vcs_task_forecast *forecasts = vcs_forecasts(selection->state);
    for (uint32_t i = 0; i < selection->state->job_count; i++) {
        if (forecasts[i].verdict == VCS_VERDICT_MISSES && may_run(selection, i)) {
            selection->tasks[i].is_late = 1;
        }
    }
}

/* Marks, of each project, as many tasks as it has misses: those of earliest deadline (rule 13.7). */
static void predict_by_count(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_task_forecast *forecasts = vcs_forecasts(state);
    const uint32_t *by_deadline = vcs_deadline_order(state);
    uint32_t misses = 0;
    for (uint32_t i = 0; i < state->job_count; i++) {
        if (forecasts[i].verdict == VCS_VERDICT_MISSES && may_run(selection, i)) {
            selection->projects[selection->jobs[i].project].misses++;
            misses++;
        }
    }
    for (uint32_t i = 0; misses > 0; i++) { /* a project has no more misses than tasks */
        const uint32_t task = by_deadline[i];
        vcs_selection_project *project = &selection->projects[selection->jobs[task].project];
        if (project->misses > 0 && may_run(selection, task)) {
            selection->tasks[task].is_late = 1;
            project->misses--;
            misses--;
        }
    }
}

/* How long a task could wait and still be in time, microseconds; less than 0 if it is hopeless. */
static int64_t slack_of(const vcs_state *state, const vcs_job *job) {
    return vcs_latest_finish(job, state->now, 0.0, VCS_ORIGIN_NOW) - job->run_time;
}

static int can_wait(const vcs_state *state, int64_t slack) {
    return slack >= vcs_micros(state->parameters.period);
}

static int was_late(const vcs_job *job) {
    return (job->flags & VCS_TASK_WAS_LATE) != 0;
}

/* It runs because it was late, and its slice has not ended: with hysteresis it stays late until then. */
static int stays_late(const vcs_state *state, const vcs_job *job) {
    return state->parameters.hysteresis && was_late(job) && vcs_slice_lasts(state, job);
}

static void keep_late(vcs_selection *selection) {
    for (uint32_t i = 0; i < selection->state->job_count; i++) {
        const vcs_job *job = &selection->jobs[i];
        if (stays_late(selection->state, job) && may_run(selection, i)) {
            selection->tasks[i].is_late = 1;
            selection->pools[job->resource].keeps_late = 1;
        }
    }
}

void vcs_find_late(vcs_selection *selection) {
    const vcs_parameters *parameters = &selection->state->parameters;
    if (parameters->ranking == VCS_RANK_DEBT) {
        predict_by_count(selection);
    } else {
        predict_each(selection);
    }
    if (parameters->hysteresis) {
        keep_late(selection);
    }
}

/*
 * Where a task stays late, those that could as well wait for a period leave the place to it, and with it to those that
 * cannot wait. The hopeless can wait, and go last if save_first says so.
 */
uint32_t vcs_late_order(const vcs_selection *selection, const vcs_job *job) {
    const vcs_state *state = selection->state;
    const uint32_t keeps_late = selection->pools[job->resource].keeps_late;
    if (!keeps_late && !state->parameters.save_first) {
        return 0;
    }
    const int64_t slack = slack_of(state, job);
    const int is_hopeless = slack < 0;
    const int is_pressing = !is_hopeless && !can_wait(state, slack);
    const uint32_t yields = keeps_late && !is_pressing && !stays_late(state, job);
    return 2 * yields + (uint32_t)(state->parameters.save_first && is_hopeless);
}
