/* SPDX-License-Identifier: MIT */
#include "vcsched/dispatch/job.h"

#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/dispatch_fields.h"
#include "vcsched/core/number.h"

VCS_CHECK_FIELDS(dispatch_job)
VCS_CHECK_FIELDS(pace)
VCS_COPY_INPUT(dispatch_rules)

/* ---- Rules ---- */

int vcs_dispatch_rules_init(vcs_dispatch_rules *rules, uint32_t size) {
    const vcs_dispatch_rules filled = {
        .struct_size = size,
        .order = VCS_OVERDUE_FIRST,
        .most_per_client = 1000,
        .wait_factor = 2.0,
        .dead_factor = 4.0,
        .first_rate = 1e5,
        .first_speed = 1.0,
    };
    return vcs_hand_out_new(rules, size, VCS_FIRST_dispatch_rules, &filled, sizeof filled);
}

int vcs_dispatch_rules_copy(vcs_dispatch_rules *known, const vcs_dispatch_rules *callers, vcs_error *error) {
    int code = vcs_copy_dispatch_rules(known, callers, error);
    if (code == VCS_OK && known->dead_factor <= known->wait_factor) {
        return vcs_fail(error, VCS_ERR_RANGE, &vcs_dispatch_rules_layout, 0, VCS_FIELD(vcs_dispatch_rules, dead_factor),
                        "is not greater than wait_factor");
    }
    return code;
}

/* ---- Records ---- */

/* What the record refers to. */
static int check_references(const vcs_dispatch_job *job, uint32_t number, uint32_t client_count, uint32_t job_count,
                            vcs_error *error) {
    bool is_sent = vcs_job_is_held(job->state) || job->state == VCS_JOB_REPLIED;
    if (is_sent && job->client >= client_count) {
        return vcs_fail(error, VCS_ERR_INDEX, &vcs_dispatch_job_layout, number, VCS_FIELD(vcs_dispatch_job, client),
                        "is not the index of a client");
    }
    if (job->state == VCS_JOB_FRESH && job->client != VCS_NONE) {
        return vcs_fail(error, VCS_ERR_INDEX, &vcs_dispatch_job_layout, number, VCS_FIELD(vcs_dispatch_job, client),
                        "is given, although the job is fresh");
    }
    if (job->copy_of != VCS_NONE && (job->copy_of >= job_count || job->copy_of == number)) {
        return vcs_fail(error, VCS_ERR_INDEX, &vcs_dispatch_job_layout, number, VCS_FIELD(vcs_dispatch_job, copy_of),
                        "is not the index of another job");
    }
    return VCS_OK;
}

int vcs_job_check(const vcs_dispatch_job *job, uint32_t number, uint32_t client_count, uint32_t job_count,
                  vcs_error *error) {
    int code = vcs_check_dispatch_job_fields(job, number, error);
    return code == VCS_OK ? check_references(job, number, client_count, job_count, error) : code;
}

int vcs_clients_and_jobs_check(const vcs_array *clients, const vcs_array *jobs, vcs_error *error) {
    int code = vcs_check_records(clients, &vcs_client_layout, error);
    code = code == VCS_OK ? vcs_check_records(jobs, &vcs_dispatch_job_layout, error) : code;
    for (uint32_t i = 0; code == VCS_OK && i < jobs->count; i++) {
        const vcs_dispatch_job *job = vcs_element(jobs, i), *original = job;
        code = check_references(job, i, clients->count, jobs->count, error);
        if (code == VCS_OK && job->copy_of != VCS_NONE) {
            original = vcs_element(jobs, job->copy_of);
        }
        if (original != job && original->copy_of != VCS_NONE) {
            code = vcs_fail(error, VCS_ERR_INDEX, &vcs_dispatch_job_layout, i, VCS_FIELD(vcs_dispatch_job, copy_of),
                            "is a copy itself");
        }
    }
    return code;
}

/* ---- How long a reply is expected to take (rule 10.1) ---- */

double vcs_seconds_per_byte(const vcs_pace *client, const vcs_pace *pool, const vcs_dispatch_rules *rules) {
    const vcs_pace *known = client->bytes > 0.0 ? client : pool;
    return known->bytes > 0.0 ? known->transfer_seconds / known->bytes : 1.0 / rules->first_rate;
}

double vcs_seconds_per_complexity(const vcs_pace *client, const vcs_pace *pool, const vcs_dispatch_rules *rules) {
    const vcs_pace *known = client->complexity > 0.0 ? client : pool;
    return known->complexity > 0.0 ? known->compute_seconds / known->complexity : 1.0 / rules->first_speed;
}

