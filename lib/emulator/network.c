/* Rules 7.1 to 7.3; worked by hand in tests/timers/test_rpc.c. SPDX-License-Identifier: MIT */
#include "emulator/network.h"

#include "core/number.h"
#include "emulator/notify.h"
#include "emulator/study.h"

#include <string.h>

int vcs_emu_network_open(vcs_emu_network *n, vcs_emu_memory *memory) {
    n->report_due = VCS_INFINITY;
    n->connected = -VCS_INFINITY;
    n->replies = vcs_emu_allocate(memory, n->records->resource_count, sizeof *n->replies);
    return memory->failed ? VCS_ERR_MEMORY : VCS_OK;
}

/* ---- When ---- */

/* Whether the host is connected, and can call yet another server at the moment of the last call. */
static bool is_connected(const vcs_emu_network *n) {
    return n->connected == n->clock->now &&
           vcs_emu_study_may_call_again(n->clock->setup, n->is_calling, n->records->snapshot.tasks.count,
                                        n->records->resources[0].instances);
}

double vcs_emu_next_connection(const vcs_emu_network *n) {
    return is_connected(n) ? n->clock->now : n->connected + n->clock->setup->emulation.connection_interval;
}

/* When a result must be reported and its project may be called. */
static double report_time(const vcs_emu_network *n, const vcs_emu_result *result) {
    return vcs_max(result->due, n->timers->projects[result->project].timer.min_rpc_time);
}

static void plan_reports(vcs_emu_network *n) {
    n->report_due = VCS_INFINITY;
    for (uint32_t i = 0; i < n->results->count; i++) {
        n->report_due = vcs_min(n->report_due, report_time(n, &n->results->results[i]));
    }
}

/* ---- A call ---- */

/* The server answers: results are reported, jobs arrive. */
static int exchange(vcs_emu_network *n, uint32_t project) {
    const vcs_project_resource *records = &n->records->project_resources[vcs_emu_first_of(n->records, project)];
    const vcs_fetch_decision *asked = vcs_emu_asked_of(n->client, project);
    for (uint32_t r = 0; r < n->records->resource_count; r++) {
        const bool is_wanted = (records[r].flags & VCS_PROJECT_RESOURCE_NOT_WANTED) == 0;
        n->replies[r].seconds = asked[r].seconds;
        n->replies[r].flags = is_wanted ? 0 : VCS_REPLY_NOT_WANTED;
    }
    int code = vcs_emu_report_results(n->results, project);
    if (code == VCS_OK && vcs_emu_seconds_asked(n->client, project) > 0.0) {
        code = vcs_emu_send(n->sender, project, asked, n->replies);
    }
    return code == VCS_OK ? vcs_emu_apply_reply(n->timers, project, n->replies) : code;
}

static int call_scheduler(vcs_emu_network *n, uint32_t project, vcs_rpc_session *session) {
    const vcs_emu_setup *setup = n->clock->setup;
    const uint32_t resources = n->records->resource_count;
    const double asked = vcs_emu_seconds_asked(n->client, project), last_connected = n->connected;
    const bool answered = vcs_emu_scheduler_answers(n->servers, project);
    vcs_project_outcome *outcome = &n->merit->projects[project];
    const uint64_t received = outcome->received;
    n->connected = vcs_emu_study_noted_time(setup, n->connected, n->clock->now);
    n->is_calling = true;
    outcome->calls++;
    outcome->failed_calls += !answered;
    memset(n->replies, 0, resources * sizeof *n->replies);
    int code = vcs_emu_notify(n->clock, answered ? VCS_EVENT_CALLED : VCS_EVENT_FAILED, project, VCS_NONE, asked);
    if (code == VCS_OK && answered) {
        code = exchange(n, project);
    }
    if (code == VCS_OK) {
        const bool failed = vcs_emu_study_is_failure(setup, answered, n->replies, resources);
        code = vcs_emu_end_action(n->timers, project, session,
                                  &(vcs_rpc_outcome){.kind = failed ? VCS_RPC_NO_ANSWER : VCS_RPC_ANSWERED});
    }
    if (code == VCS_OK && outcome->received != received) {
        n->client->schedule_due = n->clock->now; /* what has arrived may run */
        code = vcs_emu_settle(n->accounts);      /* now, so that the next decisions share one state */
    } else if (answered && asked > 0.0 && vcs_emu_study_forgets_empty_calls(setup)) {
        n->connected = last_connected;
    }
    return code;
}

