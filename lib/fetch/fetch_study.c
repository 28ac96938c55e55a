/* SPDX-License-Identifier: MIT */
#include "accounts/estimate.h"
#include "fetch/fetch.h"

/* No project is asked for more than this multiple of what the CPUs do in the buffer (rule 13.3). */
#define MOST_OF_BUFFER 1.01

static int is_overworked(const vcs_fetch_work *work, const vcs_fetch_pair *pair) {
    return pair->project->record->long_term_debt < -work->parameters->period;
}

/* Who is next by debt: rule 13.3, without its tests of misses and overwork for WF1 (13.8). */
static vcs_rank_key key_of(const vcs_fetch_work *work, const vcs_fetch_pair *pair) {
    const vcs_project *project = pair->project->record;
    vcs_rank_key key = {project->long_term_debt + pair->forecast->shortfall, project->id, project->priority_class, 0};
    if (!work->is_wf1) {
        key.tier = 2 * (uint32_t)(pair->forecast->misses == 0) + (uint32_t)!is_overworked(work, pair);
    }
    key.priority += 0.0; /* -0 becomes 0 */
    return key;
}

/* ---- WF1 (rules 6.1, 13.8) ---- */

/* Its part of the buffer by share, less what it has queued; negative if it has more. */
static double lack_of_part(const vcs_fetch_work *work, const vcs_fetch_pair *pair) {
    const double fraction =
        work->all.share_sum > 0.0 ? pair->project->record->share / work->all.share_sum : 1.0 / work->all.sharers;
    return work->cpus * work->buffer * fraction - pair->device_seconds;
}

static double seconds_by_wf1(const vcs_fetch_work *work, const vcs_fetch_pair *pair, uint32_t *reason) {
    const double least = pair->forecast->tasks == 0 ? 1.0 : 0.0;
    const double lack = lack_of_part(work, pair);
    *reason = VCS_REASON_NO_SHARE_LEFT;
    return lack > least ? lack : least;
}

/* ---- WF2 (rules 6.2, 13.3) ---- */

/* Why a project is not to be asked, whoever else could be. */
static uint32_t refusal_by_wf2(const vcs_fetch_work *work, const vcs_fetch_pair *pair) {
    if (work->all.shortfall > 0.0) {
        return pair->forecast->misses >= work->cpus && work->all.tasks >= work->cpus ? VCS_REASON_MISSES
                                                                                     : VCS_REASON_NONE;
    }
    if (work->all.misses > 0) {
        return VCS_REASON_FULL;
    }
    if (is_overworked(work, pair)) {
        return VCS_REASON_OVERWORKED;
    }
    return pair->forecast->shortfall > 0.0 ? VCS_REASON_NONE : VCS_REASON_NO_SHARE_LEFT;
}

/* Its part of the total shortfall by share among those that are not overworked; all of it, if there is none of them. */
static double part_of_shortfall(const vcs_fetch_work *work, const vcs_fetch_pair *pair) {
    return work->all.share_sum > 0.0 ? work->all.shortfall * pair->project->record->share / work->all.share_sum
                                     : work->all.shortfall / work->all.sharers;
}

static double seconds_by_wf2(const vcs_fetch_work *work, const vcs_fetch_pair *pair, uint32_t *reason) {
    *reason = refusal_by_wf2(work, pair);
    if (*reason != VCS_REASON_NONE) {
        return 0.0;
    }
    const double own = pair->forecast->shortfall;
    const double part = part_of_shortfall(work, pair);
    const double most = MOST_OF_BUFFER * work->buffer * work->cpus;
    double seconds = own > part ? own : part;
    seconds = seconds < most ? seconds : most;
    return seconds > 1.0 ? seconds : 1.0;
}

/* ---- Either ---- */

/* Whether a project is one of those among which what is lacking is divided. */
static int has_part(const vcs_fetch_work *work, const vcs_fetch_pair *pair) {
    if (work->is_wf1) {
        return (pair->project->record->flags & VCS_PROJECT_SUSPENDED) == 0;
    }
    return pair->obstacle == VCS_REASON_NONE && !is_overworked(work, pair);
}

/* An idle CPU lacks at least a second, however short the buffer is. */
static double shortfall_of(const vcs_resource_forecast *cpus) {
    return cpus->shortfall > 0.0 ? cpus->shortfall : cpus->idle_now;
}

static void add_up(vcs_fetch_work *work) {
    const uint32_t *by_id = vcs_project_order(work->state);
    vcs_fetch_totals all = {.shortfall = shortfall_of(work->resources[0].forecast)};
    for (uint32_t i = 0; i < work->project_count; i++) {
        const vcs_fetch_project *project = &work->projects[by_id[i]];
        all.tasks += project->tasks;
        all.misses += project->project_resources[0].forecast->misses;
        if (has_part(work, &project->project_resources[0])) {
            all.sharers++;
            all.share_sum += project->record->share;
        }
    }
    all.sharers += all.sharers == 0; /* nobody then asks for a part */
    work->all = all;
}

static void fill_request(const vcs_fetch_work *work, vcs_fetch_pair *pair) {
    vcs_fetch_request *request = &pair->request;
    request->seconds =
        work->is_wf1 ? seconds_by_wf1(work, pair, &request->reason) : seconds_by_wf2(work, pair, &request->reason);
    if (request->seconds > 0.0) {
        const uint32_t wacky = vcs_is_wacky(pair->project->record->dcf);
        request->reason = wacky ? VCS_REASON_ASKED_LITTLE : VCS_REASON_ASKED;
        request->seconds = wacky ? 1.0 : request->seconds;
        vcs_fetch_keep_limits(work, pair);
    }
}

void vcs_fetch_study(vcs_fetch_work *work) {
    add_up(work);
    for (uint32_t p = 0; p < work->project_count; p++) {
        vcs_fetch_pair *pair = &work->projects[p].project_resources[0];
        pair->key = key_of(work, pair);
        fill_request(work, pair);
        vcs_fetch_offer(pair);
    }
}

/* When a project will lack something of its part at the earliest: if all CPUs work for it alone. */
static double next_lack(const vcs_fetch_work *work) {
    const double pace = work->cpus * work->resources[0].prepared->usable;
    double least = VCS_INFINITY;
    for (uint32_t p = 0; p < work->project_count; p++) {
        const vcs_fetch_pair *pair = &work->projects[p].project_resources[0];
        if (pair->obstacle == VCS_REASON_NONE && pair->forecast->tasks > 0) {
            const double until = -lack_of_part(work, pair) / pace;
            least = until > 0.0 && until < least ? until : least;
        }
    }
    return least;
}

double vcs_fetch_study_look(const vcs_fetch_work *work) {
    const vcs_fetch_resource *cpus = &work->resources[0];
    if (work->is_wf1) {
        return next_lack(work);
    }
    const double beyond = cpus->forecast->saturated - work->buffer;
    return beyond > 0.0 ? cpus->prepared->usable * beyond : VCS_INFINITY;
}
