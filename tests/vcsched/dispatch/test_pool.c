/*
 * Liveness and statistics of a pool (rules 10.4 and 10.5).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"

#include <math.h>
#include <stdbool.h>
#include <vcsched/dispatch.h>

enum { MOST = 8 };

/* A pool and its survey. */
typedef struct test_pool {
    vcs_client clients[MOST];
    vcs_dispatch_job jobs[MOST];
    uint32_t client_count, job_count;
    vcs_dispatch_rules rules;
    vcs_pace pace;
    uint32_t order[MOST], job_order[MOST];
    vcs_pool_client rows[MOST];
    vcs_pool_summary summary;
} test_pool;

static test_pool pool;

static void begin(uint32_t clients) {
    memset(&pool, 0, sizeof pool);
    assert_int_equal(vcs_dispatch_rules_init(&pool.rules, sizeof pool.rules), VCS_OK);
    pool.client_count = clients;
    pool.summary.struct_size = sizeof pool.summary;
    for (uint32_t i = 0; i < clients; i++) {
        pool.clients[i].id = i + 1;
    }
}

static vcs_dispatch_job *add_job(uint32_t client, double sent, double expected) {
    vcs_dispatch_job *job = &pool.jobs[pool.job_count++];
    *job = (vcs_dispatch_job){.id = pool.job_count,
                              .complexity = 1,
                              .sent = sent,
                              .expected = expected,
                              .state = VCS_JOB_IN_PROGRESS,
                              .client = client,
                              .copy_of = VCS_NONE};
    return job;
}

#define CLIENTS ARRAY(pool.clients, pool.client_count)
#define JOBS ARRAY(pool.jobs, pool.job_count)
#define ROWS ARRAY(pool.rows, pool.client_count)

static int try_survey(double now, vcs_error *error) {
    const int code = vcs_pool_survey(CLIENTS, JOBS, &pool.pace, &pool.rules, now, ROWS, error);
    return code != VCS_OK ? code : vcs_pool_sum(CLIENTS, JOBS, ROWS, pool.order, pool.job_order, &pool.summary, error);
}

static void survey(double now) {
    assert_int_equal(try_survey(now, NULL), VCS_OK);
}

/* ---- Liveness ---- */

/* K_wait_dead = 4; jobs of 10 s and 25 s, last heard at 100: dead after 4 * 25 s of silence. */
static void a_client_is_dead_after_the_longest_of_its_jobs(void **unused) {
    (void)unused;
    begin(2);
    pool.clients[0].last_heard = 100;
    pool.clients[1].last_heard = 100;
    add_job(0, 90, 10);
    add_job(0, 100, 25)->state = VCS_JOB_SUPERSEDED; /* it may still reply */
    add_job(0, 100, 9999)->state = VCS_JOB_REPLIED;
    survey(200);
    assert_int_equal(pool.rows[0].liveness, VCS_LIVENESS_ACTIVE);
    assert_int_equal(pool.rows[0].has_died, 0);
    assert_int_equal(pool.rows[0].jobs, 2);
    assert_number(pool.rows[0].silent, 100.0);
    assert_number(pool.rows[0].dead_in, 0.0);
    survey(190);
    assert_number(pool.rows[0].dead_in, 10.0);
    survey(200.5);
    assert_int_equal(pool.rows[0].liveness, VCS_LIVENESS_DEAD);
    assert_int_equal(pool.rows[0].has_died, 1);
    /* the other client has no job: nothing is expected of it */
    assert_int_equal(pool.rows[1].liveness, VCS_LIVENESS_ACTIVE);
    assert_true(pool.rows[1].dead_in == (double)INFINITY);
    /* reported once; the client stays dead, even without jobs, until it replies */
    pool.clients[0].flags = VCS_CLIENT_DEAD;
    pool.job_count = 0;
    survey(150);
    assert_int_equal(pool.rows[0].liveness, VCS_LIVENESS_DEAD);
    assert_int_equal(pool.rows[0].has_died, 0);
}

/*
 * Rule 10.4: jobs of 100 s and 10 s, silent for 50 s. By the short one alone the client would be dead after 40 s; by
 * the long one it is after 400 s, wherever that stands among the records, and whichever was sent last.
 */
