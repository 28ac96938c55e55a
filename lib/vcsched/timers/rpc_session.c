/*
 * A session of scheduler calls: its checks, and the ends of its steps.
 *
 * Rules 7.1 to 7.4; the plain reference is tests/vcsched/timers/test_rpc_model.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/timers/rpc_session.h"

#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/rpc_fields.h"

VCS_CHECK_RECORDS(rpc_project)

/* The least time between two sessions to get work, s: the client of source S0 polls as often. */
#define LEAST_PAUSE 1.0

/* ---- Arguments ---- */

/* Whether the step belongs to the kind of session. */
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

int vcs_rpc_check(rpc_call *call, vcs_error *error) {
    int code = vcs_check_record(call->session, &vcs_rpc_session_layout, error);
    if (code == VCS_OK && !is_consistent(call->session)) {
        code = vcs_fail(error, VCS_ERR_RANGE, &vcs_rpc_session_layout, 0, VCS_FIELD(vcs_rpc_session, step),
                        "is not a step of this kind of session");
    }
    code = code == VCS_OK ? vcs_parameters_read(&call->policy, &call->completed, error) : code;
    return code == VCS_OK ? vcs_check_rpc_projects(call->projects, error) : code;
}

uint32_t vcs_rpc_find(const rpc_call *call) {
    const vcs_rpc_session *session = call->session;
    if (session->place < call->projects->count && vcs_rpc_project_at(call, session->place)->id == session->project) {
        return session->place;
    }
    for (uint32_t i = 0; i < call->projects->count; i++) {
        if (vcs_rpc_project_at(call, i)->id == session->project) {
            return i;
        }
    }
    return VCS_NONE;
}

double vcs_rpc_pause(const rpc_call *call) {
    return vcs_max(call->policy->look_interval, LEAST_PAUSE);
}

/* ---- Ends ---- */

/* Goes on to a step without a project. */
static void begin_without_project(vcs_rpc_session *session, uint32_t step) {
    session->step = step;
    session->url = 0;
    session->project = 0;
    session->place = 0;
    session->seconds = 0.0;
    session->estimated = 0.0;
}

void vcs_rpc_end_session(const rpc_call *call) {
    vcs_rpc_session *session = call->session;
    if (session->kind == VCS_RPC_GET_WORK) {
        session->next_get_work = vcs_min(call->now + vcs_rpc_pause(call), VCS_MAX_TIME);
    }
    session->last = session->kind;
    session->kind = VCS_RPC_NO_SESSION;
    begin_without_project(session, VCS_RPC_CHOOSE_PROJECT);
}

void vcs_rpc_end_step(const rpc_call *call) {
    vcs_rpc_session *session = call->session;
    if (session->kind == VCS_RPC_REPORT_RESULT) {
        vcs_rpc_end_session(call);
    } else if (session->step == VCS_RPC_READING_MASTER) {
        begin_without_project(session, VCS_RPC_CHOOSE_MASTER);
    } else {
        begin_without_project(session, VCS_RPC_CHOOSE_PROJECT);
    }
}
