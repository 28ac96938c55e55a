/* SPDX-License-Identifier: MIT */
#include "client/fetch.h"
#include "client/limits.h"

#include <string.h>

static double lesser(double a, double b) {
    return a < b ? a : b;
}

static double greater(double a, double b) {
    return a > b ? a : b;
}

/* Whole instances as units: those of an amount, at least 0 and at most all. */
static int64_t whole_instances(double amount, int64_t capacity) {
    if (!(amount >= 1.0)) {
        return 0;
    }
    return amount < vcs_instances(capacity) ? (int64_t)amount * VCS_ONE : capacity;
}

/* ---- Limits (rule 6.6) ---- */

static int is_limited(const vcs_fetch_work *work, uint32_t project, uint32_t resource) {
    return vcs_fetch_pair_of(work, project, resource)->limited != 0;
}

/* Units that its tasks use now, up to all there are. */
static int64_t units_used(const vcs_fetch_work *work, uint32_t project, uint32_t resource) {
    const int64_t capacity = vcs_resources(work->state)[resource].capacity;
    const int64_t used = vcs_units(vcs_fetch_forecast(work, project, resource)->used_now);
    return used < capacity ? used : capacity;
}

/* Units that limits and exclusions let a project use. */
static int64_t could_use(const vcs_fetch_work *work, uint32_t project, uint32_t resource) {
    const vcs_fetch_pair *pair = vcs_fetch_pair_of(work, project, resource);
    return vcs_could_use(pair->allowed, work->projects[project].limit, pair->widest);
}

/* What limits can run in the buffer beyond what is queued, instance-seconds. */
static double room_in_buffer(const vcs_fetch_work *work, uint32_t project, uint32_t resource) {
    const double queued = vcs_wide_instance_seconds(vcs_fetch_pair_of(work, project, resource)->queued);
    return vcs_instances(could_use(work, project, resource)) * vcs_fetch_reach(work) - queued;
}

static vcs_fetch_request nothing(uint32_t reason) {
    const vcs_fetch_request request = {0.0, 0.0, reason, 0};
    return request;
}

static vcs_fetch_request nothing_by_limit(const vcs_fetch_work *work, uint32_t project) {
    return nothing(work->projects[project].limit > 0 ? VCS_REASON_AT_LIMIT : VCS_REASON_EXCLUDED);
}

void vcs_fetch_keep_limits(const vcs_fetch_work *work, uint32_t project, uint32_t resource,
                           vcs_fetch_request *request) {
    if (request->seconds == 0.0 || !is_limited(work, project, resource)) {
        return;
    }
    request->seconds = lesser(request->seconds, room_in_buffer(work, project, resource));
    if (!(request->seconds > 0.0)) {
        *request = nothing_by_limit(work, project);
    }
}

/* Idle instances that the project can be given, as units; whole ones if what is idle is whole. */
static int64_t instances_within_limits(const vcs_fetch_work *work, uint32_t project, uint32_t resource,
                                       int64_t wanted) {
    const int64_t idle = vcs_units(vcs_resource_forecasts(work->state)[resource].idle_now);
    if (!is_limited(work, project, resource)) {
        return wanted;
    }
    const int64_t left = could_use(work, project, resource) - units_used(work, project, resource);
    if (left <= 0) {
        return 0;
    }
    const int64_t instances = wanted < left ? wanted : left;
    return idle % VCS_ONE == 0 ? instances - instances % VCS_ONE : instances;
}

/* ---- Projects with a share (rule 6.3) ---- */

/* Instances that are idle, or its share of all less what it uses now. */
static int64_t instances_wanted(const vcs_fetch_work *work, uint32_t project, uint32_t resource) {
    const vcs_state *state = work->state;
    const vcs_fetch_pair *pair = vcs_fetch_pair_of(work, project, resource);
    const int64_t idle = vcs_units(vcs_resource_forecasts(state)[resource].idle_now);
    const double due = pair->allowed * vcs_projects(state)[project].share / work->resources[resource].share_sum;
    const int64_t lacking = whole_instances(due - vcs_instances(units_used(work, project, resource)),
                                            vcs_resources(state)[resource].capacity);
    return idle > lacking ? idle : lacking;
}