static void a_short_job_kills_no_client_that_has_a_long_one(void **unused) {
    (void)unused;
    for (uint32_t order = 0; order < 4; order++) {
        const bool is_first = order % 2 == 0, is_sent_first = order / 2 == 0;
        begin(1);
        add_job(0, is_sent_first == is_first ? 0 : 1, is_first ? 100 : 10);
        add_job(0, is_sent_first == is_first ? 1 : 0, is_first ? 10 : 100);
        pool.clients[0].last_heard = 1;
        survey(51);
        assert_int_equal(pool.rows[0].liveness, VCS_LIVENESS_ACTIVE);
        assert_number(pool.rows[0].silent, 50.0);
        assert_number(pool.rows[0].dead_in, 350.0);
        survey(401.5);
        assert_int_equal(pool.rows[0].has_died, 1);
    }
}

/* Rule 10.4, plainly: dead when its silence exceeds the dead time of each job that it has. */
static bool is_dead_plainly(uint32_t client, double now) {
    bool has_any = false;
    for (uint32_t i = 0; i < pool.job_count; i++) {
        const vcs_dispatch_job *job = &pool.jobs[i];
        if (job->client != client || (job->state != VCS_JOB_IN_PROGRESS && job->state != VCS_JOB_SUPERSEDED)) {
            continue;
        }
        const double since = fmax(pool.clients[client].last_heard, job->sent);
        if (!(now > since + pool.rules.dead_factor * job->expected)) {
            return false;
        }
        has_any = true;
    }
    return has_any;
}

/* Whole numbers, so that silences often end exactly at the dead time. */
static void any_pool_is_judged_by_each_of_its_jobs(void **unused) {
    (void)unused;
    random_stream stream = {7};
    uint32_t dead = 0, alive = 0;
    for (uint32_t trial = 0; trial < 20000; trial++) {
        begin(3);
        for (uint32_t i = 0; i < 3; i++) {
            pool.clients[i].last_heard = (double)random_below(&stream, 20);
        }
        for (uint64_t jobs = random_below(&stream, MOST + 1); jobs > 0; jobs--) {
            vcs_dispatch_job *job = add_job((uint32_t)random_below(&stream, 3), (double)random_below(&stream, 20),
                                            (double)random_below(&stream, 8));
            job->state = VCS_JOB_IN_PROGRESS + (uint32_t)random_below(&stream, 4);
        }
        const double now = (double)random_below(&stream, 60);
        survey(now);
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(pool.rows[i].liveness, is_dead_plainly(i, now) ? VCS_LIVENESS_DEAD : VCS_LIVENESS_ACTIVE);
            dead += pool.rows[i].has_died;
            alive += pool.rows[i].jobs > 1 && pool.rows[i].has_died == 0;
        }
    }
    assert_true(dead > 5000 && alive > 5000);
}

static void a_reply_revives(void **unused) {
    (void)unused;
    begin(1);
    add_job(0, 0, 10);
    survey(41);
    assert_int_equal(pool.rows[0].has_died, 1);
    pool.clients[0].flags = VCS_CLIENT_DEAD;
    const vcs_reply_times times = {.struct_size = sizeof times};
    uint32_t refused;
    assert_int_equal(vcs_client_reply(&pool.clients[0], &pool.pace, &times, &pool.rules, 50, &refused, NULL), VCS_OK);
    survey(51);
    assert_int_equal(pool.rows[0].liveness, VCS_LIVENESS_ACTIVE);
    assert_number(pool.rows[0].dead_in, 39.0);
}

/* A long silence before the job was sent is no reason to give the client up at once. */
static void silence_counts_from_the_sending_of_the_job(void **unused) {
    (void)unused;
    begin(1);
    add_job(0, 1000, 10);
    survey(1001);
    assert_int_equal(pool.rows[0].liveness, VCS_LIVENESS_ACTIVE);
    assert_number(pool.rows[0].dead_in, 39.0);
    assert_number(pool.rows[0].silent, 1001.0);
    survey(-5); /* the clock went back */
    assert_number(pool.rows[0].silent, 0.0);
}

/*
 * Four replies brought 4000 bytes in 40 s, and a complexity of 80 in 160 s. An average job has 1000 bytes and 20, and
 * takes a client of the pool's rates 10 + 40 s: without a job it is silent after 4 * 50 s. A client that computes twice
 * as fast takes 10 + 20 s, and is silent after 120 s.
 */
