/*
 * The client of the host: it decides which tasks run, which project is asked for how much work, and when to decide that
 * again. Its records as a state of libvcsched serve both, and the servers too.
 *
 * Rules 6.10 and 13.11; worked by hand in tests/emulator/test_emulator.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "emulator/emulator.h"

#include <string.h>

/* The shortest wait for the next decision, s. */
#define LEAST_WAIT 1.0

bool vcs_emu_client_open(vcs_emu_emulator *e) {
    vcs_emu_client *client = &e->client;
    const uint64_t projects = e->records.project_count, resources = e->records.resource_count;
    client->schedule_due = client->fetch_due = e->clock.now;
    client->fetch_decisions = vcs_emu_new(e, projects * resources, sizeof *client->fetch_decisions);
    client->forecasts = vcs_emu_new(e, resources, sizeof *client->forecasts);
    return vcs_emu_check_memory(e);
}

/* ---- The records as a state ---- */

/* Client and servers see nearly the same host: the last state is renewed, whichever of them it was for. */
static bool prepare(vcs_emu_emulator *e, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    vcs_emu_client *client = &e->client;
    size_t bytes;
    client->simulated = false;
    if (client->state != NULL &&
        vcs_state_renew(client->state, client->work.size, snapshot, policy, e->clock.now, NULL) == VCS_OK) {
        return true;
    }
    client->state = NULL;
    return vcs_emu_check(e, vcs_state_size(snapshot, &bytes)) &&
           vcs_emu_check(e, vcs_emu_reserve(&e->memory, &client->work, bytes, 1)) &&
           vcs_emu_check(e, vcs_state_prepare(snapshot, policy, e->clock.now, client->work.base, client->work.size,
                                              &client->state, e->setup.error));
}

bool vcs_emu_prepare_other(vcs_emu_emulator *e, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    e->records.changed = true; /* the state is not of the records any more */
    return prepare(e, snapshot, policy);
}

bool vcs_emu_prepare(vcs_emu_emulator *e) {
    if (e->records.changed) {
        vcs_emu_show_timers(e);
        if (!vcs_emu_estimate_tasks(e) || !prepare(e, &e->records.snapshot, &e->setup.parameters)) {
            return false;
        }
        e->records.changed = false;
    }
    if (e->client.simulated) {
        return true;
    }
    e->client.simulated = true;
    return vcs_emu_check(e, vcs_wrr(e->client.state, NULL));
}

vcs_situation vcs_emu_situation(const vcs_emu_emulator *e, const vcs_snapshot *snapshot) {
    return (vcs_situation){
        .struct_size = sizeof(vcs_situation),
        .now = e->clock.now,
        .snapshot = snapshot,
        .parameters = &e->setup.parameters,
        .state = e->client.state,
    };
}

/* When to decide again that should happen after `next_check` seconds; time must pass. */
static double next_time(const vcs_emu_emulator *e, double next_check) {
    return e->clock.now + vcs_max(next_check, LEAST_WAIT);
}

/* ---- Which tasks run ---- */

/* Notes what a decision means for the next one. */
static void note_late(vcs_task *task, const vcs_task_decision *decision) {
    const uint32_t late = (decision->flags & VCS_DECISION_LATE) != 0 ? VCS_TASK_WAS_LATE : 0;
    task->flags = (task->flags & ~VCS_TASK_WAS_LATE) | late;
}

/* The library uses no more than fits (rule 4.7), the CPU shares of GPU tasks apart; the caller's function may try. */
static bool check_use(vcs_emu_emulator *e, uint32_t resource) {
    double used = 0.0;
    for (uint32_t i = 0; i < e->records.snapshot.tasks.count; i++) {
        const vcs_task *task = &e->records.tasks[i];
        const bool counts = e->client.task_decisions[i].run != 0 && task->gpu == resource;
        used += counts ? vcs_emu_use(task, resource) : 0.0;
    }
    const vcs_parameters *parameters = &e->setup.parameters;
    const double overshoot = resource == 0 && parameters->cpu_fit != VCS_CPU_FIT_STRICT ? 1.0 : 0.0;
    if (used <= e->records.resources[resource].instances * (1.0 + 1e-4) + overshoot ||
        (resource == 0 && parameters->cpu_fit == VCS_CPU_FIT_ANY)) {
        return true;
    }
    return vcs_emu_check(e, vcs_emu_fail(e->setup.error, VCS_ERR_RANGE, VCS_TYPE_NONE, resource, "schedule",
                                         "runs more tasks than there are instances"));
}

