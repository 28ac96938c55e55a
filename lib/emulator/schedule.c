/* SPDX-License-Identifier: MIT */
#include "emulator/schedule.h"

#include "core/number.h"

#include <string.h>

static int reserve(vcs_emu_schedule *s, uint64_t count) {
    int code = vcs_emu_reserve(s->memory, &s->chosen_vector, count, sizeof *s->chosen);
    if (code == VCS_OK) {
        code = vcs_emu_reserve(s->memory, &s->decision_vector, count, sizeof *s->decisions);
    }
    s->chosen = s->chosen_vector.base;
    s->decisions = s->decision_vector.base;
    return code;
}

/* Notes what a decision means for the next one. */
static void note_late(vcs_task *task, const vcs_task_decision *decision) {
    const uint32_t late = (decision->flags & VCS_DECISION_LATE) != 0 ? VCS_TASK_WAS_LATE : 0;
    task->flags = (task->flags & ~VCS_TASK_WAS_LATE) | late;
}

/* ---- The caller's function ---- */

/* The library uses no more than there is; the caller's function may try. */
static int check_use(const vcs_emu_schedule *s, uint32_t resource) {
    const vcs_emu_setup *setup = s->clock->setup;
    double used = 0.0;
    for (uint32_t i = 0; i < s->records->snapshot.tasks.count; i++) {
        const vcs_task *task = &s->records->tasks[i];
        if (s->decisions[i].run != 0) {
            used += resource == 0 ? task->cpus : task->gpu == resource ? task->gpus : 0.0;
        }
    }
    if (used <= s->records->resources[resource].instances + 1e-6 || setup->parameters.overcommit) {
        return VCS_OK;
    }
    return vcs_emu_fail(setup->error, VCS_ERR_RANGE, VCS_TYPE_NONE, resource, "schedule",
                        "runs more tasks than there are instances");
}

/* Of the decisions on all tasks, keeps those on the tasks that run. */
static void keep_chosen(vcs_emu_schedule *s) {
    s->chosen_count = 0;
    s->changes = 0;
    for (uint32_t i = 0; i < s->records->snapshot.tasks.count; i++) {
        vcs_task *task = &s->records->tasks[i];
        const bool runs = s->decisions[i].run != 0;
        note_late(task, &s->decisions[i]);
        s->changes += runs != ((task->flags & VCS_TASK_RUNNING) != 0);
        if (runs) {
            s->decisions[s->chosen_count] = s->decisions[i];
            s->chosen[s->chosen_count++] = i;
        }
    }
}

static int ask_caller(vcs_emu_schedule *s, vcs_schedule_summary *summary) {
    const vcs_hooks *hooks = &s->clock->setup->hooks;
    const vcs_situation situation = vcs_emu_situation(s->prepared, &s->records->snapshot);
    memset(s->decisions, 0, s->records->snapshot.tasks.count * sizeof *s->decisions);
    int code = hooks->schedule(hooks->context, &situation, s->decisions, summary);
    code = vcs_emu_hook_result(s->clock->setup, code, "schedule");
    for (uint32_t r = 0; code == VCS_OK && r < s->records->resource_count; r++) {
        code = check_use(s, r);
    }
    if (code == VCS_OK) {
        keep_chosen(s);
    }
    return code;
}

/* ---- The library's decision ---- */

static int ask_library(vcs_emu_schedule *s, vcs_schedule_summary *summary) {
    int code = vcs_schedule(s->prepared->state, VCS_SCHEDULE_RUNNING, summary);
    if (code == VCS_OK) {
        s->chosen_count = summary->running;
        s->changes = summary->started + summary->stopped;
        code = vcs_schedule_running(s->prepared->state, s->chosen, s->decisions, sizeof *s->decisions,
                                    s->chosen_count);
    }
    return code;
}

/* What changes in the records of the tasks that run from now on, whether they ran before or not. */
static void note_decisions(vcs_emu_schedule *s) {
    for (uint32_t i = 0; i < s->chosen_count; i++) {
        vcs_task *task = &s->records->tasks[s->chosen[i]];
        note_late(task, &s->decisions[i]);
        if ((s->decisions[i].flags & VCS_DECISION_NEW_SLICE) != 0) {
            task->running_since = s->clock->now;
        }
    }
    s->records->changed = true;
}

int vcs_emu_choose_tasks(vcs_emu_schedule *s) {
    vcs_schedule_summary summary = {.struct_size = sizeof summary, .next_check = VCS_INFINITY};
    int code = vcs_emu_settle(s->accounts);
    if (code == VCS_OK) {
        code = vcs_emu_prepare(s->prepared);
    }
    if (code == VCS_OK) {
        code = reserve(s, (uint64_t)s->records->snapshot.tasks.count + 1);
    }
    if (code == VCS_OK) {
        code = s->clock->setup->hooks.schedule != NULL ? ask_caller(s, &summary) : ask_library(s, &summary);
    }
    if (code != VCS_OK) {
        return code;
    }
    s->merit->total.schedules++;
    s->due = vcs_emu_next_time(s->clock, summary.next_check);
    note_decisions(s);
    return s->changes > 0 ? vcs_emu_run_tasks(s->tasks, s->chosen, s->chosen_count) : VCS_OK;
}
