/*
 * The client of the host: it decides which tasks run, which project is asked for how much work, and when to decide that
 * again. Its records as a state of libvcsched serve both, and the servers too.
 *
 * Rules 6.10 and 13.11; worked by hand in tests/vcemu/host/test_emulator_network.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/emulator.h"

/* The shortest wait for the next decision, s. */
#define LEAST_WAIT 1.0

/* ---- The records as a state ---- */

/* Client and servers see nearly the same host: the last state is renewed, whichever of them it was for. */
static void prepare(vcs_emu_emulator *e, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    vcs_emu_workspace *space = &e->ground->workspace;
    size_t bytes = 0;
    e->client.simulated = e->client.scheduled = false;
    if (space->state != NULL && vcs_state_renew(space->state, vcs_emu_capacity(space->memory), snapshot, policy,
                                                e->clock.now, NULL) == VCS_OK) {
        return;
    }
    space->state = NULL;
    const int code = vcs_state_size(snapshot, &bytes);
    /* Twice as much, or hosts with many tasks and servers with many jobs on offer drive each other out. */
    if (code != VCS_OK) {
        vcs_emu_fail(e, code, 0, "snapshot", vcs_strerror(code));
    } else if (vcs_emu_reserve(e->ground, &space->memory, bytes, 2)) {
        vcs_emu_note(e, vcs_state_prepare(snapshot, policy, e->clock.now, space->memory,
                                          vcs_emu_capacity(space->memory), &space->state, e->error));
    } else {
        vcs_emu_note(e, VCS_ERR_MEMORY);
    }
}

bool vcs_emu_prepare_other(vcs_emu_emulator *e, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    e->records.changed = true; /* the state is not of the records any more */
    prepare(e, snapshot, policy);
    return e->code == VCS_OK;
}

/* Makes the state one of the present records, simulated or not. Whether it is one. */
static bool prepare_records(vcs_emu_emulator *e) {
    if (e->records.changed) {
        vcs_emu_show_timers(e);
        vcs_emu_estimate_tasks(e);
        prepare(e, &e->records.snapshot, &e->setup.parameters);
        e->records.changed = false;
    }
    return e->code == VCS_OK;
}

bool vcs_emu_prepare(vcs_emu_emulator *e) {
    prepare_records(e);
    if (!e->client.simulated) {
        e->client.simulated = true;
        vcs_emu_note(e, vcs_wrr(vcs_emu_state(e), NULL));
    }
    return e->code == VCS_OK;
}

/* When to decide again that should happen after `next_check` seconds; time must pass. */
static double next_time(const vcs_emu_emulator *e, double next_check) {
    return e->clock.now + vcs_max(next_check, LEAST_WAIT);
}

/* The caller's function may set anything; no moment would be found by what is not a number. */
static void check_next(vcs_emu_emulator *e, double next_check, const char *function) {
    if (next_check != next_check) {
        vcs_emu_fail(e, VCS_ERR_RANGE, 0, function, "sets next_check to what is not a number");
    }
}

/* ---- Which tasks run ---- */

/* Notes what a decision means for the next one. */
static void note_late(vcs_task *task, const vcs_task_decision *decision) {
    const uint32_t late = (decision->flags & VCS_DECISION_LATE) != 0 ? VCS_TASK_WAS_LATE : 0;
    task->flags = (task->flags & ~VCS_TASK_WAS_LATE) | late;
}

/*
 * The most that the caller's function may run at once. Whether all of that fits (rule 4.7) is not asked, since that
 * depends on an order. CPU shares of GPU tasks do not count, and CPU tasks may use more if the policy lets any do so.
 */
static void check_use(vcs_emu_emulator *e, uint32_t resource) {
    const uint32_t rule = resource == 0 ? e->setup.parameters.cpu_fit : VCS_CPU_FIT_STRICT;
    const double overshoot = rule == VCS_CPU_FIT_STRICT ? 0.0 : rule == VCS_CPU_FIT_ANY ? VCS_INFINITY : 1.0;
    double used = 0.0;
    for (uint32_t i = 0; i < e->records.snapshot.tasks.count; i++) {
        const vcs_task *task = &e->records.tasks[i];
        if (e->ground->workspace.task_decisions[i].run != 0 && task->gpu == resource) {
            used += resource == 0 ? task->cpus : task->gpus;
        }
    }
    if (used > e->records.resources[resource].instances * (1.0 + 1e-4) + overshoot) {
        vcs_emu_fail(e, VCS_ERR_RANGE, resource, "schedule", "runs more tasks than there are instances");
    }
}

