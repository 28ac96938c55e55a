/*
 * Exponential averages (rule 1.1).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include <vcsched/accounts.h>

#define DAY 86400.0
#define WEEKLY (1.0 / (7.0 * DAY))

static vcs_average average_of(double value, double time) {
    vcs_average average = {value, time, {0, 0}};
    return average;
}

/* ---- Worked by hand (rule 1.1) ---- */

static void add_loses_a_factor_of_e_in_a_week(void **unused) {
    (void)unused;
    /* 100 * e^-1 + 5 = 36.787944117144233 + 5 */
    vcs_average average = average_of(100.0, 1000.0);
    assert_int_equal(vcs_average_add(&average, 5.0, WEEKLY, 1000.0 + 7.0 * DAY), VCS_OK);
    assert_close(average.value, 41.787944117144233L, 4e-16);
    assert_number(average.time, 1000.0 + 7.0 * DAY);
}

static void add_decays_by_the_square_root_in_half_the_time(void **unused) {
    (void)unused;
    /* 100 * e^-0.5 = 60.653065971263342 */
    vcs_average average = average_of(100.0, 0.0);
    assert_int_equal(vcs_average_add(&average, 0.0, WEEKLY, 3.5 * DAY), VCS_OK);
    assert_close(average.value, 60.653065971263342L, 4e-16);
}

static void add_at_the_same_moment_only_adds(void **unused) {
    (void)unused;
    vcs_average average = average_of(100.0, 50.0);
    assert_int_equal(vcs_average_add(&average, 7.0, WEEKLY, 50.0), VCS_OK);
    assert_number(average.value, 107.0);
}

static void blend_goes_half_way_in_a_half_life(void **unused) {
    (void)unused;
    /* w = 1/2; 100 * 1/2 + 1/2 * 1000 / 10 days = 50 + 50 */
    vcs_average average = average_of(100.0, 0.0);
    assert_int_equal(vcs_average_blend(&average, 1000.0, 10.0 * DAY, 10.0 * DAY), VCS_OK);
    assert_close(average.value, 100.0L, 4e-16);
    /* and on: w = 1/4 after two more half-lives; 100 / 4 + 3/4 * 40 / 20 days = 25 + 1.5 */
    assert_int_equal(vcs_average_blend(&average, 40.0, 10.0 * DAY, 30.0 * DAY), VCS_OK);
    assert_close(average.value, 26.5L, 4e-16);
    assert_number(average.time, 30.0 * DAY);
}

static void blend_without_time_has_a_limit(void **unused) {
    (void)unused;
    /* 3 + ln 2 * 10 * 86400 / 86400 = 3 + 6.931471805599453 */
    vcs_average average = average_of(3.0, 20.0);
    assert_int_equal(vcs_average_blend(&average, 10.0, DAY, 20.0), VCS_OK);
    assert_close(average.value, 9.9314718055994531L, 4e-16);
}

/* 200 credits a day for 100 days: 200 * (1 - 2^-10) = 199.8046875, however the days are cut up. */
static void blend_approaches_the_daily_rate(void **unused) {
    (void)unused;
    const int pieces[] = {1, 7, 100, 2400};
    for (size_t i = 0; i < COUNT_OF(pieces); i++) {
        vcs_average average = average_of(0.0, 0.0);
        for (int piece = 1; piece <= pieces[i]; piece++) {
            double now = 100.0 * DAY * piece / pieces[i];
            assert_int_equal(vcs_average_blend(&average, 20000.0 / pieces[i], 10.0 * DAY, now), VCS_OK);
        }
        assert_close(average.value, 199.8046875L, 1e-12);
    }
}

static void a_clock_that_goes_back_costs_nothing(void **unused) {
    (void)unused;
    vcs_average average = average_of(100.0, 1e9);
    assert_int_equal(vcs_average_add(&average, 2.0, WEEKLY, 5e8), VCS_OK);
    assert_number(average.value, 102.0);
    assert_number(average.time, 5e8);
    /* From then on time counts from the new present: a week later a factor of e is gone. */
    assert_int_equal(vcs_average_add(&average, 0.0, WEEKLY, 5e8 + 7.0 * DAY), VCS_OK);
    assert_close(average.value, 102.0L * expl(-1.0L), 4e-16);

    average = average_of(100.0, 1e9);
    assert_int_equal(vcs_average_blend(&average, 10.0, DAY, -1e9), VCS_OK);
    assert_close(average.value, 100.0L + 10.0L * logl(2.0L), 4e-16);
    assert_number(average.time, -1e9);
}

static void credits_of_a_day(void **unused) {
    (void)unused;
    double credits;
    assert_int_equal(vcs_credits(1e9 * DAY, &credits), VCS_OK);
    assert_close(credits, 200.0L, 4e-16);
    assert_int_equal(vcs_credits(0.0, &credits), VCS_OK);
    assert_number(credits, 0.0);
}

/* ---- On random input, against the C library in long double ---- */

