/* Calls of servers: to report results, to ask for work, and what follows. SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"
#include "emulator/field_table.h"

#include <string.h>

/* A server that was called is not called again before time has passed. */
#define LEAST_CALL_INTERVAL 1.0

static double later(double a, double b) {
    return a > b ? a : b;
}

static double sooner(double a, double b) {
    return a < b ? a : b;
}

/* ---- When ---- */

/*
 * Whether the moment of the last call is not over. All that the policy wants is done at one moment; but the study's
 * program makes one call, and more only while a CPU has no task.
 */
static int is_connected(const vcs_emulator *e) {
    if (e->connected != e->clock.now) {
        return 0;
    }
    return !e->emulation.study_rules || (e->is_calling && e->snapshot.tasks.count < e->resources[0].instances);
}

/* When a server can be called next: at the moment of the last call, or so long after it that the host is connected. */
static double next_connection(const vcs_emulator *e) {
    if (e->emulation.connection_interval == 0.0 || is_connected(e)) {
        return e->clock.now;
    }
    return e->connected + e->emulation.connection_interval;
}

/*
 * When a call that is made now was made, for next_connection(). The study's program notes the time of the last call
 * and takes 0 for none, so that after the first one, at time 0, another project can be called at once.
 */
static double noted_time(const vcs_emulator *e) {
    const int is_first = e->connected == -VCS_INFINITY;
    return is_first && e->emulation.study_rules ? e->clock.now - e->emulation.connection_interval : e->clock.now;
}

/* When a result must be reported, and its project may be called. */
static double report_time(const vcs_emulator *e, const vcs_unreported *result) {
    return later(result->due, e->true_projects[result->project].rpc.timer.min_rpc_time);
}

static void plan_reports(vcs_emulator *e) {
    e->report_at = VCS_INFINITY;
    for (uint32_t i = 0; i < e->unreported_count; i++) {
        e->report_at = sooner(e->report_at, report_time(e, &e->unreported[i]));
    }
}

double vcs_network_at(const vcs_emulator *e) {
    return later(sooner(e->fetch_at, e->report_at), next_connection(e));
}

/* ---- Reports ---- */

/* Whether a call of a project reports this result: the study's program reports those of all projects (13.10). */
static int is_reported(const vcs_emulator *e, const vcs_unreported *result, uint32_t project) {
    return result->project == project || e->emulation.study_rules;
}

static int report(vcs_emulator *e, const vcs_unreported *result) {
    vcs_project_outcome *outcome = &e->true_projects[result->project].outcome;
    const int late = e->clock.now > result->deadline;
    if (late) {
        outcome->late++;
        outcome->flops_late += result->flops;
    } else {
        outcome->in_time++;
        outcome->flops_in_time += result->flops;
    }
    e->true_projects[result->project].unreported--;
    const vcs_task task = {.id = result->task, .gpu = result->resource, .deadline = result->deadline};
    return vcs_tell(e, late ? VCS_EVENT_LATE : VCS_EVENT_REPORTED, result->project, &task, VCS_NONE, result->flops);
}

static int report_results(vcs_emulator *e, uint32_t project) {
    uint32_t kept = 0;
    int code = VCS_OK;
    for (uint32_t i = 0; i < e->unreported_count; i++) {
        const vcs_unreported result = e->unreported[i];
        if (code == VCS_OK && is_reported(e, &result, project)) {
            code = report(e, &result);
        } else {
            e->unreported[kept++] = result;
        }
    }
    e->unreported_count = kept;
    return code;
}

/* ---- A call ---- */

static vcs_fetch_decision *request_of(const vcs_emulator *e, uint32_t project) {
    return &e->fetch_decisions[(size_t)project * e->snapshot.resources.count];
}

static double seconds_asked(const vcs_emulator *e, uint32_t project) {
    double seconds = 0.0;
    for (uint32_t r = 0; r < e->snapshot.resources.count; r++) {
        seconds += request_of(e, project)[r].seconds;
    }
    return seconds;
}