static void without_a_job_an_average_one_decides(void **unused) {
    (void)unused;
    begin(5);
    for (uint32_t i = 0; i < 5; i++) {
        pool.clients[i].last_heard = 100;
    }
    pool.clients[1].pace = (vcs_pace){0, 0, 10, 10, 1, {0}};
    pool.clients[2].flags = VCS_CLIENT_DEAD;
    pool.clients[3].flags = VCS_BLACKLISTED;
    add_job(4, 100, 1000);
    survey(1e9); /* nobody has ever replied */
    assert_int_equal(pool.rows[0].liveness, VCS_LIVENESS_ACTIVE);
    assert_true(pool.rows[0].dead_in == (double)INFINITY);
    pool.pace = (vcs_pace){4000, 40, 80, 160, 4, {0}};
    survey(150);
    assert_number(pool.rows[0].dead_in, 150.0);
    assert_number(pool.rows[1].dead_in, 70.0);
    survey(220);
    assert_int_equal(pool.rows[1].liveness, VCS_LIVENESS_ACTIVE);
    assert_int_equal(pool.summary.active, 3);
    survey(220.5);
    assert_int_equal(pool.rows[1].liveness, VCS_LIVENESS_SILENT);
    assert_int_equal(pool.summary.active, 2);
    assert_number(pool.summary.power, 1.0); /* of the pool's speed, 0.5 each */
    survey(300.5);
    assert_int_equal(pool.rows[0].liveness, VCS_LIVENESS_SILENT);
    assert_int_equal(pool.rows[0].has_died, 0);
    assert_number(pool.rows[0].dead_in, 0.0);
    assert_int_equal(pool.rows[2].liveness, VCS_LIVENESS_DEAD);
    assert_int_equal(pool.rows[3].liveness, VCS_LIVENESS_BLACKLISTED);
    assert_int_equal(pool.rows[4].liveness, VCS_LIVENESS_ACTIVE); /* its job explains it */
    assert_int_equal(pool.summary.silent, 2);
    assert_int_equal(pool.summary.active, 1);
    /* half of the past is forgotten with each reply: the second of two such jobs left 1500 bytes and 30 */
    pool.pace = (vcs_pace){1500, 15, 30, 60, 2, {0}};
    pool.rules.forget = 0.5;
    survey(150);
    assert_number(pool.rows[0].dead_in, 150.0);
    pool.pace = (vcs_pace){0, 0, 30, 60, 2, {0}}; /* no transfer was ever measured: only 40 s of computing */
    survey(150);
    assert_number(pool.rows[0].dead_in, 110.0);
    pool.pace = (vcs_pace){1500, 15, 0, 0, 2, {0}}; /* the other way round: 10 s of transfer */
    survey(120);
    assert_number(pool.rows[0].dead_in, 20.0);
}

/* ---- Statistics ---- */

/*
 * Job 1 of 100 bytes, queued at 5, is overdue and has a copy; job 2 of 7 bytes, queued at 9, has none. Of job 4 of 1000
 * bytes, queued at 1, one copy was replied, and another is on its way. Job 5 waits.
 */
static void the_window_counts_each_job_once(void **unused) {
    (void)unused;
    begin(3);
    survey(0);
    assert_number(pool.summary.window_span, 0.0);
    add_job(0, 0, 10)->state = VCS_JOB_SUPERSEDED;
    add_job(0, 0, 10);
    add_job(1, 0, 10)->copy_of = 0;
    add_job(1, 0, 10)->state = VCS_JOB_REPLIED;
    add_job(VCS_NONE, 0, 10)->state = VCS_JOB_FRESH;
    add_job(2, 0, 10)->copy_of = 3;
    static const double sizes[] = {100, 7, 100, 1000, 1e6, 1000}, queued[] = {5, 9, 50, 1, 60, 70};
    for (uint32_t i = 0; i < pool.job_count; i++) {
        pool.jobs[i].size = sizes[i];
        pool.jobs[i].queued = queued[i];
    }
    survey(20);
    assert_int_equal(pool.summary.jobs, 4);
    assert_int_equal(pool.summary.window, 3);
    assert_int_equal(pool.summary.duplicates, 1);
    assert_number(pool.summary.window_bytes, 1107.0);
    assert_number(pool.summary.window_span, 8.0);
    static const uint32_t held[] = {0, 2, 1, 5};
    assert_memory_equal(pool.job_order, held, sizeof held);
    assert_int_equal(pool.job_order[4] + pool.job_order[5], 3 + 4);
}

