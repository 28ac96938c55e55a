/*
 * Daily quota (rule 11.3).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include <vcsched/verify.h>

#define DAY 86400.0

static vcs_quota quota_of(uint32_t most, uint32_t first) {
    return (vcs_quota){.id = 9, .max_quota = most, .quota = first};
}

static uint32_t left_of(vcs_quota *quota, double now) {
    uint32_t left = 77;
    assert_int_equal(vcs_quota_left(quota, now, &left), VCS_OK);
    return left;
}

static void judge(vcs_quota *quota, uint32_t valid) {
    assert_int_equal(vcs_quota_judge(quota, valid), VCS_OK);
}

static void a_day_has_so_many_jobs(void **unused) {
    (void)unused;
    vcs_quota quota = quota_of(100, 5);
    assert_int_equal(left_of(&quota, 1000), 5);
    assert_int_equal(vcs_quota_take(&quota, 1000, 3), VCS_OK);
    assert_int_equal(left_of(&quota, 2000), 2);
    assert_int_equal(vcs_quota_take(&quota, DAY - 1, 3), VCS_ERR_QUOTA);
    assert_int_equal(left_of(&quota, DAY - 1), 2);
    assert_int_equal(vcs_quota_take(&quota, DAY - 1, 2), VCS_OK);
    assert_int_equal(left_of(&quota, DAY - 1), 0);
    assert_int_equal(vcs_quota_take(&quota, DAY - 1, 0), VCS_OK);
    assert_int_equal(left_of(&quota, DAY), 5); /* a new day; the quota is as it was */
    assert_int_equal(vcs_quota_take(&quota, 2 * DAY, 5), VCS_OK);
    assert_int_equal(left_of(&quota, 2 * DAY), 0);
}

/* 5, 10, 20, 40, 80, 100; then 99, 98 */
static void it_doubles_and_falls_by_one(void **unused) {
    (void)unused;
    static const uint32_t grown[] = {10, 20, 40, 80, 100, 100};
    vcs_quota quota = quota_of(100, 5);
    for (size_t i = 0; i < COUNT_OF(grown); i++) {
        judge(&quota, 1);
        assert_int_equal(quota.quota, grown[i]);
    }
    judge(&quota, 0);
    judge(&quota, 0);
    assert_int_equal(quota.quota, 98);
    for (int i = 0; i < 200; i++) {
        judge(&quota, 0);
    }
    assert_int_equal(quota.quota, 1);
    judge(&quota, 1);
    assert_int_equal(quota.quota, 2);
}

static void it_never_runs_over(void **unused) {
    (void)unused;
    vcs_quota quota = quota_of(UINT32_MAX, UINT32_MAX / 2);
    judge(&quota, 1);
    assert_true(quota.quota == UINT32_MAX - 1);
    judge(&quota, 1);
    assert_true(quota.quota == UINT32_MAX);
    assert_int_equal(vcs_quota_take(&quota, 0, UINT32_MAX), VCS_OK);
    assert_int_equal(vcs_quota_take(&quota, 0, 1), VCS_ERR_QUOTA);
    vcs_quota one = quota_of(1, 1);
    judge(&one, 1);
    judge(&one, 0);
    assert_int_equal(one.quota, 1);
}

/* If the quota falls below the jobs used today, none is left. */
static void errors_count_at_once(void **unused) {
    (void)unused;
    vcs_quota quota = quota_of(10, 3);
    assert_int_equal(vcs_quota_take(&quota, 0, 2), VCS_OK);
    judge(&quota, 0);
    assert_int_equal(left_of(&quota, 0), 0);
    judge(&quota, 0);
    assert_int_equal(quota.quota, 1);
    assert_int_equal(left_of(&quota, 0), 0);
    assert_int_equal(left_of(&quota, DAY), 1);
}

static void days_begin_at_multiples_of_a_day(void **unused) {
    (void)unused;
    static const struct {
        double now, day;
    } table[] = {
        {0, 0},          {DAY - 1e-3, 0},          {DAY, 1},          {1.5 * DAY, 1},
        {-1e-3, -1},     {-DAY, -1},               {-DAY - 1e-3, -2}, {VCS_MAX_TIME, 11574074074.0},
        {1e15 / 3, 3858024691.0}, {-VCS_MAX_TIME, -11574074075.0},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_quota quota = quota_of(10, 3);
        left_of(&quota, table[i].now);
        assert_number(quota.day, table[i].day);
    }
}

