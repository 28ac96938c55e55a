/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_dispatch.h"

#include <math.h>
#include <stdbool.h>
#include <vcsched/reason.h>

/* The first of several equal ones. */
static uint32_t original_of(const oracle_server *server, uint32_t job) {
    return server->jobs[job].copy_of == VCS_NONE ? job : server->jobs[job].copy_of;
}

static bool had_same(const oracle_server *server, uint32_t job, uint32_t client) {
    for (uint32_t i = 0; i < server->job_count; i++) {
        uint32_t state = server->jobs[i].state;
        bool is_his = server->jobs[i].client == client && state != VCS_JOB_FRESH && state != VCS_JOB_OVER;
        if (is_his && original_of(server, i) == original_of(server, job)) {
            return true;
        }
    }
    return false;
}

static double window_end(const oracle_server *server, const vcs_dispatch_job *job) {
    return job->sent + job->expected * server->rules.wait_factor;
}

/* Why a job may be sent: the kinds of rule 10.3. */
typedef enum kind { OF_BLACKLISTED, OVERDUE, AT_ANY_TIME, FRESH } kind;

static bool is_of_kind(const oracle_server *server, const vcs_dispatch_job *job, kind kind, double now) {
    if (kind == FRESH || job->state != VCS_JOB_IN_PROGRESS) {
        return kind == FRESH && job->state == VCS_JOB_FRESH;
    }
    const uint32_t flags = server->clients[job->client].flags;
    if (kind == OF_BLACKLISTED) {
        return (flags & VCS_BLACKLISTED) != 0;
    }
    if (server->rules.order == VCS_DRAIN_THEN_DEAD) {
        return (flags & VCS_CLIENT_DEAD) != 0;
    }
    return kind == AT_ANY_TIME || window_end(server, job) <= now;
}

/* Whether `job` goes before `best`, both fresh or both in progress. */
static bool goes_before(const oracle_server *server, const vcs_dispatch_job *job, const vcs_dispatch_job *best) {
    double time = job->queued, best_time = best->queued;
    if (job->state == VCS_JOB_FRESH && job->flags != best->flags) {
        return job->flags == VCS_JOB_AT_HEAD;
    }
    if (job->state != VCS_JOB_FRESH) {
        bool by_window = server->rules.order == VCS_OVERDUE_FIRST;
        time = by_window ? window_end(server, job) : job->sent;
        best_time = by_window ? window_end(server, best) : best->sent;
    }
    return time != best_time ? time < best_time : job->id < best->id;
}

static uint32_t first(const oracle_server *server, uint32_t client, kind kind, double now) {
    uint32_t best = VCS_NONE;
    for (uint32_t i = 0; i < server->job_count; i++) {
        const vcs_dispatch_job *job = &server->jobs[i];
        if (is_of_kind(server, job, kind, now) && !had_same(server, i, client) &&
            (best == VCS_NONE || goes_before(server, job, &server->jobs[best]))) {
            best = i;
        }
    }
    return best;
}

static uint32_t reason_for(const oracle_server *server, uint32_t job, kind kind) {
    static const uint32_t reasons[] = {
        [VCS_DRAIN_THEN_DEAD] = VCS_REASON_CLIENT_DEAD,
        [VCS_DRAIN_THEN_OLDEST] = VCS_REASON_OLDEST,
        [VCS_OVERDUE_FIRST] = VCS_REASON_WINDOW_OVER,
    };
    if (kind == OF_BLACKLISTED) {
        return VCS_REASON_CLIENT_BLACKLISTED;
    }
    if (kind != FRESH) {
        return reasons[server->rules.order];
    }
    return server->jobs[job].flags == VCS_JOB_AT_HEAD ? VCS_REASON_HEAD_OF_QUEUE : VCS_REASON_FRESH;
}

/* Jobs that the client has now. */
static uint32_t jobs_of(const oracle_server *server, uint32_t client) {
    uint32_t jobs = 0;
    for (uint32_t i = 0; i < server->job_count; i++) {
        const uint32_t state = server->jobs[i].state;
        jobs += server->jobs[i].client == client && (state == VCS_JOB_IN_PROGRESS || state == VCS_JOB_SUPERSEDED);
    }
    return jobs;
}

vcs_dispatch_decision oracle_dispatch_next(const oracle_server *server, uint32_t client, double now) {
    vcs_dispatch_decision decision = {.struct_size = sizeof decision, .job = VCS_NONE, .next_check = INFINITY};
    if ((server->clients[client].flags & VCS_BLACKLISTED) != 0) {
        decision.reason = VCS_REASON_BLACKLISTED;
        return decision;
    }
    if (server->rules.max_per_client != 0 && jobs_of(server, client) >= server->rules.max_per_client) {
        decision.reason = VCS_REASON_HOST_LIMIT;
        return decision;
    }
    const bool overdue_first = server->rules.order == VCS_OVERDUE_FIRST;
    const kind drain[] = {OF_BLACKLISTED, FRESH, AT_ANY_TIME}, overdue[] = {OF_BLACKLISTED, OVERDUE, FRESH};
    for (int turn = 0; turn < 3; turn++) {
        const kind kind = overdue_first ? overdue[turn] : drain[turn];
        uint32_t job = first(server, client, kind, now);
        if (job != VCS_NONE) {
            decision.job = job;
            decision.is_copy = kind != FRESH;
            decision.reason = reason_for(server, job, kind);
            decision.next_check = 0;
            return decision;
        }
    }
    decision.reason = VCS_REASON_NO_JOB;
    if (overdue_first) {
        uint32_t job = first(server, client, AT_ANY_TIME, now);
        decision.next_check = job == VCS_NONE ? (double)INFINITY : window_end(server, &server->jobs[job]) - now;
    }
    return decision;
}
