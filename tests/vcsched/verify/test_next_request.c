/*
 * When a host may ask again (rule 8.9).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include <vcsched/verify.h>

#define HOUR 3600.0
#define DAY 86400.0

static vcs_next_request default_request(void) {
    vcs_next_request request;
    memset(&request, 0xa5, sizeof request);
    assert_int_equal(vcs_next_request_init(&request, sizeof request), VCS_OK);
    return request;
}

static double delay_of(const vcs_next_request *request, double now, double u, uint32_t reason) {
    double seconds = -1;
    uint32_t why = 77;
    assert_int_equal(vcs_next_request_delay(request, now, u, &seconds, &why, NULL), VCS_OK);
    assert_int_equal(why, reason);
    return seconds;
}

/* ---- By hand ---- */

static void the_delay_follows_from_the_reply(void **unused) {
    (void)unused;
    vcs_next_request request = default_request();
    assert_number(delay_of(&request, 5, 0.5, VCS_REASON_NO_WORK), 600);
    request.late = 2;
    assert_number(delay_of(&request, 5, 0.5, VCS_REASON_DEADLINES_NOT_MET), HOUR);
    request.sent = 1;
    assert_number(delay_of(&request, 5, 0.5, VCS_REASON_LEAST_DELAY), 60);
    /* at its quota, at 22:00 on the third day: 2 hours, a second, and half of the hour over which hosts are spread */
    request.quota_left = 0;
    assert_number(delay_of(&request, 2 * DAY + 22 * HOUR, 0.5, VCS_REASON_QUOTA), 2 * HOUR + 1 + HOUR / 2);
    assert_number(delay_of(&request, 2 * DAY, 0, VCS_REASON_QUOTA), DAY + 1);
    assert_number(delay_of(&request, -100, 0, VCS_REASON_QUOTA), 101);
    /* a quota of work does not keep a host from calling that asks for none */
    request.flags = VCS_REQUEST_WITHOUT_WORK;
    assert_number(delay_of(&request, 5, 0.5, VCS_REASON_LEAST_DELAY), 60);
}

/* Its quota is used up at 10:00, and its jobs are due at 16:00: it must be able to report them by 15:00. */
static void a_host_can_report_in_time(void **unused) {
    (void)unused;
    vcs_next_request request = default_request();
    request.quota_left = 0;
    request.report_by = 15 * HOUR;
    assert_number(delay_of(&request, 10 * HOUR, 0.5, VCS_REASON_QUOTA), 5 * HOUR);
    assert_number(delay_of(&request, 15 * HOUR - 1, 0.5, VCS_REASON_QUOTA), 60); /* never less than the least */
    assert_number(delay_of(&request, 20 * HOUR, 0.5, VCS_REASON_QUOTA), 60);
    request.report_by = 3 * DAY;
    assert_number(delay_of(&request, 10 * HOUR, 0.5, VCS_REASON_QUOTA), 14 * HOUR + 1 + HOUR / 2);
}

static void no_delay_is_below_the_least(void **unused) {
    (void)unused;
    vcs_next_request request = default_request();
    request.least_delay = 2 * HOUR;
    assert_number(delay_of(&request, 0, 0, VCS_REASON_NO_WORK), 2 * HOUR);
    request.quota_left = 0;
    assert_number(delay_of(&request, DAY - 10, 0, VCS_REASON_QUOTA), 2 * HOUR);
}

/* ---- In the loop ---- */

/*
 * A host with a quota of 4 jobs a day, from a server that never runs out of work and sends two at a time, for ten days,
 * wherever in the day it begins. It obeys the delays: two requests a day, each brings work, and its whole quota
 * within the first hour of each day.
 */
static void a_host_at_its_quota_comes_when_there_is_work(void **unused) {
    (void)unused;
    random_stream stream = {1};
    for (int round = 0; round < 300; round++) {
        vcs_quota quota = {.max_quota = 4, .quota = 4};
        const double begin = 1e9 * (random_draw(&stream) - 0.5);
        double now = begin;
        uint32_t requests = 0, jobs = 0;
        while (now < begin + 10 * DAY) {
            vcs_next_request request = default_request();
            uint32_t left;
            double seconds;
            assert_int_equal(vcs_quota_left(&quota, now, &left), VCS_OK);
            request.sent = left < 2 ? left : 2;
            assert_true(request.sent > 0); /* no needless request */
            assert_int_equal(vcs_quota_take(&quota, now, request.sent), VCS_OK);
            assert_int_equal(vcs_quota_left(&quota, now, &request.quota_left), VCS_OK);
            assert_int_equal(vcs_next_request_delay(&request, now, random_draw(&stream), &seconds, NULL, NULL), VCS_OK);
            requests++;
            jobs += request.sent;
            const double next = now + seconds, day = DAY * quota.day;
            if (request.quota_left == 0) { /* in the first hour of the next day, and the second for rounding */
                assert_true(next >= day + DAY && next <= day + DAY + HOUR + 1.001);
            }
            now = next;
        }
        /* ten whole days and parts of two more, one of them perhaps without a request */
        assert_in_range(requests, 20, 22);
        assert_int_equal(jobs, 2 * requests);
    }
}

