/*
 * Waits after failures and the timers that keep them (rules 3.1 to 3.4).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"

#include <stdbool.h>
#include <vcsched/timers.h>
#include <vcsched/host.h>

#define DAY 86400.0

/* 60 ... 14400 s, at most 10 failures: the scheduler's. */
static vcs_backoff_range scheduler_range(uint32_t rule) {
    vcs_backoff_range range = {.struct_size = sizeof range, .rule = rule, .max_failures = 10};
    range.minimum = 60;
    range.maximum = 14400;
    return range;
}

/* Waits of 60 ... 14400 s for schedulers, 600 s ... a day for resources, doubling. */
static vcs_parameters policy(void) {
    vcs_parameters parameters;
    assert_int_equal(vcs_parameters_init(&parameters, sizeof parameters, VCS_PROFILE_CURRENT), VCS_OK);
    return parameters;
}

static double wait_of(const vcs_backoff_range *range, uint32_t failures, double u) {
    double wait = -1;
    assert_int_equal(vcs_backoff(failures, range, u, &wait), VCS_OK);
    return wait;
}

/* ---- The three ways to draw a wait, by hand (rule 3.1) ---- */

typedef struct example {
    uint32_t failures;
    double u;
    long double wait;
} example;

static void check_examples(const vcs_backoff_range *range, const example *examples, size_t count) {
    for (size_t i = 0; i < count; i++) {
        assert_close(wait_of(range, examples[i].failures, examples[i].u), examples[i].wait, 2e-15);
    }
}

static void rule_1_draws_the_exponent(void **unused) {
    (void)unused;
    const example examples[] = {
        /* e^0 = 1, e^0.5 = 1.6, e^1 = 2.7: all below 60 */
        {1, 0.0, 60},
        {1, 0.5, 60},
        {1, ALMOST_ONE, 60},
        /* e^0 = 1, e^2.5 = 12.2, e^5 = 148.41 */
        {5, 0.0, 60},
        {5, 0.5, 60},
        {5, ALMOST_ONE, 148.41315910257660L},
        /* e^0 = 1, e^5, e^10 = 22026 above 14400 */
        {10, 0.0, 60},
        {10, 0.5, 148.41315910257660L},
        {10, ALMOST_ONE, 14400},
        /* failures beyond 10 count as 10 */
        {30, 0.0, 60},
        {30, 0.5, 148.41315910257660L},
        {30, ALMOST_ONE, 14400},
    };
    vcs_backoff_range range = scheduler_range(VCS_BACKOFF_EXPONENT);
    check_examples(&range, examples, COUNT_OF(examples));
    /* without that limit, e^15 = 3269017 */
    range.max_failures = 0;
    assert_number(wait_of(&range, 30, 0.5), 14400.0);
    assert_number(wait_of(&range, 30, 0.0), 60.0);
}

static void rule_2_is_uniform(void **unused) {
    (void)unused;
    const example examples[] = {
        /* e^1 = 2.7 is not above 60 */
        {1, 0.0, 60},
        {1, 0.5, 60},
        {1, ALMOST_ONE, 60},
        /* e^4 = 54.6 neither */
        {4, ALMOST_ONE, 60},
        /* 60 ... e^5 = 148.4131591025766; half way 60 + 44.2065795512883 */
        {5, 0.0, 60},
        {5, 0.5, 104.20657955128830L},
        {5, ALMOST_ONE, 148.41315910257660L},
        /* 60 ... 14400, for e^10 = 22026 is above; half way 60 + 7170 */
        {10, 0.0, 60},
        {10, 0.5, 7230},
        {10, ALMOST_ONE, 14400},
        {30, 0.0, 60},
        {30, 0.5, 7230},
        {30, ALMOST_ONE, 14400},
    };
    vcs_backoff_range range = scheduler_range(VCS_BACKOFF_UNIFORM);
    check_examples(&range, examples, COUNT_OF(examples));
}

static void rule_3_doubles(void **unused) {
    (void)unused;
    const example examples[] = {
        /* 60 * 2 = 120, the half and all of it */
        {1, 0.0, 60},
        {1, 0.5, 90},
        {1, ALMOST_ONE, 120},
        /* 60 * 32 = 1920 */
        {5, 0.0, 960},
        {5, 0.5, 1440},
        {5, ALMOST_ONE, 1920},
        /* 60 * 1024 = 61440, cut at 14400 */
        {10, 0.0, 7200},
        {10, 0.5, 10800},
        {10, ALMOST_ONE, 14400},
        {30, 0.0, 7200},
        {30, 0.5, 10800},
        {30, ALMOST_ONE, 14400},
    };
    vcs_backoff_range range = scheduler_range(VCS_BACKOFF_DOUBLING);
    check_examples(&range, examples, COUNT_OF(examples));
}

