/* Which tasks run: the records as a state, and the decision on it. SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"
#include "emulator/field_table.h"

#include <string.h>

/* ---- The records as a state ---- */

/* Those that run have got on, and a new correction factor changes all. */
static int bring_estimates_up_to_date(vcs_emulator *e) {
    int code = VCS_OK;
    if (!e->corrected) {
        for (uint32_t i = 0; code == VCS_OK && i < e->running_count; i++) {
            code = vcs_estimate_task(e, &e->tasks[e->running[i]], &e->true_tasks[e->running[i]]);
        }
        return code;
    }
    for (uint32_t i = 0; code == VCS_OK && i < e->snapshot.tasks.count; i++) {
        code = vcs_estimate_task(e, &e->tasks[i], &e->true_tasks[i]);
    }
    e->corrected = 0;
    return code;
}

static void show_timers(vcs_emulator *e) {
    for (uint32_t i = 0; i < e->snapshot.projects.count; i++) {
        e->projects[i].min_rpc_time = e->true_projects[i].rpc.timer.min_rpc_time;
        e->projects[i].rpc_failures = e->true_projects[i].rpc.timer.failures;
    }
}

static int prepare_anew(vcs_emulator *e, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    size_t bytes;
    e->latest = NULL;
    int code = vcs_state_size(snapshot, &bytes);
    if (code == VCS_OK) {
        code = vcs_make_room(&e->hooks, &e->work, bytes, 1);
    }
    return code != VCS_OK
               ? code
               : vcs_state_prepare(snapshot, policy, e->clock.now, e->work.base, e->work.size, &e->latest, e->error);
}

/* The client sees the host as the servers do, but for little: a state of the one's is renewed to one of the other's. */
int vcs_prepare_snapshot(vcs_emulator *e, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    int code = VCS_ERR_WORKSPACE;
    if (e->latest != NULL) {
        code = vcs_state_renew(e->latest, e->work.size, snapshot, policy, e->clock.now, NULL);
    }
    if (code != VCS_OK) {
        code = prepare_anew(e, snapshot, policy);
    }
    e->state = e->latest;
    e->simulated = 0;
    return code;
}

int vcs_prepare(vcs_emulator *e) {
    int code = VCS_OK;
    if (e->state == NULL) {
        code = bring_estimates_up_to_date(e);
        if (code == VCS_OK) {
            show_timers(e);
            code = vcs_prepare_snapshot(e, &e->snapshot, &e->parameters);
        }
    }
    if (code == VCS_OK && !e->simulated) {
        code = vcs_wrr(e->state, NULL);
        e->simulated = 1;
    }
    return code;
}

/* ---- The caller's functions ---- */

#define LEAST_WAIT 1.0

double vcs_wait_of(double next_check) {
    return next_check > LEAST_WAIT ? next_check : LEAST_WAIT;
}

vcs_situation vcs_situation_of(const vcs_emulator *e, const vcs_snapshot *snapshot) {
    return (vcs_situation){
        .struct_size = sizeof(vcs_situation),
        .now = e->clock.now,
        .snapshot = snapshot,
        .parameters = &e->parameters,
        .state = e->state,
    };
}

int vcs_hook_failed(vcs_emulator *e, int code, const char *name) {
    if (code >= VCS_OK) {
        return VCS_OK;
    }
    return vcs_emulator_fail(e->error, code, VCS_TYPE_NONE, 0, name, "returned an error");
}

/* ---- The decision ---- */

/* That no more is used than there is, is for the library to see to, but not for a function of the caller's. */
static int check_use(vcs_emulator *e, uint32_t resource) {
    double used = 0.0;
    for (uint32_t i = 0; i < e->snapshot.tasks.count; i++) {
        const vcs_task *task = &e->tasks[i];
        if (e->task_decisions[i].run != 0) {
            used += resource == 0 ? task->cpus : task->gpu == resource ? task->gpus : 0.0;
        }
    }
    if (used <= e->resources[resource].instances + 1e-6 || e->parameters.overcommit) {
        return VCS_OK;
    }
    return vcs_emulator_fail(e->error, VCS_ERR_RANGE, VCS_TYPE_NONE, resource, "schedule",
                             "runs more tasks than there are instances");
}

/* Of the decisions on all tasks, keeps those on the tasks that run. */
static void choose(vcs_emulator *e) {
    vcs_task_decision *decisions = e->task_decisions;
    e->chosen_count = 0;
    e->changes = 0;
    for (uint32_t i = 0; i < e->snapshot.tasks.count; i++) {
        vcs_note_late(e, i, &decisions[i]);
        e->changes += (decisions[i].run != 0) != ((e->tasks[i].flags & VCS_TASK_RUNNING) != 0);
        if (decisions[i].run != 0) {
            decisions[e->chosen_count] = decisions[i];
            e->chosen[e->chosen_count++] = i;
        }
    }
}

static int ask_caller(vcs_emulator *e, vcs_schedule_summary *summary) {
    const vcs_situation situation = vcs_situation_of(e, &e->snapshot);
    memset(e->task_decisions, 0, e->snapshot.tasks.count * sizeof *e->task_decisions);
    int code = e->hooks.schedule(e->hooks.context, &situation, e->task_decisions, summary);
    code = vcs_hook_failed(e, code, "schedule");
    for (uint32_t r = 0; code == VCS_OK && r < e->snapshot.resources.count; r++) {
        code = check_use(e, r);
    }
    if (code == VCS_OK) {
        choose(e);
    }
    return code;
}

static int ask_library(vcs_emulator *e, vcs_schedule_summary *summary) {
    int code = vcs_schedule(e->state, VCS_SCHEDULE_RUNNING, summary);
    if (code == VCS_OK) {
        e->chosen_count = summary->running;
        e->changes = summary->started + summary->stopped;
        code = vcs_schedule_running(e->state, e->chosen, e->task_decisions, sizeof *e->task_decisions,
                                    e->chosen_count);
    }
    return code;
}

int vcs_choose_tasks(vcs_emulator *e) {
    vcs_schedule_summary summary = {.struct_size = sizeof summary, .next_check = VCS_INFINITY};
    int code = vcs_settle(e);
    if (code == VCS_OK) {
        code = vcs_prepare(e);
    }
    if (code == VCS_OK) {
        code = e->hooks.schedule != NULL ? ask_caller(e, &summary) : ask_library(e, &summary);
    }
    if (code == VCS_OK) {
        e->outcome.schedules++;
        e->schedule_at = e->clock.now + vcs_wait_of(summary.next_check);
        code = vcs_apply_schedule(e);
    }
    return code;
}
