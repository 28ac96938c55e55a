/*
 * Calls of servers, and when they are due.
 *
 * Rules 7.1 to 7.3; worked by hand in tests/timers/test_rpc.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "emulator/emulator.h"
#include "emulator/study.h"

#include <string.h>

bool vcs_emu_network_open(vcs_emu_emulator *e) {
    e->network.report_due = VCS_INFINITY;
    e->network.connected = -VCS_INFINITY;
    e->network.replies = vcs_emu_new(e, e->records.resource_count, sizeof *e->network.replies);
    return vcs_emu_check_memory(e);
}

/* ---- When ---- */

/* Whether the host is connected, and can call yet another server at the moment of the last call. */
static bool is_connected(const vcs_emu_emulator *e) {
    return e->network.connected == e->clock.now &&
           vcs_emu_study_may_call_again(&e->setup, e->network.is_calling, e->records.snapshot.tasks.count,
                                        e->records.resources[0].instances);
}

double vcs_emu_next_connection(const vcs_emu_emulator *e) {
    const double interval = e->setup.emulation.connection_interval;
    return interval > 0.0 && !is_connected(e) ? e->network.connected + interval : -VCS_INFINITY;
}

double vcs_emu_network_due(const vcs_emu_emulator *e) {
    const double due = vcs_min(e->client.fetch_due, e->network.report_due);
    if (e->setup.emulation.connection_interval == 0.0) {
        return due;
    }
    return vcs_max(due, is_connected(e) ? e->clock.now : vcs_emu_next_connection(e));
}

/* When a result must be reported and its project may be called. */
static double report_time(const vcs_emu_emulator *e, const vcs_emu_result *result) {
    return vcs_max(result->due, e->timers.projects[result->task.project].timer.min_rpc_time);
}

static void plan_reports(vcs_emu_emulator *e) {
    e->network.report_due = VCS_INFINITY;
    for (uint32_t i = 0; i < e->merit.result_count; i++) {
        e->network.report_due = vcs_min(e->network.report_due, report_time(e, &e->merit.results[i]));
    }
}

/* ---- A call ---- */

/* The server answers: results are reported, jobs arrive. */
static bool exchange(vcs_emu_emulator *e, uint32_t project) {
    const vcs_project_resource *records = &e->records.project_resources[vcs_emu_first_of(e, project)];
    const vcs_fetch_decision *asked = vcs_emu_asked_of(e, project);
    vcs_resource_reply *replies = e->network.replies;
    for (uint32_t r = 0; r < e->records.resource_count; r++) {
        const bool is_wanted = (records[r].flags & VCS_PROJECT_RESOURCE_NOT_WANTED) == 0;
        replies[r].seconds = asked[r].seconds;
        replies[r].flags = is_wanted ? 0 : VCS_REPLY_NOT_WANTED;
    }
    return vcs_emu_report_results(e, project) &&
           (vcs_emu_seconds_asked(e, project) <= 0.0 || vcs_emu_send(e, project, asked, replies)) &&
           vcs_emu_apply_reply(e, project, replies);
}

static bool call_scheduler(vcs_emu_emulator *e, uint32_t project, vcs_rpc_session *session) {
    vcs_emu_network *network = &e->network;
    const uint32_t resources = e->records.resource_count;
    const double asked = vcs_emu_seconds_asked(e, project), last_connected = network->connected;
    const bool answered = vcs_emu_scheduler_answers(e, project);
    vcs_project_outcome *outcome = &e->merit.projects[project];
    const uint64_t received = outcome->received;
    network->connected = vcs_emu_study_noted_time(&e->setup, network->connected, e->clock.now);
    network->is_calling = true;
    outcome->calls++;
    outcome->failed_calls += !answered;
    memset(network->replies, 0, resources * sizeof *network->replies);
    if (!vcs_emu_notify(e, answered ? VCS_EVENT_CALLED : VCS_EVENT_FAILED, project, VCS_NONE, asked) ||
        (answered && !exchange(e, project))) {
        return false;
    }
    const bool failed = vcs_emu_study_is_failure(&e->setup, answered, network->replies, resources);
    vcs_rpc_outcome ended = {.kind = failed ? VCS_RPC_NO_ANSWER : VCS_RPC_ANSWERED};
    if (!vcs_emu_end_action(e, project, session, &ended)) {
        return false;
    }
    if (outcome->received != received) {
        e->client.schedule_due = e->clock.now; /* what has arrived may run */
        return vcs_emu_settle(e);              /* now, so that the next decisions share one state */
    }
    if (answered && asked > 0.0 && vcs_emu_study_forgets_empty_calls(&e->setup)) {
        network->connected = last_connected;
    }
    return true;
}