/* Of the decisions on all tasks, keeps those on the tasks that run. */
static void keep_chosen(vcs_emu_emulator *e) {
    vcs_emu_client *client = &e->client;
    client->chosen_count = 0;
    client->changes = 0;
    for (uint32_t i = 0; i < e->records.snapshot.tasks.count; i++) {
        vcs_task *task = &e->records.tasks[i];
        const bool runs = client->task_decisions[i].run != 0;
        note_late(task, &client->task_decisions[i]);
        client->changes += runs != ((task->flags & VCS_TASK_RUNNING) != 0);
        if (runs) {
            client->task_decisions[client->chosen_count] = client->task_decisions[i];
            client->chosen[client->chosen_count++] = i;
        }
    }
}

static bool schedule_by_caller(vcs_emu_emulator *e, vcs_schedule_summary *summary) {
    const vcs_hooks *hooks = &e->setup.hooks;
    const vcs_situation situation = vcs_emu_situation(e, &e->records.snapshot);
    vcs_task_decision *decisions = e->client.task_decisions;
    memset(decisions, 0, e->records.snapshot.tasks.count * sizeof *decisions);
    bool valid = vcs_emu_check_hook(e, hooks->schedule(hooks->context, &situation, decisions, summary), "schedule");
    for (uint32_t r = 0; valid && r < e->records.resource_count; r++) {
        valid = check_use(e, r);
    }
    if (valid) {
        keep_chosen(e);
    }
    return valid;
}

static bool schedule_by_library(vcs_emu_emulator *e, vcs_schedule_summary *summary) {
    vcs_emu_client *client = &e->client;
    if (!vcs_emu_check(e, vcs_schedule(client->state, VCS_SCHEDULE_RUNNING, summary))) {
        return false;
    }
    client->chosen_count = summary->running;
    client->changes = summary->started + summary->stopped;
    return vcs_emu_check(e, vcs_schedule_running(client->state, client->chosen, client->task_decisions,
                                                 sizeof *client->task_decisions, client->chosen_count));
}

static bool schedule(vcs_emu_emulator *e, vcs_schedule_summary *summary) {
    vcs_emu_client *client = &e->client;
    const uint64_t count = (uint64_t)e->records.snapshot.tasks.count + 1;
    if (!vcs_emu_fit(e, &client->chosen_vector, &client->chosen, count, sizeof *client->chosen) ||
        !vcs_emu_fit(e, &client->decision_vector, &client->task_decisions, count, sizeof *client->task_decisions)) {
        return false;
    }
    return e->setup.hooks.schedule != NULL ? schedule_by_caller(e, summary) : schedule_by_library(e, summary);
}

/* A task that goes on running on other devices has to start again there. */
static bool is_moved(const vcs_task *task, const vcs_task_decision *decision) {
    return (task->flags & VCS_TASK_RUNNING) != 0 && task->devices != 0 && decision->devices != task->devices;
}

/* What changes in the records of the tasks that run from now on, whether they ran before or not. */
static void note_decisions(vcs_emu_emulator *e) {
    vcs_emu_client *client = &e->client;
    for (uint32_t i = 0; i < client->chosen_count; i++) {
        vcs_task *task = &e->records.tasks[client->chosen[i]];
        note_late(task, &client->task_decisions[i]);
        if (is_moved(task, &client->task_decisions[i])) {
            e->tasks.truths[client->chosen[i]].moves = true;
            client->changes++;
        }
        task->devices = client->task_decisions[i].devices;
        if ((client->task_decisions[i].flags & VCS_DECISION_NEW_SLICE) != 0) {
            task->running_since = e->clock.now;
        }
    }
    e->records.changed = true;
}

bool vcs_emu_choose_tasks(vcs_emu_emulator *e) {
    vcs_emu_client *client = &e->client;
    vcs_schedule_summary summary = {.struct_size = sizeof summary, .next_check = VCS_INFINITY};
    if (!vcs_emu_settle(e) || !vcs_emu_prepare(e) || !schedule(e, &summary)) {
        return false;
    }
    e->merit.total.schedules++;
    client->schedule_due = next_time(e, summary.next_check);
    note_decisions(e);
    return client->changes == 0 || vcs_emu_run_tasks(e, client->chosen, client->chosen_count);
}

