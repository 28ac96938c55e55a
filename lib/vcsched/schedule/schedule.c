/*
 * The choice of tasks that run.
 *
 * Rules 4.7 and 5.1 to 5.6; the plain reference is tests/oracle/oracle_schedule.c.
 *
 *   schedule.c   offers the tasks in order
 *   begin.c      memory, what is free, what may be in the way
 *   stage.c      when each task is offered
 *   late.c       which tasks are late, and in which order they go
 *   turn.c       whose turn it is
 *   take.c       the tasks that wait; what is in the way of a task, and what it uses once it is taken
 *   may_run.c    what could run alone; what fits beside others is simulation/fit
 *   slice.h      how long a running task keeps its place
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/schedule.h>

#include "vcsched/core/invariant.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/schedule_fields.h"
#include "vcsched/schedule/begin.h"
#include "vcsched/schedule/may_run.h"
#include "vcsched/schedule/late.h"
#include "vcsched/schedule/slice.h"
#include "vcsched/schedule/stage.h"
#include "vcsched/schedule/take.h"
#include "vcsched/schedule/turn.h"
#include "vcsched/host/order.h"

/* ---- In which order ---- */

/* What tasks are ordered by; lower goes first. */
typedef uint64_t order_key(const vcs_selection *selection, const vcs_prepared_task *task);

/* Sorts the first items, and keeps the order among equals. */
static void sort_by(vcs_selection *selection, uint32_t count, order_key *key) {
    if (count < 2) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        selection->items[i].key = key(selection, &selection->prepared[selection->items[i].index]);
    }
    vcs_sort(selection->items, selection->items + count, count);
}

static uint64_t by_run_time(const vcs_selection *selection, const vcs_prepared_task *task) {
    (void)selection;
    return (uint64_t)task->run_time;
}

/* GPU types from the last to the first, then the CPU. */
static uint64_t by_resource(const vcs_selection *selection, const vcs_prepared_task *task) {
    return selection->state->resource_count - 1 - task->resource;
}

static uint64_t by_least_lost(const vcs_selection *selection, const vcs_prepared_task *task) {
    (void)selection;
    return ~vcs_order_key(vcs_loss(task));
}

/* ---- Which are to be offered ---- */

/* Makes the tasks of a stage that ran until now the items, by arrival. Returns how many there are. */
static uint32_t gather(vcs_selection *selection, uint32_t stage) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < selection->ran_count; i++) {
        if (selection->tasks[selection->ran[i]].stage == stage) {
            selection->items[count++].index = selection->ran[i];
        }
    }
    if (count > 1) {
        const vcs_record_sort sort = {selection->items, selection->items + count};
        vcs_sort_by_id(selection->prepared, &sort, count, NULL); /* no two have the same */
        vcs_sort_by_arrival(selection->prepared, &sort, count);
    }
    return count;
}

/* ---- The decision ---- */

static void take_nearly_done(vcs_selection *selection) {
    if (!(selection->state->parameters.switch_cost > 0.0)) {
        return; /* nobody has less than nothing left */
    }
    const uint32_t count = gather(selection, VCS_STAGE_NEARLY_DONE);
    sort_by(selection, count, by_run_time);
    for (uint32_t i = 0; i < count; i++) {
        vcs_offer_task(selection, selection->items[i].index, VCS_REASON_NEARLY_DONE);
    }
}

/*
 * As they are found. If only what runs is asked for, those to come need not be looked for once nothing is free: without
 * that the emulation of crowded.ini takes 90 % more instructions.
 */
static void take_late_by_deadline(vcs_selection *selection) {
    const bool finds_all = selection->explains || selection->summary.running > 0; /* what runs may be late itself */
    while (finds_all || !vcs_is_used_up(selection, 0)) {
        const uint32_t task = vcs_next_late(selection);
        if (task == VCS_NONE) {
            return;
        }
        vcs_offer_task(selection, task, VCS_REASON_LATE);
    }
    selection->summary.late += selection->misses;
}

static void take_late(vcs_selection *selection) {
    if (!vcs_may_be_late(selection->state)) {
        return;
    }
    vcs_expect_late(selection);
    if (vcs_late_reorders(selection->state)) {
        vcs_offer_late(selection);
    } else {
        take_late_by_deadline(selection);
    }
}

/* Makes the projects with a task to offer for a resource those that take turns. Returns how many there are. */
static uint32_t gather_projects(vcs_selection *selection, uint32_t resource) {
    vcs_turn *turns = selection->turns;
    uint32_t count = 0;
    for (uint32_t p = 0; p < selection->state->project_count; p++) {
        if (vcs_has_waiting(selection, p, resource)) {
            turns[count].project = p;
            count++;
        }
    }
    return count;
}

