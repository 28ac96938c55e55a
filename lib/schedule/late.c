/* SPDX-License-Identifier: MIT */
#include "schedule/late.h"

#include "schedule/may_run.h"
#include "schedule/slice.h"
#include "simulation/lateness.h"

/* ---- Which tasks are late ---- */

/* How long a task could wait and still be in time, microseconds; less than 0 if it is hopeless. */
static int64_t slack_of(const vcs_state *state, const vcs_prepared_task *task) {
    return vcs_latest_in_edf(state->now, task->deadline) - task->run_time;
}

static int can_wait(const vcs_state *state, int64_t slack) {
    return slack >= vcs_micros(state->parameters.period);
}

static int was_late(const vcs_prepared_task *task) {
    return (task->flags & VCS_TASK_WAS_LATE) != 0;
}

/* It runs because it was late, and its slice has not ended: with hysteresis it stays late until then. */
static int stays_late(const vcs_state *state, const vcs_prepared_task *task) {
    return state->parameters.hysteresis && was_late(task) && vcs_slice_lasts(state, task);
}

/* ---- How many there are ---- */

static void expect_misses(vcs_selection *selection, uint32_t project, uint32_t misses) {
    selection->projects[project].misses += misses;
    selection->misses += misses;
}

/* With one CPU each and no limit on memory, every task that the simulation placed may run. */
static int may_all_predicted_run(const vcs_selection *selection) {
    return selection->state->parameters.discipline == VCS_DISCIPLINE_FLUID && !(selection->ram < VCS_INFINITY);
}

/* The tasks that the simulation found to miss their deadline, if they may run. */
static void expect_predicted(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    if (may_all_predicted_run(selection)) {
        const vcs_project_resource_forecast *of_cpus = vcs_project_resource_forecasts(state);
        for (uint32_t p = 0; p < state->project_count; p++, of_cpus += state->resource_count) {
            expect_misses(selection, p, of_cpus->misses);
        }
        return;
    }
    const vcs_task_forecast *forecasts = vcs_forecasts(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &selection->prepared[i];
        if (forecasts[i].verdict == VCS_VERDICT_MISSES && vcs_may_run(selection, task)) {
            expect_misses(selection, task->project, 1);
        }
    }
}

static void expect_staying(vcs_selection *selection) {
    for (uint32_t i = 0; i < selection->ran_count; i++) {
        const vcs_prepared_task *task = &selection->prepared[selection->ran[i]];
        if (stays_late(selection->state, task) && vcs_may_run(selection, task)) {
            selection->staying++;
            selection->resources[task->resource].keeps_late = 1;
        }
    }
}

void vcs_expect_late(vcs_selection *selection) {
    expect_predicted(selection);
    expect_staying(selection);
}

/* ---- Which they are ---- */

/*
 * Whether a task, the next one by deadline, is predicted to be late if it may run: of each project as many as it has
 * misses if these only count (rule 13.7), else those that the simulation found.
 */
static inline int is_predicted(const vcs_selection *selection, uint32_t task, uint32_t project) {
    return selection->state->parameters.ranking == VCS_RANK_DEBT
               ? selection->projects[project].misses > 0
               : vcs_forecasts(selection->state)[task].verdict == VCS_VERDICT_MISSES;
}

static inline int is_late(vcs_selection *selection, uint32_t index) {
    const vcs_prepared_task *task = &selection->prepared[index];
    const int predicted = is_predicted(selection, index, task->project);
    const int stays = selection->staying > 0 && stays_late(selection->state, task);
    if (!(predicted || stays) || !vcs_may_run(selection, task)) {
        return 0;
    }
    selection->projects[task->project].misses -= (uint32_t)predicted;
    selection->misses -= (uint32_t)predicted;
    selection->staying -= (uint32_t)stays;
    return 1;
}

uint32_t vcs_next_late(vcs_selection *selection) {
    const uint32_t *by_deadline = vcs_deadline_order(selection->state);
    while (selection->misses + selection->staying > 0) {
        const uint32_t task = by_deadline[selection->deadline_place++];
        if (!is_late(selection, task)) {
            continue;
        }
        const int was_offered = selection->tasks[task].stage == VCS_STAGE_NEARLY_DONE;
        selection->summary.late++;
        if (selection->explains || was_offered) {
            selection->decisions[task].flags |= VCS_DECISION_LATE;
        }
        if (!was_offered) {
            selection->tasks[task].stage = VCS_STAGE_LATE;
            return task;
        }
    }
    return VCS_NONE;
}

/* ---- In which order they go ---- */

/*
 * Where a task stays late, those that could as well wait for a period leave the place to it, and with it to those that
 * cannot wait. The hopeless can wait, and go last if save_first says so.
 */
uint32_t vcs_late_order(const vcs_selection *selection, const vcs_prepared_task *task) {
    const vcs_state *state = selection->state;
    const uint32_t keeps_late = selection->resources[task->resource].keeps_late;
    if (!keeps_late && !state->parameters.save_first) {
        return 0;
    }
    const int64_t slack = slack_of(state, task);
    const int is_hopeless = slack < 0;
    const int is_pressing = !is_hopeless && !can_wait(state, slack);
    const uint32_t yields = keeps_late && !is_pressing && !stays_late(state, task);
    return 2 * yields + (uint32_t)(state->parameters.save_first && is_hopeless);
}
