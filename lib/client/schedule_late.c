/* SPDX-License-Identifier: MIT */
#include "client/schedule.h"

/* Marks the tasks that the simulation found to miss their deadline. */
static void predict_each(vcs_selection *selection) {
    const vcs_task_forecast *forecasts = vcs_forecasts(selection->state);
    for (uint32_t i = 0; i < selection->state->job_count; i++) {
        if (selection->stages[i] != VCS_STAGE_NEVER && forecasts[i].verdict == VCS_VERDICT_MISSES) {
            selection->decisions[i].flags |= VCS_DECISION_LATE;
        }
    }
}

/* Marks, of each project, as many tasks as it has misses: those of earliest deadline (rule 13.7). */
static void predict_by_count(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_task_forecast *forecasts = vcs_forecasts(state);
    const vcs_job *jobs = vcs_jobs(state);
    const uint32_t *by_deadline = vcs_deadline_order(state);
    for (uint32_t p = 0; p < state->project_count; p++) {
        selection->misses[p] = 0;
    }
    for (uint32_t i = 0; i < state->job_count; i++) {
        selection->misses[jobs[i].project] +=
            selection->stages[i] != VCS_STAGE_NEVER && forecasts[i].verdict == VCS_VERDICT_MISSES;
    }
    for (uint32_t i = 0; i < state->job_count; i++) {
        const uint32_t task = by_deadline[i];
        uint32_t *misses = &selection->misses[jobs[task].project];
        if (selection->stages[task] != VCS_STAGE_NEVER && *misses > 0) {
            selection->decisions[task].flags |= VCS_DECISION_LATE;
            (*misses)--;
        }
    }
}

/* How long a task could wait and still be in time, microseconds; less than 0 if it is hopeless. */
static int64_t slack_of(const vcs_state *state, const vcs_job *job) {
    return vcs_latest_finish(job, state->now, 0.0, VCS_ORIGIN_NOW) - job->run_time;
}

static int can_wait(const vcs_state *state, const vcs_job *job) {
    return slack_of(state, job) >= vcs_micros(state->parameters.period);
}

static int was_late(const vcs_job *job) {
    return (job->flags & VCS_TASK_WAS_LATE) != 0;
}

/* It runs because it was late, and its slice has not ended: with hysteresis it stays late until then. */
static int stays_late(const vcs_state *state, const vcs_job *job) {
    return state->parameters.hysteresis && was_late(job) && vcs_slice_lasts(state, job);
}

void vcs_find_late(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_job *jobs = vcs_jobs(state);
    if (state->parameters.scheduling != VCS_SCHEDULING_DEADLINE) {
        return;
    }
    if (state->parameters.ranking == VCS_RANK_DEBT) {
        predict_by_count(selection);
    } else {
        predict_each(selection);
    }
    for (uint32_t i = 0; i < state->job_count; i++) {
        if (selection->stages[i] == VCS_STAGE_NEVER) {
            continue;
        }
        vcs_task_decision *decision = &selection->decisions[i];
        if (stays_late(state, &jobs[i])) {
            decision->flags |= VCS_DECISION_LATE;
            selection->keeps_late[jobs[i].resource] = 1;
        }
        if ((decision->flags & VCS_DECISION_LATE) != 0) {
            selection->summary.late++;
            selection->stages[i] = VCS_STAGE_LATE;
        }
    }
}

/*
 * Where a task stays late, those that could as well wait for a period leave the place to it, and with it to those that
 * cannot wait. The hopeless can wait, and go last if save_first says so.
 */
uint32_t vcs_late_order(const vcs_selection *selection, const vcs_job *job) {
    const vcs_state *state = selection->state;
    const int is_hopeless = slack_of(state, job) < 0;
    const int is_pressing = !is_hopeless && !can_wait(state, job);
    const uint32_t yields = selection->keeps_late[job->resource] && !is_pressing && !stays_late(state, job);
    return 2 * yields + (uint32_t)(state->parameters.save_first && is_hopeless);
}
