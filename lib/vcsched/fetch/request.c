/* SPDX-License-Identifier: MIT */
#include "vcsched/fetch/request.h"

#include "vcsched/accounts/correction.h"
#include "vcsched/fetch/need.h"
#include "vcsched/fetch/owed.h"
#include "vcsched/fetch/rank.h"
#include "vcsched/simulation/fit.h"
#include "vcsched/simulation/limits.h"

/* ---- Limits (rule 6.6) ---- */

/* Instances that its tasks use now, up to all there are. */
static double instances_used(const vcs_survey_project_resource *of) {
    return vcs_min(of->forecast->used_now, vcs_instances(of->resource->prepared->capacity));
}

/* Instances that one of its tasks uses: the mean over the time that they are to run; 1 without a task. */
static double use_of_a_task(const vcs_survey_project_resource *of) {
    const double time = vcs_wide_value(of->queued_time);
    if (of->narrowest == of->widest || time == 0.0) {
        return of->widest > 0 ? vcs_instances(of->widest) : 1.0;
    }
    return vcs_wide_value(of->queued) / time / (double)VCS_ONE;
}

/* Instances that limits and exclusions let a project use. */
static double could_use(const vcs_survey_project_resource *of) {
    const int64_t units = vcs_could_use_units(of->record, of->allowed, of->narrowest, of->widest);
    const double all =
        vcs_instances(vcs_min_i64(units, vcs_min_i64(of->allowed * VCS_ONE, of->resource->prepared->capacity)));
    return of->limit > 0 ? vcs_min((double)of->limit * use_of_a_task(of), all) : all;
}

/* Work that its limits leave room for within the buffer, beside its queued work; instance-seconds. */
static double seconds_within_limits(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    return could_use(of) * vcs_buffer_to_fill(survey) - vcs_wide_instance_seconds(of->queued);
}

static vcs_survey_request nothing(uint32_t reason) {
    const vcs_survey_request request = {0.0, 0.0, reason, 0};
    return request;
}

static vcs_survey_request nothing_by_limit(const vcs_survey_project_resource *of) {
    return nothing(of->limit > 0 || vcs_limits_units(of->record) ? VCS_REASON_AT_LIMIT : VCS_REASON_EXCLUDED);
}

void vcs_keep_limits(const vcs_survey *survey, vcs_survey_project_resource *of) {
    vcs_survey_request *request = &of->request;
    if (!of->limited || request->seconds == 0.0) {
        return;
    }
    request->seconds = vcs_min(request->seconds, seconds_within_limits(survey, of));
    if (!(request->seconds > 0.0)) {
        *request = nothing_by_limit(of);
    }
}

/*
 * While it lacks nothing within the buffer, that lasts until the first of its tasks ends at the end of the buffer. Else
 * too much is queued for its limits: until that has been worked off, or another task fits in the buffer as a whole.
 */
double vcs_until_limits_allow(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const double excess = -seconds_within_limits(survey, of), until = of->project->first_beyond;
    if (of->forecast->shortfall == 0.0) {
        return until;
    }
    if (excess < 0.0) {
        return VCS_INFINITY;
    }
    return of->draining > 0 ? vcs_min(until, excess / vcs_instances(of->draining)) : until;
}

/* The part of the wanted instances that its limits let the project use. */
static double instances_within_limits(const vcs_survey_project_resource *of, double wanted) {
    const double left = vcs_max(could_use(of) - instances_used(of), 0.0);
    return of->limited ? vcs_min(wanted, left) : wanted;
}

/* ---- Projects with a share (rule 6.3) ---- */

/* The idle instances, or its share of the allowed ones less the used ones; none if its own task waits until it fits. */
static double instances_wanted(const vcs_survey_project_resource *of, const vcs_survey_lack *lack) {
    const double allowed = vcs_instances(vcs_min_i64(of->allowed * VCS_ONE, of->resource->prepared->capacity));
    const double due = allowed * of->project->record->share / of->resource->sums.share;
    const double lacking = vcs_max(vcs_min(due, allowed) - instances_used(of), 0.0);
    return of->waits ? 0.0 : vcs_max(lack->idle, vcs_instances(vcs_units(lacking))); /* rounding errors lack nothing */
}

/* The shortfall of the resource, as far as the project may help; its own shortfall if a limit holds it back. */
static vcs_survey_request request_by_share(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const vcs_survey_lack lack = vcs_lack_for(survey, of);
    const double part = (double)of->allowed / of->resource->prepared->instances;
    const double most = of->limited ? of->forecast->shortfall : VCS_INFINITY;
    vcs_survey_request request = {vcs_min(lack.shortfall * part, most), 0.0, VCS_REASON_ASKED, 0};
    if (of->waits && (request.seconds == 0.0 || vcs_until_in_need(survey, &lack) > 0.0)) {
        return nothing(VCS_REASON_WAITS_FOR_FIT);
    }
    if (request.seconds == 0.0 && survey->buffer > 0.0 && of->limited) {
        return nothing_by_limit(of);
    }
    request.instances = instances_within_limits(of, instances_wanted(of, &lack));
    request.seconds = vcs_max(request.seconds, request.instances); /* a second for each, if there is no buffer */
    return request.seconds > 0.0 ? request : nothing_by_limit(of);
}