/* What is short on the resource, as far as the project may help; its own shortfall if a limit holds it back. */
static double seconds_wanted(const vcs_fetch_work *work, uint32_t project, uint32_t resource) {
    const double part =
        (double)vcs_fetch_pair_of(work, project, resource)->allowed / vcs_resources(work->state)[resource].instances;
    const double seconds = vcs_resource_forecasts(work->state)[resource].shortfall * part;
    if (!is_limited(work, project, resource)) {
        return seconds;
    }
    return lesser(seconds, vcs_fetch_forecast(work, project, resource)->shortfall);
}

static vcs_fetch_request request_by_share(const vcs_fetch_work *work, uint32_t project, uint32_t resource) {
    vcs_fetch_request request = {seconds_wanted(work, project, resource), 0.0, VCS_REASON_ASKED, 0};
    if (request.seconds == 0.0 && work->buffer > 0.0 && is_limited(work, project, resource)) {
        return nothing_by_limit(work, project);
    }
    const int64_t wanted = instances_wanted(work, project, resource);
    request.instances = vcs_instances(instances_within_limits(work, project, resource, wanted));
    request.seconds = greater(request.seconds, request.instances); /* a second for each, if there is no buffer */
    return request.seconds > 0.0 ? request : nothing_by_limit(work, project);
}

/* ---- Backup projects (rule 6.5) ---- */

static vcs_fetch_request request_of_backup(const vcs_fetch_work *work, uint32_t project, uint32_t resource) {
    const vcs_resource_forecast *forecast = &vcs_resource_forecasts(work->state)[resource];
    const int64_t capacity = vcs_resources(work->state)[resource].capacity;
    const int is_soon = forecast->saturated < work->state->parameters.backup_lead;
    if (forecast->idle_now == 0.0 && !is_soon) {
        return nothing(VCS_REASON_BACKUP);
    }
    int64_t wanted = whole_instances(vcs_instances(capacity - work->resources[resource].booked), capacity);
    const int64_t idle = vcs_units(forecast->idle_now);
    wanted = wanted > idle ? wanted : idle;
    wanted = wanted > 0 ? wanted : VCS_ONE;
    const double instances = vcs_instances(instances_within_limits(work, project, resource, wanted));
    const vcs_fetch_request request = {instances, instances, VCS_REASON_ASKED, 0};
    return instances > 0.0 ? request : nothing_by_limit(work, project);
}

/* ---- Either ---- */

/* Of a project whose estimates are far off, a second brings one task (rule 2.3). */
static void ask_little(vcs_fetch_request *request) {
    if (request->seconds > 0.0) {
        request->seconds = 1.0;
        request->instances = lesser(request->instances, 1.0);
        request->reason = VCS_REASON_ASKED_LITTLE;
    }
}

static vcs_fetch_request request_of(const vcs_fetch_work *work, uint32_t project, uint32_t resource) {
    const int is_backup = !(vcs_projects(work->state)[project].share > 0.0);
    vcs_fetch_request request = is_backup ? request_of_backup(work, project, resource)
                                          : request_by_share(work, project, resource);
    if (work->projects[project].wacky) {
        ask_little(&request);
    }
    vcs_fetch_keep_limits(work, project, resource, &request);
    return request;
}

void vcs_fetch_fill_requests(vcs_fetch_work *work) {
    for (uint32_t p = 0; p < work->project_count; p++) {
        for (uint32_t r = 0; r < work->resource_count; r++) {
            vcs_fetch_request *request = &vcs_fetch_pair_of(work, p, r)->request;
            *request = work->resources[r].wanted ? request_of(work, p, r) : nothing(VCS_REASON_FULL);
        }
    }
}