static void add_equals_the_formula(void **unused) {
    (void)unused;
    random_stream stream = {1};
    for (int i = 0; i < 100000; i++) {
        double value = random_magnitude(&stream, 1e-3, 1e12), work = random_magnitude(&stream, 1e-3, 1e12);
        double rate = random_magnitude(&stream, 1e-12, 1.0), dt = random_magnitude(&stream, 1e-6, 1e8);
        vcs_average average = average_of(value, 0.0);
        assert_int_equal(vcs_average_add(&average, work, rate, dt), VCS_OK);
        /* An exponent x that is off by half an ulp moves e^-x by x times as much. */
        double tolerance = 1e-15 + 2.3e-16 * fmin(dt * rate, 750.0);
        assert_close(average.value, value * expl(-(long double)dt * rate) + work, tolerance);
    }
}

static void blend_equals_the_formula(void **unused) {
    (void)unused;
    random_stream stream = {2};
    const long double ln2 = logl(2.0L);
    for (int i = 0; i < 100000; i++) {
        double value = random_magnitude(&stream, 1e-3, 1e12), work = random_magnitude(&stream, 1e-3, 1e12);
        double half_life = random_magnitude(&stream, 1.0, 1e9), dt = random_magnitude(&stream, 1e-9, 1e10);
        vcs_average average = average_of(value, 0.0);
        assert_int_equal(vcs_average_blend(&average, work, half_life, dt), VCS_OK);
        long double x = (long double)dt / half_life;
        long double expected = value * exp2l(-x) - expm1l(-x * ln2) * work / (dt / (long double)DAY);
        assert_close(average.value, expected, 2e-15 + 2.3e-16 * fmin((double)x, 1100.0));
    }
}

/* The limit is not a step: shorter and shorter intervals lead to it. */
static void blend_leads_to_its_limit(void **unused) {
    (void)unused;
    const double half_life = 10.0 * DAY;
    long double limit = logl(2.0L) * 1000.0L * DAY / half_life;
    for (double dt = 1.0; dt > 1e-300; dt /= 7.0) {
        vcs_average average = average_of(0.0, 0.0);
        assert_int_equal(vcs_average_blend(&average, 1000.0, half_life, dt), VCS_OK);
        assert_close(average.value, limit, 1e-15 + dt / half_life);
    }
}

/* Decay alone may be done in any number of steps. */
static void decay_composes(void **unused) {
    (void)unused;
    random_stream stream = {3};
    for (int i = 0; i < 10000; i++) {
        double half_life = random_magnitude(&stream, 1.0, 1e9);
        double first = half_life * random_between(&stream, 0.0, 5.0);
        double second = first + half_life * random_between(&stream, 0.0, 5.0);
        vcs_average at_once = average_of(1000.0, 0.0), in_two = at_once;
        assert_int_equal(vcs_average_blend(&at_once, 0.0, half_life, second), VCS_OK);
        assert_int_equal(vcs_average_blend(&in_two, 0.0, half_life, first), VCS_OK);
        assert_int_equal(vcs_average_blend(&in_two, 0.0, half_life, second), VCS_OK);
        assert_close(in_two.value, at_once.value, 1e-14);
    }
}

/* ---- Ends of the ranges ---- */

static void after_ages_nothing_is_left(void **unused) {
    (void)unused;
    vcs_average average = average_of(1e30, -1e15);
    assert_int_equal(vcs_average_add(&average, 0.0, 1.0, 1e15), VCS_OK);
    assert_number(average.value, 0.0);
    average = average_of(1e30, -1e15);
    assert_int_equal(vcs_average_blend(&average, 0.0, 1.0, 1e15), VCS_OK);
    assert_number(average.value, 0.0);
    average = average_of(1e30, 0.0);
    assert_int_equal(vcs_average_blend(&average, 0.0, 1e12, 0.0), VCS_OK);
    assert_number(average.value, 1e30);
}

static void refuses_to_outgrow_its_record(void **unused) {
    (void)unused;
    vcs_average average = average_of(1e30, 5.0), before = average;
    assert_int_equal(vcs_average_add(&average, 1e30, WEEKLY, 5.0), VCS_ERR_RANGE);
    assert_memory_equal(&average, &before, sizeof average);
    /* ln 2 * 1e30 * 86400 / 1 */
    assert_int_equal(vcs_average_blend(&average, 1e30, 1.0, 5.0), VCS_ERR_RANGE);
    assert_memory_equal(&average, &before, sizeof average);
}

/* ---- Bad input ---- */

typedef int advance(vcs_average *average, double work, double speed, double now);