/* ---- Projects with a share, by what they are owed (rule 15.6) ---- */

static vcs_survey_request request_by_owed(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const vcs_survey_lack lack = vcs_lack_for(survey, of);
    if (of->waits && (lack.shortfall == 0.0 || vcs_until_in_need(survey, &lack) > 0.0)) {
        return nothing(VCS_REASON_WAITS_FOR_FIT);
    }
    vcs_survey_request request = vcs_request_by_owed(survey, of, &lack);
    if (request.seconds > 0.0) {
        request.instances = instances_within_limits(of, request.instances);
        request.seconds = vcs_max(request.seconds, request.instances);
    }
    return request;
}

/* ---- Backup projects (rule 6.5) ---- */

static vcs_survey_request request_of_backup(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const vcs_resource_forecast *forecast = of->resource->forecast;
    const int64_t capacity = of->resource->prepared->capacity;
    if (of->waits) {
        return nothing(VCS_REASON_WAITS_FOR_FIT);
    }
    if (vcs_idle_for_want(forecast) == 0.0 && forecast->saturated > survey->parameters->backup_lead) {
        return nothing(VCS_REASON_BACKUP);
    }
    const int64_t free = capacity - of->resource->booked;
    const double wanted = vcs_max(vcs_instances(free - free % VCS_ONE), vcs_idle_for_want(forecast));
    const double instances = instances_within_limits(of, wanted > 0.0 ? wanted : 1.0);
    const vcs_survey_request request = {instances, instances, VCS_REASON_ASKED, 0};
    return instances > 0.0 ? request : nothing_by_limit(of);
}

/* ---- Either ---- */

static void fill_request(const vcs_survey *survey, vcs_survey_project_resource *of, vcs_survey_request request) {
    if (request.seconds > 0.0 && vcs_is_wacky(of->project->record->dcf)) {
        request.seconds = 1.0; /* estimates are far off, so a second brings one task (rule 2.3) */
        request.instances = vcs_min(request.instances, 1.0);
        request.reason = VCS_REASON_ASKED_LITTLE;
    }
    of->request = request;
    of->has_enough = !of->for_left && vcs_until_below_limits(survey, of) > 0.0;
    vcs_keep_limits(survey, of);
    vcs_note_best(survey, of);
}

static vcs_survey_request request_of(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    if (vcs_is_backup(of)) {
        return request_of_backup(survey, of);
    }
    return survey->is_owed ? request_by_owed(survey, of) : request_by_share(survey, of);
}

static void ask_for_lack(const vcs_survey *survey, vcs_survey_project_resource *of) {
    if (of->resource->wanted) {
        fill_request(survey, of, request_of(survey, of));
    } else {
        of->request = nothing(VCS_REASON_FULL);
    }
}

/* ---- Instances that the choice of tasks leaves idle (rule 6.3) ---- */

/*
 * A task for each instance from a backup project, unless a task of its own waits: another one might only wait, too.
 * Tasks of others would keep their slices, and the wide ones that wait now would wait longer.
 */
static vcs_survey_request request_for_left(const vcs_survey_project_resource *of) {
    const double left = vcs_instances(of->resource->left);
    const double room = vcs_max(could_use(of) - vcs_instances(of->chosen_units), 0.0);
    const double instances = of->limited ? vcs_min(left, room) : left;
    const vcs_survey_request request = {instances, instances, VCS_REASON_ASKED, 0};
    if (of->chosen < of->forecast->tasks) {
        return nothing(VCS_REASON_WAITS_FOR_FIT);
    }
    return instances > 0.0 ? request : nothing_by_limit(of);
}

/*
 * What the simulation asks of the others stays: they may be asked for it along with another resource, or when a wait is
 * over.
 */
static void ask_for_left(const vcs_survey *survey, vcs_survey_project_resource *of) {
    const vcs_survey_request request = request_for_left(of);
    const int had_one = of->request.seconds > 0.0, has_one = request.seconds > 0.0;
    const int is_better = of->resource->in_need ? has_one > had_one : has_one >= had_one;
    of->for_left = vcs_is_backup(of) && is_better;
    if (of->for_left) {
        fill_request(survey, of, request);
    }
}

/*
 * Whether instances are left idle, more than by rounding, and nobody can be asked as the simulation says. A part of an
 * instance may be little.
 */
static int is_left_idle(const vcs_survey *survey, const vcs_survey_resource *resource) {
    const int64_t rounding = resource->prepared->instances * VCS_DEVICE_EXCESS;
    const int64_t whole = vcs_min_i64(resource->prepared->capacity, VCS_ONE);
    const int is_much = resource->left >= whole || vcs_little(survey, resource) == 0.0;
    const int has_no_other = resource->in_need ? resource->best == NULL : is_much;
    return resource->decided && resource->left > rounding && has_no_other;
}

/* ---- All of them ---- */

void vcs_fill_requests(vcs_survey *survey) {
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        vcs_survey_resource *resource = &survey->resources[r];
        for (uint32_t p = 0; p < survey->project_count; p++) {
            ask_for_lack(survey, &survey->projects[p].project_resources[r]);
        }
        for (uint32_t p = 0; is_left_idle(survey, resource) && p < survey->project_count; p++) {
            ask_for_left(survey, &survey->projects[p].project_resources[r]);
        }
    }
}