/* The server answers: results are reported, jobs arrive. */
static int exchange(vcs_emulator *e, uint32_t project) {
    const vcs_project_resource *project_resources =
        &e->project_resources[(size_t)project * e->snapshot.resources.count];
    for (uint32_t r = 0; r < e->snapshot.resources.count; r++) {
        const int is_wanted = (project_resources[r].flags & VCS_PROJECT_RESOURCE_NOT_WANTED) == 0;
        e->resource_replies[r].seconds = request_of(e, project)[r].seconds;
        e->resource_replies[r].flags = is_wanted ? 0 : VCS_REPLY_NOT_WANTED;
    }
    int code = report_results(e, project);
    if (code == VCS_OK && seconds_asked(e, project) > 0.0) {
        code = vcs_send_jobs(e, project);
    }
    return code;
}

/* To the study's program a reply without the jobs that were asked for is a failure (13.11). */
static int is_failure(const vcs_emulator *e, int answered) {
    uint32_t asked = 0, sent = 0;
    if (!answered || !e->emulation.study_rules) {
        return !answered;
    }
    for (uint32_t r = 0; r < e->snapshot.resources.count; r++) {
        asked |= e->resource_replies[r].seconds > 0.0;
        sent += e->resource_replies[r].tasks;
    }
    return asked && sent == 0;
}

/* What an answer means for asking the project for work for each resource (rule 3.3). */
static int apply_reply(vcs_emulator *e, uint32_t project) {
    const uint32_t resources = e->snapshot.resources.count;
    const vcs_reply reply = {.struct_size = sizeof reply, .now = e->clock.now};
    vcs_true_project_resource *project_resources = &e->true_project_resources[(size_t)project * resources];
    vcs_project_timer timer = {.seen = e->clock.now}; /* that of the project is the session's to move */
    for (uint32_t r = 0; r < resources; r++) {
        e->resource_replies[r].u = vcs_stream_uniform(&project_resources[r].backoffs);
        e->backoffs[r] = project_resources[r].backoff;
    }
    int code = vcs_reply_apply(&reply, &e->parameters, &timer, e->resource_replies, sizeof *e->resource_replies,
                               e->backoffs, sizeof *e->backoffs, resources, e->error);
    for (uint32_t r = 0; r < resources; r++) {
        vcs_project_resource *pair = &e->project_resources[(size_t)project * resources + r];
        project_resources[r].backoff = e->backoffs[r];
        pair->backoff_interval = e->backoffs[r].interval;
        pair->backoff_until = e->backoffs[r].until;
    }
    return code;
}

/* Tells the session what came of its action: it moves the timer, and marks the master file (rules 3.2, 7.2). */
static int report_action(vcs_emulator *e, uint32_t project, vcs_rpc_session *session, vcs_rpc_outcome *outcome) {
    vcs_true_project *truth = &e->true_projects[project];
    outcome->struct_size = sizeof *outcome;
    outcome->now = e->clock.now;
    outcome->request_delay = later(e->servers[project].request_delay, LEAST_CALL_INTERVAL);
    outcome->u = vcs_stream_uniform(&truth->backoffs);
    int code = vcs_rpc_report(session, outcome, &e->parameters, &truth->rpc, sizeof truth->rpc, 1, e->error);
    if (e->emulation.study_rules) {
        truth->rpc.flags &= ~VCS_RPC_MASTER_WANTED; /* the study's program knows no master files */
    }
    return code;
}