static void without_failure_there_is_no_wait(void **unused) {
    (void)unused;
    for (uint32_t rule = VCS_BACKOFF_EXPONENT; rule <= VCS_BACKOFF_DOUBLING; rule++) {
        vcs_backoff_range range = scheduler_range(rule);
        assert_number(wait_of(&range, 0, 0.9), 0.0);
    }
}

static void failures_beyond_the_limit_count_as_it(void **unused) {
    (void)unused;
    for (uint32_t rule = VCS_BACKOFF_EXPONENT; rule <= VCS_BACKOFF_DOUBLING; rule++) {
        vcs_backoff_range range = scheduler_range(rule);
        range.maximum = 1e12;
        range.max_failures = 7;
        assert_true(wait_of(&range, 6, 0.99) < wait_of(&range, 7, 0.99));
        assert_number(wait_of(&range, 8, 0.99), wait_of(&range, 7, 0.99));
        assert_number(wait_of(&range, UINT32_MAX, 0.99), wait_of(&range, 7, 0.99));
    }
}

/* ---- The three rules on random input ---- */

static long double expected_wait(const vcs_backoff_range *range, uint32_t failures, double u) {
    long double n = failures > range->max_failures ? range->max_failures : failures;
    long double least = range->minimum, most = range->maximum;
    switch (range->rule) {
    case VCS_BACKOFF_EXPONENT:
        return fmaxl(least, fminl(most, expl(u * n)));
    case VCS_BACKOFF_UNIFORM:
        return least + u * (fmaxl(least, fminl(most, expl(n))) - least);
    default:
        return fminl(most, least * exp2l(n)) * (0.5L + 0.5L * u);
    }
}

static void waits_equal_the_formulas(void **unused) {
    (void)unused;
    random_stream stream = {1};
    for (int i = 0; i < 200000; i++) {
        vcs_backoff_range range = scheduler_range(1 + random_below(&stream, 3));
        range.minimum = random_magnitude(&stream, 1e-3, 1e6);
        range.maximum = range.minimum * random_magnitude(&stream, 1.0001, 1e6);
        range.max_failures = 1 + random_below(&stream, 1000);
        uint32_t failures = 1 + random_below(&stream, random_below(&stream, 2) ? 20 : 2000);
        double u = random_draw(&stream), wait = wait_of(&range, failures, u);
        assert_close(wait, expected_wait(&range, failures, u), 1e-14);
        assert_true(wait <= range.maximum);
        assert_true(wait >= range.minimum || range.rule == VCS_BACKOFF_DOUBLING);
        assert_true(wait >= range.minimum / 2);
    }
}

static void any_number_of_failures_has_a_wait(void **unused) {
    (void)unused;
    const uint32_t failures[] = {1, 700, 709, 710, 1023, 1024, 1100, 1000000, UINT32_MAX};
    const double draws[] = {0.0, 1e-300, 0.5, ALMOST_ONE};
    for (uint32_t rule = VCS_BACKOFF_EXPONENT; rule <= VCS_BACKOFF_DOUBLING; rule++) {
        vcs_backoff_range range = scheduler_range(rule);
        range.max_failures = 0;
        for (size_t i = 0; i < COUNT_OF(failures) * COUNT_OF(draws); i++) {
            double wait = wait_of(&range, failures[i / COUNT_OF(draws)], draws[i % COUNT_OF(draws)]);
            assert_true(wait >= 60 && wait <= 14400);
        }
        range.minimum = range.maximum = 1e12;
        assert_true(wait_of(&range, UINT32_MAX, 0.0) >= 5e11);
    }
}

/* ---- Ranges from parameters ---- */

static void ranges_come_from_the_parameters(void **unused) {
    (void)unused;
    vcs_parameters parameters;
    vcs_backoff_range range;
    const struct {
        uint32_t purpose;
        double minimum, maximum;
    } table[] = {{VCS_BACKOFF_OF_SCHEDULER, 60, 14400},
                 {VCS_BACKOFF_OF_RESOURCE, 600, 86400},
                 {VCS_BACKOFF_OF_TRANSFER, 61, 14401}};
    assert_int_equal(vcs_parameters_init(&parameters, sizeof parameters, VCS_PROFILE_CURRENT), VCS_OK);
    parameters.transfer_backoff_min = 61;
    parameters.transfer_backoff_max = 14401;
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        memset(&range, 0xff, sizeof range);
        assert_int_equal(vcs_backoff_range_init(&range, sizeof range, &parameters, table[i].purpose, NULL), VCS_OK);
        assert_int_equal(range.struct_size, sizeof range);
        assert_int_equal(range.rule, VCS_BACKOFF_DOUBLING);
        assert_int_equal(range.max_failures, 10);
        assert_number(range.minimum, table[i].minimum);
        assert_number(range.maximum, table[i].maximum);
        assert_true(wait_of(&range, 1, 0.0) > 0); /* so the rest of it is 0 */
    }
}

