/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_send.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle_admit.h"
#include "oracle/oracle_likely.h"
#include "oracle/oracle_records.h"

/* An offer with the deadlines that its jobs would have, and what was decided so far. */
typedef struct reply {
    const oracle_offer *offer;
    vcs_snapshot snapshot;
    vcs_task *candidates;
    uint32_t *sent; /* in this order */
    uint32_t count;
    bool ended;
    double doubt;
} reply;

static bool is_study(const reply *r) {
    return r->offer->limits.flags & VCS_SEND_STUDY_RULES;
}

static reply new_reply(const oracle_offer *offer) {
    reply r = {.offer = offer, .snapshot = *offer->snapshot, .doubt = 1};
    const uint32_t count = offer->snapshot->candidates.count;
    r.candidates = oracle_allocate(count + 1, sizeof *r.candidates);
    r.sent = oracle_allocate(count + 1, sizeof *r.sent);
    for (uint32_t i = 0; i < count; i++) {
        r.candidates[i] = *oracle_candidate(offer->snapshot, i);
        r.candidates[i].deadline = offer->now + offer->jobs[i].latency_bound;
        if (is_study(&r) && offer->parameters->work_send != VCS_WORK_SEND_BY_CHANCE) {
            r.candidates[i].deadline += oracle_admission_cushion(offer->parameters);
        }
    }
    r.snapshot.candidates.base = r.candidates;
    r.snapshot.candidates.element_size = sizeof *r.candidates;
    return r;
}

static uint32_t resource_of(const reply *r, uint32_t candidate) {
    return oracle_resource_of(&r->candidates[candidate]);
}

static int64_t use_of(const reply *r, uint32_t candidate) {
    return oracle_use(&r->candidates[candidate], resource_of(r, candidate));
}

/* The request less everything sent. */
static bool is_filled(const reply *r, uint32_t resource) {
    double seconds = r->offer->requests[resource].seconds;
    int64_t units = oracle_units(r->offer->requests[resource].instances);
    uint32_t jobs = 0;
    for (uint32_t k = 0; k < r->count; k++) {
        uint32_t i = r->sent[k];
        if (resource_of(r, i) == resource) {
            double run_time = oracle_seconds(oracle_run_time(&r->snapshot, &r->candidates[i]));
            double instances = (double)use_of(r, i) / (double)ORACLE_ONE;
            seconds -= r->offer->jobs[i].seconds > 0 ? r->offer->jobs[i].seconds : run_time * instances;
            units -= use_of(r, i);
            jobs++;
        }
    }
    const uint32_t most = r->offer->requests[resource].jobs;
    return (seconds <= 0 && units <= 0) || (most != 0 && jobs >= most);
}

static bool is_asked(const reply *r, uint32_t resource) {
    const vcs_send_request *request = &r->offer->requests[resource];
    return request->seconds > 0 || oracle_units(request->instances) > 0;
}

static bool at_host_limit(const reply *r) {
    const vcs_send_limits *limits = &r->offer->limits;
    return limits->max_in_progress != UINT32_MAX && limits->max_in_progress <= (uint64_t)limits->in_progress + r->count;
}

static bool is_unit_sent(const reply *r, uint32_t candidate) {
    for (uint32_t k = 0; k < r->count; k++) {
        if (r->offer->jobs[candidate].unit != 0 && r->offer->jobs[r->sent[k]].unit == r->offer->jobs[candidate].unit) {
            return true;
        }
    }
    return false;
}

static bool at_app_limit(const reply *r, uint32_t candidate) {
    const uint32_t app = r->candidates[candidate].app, most = r->offer->jobs[candidate].max_per_host;
    uint32_t jobs = 0;
    for (uint32_t i = 0; i < r->snapshot.tasks.count; i++) {
        jobs += oracle_task(&r->snapshot, i)->app == app;
    }
    for (uint32_t k = 0; k < r->count; k++) {
        jobs += r->candidates[r->sent[k]].app == app;
    }
    return most != 0 && jobs >= most;
}

static bool is_disk_full(const reply *r, uint32_t candidate) {
    double left = r->offer->limits.disk;
    for (uint32_t k = 0; k < r->count; k++) {
        left -= r->offer->jobs[r->sent[k]].disk;
    }
    return r->offer->jobs[candidate].disk > left;
}

static bool is_memory_short(const reply *r, uint32_t candidate) {
    const vcs_host *host = r->snapshot.host.base;
    return host->ram > 0 && r->candidates[candidate].ram > host->ram;
}

static bool cannot_run(const reply *r, uint32_t candidate) {
    const vcs_task *task = &r->candidates[candidate];
    if (!oracle_takes_part(&r->snapshot, task)) {
        return true;
    }
    for (uint32_t resource = 0; resource < r->snapshot.resources.count; resource++) {
        const vcs_resource *of = oracle_resource(&r->snapshot, resource);
        if (oracle_use(task, resource) > of->instances * ORACLE_ONE - oracle_units(of->reserve)) {
            return true;
        }
    }
    return false;
}