static int read_master(vcs_emu_network *n, uint32_t project, vcs_rpc_session *session) {
    bool moved;
    const bool answered = vcs_emu_master_answers(n->servers, project, &moved);
    vcs_project_outcome *outcome = &n->merit->projects[project];
    n->connected = n->clock->now;
    outcome->master_fetches++;
    outcome->failed_masters += !answered;
    const int code =
        vcs_emu_notify(n->clock, answered ? VCS_EVENT_MASTER : VCS_EVENT_NO_MASTER, project, VCS_NONE, 0.0);
    if (code != VCS_OK) {
        return code;
    }
    return vcs_emu_end_action(n->timers, project, session,
                              &(vcs_rpc_outcome){
                                  .kind = answered ? VCS_RPC_MASTER_FETCHED : VCS_RPC_MASTER_FAILED,
                                  .flags = moved ? VCS_RPC_NEW_URLS : 0,
                                  .scheduler_urls = answered,
                              });
}

/*
 * A session with one project, as when the user wants it called (rule 7.3): how much to ask for is known already. The
 * library says when its master file has to be read first, and if that fails, the scheduler is not called.
 */
static int call(vcs_emu_network *n, uint32_t project) {
    const vcs_emu_setup *setup = n->clock->setup;
    vcs_rpc_project *rpc = &n->timers->projects[project];
    const vcs_rpc_situation situation = {.struct_size = sizeof situation, .now = n->clock->now};
    vcs_rpc_session session = {.kind = VCS_RPC_NO_SESSION};
    int code = VCS_OK;
    rpc->flags |= VCS_RPC_CALL_WANTED;
    do {
        vcs_rpc_action action = {.struct_size = sizeof action};
        code = vcs_rpc_next(&session, rpc, sizeof *rpc, 1, &situation, &setup->parameters, &action, setup->error);
        if (code == VCS_OK) {
            code = action.kind == VCS_RPC_FETCH_MASTER ? read_master(n, project, &session)
                                                       : call_scheduler(n, project, &session);
        }
    } while (code == VCS_OK && session.kind != VCS_RPC_NO_SESSION);
    if (code == VCS_OK) {
        code = vcs_project_timer_delay(&rpc->timer, VCS_EMU_LEAST_CALL_INTERVAL, n->clock->now);
    }
    n->client->fetch_due = n->clock->now;
    n->records->changed = true;
    plan_reports(n);
    return code;
}

/* ---- Whom to call ---- */

/* The project of a result that is due now and may be called; VCS_NONE if there is none. */
static uint32_t project_to_report(const vcs_emu_network *n) {
    for (uint32_t i = 0; i < n->results->count; i++) {
        if (report_time(n, &n->results->results[i]) <= n->clock->now) {
            return n->results->results[i].project;
        }
    }
    return VCS_NONE;
}

/* A project with a result that is due is called, and asked for work, too. */
static int make_call(vcs_emu_network *n) {
    uint32_t project = n->client->fetch_due <= n->clock->now ? VCS_NONE : project_to_report(n);
    const int code = vcs_emu_choose_project(n->client, &project);
    if (code != VCS_OK || project == VCS_NONE || n->timers->projects[project].timer.min_rpc_time > n->clock->now) {
        return code;
    }
    return call(n, project);
}

int vcs_emu_make_calls(vcs_emu_network *n) {
    int code = VCS_OK;
    plan_reports(n);
    while (code == VCS_OK && vcs_emu_network_due(n) <= n->clock->now) {
        code = make_call(n);
    }
    n->is_calling = false;
    return code;
}
