/*
 * When a result must be reported (rule 15.2).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include "oracle/oracle_chance.h"

#include <vcsched/chance.h>

#define HOUR 3600.0
#define ENDLESS ((double)INFINITY)

static double latest(double deadline, double risk, double on, double off, double now) {
    double found = -1;
    assert_int_equal(vcs_report_latest(deadline, risk, on, off, now, &found), VCS_OK);
    return found;
}

/* ---- By hand ---- */

/*
 * On and off for 10 hours each, and due in 100: the host has forgotten that it was on, and off / (on + off) = 1/2. Half
 * of e^(-(D - h) / 10 h) is 0.02 at D - h = 10 h * ln(25) = 32.189 h. That the host is on now matters little after
 * 67.811 hours: e^(-13.6) of it. So h is 1.3e-6 * 10 h = 0.05 s later.
 */
static void due_in_a_long_time(void **unused) {
    (void)unused;
    const double found = latest(1e6 + 100 * HOUR, 0.02, 10 * HOUR, 10 * HOUR, 1e6);
    const double without_now = 1e6 + 100 * HOUR - 10 * HOUR * log(25);
    assert_true(found - without_now > 0.04 && found - without_now < 0.05);
}

/*
 * The same host, due in 10 minutes: the chance to go off is about (h - t) / on, and it will not be on again in time.
 * 0.02 of ten hours is 12 minutes, which is more than there is.
 */
static void due_soon(void **unused) {
    (void)unused;
    assert_number(latest(600, 0.02, 10 * HOUR, 10 * HOUR, 0), 540);
    /* with spells of an hour that are four times as long off as on: 0.02 * 0.25 h = 18 s, and a little more */
    const double found = latest(600, 0.02, HOUR / 4, HOUR, 0);
    assert_true(found > 18 && found < 22);
}

static void where_there_is_no_risk(void **unused) {
    (void)unused;
    assert_number(latest(5000, 0.02, HOUR, 0, 1000), 4940); /* never off */
    assert_number(latest(5000, 0.02, ENDLESS, HOUR, 1000), 4940);
    assert_number(latest(5000, 1, HOUR, HOUR, 1000), 4940);    /* every risk is taken */
    assert_number(latest(5000, 0.02, HOUR, 1e-3, 1000), 4940); /* never off for a minute */
    assert_number(latest(5000, 0.02, HOUR, 1e-320, 1000), 4940);
    assert_true(latest(ENDLESS, 0.02, HOUR, HOUR, 1000) == ENDLESS);
}

static void where_it_is_too_late_to_wait(void **unused) {
    (void)unused;
    assert_number(latest(1060, 0.02, HOUR, HOUR, 1000), 1000);
    assert_number(latest(1059, 0.02, HOUR, 0, 1000), 1000);
    assert_number(latest(-5, 0.02, HOUR, 0, 1000), 1000); /* the deadline has passed */
    assert_true(latest(1061, 1e-6, VCS_MIN_ON, 1e12, 1000) - 1000 < 1e-6);
}

/* ---- Against the formula ---- */

static void it_is_the_last_moment_with_so_little_risk(void **unused) {
    (void)unused;
    random_stream stream = {1};
    uint32_t in_between = 0;
    for (int i = 0; i < 20000; i++) {
        const double on = random_magnitude(&stream, 600, 1e6), off = random_magnitude(&stream, 600, 1e6);
        const double deadline = random_magnitude(&stream, 1, 3e6), risk = random_magnitude(&stream, 1e-6, 1);
        const double h = latest(deadline, risk, on, off, 0), last = fmax(0, deadline - 60);
        assert_true(h >= 0 && h <= last);
        assert_true(oracle_report_risk(deadline, on, off, 0, h) <= risk * (1 + 1e-9));
        if (h < last) {
            in_between++;
            assert_true(oracle_report_risk(deadline, on, off, 0, h + 1e-5 * deadline) > risk);
        }
    }
    assert_in_range(in_between, 5000, 19000);
}