/* Everything but deadlines. */
static uint32_t obstacle(const reply *r, uint32_t candidate) {
    const vcs_send_job *job = &r->offer->jobs[candidate];
    const vcs_send_limits *limits = &r->offer->limits;
    const struct {
        bool holds;
        uint32_t reason;
    } obstacles[] = {
        {limits->flags & VCS_BLACKLISTED, VCS_REASON_BLACKLISTED},
        {r->ended, VCS_REASON_REPLY_ENDED},
        {!is_asked(r, resource_of(r, candidate)), VCS_REASON_NOT_ASKED_FOR},
        {is_filled(r, resource_of(r, candidate)), VCS_REASON_ENOUGH_SENT},
        {r->count >= limits->max_jobs, VCS_REASON_REPLY_FULL},
        {r->count >= limits->quota_left, VCS_REASON_QUOTA},
        {at_host_limit(r), VCS_REASON_HOST_LIMIT},
        {(job->flags & VCS_SEND_HOST_HAS_COPY) || is_unit_sent(r, candidate), VCS_REASON_HOST_HAS_COPY},
        {(job->flags & VCS_SEND_USER_HAS_COPY) && (limits->flags & VCS_SEND_ONE_PER_USER), VCS_REASON_USER_HAS_COPY},
        {job->hr_class != 0 && job->hr_class != limits->hr_class, VCS_REASON_OTHER_CLASS},
        {at_app_limit(r, candidate), VCS_REASON_APP_HOST_LIMIT},
        {is_memory_short(r, candidate), VCS_REASON_HOST_MEMORY},
        {is_disk_full(r, candidate), VCS_REASON_HOST_DISK},
        {cannot_run(r, candidate), VCS_REASON_CANNOT_RUN},
    };
    for (size_t i = 0; i < sizeof obstacles / sizeof *obstacles; i++) {
        if (obstacles[i].holds) {
            return obstacles[i].reason;
        }
    }
    return VCS_REASON_NONE;
}

/* Rule 9.1: run time + busy time against the latency bound. */
static bool is_timely(const reply *r, uint32_t candidate, double *finish) {
    const double bound = r->offer->jobs[candidate].latency_bound;
    int64_t busy = oracle_micros(r->offer->requests[resource_of(r, candidate)].busy);
    int64_t end = busy + oracle_run_time(&r->snapshot, &r->candidates[candidate]);
    *finish = oracle_seconds(end);
    return isinf(bound) || end <= oracle_micros(bound);
}

static uint32_t note(const vcs_admission *admission, vcs_send_decision *decision) {
    decision->finish = admission->finish;
    decision->harmed = admission->harmed;
    decision->harmed_candidate = admission->harmed_candidate;
    return admission->admitted ? VCS_REASON_NONE : admission->reason;
}

/* The client wants jobs that are due later. */
static bool is_bound_too_short(const reply *r, uint32_t candidate) {
    return r->offer->jobs[candidate].latency_bound < r->offer->requests[resource_of(r, candidate)].latency_bound;
}

/* Rules 9.1, 9.2 and 15.5. */
static uint32_t judge(reply *r, uint32_t candidate, vcs_send_decision *decision) {
    if (is_bound_too_short(r, candidate)) {
        return VCS_REASON_BOUND_TOO_SHORT;
    }
    if (r->offer->parameters->work_send == VCS_WORK_SEND_BY_CHANCE) {
        double doubt;
        const vcs_admission likely = oracle_admit_likely(&r->snapshot, r->offer->parameters, r->offer->now, r->sent,
                                                         r->count, candidate, &doubt);
        r->doubt = fmin(r->doubt, doubt);
        return note(&likely, decision);
    }
    const bool by_admission = r->offer->parameters->work_send == VCS_WORK_SEND_WS2;
    if (!(by_admission && is_study(r)) && !is_timely(r, candidate, &decision->finish)) {
        return VCS_REASON_BUSY_PAST_DEADLINE;
    }
    if (!by_admission) {
        return VCS_REASON_NONE;
    }
    vcs_admission admission =
        oracle_admit(&r->snapshot, r->offer->parameters, r->offer->now, r->sent, r->count, candidate);
    return note(&admission, decision);
}

static bool is_late(uint32_t reason) {
    return reason == VCS_REASON_BOUND_TOO_SHORT || reason == VCS_REASON_BUSY_PAST_DEADLINE ||
           reason == VCS_REASON_OWN_DEADLINE || reason == VCS_REASON_HARMS_TIMELY || reason == VCS_REASON_DELAYS_LATE ||
           (reason >= VCS_REASON_SMALL_CHANCE && reason <= VCS_REASON_TAKES_MARGIN);
}

vcs_send_summary oracle_send(const oracle_offer *offer, vcs_send_decision *decisions) {
    reply r = new_reply(offer);
    vcs_send_summary summary = {.struct_size = sizeof summary};
    for (uint32_t i = 0; i < offer->snapshot->candidates.count; i++) {
        decisions[i] = (vcs_send_decision){.finish = INFINITY, .harmed = VCS_NONE, .harmed_candidate = VCS_NONE};
        decisions[i].reason = obstacle(&r, i);
        if (decisions[i].reason == VCS_REASON_NONE) {
            decisions[i].reason = judge(&r, i, &decisions[i]);
            r.ended = is_study(&r) && decisions[i].reason != VCS_REASON_NONE &&
                      decisions[i].reason != VCS_REASON_BOUND_TOO_SHORT;
        }
        if (decisions[i].reason == VCS_REASON_NONE) {
            decisions[i].reason = VCS_REASON_JOB_SENT;
            decisions[i].sent = 1;
            r.sent[r.count++] = i;
        }
        summary.late += is_late(decisions[i].reason);
    }
    summary.sent = r.count;
    summary.flags = r.count == 0 && summary.late > 0 ? VCS_SEND_NO_WORK_FOR_DEADLINES : 0;
    if (offer->doubt != NULL) {
        *offer->doubt = r.doubt;
    }
    free(r.candidates);
    free(r.sent);
    return summary;
}
