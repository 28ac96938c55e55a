/*
 * Sessions of scheduler calls: what to do next.
 *
 * Rules 7.1 to 7.4; the plain reference is tests/timers/test_rpc_model.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/rpc.h>

#include "core/number.h"
#include "interface/argument.h"
#include "interface/check.h"
#include "timers/rpc_projects.h"
#include "timers/rpc_session.h"

#include <string.h>

/* The least work to ask for, and the least growth of the work that counts, s. */
#define LEAST_WORK 1.0

/* The wait, s, where a time of the clock cannot express a shorter one. */
#define LEAST_WAIT 1.0

/* ---- Work against the water marks ---- */

static double low_water(const rpc_projects *all) {
    return all->policy->min_buffer;
}

static double high_water(const rpc_projects *all) {
    return all->policy->min_buffer + all->policy->additional_buffer;
}

/* A host without any work has too little, however low the marks are. */
static bool is_below_low_water(const rpc_projects *all, double work) {
    return work < low_water(all) || work == 0.0;
}

/* The work to ask for, s; 0 = none. */
static double missing_work(const rpc_projects *all, double work) {
    if (work >= high_water(all)) {
        return work == 0.0 ? LEAST_WORK : 0.0;
    }
    return high_water(all) - work;
}

/* How long until there may be less work than the low-water mark, s. */
static double wait_for_low_water(const rpc_projects *all, double work) {
    return is_below_low_water(all, work) ? 0.0 : work - low_water(all);
}

/* ---- Steps ---- */

static void begin_step(const rpc_projects *all, vcs_rpc_session *session, uint32_t step, uint32_t place) {
    session->step = step;
    session->url = 0;
    session->place = place;
    session->project = vcs_rpc_project_at(all, place)->id;
}

/* An action under way is given again, wherever its project is now; if the project is gone, so is the action. */
static void keep_action(const rpc_projects *all, vcs_rpc_session *session) {
    if (session->step != VCS_RPC_CALLING && session->step != VCS_RPC_READING_MASTER) {
        return;
    }
    uint32_t place = vcs_rpc_find(all, session);
    if (place == VCS_NONE || (session->step == VCS_RPC_CALLING &&
                              session->url >= vcs_rpc_project_at(all, place)->scheduler_urls)) {
        vcs_rpc_end_step(all, session);
    } else {
        session->place = place;
    }
}

/* A project whose tasks do not add to the work is not asked for more, or the session might never end. */
static void see_what_came(const rpc_projects *all, vcs_rpc_session *session, double work) {
    if (session->step != VCS_RPC_WORK_CAME) {
        return;
    }
    uint32_t place = vcs_rpc_find(all, session);
    if (place != VCS_NONE && work < session->estimated + LEAST_WORK) {
        vcs_rpc_project_at(all, place)->flags |= VCS_RPC_ASKED;
    }
    vcs_rpc_end_step(all, session);
}

/* ---- Get-work (rule 7.2) ---- */

static void choose_project(const rpc_projects *all, vcs_rpc_session *session, double work) {
    double missing = missing_work(all, work);
    uint32_t best = missing > 0.0 ? vcs_rpc_best(all, vcs_rpc_is_next_to_ask) : VCS_NONE;
    if (best == VCS_NONE) {
        session->step = VCS_RPC_CHOOSE_MASTER;
        return;
    }
    begin_step(all, session, VCS_RPC_CALLING, best);
    session->seconds = missing;
    session->estimated = work;
}

static void choose_master(const rpc_projects *all, vcs_rpc_session *session) {
    uint32_t best = vcs_rpc_best(all, vcs_rpc_is_next_to_read);
    if (best == VCS_NONE) {
        vcs_rpc_end_session(all, session);
    } else {
        begin_step(all, session, VCS_RPC_READING_MASTER, best);
    }
}

static void go_on_getting_work(const rpc_projects *all, vcs_rpc_session *session, double work) {
    if (session->kind == VCS_RPC_GET_WORK && session->step == VCS_RPC_CHOOSE_PROJECT) {
        choose_project(all, session, work);
    }
    if (session->kind == VCS_RPC_GET_WORK && session->step == VCS_RPC_CHOOSE_MASTER) {
        choose_master(all, session);
    }
}

/* ---- Report-result (rule 7.3) ---- */

/* Whether the project may be asked for work and is the best that may be called. */
static bool is_first_for_work(const rpc_projects *all, const vcs_rpc_project *project) {
    if ((project->flags & (VCS_RPC_SUSPENDED | VCS_RPC_NO_NEW_WORK)) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        const vcs_rpc_project *other = vcs_rpc_project_at(all, i);
        if (vcs_rpc_goes_before(other, project) && vcs_rpc_may_get_work(all, other)) {
            return false;
        }
    }
    return true;
}

static void begin_report(const rpc_projects *all, vcs_rpc_session *session, uint32_t place, double work) {
    const vcs_rpc_project *project = vcs_rpc_project_at(all, place);
    bool master_first = project->scheduler_urls == 0 || vcs_rpc_master_wait(all, project) == 0.0;
    session->kind = VCS_RPC_REPORT_RESULT;
    begin_step(all, session, master_first ? VCS_RPC_READING_MASTER : VCS_RPC_CALLING, place);
    session->seconds = is_first_for_work(all, project) ? missing_work(all, work) : 0.0;
    session->estimated = work;
}

