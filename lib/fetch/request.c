/* SPDX-License-Identifier: MIT */
#include "fetch/request.h"

#include "accounts/correction.h"
#include "fetch/rank.h"
#include "simulation/limits.h"

/* Whole instances as units: those of an amount, at least 0 and at most all. */
static int64_t whole_instances(double amount, int64_t capacity) {
    if (!(amount >= 1.0)) {
        return 0;
    }
    return amount < vcs_instances(capacity) ? (int64_t)amount * VCS_ONE : capacity;
}

/* ---- Limits (rule 6.6) ---- */

/* Units that its tasks use now, up to all there are. */
static int64_t units_used(const vcs_survey_project_resource *of) {
    const int64_t capacity = of->resource->prepared->capacity;
    const int64_t used = vcs_units(of->forecast->used_now);
    return vcs_min_i64(used, capacity);
}

/* Units that limits and exclusions let a project use. */
static int64_t could_use(const vcs_survey_project_resource *of) {
    return vcs_could_use(of->allowed, of->project->limit, of->widest);
}

/* What the limits let it run within the buffer beyond what is queued, instance-seconds. */
static double seconds_within_limits(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const double queued = vcs_wide_instance_seconds(of->queued);
    return vcs_instances(could_use(of)) * vcs_buffer_to_fill(survey) - queued;
}

static vcs_survey_request nothing(uint32_t reason) {
    const vcs_survey_request request = {0.0, 0.0, reason, 0};
    return request;
}

static vcs_survey_request nothing_by_limit(const vcs_survey_project_resource *of) {
    return nothing(of->project->limit > 0 ? VCS_REASON_AT_LIMIT : VCS_REASON_EXCLUDED);
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

/* Idle instances that the project can be given, as units; whole ones if what is idle is whole. */
static int64_t instances_within_limits(const vcs_survey_project_resource *of, int64_t wanted) {
    const int64_t idle = vcs_units(of->resource->forecast->idle_now);
    if (!of->limited) {
        return wanted;
    }
    const int64_t left = could_use(of) - units_used(of);
    if (left <= 0) {
        return 0;
    }
    const int64_t instances = vcs_min_i64(wanted, left);
    return idle % VCS_ONE == 0 ? instances - instances % VCS_ONE : instances;
}

/* ---- Projects with a share (rule 6.3) ---- */

/* Instances that are idle, or its share of all less what it uses now. */
static int64_t instances_wanted(const vcs_survey_project_resource *of) {
    const vcs_survey_resource *resource = of->resource;
    const int64_t idle = vcs_units(resource->forecast->idle_now);
    const double due = of->allowed * of->project->record->share / resource->sums.share;
    const int64_t lacking = whole_instances(due - vcs_instances(units_used(of)), resource->prepared->capacity);
    return vcs_max_i64(idle, lacking);
}

/* What is short on the resource, as far as the project may help; its own shortfall if a limit holds it back. */
static double seconds_wanted(const vcs_survey_project_resource *of) {
    const double part = (double)of->allowed / of->resource->prepared->instances;
    const double seconds = of->resource->forecast->shortfall * part;
    return of->limited ? vcs_min(seconds, of->forecast->shortfall) : seconds;
}

static vcs_survey_request request_by_share(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    vcs_survey_request request = {seconds_wanted(of), 0.0, VCS_REASON_ASKED, 0};
    if (request.seconds == 0.0 && survey->buffer > 0.0 && of->limited) {
        return nothing_by_limit(of);
    }
    request.instances = vcs_instances(instances_within_limits(of, instances_wanted(of)));
    request.seconds = vcs_max(request.seconds, request.instances); /* a second for each, if there is no buffer */
    return request.seconds > 0.0 ? request : nothing_by_limit(of);
}

/* ---- Backup projects (rule 6.5) ---- */

static vcs_survey_request request_of_backup(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const vcs_resource_forecast *forecast = of->resource->forecast;
    const int64_t capacity = of->resource->prepared->capacity;
    const int is_soon = forecast->saturated < survey->parameters->backup_lead;
    if (forecast->idle_now == 0.0 && !is_soon) {
        return nothing(VCS_REASON_BACKUP);
    }
    int64_t wanted = whole_instances(vcs_instances(capacity - of->resource->booked), capacity);
    const int64_t idle = vcs_units(forecast->idle_now);
    wanted = vcs_max_i64(wanted, idle);
    wanted = wanted > 0 ? wanted : VCS_ONE;
    const double instances = vcs_instances(instances_within_limits(of, wanted));
    const vcs_survey_request request = {instances, instances, VCS_REASON_ASKED, 0};
    return instances > 0.0 ? request : nothing_by_limit(of);
}

/* ---- Either ---- */

/* Of a project whose estimates are far off, a second brings one task (rule 2.3). */
static void ask_little(vcs_survey_request *request) {
    if (request->seconds > 0.0) {
        request->seconds = 1.0;
        request->instances = vcs_min(request->instances, 1.0);
        request->reason = VCS_REASON_ASKED_LITTLE;
    }
}

static void fill_request(const vcs_survey *survey, vcs_survey_project_resource *of) {
    of->request = vcs_is_backup(of) ? request_of_backup(survey, of) : request_by_share(survey, of);
    if (vcs_is_wacky(of->project->record->dcf)) {
        ask_little(&of->request);
    }
    vcs_keep_limits(survey, of);
}

void vcs_fill_requests(vcs_survey *survey) {
    const size_t count = (size_t)survey->project_count * survey->resource_count;
    for (size_t i = 0; i < count; i++) {
        vcs_survey_project_resource *of = &survey->project_resources[i];
        if (of->resource->wanted) {
            fill_request(survey, of);
            vcs_note_best(of);
        } else {
            of->request = nothing(VCS_REASON_FULL);
        }
    }
}
