/* SPDX-License-Identifier: MIT */
#include "vcsched/fetch/study.h"

#include "vcsched/accounts/correction.h"
#include "vcsched/fetch/rank.h"
#include "vcsched/fetch/request.h"
#include "vcsched/timers/buffer.h"

/* No project is asked for more than this multiple of what the CPUs do in the buffer (rule 13.3). */
#define MOST_OF_BUFFER 1.01

static int is_overworked(const vcs_state *state, const vcs_project *project) {
    return project->long_term_debt < -state->parameters.period;
}

/* Who is next by debt: rule 13.3, without its tests of misses and overwork for WF1 (13.8). */
static vcs_rank_key key_of(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const vcs_project *project = of->project->record;
    vcs_rank_key key = {project->long_term_debt + of->forecast->shortfall, project->id, project->priority_class, 0};
    if (!survey->is_wf1) {
        key.tier = 2 * (uint32_t)(of->forecast->misses == 0) + (uint32_t)!is_overworked(survey->state, project);
    }
    key.priority += 0.0; /* -0 becomes 0 */
    return key;
}

/* ---- WF1 (rules 6.1, 13.8) ---- */

/* Its part of the buffer by share, less its queued work; negative if more is queued. */
static double lack_of_part(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const double fraction =
        survey->all.share_sum > 0.0 ? of->project->record->share / survey->all.share_sum : 1.0 / survey->all.sharers;
    return survey->cpus * survey->buffer * fraction - of->device_seconds;
}

/* ---- WF2 (rules 6.2, 13.3) ---- */

/* Why a project is not to be asked, whoever else could be. */
static uint32_t refusal_by_wf2(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    if (survey->all.shortfall > 0.0) {
        return of->forecast->misses >= survey->cpus && survey->all.tasks >= survey->cpus ? VCS_REASON_MISSES
                                                                                         : VCS_REASON_NONE;
    }
    if (survey->all.misses > 0) {
        return VCS_REASON_FULL;
    }
    if (is_overworked(survey->state, of->project->record)) {
        return VCS_REASON_OVERWORKED;
    }
    return of->forecast->shortfall > 0.0 ? VCS_REASON_NONE : VCS_REASON_NO_SHARE_LEFT;
}

static double seconds_by_wf2(const vcs_survey *survey, const vcs_survey_project_resource *of, uint32_t *reason) {
    *reason = refusal_by_wf2(survey, of);
    if (*reason != VCS_REASON_NONE) {
        return 0.0;
    }
    const vcs_survey_totals *all = &survey->all;
    const double own = of->forecast->shortfall;
    /* Its part of the total shortfall by share among the projects that are not overworked; all of it if all are. */
    const double part = all->share_sum > 0.0 ? all->shortfall * of->project->record->share / all->share_sum
                                             : all->shortfall / all->sharers;
    const double most = MOST_OF_BUFFER * survey->buffer * survey->cpus;
    return vcs_max(vcs_min(vcs_max(own, part), most), 1.0);
}

/* ---- Either ---- */

/* An idle CPU lacks at least a second, however short the buffer is. */
static double shortfall_of(const vcs_resource_forecast *cpus) {
    return cpus->shortfall > 0.0 ? cpus->shortfall : cpus->idle_now;
}

static void add_up(vcs_survey *survey) {
    const uint32_t *by_id = vcs_project_order(survey->state);
    vcs_survey_totals all = {.shortfall = shortfall_of(survey->resources[0].forecast)};
    for (uint32_t i = 0; i < survey->project_count; i++) {
        const vcs_survey_project *project = &survey->projects[by_id[i]];
        const vcs_survey_project_resource *of = &project->project_resources[0];
        const int is_suspended = (project->record->flags & VCS_PROJECT_SUSPENDED) != 0;
        const int may_work = of->obstacle == VCS_REASON_NONE && !is_overworked(survey->state, project->record);
        all.tasks += project->tasks;
        all.misses += of->forecast->misses;
        if (survey->is_wf1 ? !is_suspended : may_work) { /* it gets a part of the work that is lacking */
            all.sharers++;
            all.share_sum += project->record->share;
        }
    }
    all.sharers += all.sharers == 0; /* nobody then asks for a part */
    survey->all = all;
}

static void fill_request(const vcs_survey *survey, vcs_survey_project_resource *of) {
    vcs_survey_request *request = &of->request;
    if (survey->is_wf1) {
        request->seconds = vcs_max(lack_of_part(survey, of), of->forecast->tasks == 0 ? 1.0 : 0.0);
        request->reason = VCS_REASON_NO_SHARE_LEFT;
    } else {
        request->seconds = seconds_by_wf2(survey, of, &request->reason);
    }
    if (request->seconds > 0.0) {
        const uint32_t wacky = vcs_is_wacky(of->project->record->dcf);
        request->reason = wacky ? VCS_REASON_ASKED_LITTLE : VCS_REASON_ASKED;
        request->seconds = wacky ? 1.0 : request->seconds;
        vcs_keep_limits(survey, of);
    }
}

void vcs_decide_by_study(vcs_survey *survey) {
    add_up(survey);
    for (uint32_t p = 0; p < survey->project_count; p++) {
        vcs_survey_project_resource *of = &survey->projects[p].project_resources[0];
        of->key = key_of(survey, of);
        fill_request(survey, of);
        vcs_note_best(survey, of);
    }
}

/* When a project will lack something of its part at the earliest: if all CPUs work for it alone. */
static double next_lack(const vcs_survey *survey) {
    const double pace = survey->cpus * survey->resources[0].prepared->usable;
    double least = VCS_INFINITY;
    for (uint32_t p = 0; p < survey->project_count; p++) {
        const vcs_survey_project_resource *of = &survey->projects[p].project_resources[0];
        if (of->obstacle == VCS_REASON_NONE && of->forecast->tasks > 0) {
            const double until = -lack_of_part(survey, of) / pace;
            least = until >= 0.0 && until < least ? until : least;
        }
    }
    return least;
}

/* When the CPUs' work will reach only to the end of the buffer. */
static double until_short(const vcs_state *state) {
    const double saturated = vcs_resource_forecasts(state)[0].saturated;
    const double beyond = saturated - vcs_whole_buffer(&state->parameters);
    return saturated > 0.0 && beyond >= 0.0 ? vcs_resources(state)[0].usable * beyond : VCS_INFINITY;
}

double vcs_next_study_check(const vcs_survey *survey) {
    return survey->is_wf1 ? next_lack(survey) : until_short(survey->state);
}

/* ---- At a glance ---- */

int vcs_is_full_by_wf2(const vcs_state *state) {
    const vcs_project_resource_forecast *forecasts = vcs_project_resource_forecasts(state);
    uint32_t misses = 0, lacks = 0;
    if (shortfall_of(&vcs_resource_forecasts(state)[0]) > 0.0) {
        return 0;
    }
    for (uint32_t p = 0; p < state->project_count; p++) {
        const vcs_project_resource_forecast *of_cpus = &forecasts[(size_t)p * state->resource_count];
        misses |= of_cpus->misses;
        lacks |= of_cpus->shortfall > 0.0 && !is_overworked(state, &vcs_projects(state)[p]);
    }
    return misses > 0 || !lacks;
}

double vcs_wait_by_wf2(const vcs_state *state) {
    return vcs_max(until_short(state), vcs_max(state->parameters.look_interval, VCS_LEAST_WAIT));
}
