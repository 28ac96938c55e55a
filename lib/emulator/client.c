/* SPDX-License-Identifier: MIT */
#include "emulator/client.h"

#include "core/number.h"
#include "emulator/notify.h"

#include <string.h>

/* The shortest wait for the next decision, s. */
#define LEAST_WAIT 1.0

int vcs_emu_client_open(vcs_emu_client *client) {
    const uint64_t resources = client->records->resource_count;
    client->schedule_due = client->fetch_due = client->clock->now;
    client->fetch_decisions = vcs_emu_allocate(client->memory, client->records->project_count * resources,
                                               sizeof *client->fetch_decisions);
    client->forecasts = vcs_emu_allocate(client->memory, resources, sizeof *client->forecasts);
    return client->memory->failed ? VCS_ERR_MEMORY : VCS_OK;
}

/* ---- The records as a state ---- */

static int prepare_first(vcs_emu_client *client, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    size_t bytes;
    client->state = NULL;
    int code = vcs_state_size(snapshot, &bytes);
    if (code == VCS_OK) {
        code = vcs_emu_reserve(client->memory, &client->work, bytes, 1);
    }
    return code != VCS_OK ? code
                          : vcs_state_prepare(snapshot, policy, client->clock->now, client->work.base,
                                              client->work.size, &client->state, client->clock->setup->error);
}

/* Client and servers see nearly the same host: the last state is renewed, whichever of them it was for. */
static int prepare(vcs_emu_client *client, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    int code = VCS_ERR_WORKSPACE;
    if (client->state != NULL) {
        code = vcs_state_renew(client->state, client->work.size, snapshot, policy, client->clock->now, NULL);
    }
    client->simulated = false;
    return code == VCS_OK ? VCS_OK : prepare_first(client, snapshot, policy);
}

int vcs_emu_prepare_other(vcs_emu_client *client, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    client->records->changed = true; /* the state is not of the records any more */
    return prepare(client, snapshot, policy);
}

int vcs_emu_prepare(vcs_emu_client *client) {
    int code = VCS_OK;
    if (client->records->changed) {
        code = vcs_emu_estimate_tasks(client->tasks);
        vcs_emu_show_timers(client->timers);
        if (code == VCS_OK) {
            code = prepare(client, &client->records->snapshot, &client->clock->setup->parameters);
            client->records->changed = false;
        }
    }
    if (code == VCS_OK && !client->simulated) {
        code = vcs_wrr(client->state, NULL);
        client->simulated = true;
    }
    return code;
}

vcs_situation vcs_emu_situation(const vcs_emu_client *client, const vcs_snapshot *snapshot) {
    return (vcs_situation){
        .struct_size = sizeof(vcs_situation),
        .now = client->clock->now,
        .snapshot = snapshot,
        .parameters = &client->clock->setup->parameters,
        .state = client->state,
    };
}

/* When to decide again that should happen after `next_check` seconds; time must pass. */
static double next_time(const vcs_emu_client *client, double next_check) {
    return client->clock->now + vcs_max(next_check, LEAST_WAIT);
}

/* ---- Which tasks run ---- */

static int reserve(vcs_emu_client *client, uint64_t count) {
    int code = vcs_emu_reserve(client->memory, &client->chosen_vector, count, sizeof *client->chosen);
    if (code == VCS_OK) {
        code = vcs_emu_reserve(client->memory, &client->decision_vector, count, sizeof *client->task_decisions);
    }
    client->chosen = client->chosen_vector.base;
    client->task_decisions = client->decision_vector.base;
    return code;
}

/* Notes what a decision means for the next one. */
static void note_late(vcs_task *task, const vcs_task_decision *decision) {
    const uint32_t late = (decision->flags & VCS_DECISION_LATE) != 0 ? VCS_TASK_WAS_LATE : 0;
    task->flags = (task->flags & ~VCS_TASK_WAS_LATE) | late;
}

