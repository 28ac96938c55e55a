/*
 * The projects of a session: which of them may be contacted, and which is best.
 *
 * Rules 7.1 to 7.3; the plain reference is tests/timers/test_rpc_model.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "timers/rpc_session.h"

#include "core/number.h"

static bool has(const vcs_rpc_project *project, uint32_t flags) {
    return (project->flags & flags) != 0;
}

/* ---- How long a project has to wait ---- */

/* What is left of the interval between two tries of its master file, s. */
static double interval_left(const rpc_call *call, const vcs_rpc_project *project) {
    double elapsed = call->now - project->master_fetched;
    if (project->master_fetched == 0.0 || elapsed < 0.0 || elapsed >= call->policy->master_fetch_interval) {
        return 0.0;
    }
    return call->policy->master_fetch_interval - elapsed;
}

double vcs_rpc_master_wait(const rpc_call *call, const vcs_rpc_project *project) {
    if (project->scheduler_urls == 0) {
        return vcs_rpc_timer_wait(call, project); /* there is nothing else to do with it */
    }
    if (!has(project, VCS_RPC_MASTER_WANTED)) {
        return VCS_INFINITY;
    }
    return vcs_max(vcs_rpc_timer_wait(call, project), interval_left(call, project));
}

double vcs_rpc_work_wait(const rpc_call *call, const vcs_rpc_project *project) {
    if (has(project, VCS_RPC_SUSPENDED)) {
        return VCS_INFINITY;
    }
    if (project->scheduler_urls == 0 || has(project, VCS_RPC_NO_NEW_WORK)) {
        return vcs_rpc_master_wait(call, project);
    }
    return vcs_rpc_timer_wait(call, project);
}

/* ---- Conditions ---- */

bool vcs_rpc_is_wanted(const rpc_call *call, const vcs_rpc_project *project) {
    (void)call;
    return has(project, VCS_RPC_CALL_WANTED);
}

bool vcs_rpc_may_report(const rpc_call *call, const vcs_rpc_project *project) {
    return project->overdue > 0 && !has(project, VCS_RPC_SUSPENDED) && vcs_rpc_timer_wait(call, project) == 0.0;
}

bool vcs_rpc_may_get_work(const rpc_call *call, const vcs_rpc_project *project) {
    return project->scheduler_urls > 0 && !has(project, VCS_RPC_SUSPENDED | VCS_RPC_NO_NEW_WORK) &&
           vcs_rpc_timer_wait(call, project) == 0.0;
}

bool vcs_rpc_is_next_to_ask(const rpc_call *call, const vcs_rpc_project *project) {
    return !has(project, VCS_RPC_ASKED) && vcs_rpc_may_get_work(call, project) &&
           vcs_rpc_master_wait(call, project) > 0.0;
}

bool vcs_rpc_is_next_to_read(const rpc_call *call, const vcs_rpc_project *project) {
    return !has(project, VCS_RPC_ASKED | VCS_RPC_SUSPENDED) && vcs_rpc_master_wait(call, project) == 0.0;
}

uint32_t vcs_rpc_best(const rpc_call *call, rpc_condition *condition) {
    uint32_t best = VCS_NONE;
    for (uint32_t i = 0; i < call->project_count; i++) {
        const vcs_rpc_project *project = vcs_rpc_project_at(call, i);
        if (condition(call, project) &&
            (best == VCS_NONE || vcs_rpc_goes_before(project, vcs_rpc_project_at(call, best)))) {
            best = i;
        }
    }
    return best;
}