/* ---- Which project to ask for work ---- */

double vcs_emu_seconds_asked(const vcs_emu_emulator *e, uint32_t project) {
    const vcs_fetch_decision *asked = vcs_emu_asked_of(e, project);
    double seconds = 0.0;
    for (uint32_t r = 0; r < e->records.resource_count; r++) {
        seconds += asked[r].seconds;
    }
    return seconds;
}

bool vcs_emu_begin_fetch(vcs_emu_emulator *e) {
    const uint32_t resources = e->records.resource_count;
    const bool by_sessions = e->setup.parameters.work_fetch == VCS_WORK_FETCH_SESSIONS;
    vcs_resource_forecast *forecasts = e->client.forecasts;
    if (!vcs_emu_prepare(e)) {
        return false;
    }
    e->merit.total.fetches++;
    if (e->setup.hooks.observe == NULL && !by_sessions) {
        return true; /* nobody looks at the forecasts */
    }
    bool passed = vcs_emu_check(e, vcs_wrr_resources(e->client.state, forecasts, sizeof *forecasts, resources));
    for (uint32_t r = 0; passed && r < resources; r++) {
        passed = vcs_emu_notify(e, VCS_EVENT_FORECAST, VCS_NONE, r, forecasts[r].saturated);
    }
    return passed;
}

static bool is_amount(double value) {
    return value >= 0.0 && vcs_is_finite(value);
}

/* The library makes proper requests; those of the caller's function may be anything. */
static bool fetch_by_caller(vcs_emu_emulator *e, const vcs_fetch_question *question, vcs_fetch_summary *summary,
                            uint32_t count) {
    const vcs_hooks *hooks = &e->setup.hooks;
    const vcs_situation situation = vcs_emu_situation(e, &e->records.snapshot);
    vcs_fetch_decision *asked = e->client.fetch_decisions;
    memset(asked, 0, count * sizeof *asked);
    if (!vcs_emu_check_hook(e, hooks->fetch(hooks->context, &situation, question, asked, summary), "fetch")) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!is_amount(asked[i].seconds) || !is_amount(asked[i].instances)) {
            return vcs_emu_check(e, vcs_emu_fail(e->setup.error, VCS_ERR_RANGE, VCS_TYPE_NONE, i, "fetch",
                                                 "asks for seconds or instances that are negative or not finite"));
        }
    }
    return true;
}

static bool fetch_by_library(vcs_emu_emulator *e, const vcs_fetch_question *question, vcs_fetch_summary *summary,
                             uint32_t count) {
    vcs_fetch_decision *asked = e->client.fetch_decisions;
    return vcs_emu_check(e, vcs_fetch(e->client.state, question, summary)) &&
           vcs_emu_check(e, vcs_fetch_decisions(e->client.state, asked, sizeof *asked, count));
}

/* Fills client.fetch_decisions. */
static bool decide_fetch(vcs_emu_emulator *e, const vcs_fetch_question *question, vcs_fetch_summary *summary) {
    const uint32_t count = e->records.project_count * e->records.resource_count;
    return vcs_emu_begin_fetch(e) && (e->setup.hooks.fetch != NULL ? fetch_by_caller(e, question, summary, count)
                                                                   : fetch_by_library(e, question, summary, count));
}

bool vcs_emu_choose_project(vcs_emu_emulator *e, uint32_t *project) {
    const bool is_called = *project != VCS_NONE;
    const vcs_fetch_question question = {
        .struct_size = sizeof question,
        .purpose = is_called ? VCS_FETCH_PIGGYBACK : VCS_FETCH_CHOOSE,
        .project = is_called ? *project : 0,
    };
    vcs_fetch_summary summary = {.struct_size = sizeof summary, .project = VCS_NONE, .next_check = VCS_INFINITY};
    if (!decide_fetch(e, &question, &summary)) {
        return false;
    }
    if (!is_called) {
        e->client.fetch_due = next_time(e, summary.next_check);
        if (summary.project < e->records.project_count && vcs_emu_seconds_asked(e, summary.project) > 0.0) {
            *project = summary.project;
        }
    }
    return true;
}
