/* SPDX-License-Identifier: MIT */
#include "client/fetch.h"

#include <string.h>

/* No project is asked for more than this multiple of what the CPUs do in the buffer (rule 13.3). */
#define MOST_OF_BUFFER 1.01

/* What the requests of all projects depend on. The study knows no other resource than the CPU. */
typedef struct study {
    const vcs_fetch_work *work;
    uint32_t cpus;
    uint64_t tasks, misses; /* of all projects, as predicted */
    double shortfall;       /* of the CPUs, instance-seconds */
    double share_sum;       /* WF1: of the projects not suspended; WF2: of those that could be asked, not overworked */
    uint32_t sharers;       /* the projects among which it is divided equally if there is no share */
} study;

static const vcs_project *project_of(const study *s, uint32_t index) {
    return &vcs_projects(s->work->state)[index];
}

static const vcs_pair_forecast *forecast_of(const study *s, uint32_t project) {
    return vcs_fetch_forecast(s->work, project, 0);
}

static int is_overworked(const study *s, uint32_t project) {
    return project_of(s, project)->long_term_debt < -s->work->state->parameters.period;
}

static int could_be_asked(const study *s, uint32_t project) {
    return vcs_fetch_obstacle(s->work, project, 0) == VCS_REASON_NONE;
}

/* Who is next by debt: rule 13.3, without its tests of misses and overwork for WF1 (13.8). */
static vcs_rank_key key_of(const study *s, uint32_t index) {
    const vcs_project *project = project_of(s, index);
    vcs_rank_key key = {project->long_term_debt + forecast_of(s, index)->shortfall, project->id,
                        project->priority_class, 0};
    if (!s->work->is_wf1) {
        key.tier = 2 * (uint32_t)(forecast_of(s, index)->misses == 0) + (uint32_t)!is_overworked(s, index);
    }
    key.priority += 0.0; /* -0 becomes 0 */
    return key;
}

/* ---- WF1 (rules 6.1, 13.8) ---- */

/* Its part of the buffer by share, less what it has queued; negative if it has more. */
static double lack_of_part(const study *s, uint32_t project) {
    const double fraction = s->share_sum > 0.0 ? project_of(s, project)->share / s->share_sum : 1.0 / s->sharers;
    return s->cpus * s->work->buffer * fraction - vcs_fetch_pair_of(s->work, project, 0)->device_seconds;
}

static double seconds_by_wf1(const study *s, uint32_t project, uint32_t *reason) {
    const double least = forecast_of(s, project)->tasks == 0 ? 1.0 : 0.0;
    const double lack = lack_of_part(s, project);
    *reason = VCS_REASON_NO_SHARE_LEFT;
    return lack > least ? lack : least;
}

/* ---- WF2 (rules 6.2, 13.3) ---- */

/* Why a project is not to be asked, whoever else could be. */
static uint32_t refusal_by_wf2(const study *s, uint32_t project) {
    if (s->shortfall > 0.0) {
        return forecast_of(s, project)->misses >= s->cpus && s->tasks >= s->cpus ? VCS_REASON_MISSES
                                                                                 : VCS_REASON_NONE;
    }
    if (s->misses > 0) {
        return VCS_REASON_FULL;
    }
    if (is_overworked(s, project)) {
        return VCS_REASON_OVERWORKED;
    }
    return forecast_of(s, project)->shortfall > 0.0 ? VCS_REASON_NONE : VCS_REASON_NO_SHARE_LEFT;
}

/* Its part of the total shortfall by share among those that are not overworked; all of it, if there is none of them. */
static double part_of_shortfall(const study *s, uint32_t project) {
    return s->share_sum > 0.0 ? s->shortfall * project_of(s, project)->share / s->share_sum
                              : s->shortfall / s->sharers;
}

static double seconds_by_wf2(const study *s, uint32_t project, uint32_t *reason) {
    const double own = forecast_of(s, project)->shortfall;
    const double part = part_of_shortfall(s, project);
    const double most = MOST_OF_BUFFER * s->work->buffer * s->cpus;
    *reason = refusal_by_wf2(s, project);
    if (*reason != VCS_REASON_NONE) {
        return 0.0;
    }
    double seconds = own > part ? own : part;
    seconds = seconds < most ? seconds : most;
    return seconds > 1.0 ? seconds : 1.0;
}

/* ---- Either ---- */

static void add_up(study *s) {
    const uint32_t *by_id = vcs_piece(s->work->state, s->work->state->project_order);
    for (uint32_t i = 0; i < s->work->project_count; i++) {
        const uint32_t p = by_id[i];
        const int is_suspended = (project_of(s, p)->flags & VCS_PROJECT_SUSPENDED) != 0;
        const int shares = s->work->is_wf1 ? !is_suspended : could_be_asked(s, p) && !is_overworked(s, p);
        s->tasks += s->work->projects[p].tasks;
        s->misses += forecast_of(s, p)->misses;
        s->sharers += shares != 0;
        s->share_sum += shares ? project_of(s, p)->share : 0.0;
    }
    s->sharers += s->sharers == 0; /* nobody then asks for a part */
}

/* An idle CPU lacks at least a second, however short the buffer is. */
static double shortfall_of(const vcs_resource_forecast *cpus) {
    return cpus->shortfall > 0.0 ? cpus->shortfall : cpus->idle_now;
}

static void begin_study(study *s, const vcs_fetch_work *work) {
    memset(s, 0, sizeof *s);
    s->work = work;
    s->cpus = vcs_resources(work->state)[0].instances;
    s->shortfall = shortfall_of(&vcs_resource_forecasts(work->state)[0]);
    add_up(s);
}

static vcs_fetch_request request_of(const study *s, uint32_t project) {
    vcs_fetch_request request = {0.0, 0.0, VCS_REASON_NONE, 0};
    request.seconds = s->work->is_wf1 ? seconds_by_wf1(s, project, &request.reason)
                                      : seconds_by_wf2(s, project, &request.reason);
    if (request.seconds > 0.0) {
        const uint32_t wacky = s->work->projects[project].wacky;
        request.reason = wacky ? VCS_REASON_ASKED_LITTLE : VCS_REASON_ASKED;
        request.seconds = wacky ? 1.0 : request.seconds;
    }
    vcs_fetch_keep_limits(s->work, project, 0, &request);
    return request;
}

void vcs_fetch_study(vcs_fetch_work *work) {
    study s;
    begin_study(&s, work);
    for (uint32_t p = 0; p < work->project_count; p++) {
        vcs_fetch_pair *pair = vcs_fetch_pair_of(work, p, 0);
        pair->key = key_of(&s, p);
        pair->request = request_of(&s, p);
    }
}

/* When a project will lack something of its part at the earliest: if all CPUs work for it alone. */
static double next_lack(const study *s) {
    const double pace = s->cpus * vcs_resources(s->work->state)[0].usable;
    double least = VCS_INFINITY;
    for (uint32_t p = 0; p < s->work->project_count; p++) {
        if (could_be_asked(s, p) && forecast_of(s, p)->tasks > 0) {
            const double until = -lack_of_part(s, p) / pace;
            least = until > 0.0 && until < least ? until : least;
        }
    }
    return least;
}

double vcs_fetch_study_look(const vcs_fetch_work *work) {
    if (work->is_wf1) {
        study s;
        begin_study(&s, work);
        return next_lack(&s);
    }
    const double beyond = vcs_resource_forecasts(work->state)[0].saturated - work->buffer;
    return beyond > 0.0 ? vcs_resources(work->state)[0].usable * beyond : VCS_INFINITY;
}