static void a_newer_callers_range_is_filled_with_zeros(void **unused) {
    (void)unused;
    struct {
        vcs_backoff_range known;
        uint64_t added;
    } newer;
    vcs_parameters parameters;
    double wait = 17;
    memset(&newer, 0xff, sizeof newer);
    assert_int_equal(vcs_parameters_init(&parameters, sizeof parameters, VCS_PROFILE_RPC2003), VCS_OK);
    int code = vcs_backoff_range_init(&newer.known, sizeof newer, &parameters, VCS_BACKOFF_OF_RESOURCE, NULL);
    assert_int_equal(code, VCS_OK);
    assert_int_equal(newer.known.struct_size, sizeof newer);
    assert_int_equal(newer.known.rule, VCS_BACKOFF_EXPONENT);
    assert_true(newer.added == 0);
    assert_int_equal(vcs_backoff(3, &newer.known, 0.5, &wait), VCS_OK);
    newer.added = 1;
    wait = 17;
    assert_int_equal(vcs_backoff(3, &newer.known, 0.5, &wait), VCS_ERR_ABI_NEWER);
    assert_number(wait, 17.0);
}

static void init_refuses_bad_input(void **unused) {
    (void)unused;
    vcs_parameters parameters, spoiled;
    vcs_backoff_range range, before;
    vcs_error error = {.struct_size = sizeof error};
    const uint32_t size = sizeof range;
    memset(&range, 0x55, sizeof range);
    before = range;
    assert_int_equal(vcs_parameters_init(&parameters, sizeof parameters, VCS_PROFILE_CURRENT), VCS_OK);
    spoiled = parameters;
    spoiled.resource_backoff_max = 599;
    assert_int_equal(vcs_backoff_range_init(NULL, size, &parameters, 0, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_backoff_range_init(&range, size, NULL, 0, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_backoff_range_init(&range, 0, &parameters, 0, NULL), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_backoff_range_init(&range, size - 8, &parameters, 0, &error), VCS_ERR_ABI_OLDER);
    assert_true(error.type == VCS_TYPE_BACKOFF_RANGE && error.index == 0);
    assert_int_equal(vcs_backoff_range_init(&range, size, &parameters, 3, NULL), VCS_ERR_FLAGS);
    assert_int_equal(vcs_backoff_range_init(&range, size, &spoiled, 0, &error), VCS_ERR_RANGE);
    assert_int_equal(error.type, VCS_TYPE_PARAMETERS);
    assert_string_equal(error.field, "resource_backoff_max");
    error.struct_size = 0;
    assert_int_equal(vcs_backoff_range_init(&range, size, &parameters, 0, &error), VCS_ERR_ABI_SIZE);
    assert_memory_equal(&range, &before, sizeof range);
}

/* ---- Project timer (rule 3.2) ---- */

static double project_wait(vcs_project_timer *timer, double now) {
    double wait = -1;
    assert_int_equal(vcs_project_timer_wait(timer, now, &wait), VCS_OK);
    return wait;
}

/* All schedulers of the project failed. */
static void fail_project(vcs_project_timer *timer, double now, double u) {
    const vcs_parameters parameters = policy();
    const vcs_reply reply = {.struct_size = sizeof reply, .flags = VCS_REPLY_FAILED, .now = now, .u = u};
    assert_int_equal(vcs_reply_apply(timer, NO_RECORDS, &reply, NO_RECORDS, &parameters, NULL), VCS_OK);
}

static void a_later_reason_moves_the_timer_later(void **unused) {
    (void)unused;
    vcs_project_timer timer = {0};
    assert_number(project_wait(&timer, 1000), 0.0);
    assert_int_equal(vcs_project_timer_delay(&timer, 500, 1000), VCS_OK);
    assert_number(timer.min_rpc_time, 1500.0);
    /* Never earlier: until 1200 is before 1500. */
    assert_int_equal(vcs_project_timer_delay(&timer, 100, 1100), VCS_OK);
    assert_number(timer.min_rpc_time, 1500.0);
    assert_int_equal(vcs_project_timer_delay(&timer, 401, 1100), VCS_OK);
    assert_number(timer.min_rpc_time, 1501.0);
    assert_number(project_wait(&timer, 1400), 101.0);
    assert_number(project_wait(&timer, 1501), 0.0);
    assert_number(project_wait(&timer, 9999), 0.0);
}

static void failures_add_up_until_cleared(void **unused) {
    (void)unused;
    vcs_project_timer timer = {0};
    /* 120 * 0.75, 240 * 0.5, 480 * 0.75 */
    fail_project(&timer, 0, 0.5);
    assert_number(timer.min_rpc_time, 90.0);
    fail_project(&timer, 90, 0);
    assert_number(timer.min_rpc_time, 210.0);
    fail_project(&timer, 210, 0.5);
    assert_number(timer.min_rpc_time, 570.0);
    assert_int_equal(timer.failures, 3);
    /* A delay longer than the backoff wins over it. */
    assert_int_equal(vcs_project_timer_delay(&timer, 4000, 210), VCS_OK);
    fail_project(&timer, 210, 0.5);
    assert_number(timer.min_rpc_time, 4210.0);
    assert_int_equal(timer.failures, 4);
    timer = (vcs_project_timer){0};
    assert_int_equal(timer.failures, 0);
    assert_number(timer.min_rpc_time, 0.0);
    assert_number(project_wait(&timer, 211), 0.0);
    /* The next failure is the first again. */
    fail_project(&timer, 300, 0);
    assert_number(timer.min_rpc_time, 360.0);
}

static void an_epoch_in_the_future_works_too(void **unused) {
    (void)unused;
    vcs_project_timer timer = {0};
    assert_int_equal(vcs_project_timer_delay(&timer, 500, -1000), VCS_OK);
    assert_number(timer.min_rpc_time, -500.0);
    assert_number(project_wait(&timer, -900), 400.0);
    assert_number(project_wait(&timer, -500), 0.0);
}

/* Whatever the clock does, the wait that was left when it went back is the wait that is left after. */
static void a_clock_that_goes_back_keeps_what_is_left(void **unused) {
    (void)unused;
    vcs_project_timer timer = {0};
    assert_int_equal(vcs_project_timer_delay(&timer, 500, 2e9), VCS_OK);
    assert_number(project_wait(&timer, 2e9 + 100), 400.0);
    /* Years back: still 400 s. */
    assert_number(project_wait(&timer, 1e9), 400.0);
    assert_number(timer.min_rpc_time, 1e9 + 400);
    assert_number(project_wait(&timer, 1e9 + 300), 100.0);
    /* A second back */
    assert_number(project_wait(&timer, 1e9 + 299), 100.0);
    /* A delay counts from the new present. */
    assert_int_equal(vcs_project_timer_delay(&timer, 50, 5e8), VCS_OK);
    assert_number(timer.min_rpc_time, 5e8 + 100);
    /* What has passed stays past. */
    assert_number(project_wait(&timer, 6e8), 0.0);
    assert_number(project_wait(&timer, 1e8), 0.0);
    assert_number(project_wait(&timer, 1e8 + 1), 0.0);
}

static void a_project_timer_never_moves_earlier(void **unused) {
    (void)unused;
    random_stream stream = {2};
    vcs_project_timer timer = {0};
    double now = 1e9;
    for (int i = 0; i < 100000; i++) {
        now += random_magnitude(&stream, 1e-3, 1e4);
        double before = timer.min_rpc_time, delay = random_magnitude(&stream, 1e-3, 1e5);
        if (random_below(&stream, 2)) {
            assert_int_equal(vcs_project_timer_delay(&timer, delay, now), VCS_OK);
            assert_true(timer.min_rpc_time >= now + delay);
        } else {
            fail_project(&timer, now, random_draw(&stream));
            assert_true(timer.min_rpc_time >= now + 60);
        }
        assert_true(timer.min_rpc_time >= before);
        if (random_below(&stream, 10) == 0) {
            timer = (vcs_project_timer){0};
        }
    }
}

/* ---- Project and resource (rule 3.3) ---- */

static double resource_wait(vcs_resource_backoff *backoff, double now) {
    double wait = -1;
    assert_int_equal(vcs_resource_backoff_wait(backoff, now, &wait), VCS_OK);
    return wait;
}

/* The project was asked for work for the resource, and sent none. */
static void refuse(vcs_resource_backoff *backoff, double now, double u) {
    const vcs_parameters parameters = policy();
    const vcs_reply reply = {.struct_size = sizeof reply, .now = now};
    const vcs_resource_reply of_resource = {.seconds = 1, .u = u};
    vcs_project_timer timer = {0};
    assert_int_equal(vcs_reply_apply(&timer, ARRAY(backoff, 1), &reply, ARRAY(&of_resource, 1), &parameters, NULL),
                     VCS_OK);
}

static void refusals_double_the_interval(void **unused) {
    (void)unused;
    vcs_resource_backoff backoff = {0};
    assert_number(resource_wait(&backoff, 0), 0.0);
    /* 600 * (0.5 + 0.25) */
    refuse(&backoff, 1000, 0.25);
    assert_number(backoff.interval, 600.0);
    assert_number(backoff.until, 1450.0);
    /* Asked along with another resource while backed off: nothing changes. */
    refuse(&backoff, 1449, 0.9);
    assert_number(backoff.interval, 600.0);
    assert_number(backoff.until, 1450.0);
    assert_number(resource_wait(&backoff, 1449), 1.0);
    assert_number(resource_wait(&backoff, 1450), 0.0);
    /* 1200 * 1.25, 2400 * 0.5 */
    refuse(&backoff, 1450, 0.75);
    assert_number(backoff.until, 2950.0);
    refuse(&backoff, 3000, 0);
    assert_number(backoff.interval, 2400.0);
    assert_number(backoff.until, 4200.0);
}

static void the_interval_ends_at_a_day(void **unused) {
    (void)unused;
    /* 600, 1200, 2400, 4800, 9600, 19200, 38400, 76800, then 86400 */
    const double intervals[] = {600, 1200, 2400, 4800, 9600, 19200, 38400, 76800, 86400, 86400, 86400};
    vcs_resource_backoff backoff = {0};
    for (size_t i = 0; i < COUNT_OF(intervals); i++) {
        double now = 1e6 * (double)(i + 1);
        refuse(&backoff, now, ALMOST_ONE);
        assert_number(backoff.interval, intervals[i]);
        assert_close(backoff.until, now + 1.5L * intervals[i], 1e-15);
    }
    backoff = (vcs_resource_backoff){0};
    assert_number(resource_wait(&backoff, 1e6), 0.0);
    refuse(&backoff, 2e7, 0.5);
    assert_number(backoff.interval, 600.0);
}

static void an_interval_from_elsewhere_is_brought_into_the_range(void **unused) {
    (void)unused;
    vcs_resource_backoff backoff = {.interval = 1e12}, short_one = {.interval = 1};
    refuse(&backoff, 5, 0.5);
    assert_number(backoff.interval, DAY);
    refuse(&short_one, 5, 0.5);
    assert_number(short_one.interval, 600.0);
}

static void a_resource_backoff_survives_a_clock_that_goes_back(void **unused) {
    (void)unused;
    vcs_resource_backoff backoff = {0};
    refuse(&backoff, 4e9, 0.5);
    assert_number(resource_wait(&backoff, 4e9), 600.0);
    assert_number(resource_wait(&backoff, 1e9), 600.0);
    /* still backed off: no doubling */
    refuse(&backoff, 1e9 - 1000, 0.5);
    assert_number(backoff.interval, 600.0);
    assert_number(resource_wait(&backoff, 1e9 - 900), 500.0);
    assert_number(resource_wait(&backoff, 1e9 - 400), 0.0);
}

/* ---- Transfers (rule 3.4) ---- */

static double transfer_wait(vcs_transfer_backoff *backoff, double now) {
    double wait = -1;
    assert_int_equal(vcs_transfer_backoff_wait(backoff, now, &wait), VCS_OK);
    return wait;
}

static void fail_transfer(vcs_transfer_backoff *backoff, double now, double u) {
    vcs_backoff_range range = scheduler_range(VCS_BACKOFF_DOUBLING);
    assert_int_equal(vcs_transfer_backoff_failed(backoff, &range, now, u), VCS_OK);
}

static void transfers_back_off_at_the_third_failure(void **unused) {
    (void)unused;
    vcs_transfer_backoff backoff = {0};
    fail_transfer(&backoff, 1000, 0.5);
    assert_number(transfer_wait(&backoff, 1000), 0.0);
    fail_transfer(&backoff, 1001, 0.5);
    assert_number(transfer_wait(&backoff, 1001), 0.0);
    /* n = 3: 480 * 0.75 */
    fail_transfer(&backoff, 1002, 0.5);
    assert_number(transfer_wait(&backoff, 1002), 360.0);
    assert_int_equal(backoff.failures, 3);
    /* Files that were under way fail too: not counted. */
    for (int file = 0; file < 5; file++) {
        fail_transfer(&backoff, 1002 + file, 0.9);
    }
    assert_int_equal(backoff.failures, 3);
    assert_number(backoff.until, 1362.0);
    /* n = 4: 960 * 0.5 */
    fail_transfer(&backoff, 1362, 0);
    assert_int_equal(backoff.failures, 4);
    assert_number(backoff.until, 1842.0);
    backoff = (vcs_transfer_backoff){0};
    assert_number(transfer_wait(&backoff, 1363), 0.0);
}

static void files_that_fail_together_are_one_failure(void **unused) {
    (void)unused;
    vcs_transfer_backoff backoff = {0};
    for (int moment = 1; moment <= 3; moment++) {
        for (int file = 0; file < 6; file++) {
            fail_transfer(&backoff, 10.0 * moment, 0.5);
        }
        assert_int_equal(backoff.failures, moment);
    }
    assert_number(transfer_wait(&backoff, 30), 360.0);
}

/* When to give up, as the header says it. */
static bool is_hopeless(vcs_transfer_backoff *backoff, double now) {
    transfer_wait(backoff, now);
    return backoff->failures > 0 && now - backoff->failing_since >= 90 * DAY;
}

static void gives_up_after_a_time_without_success(void **unused) {
    (void)unused;
    vcs_transfer_backoff backoff = {0};
    assert_false(is_hopeless(&backoff, 1e9));
    fail_transfer(&backoff, 1e9, 0.5);
    for (int day = 1; day < 90; day++) {
        fail_transfer(&backoff, 1e9 + day * DAY, 0.5);
        assert_false(is_hopeless(&backoff, 1e9 + day * DAY));
    }
    assert_true(is_hopeless(&backoff, 1e9 + 90 * DAY));
    backoff = (vcs_transfer_backoff){0};
    assert_false(is_hopeless(&backoff, 1e9 + 91 * DAY));
    /* The next failure is the first again. */
    fail_transfer(&backoff, 1e9 + 92 * DAY, 0.5);
    assert_false(is_hopeless(&backoff, 1e9 + 181 * DAY));
    assert_true(is_hopeless(&backoff, 1e9 + 182 * DAY));
}

static void transfers_survive_a_clock_that_goes_back(void **unused) {
    (void)unused;
    vcs_transfer_backoff backoff = {0};
    fail_transfer(&backoff, 4e9, 0.5);
    fail_transfer(&backoff, 4e9 + 1, 0.5);
    fail_transfer(&backoff, 4e9 + 2, 0.5);
    assert_number(transfer_wait(&backoff, 1e9), 360.0);
    assert_number(backoff.failing_since, 1e9 - 2);
    assert_number(backoff.failed_at, 1e9);
    assert_false(is_hopeless(&backoff, 1e9 + 90 * DAY - 3));
    assert_true(is_hopeless(&backoff, 1e9 + 90 * DAY - 2));
}

/* ---- Ends of the ranges ---- */

static void counts_of_failures_do_not_wrap(void **unused) {
    (void)unused;
    vcs_project_timer timer = {.failures = UINT32_MAX};
    vcs_transfer_backoff backoff = {.failures = UINT32_MAX};
    fail_project(&timer, 5, 0.5);
    assert_true(timer.failures == UINT32_MAX);
    fail_transfer(&backoff, 5, 0.5);
    assert_true(backoff.failures == UINT32_MAX);
}

static void times_stay_in_range(void **unused) {
    (void)unused;
    vcs_project_timer timer = {0};
    assert_int_equal(vcs_project_timer_delay(&timer, 1e12, 1e15), VCS_OK);
    assert_number(timer.min_rpc_time, 1e15);
    assert_number(project_wait(&timer, 1e15), 0.0);
    vcs_transfer_backoff backoff = {.seen = 1e15, .until = -1e15, .failing_since = -1e15, .failed_at = -1e15};
    assert_number(transfer_wait(&backoff, -1e15), 0.0);
    assert_number(backoff.until, -1e15);
    assert_number(backoff.failing_since, -1e15);
}

/* ---- Bad input ---- */

static void refuses_bad_ranges(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_backoff_range, struct_size, 0, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_backoff_range, struct_size, 4104, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_backoff_range, struct_size, sizeof(vcs_backoff_range) - 8, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_backoff_range, flags, 1, VCS_ERR_FLAGS),
        BAD_WORD(vcs_backoff_range, rule, 0, VCS_ERR_FLAGS),
        BAD_WORD(vcs_backoff_range, rule, 4, VCS_ERR_FLAGS),
        NOT_FINITE(vcs_backoff_range, minimum),
        BAD_NUMBER(vcs_backoff_range, minimum, 0.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_backoff_range, minimum, -60.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_backoff_range, minimum, 14401.0, VCS_ERR_RANGE),
        NOT_FINITE(vcs_backoff_range, maximum),
        BAD_NUMBER(vcs_backoff_range, maximum, 59.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_backoff_range, maximum, 1.1e12, VCS_ERR_RANGE),
        BAD_WORD(vcs_backoff_range, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_backoff_range range = scheduler_range(VCS_BACKOFF_DOUBLING);
        spoil(&range, &table[i]);
        double wait = 17;
        vcs_transfer_backoff transfer = {.failures = 3}, transfer_before = transfer;
        assert_int_equal(vcs_backoff(3, &range, 0.5, &wait), table[i].code);
        assert_int_equal(vcs_transfer_backoff_failed(&transfer, &range, 1, 0.5), table[i].code);
        assert_number(wait, 17.0);
        assert_memory_equal(&transfer, &transfer_before, sizeof transfer);
    }
}

static void refuses_bad_draws_and_times(void **unused) {
    (void)unused;
    const double nan = (double)NAN, inf = (double)INFINITY;
    const struct {
        double now, u;
        int code;
    } table[] = {{1, nan, VCS_ERR_NOT_FINITE}, {1, inf, VCS_ERR_NOT_FINITE},  {1, -1e-9, VCS_ERR_RANGE},
                 {1, 1.0, VCS_ERR_RANGE},      {1, 2.0, VCS_ERR_RANGE},       {nan, 0.5, VCS_ERR_NOT_FINITE},
                 {inf, 0, VCS_ERR_NOT_FINITE}, {-inf, 0, VCS_ERR_NOT_FINITE}, {1.1e15, 0.5, VCS_ERR_RANGE},
                 {-1.1e15, 0, VCS_ERR_RANGE}};
    vcs_backoff_range range = scheduler_range(VCS_BACKOFF_DOUBLING);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        const double now = table[i].now, u = table[i].u;
        vcs_project_timer timer = {.failures = 3}, timer_before = timer;
        vcs_resource_backoff resource = {.interval = 3}, resource_before = resource;
        vcs_transfer_backoff transfer = {.failures = 3}, transfer_before = transfer;
        assert_int_equal(vcs_transfer_backoff_failed(&transfer, &range, now, u), table[i].code);
        double wait = 17;
        if (now != 1) {
            assert_int_equal(vcs_project_timer_delay(&timer, 5, now), table[i].code);
            assert_int_equal(vcs_project_timer_wait(&timer, now, &wait), table[i].code);
            assert_int_equal(vcs_resource_backoff_wait(&resource, now, &wait), table[i].code);
            assert_int_equal(vcs_transfer_backoff_wait(&transfer, now, &wait), table[i].code);
        } else {
            assert_int_equal(vcs_backoff(3, &range, u, &wait), table[i].code);
        }
        assert_number(wait, 17.0);
        assert_memory_equal(&timer, &timer_before, sizeof timer);
        assert_memory_equal(&resource, &resource_before, sizeof resource);
        assert_memory_equal(&transfer, &transfer_before, sizeof transfer);
    }
}

