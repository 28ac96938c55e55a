/*
 * Sessions of scheduler calls: what to do next.
 *
 * Rules 7.1 to 7.4; the plain reference is tests/vcsched/timers/test_rpc_model.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/rpc_fields.h"
#include "vcsched/timers/buffer.h"
#include "vcsched/timers/rpc_session.h"

VCS_READ_INPUT(rpc_situation)

/* The least work to ask for, and the least growth of work that counts, s. */
#define LEAST_WORK 1.0

/* The wait, s, where the time of the clock is too coarse for a shorter one. */
#define LEAST_WAIT 1.0

/* The work to ask for, s; 0 = none. A host without any work lacks work, however low the buffers are. */
static double missing_work(const rpc_call *call) {
    const double missing = vcs_max(vcs_whole_buffer(call->policy) - call->work, 0.0);
    return missing == 0.0 && call->work == 0.0 ? LEAST_WORK : missing;
}

static bool has(const vcs_rpc_project *project, uint32_t flags) {
    return (project->flags & flags) != 0;
}

/* ---- How long a project has to wait; all timers are up to date ---- */

/* Time left of its timer, s. */
static double timer_wait(const rpc_call *call, const vcs_rpc_project *project) {
    return vcs_wait_until(project->timer.min_rpc_time, call->now);
}

/* Time left of the interval between two tries of its master file, s. */
static double interval_left(const rpc_call *call, const vcs_rpc_project *project) {
    double elapsed = call->now - project->master_fetched;
    if (project->master_fetched == 0.0 || elapsed < 0.0 || elapsed >= call->policy->master_fetch_interval) {
        return 0.0;
    }
    return call->policy->master_fetch_interval - elapsed;
}

/* Time until its master file may be tried, by timer and interval, s; +infinity if there is no reason to try. */
static double master_wait(const rpc_call *call, const vcs_rpc_project *project) {
    if (project->scheduler_urls == 0) {
        return timer_wait(call, project); /* nothing else can be done with it */
    }
    if (!has(project, VCS_RPC_MASTER_WANTED)) {
        return VCS_INFINITY;
    }
    return vcs_max(timer_wait(call, project), interval_left(call, project));
}

/* Time until it may be called, or its master file tried, to get work, s; +infinity if it must not be asked. */
static double work_wait(const rpc_call *call, const vcs_rpc_project *project) {
    if (has(project, VCS_RPC_SUSPENDED)) {
        return VCS_INFINITY;
    }
    if (project->scheduler_urls == 0 || has(project, VCS_RPC_NO_NEW_WORK)) {
        return master_wait(call, project);
    }
    return timer_wait(call, project);
}

/* ---- Which project ---- */

/* A condition on a project. */
typedef bool condition(const rpc_call *call, const vcs_rpc_project *project);

/* The user wants a call of it. */
static bool is_wanted(const rpc_call *call, const vcs_rpc_project *project) {
    (void)call;
    return has(project, VCS_RPC_CALL_WANTED);
}

/* It has overdue results, and its scheduler may be called or its master file tried. */
static bool may_report(const rpc_call *call, const vcs_rpc_project *project) {
    return project->overdue > 0 && !has(project, VCS_RPC_SUSPENDED) && timer_wait(call, project) == 0.0;
}

/* It may be asked for work now, whether or not it was in this session. */
static bool may_get_work(const rpc_call *call, const vcs_rpc_project *project) {
    return project->scheduler_urls > 0 && !has(project, VCS_RPC_SUSPENDED | VCS_RPC_NO_NEW_WORK) &&
           timer_wait(call, project) == 0.0;
}

/* The next call to get work may go to it. */
static bool is_next_to_ask(const rpc_call *call, const vcs_rpc_project *project) {
    return !has(project, VCS_RPC_ASKED) && may_get_work(call, project) && master_wait(call, project) > 0.0;
}

/* Its master file is wanted, may be tried, and was not tried in this session. */
static bool is_next_to_read(const rpc_call *call, const vcs_rpc_project *project) {
    return !has(project, VCS_RPC_ASKED | VCS_RPC_SUSPENDED) && master_wait(call, project) == 0.0;
}

/* Whether project a goes before project b. */
static bool goes_before(const vcs_rpc_project *a, const vcs_rpc_project *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->id < b->id;
}

/* The best project that meets the condition; VCS_NONE if none does. O(count). */
static uint32_t best_project(const rpc_call *call, condition *meets) {
    uint32_t best = VCS_NONE;
    for (uint32_t i = 0; i < call->projects->count; i++) {
        const vcs_rpc_project *project = vcs_rpc_project_at(call, i);
        if (meets(call, project) && (best == VCS_NONE || goes_before(project, vcs_rpc_project_at(call, best)))) {
            best = i;
        }
    }
    return best;
}

/* ---- Steps ---- */