static void check_bad_record(advance *call, double speed) {
    static const bad_field table[] = {
        NOT_FINITE(vcs_average, value),
        BAD_NUMBER(vcs_average, value, -1e-300, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_average, value, 1.1e30, VCS_ERR_RANGE),
        NOT_FINITE(vcs_average, time),
        BAD_NUMBER(vcs_average, time, 1.1e15, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_average, time, -1.1e15, VCS_ERR_RANGE),
        BAD_WORD(vcs_average, reserved, 1, VCS_ERR_ABI_NEWER),
        BAD_WORD(vcs_average, reserved[1], 0x80000000u, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_average average = average_of(1.0, 2.0);
        spoil(&average, &table[i]);
        vcs_average before = average;
        assert_int_equal(call(&average, 4.0, speed, 3.0), table[i].code);
        assert_memory_equal(&average, &before, sizeof average);
    }
    assert_int_equal(call(NULL, 4.0, speed, 3.0), VCS_ERR_NULL);
}

typedef struct bad_arguments {
    double speed, now, work;
    int code;
} bad_arguments;

static void check_bad_arguments(advance *call, const bad_arguments *table, size_t count) {
    for (size_t i = 0; i < count; i++) {
        vcs_average average = average_of(1.0, 2.0), before = average;
        assert_int_equal(call(&average, table[i].work, table[i].speed, table[i].now), table[i].code);
        assert_memory_equal(&average, &before, sizeof average);
    }
}

static void add_refuses_bad_input(void **unused) {
    (void)unused;
    const double inf = (double)INFINITY, nan = (double)NAN;
    const bad_arguments table[] = {
        {nan, 3.0, 4.0, VCS_ERR_NOT_FINITE},    {inf, 3.0, 4.0, VCS_ERR_NOT_FINITE},
        {0.0, 3.0, 4.0, VCS_ERR_RANGE},         {-WEEKLY, 3.0, 4.0, VCS_ERR_RANGE},
        {1.1, 3.0, 4.0, VCS_ERR_RANGE},         {WEEKLY, nan, 4.0, VCS_ERR_NOT_FINITE},
        {WEEKLY, inf, 4.0, VCS_ERR_NOT_FINITE}, {WEEKLY, -inf, 4.0, VCS_ERR_NOT_FINITE},
        {WEEKLY, 1.1e15, 4.0, VCS_ERR_RANGE},   {WEEKLY, -1.1e15, 4.0, VCS_ERR_RANGE},
        {WEEKLY, 3.0, nan, VCS_ERR_NOT_FINITE}, {WEEKLY, 3.0, inf, VCS_ERR_NOT_FINITE},
        {WEEKLY, 3.0, -1.0, VCS_ERR_RANGE},     {WEEKLY, 3.0, 1.1e30, VCS_ERR_RANGE},
    };
    check_bad_record(vcs_average_add, WEEKLY);
    check_bad_arguments(vcs_average_add, table, COUNT_OF(table));
}

static void blend_refuses_bad_input(void **unused) {
    (void)unused;
    const double inf = (double)INFINITY, nan = (double)NAN;
    const bad_arguments table[] = {
        {nan, 3.0, 4.0, VCS_ERR_NOT_FINITE}, {inf, 3.0, 4.0, VCS_ERR_NOT_FINITE}, {0.0, 3.0, 4.0, VCS_ERR_RANGE},
        {-DAY, 3.0, 4.0, VCS_ERR_RANGE},     {0.9, 3.0, 4.0, VCS_ERR_RANGE},      {1.1e12, 3.0, 4.0, VCS_ERR_RANGE},
        {DAY, nan, 4.0, VCS_ERR_NOT_FINITE}, {DAY, 1.1e15, 4.0, VCS_ERR_RANGE},   {DAY, 3.0, nan, VCS_ERR_NOT_FINITE},
        {DAY, 3.0, -1e-9, VCS_ERR_RANGE},    {DAY, 3.0, 1.1e30, VCS_ERR_RANGE},
    };
    check_bad_record(vcs_average_blend, DAY);
    check_bad_arguments(vcs_average_blend, table, COUNT_OF(table));
}

static void credits_refuse_bad_input(void **unused) {
    (void)unused;
    double credits = 17.0;
    assert_int_equal(vcs_credits(1.0, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_credits((double)NAN, &credits), VCS_ERR_NOT_FINITE);
    assert_int_equal(vcs_credits(-1.0, &credits), VCS_ERR_RANGE);
    assert_int_equal(vcs_credits(1.1e30, &credits), VCS_ERR_RANGE);
    assert_number(credits, 17.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(add_loses_a_factor_of_e_in_a_week),
        cmocka_unit_test(add_decays_by_the_square_root_in_half_the_time),
        cmocka_unit_test(add_at_the_same_moment_only_adds),
        cmocka_unit_test(blend_goes_half_way_in_a_half_life),
        cmocka_unit_test(blend_without_time_has_a_limit),
        cmocka_unit_test(blend_approaches_the_daily_rate),
        cmocka_unit_test(a_clock_that_goes_back_costs_nothing),
        cmocka_unit_test(credits_of_a_day),
        cmocka_unit_test(add_equals_the_formula),
        cmocka_unit_test(blend_equals_the_formula),
        cmocka_unit_test(blend_leads_to_its_limit),
        cmocka_unit_test(decay_composes),
        cmocka_unit_test(after_ages_nothing_is_left),
        cmocka_unit_test(refuses_to_outgrow_its_record),
        cmocka_unit_test(add_refuses_bad_input),
        cmocka_unit_test(blend_refuses_bad_input),
        cmocka_unit_test(credits_refuse_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
