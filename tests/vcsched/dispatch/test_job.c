/*
 * When to expect a reply, and how replies change that (rules 10.1 and 10.2).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include <vcsched/dispatch.h>

static vcs_dispatch_rules default_rules(void) {
    vcs_dispatch_rules rules;
    assert_int_equal(vcs_dispatch_rules_init(&rules, sizeof rules), VCS_OK);
    return rules;
}

static vcs_dispatch_job job_of(double size, double complexity) {
    return (vcs_dispatch_job){.id = 1, .size = size, .complexity = complexity, .client = VCS_NONE, .copy_of = VCS_NONE};
}

static double expected(const vcs_client *client, const vcs_pace *pool, const vcs_dispatch_job *job) {
    vcs_dispatch_rules rules = default_rules();
    double seconds = -1;
    assert_int_equal(vcs_expected_reply(client, job, pool, &rules, &seconds, NULL), VCS_OK);
    return seconds;
}

/* 4000 bytes in 2 s and a complexity of 6 in 3 s: 2000 bytes/s and 2 per second. */
static const vcs_pace known_pace = {4000, 2, 6, 3, 1, {0}};

/* ---- Expected time ---- */

static void transfer_and_computing_add_up(void **unused) {
    (void)unused;
    const vcs_client client = {.pace = known_pace}, fresh = {.id = 2};
    const vcs_pace nobody = {0}, half = {.complexity = 10, .compute_seconds = 100};
    vcs_dispatch_job job = job_of(1e6, 30);
    assert_number(expected(&client, &nobody, &job), 1e6 / 2000 + 30.0 / 2);
    assert_number(expected(&fresh, &known_pace, &job), 1e6 / 2000 + 30.0 / 2); /* the pool's average */
    assert_number(expected(&fresh, &nobody, &job), 1e6 / 1e5 + 30);            /* the parameters */
    assert_number(expected(&fresh, &half, &job), 1e6 / 1e5 + 300);             /* each rate by itself */
    job = job_of(0, VCS_UNKNOWN_COMPLEXITY);
    assert_number(expected(&client, &nobody, &job), 0.5);
}

static void no_expected_time_is_beyond_all_bounds(void **unused) {
    (void)unused;
    const vcs_client slow = {.pace = {1e-300, 1e30, 1e-300, 1e30, 1, {0}}}, fast = {.pace = {1e30, 0, 1e30, 0, 1, {0}}};
    const vcs_pace nobody = {0};
    vcs_dispatch_job job = job_of(1e30, 1e30);
    assert_number(expected(&slow, &nobody, &job), VCS_MAX_SECONDS);
    assert_number(expected(&fast, &nobody, &job), 0.0);
}

static void defaults_are_as_documented(void **unused) {
    (void)unused;
    vcs_dispatch_rules rules = default_rules();
    assert_int_equal(rules.order, VCS_OVERDUE_FIRST);
    assert_number(rules.wait_factor, 2.0);
    assert_number(rules.dead_factor, 4.0);
    assert_number(rules.first_rate, 1e5);
    assert_number(rules.first_speed, 1.0);
    assert_number(rules.forget, 0.0);
    vcs_dispatch_rules before = rules;
    assert_int_equal(vcs_dispatch_rules_init(&rules, 0), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_dispatch_rules_init(&rules, sizeof rules - 8), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_dispatch_rules_init(NULL, sizeof rules), VCS_ERR_NULL);
    assert_memory_equal(&rules, &before, sizeof rules);
}

/* ---- Sending ---- */