/* The library uses no more than there is; the caller's function may try. */
static int check_use(const vcs_emu_client *client, uint32_t resource) {
    const vcs_emu_setup *setup = client->clock->setup;
    double used = 0.0;
    for (uint32_t i = 0; i < client->records->snapshot.tasks.count; i++) {
        const vcs_task *task = &client->records->tasks[i];
        if (client->task_decisions[i].run != 0) {
            used += resource == 0 ? task->cpus : task->gpu == resource ? task->gpus : 0.0;
        }
    }
    if (used <= client->records->resources[resource].instances + 1e-6 || setup->parameters.overcommit) {
        return VCS_OK;
    }
    return vcs_emu_fail(setup->error, VCS_ERR_RANGE, VCS_TYPE_NONE, resource, "schedule",
                        "runs more tasks than there are instances");
}

/* Of the decisions on all tasks, keeps those on the tasks that run. */
static void keep_chosen(vcs_emu_client *client) {
    client->chosen_count = 0;
    client->changes = 0;
    for (uint32_t i = 0; i < client->records->snapshot.tasks.count; i++) {
        vcs_task *task = &client->records->tasks[i];
        const bool runs = client->task_decisions[i].run != 0;
        note_late(task, &client->task_decisions[i]);
        client->changes += runs != ((task->flags & VCS_TASK_RUNNING) != 0);
        if (runs) {
            client->task_decisions[client->chosen_count] = client->task_decisions[i];
            client->chosen[client->chosen_count++] = i;
        }
    }
}

static int schedule_by_caller(vcs_emu_client *client, vcs_schedule_summary *summary) {
    const vcs_hooks *hooks = &client->clock->setup->hooks;
    const vcs_situation situation = vcs_emu_situation(client, &client->records->snapshot);
    memset(client->task_decisions, 0, client->records->snapshot.tasks.count * sizeof *client->task_decisions);
    int code = hooks->schedule(hooks->context, &situation, client->task_decisions, summary);
    code = vcs_emu_hook_result(client->clock->setup, code, "schedule");
    for (uint32_t r = 0; code == VCS_OK && r < client->records->resource_count; r++) {
        code = check_use(client, r);
    }
    if (code == VCS_OK) {
        keep_chosen(client);
    }
    return code;
}

static int schedule_by_library(vcs_emu_client *client, vcs_schedule_summary *summary) {
    int code = vcs_schedule(client->state, VCS_SCHEDULE_RUNNING, summary);
    if (code == VCS_OK) {
        client->chosen_count = summary->running;
        client->changes = summary->started + summary->stopped;
        code = vcs_schedule_running(client->state, client->chosen, client->task_decisions,
                                    sizeof *client->task_decisions, client->chosen_count);
    }
    return code;
}

/* What changes in the records of the tasks that run from now on, whether they ran before or not. */
static void note_decisions(vcs_emu_client *client) {
    for (uint32_t i = 0; i < client->chosen_count; i++) {
        vcs_task *task = &client->records->tasks[client->chosen[i]];
        note_late(task, &client->task_decisions[i]);
        if ((client->task_decisions[i].flags & VCS_DECISION_NEW_SLICE) != 0) {
            task->running_since = client->clock->now;
        }
    }
    client->records->changed = true;
}

int vcs_emu_choose_tasks(vcs_emu_client *client) {
    vcs_schedule_summary summary = {.struct_size = sizeof summary, .next_check = VCS_INFINITY};
    int code = vcs_emu_settle(client->accounts);
    if (code == VCS_OK) {
        code = vcs_emu_prepare(client);
    }
    if (code == VCS_OK) {
        code = reserve(client, (uint64_t)client->records->snapshot.tasks.count + 1);
    }
    if (code == VCS_OK) {
        const bool asks_caller = client->clock->setup->hooks.schedule != NULL;
        code = asks_caller ? schedule_by_caller(client, &summary) : schedule_by_library(client, &summary);
    }
    if (code != VCS_OK) {
        return code;
    }
    client->merit->total.schedules++;
    client->schedule_due = next_time(client, summary.next_check);
    note_decisions(client);
    return client->changes > 0 ? vcs_emu_run_tasks(client->tasks, client->chosen, client->chosen_count) : VCS_OK;
}

/* ---- Which project to ask for work ---- */