/* Whose turn it is goes first; it is always that of a project that is alone. */
static void take_waiting(vcs_selection *selection, uint32_t resource) {
    if (vcs_is_used_up(selection, resource)) {
        return;
    }
    if (!selection->has_queues) {
        vcs_queue_waiting(selection);
        selection->has_queues = 1;
    }
    const uint32_t count = gather_projects(selection, resource);
    if (count > 1) {
        vcs_take_turns(selection, resource, count);
    }
    while (count > 0 && !vcs_is_used_up(selection, resource) &&
           vcs_offer_waiting(selection, selection->turns[0].project, resource)) {
    }
}

/* Each resource goes first to the slices that last, then to whose turn it is. */
static void take_others(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const uint32_t count = gather(selection, VCS_STAGE_SLICE);
    sort_by(selection, count, by_least_lost);
    if (state->resource_count > 1) {
        sort_by(selection, count, by_resource);
    }
    uint32_t item = 0;
    for (uint32_t r = state->resource_count; r-- > 0;) {
        for (; item < count && selection->prepared[selection->items[item].index].resource == r; item++) {
            vcs_offer_slice(selection, selection->items[item].index);
        }
        take_waiting(selection, r);
    }
}

/* ---- The report ---- */

static void report_resources(vcs_selection *selection) {
    vcs_resource_decision *resources = vcs_resource_decisions(selection->state);
    for (uint32_t r = 0; r < selection->state->resource_count; r++) {
        resources[r] = (vcs_resource_decision){.used = vcs_instances(selection->resources[r].used)};
    }
    VCS_INVARIANT(selection->cpus.free > INT64_MIN); /* what fits overshoots by a task at most */
    selection->summary.cpu_excess = vcs_instances(vcs_max_i64(-selection->cpus.free, 0));
}

static void select_tasks(vcs_selection *selection) {
    if (selection->explains) {
        vcs_begin_decisions(selection);
    }
    vcs_find_running(selection);
    selection->summary.stopped = selection->ran_count; /* until they are taken */
    take_nearly_done(selection);
    take_late(selection);
    take_others(selection);
    report_resources(selection);
}

int vcs_schedule(vcs_state *state, uint32_t detail, vcs_schedule_summary *summary) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    const int code = summary == NULL ? VCS_OK : vcs_check_size(VCS_FIRST_schedule_summary, summary->struct_size);
    if (code != VCS_OK) {
        return code;
    }
    if (detail > VCS_SCHEDULE_RUNNING) {
        return VCS_ERR_FLAGS;
    }
    if (state->parameters.scheduling == VCS_SCHEDULING_DEADLINE && (state->has & (VCS_HAS_WRR | VCS_HAS_MISSES)) == 0) {
        return VCS_ERR_SEQUENCE;
    }
    vcs_selection selection;
    vcs_begin_selection(&selection, state, detail == VCS_SCHEDULE_EXPLAIN);
    select_tasks(&selection);
    state->running_count = selection.summary.running;
    state->has &= ~(VCS_HAS_REASONS | VCS_HAS_SHORT_MEMORY);
    state->has |= VCS_HAS_SCHEDULE | (selection.explains ? VCS_HAS_REASONS : 0);
    state->has |= selection.lacks_memory ? VCS_HAS_SHORT_MEMORY : 0;
    if (summary != NULL) {
        selection.summary.struct_size = summary->struct_size;
        vcs_hand_out(summary, summary->struct_size, &selection.summary, sizeof selection.summary);
    }
    return VCS_OK;
}

/* ---- What was decided ---- */

int vcs_schedule_running(const vcs_state *state, uint32_t *tasks, vcs_task_decision *decisions, uint32_t decision_size,
                         uint32_t decision_count) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    if ((state->has & VCS_HAS_SCHEDULE) == 0) {
        return VCS_ERR_SEQUENCE;
    }
    const int code =
        vcs_check_output(decisions, decision_size, VCS_FIRST_task_decision, decision_count, state->running_count);
    if (code != VCS_OK) {
        return code;
    }
    if (tasks == NULL && decision_count > 0) {
        return VCS_ERR_NULL;
    }
    const uint32_t *running = vcs_running(state);
    const vcs_task_decision *kept = vcs_task_decisions(state);
    for (uint32_t place = 0; place < decision_count; place++) {
        tasks[place] = running[place];
        vcs_hand_out((unsigned char *)decisions + (size_t)place * decision_size, decision_size, &kept[running[place]],
                     sizeof *kept);
    }
    return VCS_OK;
}