static void a_sent_job_knows_its_client_and_time(void **unused) {
    (void)unused;
    const vcs_client client = {.pace = known_pace}, bad = {.flags = VCS_BLACKLISTED};
    const vcs_pace nobody = {0};
    vcs_dispatch_rules rules = default_rules();
    vcs_dispatch_job job = job_of(2000, 4), before = job;
    assert_int_equal(vcs_job_send(&job, VCS_NONE, &client, &nobody, &rules, 100, NULL), VCS_ERR_INDEX);
    assert_int_equal(vcs_job_send(&job, 7, &bad, &nobody, &rules, 100, NULL), VCS_ERR_UNSUPPORTED);
    assert_int_equal(vcs_job_send(&job, 7, &client, &nobody, &rules, (double)NAN, NULL), VCS_ERR_NOT_FINITE);
    assert_int_equal(vcs_job_send(&job, 7, NULL, &nobody, &rules, 100, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_job_send(NULL, 7, &client, &nobody, &rules, 100, NULL), VCS_ERR_NULL);
    assert_memory_equal(&job, &before, sizeof job);
    assert_int_equal(vcs_job_send(&job, 7, &client, &nobody, &rules, 100, NULL), VCS_OK);
    assert_int_equal(job.state, VCS_JOB_IN_PROGRESS);
    assert_int_equal(job.client, 7);
    assert_number(job.sent, 100.0);
    assert_number(job.expected, 3.0);
    before = job;
    assert_int_equal(vcs_job_send(&job, 8, &client, &nobody, &rules, 100, NULL), VCS_ERR_SEQUENCE);
    assert_memory_equal(&job, &before, sizeof job);
}

/* ---- Replies ---- */

static const vcs_reply_times some_times = {.struct_size = sizeof(vcs_reply_times),
                                           .bytes = 1000,
                                           .transfer_seconds = 4,
                                           .complexity = 2,
                                           .compute_seconds = 9};

static void replies_are_averaged(void **unused) {
    (void)unused;
    vcs_dispatch_rules rules = default_rules();
    vcs_client client = {.id = 3, .pace = known_pace, .flags = VCS_CLIENT_DEAD | VCS_CLIENT_TALKING};
    vcs_pace pool = {0};
    uint32_t refused = 77;
    assert_int_equal(vcs_client_reply(&client, &pool, &some_times, &rules, 50, &refused, NULL), VCS_OK);
    assert_int_equal(refused, 0);
    assert_number(client.last_heard, 50.0);
    assert_int_equal(client.flags, VCS_CLIENT_TALKING); /* it is alive */
    /* 5000 bytes in 6 s, 8 in 12 s */
    const vcs_pace sum = {5000, 6, 8, 12, 2, {0}}, alone = {1000, 4, 2, 9, 1, {0}};
    assert_memory_equal(&client.pace, &sum, sizeof sum);
    assert_memory_equal(&pool, &alone, sizeof alone);
    /* half of it is forgotten with each reply */
    rules.forget = 0.5;
    assert_int_equal(vcs_client_reply(&client, &pool, &some_times, &rules, 60, &refused, NULL), VCS_OK);
    const vcs_pace halved = {3500, 7, 6, 15, 3, {0}};
    assert_memory_equal(&client.pace, &halved, sizeof halved);
    /* a sign of life: nothing is forgotten, and it is no reply */
    vcs_reply_times times = {.struct_size = sizeof times};
    assert_int_equal(vcs_client_reply(&client, &pool, &times, &rules, 70, &refused, NULL), VCS_OK);
    assert_number(client.last_heard, 70.0);
    assert_memory_equal(&client.pace, &halved, sizeof halved);
    /* each measure by itself is a reply */
    double *const measures[] = {&times.bytes, &times.transfer_seconds, &times.complexity, &times.compute_seconds};
    for (uint32_t i = 0; i < COUNT_OF(measures); i++) {
        *measures[i] = 1;
        assert_int_equal(vcs_client_reply(&client, &pool, &times, &rules, 70, &refused, NULL), VCS_OK);
        assert_int_equal(client.pace.replies, 4 + i);
        *measures[i] = 0;
    }
}

/* A job of unknown complexity took 10 s: a job of complexity 1 is expected to take as long. */
static void an_unknown_complexity_counts_as_one(void **unused) {
    (void)unused;
    const vcs_dispatch_rules rules = default_rules();
    const vcs_reply_times times = {.struct_size = sizeof times, .compute_seconds = 10};
    vcs_client client = {.id = 3};
    vcs_pace pool = {0};
    uint32_t refused;
    assert_int_equal(vcs_client_reply(&client, &pool, &times, &rules, 50, &refused, NULL), VCS_OK);
    const vcs_pace learned = {0, 0, 1, 10, 1, {0}};
    assert_memory_equal(&pool, &learned, sizeof learned);
    const vcs_dispatch_job unknown = job_of(0, VCS_UNKNOWN_COMPLEXITY), known = job_of(0, 1), tiny = job_of(0, 1e-40);
    assert_number(VCS_UNKNOWN_COMPLEXITY, 0.0);
    assert_number(expected(&client, &pool, &unknown), 10.0);
    assert_number(expected(&client, &pool, &known), 10.0);
    assert_close(expected(&client, &pool, &tiny), 1e-39L, 1e-15);
}

static void a_reply_from_the_blacklist_changes_nothing(void **unused) {
    (void)unused;
    vcs_dispatch_rules rules = default_rules();
    vcs_client client = {.id = 3, .flags = VCS_BLACKLISTED | VCS_CLIENT_DEAD}, before = client;
    vcs_pace pool = known_pace;
    uint32_t refused = 77;
    assert_int_equal(vcs_client_reply(&client, &pool, &some_times, &rules, 50, &refused, NULL), VCS_OK);
    assert_int_equal(refused, 1);
    assert_memory_equal(&client, &before, sizeof client);
    assert_memory_equal(&pool, &known_pace, sizeof pool);
}

/* ---- Bad input ---- */

static void check_rules_refused(const vcs_dispatch_rules *rules, int code, uint32_t offset) {
    vcs_client client = {.id = 3}, before = client;
    vcs_pace pool = {0};
    vcs_dispatch_job job = job_of(1, 1);
    vcs_error error = {.struct_size = sizeof error};
    double seconds = 77;
    uint32_t refused = 77;
    assert_int_equal(vcs_expected_reply(&client, &job, &pool, rules, &seconds, &error), code);
    assert_int_equal(error.type, VCS_TYPE_DISPATCH_RULES);
    assert_int_equal(error.offset, offset);
    assert_int_equal(vcs_client_reply(&client, &pool, &some_times, rules, 1, &refused, NULL), code);
    assert_int_equal(vcs_job_send(&job, 0, &client, &pool, rules, 1, NULL), code);
    assert_true(seconds == 77 && refused == 77 && job.state == VCS_JOB_FRESH);
    assert_memory_equal(&client, &before, sizeof client);
}

static void refuses_bad_rules(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_dispatch_rules, struct_size, 0, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_dispatch_rules, flags, 1, VCS_ERR_FLAGS),
        BAD_WORD(vcs_dispatch_rules, order, 3, VCS_ERR_FLAGS),
        NOT_FINITE(vcs_dispatch_rules, wait_factor),
        BAD_NUMBER(vcs_dispatch_rules, wait_factor, 0.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_dispatch_rules, wait_factor, -1.0, VCS_ERR_RANGE),
        NOT_FINITE(vcs_dispatch_rules, dead_factor),
        BAD_NUMBER(vcs_dispatch_rules, dead_factor, 2.0, VCS_ERR_RANGE), /* equal to wait_factor */
        BAD_NUMBER(vcs_dispatch_rules, dead_factor, 1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_dispatch_rules, dead_factor, 2e6, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_dispatch_rules, first_rate, 0.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_dispatch_rules, first_speed, 0.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_dispatch_rules, forget, -0.1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_dispatch_rules, forget, 1.1, VCS_ERR_RANGE),
        BAD_WORD(vcs_dispatch_rules, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_dispatch_rules rules = default_rules();
        spoil(&rules, &table[i]);
        check_rules_refused(&rules, table[i].code, (uint32_t)table[i].offset);
    }
    check_rules_refused(NULL, VCS_ERR_NULL, 0);
}