static bool read_master(vcs_emu_emulator *e, uint32_t project, vcs_rpc_session *session) {
    bool moved;
    const bool answered = vcs_emu_master_answers(e, project, &moved);
    vcs_project_outcome *outcome = &e->merit.projects[project];
    e->network.connected = e->clock.now;
    outcome->master_fetches++;
    outcome->failed_masters += !answered;
    vcs_rpc_outcome ended = {
        .kind = answered ? VCS_RPC_MASTER_FETCHED : VCS_RPC_MASTER_FAILED,
        .flags = moved ? VCS_RPC_NEW_URLS : 0,
        .scheduler_urls = answered,
    };
    return vcs_emu_notify(e, answered ? VCS_EVENT_MASTER : VCS_EVENT_NO_MASTER, project, VCS_NONE, 0.0) &&
           vcs_emu_end_action(e, project, session, &ended);
}

/*
 * A session with one project, as when the user wants it called (rule 7.3): how much to ask for is known already. The
 * library says when its master file has to be read first, and if that fails, the scheduler is not called.
 */
static bool call(vcs_emu_emulator *e, uint32_t project) {
    const vcs_parameters *parameters = &e->setup.parameters;
    vcs_rpc_project *rpc = &e->timers.projects[project];
    const vcs_rpc_situation situation = {.struct_size = sizeof situation, .now = e->clock.now};
    vcs_rpc_session session = {.kind = VCS_RPC_NO_SESSION};
    rpc->flags |= VCS_RPC_CALL_WANTED;
    do {
        vcs_rpc_action action = {.struct_size = sizeof action};
        if (!vcs_emu_check(
                e, vcs_rpc_next(&session, rpc, sizeof *rpc, 1, &situation, parameters, &action, e->setup.error)) ||
            !(action.kind == VCS_RPC_FETCH_MASTER ? read_master(e, project, &session)
                                                  : call_scheduler(e, project, &session))) {
            return false;
        }
    } while (session.kind != VCS_RPC_NO_SESSION);
    e->client.fetch_due = e->clock.now;
    e->records.changed = true;
    const int code = vcs_project_timer_delay(&rpc->timer, VCS_EMU_LEAST_CALL_INTERVAL, e->clock.now);
    plan_reports(e);
    return vcs_emu_check(e, code);
}

/* ---- Whom to call ---- */

/* The project of a result that is due now and may be called; VCS_NONE if there is none. */
static uint32_t project_to_report(const vcs_emu_emulator *e) {
    for (uint32_t i = 0; i < e->merit.result_count; i++) {
        if (report_time(e, &e->merit.results[i]) <= e->clock.now) {
            return e->merit.results[i].task.project;
        }
    }
    return VCS_NONE;
}

/* A project with a result that is due is called, and asked for work, too. */
static bool make_call(vcs_emu_emulator *e) {
    uint32_t project = e->client.fetch_due <= e->clock.now ? VCS_NONE : project_to_report(e);
    if (!vcs_emu_choose_project(e, &project)) {
        return false;
    }
    return project == VCS_NONE || e->timers.projects[project].timer.min_rpc_time > e->clock.now || call(e, project);
}

bool vcs_emu_make_calls(vcs_emu_emulator *e) {
    bool made = true;
    plan_reports(e);
    while (made && vcs_emu_network_due(e) <= e->clock.now) {
        made = make_call(e);
    }
    e->network.is_calling = false;
    return made;
}