static void begin_step(const rpc_call *call, uint32_t step, uint32_t place) {
    call->session->step = step;
    call->session->url = 0;
    call->session->place = place;
    call->session->project = vcs_rpc_project_at(call, place)->id;
}

/* Keeps an action under way, wherever its project is now in the array; drops it if the project is gone. */
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

/* Asks a project no more if its tasks did not add to the work, or the session might never end. */
static void judge_new_work(const rpc_call *call) {
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
    uint32_t best = missing > 0.0 ? best_project(call, is_next_to_ask) : VCS_NONE;
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
        uint32_t best = best_project(call, is_next_to_read);
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
    const uint32_t best = best_project(call, may_get_work);
    return (project->flags & (VCS_RPC_SUSPENDED | VCS_RPC_NO_NEW_WORK)) == 0 &&
           (best == VCS_NONE || !goes_before(vcs_rpc_project_at(call, best), project));
}

static void begin_report(const rpc_call *call, uint32_t place) {
    const vcs_rpc_project *project = vcs_rpc_project_at(call, place);
    bool master_first = project->scheduler_urls == 0 || master_wait(call, project) == 0.0;
    call->session->kind = VCS_RPC_REPORT_RESULT;
    begin_step(call, master_first ? VCS_RPC_READING_MASTER : VCS_RPC_CALLING, place);
    call->session->seconds = is_first_for_work(call, project) ? missing_work(call) : 0.0;
    call->session->estimated = call->work;
}

/* ---- Without a session (rule 7.1) ---- */

static bool may_begin_to_get_work(const rpc_call *call) {
    const bool has_too_little = call->work < vcs_least_work(call->policy) || call->work == 0.0;
    return has_too_little && vcs_wait_until(call->session->next_get_work, call->now) == 0.0 &&
           (best_project(call, is_next_to_ask) != VCS_NONE || best_project(call, is_next_to_read) != VCS_NONE);
}

static void begin_session(const rpc_call *call) {
    for (uint32_t i = 0; i < call->projects->count; i++) {
        vcs_rpc_project_at(call, i)->flags &= ~VCS_RPC_ASKED;
    }
    uint32_t wanted = best_project(call, is_wanted);
    if (wanted != VCS_NONE) {
        begin_report(call, wanted);
        return;
    }
    uint32_t overdue = best_project(call, may_report);
    bool work_first = may_begin_to_get_work(call) && (overdue == VCS_NONE || call->session->last != VCS_RPC_GET_WORK);
    if (work_first) {
        call->session->kind = VCS_RPC_GET_WORK;
        go_on_getting_work(call);
    } else if (overdue != VCS_NONE) {
        begin_report(call, overdue);
    }
}

/* ---- The answer ---- */

/* Time until there may be a reason for a session, s. */
static double time_to_wait(const rpc_call *call) {
    const double above_low_water = vcs_max(call->work - vcs_least_work(call->policy), 0.0);
    const double until_work_lacks = vcs_max(above_low_water, vcs_wait_until(call->session->next_get_work, call->now));
    double wait = VCS_INFINITY;
    for (uint32_t i = 0; i < call->projects->count; i++) {
        const vcs_rpc_project *project = vcs_rpc_project_at(call, i);
        wait = vcs_min(wait, vcs_max(until_work_lacks, work_wait(call, project)));
        if (project->overdue > 0 && (project->flags & VCS_RPC_SUSPENDED) == 0) {
            wait = vcs_min(wait, timer_wait(call, project));
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

/* Brings all timers up to date. If the clock went back, sessions wait no longer than their interval. */
static void bring_up_to_date(const rpc_call *call) {
    for (uint32_t i = 0; i < call->projects->count; i++) {
        vcs_timer_see(&vcs_rpc_project_at(call, i)->timer, call->now);
    }
    if (call->session->next_get_work != 0.0) {
        call->session->next_get_work = vcs_min(call->session->next_get_work, call->now + vcs_rpc_pause(call));
    }
}

int vcs_rpc_next(vcs_rpc_session *session, const vcs_array *projects, const vcs_rpc_situation *situation,
                 const vcs_parameters *parameters, vcs_rpc_action *action, vcs_error *error) {
    rpc_call call = {session, projects, .policy = parameters};
    vcs_rpc_situation completed;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_rpc_check(&call, error) : code;
    code = code == VCS_OK ? vcs_read_rpc_situation(&situation, &completed, error) : code;
    code = code == VCS_OK ? vcs_check_struct(action, &vcs_rpc_action_layout, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    call.now = situation->now;
    call.work = situation->estimated_work;
    bring_up_to_date(&call);
    keep_action(&call);
    judge_new_work(&call);
    go_on_getting_work(&call);
    if (session->kind == VCS_RPC_NO_SESSION) {
        begin_session(&call);
    }
    vcs_rpc_action next = {.struct_size = action->struct_size};
    describe(&call, &next);
    vcs_hand_out(action, action->struct_size, &next, sizeof next);
    return VCS_OK;
}