/* An earlier deadline, less risk, longer spells off: none makes it later. The clock's epoch does not matter. */
static void it_moves_as_it_should(void **unused) {
    (void)unused;
    random_stream stream = {2};
    for (int i = 0; i < 20000; i++) {
        const double on = random_magnitude(&stream, 600, 1e6), off = random_magnitude(&stream, 600, 1e6);
        const double left = random_magnitude(&stream, 1, 3e6), risk = random_magnitude(&stream, 1e-5, 1);
        const double now = random_between(&stream, -2e9, 2e9), h = latest(left, risk, on, off, 0);
        assert_true(latest(left * 0.9, risk, on, off, 0) <= h + 1e-5 * left);
        assert_true(latest(left, risk * 0.9, on, off, 0) <= h);
        assert_true(latest(left, risk, on * 0.9, off, 0) <= h + 1e-5 * left);
        assert_true(fabs(latest(now + left, risk, on, off, now) - now - h) <= 1e-5 * left + 1e-6);
    }
}

/* ---- In the loop ---- */

/*
 * A host that is on for 4 h and off for 8 h on average, with results due in 48 h. It reports at the moment that it was
 * told, or as soon as it is on again after that; the result is late if it is off then and stays so.
 */
static double part_that_is_late(random_stream *stream, uint32_t results, int asks_again) {
    const double on = 4 * HOUR, off = 8 * HOUR, deadline = 48 * HOUR;
    uint32_t late = 0;
    for (uint32_t i = 0; i < results; i++) {
        double now = 0, moment = latest(deadline, 0.02, on, off, 0);
        while (now < moment) {
            const double goes_off = now - on * log(1 - random_draw(stream));
            if (goes_off >= moment) {
                break;
            }
            now = goes_off - off * log(1 - random_draw(stream));
            if (now > deadline) {
                late++;
                break;
            }
            moment = asks_again ? latest(deadline, 0.02, on, off, now) : moment;
        }
    }
    return (double)late / results;
}

/* Asked once, it takes just the risk; asked again whenever it comes on, it takes it again each time. */
static void as_many_are_late_as_may_be(void **unused) {
    (void)unused;
    enum { RESULTS = 40000 };
    random_stream stream = {3};
    assert_true(fabs(part_that_is_late(&stream, RESULTS, 0) - 0.02) < 4 * sqrt(0.02 * 0.98 / RESULTS));
    assert_true(fabs(part_that_is_late(&stream, RESULTS, 1) - 0.043) < 0.005);
}

/* ---- Bad input ---- */

static void refuses_bad_input(void **unused) {
    (void)unused;
    static const struct {
        double deadline, risk, on, off, now;
        int code;
    } table[] = {
        {(double)NAN, 0.02, 1, 1, 0, VCS_ERR_NOT_FINITE},
        {-ENDLESS, 0.02, 1, 1, 0, VCS_ERR_NOT_FINITE},
        {1.1e15, 0.02, 1, 1, 0, VCS_ERR_RANGE},
        {9, (double)NAN, 1, 1, 0, VCS_ERR_NOT_FINITE},
        {9, 0, 1, 1, 0, VCS_ERR_RANGE},
        {9, 1.1, 1, 1, 0, VCS_ERR_RANGE},
        {9, 0.02, 0, 1, 0, VCS_ERR_RANGE},
        {9, 0.02, (double)NAN, 1, 0, VCS_ERR_NOT_FINITE},
        {9, 0.02, 1, -1, 0, VCS_ERR_RANGE},
        {9, 0.02, 1, ENDLESS, 0, VCS_ERR_NOT_FINITE},
        {9, 0.02, 1, 1, (double)NAN, VCS_ERR_NOT_FINITE},
        {9, 0.02, 1, 1, -1.1e15, VCS_ERR_RANGE},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        double found = 77;
        assert_int_equal(
            vcs_report_latest(table[i].deadline, table[i].risk, table[i].on, table[i].off, table[i].now, &found),
            table[i].code);
        assert_number(found, 77);
    }
    assert_int_equal(vcs_report_latest(9, 0.02, 1, 1, 0, NULL), VCS_ERR_NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(due_in_a_long_time),
        cmocka_unit_test(due_soon),
        cmocka_unit_test(where_there_is_no_risk),
        cmocka_unit_test(where_it_is_too_late_to_wait),
        cmocka_unit_test(it_is_the_last_moment_with_so_little_risk),
        cmocka_unit_test(it_moves_as_it_should),
        cmocka_unit_test(as_many_are_late_as_may_be),
        cmocka_unit_test(refuses_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