/* The clock was a year ahead for a moment: the host gains nothing, and does not wait for a year. */
static void a_clock_that_goes_back_gives_nothing(void **unused) {
    (void)unused;
    vcs_quota quota = quota_of(10, 3);
    assert_int_equal(vcs_quota_take(&quota, 365 * DAY, 3), VCS_OK);
    assert_int_equal(left_of(&quota, DAY), 0);
    assert_int_equal(left_of(&quota, 1.9 * DAY), 0);
    assert_int_equal(left_of(&quota, 2 * DAY), 3);
}

static void an_error_never_raises_a_quota(void **unused) {
    (void)unused;
    random_stream stream = {1};
    for (int round = 0; round < 2000; round++) {
        const uint32_t most = 1 + random_below(&stream, 50);
        vcs_quota quota = quota_of(most, 1 + random_below(&stream, most));
        double now = random_between(&stream, 0, 10 * DAY);
        for (int step = 0; step < 50; step++) {
            const uint32_t before = quota.quota, left = left_of(&quota, now), valid = random_below(&stream, 2);
            judge(&quota, valid);
            assert_true(quota.quota >= 1 && quota.quota <= most);
            assert_true(valid ? quota.quota >= before : quota.quota <= before);
            assert_true(valid ? left_of(&quota, now) >= left : left_of(&quota, now) <= left);
            assert_int_equal(vcs_quota_take(&quota, now, random_below(&stream, left_of(&quota, now) + 1)), VCS_OK);
            now += random_below(&stream, 3) == 0 ? random_between(&stream, 0, DAY) : 0;
        }
    }
}

/* ---- Bad input ---- */

static void refuses_bad_records(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_quota, day),
        BAD_NUMBER(vcs_quota, day, 2e15, VCS_ERR_RANGE),
        BAD_WORD(vcs_quota, max_quota, 0, VCS_ERR_RANGE),
        BAD_WORD(vcs_quota, max_quota, 2, VCS_ERR_RANGE), /* less than the quota */
        BAD_WORD(vcs_quota, quota, 0, VCS_ERR_RANGE),
        BAD_WORD(vcs_quota, quota, 11, VCS_ERR_RANGE),
        BAD_WORD(vcs_quota, reserved0, 1, VCS_ERR_ABI_NEWER),
        BAD_WORD(vcs_quota, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_quota quota = quota_of(10, 3);
        spoil(&quota, &table[i]);
        vcs_quota before = quota;
        uint32_t left = 77;
        assert_int_equal(vcs_quota_left(&quota, 5 * DAY, &left), table[i].code);
        assert_int_equal(vcs_quota_take(&quota, 5 * DAY, 1), table[i].code);
        assert_int_equal(vcs_quota_judge(&quota, 1), table[i].code);
        assert_memory_equal(&quota, &before, sizeof quota);
        assert_int_equal(left, 77);
    }
}

static void refuses_bad_arguments(void **unused) {
    (void)unused;
    vcs_quota quota = quota_of(10, 3), before = quota;
    uint32_t left = 77;
    assert_int_equal(vcs_quota_left(NULL, 0, &left), VCS_ERR_NULL);
    assert_int_equal(vcs_quota_left(&quota, 0, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_quota_left(&quota, (double)NAN, &left), VCS_ERR_NOT_FINITE);
    assert_int_equal(vcs_quota_left(&quota, 2e15, &left), VCS_ERR_RANGE);
    assert_int_equal(vcs_quota_take(NULL, 0, 1), VCS_ERR_NULL);
    assert_int_equal(vcs_quota_take(&quota, (double)INFINITY, 1), VCS_ERR_NOT_FINITE);
    assert_int_equal(vcs_quota_take(&quota, 9 * DAY, 4), VCS_ERR_QUOTA);
    assert_int_equal(vcs_quota_judge(NULL, 1), VCS_ERR_NULL);
    assert_int_equal(vcs_quota_judge(&quota, 2), VCS_ERR_FLAGS);
    assert_memory_equal(&quota, &before, sizeof quota);
    assert_int_equal(left, 77);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_day_has_so_many_jobs),
        cmocka_unit_test(it_doubles_and_falls_by_one),
        cmocka_unit_test(it_never_runs_over),
        cmocka_unit_test(errors_count_at_once),
        cmocka_unit_test(days_begin_at_multiples_of_a_day),
        cmocka_unit_test(a_clock_that_goes_back_gives_nothing),
        cmocka_unit_test(an_error_never_raises_a_quota),
        cmocka_unit_test(refuses_bad_records),
        cmocka_unit_test(refuses_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