/* Of the decisions on all tasks, keeps those on the tasks that run. */
static void keep_chosen(vcs_emu_emulator *e) {
    vcs_emu_client *client = &e->client;
    vcs_emu_workspace *space = &e->ground->workspace;
    client->chosen_count = 0;
    client->changes = 0;
    for (uint32_t i = 0; i < e->records.snapshot.tasks.count; i++) {
        vcs_task *task = &e->records.tasks[i];
        const bool runs = space->task_decisions[i].run != 0;
        VCS_INVARIANT(client->chosen_count <= i); /* of the tasks before this one, so many are chosen */
        note_late(task, &space->task_decisions[i]);
        client->changes += runs != ((task->flags & VCS_TASK_RUNNING) != 0);
        if (runs) {
            space->task_decisions[client->chosen_count] = space->task_decisions[i];
            space->chosen[client->chosen_count++] = i;
        }
    }
}

static void choose_by_caller(vcs_emu_emulator *e, vcs_schedule_summary *summary) {
    const vcs_hooks *hooks = &e->setup.hooks;
    vcs_situation situation;
    vcs_task_decision *decisions = e->ground->workspace.task_decisions;
    memset(decisions, 0, e->records.snapshot.tasks.count * sizeof *decisions);
    if (vcs_emu_show(e, &e->records.snapshot, &situation)) {
        vcs_emu_note_hook(e, hooks->schedule(hooks->context, &situation, decisions, summary), "schedule");
    }
    check_next(e, summary->next_check, "schedule");
    for (uint32_t r = 0; r < e->records.resource_count; r++) {
        check_use(e, r);
    }
    keep_chosen(e);
}

/* What runs on the present state: decided once, for the fetch and for the choice. */
static void schedule_by_library(vcs_emu_emulator *e) {
    vcs_emu_client *client = &e->client;
    if (!client->scheduled) {
        client->scheduled = true;
        client->summary.struct_size = sizeof client->summary;
        vcs_emu_note(e, vcs_wrr_for_schedule(vcs_emu_state(e)));
        vcs_emu_note(e, vcs_schedule(vcs_emu_state(e), VCS_SCHEDULE_RUNNING, &client->summary));
    }
}

static void choose_by_library(vcs_emu_emulator *e, vcs_schedule_summary *summary) {
    vcs_emu_client *client = &e->client;
    const vcs_emu_workspace *space = &e->ground->workspace;
    schedule_by_library(e);
    *summary = client->summary;
    client->chosen_count = summary->running;
    client->changes = summary->started + summary->stopped;
    vcs_emu_note(e, vcs_schedule_running(vcs_emu_state(e), space->chosen, space->task_decisions,
                                         sizeof *space->task_decisions, client->chosen_count));
}

/* A task that goes on running on other devices has to start again there. */
static bool is_moved(const vcs_task *task, const vcs_task_decision *decision) {
    return (task->flags & VCS_TASK_RUNNING) != 0 && task->devices != 0 && decision->devices != task->devices;
}

/* What changes in the records of the tasks that run from now on, whether they ran before or not. */
static void note_decisions(vcs_emu_emulator *e) {
    vcs_emu_client *client = &e->client;
    const vcs_emu_workspace *space = &e->ground->workspace;
    for (uint32_t i = 0; i < client->chosen_count; i++) {
        vcs_task *task = &e->records.tasks[space->chosen[i]];
        note_late(task, &space->task_decisions[i]);
        if (is_moved(task, &space->task_decisions[i])) {
            e->tasks.truths[space->chosen[i]].moves = true;
            client->changes++;
        }
        task->devices = space->task_decisions[i].devices;
        if ((space->task_decisions[i].flags & VCS_DECISION_NEW_SLICE) != 0) {
            task->running_since = e->clock.now;
        }
    }
    e->records.changed = true;
}

/* Whether what the choice of tasks leaves idle is reason to fetch (rule 6.3): by S4's rules. */
static bool fetches_for_idle(const vcs_emu_emulator *e) {
    return e->setup.parameters.discipline == VCS_DISCIPLINE_SLICED;
}

bool vcs_emu_prepare_to_fetch(vcs_emu_emulator *e) {
    if (!vcs_emu_prepare(e)) {
        return false;
    }
    /* What a choice of the caller's leaves idle, the library cannot tell; a fetch of the caller's may. */
    if (fetches_for_idle(e) && e->setup.hooks.schedule == NULL) {
        schedule_by_library(e);
    }
    return true;
}