/*
 * A server that gets work for a while every six hours: it is asked every ten minutes in between, so the host has work
 * ten minutes after there is some, and never asks twice within a minute.
 */
static void a_host_without_work_finds_it_soon(void **unused) {
    (void)unused;
    double now = 0, waited = 0;
    uint32_t needless = 0;
    for (int found = 0; found < 100;) {
        vcs_next_request request = default_request();
        const double since = now - 6 * HOUR * (double)(int64_t)(now / (6 * HOUR));
        request.sent = since < HOUR && waited >= 0;
        if (request.sent > 0) {
            assert_true(since <= 600);
            found++;
            needless = 0;
        } else {
            needless++;
        }
        assert_true(needless <= 36); /* six hours / ten minutes */
        waited = delay_of(&request, now, 0, request.sent ? VCS_REASON_LEAST_DELAY : VCS_REASON_NO_WORK);
        now += request.sent > 0 ? 5 * HOUR : waited; /* it computes for five hours */
        assert_true(waited >= 60);
    }
}

/* ---- Bad input ---- */

static void check_refused(const vcs_next_request *request, double now, double u, int code, uint32_t type) {
    vcs_error error = {.struct_size = sizeof error};
    double seconds = 77;
    uint32_t reason = 77;
    assert_int_equal(vcs_next_request_delay(request, now, u, &seconds, &reason, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, type);
    assert_true(seconds == 77 && reason == 77);
}

static void refuses_bad_input(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_next_request, struct_size, 72, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_next_request, flags, 2, VCS_ERR_FLAGS),
        BAD_WORD(vcs_next_request, reserved0, 1, VCS_ERR_ABI_NEWER),
        BAD_NUMBER(vcs_next_request, report_by, (double)NAN, VCS_ERR_NOT_FINITE),
        BAD_NUMBER(vcs_next_request, report_by, -2e15, VCS_ERR_RANGE),
        NOT_FINITE(vcs_next_request, least_delay),
        BAD_NUMBER(vcs_next_request, least_delay, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_next_request, no_work_delay, 2e12, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_next_request, deadline_delay, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_next_request, quota_spread, -1.0, VCS_ERR_RANGE),
        BAD_WORD(vcs_next_request, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_next_request request = default_request();
        spoil(&request, &table[i]);
        check_refused(&request, 0, 0, table[i].code, VCS_TYPE_NEXT_REQUEST);
    }
    const vcs_next_request request = default_request();
    check_refused(NULL, 0, 0, VCS_ERR_NULL, VCS_TYPE_NEXT_REQUEST);
    check_refused(&request, (double)NAN, 0, VCS_ERR_NOT_FINITE, VCS_TYPE_NONE);
    check_refused(&request, 0, 1, VCS_ERR_RANGE, VCS_TYPE_NONE);
    vcs_error small = {.struct_size = 8}, error = {.struct_size = sizeof error};
    double seconds = 77;
    assert_int_equal(vcs_next_request_delay(&request, 0, 0, &seconds, NULL, &small), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_next_request_delay(&request, 0, 0, NULL, NULL, &error), VCS_ERR_NULL);
    assert_int_equal(vcs_next_request_init(NULL, sizeof request), VCS_ERR_NULL);
    vcs_next_request untouched = {.sent = 77};
    assert_int_equal(vcs_next_request_init(&untouched, 72), VCS_ERR_ABI_OLDER);
    assert_int_equal(untouched.sent, 77);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_delay_follows_from_the_reply),
        cmocka_unit_test(a_host_can_report_in_time),
        cmocka_unit_test(no_delay_is_below_the_least),
        cmocka_unit_test(a_host_at_its_quota_comes_when_there_is_work),
        cmocka_unit_test(a_host_without_work_finds_it_soon),
        cmocka_unit_test(refuses_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