static void refuses_bad_project_timers(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_project_timer, min_rpc_time),
        BAD_NUMBER(vcs_project_timer, min_rpc_time, 1.1e15, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_project_timer, min_rpc_time, -1.1e15, VCS_ERR_RANGE),
        NOT_FINITE(vcs_project_timer, seen),
        BAD_NUMBER(vcs_project_timer, seen, 1.1e15, VCS_ERR_RANGE),
        BAD_WORD(vcs_project_timer, reserved0, 1, VCS_ERR_ABI_NEWER),
        BAD_WORD(vcs_project_timer, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    vcs_backoff_range range = scheduler_range(VCS_BACKOFF_DOUBLING);
    double wait = 17;
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_project_timer timer = {.min_rpc_time = 5, .seen = 3};
        spoil(&timer, &table[i]);
        vcs_project_timer before = timer;
        assert_int_equal(vcs_project_timer_delay(&timer, 5, 1), table[i].code);
        assert_int_equal(vcs_project_timer_wait(&timer, 1, &wait), table[i].code);
        assert_memory_equal(&timer, &before, sizeof timer);
    }
    vcs_project_timer timer = {0}, before = timer;
    assert_int_equal(vcs_project_timer_delay(NULL, 5, 1), VCS_ERR_NULL);
    assert_int_equal(vcs_project_timer_delay(&timer, (double)NAN, 1), VCS_ERR_NOT_FINITE);
    assert_int_equal(vcs_project_timer_delay(&timer, -5, 1), VCS_ERR_RANGE);
    assert_int_equal(vcs_project_timer_delay(&timer, 1.1e12, 1), VCS_ERR_RANGE);
    assert_int_equal(vcs_project_timer_wait(NULL, 1, &wait), VCS_ERR_NULL);
    assert_int_equal(vcs_project_timer_wait(&timer, 1, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_backoff(1, NULL, 0.5, &wait), VCS_ERR_NULL);
    assert_int_equal(vcs_backoff(1, &range, 0.5, NULL), VCS_ERR_NULL);
    assert_memory_equal(&timer, &before, sizeof timer);
    assert_number(wait, 17.0);
}

