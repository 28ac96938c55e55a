/*
 * Calls of servers, and when they are due.
 *
 * Rules 7.1 to 7.3; worked by hand in tests/vcsched/timers/test_rpc.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/client/network.h"
#include "vcemu/host/client/accounts.h"
#include "vcemu/host/client/choose_project.h"
#include "vcemu/host/client/timers.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/events.h"
#include "vcemu/host/merit.h"
#include "vcemu/host/records.h"
#include "vcemu/host/server/grid_servers.h"
#include "vcemu/host/server/server.h"
#include "vcemu/host/setup.h"
#include "vcemu/host/tasks/results.h"
#include "vcemu/host/tasks/tasks.h"
#include "vcsched/timers/buffer.h"

/* ---- When ---- */

/* The host is connected at the moment of its last call; by the study's rules only while it calls and a CPU has no task
   at all (13.11). */
double vcs_emu_next_connection(const vcs_emu_emulator *e) {
    const double interval = e->setup->emulation.connection_interval;
    bool is_connected = e->network->connected == e->clock->now;
    if (interval == 0.0) {
        return -VCS_INFINITY;
    }
    if (is_connected && vcs_emu_is_study(e)) {
        is_connected = e->network->is_calling && e->records->snapshot.tasks.count < e->records->resources[0].instances;
    }
    return is_connected ? -VCS_INFINITY : e->network->connected + interval;
}

double vcs_emu_network_due(const vcs_emu_emulator *e) {
    return vcs_max(vcs_min(e->agenda->fetch_due, e->agenda->report_due), vcs_emu_next_connection(e));
}

/* When a result must be reported and its project may be called. */
static double report_time(const vcs_emu_emulator *e, const vcs_emu_result *result) {
    const double may_call = e->timers->projects[result->project].timer.min_rpc_time;
    return vcs_max(result->due, may_call == 0.0 ? vcs_min(0.0, e->clock->now) : may_call);
}

static void plan_reports(vcs_emu_emulator *e) {
    e->agenda->report_due = VCS_INFINITY;
    for (uint32_t i = 0; i < e->results->count; i++) {
        e->agenda->report_due = vcs_min(e->agenda->report_due, report_time(e, &e->results->all[i]));
    }
}

/* ---- A call ---- */

/* Whether the reply says that the host has as many jobs as the server allows, of whatever kind. */
static void note_limit(vcs_emu_emulator *e, uint32_t project) {
    vcs_project_resource *records = &e->records->project_resources[vcs_emu_first_of(e, project)];
    for (uint32_t r = 0; r < e->records->resource_count; r++) {
        records[r].flags &= ~VCS_PROJECT_RESOURCE_SERVER_LIMIT;
        records[r].flags |= e->servers->at_limit ? VCS_PROJECT_RESOURCE_SERVER_LIMIT : 0;
    }
}

/* The server answers: results are reported, jobs arrive. */
static void exchange(vcs_emu_emulator *e, uint32_t project, double seconds_asked) {
    const vcs_project_resource *records = &e->records->project_resources[vcs_emu_first_of(e, project)];
    const vcs_fetch_decision *asked = &e->fetching->decisions[vcs_emu_first_of(e, project)];
    vcs_resource_reply *replies = e->network->replies;
    for (uint32_t r = 0; r < e->records->resource_count; r++) {
        const bool is_wanted = (records[r].flags & VCS_PROJECT_RESOURCE_NOT_WANTED) == 0;
        replies[r].seconds = asked[r].seconds;
        replies[r].flags = is_wanted ? 0 : VCS_RESOURCE_REPLY_NOT_WANTED;
    }
    if (e->grid_servers != NULL) {
        e->grid_servers->call(e, project);
        vcs_emu_abort_tasks(e, project);
    }
    vcs_emu_report_results(e, project);
    if (seconds_asked > 0.0) {
        vcs_emu_send(e, project, asked, replies);
    }
    note_limit(e, project);
    if (!vcs_emu_is_study(e)) { /* the study has no timers for each resource (3.3) */
        vcs_emu_apply_reply(e, project, replies);
    }
}

