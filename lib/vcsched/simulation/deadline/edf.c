/*
 * Earliest deadline first: when the tasks in danger would run if they went first.
 *
 * Rules 4.4 and 4.6; the plain reference is tests/oracle/oracle_edf.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/simulation.h>

#include "vcsched/simulation/lateness.h"
#include "vcsched/simulation/limits.h"
#include "vcsched/simulation/deadline/lines.h"
#include "vcsched/simulation/deadline/placement.h"
#include "vcsched/host/scratch.h"
#include "vcsched/host/prepared.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/simulation_fields.h"
#include "vcsched/core/compiler.h"

#include <string.h>

/* Under limits on concurrent tasks. */
typedef struct waiting {
    vcs_lines lines;
    uint32_t *selected; /* the tasks to place, by deadline */
} waiting;

static void lay_out(vcs_plan *plan, waiting *wait, const vcs_counts *counts, vcs_arena *arena) {
    vcs_plan_lay_out(plan, counts, arena);
    vcs_lines_lay_out(&wait->lines, counts, arena);
    wait->selected = vcs_arena_allocate(arena, counts->tasks, sizeof *wait->selected);
}

uint64_t vcs_edf_scratch(const vcs_counts *counts) {
    vcs_plan plan;
    waiting wait;
    vcs_arena measure = {NULL, 0};
    lay_out(&plan, &wait, counts, &measure);
    return vcs_arena_size(&measure);
}

/* Marks the tasks to place VCS_VERDICT_UNKNOWN, all others VCS_VERDICT_SUSPENDED. */
static void select_tasks(const vcs_state *state, uint32_t which, vcs_plan *plan) {
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    const vcs_task_forecast *forecasts = vcs_forecasts(state);
    vcs_edf_task *placements = vcs_placements(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        const bool selected =
            which == VCS_EDF_ALL ? tasks[i].takes_part != 0 : forecasts[i].verdict == VCS_VERDICT_MISSES;
        memset(&placements[i], 0, sizeof placements[i]);
        placements[i].start = VCS_INFINITY;
        placements[i].finish = VCS_INFINITY;
        placements[i].verdict = selected ? VCS_VERDICT_UNKNOWN : VCS_VERDICT_SUSPENDED;
        if (selected) {
            vcs_plan_expect(plan, &tasks[i]);
        }
    }
}

/*
 * Records are read by deadline, not as they lie in memory. With thousands of tasks, waiting for each record would take
 * longer than placing its task.
 */
static void fetch_ahead(const vcs_prepared_task *task, const vcs_edf_task *placement) {
    VCS_FETCH_AHEAD(&task->deadline);
    VCS_FETCH_AHEAD(&task->run_time);
    VCS_FETCH_TO_WRITE(placement);
}

/* Reports when a task runs. Returns its finish; 0 if it is stuck, VCS_NOT_REACHED if no more can be placed. */
static inline int64_t report(const vcs_state *state, const vcs_prepared_task *task, int64_t start,
                             vcs_edf_task *placement, vcs_edf_summary *answer) {
    if (start == VCS_NOT_REACHED) {
        answer->flags |= VCS_SIMULATION_STOPPED;
        return VCS_NOT_REACHED;
    }
    if (start == VCS_STUCK) {
        placement->verdict = VCS_VERDICT_STUCK;
        return 0;
    }
    const int64_t finish = vcs_finish_of(start, task->run_time);
    placement->start = vcs_seconds(start);
    placement->finish = vcs_seconds(finish);
    placement->verdict = vcs_verdict_on_grid(finish, vcs_latest_in_edf(state->now, task->deadline));
    answer->misses += placement->verdict == VCS_VERDICT_MISSES;
    answer->tasks++;
    return finish;
}

/* Places the selected tasks by earliest deadline first, up to the horizon or the budget. */
static void place_tasks(const vcs_state *state, vcs_plan *plan, vcs_edf_summary *answer) {
    const uint32_t ahead = 8;
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    const uint32_t *order = vcs_deadline_order(state);
    vcs_edf_task *placements = vcs_placements(state);
    int64_t latest = 0, finish = 0;
    for (uint32_t i = 0; i < state->task_count && finish != VCS_NOT_REACHED; i++) {
        if (state->task_count - i > ahead) {
            fetch_ahead(&tasks[order[i + ahead]], &placements[order[i + ahead]]);
        }
        const vcs_prepared_task *task = &tasks[order[i]];
        vcs_edf_task *placement = &placements[order[i]];
        if (placement->verdict != VCS_VERDICT_SUSPENDED) {
            finish = report(state, task, vcs_place(plan, task->run_time, task), placement, answer);
            latest = vcs_max_i64(finish, latest);
        }
    }
    answer->latest_finish = vcs_seconds(latest);
}

/* place_tasks() under limits on concurrent tasks. Inlining it would cost the usual case registers, 5 % of the time. */
VCS_NOT_INLINE static void place_under_limits(const vcs_state *state, vcs_plan *plan, waiting *wait,
                                              vcs_edf_summary *answer) {
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    const uint32_t *order = vcs_deadline_order(state);
    vcs_edf_task *placements = vcs_placements(state);
    int64_t latest = 0, finish = 0, start;
    uint32_t count = 0, number;
    for (uint32_t i = 0; i < state->task_count; i++) {
        if (placements[order[i]].verdict != VCS_VERDICT_SUSPENDED) {
            wait->selected[count++] = order[i];
        }
    }
    vcs_lines_begin(&wait->lines, plan, wait->selected, count);
    while (finish != VCS_NOT_REACHED && (number = vcs_lines_place(&wait->lines, &start)) != VCS_NONE) {
        const uint32_t index = wait->selected[number];
        finish = report(state, &tasks[index], start, &placements[index], answer);
        latest = vcs_max_i64(finish, latest);
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
    int code = summary == NULL ? VCS_OK : vcs_check_size(VCS_FIRST_edf_summary, summary->struct_size);
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
    waiting wait;
    const vcs_counts counts = vcs_counts_of(state);
    vcs_arena scratch = vcs_scratch(state);
    vcs_edf_summary answer;
    memset(&answer, 0, sizeof answer);
    lay_out(&plan, &wait, &counts, &scratch);
    vcs_plan_begin(&plan, state);
    select_tasks(state, which, &plan);
    vcs_plan_clear(&plan);
    if (vcs_has_any_limits(state)) {
        place_under_limits(state, &plan, &wait, &answer);
    } else {
        place_tasks(state, &plan, &answer);
    }
    report_resources(state, &plan);
    answer.effort = *vcs_plan_effort(&plan) + answer.tasks;
    state->has |= VCS_HAS_EDF;
    if (summary != NULL) {
        answer.struct_size = summary->struct_size;
        vcs_hand_out(summary, summary->struct_size, &answer, sizeof answer);
    }
    return VCS_OK;
}
