/*
 * Sessions of scheduler calls: the outcome of an action.
 *
 * Rules 7.2 and 7.3; the plain reference is tests/vcsched/timers/test_rpc_model.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/rpc_fields.h"
#include "vcsched/timers/drawn_wait.h"
#include "vcsched/timers/rpc_session.h"

VCS_READ_INPUT(rpc_outcome)

/* ---- Every outcome ---- */

/* Notes that the project was tried: not again in this session, and the user's wish is fulfilled. */
static void note_contact(vcs_rpc_project *project) {
    project->flags |= VCS_RPC_ASKED;
    project->flags &= ~VCS_RPC_CALL_WANTED;
}

/* ---- Schedulers (rule 7.2) ---- */

static void accept_answer(const rpc_call *call, vcs_rpc_project *project, const vcs_rpc_outcome *outcome) {
    vcs_timer_clear(&project->timer);
    vcs_timer_delay(&project->timer, outcome->request_delay, call->now);
    project->overdue = 0;
    note_contact(project);
    if (call->session->kind == VCS_RPC_GET_WORK && outcome->tasks > 0) {
        project->flags &= ~VCS_RPC_ASKED;
        call->session->step = VCS_RPC_WORK_CAME;
        call->session->url = 0;
    } else {
        vcs_rpc_end_step(call);
    }
}

static void accept_silence(const rpc_call *call, vcs_rpc_project *project, double u) {
    if (call->session->url + 1 < project->scheduler_urls) {
        call->session->url++;
        return;
    }
    vcs_timer_failed(&project->timer, call->policy, call->now, u);
    if (project->timer.failures % call->policy->master_fetch_failures == 0) {
        project->flags |= VCS_RPC_MASTER_WANTED;
    }
    note_contact(project);
    vcs_rpc_end_step(call);
}

/* ---- Master files (rule 7.2) ---- */

static void accept_failed_master(const rpc_call *call, vcs_rpc_project *project, double u) {
    project->master_fetched = call->now;
    vcs_timer_failed(&project->timer, call->policy, call->now, u);
    note_contact(project);
    vcs_rpc_end_step(call);
}

static void accept_master(const rpc_call *call, vcs_rpc_project *project, const vcs_rpc_outcome *outcome) {
    bool has_new = project->scheduler_urls == 0 || (outcome->flags & VCS_RPC_NEW_URLS) != 0;
    project->master_fetched = call->now;
    project->scheduler_urls = outcome->scheduler_urls;
    project->flags &= ~VCS_RPC_MASTER_WANTED;
    if (has_new) {
        vcs_timer_clear(&project->timer);
    }
    if (call->session->kind == VCS_RPC_REPORT_RESULT) {
        call->session->step = VCS_RPC_CALLING;
        return;
    }
    project->flags |= VCS_RPC_ASKED;
    vcs_rpc_end_step(call);
}

/* ---- The outcome ---- */

static void accept_outcome(const rpc_call *call, vcs_rpc_project *project, const vcs_rpc_outcome *outcome) {
    switch (outcome->kind) {
    case VCS_RPC_ANSWERED:
        accept_answer(call, project, outcome);
        break;
    case VCS_RPC_NO_ANSWER:
        accept_silence(call, project, outcome->u);
        break;
    case VCS_RPC_MASTER_FETCHED:
        if (outcome->scheduler_urls > 0) {
            accept_master(call, project, outcome);
            break;
        }
        accept_failed_master(call, project, outcome->u);
        break;
    case VCS_RPC_MASTER_FAILED:
        accept_failed_master(call, project, outcome->u);
        break;
    default: /* VCS_RPC_NOT_DONE */
        vcs_timer_delay(&project->timer, outcome->request_delay, call->now);
        note_contact(project);
        vcs_rpc_end_step(call);
        break;
    }
}

/* Whether the action under way can have such an outcome. */
static bool is_of_this_step(const vcs_rpc_session *session, uint32_t kind) {
    switch (session->step) {
    case VCS_RPC_CALLING:
        return kind == VCS_RPC_ANSWERED || kind == VCS_RPC_NO_ANSWER || kind == VCS_RPC_NOT_DONE;
    case VCS_RPC_READING_MASTER:
        return kind == VCS_RPC_MASTER_FETCHED || kind == VCS_RPC_MASTER_FAILED || kind == VCS_RPC_NOT_DONE;
    default:
        return false;
    }
}

int vcs_rpc_report(vcs_rpc_session *session, const vcs_array *projects, const vcs_rpc_outcome *outcome,
                   const vcs_parameters *parameters, vcs_error *error) {
    rpc_call call = {session, projects, .policy = parameters};
    vcs_rpc_outcome completed;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_rpc_check(&call, error) : code;
    code = code == VCS_OK ? vcs_read_rpc_outcome(&outcome, &completed, error) : code;
    if (code == VCS_OK && !is_of_this_step(session, outcome->kind)) {
        code = vcs_fail(error, VCS_ERR_SEQUENCE, &vcs_rpc_outcome_layout, 0, VCS_FIELD(vcs_rpc_outcome, kind),
                        "is not an outcome of the action under way");
    }
    if (code != VCS_OK) {
        return code;
    }
    call.now = outcome->now;
    uint32_t place = vcs_rpc_find(&call);
    if (place == VCS_NONE) {
        vcs_rpc_end_step(&call);
    } else {
        accept_outcome(&call, vcs_rpc_project_at(&call, place), outcome);
    }
    return VCS_OK;
}