static void call_scheduler(vcs_emu_emulator *e, uint32_t project, vcs_rpc_session *session) {
    vcs_emu_network *network = e->network;
    const double asked = vcs_emu_seconds_asked(e, project), last_connected = network->connected;
    const uint32_t schedulers = e->setup->servers[project].schedulers, scheduler = session->url;
    const bool answered = vcs_emu_scheduler_answers(e, project, scheduler), is_study = vcs_emu_is_study(e);
    vcs_project_outcome *outcome = &e->merit->projects[project];
    const uint64_t received = outcome->received;
    network->connected = e->results->connected = e->clock->now;
    network->is_calling = true;
    if (is_study && last_connected == -VCS_INFINITY) {
        /* The study's program reads a noted 0 as "no call", so after its first call, at time 0, it can call another
           project right away (13.11). */
        network->connected -= e->setup->emulation.connection_interval;
    }
    e->servers->asked = asked;
    e->servers->sent = e->servers->late = 0;
    e->servers->at_limit = false;
    outcome->calls++;
    outcome->failed_calls += !answered;
    memset(network->replies, 0, e->records->resource_count * sizeof *network->replies);
    vcs_emu_notify_call(e, answered ? VCS_EVENT_CALLED : VCS_EVENT_FAILED, project,
                        schedulers > 1 ? scheduler : VCS_NONE, asked);
    if (answered) {
        exchange(e, project, asked);
    }
    const uint32_t tasks = (uint32_t)(outcome->received - received);
    const bool in_vain = is_study && answered && asked > 0.0 && tasks == 0; /* counts as a failure (13.11) */
    if (in_vain) {
        session->url = schedulers - 1; /* the other schedulers would send nothing either */
    }
    vcs_rpc_outcome ended = {.kind = answered && !in_vain ? VCS_RPC_ANSWERED : VCS_RPC_NO_ANSWER, .tasks = tasks};
    vcs_emu_end_action(e, project, session, session == &e->network->session, &ended);
    if (tasks > 0) {
        e->agenda->schedule_due = e->clock->now; /* new tasks may run */
        vcs_emu_settle(e);                       /* now, so that the next decisions share one state */
    } else if (in_vain) {
        network->connected = last_connected; /* the call does not use up the moment (13.11) */
    }
}

static void read_master(vcs_emu_emulator *e, uint32_t project, vcs_rpc_session *session) {
    bool moved;
    const bool answered = vcs_emu_master_answers(e, project, &moved);
    vcs_project_outcome *outcome = &e->merit->projects[project];
    e->network->connected = e->results->connected = e->clock->now;
    outcome->master_fetches++;
    outcome->failed_masters += !answered;
    vcs_rpc_outcome ended = {
        .kind = answered ? VCS_RPC_MASTER_FETCHED : VCS_RPC_MASTER_FAILED,
        .flags = moved ? VCS_RPC_NEW_URLS : 0,
        .scheduler_urls = answered ? e->setup->servers[project].schedulers : 0,
    };
    vcs_emu_notify(e, answered ? VCS_EVENT_MASTER : VCS_EVENT_NO_MASTER, project, VCS_NONE, 0.0, 0);
    vcs_emu_end_action(e, project, session, session == &e->network->session, &ended);
}

/* Does what a session says. */
static void carry_out(vcs_emu_emulator *e, const vcs_rpc_action *action, uint32_t project, vcs_rpc_session *session) {
    if (action->kind == VCS_RPC_FETCH_MASTER) {
        read_master(e, project, session);
    } else {
        call_scheduler(e, project, session);
    }
}

/*
 * A session with one project, as when the user wants it called (rule 7.3): how much to ask for is known already. The
 * library says when its master file has to be read first, and if that fails, the scheduler is not called.
 */
static void call(vcs_emu_emulator *e, uint32_t project) {
    vcs_rpc_project *rpc = &e->timers->projects[project];
    const vcs_rpc_situation situation = {.struct_size = sizeof situation, .now = e->clock->now};
    vcs_rpc_session session = {.kind = VCS_RPC_NO_SESSION};
    rpc->flags |= VCS_RPC_CALL_WANTED;
    do {
        vcs_rpc_action action = {.struct_size = sizeof action};
        vcs_emu_note(e, vcs_rpc_next(&session, &(vcs_array){{rpc}, sizeof *rpc, 1}, &situation, &e->setup->parameters,
                                     &action, e->error));
        carry_out(e, &action, project, &session);
    } while (session.kind != VCS_RPC_NO_SESSION);
    e->agenda->fetch_due = e->clock->now;
    e->records->changed = true;
    vcs_emu_note(e, vcs_project_timer_delay(&rpc->timer, VCS_EMU_LEAST_CALL_INTERVAL, e->clock->now));
    plan_reports(e);
}

/* ---- Whom to call ---- */

/* Calls the project to ask for work, if fetching is due, or the project of the first result that is due. A project with
   such a result is asked for work, too. */
static void make_call(vcs_emu_emulator *e) {
    uint32_t project = VCS_NONE;
    if (e->agenda->fetch_due > e->clock->now) {
        uint32_t first = 0;
        while (report_time(e, &e->results->all[first]) > e->clock->now) {
            first++;
            VCS_INVARIANT(first < e->results->count); /* there is one, or no call would be due */
        }
        project = e->results->all[first].project;
    }
    project = vcs_emu_choose_project(e, project);
    if (project < e->records->project_count && vcs_emu_has_come(e, e->timers->projects[project].timer.min_rpc_time)) {
        call(e, project);
    }
}

/* ---- Sessions (rules 7.1 to 7.3) ---- */

/* Whether each resource of a project is backed off: then it is called only to report. */
static bool is_backed_off(const vcs_emu_emulator *e, uint32_t project) {
    const vcs_project_resource *records = &e->records->project_resources[vcs_emu_first_of(e, project)];
    for (uint32_t r = 0; r < e->records->resource_count; r++) {
        if (vcs_emu_has_come(e, records[r].backoff_until) &&
            (records[r].flags & VCS_PROJECT_RESOURCE_NOT_WANTED) == 0) {
            return false;
        }
    }
    return true;
}

