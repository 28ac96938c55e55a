/*
 * The functions of chapter 10 that take single records, on records with any bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/vcsched.h>

#include "any.h"

int code;

/* The doors let no other numbers pass than these: the analyser has to be told. */
#define SOME_AMOUNT() Frama_C_double_interval(0.0, 1e30)

static vcs_pace any_pace(void) {
    ANY(vcs_pace, pace);
    pace.bytes = SOME_AMOUNT();
    pace.transfer_seconds = SOME_AMOUNT();
    pace.complexity = SOME_AMOUNT();
    pace.compute_seconds = SOME_AMOUNT();
    return pace;
}

static vcs_dispatch_rules any_rules(void) {
    ANY(vcs_dispatch_rules, rules);
    rules.struct_size = sizeof rules; /* which is how much memory there is */
    rules.wait_factor = Frama_C_double_interval(0.0, 1e6);
    rules.dead_factor = Frama_C_double_interval(0.0, 1e6);
    rules.forget = Frama_C_double_interval(0.0, 1.0);
    rules.first_rate = Frama_C_double_interval(1e-9, 1e30);
    rules.first_speed = Frama_C_double_interval(1e-30, 1e30);
    return rules;
}

static vcs_client any_client(void) {
    ANY(vcs_client, client);
    client.pace = any_pace();
    client.last_heard = ANY_TIME();
    return client;
}

static void send(void) {
    ANY(vcs_error, error);
    error.struct_size = sizeof error;
    ANY(vcs_dispatch_job, job);
    job.size = SOME_AMOUNT();
    job.complexity = SOME_AMOUNT();
    job.queued = job.sent = job.expected = ANY_TIME();
    const vcs_client client = any_client();
    const vcs_pace pool = any_pace();
    const vcs_dispatch_rules rules = any_rules();
    double seconds;
    code = vcs_expected_reply(&client, &job, &pool, &rules, &seconds, &error);
    code = vcs_job_send(&job, ANY_U32(), &client, &pool, &rules, ANY_FINITE(), &error);
}

static void reply(void) {
    ANY(vcs_error, error);
    error.struct_size = sizeof error;
    ANY(vcs_reply_times, times);
    times.struct_size = sizeof times;
    times.bytes = times.transfer_seconds = times.complexity = times.compute_seconds = SOME_AMOUNT();
    vcs_client client = any_client();
    vcs_pace pool = any_pace();
    const vcs_dispatch_rules rules = any_rules();
    uint32_t refused;
    code = vcs_client_reply(&client, &pool, &times, &rules, ANY_FINITE(), &refused, &error);
    ANY(vcs_dispatch_rules, filled);
    code = vcs_dispatch_rules_init(&filled, sizeof filled);
}

int main(void) {
    if (EITHER()) {
        send();
    } else {
        reply();
    }
    return 0;
}