static void the_pool_is_summed_up(void **unused) {
    (void)unused;
    begin(5);
    pool.pace = (vcs_pace){1000, 10, 60, 20, 4, {0}}; /* 100 bytes/s, 3 per second */
    pool.clients[0].pace = (vcs_pace){500, 1, 10, 5, 1, {0}};
    pool.clients[1].flags = VCS_CLIENT_TALKING;
    pool.clients[2].flags = VCS_CLIENT_DEAD;
    pool.clients[3].flags = VCS_BLACKLISTED | VCS_CLIENT_TALKING | VCS_CLIENT_DEAD;
    pool.clients[4].pace = (vcs_pace){500, 0, 10, 0, 1, {0}}; /* in no time */
    pool.clients[4].last_heard = 10;
    add_job(0, 0, 1e6);
    add_job(2, 0, 1e6);
    add_job(2, 0, 1e6)->state = VCS_JOB_OVER;
    survey(10);
    assert_int_equal(pool.summary.active, 3);
    assert_int_equal(pool.summary.talking, 2);
    assert_int_equal(pool.summary.dead, 1);
    assert_int_equal(pool.summary.blacklisted, 1);
    assert_int_equal(pool.summary.jobs, 2);
    assert_number(pool.rows[0].rate, 500.0);
    assert_number(pool.rows[0].speed, 2.0);
    assert_number(pool.rows[1].rate, 100.0);
    assert_close(pool.rows[1].speed, 3.0L, 1e-15);
    assert_int_equal(pool.rows[3].liveness, VCS_LIVENESS_BLACKLISTED);
    assert_number(pool.rows[4].speed, 1e30);
    assert_number(pool.rows[4].rate, 1e30);
    assert_number(pool.summary.power, pool.rows[0].speed + pool.rows[1].speed + pool.rows[4].speed);
    begin(0);
    survey(0);
    assert_number(pool.summary.power, 0.0);
    assert_int_equal(pool.summary.active, 0);
}

/*
 * Rule 10.5: only active clients add to the power. Speeds are powers of two, so that the sum names its clients. One
 * client dies in this survey and one died before, both with a job; one is blacklisted, and one without a job is silent.
 */
static void power_is_of_the_active_alone(void **unused) {
    (void)unused;
    begin(5);
    pool.pace = (vcs_pace){500, 5, 10, 10, 1, {0}};
    for (uint32_t i = 0; i < 5; i++) {
        pool.clients[i].pace = (vcs_pace){500, 5, (double)(1u << i), 1, 1, {0}}; /* 1, 2, 4, 8, 16 a second */
    }
    pool.clients[2].flags = VCS_CLIENT_DEAD;
    pool.clients[3].flags = VCS_BLACKLISTED;
    add_job(0, 0, 1000);
    add_job(1, 0, 10);
    add_job(2, 0, 1000);
    add_job(3, 0, 1000);
    survey(999);
    assert_int_equal(pool.rows[0].liveness, VCS_LIVENESS_ACTIVE);
    assert_true(pool.rows[1].liveness == VCS_LIVENESS_DEAD && pool.rows[1].has_died == 1);
    assert_true(pool.rows[2].liveness == VCS_LIVENESS_DEAD && pool.rows[2].has_died == 0);
    assert_int_equal(pool.rows[3].liveness, VCS_LIVENESS_BLACKLISTED);
    assert_int_equal(pool.rows[4].liveness, VCS_LIVENESS_SILENT);
    assert_number(pool.summary.power, 1.0);
}

static void order_of_records_does_not_matter(void **unused) {
    (void)unused;
    begin(MOST);
    for (uint32_t i = 0; i < MOST; i++) {
        pool.clients[i].pace = (vcs_pace){1, 1, 1, 0.1 * (i + 1), 1, {0}};
    }
    survey(0);
    const vcs_pool_summary before = pool.summary;
    for (uint32_t i = 0; i < MOST / 2; i++) {
        vcs_client other = pool.clients[i];
        pool.clients[i] = pool.clients[MOST - 1 - i];
        pool.clients[MOST - 1 - i] = other;
    }
    survey(0);
    assert_memory_equal(&pool.summary, &before, sizeof before);
    assert_int_equal(pool.order[0], MOST - 1);
}

/* ---- Bad input ---- */