/* Describes the projects to the session: their order, whether they are asked for work, and their overdue results. */
static void describe_projects(vcs_emu_emulator *e) {
    vcs_emu_network *network = e->network;
    vcs_rpc_project *projects = e->timers->projects;
    const uint32_t count = e->records->project_count;
    const vcs_ranking ranking = {.struct_size = sizeof ranking, .rule = e->setup->parameters.ranking};
    for (uint32_t i = 0; i < count; i++) {
        const vcs_project *record = &e->records->projects[i];
        const bool wants_none = (record->flags & VCS_PROJECT_NO_NEW_WORK) != 0 || is_backed_off(e, i);
        network->ranks[i] = (vcs_rank_entry){
            .id = record->id,
            .share = record->share,
            .rec = record->rec,
            .exp_avg_cpu = record->exp_avg_cpu,
            .debt = record->long_term_debt,
            .priority_class = record->priority_class,
        };
        projects[i].overdue = 0;
        projects[i].flags &= ~(VCS_RPC_SUSPENDED | VCS_RPC_NO_NEW_WORK);
        projects[i].flags |= (record->flags & VCS_PROJECT_SUSPENDED) != 0 ? VCS_RPC_SUSPENDED : 0;
        projects[i].flags |= wants_none ? VCS_RPC_NO_NEW_WORK : 0;
    }
    for (uint32_t i = 0; i < e->results->count; i++) {
        const vcs_emu_result *result = &e->results->all[i];
        projects[result->project].overdue += result->due <= e->clock->now;
    }
    vcs_emu_note(e, vcs_rank(&(vcs_array){{network->ranks}, sizeof *network->ranks, count}, &ranking, network->order,
                             NULL, e->error));
    for (uint32_t i = 0; i < count; i++) {
        projects[network->order[i]].rank = i;
    }
}

/* The session knows only CPUs: they are to be busy for `seconds` more. GPUs are filled up to the same mark. */
static void ask_for(vcs_emu_emulator *e, uint32_t project, double seconds) {
    const vcs_parameters *parameters = &e->setup->parameters;
    const vcs_resource_forecast *forecasts = e->fetching->forecasts;
    const size_t first = vcs_emu_first_of(e, project);
    for (uint32_t r = 0; r < e->records->resource_count; r++) {
        const uint32_t flags = e->records->project_resources[first + r].flags | e->records->resources[r].flags;
        const double high = vcs_whole_buffer(parameters);
        const double missing = r == 0 ? seconds : vcs_max(high - forecasts[r].saturated, 0.0);
        const bool is_wanted = seconds > 0.0 && (flags & VCS_PROJECT_RESOURCE_NOT_WANTED) == 0;
        e->fetching->decisions[first + r] = (vcs_fetch_decision){
            .seconds = is_wanted ? vcs_min(missing, VCS_MAX_SECONDS) * e->records->resources[r].instances : 0.0,
        };
    }
}

/* Does the next step of a session, or waits. */
static void advance_session(vcs_emu_emulator *e) {
    const double now = e->clock->now;
    vcs_rpc_session *session = &e->network->session;
    vcs_rpc_action action = {.struct_size = sizeof action};
    vcs_rpc_situation situation = {.struct_size = sizeof situation, .now = now};
    vcs_emu_settle(e);
    if (!vcs_emu_begin_fetch(e)) {
        return;
    }
    describe_projects(e);
    situation.estimated_work = vcs_min(e->fetching->forecasts[0].saturated, VCS_MAX_SECONDS);
    vcs_emu_note(e, vcs_rpc_next(session,
                                 &(vcs_array){{e->timers->projects}, sizeof *e->timers->projects,
                                              e->records->project_count},
                                 &situation, &e->setup->parameters, &action, e->error));
    if (action.kind != VCS_RPC_WAIT) {
        VCS_INVARIANT(action.project < e->records->project_count); /* an action that is no wait is about a project */
        ask_for(e, action.project, action.seconds);
        e->records->changed = true;
        carry_out(e, &action, action.project, session);
        return;
    }
    /* Overdue results wait for their project's timer, other results for their own time. */
    e->agenda->fetch_due = vcs_max(action.until, now + VCS_EMU_LEAST_CALL_INTERVAL);
    e->agenda->report_due = VCS_INFINITY;
    for (uint32_t i = 0; i < e->results->count; i++) {
        const double due = e->results->all[i].due;
        e->agenda->report_due = due > now ? vcs_min(e->agenda->report_due, due) : e->agenda->report_due;
    }
}

void vcs_emu_make_calls(vcs_emu_emulator *e) {
    const bool by_sessions =
        e->setup->parameters.work_fetch == VCS_WORK_FETCH_SESSIONS && e->setup->hooks.fetch == NULL;
    plan_reports(e);
    while (e->code == VCS_OK && vcs_emu_network_due(e) <= e->clock->now) {
        if (by_sessions) {
            advance_session(e);
        } else {
            make_call(e);
        }
    }
    e->network->is_calling = false;
}
