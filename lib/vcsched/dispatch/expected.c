/*
 * How long a reply is expected to take, and the rules that bound the wait for it.
 *
 * Rules 10.1 and 10.2; worked by hand in tests/vcsched/dispatch/test_job.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/dispatch/expected.h"

#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/dispatch_fields.h"

VCS_COPY_INPUT(dispatch_rules)

int vcs_dispatch_rules_init(vcs_dispatch_rules *rules, uint32_t size) {
    const vcs_dispatch_rules filled = {
        .struct_size = size,
        .order = VCS_OVERDUE_FIRST,
        .max_per_client = 1000,
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

double vcs_seconds_per_byte(const vcs_pace *client, const vcs_pace *pool, const vcs_dispatch_rules *rules) {
    const vcs_pace *known = client->bytes > 0.0 ? client : pool;
    return known->bytes > 0.0 ? known->transfer_seconds / known->bytes : 1.0 / rules->first_rate;
}

double vcs_seconds_per_complexity(const vcs_pace *client, const vcs_pace *pool, const vcs_dispatch_rules *rules) {
    const vcs_pace *known = client->complexity > 0.0 ? client : pool;
    return known->complexity > 0.0 ? known->compute_seconds / known->complexity : 1.0 / rules->first_speed;
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
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_record(client, &vcs_client_layout, error) : code;
    code = code == VCS_OK ? vcs_check_record(pool, &vcs_pace_layout, error) : code;
    code = code == VCS_OK ? vcs_dispatch_rules_copy(&known, rules, error) : code;
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