static int call_scheduler(vcs_emulator *e, uint32_t project, vcs_rpc_session *session) {
    vcs_project_outcome *outcome = &e->true_projects[project].outcome;
    const int answered = vcs_server_answers(e, project);
    const uint64_t received = outcome->received;
    const double connected = e->connected;
    e->connected = noted_time(e);
    e->is_calling = 1;
    outcome->calls++;
    outcome->failed_calls += !answered;
    memset(e->resource_replies, 0, e->snapshot.resources.count * sizeof *e->resource_replies);
    int code = vcs_tell_resource(e, answered ? VCS_EVENT_CALLED : VCS_EVENT_FAILED, project, VCS_NONE,
                                 seconds_asked(e, project));
    if (code == VCS_OK && answered) {
        code = exchange(e, project);
    }
    if (code == VCS_OK && answered && !e->emulation.study_rules) { /* the study's program waits for no resource */
        code = apply_reply(e, project);
    }
    if (code == VCS_OK) {
        code = report_action(
            e, project, session,
            &(vcs_rpc_outcome){.kind = is_failure(e, answered) ? VCS_RPC_NO_ANSWER : VCS_RPC_ANSWERED});
    }
    if (code == VCS_OK && outcome->received != received) {
        e->schedule_at = e->clock.now; /* what has arrived may run */
        code = vcs_settle(e);          /* now, so that what is decided next is decided on one state */
    } else if (e->emulation.study_rules && answered && seconds_asked(e, project) > 0.0) {
        e->connected = connected; /* to the study's program, a call that brought nothing was none */
    }
    return code;
}

static int read_master(vcs_emulator *e, uint32_t project, vcs_rpc_session *session) {
    vcs_true_project *truth = &e->true_projects[project];
    const int answered = vcs_master_answers(e, project);
    const int has_moved = vcs_server_has_moved(e, project);
    e->connected = e->clock.now;
    truth->outcome.master_fetches++;
    truth->outcome.failed_masters += !answered;
    truth->knows_move |= answered && has_moved;
    int code = vcs_tell_resource(e, answered ? VCS_EVENT_MASTER : VCS_EVENT_NO_MASTER, project, VCS_NONE, 0.0);
    if (code != VCS_OK) {
        return code;
    }
    return report_action(e, project, session,
                         &(vcs_rpc_outcome){.kind = answered ? VCS_RPC_MASTER_FETCHED : VCS_RPC_MASTER_FAILED,
                                            .flags = answered && has_moved ? VCS_RPC_NEW_URLS : 0,
                                            .scheduler_urls = (uint32_t)answered});
}

/*
 * A session with one project, as when the user wants it called (rule 7.3): how much to ask for is known already. The
 * library says when its master file has to be read first, and if that fails, the scheduler is not called.
 */
static int call(vcs_emulator *e, uint32_t project) {
    vcs_rpc_project *rpc = &e->true_projects[project].rpc;
    const vcs_rpc_situation situation = {.struct_size = sizeof situation, .now = e->clock.now};
    vcs_rpc_session session = {.kind = VCS_RPC_NO_SESSION};
    int code = VCS_OK;
    rpc->flags |= VCS_RPC_CALL_WANTED;
    do {
        vcs_rpc_action action = {.struct_size = sizeof action};
        code = vcs_rpc_next(&session, &situation, &e->parameters, rpc, sizeof *rpc, 1, &action, e->error);
        if (code == VCS_OK) {
            code = action.kind == VCS_RPC_FETCH_MASTER ? read_master(e, project, &session)
                                                       : call_scheduler(e, project, &session);
        }
    } while (code == VCS_OK && session.kind != VCS_RPC_NO_SESSION);
    if (code == VCS_OK) {
        code = vcs_project_timer_delay(&rpc->timer, e->clock.now, LEAST_CALL_INTERVAL);
    }
    e->fetch_at = e->clock.now;
    e->state = NULL;
    plan_reports(e);
    return code;
}

/* ---- Whom to ask for what ---- */

static int forecast(vcs_emulator *e) {
    int code = VCS_OK;
    if (e->hooks.observe == NULL) {
        return VCS_OK;
    }
    code = vcs_wrr_resources(e->state, e->forecasts, sizeof *e->forecasts, e->snapshot.resources.count);
    for (uint32_t r = 0; code == VCS_OK && r < e->snapshot.resources.count; r++) {
        code = vcs_tell_resource(e, VCS_EVENT_FORECAST, VCS_NONE, r, e->forecasts[r].saturated);
    }
    return code;
}