static void refuses_bad_resource_backoffs(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_resource_backoff, interval),
        BAD_NUMBER(vcs_resource_backoff, interval, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_resource_backoff, interval, 1.1e12, VCS_ERR_RANGE),
        NOT_FINITE(vcs_resource_backoff, until),
        BAD_NUMBER(vcs_resource_backoff, until, 1.1e15, VCS_ERR_RANGE),
        NOT_FINITE(vcs_resource_backoff, seen),
        BAD_NUMBER(vcs_resource_backoff, seen, -1.1e15, VCS_ERR_RANGE),
        BAD_WORD(vcs_resource_backoff, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    double wait = 17;
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_resource_backoff backoff = {.interval = 5, .seen = 3};
        spoil(&backoff, &table[i]);
        vcs_resource_backoff before = backoff;
        assert_int_equal(vcs_resource_backoff_wait(&backoff, 1, &wait), table[i].code);
        assert_memory_equal(&backoff, &before, sizeof backoff);
    }
    vcs_resource_backoff backoff = {0}, before = backoff;
    assert_int_equal(vcs_resource_backoff_wait(NULL, 1, &wait), VCS_ERR_NULL);
    assert_int_equal(vcs_resource_backoff_wait(&backoff, 1, NULL), VCS_ERR_NULL);
    assert_memory_equal(&backoff, &before, sizeof backoff);
    assert_number(wait, 17.0);
}

