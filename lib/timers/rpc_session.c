/*
 * A session of scheduler calls: taken over from the caller, and its steps ended.
 *
 * Rules 7.1 to 7.4; the plain reference is tests/timers/test_rpc_model.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "timers/rpc_session.h"

#include "core/number.h"
#include "interface/argument.h"
#include "interface/check.h"

/* The least time between two sessions to get work, s: as often as the client of source S0 polls. */
#define LEAST_PAUSE 1.0

/* ---- Arguments ---- */

/* Whether a session of its kind has such a step. */
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
                        "is not a step of this kind of session");
    }
    return code;
}

int vcs_rpc_take(rpc_projects *all, const vcs_rpc_session *session, vcs_rpc_project *projects, uint32_t project_size,
                 uint32_t project_count, const vcs_parameters *parameters, vcs_error *error) {
    const vcs_array records = {{projects}, project_size, project_count};
    int code = check_session(session, error);
    if (code == VCS_OK && parameters == NULL) {
        code = vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_PARAMETERS, 0, VCS_WHOLE_RECORD, "are NULL");
    }
    all->policy = parameters;
    if (code == VCS_OK) {
        code = vcs_parameters_read(&all->policy, &all->completed, error);
    }
    if (code == VCS_OK) {
        code = vcs_check_rpc_projects(&records, error);
    }
    all->first = projects;
    all->size = project_size;
    all->count = project_count;
    return code;
}

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

/* ---- Ends ---- */

static void forget_project(vcs_rpc_session *session) {
    session->url = 0;
    session->project = 0;
    session->place = 0;
    session->seconds = 0.0;
    session->estimated = 0.0;
}

double vcs_rpc_pause(const rpc_projects *all) {
    return vcs_max(all->policy->look_interval, LEAST_PAUSE);
}

void vcs_rpc_end_session(const rpc_projects *all, vcs_rpc_session *session) {
    if (session->kind == VCS_RPC_GET_WORK) {
        session->next_get_work = vcs_min(all->now + vcs_rpc_pause(all), VCS_MAX_TIME);
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
