/* SPDX-License-Identifier: MIT */
#include "timers/rpc_projects.h"

#include "interface/argument.h"
#include "timers/backoff.h"
#include "interface/check.h"
#include "core/number.h"

/* Sessions to get work begin at least so long after one another, s: as often as source S0 has the client look. */
#define LEAST_PAUSE 1.0

/* ---- Arguments ---- */

/* Which steps each kind of session knows. */
static bool is_consistent(const vcs_rpc_session *session) {
    switch (session->kind) {
    case VCS_RPC_NO_SESSION:
        return session->step == VCS_RPC_CHOOSE_PROJECT;
    case VCS_RPC_REPORT_RESULT:
        return session->step == VCS_RPC_CALLING || session->step == VCS_RPC_READING_MASTER;
    default:
        return true;
    }
}

static int check_session(const vcs_rpc_session *session, vcs_error *error) {
    if (session == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_RPC_SESSION, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    int code = vcs_check_rpc_session_fields(session, 0, error);
    if (code == VCS_OK && !is_consistent(session)) {
        return vcs_fail(error, VCS_ERR_RANGE, VCS_TYPE_RPC_SESSION, 0, VCS_FIELD(vcs_rpc_session, step),
                        "is none of a session of this kind");
    }
    return code;
}

int vcs_rpc_take(rpc_projects *all, const vcs_rpc_session *session, const vcs_parameters *parameters,
                 vcs_rpc_project *projects, uint32_t element_size, uint32_t count, vcs_error *error) {
    vcs_array records = {{projects}, element_size, count};
    int code = check_session(session, error);
    if (code == VCS_OK && parameters == NULL) {
        code = vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_PARAMETERS, 0, VCS_WHOLE_RECORD, "are NULL");
    }
    all->policy = parameters;
    if (code == VCS_OK) {
        code = vcs_parameters_read(&all->policy, &all->room, error);
    }
    if (code == VCS_OK) {
        code = vcs_check_rpc_projects(&records, error);
    }
    all->first = projects;
    all->element_size = element_size;
    all->count = count;
    return code;
}

/* ---- Projects ---- */

uint32_t vcs_rpc_find(const rpc_projects *all, const vcs_rpc_session *session) {
    if (session->place < all->count && vcs_rpc_project_at(all, session->place)->id == session->project) {
        return session->place;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        if (vcs_rpc_project_at(all, i)->id == session->project) {
            return i;
        }
    }
    return VCS_NONE;
}

static bool has(const vcs_rpc_project *project, uint32_t flags) {
    return (project->flags & flags) != 0;
}

/* ---- How long a project has to wait ---- */

void vcs_rpc_see_present(const rpc_projects *all) {
    for (uint32_t i = 0; i < all->count; i++) {
        vcs_timer_see(&vcs_rpc_project_at(all, i)->timer, all->now);
    }
}

/* What is left of the interval between two tries of a master file. */
static double interval_left(const rpc_projects *all, const vcs_rpc_project *project) {
    double elapsed = all->now - project->master_fetched;
    if (project->master_fetched == 0.0 || elapsed < 0.0 || elapsed >= all->policy->master_fetch_interval) {
        return 0.0;
    }
    return all->policy->master_fetch_interval - elapsed;
}

double vcs_rpc_master_wait(const rpc_projects *all, const vcs_rpc_project *project) {
    if (project->scheduler_urls == 0) {
        return vcs_rpc_timer_wait(all, project); /* nothing else can be done with it, so no interval holds it back */
    }
    if (!has(project, VCS_RPC_MASTER_WANTED)) {
        return VCS_INFINITY;
    }
    double timer = vcs_rpc_timer_wait(all, project), interval = interval_left(all, project);
    return timer > interval ? timer : interval;
}

double vcs_rpc_work_wait(const rpc_projects *all, const vcs_rpc_project *project) {
    if (has(project, VCS_RPC_SUSPENDED)) {
        return VCS_INFINITY;
    }
    if (project->scheduler_urls == 0 || has(project, VCS_RPC_NO_NEW_WORK)) {
        return vcs_rpc_master_wait(all, project);
    }
    return vcs_rpc_timer_wait(all, project);
}

/* ---- Conditions ---- */

bool vcs_rpc_is_wanted(const rpc_projects *all, const vcs_rpc_project *project) {
    (void)all;
    return has(project, VCS_RPC_CALL_WANTED);
}

bool vcs_rpc_may_report(const rpc_projects *all, const vcs_rpc_project *project) {
    return project->overdue > 0 && !has(project, VCS_RPC_SUSPENDED) && vcs_rpc_timer_wait(all, project) == 0.0;
}

bool vcs_rpc_may_get_work(const rpc_projects *all, const vcs_rpc_project *project) {
    return project->scheduler_urls > 0 && !has(project, VCS_RPC_SUSPENDED | VCS_RPC_NO_NEW_WORK) &&
           vcs_rpc_timer_wait(all, project) == 0.0;
}

bool vcs_rpc_is_next_to_ask(const rpc_projects *all, const vcs_rpc_project *project) {
    return !has(project, VCS_RPC_ASKED) && vcs_rpc_may_get_work(all, project) &&
           vcs_rpc_master_wait(all, project) > 0.0;
}

bool vcs_rpc_is_next_to_read(const rpc_projects *all, const vcs_rpc_project *project) {
    return !has(project, VCS_RPC_ASKED | VCS_RPC_SUSPENDED) && vcs_rpc_master_wait(all, project) == 0.0;
}

uint32_t vcs_rpc_best(const rpc_projects *all, rpc_condition *condition) {
    uint32_t best = VCS_NONE;
    for (uint32_t i = 0; i < all->count; i++) {
        const vcs_rpc_project *project = vcs_rpc_project_at(all, i);
        if (condition(all, project) &&
            (best == VCS_NONE || vcs_rpc_goes_before(project, vcs_rpc_project_at(all, best)))) {
            best = i;
        }
    }
    return best;
}

/* ---- Ends ---- */

static void forget_project(vcs_rpc_session *session) {
    session->url = 0;
    session->project = 0;
    session->place = 0;
    session->seconds = 0.0;
    session->estimated = 0.0;
}

double vcs_rpc_pause(const rpc_projects *all) {
    return all->policy->look_interval > LEAST_PAUSE ? all->policy->look_interval : LEAST_PAUSE;
}

void vcs_rpc_end_session(const rpc_projects *all, vcs_rpc_session *session) {
    if (session->kind == VCS_RPC_GET_WORK) {
        double next = all->now + vcs_rpc_pause(all);
        session->next_get_work = next < VCS_MAX_TIME ? next : VCS_MAX_TIME;
    }
    session->last = session->kind;
    session->kind = VCS_RPC_NO_SESSION;
    session->step = VCS_RPC_CHOOSE_PROJECT;
    forget_project(session);
}

void vcs_rpc_end_step(const rpc_projects *all, vcs_rpc_session *session) {
    if (session->kind == VCS_RPC_REPORT_RESULT) {
        vcs_rpc_end_session(all, session);
        return;
    }
    session->step = session->step == VCS_RPC_READING_MASTER ? VCS_RPC_CHOOSE_MASTER : VCS_RPC_CHOOSE_PROJECT;
    forget_project(session);
}