static void refuses_bad_transfer_backoffs(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_transfer_backoff, until),
        BAD_NUMBER(vcs_transfer_backoff, until, 1.1e15, VCS_ERR_RANGE),
        NOT_FINITE(vcs_transfer_backoff, seen),
        BAD_NUMBER(vcs_transfer_backoff, seen, 1.1e15, VCS_ERR_RANGE),
        NOT_FINITE(vcs_transfer_backoff, failing_since),
        BAD_NUMBER(vcs_transfer_backoff, failing_since, -1.1e15, VCS_ERR_RANGE),
        NOT_FINITE(vcs_transfer_backoff, failed_at),
        BAD_NUMBER(vcs_transfer_backoff, failed_at, 1.1e15, VCS_ERR_RANGE),
        BAD_WORD(vcs_transfer_backoff, reserved0, 1, VCS_ERR_ABI_NEWER),
        BAD_WORD(vcs_transfer_backoff, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    vcs_backoff_range range = scheduler_range(VCS_BACKOFF_DOUBLING);
    double wait = 17;
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_transfer_backoff backoff = {.failures = 2, .seen = 3};
        spoil(&backoff, &table[i]);
        vcs_transfer_backoff before = backoff;
        assert_int_equal(vcs_transfer_backoff_failed(&backoff, &range, 1, 0.5), table[i].code);
        assert_int_equal(vcs_transfer_backoff_wait(&backoff, 1, &wait), table[i].code);
        assert_memory_equal(&backoff, &before, sizeof backoff);
    }
    vcs_transfer_backoff backoff = {0}, before = backoff;
    assert_int_equal(vcs_transfer_backoff_failed(NULL, &range, 1, 0.5), VCS_ERR_NULL);
    assert_int_equal(vcs_transfer_backoff_failed(&backoff, NULL, 1, 0.5), VCS_ERR_NULL);
    assert_int_equal(vcs_transfer_backoff_wait(NULL, 1, &wait), VCS_ERR_NULL);
    assert_int_equal(vcs_transfer_backoff_wait(&backoff, 1, NULL), VCS_ERR_NULL);
    assert_memory_equal(&backoff, &before, sizeof backoff);
    assert_number(wait, 17.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_1_draws_the_exponent),
        cmocka_unit_test(rule_2_is_uniform),
        cmocka_unit_test(rule_3_doubles),
        cmocka_unit_test(without_failure_there_is_no_wait),
        cmocka_unit_test(failures_beyond_the_limit_count_as_it),
        cmocka_unit_test(waits_equal_the_formulas),
        cmocka_unit_test(any_number_of_failures_has_a_wait),
        cmocka_unit_test(ranges_come_from_the_parameters),
        cmocka_unit_test(a_newer_callers_range_is_filled_with_zeros),
        cmocka_unit_test(init_refuses_bad_input),
        cmocka_unit_test(a_later_reason_moves_the_timer_later),
        cmocka_unit_test(failures_add_up_until_cleared),
        cmocka_unit_test(an_epoch_in_the_future_works_too),
        cmocka_unit_test(a_clock_that_goes_back_keeps_what_is_left),
        cmocka_unit_test(a_project_timer_never_moves_earlier),
        cmocka_unit_test(refusals_double_the_interval),
        cmocka_unit_test(the_interval_ends_at_a_day),
        cmocka_unit_test(an_interval_from_elsewhere_is_brought_into_the_range),
        cmocka_unit_test(a_resource_backoff_survives_a_clock_that_goes_back),
        cmocka_unit_test(transfers_back_off_at_the_third_failure),
        cmocka_unit_test(files_that_fail_together_are_one_failure),
        cmocka_unit_test(gives_up_after_a_time_without_success),
        cmocka_unit_test(transfers_survive_a_clock_that_goes_back),
        cmocka_unit_test(counts_of_failures_do_not_wrap),
        cmocka_unit_test(times_stay_in_range),
        cmocka_unit_test(refuses_bad_ranges),
        cmocka_unit_test(refuses_bad_draws_and_times),
        cmocka_unit_test(refuses_bad_project_timers),
        cmocka_unit_test(refuses_bad_resource_backoffs),
        cmocka_unit_test(refuses_bad_transfer_backoffs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