/* ---- Without a session (rule 7.1) ---- */

static double wait_for_next_get_work(const rpc_projects *all, const vcs_rpc_session *session) {
    if (session->next_get_work == 0.0 || session->next_get_work <= all->now) {
        return 0.0;
    }
    return session->next_get_work - all->now;
}

static bool may_begin_to_get_work(const rpc_projects *all, const vcs_rpc_session *session, double work) {
    return is_below_low_water(all, work) && wait_for_next_get_work(all, session) == 0.0 &&
           (vcs_rpc_best(all, vcs_rpc_is_next_to_ask) != VCS_NONE ||
            vcs_rpc_best(all, vcs_rpc_is_next_to_read) != VCS_NONE);
}

static void begin_session(const rpc_projects *all, vcs_rpc_session *session, double work) {
    for (uint32_t i = 0; i < all->count; i++) {
        vcs_rpc_project_at(all, i)->flags &= ~VCS_RPC_ASKED;
    }
    uint32_t wanted = vcs_rpc_best(all, vcs_rpc_is_wanted);
    if (wanted != VCS_NONE) {
        begin_report(all, session, wanted, work);
        return;
    }
    uint32_t overdue = vcs_rpc_best(all, vcs_rpc_may_report);
    bool work_first = may_begin_to_get_work(all, session, work) &&
                      (overdue == VCS_NONE || session->last != VCS_RPC_GET_WORK);
    if (work_first) {
        session->kind = VCS_RPC_GET_WORK;
        go_on_getting_work(all, session, work);
    } else if (overdue != VCS_NONE) {
        begin_report(all, session, overdue, work);
    }
}

/* ---- The answer ---- */

/* How long until a reason for a session may hold, s. */
static double time_to_wait(const rpc_projects *all, const vcs_rpc_session *session, double work) {
    double work_wait = vcs_max(wait_for_low_water(all, work), wait_for_next_get_work(all, session));
    double wait = VCS_INFINITY;
    for (uint32_t i = 0; i < all->count; i++) {
        const vcs_rpc_project *project = vcs_rpc_project_at(all, i);
        wait = vcs_min(wait, vcs_max(work_wait, vcs_rpc_work_wait(all, project)));
        if (project->overdue > 0 && (project->flags & VCS_RPC_SUSPENDED) == 0) {
            wait = vcs_min(wait, vcs_rpc_timer_wait(all, project));
        }
    }
    return wait;
}

static void describe(const rpc_projects *all, const vcs_rpc_session *session, double work, vcs_rpc_action *action) {
    action->session = session->kind;
    action->kind = VCS_RPC_WAIT;
    action->project = VCS_NONE;
    if (session->kind == VCS_RPC_NO_SESSION) {
        action->until = all->now + time_to_wait(all, session, work);
        action->until = action->until > all->now ? action->until : all->now + LEAST_WAIT;
        return;
    }
    action->project = session->place;
    if (session->step == VCS_RPC_READING_MASTER) {
        action->kind = VCS_RPC_FETCH_MASTER;
    } else {
        action->kind = VCS_RPC_CALL;
        action->url = session->url;
        action->seconds = session->seconds;
    }
}

/* If the clock went back, sessions do not wait longer than their interval. */
static void bring_up_to_date(const rpc_projects *all, vcs_rpc_session *session) {
    vcs_rpc_see_present(all);
    if (session->next_get_work != 0.0) {
        session->next_get_work = vcs_min(session->next_get_work, all->now + vcs_rpc_pause(all));
    }
}

static int check_action(const vcs_rpc_action *action, vcs_error *error) {
    if (action == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_RPC_ACTION, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    int code = vcs_check_size(action->struct_size, sizeof *action);
    if (code != VCS_OK) {
        return vcs_fail(error, code, VCS_TYPE_RPC_ACTION, 0, 0, "matches no known version of this struct");
    }
    return VCS_OK;
}

int vcs_rpc_next(vcs_rpc_session *session, vcs_rpc_project *projects, uint32_t project_size, uint32_t project_count,
                 const vcs_rpc_situation *situation, const vcs_parameters *parameters, vcs_rpc_action *action,
                 vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    rpc_projects all;
    vcs_rpc_situation completed;
    code = vcs_rpc_take(&all, session, projects, project_size, project_count, parameters, error);
    if (code == VCS_OK) {
        code = vcs_read_rpc_situation(&situation, &completed, error);
    }
    if (code == VCS_OK) {
        code = check_action(action, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    all.now = situation->now;
    bring_up_to_date(&all, session);
    keep_action(&all, session);
    see_what_came(&all, session, situation->estimated_work);
    go_on_getting_work(&all, session, situation->estimated_work);
    if (session->kind == VCS_RPC_NO_SESSION) {
        begin_session(&all, session, situation->estimated_work);
    }
    vcs_rpc_action next;
    memset(&next, 0, sizeof next);
    next.struct_size = action->struct_size;
    describe(&all, session, situation->estimated_work, &next);
    vcs_hand_out(action, action->struct_size, &next, sizeof next);
    return VCS_OK;
}
