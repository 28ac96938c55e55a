/* SPDX-License-Identifier: MIT */
#include "accounts/estimate.h"
#include "fetch/fetch.h"
#include "simulation/limits.h"

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

/* Units that its tasks use now, up to all there are. */
static int64_t units_used(const vcs_fetch_pair *pair) {
    const int64_t capacity = pair->resource->prepared->capacity;
    const int64_t used = vcs_units(pair->forecast->used_now);
    return used < capacity ? used : capacity;
}

/* Units that limits and exclusions let a project use. */
static int64_t could_use(const vcs_fetch_pair *pair) {
    return vcs_could_use(pair->allowed, pair->project->limit, pair->widest);
}

/* What limits can run in the buffer beyond what is queued, instance-seconds. */
static double room_in_buffer(const vcs_fetch_work *work, const vcs_fetch_pair *pair) {
    const double queued = vcs_wide_instance_seconds(pair->queued);
    return vcs_instances(could_use(pair)) * vcs_fetch_reach(work) - queued;
}

static vcs_fetch_request nothing(uint32_t reason) {
    const vcs_fetch_request request = {0.0, 0.0, reason, 0};
    return request;
}

static vcs_fetch_request nothing_by_limit(const vcs_fetch_pair *pair) {
    return nothing(pair->project->limit > 0 ? VCS_REASON_AT_LIMIT : VCS_REASON_EXCLUDED);
}

void vcs_fetch_keep_limits(const vcs_fetch_work *work, vcs_fetch_pair *pair) {
    vcs_fetch_request *request = &pair->request;
    if (!pair->limited || request->seconds == 0.0) {
        return;
    }
    request->seconds = lesser(request->seconds, room_in_buffer(work, pair));
    if (!(request->seconds > 0.0)) {
        *request = nothing_by_limit(pair);
    }
}

/* Idle instances that the project can be given, as units; whole ones if what is idle is whole. */
static int64_t instances_within_limits(const vcs_fetch_pair *pair, int64_t wanted) {
    const int64_t idle = vcs_units(pair->resource->forecast->idle_now);
    if (!pair->limited) {
        return wanted;
    }
    const int64_t left = could_use(pair) - units_used(pair);
    if (left <= 0) {
        return 0;
    }
    const int64_t instances = wanted < left ? wanted : left;
    return idle % VCS_ONE == 0 ? instances - instances % VCS_ONE : instances;
}

/* ---- Projects with a share (rule 6.3) ---- */

/* Instances that are idle, or its share of all less what it uses now. */
static int64_t instances_wanted(const vcs_fetch_pair *pair) {
    const vcs_fetch_resource *resource = pair->resource;
    const int64_t idle = vcs_units(resource->forecast->idle_now);
    const double due = pair->allowed * pair->project->record->share / resource->sums.share;
    const int64_t lacking = whole_instances(due - vcs_instances(units_used(pair)), resource->prepared->capacity);
    return idle > lacking ? idle : lacking;
}

/* What is short on the resource, as far as the project may help; its own shortfall if a limit holds it back. */
static double seconds_wanted(const vcs_fetch_pair *pair) {
    const double part = (double)pair->allowed / pair->resource->prepared->instances;
    const double seconds = pair->resource->forecast->shortfall * part;
    return pair->limited ? lesser(seconds, pair->forecast->shortfall) : seconds;
}

static vcs_fetch_request request_by_share(const vcs_fetch_work *work, const vcs_fetch_pair *pair) {
    vcs_fetch_request request = {seconds_wanted(pair), 0.0, VCS_REASON_ASKED, 0};
    if (request.seconds == 0.0 && work->buffer > 0.0 && pair->limited) {
        return nothing_by_limit(pair);
    }
    request.instances = vcs_instances(instances_within_limits(pair, instances_wanted(pair)));
    request.seconds = greater(request.seconds, request.instances); /* a second for each, if there is no buffer */
    return request.seconds > 0.0 ? request : nothing_by_limit(pair);
}

/* ---- Backup projects (rule 6.5) ---- */

static vcs_fetch_request request_of_backup(const vcs_fetch_work *work, const vcs_fetch_pair *pair) {
    const vcs_resource_forecast *forecast = pair->resource->forecast;
    const int64_t capacity = pair->resource->prepared->capacity;
    const int is_soon = forecast->saturated < work->parameters->backup_lead;
    if (forecast->idle_now == 0.0 && !is_soon) {
        return nothing(VCS_REASON_BACKUP);
    }
    int64_t wanted = whole_instances(vcs_instances(capacity - pair->resource->booked), capacity);
    const int64_t idle = vcs_units(forecast->idle_now);
    wanted = wanted > idle ? wanted : idle;
    wanted = wanted > 0 ? wanted : VCS_ONE;
    const double instances = vcs_instances(instances_within_limits(pair, wanted));
    const vcs_fetch_request request = {instances, instances, VCS_REASON_ASKED, 0};
    return instances > 0.0 ? request : nothing_by_limit(pair);
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

static void fill_request(const vcs_fetch_work *work, vcs_fetch_pair *pair) {
    pair->request = vcs_fetch_is_backup(pair) ? request_of_backup(work, pair) : request_by_share(work, pair);
    if (vcs_is_wacky(pair->project->record->dcf)) {
        ask_little(&pair->request);
    }
    vcs_fetch_keep_limits(work, pair);
}

void vcs_fetch_fill_requests(vcs_fetch_work *work) {
    const size_t count = (size_t)work->project_count * work->resource_count;
    for (size_t i = 0; i < count; i++) {
        vcs_fetch_pair *pair = &work->project_resources[i];
        if (pair->resource->wanted) {
            fill_request(work, pair);
            vcs_fetch_offer(pair);
        } else {
            pair->request = nothing(VCS_REASON_FULL);
        }
    }
}
