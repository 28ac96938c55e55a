/*
 * Which tasks run.
 *
 * Rule 13.11; worked by hand in tests/vcemu/host/test_emulator_network.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/client/choose_tasks.h"
#include "vcemu/host/client/accounts.h"
#include "vcemu/host/client/host_state.h"
#include "vcemu/host/client/situation.h"
#include "vcemu/host/client/skip.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/emulator_workspace.h"
#include "vcemu/host/merit.h"
#include "vcemu/host/records.h"
#include "vcemu/host/setup.h"
#include "vcemu/host/tasks/tasks.h"

/* Keeps for the next decision whether a task was late, and whether it runs without a slice. */
static void remember_decision(vcs_task *task, const vcs_task_decision *decision) {
    const uint32_t late = (decision->flags & VCS_DECISION_LATE) != 0 ? VCS_TASK_WAS_LATE : 0;
    const uint32_t fills_in = (decision->flags & VCS_DECISION_FILLS_IN) != 0 ? VCS_TASK_FILLS_IN : 0;
    task->flags = (task->flags & ~(VCS_TASK_WAS_LATE | VCS_TASK_FILLS_IN)) | late | fills_in;
}

/*
 * Checks how much the caller's function runs at once; not whether all tasks fit (rule 4.7), since that depends on their
 * order. CPU shares of GPU tasks do not count, and CPU tasks may use more than there is if the policy lets any do so.
 */
static void check_use(vcs_emu_emulator *e, uint32_t resource) {
    const uint32_t rule = resource == 0 ? e->setup->parameters.cpu_fit : VCS_CPU_FIT_STRICT;
    const double overshoot = rule == VCS_CPU_FIT_STRICT ? 0.0 : rule == VCS_CPU_FIT_ANY ? VCS_INFINITY : 1.0;
    double used = 0.0;
    for (uint32_t i = 0; i < e->records->snapshot.tasks.count; i++) {
        const vcs_task *task = &e->records->tasks[i];
        if (e->workspace->task_decisions[i].run != 0 && task->gpu == resource) {
            used += resource == 0 ? task->cpus : task->gpus;
        }
    }
    if (used > e->records->resources[resource].instances * (1.0 + 1e-4) + overshoot) {
        vcs_emu_fail(e, VCS_ERR_RANGE, resource, "schedule", "runs more tasks than there are instances");
    }
}

/* Leaves in the workspace the tasks that run from now on, and the decision on each; their number, and how many tasks
   start or stop, in the summary. */
static void choose_by_caller(vcs_emu_emulator *e, vcs_schedule_summary *summary) {
    const vcs_hooks *hooks = &e->setup->hooks;
    vcs_situation situation;
    vcs_task_decision *decisions = e->workspace->task_decisions;
    const uint32_t count = e->records->snapshot.tasks.count;
    memset(decisions, 0, count * sizeof *decisions);
    if (vcs_emu_show(e, &e->records->snapshot, &situation)) {
        vcs_emu_note_hook(e, hooks->schedule(hooks->context, &situation, decisions, summary), "schedule");
    }
    if (summary->next_check != summary->next_check) { /* the main loop would never find the next moment */
        vcs_emu_fail(e, VCS_ERR_RANGE, 0, "schedule", "sets next_check to NaN");
    }
    for (uint32_t r = 0; r < e->records->resource_count; r++) {
        check_use(e, r);
    }
    summary->running = summary->started = summary->stopped = summary->given_up = 0;
    for (uint32_t i = 0; i < count; i++) {
        summary->given_up += (decisions[i].flags & VCS_DECISION_GIVE_UP) != 0;
    }
    if (summary->given_up > 0) {
        return; /* these are removed before the function is asked again */
    }
    for (uint32_t i = 0; i < count; i++) {
        vcs_task *task = &e->records->tasks[i];
        const bool runs = decisions[i].run != 0;
        const bool ran = (task->flags & VCS_TASK_RUNNING) != 0;
        VCS_INVARIANT(summary->running <= i); /* the chosen ones are among the tasks before this one */
        remember_decision(task, &decisions[i]);
        summary->started += runs && !ran;
        summary->stopped += ran && !runs;
        if (runs) {
            decisions[summary->running] = decisions[i];
            e->workspace->chosen[summary->running++] = i;
        }
    }
}