static void refuses_bad_jobs_and_paces(void **unused) {
    (void)unused;
    static const bad_field bad_jobs[] = {
        NOT_FINITE(vcs_dispatch_job, size),
        BAD_NUMBER(vcs_dispatch_job, size, -1.0, VCS_ERR_RANGE),
        NOT_FINITE(vcs_dispatch_job, complexity),
        BAD_NUMBER(vcs_dispatch_job, complexity, -2.0, VCS_ERR_RANGE),
    };
    static const bad_field bad_paces[] = {
        NOT_FINITE(vcs_pace, bytes),
        BAD_NUMBER(vcs_pace, transfer_seconds, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_pace, complexity, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_pace, compute_seconds, 2e30, VCS_ERR_RANGE),
        BAD_WORD(vcs_pace, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    const vcs_dispatch_rules rules = default_rules();
    const vcs_client client = {.id = 3};
    double seconds = 77;
    for (size_t i = 0; i < COUNT_OF(bad_jobs); i++) {
        vcs_dispatch_job job = job_of(1, 1);
        spoil(&job, &bad_jobs[i]);
        assert_int_equal(vcs_expected_reply(&client, &job, &known_pace, &rules, &seconds, NULL), bad_jobs[i].code);
    }
    const vcs_dispatch_job job = job_of(1, 1);
    for (size_t i = 0; i < COUNT_OF(bad_paces); i++) {
        vcs_pace pool = known_pace;
        spoil(&pool, &bad_paces[i]);
        assert_int_equal(vcs_expected_reply(&client, &job, &pool, &rules, &seconds, NULL), bad_paces[i].code);
    }
    vcs_error small = {.struct_size = 8};
    assert_int_equal(vcs_expected_reply(&client, NULL, &known_pace, &rules, &seconds, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_expected_reply(&client, &job, NULL, &rules, &seconds, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_expected_reply(NULL, &job, &known_pace, &rules, &seconds, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_expected_reply(&client, &job, &known_pace, &rules, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_expected_reply(&client, &job, &known_pace, &rules, &seconds, &small), VCS_ERR_ABI_OLDER);
    assert_number(seconds, 77.0);
}

static void refuses_bad_replies(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_reply_times, struct_size, 8, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_reply_times, flags, 1, VCS_ERR_FLAGS),
        NOT_FINITE(vcs_reply_times, bytes),
        BAD_NUMBER(vcs_reply_times, bytes, -1.0, VCS_ERR_RANGE),
        NOT_FINITE(vcs_reply_times, transfer_seconds),
        NOT_FINITE(vcs_reply_times, complexity),
        NOT_FINITE(vcs_reply_times, compute_seconds),
        BAD_NUMBER(vcs_reply_times, compute_seconds, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_reply_times, bytes, 1e30, VCS_ERR_RANGE), /* the sum would be more than a record may hold */
        BAD_WORD(vcs_reply_times, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    const vcs_dispatch_rules rules = default_rules();
    vcs_client client = {.id = 3, .pace = {.bytes = 1e30}}, before = client;
    vcs_pace pool = known_pace;
    uint32_t refused = 77;
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_reply_times times = some_times;
        times.bytes = 0;
        spoil(&times, &table[i]);
        assert_int_equal(vcs_client_reply(&client, &pool, &times, &rules, 1, &refused, NULL), table[i].code);
    }
    assert_int_equal(vcs_client_reply(&client, &pool, &some_times, &rules, 2e15, &refused, NULL), VCS_ERR_RANGE);
    assert_int_equal(vcs_client_reply(&client, &pool, &some_times, &rules, 1, NULL, NULL), VCS_ERR_NULL);
    vcs_error odd = {.struct_size = 3};
    assert_int_equal(vcs_client_reply(&client, &pool, &some_times, &rules, 1, &refused, &odd), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_client_reply(&client, &pool, NULL, &rules, 1, &refused, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_client_reply(NULL, &pool, &some_times, &rules, 1, &refused, NULL), VCS_ERR_NULL);
    assert_memory_equal(&client, &before, sizeof client);
    assert_memory_equal(&pool, &known_pace, sizeof pool);
    assert_int_equal(refused, 77);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transfer_and_computing_add_up),
        cmocka_unit_test(no_expected_time_is_beyond_all_bounds),
        cmocka_unit_test(defaults_are_as_documented),
        cmocka_unit_test(a_sent_job_knows_its_client_and_time),
        cmocka_unit_test(replies_are_averaged),
        cmocka_unit_test(an_unknown_complexity_counts_as_one),
        cmocka_unit_test(a_reply_from_the_blacklist_changes_nothing),
        cmocka_unit_test(refuses_bad_rules),
        cmocka_unit_test(refuses_bad_jobs_and_paces),
        cmocka_unit_test(refuses_bad_replies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