void vcs_emu_choose_tasks(vcs_emu_emulator *e) {
    vcs_emu_client *client = &e->client;
    vcs_schedule_summary summary = {.struct_size = sizeof summary, .next_check = VCS_INFINITY};
    vcs_emu_settle(e);
    if (vcs_emu_choice_stands(e)) {
        summary.next_check = vcs_emu_let_stand(e);
        client->chosen_count = client->changes = 0;
    } else if (e->setup.hooks.schedule != NULL && vcs_emu_prepare(e)) {
        choose_by_caller(e, &summary);
    } else if (prepare_records(e)) {
        choose_by_library(e, &summary);
    }
    if (e->code != VCS_OK) {
        return;
    }
    e->merit.total.schedules++;
    client->schedule_due = next_time(e, summary.next_check);
    e->tasks.regrouped = false;
    note_decisions(e);
    if (client->changes > 0) {
        vcs_emu_run_tasks(e, client->chosen_count);
        if (e->tasks.leave_idle && fetches_for_idle(e)) {
            client->fetch_due = e->clock.now;
        }
    }
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
    if (vcs_emu_prepare_to_fetch(e)) {
        e->merit.total.fetches++;
        if (vcs_emu_is_observed(e) || by_sessions) { /* else nobody looks at the forecasts */
            vcs_emu_note(e, vcs_wrr_resources(vcs_emu_state(e), forecasts, sizeof *forecasts, resources));
            for (uint32_t r = 0; r < resources; r++) {
                vcs_emu_notify(e, VCS_EVENT_FORECAST, VCS_NONE, r, forecasts[r].saturated, 0);
            }
        }
    }
    return e->code == VCS_OK;
}

static bool is_amount(double value) {
    return value >= 0.0 && vcs_is_finite(value);
}

/* The library makes proper requests; those of the caller's function may be anything. */
static void fetch_by_caller(vcs_emu_emulator *e, const vcs_fetch_question *question, vcs_fetch_summary *summary,
                            uint32_t count) {
    const vcs_hooks *hooks = &e->setup.hooks;
    vcs_situation situation;
    vcs_fetch_decision *asked = e->client.fetch_decisions;
    memset(asked, 0, count * sizeof *asked);
    if (vcs_emu_show(e, &e->records.snapshot, &situation)) {
        vcs_emu_note_hook(e, hooks->fetch(hooks->context, &situation, question, asked, summary), "fetch");
    }
    check_next(e, summary->next_check, "fetch");
    for (uint32_t i = 0; i < count; i++) {
        if (!is_amount(asked[i].seconds) || !is_amount(asked[i].instances)) {
            vcs_emu_fail(e, VCS_ERR_RANGE, i, "fetch", "asks for seconds or instances that are negative or not finite");
        }
    }
}

/* What is asked for is of no interest if nobody is called, which is the usual outcome. */
static void fetch_by_library(vcs_emu_emulator *e, const vcs_fetch_question *question, vcs_fetch_summary *summary,
                             uint32_t count) {
    vcs_fetch_decision *asked = e->client.fetch_decisions;
    vcs_fetch_question brief = *question;
    brief.flags |= question->purpose == VCS_FETCH_CHOOSE ? VCS_FETCH_BRIEF : 0;
    vcs_emu_note(e, vcs_fetch(vcs_emu_state(e), &brief, summary));
    if (summary->project != VCS_NONE || question->purpose == VCS_FETCH_PIGGYBACK) {
        vcs_emu_note(e, vcs_fetch_decisions(vcs_emu_state(e), asked, sizeof *asked, count));
    }
}

uint32_t vcs_emu_choose_project(vcs_emu_emulator *e, uint32_t project) {
    const uint32_t count = e->records.project_count * e->records.resource_count;
    const bool is_called = project != VCS_NONE;
    const vcs_fetch_question question = {
        .struct_size = sizeof question,
        .purpose = is_called ? VCS_FETCH_PIGGYBACK : VCS_FETCH_CHOOSE,
        .project = is_called ? project : 0,
    };
    vcs_fetch_summary summary = {.struct_size = sizeof summary, .project = VCS_NONE, .next_check = VCS_INFINITY};
    if (!is_called && vcs_emu_work_lasts(e)) {
        e->merit.total.fetches++;
        e->client.fetch_due = VCS_INFINITY; /* until a task ends, or the next choice */
        return VCS_NONE;
    }
    if (!vcs_emu_begin_fetch(e)) {
        return VCS_NONE;
    }
    if (e->setup.hooks.fetch != NULL) {
        fetch_by_caller(e, &question, &summary, count);
    } else {
        fetch_by_library(e, &question, &summary, count);
    }
    if (is_called) {
        return project;
    }
    e->client.fetch_due = next_time(e, summary.next_check);
    const bool asks = summary.project < e->records.project_count && vcs_emu_seconds_asked(e, summary.project) > 0.0;
    return asks ? summary.project : VCS_NONE;
}