/* Likewise. If tasks are given up, leaves the decisions on all tasks in the workspace instead. */
static void choose_by_library(vcs_emu_emulator *e, vcs_schedule_summary *summary) {
    const vcs_emu_workspace *space = e->workspace;
    vcs_emu_schedule(e);
    *summary = e->prepared->summary;
    if (summary->given_up > 0) {
        const uint32_t count = e->records->snapshot.tasks.count;
        const vcs_array all = {{space->task_decisions}, sizeof *space->task_decisions, count};
        vcs_emu_note(e, vcs_schedule(space->state, VCS_SCHEDULE_EXPLAIN, NULL));
        vcs_emu_note(e, vcs_schedule_tasks(space->state, &all));
        return;
    }
    const vcs_array decisions = {{space->task_decisions}, sizeof *space->task_decisions, summary->running};
    vcs_emu_note(e, vcs_schedule_running(space->state, space->chosen, &decisions));
}

static void choose_once(vcs_emu_emulator *e, vcs_schedule_summary *summary) {
    summary->given_up = 0;
    if (e->setup->hooks.schedule != NULL && vcs_emu_prepare(e)) {
        choose_by_caller(e, summary);
    } else if (vcs_emu_prepare_records(e)) {
        choose_by_library(e, summary);
    }
}

/* Gives up the tasks that will not be done in time, and chooses among the others. */
static void choose(vcs_emu_emulator *e, vcs_schedule_summary *summary) {
    choose_once(e, summary);
    while (e->code == VCS_OK && summary->given_up > 0) {
        vcs_emu_give_up_tasks(e, e->workspace->task_decisions);
        choose_once(e, summary);
    }
}

/* Writes the decisions to the records of the chosen tasks, whether they ran before or not. */
static void record_decisions(vcs_emu_emulator *e, vcs_schedule_summary *summary) {
    const vcs_emu_workspace *space = e->workspace;
    for (uint32_t i = 0; i < summary->running; i++) {
        const vcs_task_decision *decision = &space->task_decisions[i];
        vcs_task *task = &e->records->tasks[space->chosen[i]];
        const bool runs = (task->flags & VCS_TASK_RUNNING) != 0;
        remember_decision(task, decision);
        if (runs && task->devices != 0 && decision->devices != task->devices) {
            e->tasks->truths[space->chosen[i]].moves = true; /* it has to start again on other devices */
            summary->started++;
        }
        task->devices = decision->devices;
        if ((decision->flags & VCS_DECISION_NEW_SLICE) != 0) {
            task->running_since = e->clock->now;
        }
    }
    e->records->changed = true;
}

void vcs_emu_choose_tasks(vcs_emu_emulator *e) {
    vcs_schedule_summary summary = {.struct_size = sizeof summary, .next_check = VCS_INFINITY};
    vcs_emu_settle(e);
    if (vcs_emu_can_skip_choice(e)) {
        summary.next_check = vcs_emu_keep_choice(e);
    } else {
        choose(e, &summary);
    }
    if (e->code != VCS_OK) {
        return;
    }
    e->merit->total.schedules++;
    e->agenda->schedule_due = e->clock->now + vcs_max(summary.next_check, VCS_EMU_LEAST_WAIT);
    e->tasks->regrouped = false;
    record_decisions(e, &summary);
    const bool changes = summary.started + summary.stopped > 0;
    if (changes || e->tasks->are_initial) {
        vcs_emu_run_tasks(e, summary.running);
    }
    if (changes && e->tasks->leave_idle && e->setup->parameters.discipline == VCS_DISCIPLINE_SLICED) { /* rule 6.3 */
        e->agenda->fetch_due = e->clock->now;
    }
}