/* What every question about a reply needs: the error, a client, the pool and the rules. */
static int copy_rules(const vcs_client *client, const vcs_pace *pool, vcs_dispatch_rules *known,
                      const vcs_dispatch_rules *rules, vcs_error *error) {
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_record(client, &vcs_client_layout, error) : code;
    code = code == VCS_OK ? vcs_check_record(pool, &vcs_pace_layout, error) : code;
    return code == VCS_OK ? vcs_dispatch_rules_copy(known, rules, error) : code;
}

double vcs_expected_seconds(const vcs_pace *client, const vcs_pace *pool, const vcs_dispatch_rules *rules, double bytes,
                            double complexity) {
    const double expected = bytes * vcs_seconds_per_byte(client, pool, rules) +
                            complexity * vcs_seconds_per_complexity(client, pool, rules);
    return vcs_min(expected, VCS_MAX_SECONDS);
}

int vcs_expected_reply(const vcs_client *client, const vcs_dispatch_job *job, const vcs_pace *pool,
                       const vcs_dispatch_rules *rules, double *seconds, vcs_error *error) {
    vcs_dispatch_rules known;
    int code = copy_rules(client, pool, &known, rules, error);
    code = code == VCS_OK ? vcs_check_record(job, &vcs_dispatch_job_layout, error) : code;
    code = code == VCS_OK ? vcs_check_place(seconds, "seconds is NULL", error) : code;
    if (code == VCS_OK) {
        *seconds = vcs_expected_seconds(&client->pace, pool, &known, job->size, vcs_complexity(job->complexity));
    }
    return code;
}

int vcs_job_send(vcs_dispatch_job *job, uint32_t number, const vcs_client *client, const vcs_pace *pool,
                 const vcs_dispatch_rules *rules, double now, vcs_error *error) {
    double seconds;
    int code = vcs_expected_reply(client, job, pool, rules, &seconds, error);
    code = code == VCS_OK ? vcs_check_now(now, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    if (number == VCS_NONE) {
        return vcs_refuse(error, VCS_ERR_INDEX, "number is VCS_NONE");
    }
    if ((client->flags & VCS_BLACKLISTED) != 0) {
        return vcs_fail(error, VCS_ERR_UNSUPPORTED, &vcs_client_layout, number, VCS_FIELD(vcs_client, flags),
                        "say that the client is on the blacklist");
    }
    if (job->state != VCS_JOB_FRESH) {
        return vcs_fail(error, VCS_ERR_SEQUENCE, &vcs_dispatch_job_layout, 0, VCS_FIELD(vcs_dispatch_job, state),
                        "is not fresh");
    }
    job->state = VCS_JOB_IN_PROGRESS;
    job->client = number;
    job->sent = now;
    job->expected = seconds;
    return VCS_OK;
}

/* ---- Replies ---- */

/* A sign of life changes no pace, so that it is not forgotten either by clients that say nothing else. */
static bool is_sign_of_life(const vcs_reply_times *times) {
    return times->bytes == 0.0 && times->transfer_seconds == 0.0 && times->complexity == 0.0 &&
           times->compute_seconds == 0.0;
}

static vcs_pace updated(const vcs_pace *pace, const vcs_reply_times *times, double forget) {
    if (is_sign_of_life(times)) {
        return *pace;
    }
    const double keep = 1.0 - forget;
    vcs_pace next = *pace;
    next.bytes = pace->bytes * keep + times->bytes;
    next.transfer_seconds = pace->transfer_seconds * keep + times->transfer_seconds;
    next.complexity = pace->complexity * keep +
                      (times->compute_seconds > 0.0 ? vcs_complexity(times->complexity) : times->complexity);
    next.compute_seconds = pace->compute_seconds * keep + times->compute_seconds;
    next.replies += next.replies < UINT64_MAX;
    return next;
}

int vcs_client_reply(vcs_client *client, vcs_pace *pool, const vcs_reply_times *times, const vcs_dispatch_rules *rules,
                     double now, uint32_t *refused, vcs_error *error) {
    vcs_dispatch_rules known;
    vcs_reply_times brought;
    int code = copy_rules(client, pool, &known, rules, error);
    code = code == VCS_OK ? vcs_copy_input(&brought, times, &vcs_reply_times_layout, error) : code;
    code = code == VCS_OK ? vcs_check_place(refused, "refused is NULL", error) : code;
    code = code == VCS_OK ? vcs_check_now(now, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    if ((client->flags & VCS_BLACKLISTED) != 0) {
        *refused = 1;
        return VCS_OK;
    }
    vcs_pace of_client = updated(&client->pace, &brought, known.forget);
    vcs_pace of_pool = updated(pool, &brought, known.forget);
    code = vcs_check_pace_fields(&of_client, 0, error);
    code = code == VCS_OK ? vcs_check_pace_fields(&of_pool, 0, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    *refused = 0;
    client->last_heard = now;
    client->flags &= ~VCS_CLIENT_DEAD;
    client->pace = of_client;
    *pool = of_pool;
    return VCS_OK;
}
