/*
 * Sessions of scheduler calls: what to do next.
 *
 * Rules 7.1 to 7.4; the plain reference is tests/timers/test_rpc_model.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "core/number.h"
#include "interface/argument.h"
#include "interface/check.h"
#include "timers/rpc_session.h"

/* The least work to ask for, and the least growth of the work that counts, s. */
#define LEAST_WORK 1.0

/* The wait, s, where a time of the clock cannot express a shorter one. */
#define LEAST_WAIT 1.0

/* The work to ask for, s; 0 = none. A host without any work has too little, however low the marks are. */
static double missing_work(const rpc_call *call) {
    const double high_water = call->policy->min_buffer + call->policy->additional_buffer;
    const double missing = vcs_max(high_water - call->work, 0.0);
    return missing == 0.0 && call->work == 0.0 ? LEAST_WORK : missing;
}

/* ---- Steps ---- */

static void begin_step(const rpc_call *call, uint32_t step, uint32_t place) {
    call->session->step = step;
    call->session->url = 0;
    call->session->place = place;
    call->session->project = vcs_rpc_project_at(call, place)->id;
}

/* An action under way is given again, wherever its project is now; if the project is gone, so is the action. */
static void keep_action(const rpc_call *call) {
    if (call->session->step != VCS_RPC_CALLING && call->session->step != VCS_RPC_READING_MASTER) {
        return;
    }
    uint32_t place = vcs_rpc_find(call);
    if (place == VCS_NONE || (call->session->step == VCS_RPC_CALLING &&
                              call->session->url >= vcs_rpc_project_at(call, place)->scheduler_urls)) {
        vcs_rpc_end_step(call);
    } else {
        call->session->place = place;
    }
}

/* A project whose tasks do not add to the work is not asked for more, or the session might never end. */
static void see_what_came(const rpc_call *call) {
    if (call->session->step != VCS_RPC_WORK_CAME) {
        return;
    }
    uint32_t place = vcs_rpc_find(call);
    if (place != VCS_NONE && call->work < call->session->estimated + LEAST_WORK) {
        vcs_rpc_project_at(call, place)->flags |= VCS_RPC_ASKED;
    }
    vcs_rpc_end_step(call);
}

/* ---- Get-work (rule 7.2) ---- */

static void choose_project(const rpc_call *call) {
    double missing = missing_work(call);
    uint32_t best = missing > 0.0 ? vcs_rpc_best(call, vcs_rpc_is_next_to_ask) : VCS_NONE;
    if (best == VCS_NONE) {
        call->session->step = VCS_RPC_CHOOSE_MASTER;
        return;
    }
    begin_step(call, VCS_RPC_CALLING, best);
    call->session->seconds = missing;
    call->session->estimated = call->work;
}

static void go_on_getting_work(const rpc_call *call) {
    const vcs_rpc_session *session = call->session;
    if (session->kind == VCS_RPC_GET_WORK && session->step == VCS_RPC_CHOOSE_PROJECT) {
        choose_project(call);
    }
    if (session->kind == VCS_RPC_GET_WORK && session->step == VCS_RPC_CHOOSE_MASTER) {
        uint32_t best = vcs_rpc_best(call, vcs_rpc_is_next_to_read);
        if (best == VCS_NONE) {
            vcs_rpc_end_session(call);
        } else {
            begin_step(call, VCS_RPC_READING_MASTER, best);
        }
    }
}

/* ---- Report-result (rule 7.3) ---- */

/* Whether the project may be asked for work, and no better one may be called. */
static bool is_first_for_work(const rpc_call *call, const vcs_rpc_project *project) {
    const uint32_t best = vcs_rpc_best(call, vcs_rpc_may_get_work);
    return (project->flags & (VCS_RPC_SUSPENDED | VCS_RPC_NO_NEW_WORK)) == 0 &&
           (best == VCS_NONE || !vcs_rpc_goes_before(vcs_rpc_project_at(call, best), project));
}

static void begin_report(const rpc_call *call, uint32_t place) {
    const vcs_rpc_project *project = vcs_rpc_project_at(call, place);
    bool master_first = project->scheduler_urls == 0 || vcs_rpc_master_wait(call, project) == 0.0;
    call->session->kind = VCS_RPC_REPORT_RESULT;
    begin_step(call, master_first ? VCS_RPC_READING_MASTER : VCS_RPC_CALLING, place);
    call->session->seconds = is_first_for_work(call, project) ? missing_work(call) : 0.0;
    call->session->estimated = call->work;
}