double vcs_emu_seconds_asked(const vcs_emu_client *client, uint32_t project) {
    const vcs_fetch_decision *asked = vcs_emu_asked_of(client, project);
    double seconds = 0.0;
    for (uint32_t r = 0; r < client->records->resource_count; r++) {
        seconds += asked[r].seconds;
    }
    return seconds;
}

/* How long each resource is saturated, for the observer. */
static int notify_forecasts(vcs_emu_client *client) {
    const uint32_t resources = client->records->resource_count;
    if (client->clock->setup->hooks.observe == NULL) {
        return VCS_OK;
    }
    int code = vcs_wrr_resources(client->state, client->forecasts, sizeof *client->forecasts, resources);
    for (uint32_t r = 0; code == VCS_OK && r < resources; r++) {
        code = vcs_emu_notify(client->clock, VCS_EVENT_FORECAST, VCS_NONE, r, client->forecasts[r].saturated);
    }
    return code;
}

static bool is_amount(double value) {
    return value >= 0.0 && vcs_is_finite(value);
}

/* The library made its own requests; those of the caller's function may be anything. */
static int check_requests(const vcs_emu_client *client, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const vcs_fetch_decision *asked = &client->fetch_decisions[i];
        if (!is_amount(asked->seconds) || !is_amount(asked->instances)) {
            return vcs_emu_fail(client->clock->setup->error, VCS_ERR_RANGE, VCS_TYPE_NONE, i, "fetch",
                                "asks for seconds or instances that are negative or not finite");
        }
    }
    return VCS_OK;
}

static int fetch_by_caller(vcs_emu_client *client, const vcs_fetch_question *question, vcs_fetch_summary *summary,
                           uint32_t count) {
    const vcs_hooks *hooks = &client->clock->setup->hooks;
    const vcs_situation situation = vcs_emu_situation(client, &client->records->snapshot);
    memset(client->fetch_decisions, 0, count * sizeof *client->fetch_decisions);
    int code = hooks->fetch(hooks->context, &situation, question, client->fetch_decisions, summary);
    code = vcs_emu_hook_result(client->clock->setup, code, "fetch");
    return code == VCS_OK ? check_requests(client, count) : code;
}

static int fetch_by_library(vcs_emu_client *client, const vcs_fetch_question *question, vcs_fetch_summary *summary,
                            uint32_t count) {
    const int code = vcs_fetch(client->state, question, summary);
    return code == VCS_OK
               ? vcs_fetch_decisions(client->state, client->fetch_decisions, sizeof *client->fetch_decisions, count)
               : code;
}

/* Fills client->fetch_decisions. */
static int decide_fetch(vcs_emu_client *client, const vcs_fetch_question *question, vcs_fetch_summary *summary) {
    const uint32_t count = client->records->project_count * client->records->resource_count;
    int code = vcs_emu_prepare(client);
    if (code != VCS_OK) {
        return code;
    }
    client->merit->total.fetches++;
    code = notify_forecasts(client);
    if (code != VCS_OK) {
        return code;
    }
    return client->clock->setup->hooks.fetch != NULL ? fetch_by_caller(client, question, summary, count)
                                                     : fetch_by_library(client, question, summary, count);
}

int vcs_emu_choose_project(vcs_emu_client *client, uint32_t *project) {
    const bool is_called = *project != VCS_NONE;
    const vcs_fetch_question question = {
        .struct_size = sizeof question,
        .purpose = is_called ? VCS_FETCH_PIGGYBACK : VCS_FETCH_CHOOSE,
        .project = is_called ? *project : 0,
    };
    vcs_fetch_summary summary = {.struct_size = sizeof summary, .project = VCS_NONE, .next_check = VCS_INFINITY};
    const int code = decide_fetch(client, &question, &summary);
    if (code != VCS_OK || is_called) {
        return code;
    }
    client->fetch_due = next_time(client, summary.next_check);
    if (summary.project < client->records->project_count && vcs_emu_seconds_asked(client, summary.project) > 0.0) {
        *project = summary.project;
    }
    return VCS_OK;
}