static void check_refused(double now, int code, uint32_t type) {
    vcs_error error = {.struct_size = sizeof error};
    const test_pool before = pool;
    assert_int_equal(try_survey(now, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, type);
    assert_memory_equal(&pool, &before, sizeof pool);
}

static void begin_with_two(void) {
    begin(2);
    add_job(0, 0, 10);
    add_job(1, 0, 10);
}

static void refuses_bad_arguments(void **unused) {
    (void)unused;
    begin_with_two();
    pool.clients[1].last_heard = (double)NAN;
    check_refused(0, VCS_ERR_NOT_FINITE, VCS_TYPE_CLIENT);
    begin_with_two();
    pool.jobs[1].client = 2;
    check_refused(0, VCS_ERR_INDEX, VCS_TYPE_DISPATCH_JOB);
    begin_with_two();
    pool.jobs[1].expected = -1;
    check_refused(0, VCS_ERR_RANGE, VCS_TYPE_DISPATCH_JOB);
    begin_with_two();
    pool.pace.bytes = -1;
    check_refused(0, VCS_ERR_RANGE, VCS_TYPE_PACE);
    begin_with_two();
    pool.rules.dead_factor = 2;
    check_refused(0, VCS_ERR_RANGE, VCS_TYPE_DISPATCH_RULES);
    begin_with_two();
    check_refused((double)INFINITY, VCS_ERR_NOT_FINITE, VCS_TYPE_NONE);
    survey(0);
    pool.summary.struct_size = 8;
    check_refused(0, VCS_ERR_ABI_OLDER, VCS_TYPE_POOL_SUMMARY);
}

static void refuses_to_write_nowhere(void **unused) {
    (void)unused;
    begin_with_two();
    const vcs_pace *pace = &pool.pace;
    const vcs_dispatch_rules *rules = &pool.rules;
    uint32_t *order = pool.order, *jobs_by = pool.job_order;
    vcs_pool_summary *summary = &pool.summary;
    vcs_error small = {.struct_size = 8};
    const vcs_array *nowhere = ARRAY_OF(NULL, sizeof *pool.rows, 2), *few = ARRAY(pool.rows, 1);
    assert_int_equal(vcs_pool_survey(NULL, JOBS, pace, rules, 0, ROWS, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_pool_survey(CLIENTS, NULL, pace, rules, 0, ROWS, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_pool_survey(ARRAY_OF(pool.clients, 8, 2), JOBS, pace, rules, 0, ROWS, NULL),
                     VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_pool_survey(CLIENTS, ARRAY_OF(pool.jobs, 8, 2), pace, rules, 0, ROWS, NULL),
                     VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_pool_survey(CLIENTS, JOBS, NULL, rules, 0, ROWS, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_pool_survey(CLIENTS, JOBS, pace, NULL, 0, ROWS, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_pool_survey(CLIENTS, JOBS, pace, rules, 0, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_pool_survey(CLIENTS, JOBS, pace, rules, 0, nowhere, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_pool_survey(CLIENTS, JOBS, pace, rules, 0, few, NULL), VCS_ERR_COUNT);
    assert_int_equal(vcs_pool_survey(CLIENTS, JOBS, pace, rules, 0, ARRAY_OF(pool.rows, 8, 2), NULL),
                     VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_pool_survey(CLIENTS, JOBS, pace, rules, 0, ROWS, &small), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_pool_sum(NULL, JOBS, ROWS, order, jobs_by, summary, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_pool_sum(CLIENTS, NULL, ROWS, order, jobs_by, summary, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_pool_sum(CLIENTS, JOBS, NULL, order, jobs_by, summary, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_pool_sum(CLIENTS, JOBS, few, order, jobs_by, summary, NULL), VCS_ERR_COUNT);
    assert_int_equal(vcs_pool_sum(CLIENTS, JOBS, ROWS, NULL, jobs_by, summary, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_pool_sum(CLIENTS, JOBS, ROWS, order, NULL, summary, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_pool_sum(CLIENTS, JOBS, ROWS, order, jobs_by, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_pool_sum(CLIENTS, JOBS, ROWS, order, jobs_by, summary, &small), VCS_ERR_ABI_OLDER);
    pool.rows[1].speed = -1;
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_pool_sum(CLIENTS, JOBS, ROWS, order, jobs_by, summary, &error), VCS_ERR_RANGE);
    assert_string_equal(error.message, "pool_client 1: speed is negative");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_is_dead_after_the_longest_of_its_jobs),
        cmocka_unit_test(a_short_job_kills_no_client_that_has_a_long_one),
        cmocka_unit_test(any_pool_is_judged_by_each_of_its_jobs),
        cmocka_unit_test(a_reply_revives),
        cmocka_unit_test(silence_counts_from_the_sending_of_the_job),
        cmocka_unit_test(without_a_job_an_average_one_decides),
        cmocka_unit_test(the_window_counts_each_job_once),
        cmocka_unit_test(the_pool_is_summed_up),
        cmocka_unit_test(power_is_of_the_active_alone),
        cmocka_unit_test(order_of_records_does_not_matter),
        cmocka_unit_test(refuses_bad_arguments),
        cmocka_unit_test(refuses_to_write_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
