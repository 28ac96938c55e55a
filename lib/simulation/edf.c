/*
 * Earliest deadline first: when the tasks in danger would run if they went first.
 *
 * Rules 4.4 and 4.6; the plain reference is tests/oracle/oracle_edf.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/edf.h>

#include "simulation/lateness.h"
#include "simulation/placement.h"
#include "simulation/scratch.h"
#include "state/prepared.h"
#include "interface/check.h"

#include <string.h>

uint64_t vcs_edf_scratch(const vcs_counts *counts) {
    vcs_plan plan;
    vcs_arena measure = {NULL, 0};
    vcs_plan_lay_out(&plan, counts, &measure);
    return vcs_arena_size(&measure);
}

/* The tasks to be placed are unknown, all others suspended. */
static void select_tasks(const vcs_state *state, uint32_t which, vcs_plan *plan) {
    const vcs_prepared_task *jobs = vcs_prepared_tasks(state);
    const vcs_task_forecast *forecasts = vcs_forecasts(state);
    vcs_edf_task *tasks = vcs_placements(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        int selected = which == VCS_EDF_ALL ? jobs[i].takes_part != 0 : forecasts[i].verdict == VCS_VERDICT_MISSES;
        memset(&tasks[i], 0, sizeof tasks[i]);
        tasks[i].start = VCS_INFINITY;
        tasks[i].finish = VCS_INFINITY;
        tasks[i].verdict = selected ? VCS_VERDICT_UNKNOWN : VCS_VERDICT_SUSPENDED;
        if (selected) {
            vcs_plan_expect(plan, &jobs[i]);
        }
    }
}

/*
 * The records are taken in an order in which they do not lie in memory. With thousands of them, waiting for each would
 * take longer than placing it.
 */
static void fetch_ahead(const vcs_prepared_task *job, const vcs_edf_task *task) {
    __builtin_prefetch(&job->deadline);
    __builtin_prefetch(&job->run_time);
    __builtin_prefetch(task, 1);
}

static void report_task(const vcs_state *state, const vcs_prepared_task *job, int64_t start, int64_t finish,
                        vcs_edf_task *task) {
    task->start = vcs_seconds(start);
    task->finish = vcs_seconds(finish);
    task->verdict = vcs_verdict_on_grid(finish, vcs_latest_in_edf(state->now, job->deadline));
}

/* Places the selected tasks by earliest deadline first, up to the horizon or the budget. */
static void place_tasks(const vcs_state *state, vcs_plan *plan, vcs_edf_summary *answer) {
    const uint32_t ahead = 8;
    const vcs_prepared_task *jobs = vcs_prepared_tasks(state);
    const uint32_t *order = vcs_deadline_order(state);
    vcs_edf_task *tasks = vcs_placements(state);
    int64_t latest = 0;
    for (uint32_t i = 0; i < state->task_count; i++) {
        if (state->task_count - i > ahead) {
            fetch_ahead(&jobs[order[i + ahead]], &tasks[order[i + ahead]]);
        }
        const vcs_prepared_task *job = &jobs[order[i]];
        vcs_edf_task *task = &tasks[order[i]];
        if (task->verdict == VCS_VERDICT_SUSPENDED) {
            continue;
        }
        int64_t start = vcs_place(plan, job->run_time, job);
        if (start == VCS_NOT_REACHED) {
            answer->flags |= VCS_SIMULATION_STOPPED;
            break;
        }
        if (start == VCS_STUCK) {
            task->verdict = VCS_VERDICT_STUCK;
            continue;
        }
        int64_t finish = vcs_finish_of(start, job->run_time);
        latest = vcs_max_i64(finish, latest);
        report_task(state, job, start, finish, task);
        answer->misses += task->verdict == VCS_VERDICT_MISSES;
        answer->tasks++;
    }
    answer->latest_finish = vcs_seconds(latest);
}

static void report_resources(const vcs_state *state, const vcs_plan *plan) {
    vcs_edf_resource *resources = vcs_busy(state);
    for (uint32_t r = 0; r < state->resource_count; r++) {
        memset(&resources[r], 0, sizeof resources[r]);
        resources[r].busy = vcs_seconds(vcs_plan_busy(plan, r));
    }
}

int vcs_edf(vcs_state *state, uint32_t which, vcs_edf_summary *summary) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    int code = summary == NULL ? VCS_OK : vcs_check_size(summary->struct_size, sizeof *summary);
    if (code != VCS_OK) {
        return code;
    }
    if (which != VCS_EDF_MISSED && which != VCS_EDF_ALL) {
        return VCS_ERR_FLAGS;
    }
    if (which == VCS_EDF_MISSED && (state->has & VCS_HAS_WRR) == 0) {
        return VCS_ERR_SEQUENCE;
    }
    vcs_plan plan;
    const vcs_counts counts = vcs_counts_of(state);
    vcs_arena scratch = vcs_scratch(state);
    vcs_edf_summary answer;
    memset(&answer, 0, sizeof answer);
    vcs_plan_lay_out(&plan, &counts, &scratch);
    vcs_plan_begin(&plan, state);
    select_tasks(state, which, &plan);
    vcs_plan_clear(&plan);
    place_tasks(state, &plan, &answer);
    report_resources(state, &plan);
    state->has |= VCS_HAS_EDF;
    if (summary != NULL) {
        answer.struct_size = summary->struct_size;
        vcs_hand_out(summary, summary->struct_size, &answer, sizeof answer);
    }
    return VCS_OK;
}

int vcs_edf_tasks(const vcs_state *state, vcs_edf_task *tasks, uint32_t task_size, uint32_t task_count) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_read_results(state, VCS_HAS_EDF, vcs_placements(state), sizeof *tasks, state->task_count, tasks,
                            task_size, task_count);
}

int vcs_edf_resources(const vcs_state *state, vcs_edf_resource *resources, uint32_t resource_size,
                      uint32_t resource_count) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_read_results(state, VCS_HAS_EDF, vcs_busy(state), sizeof *resources, state->resource_count, resources,
                            resource_size, resource_count);
}