/* ---- Without a session (rule 7.1) ---- */

static bool may_begin_to_get_work(const rpc_call *call) {
    const bool has_too_little = call->work < call->policy->min_buffer || call->work == 0.0;
    return has_too_little && vcs_wait_until(call->session->next_get_work, call->now) == 0.0 &&
           (vcs_rpc_best(call, vcs_rpc_is_next_to_ask) != VCS_NONE ||
            vcs_rpc_best(call, vcs_rpc_is_next_to_read) != VCS_NONE);
}

static void begin_session(const rpc_call *call) {
    for (uint32_t i = 0; i < call->project_count; i++) {
        vcs_rpc_project_at(call, i)->flags &= ~VCS_RPC_ASKED;
    }
    uint32_t wanted = vcs_rpc_best(call, vcs_rpc_is_wanted);
    if (wanted != VCS_NONE) {
        begin_report(call, wanted);
        return;
    }
    uint32_t overdue = vcs_rpc_best(call, vcs_rpc_may_report);
    bool work_first = may_begin_to_get_work(call) && (overdue == VCS_NONE || call->session->last != VCS_RPC_GET_WORK);
    if (work_first) {
        call->session->kind = VCS_RPC_GET_WORK;
        go_on_getting_work(call);
    } else if (overdue != VCS_NONE) {
        begin_report(call, overdue);
    }
}

/* ---- The answer ---- */

/* How long until a reason for a session may hold, s. */
static double time_to_wait(const rpc_call *call) {
    const double above_low_water = vcs_max(call->work - call->policy->min_buffer, 0.0);
    double work_wait = vcs_max(above_low_water, vcs_wait_until(call->session->next_get_work, call->now));
    double wait = VCS_INFINITY;
    for (uint32_t i = 0; i < call->project_count; i++) {
        const vcs_rpc_project *project = vcs_rpc_project_at(call, i);
        wait = vcs_min(wait, vcs_max(work_wait, vcs_rpc_work_wait(call, project)));
        if (project->overdue > 0 && (project->flags & VCS_RPC_SUSPENDED) == 0) {
            wait = vcs_min(wait, vcs_rpc_timer_wait(call, project));
        }
    }
    return wait;
}

static void describe(const rpc_call *call, vcs_rpc_action *action) {
    action->session = call->session->kind;
    action->kind = VCS_RPC_WAIT;
    action->project = VCS_NONE;
    if (call->session->kind == VCS_RPC_NO_SESSION) {
        action->until = call->now + time_to_wait(call);
        action->until = action->until > call->now ? action->until : call->now + LEAST_WAIT;
        return;
    }
    action->project = call->session->place;
    if (call->session->step == VCS_RPC_READING_MASTER) {
        action->kind = VCS_RPC_FETCH_MASTER;
    } else {
        action->kind = VCS_RPC_CALL;
        action->url = call->session->url;
        action->seconds = call->session->seconds;
    }
}

/* All timers take note of the present. If the clock went back, sessions do not wait longer than their interval. */
static void bring_up_to_date(const rpc_call *call) {
    for (uint32_t i = 0; i < call->project_count; i++) {
        vcs_timer_see(&vcs_rpc_project_at(call, i)->timer, call->now);
    }
    if (call->session->next_get_work != 0.0) {
        call->session->next_get_work = vcs_min(call->session->next_get_work, call->now + vcs_rpc_pause(call));
    }
}

int vcs_rpc_next(vcs_rpc_session *session, vcs_rpc_project *projects, uint32_t project_size, uint32_t project_count,
                 const vcs_rpc_situation *situation, const vcs_parameters *parameters, vcs_rpc_action *action,
                 vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    rpc_call call = {session, projects, project_size, project_count, .policy = parameters};
    vcs_rpc_situation completed;
    code = vcs_rpc_check(&call, error);
    if (code == VCS_OK) {
        code = vcs_read_rpc_situation(&situation, &completed, error);
    }
    if (code == VCS_OK) {
        code = vcs_check_struct(action, VCS_TYPE_RPC_ACTION, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    call.now = situation->now;
    call.work = situation->estimated_work;
    bring_up_to_date(&call);
    keep_action(&call);
    see_what_came(&call);
    go_on_getting_work(&call);
    if (session->kind == VCS_RPC_NO_SESSION) {
        begin_session(&call);
    }
    vcs_rpc_action next = {.struct_size = action->struct_size};
    describe(&call, &next);
    vcs_hand_out(action, action->struct_size, &next, sizeof next);
    return VCS_OK;
}