static int is_amount(double value) {
    return value >= 0.0 && vcs_is_finite(value);
}

/* What the library asks for, it has made; what a function of the caller's asks for, may be anything. */
static int check_requests(const vcs_emulator *e, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const vcs_fetch_decision *asked = &e->fetch_decisions[i];
        if (!is_amount(asked->seconds) || !is_amount(asked->instances)) {
            return vcs_emulator_fail(e->error, VCS_ERR_RANGE, VCS_TYPE_NONE, i, "fetch",
                                     "asks for seconds or instances that are negative or not finite");
        }
    }
    return VCS_OK;
}

static int ask_caller(vcs_emulator *e, const vcs_fetch_question *question, vcs_fetch_summary *summary, uint32_t count) {
    const vcs_situation situation = vcs_situation_of(e, &e->snapshot);
    memset(e->fetch_decisions, 0, count * sizeof *e->fetch_decisions);
    int code = e->hooks.fetch(e->hooks.context, &situation, question, e->fetch_decisions, summary);
    code = vcs_hook_failed(e, code, "fetch");
    return code == VCS_OK ? check_requests(e, count) : code;
}

/* Fills e->fetch_decisions. */
static int decide(vcs_emulator *e, const vcs_fetch_question *question, vcs_fetch_summary *summary) {
    const uint32_t count = e->snapshot.projects.count * e->snapshot.resources.count;
    int code = vcs_prepare(e);
    if (code != VCS_OK) {
        return code;
    }
    e->outcome.fetches++;
    code = forecast(e);
    if (code == VCS_OK && e->hooks.fetch != NULL) {
        return ask_caller(e, question, summary, count);
    }
    if (code == VCS_OK) {
        code = vcs_fetch(e->state, question, summary);
    }
    return code == VCS_OK ? vcs_fetch_decisions(e->state, e->fetch_decisions, sizeof *e->fetch_decisions, count) : code;
}

/* A project with a result that is due is called; the call carries a request for work, too. */
static int call_to_report(vcs_emulator *e, uint32_t project) {
    const vcs_fetch_question question = {
        .struct_size = sizeof question,
        .purpose = VCS_FETCH_PIGGYBACK,
        .project = project,
    };
    vcs_fetch_summary summary = {.struct_size = sizeof summary};
    int code = decide(e, &question, &summary);
    return code == VCS_OK ? call(e, project) : code;
}

/* The project of a result that is due now and may be called; VCS_NONE if there is none. */
static uint32_t project_to_report(const vcs_emulator *e) {
    for (uint32_t i = 0; i < e->unreported_count; i++) {
        if (report_time(e, &e->unreported[i]) <= e->clock.now) {
            return e->unreported[i].project;
        }
    }
    return VCS_NONE;
}

/* Calls a project if the policy wants to; otherwise notes when to look again. */
static int call_to_fetch(vcs_emulator *e) {
    const vcs_fetch_question question = {.struct_size = sizeof question, .purpose = VCS_FETCH_CHOOSE};
    vcs_fetch_summary summary = {.struct_size = sizeof summary, .project = VCS_NONE, .next_check = VCS_INFINITY};
    int code = decide(e, &question, &summary);
    if (code != VCS_OK) {
        return code;
    }
    e->fetch_at = e->clock.now + vcs_wait_of(summary.next_check);
    int callable = summary.project < e->snapshot.projects.count &&
                   e->true_projects[summary.project].rpc.timer.min_rpc_time <= e->clock.now &&
                   seconds_asked(e, summary.project) > 0.0;
    return callable ? call(e, summary.project) : VCS_OK;
}

int vcs_network(vcs_emulator *e) {
    int code = VCS_OK;
    plan_reports(e);
    while (code == VCS_OK && vcs_network_at(e) <= e->clock.now) {
        const uint32_t project = project_to_report(e);
        code = e->fetch_at <= e->clock.now || project == VCS_NONE ? call_to_fetch(e) : call_to_report(e, project);
    }
    e->is_calling = 0;
    return code;
}
