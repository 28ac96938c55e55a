/*
 * The chance to be done in time (rule 15.1): by hand, against the sum of all terms, and against hosts that are on and
 * off by chance.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include "oracle/oracle_chance.h"
#include "vcsched/chance/finish.h"
#include "vcsched/chance/race.h"

#include <float.h>
#include <vcsched/chance.h>

#define HOUR 3600.0
#define ENDLESS ((double)INFINITY)

static double chance(double remaining, double window, double spread, double on, double off) {
    double found = -1;
    assert_int_equal(vcs_chance_to_finish(remaining, window, spread, on, off, &found), VCS_OK);
    return found;
}

/* ---- By hand ---- */

/*
 * Spells of 2 and 1 hours; a job of an hour, due in 2: it goes off 1/2 times on average while the job runs, and there
 * is one mean spell of being off to spare. With N ~ Poisson(1) and M ~ Poisson(1/2):
 *
 *     M = 0   .606531 * P[N >= 0] = 1        .606531
 *     M = 1   .303265 * P[N >= 1] = .632121  .191700
 *     M = 2   .075816 * P[N >= 2] = .264241  .020034
 *     M = 3   .012636 * P[N >= 3] = .080301  .001015
 *     M = 4   .001580 * P[N >= 4] = .018988  .000030
 *     M = 5   .000158 * P[N >= 5] = .003660  .000001
 *                                            .81931
 */
static void of_one_spell_to_spare(void **unused) {
    (void)unused;
    assert_true(fabs(chance(HOUR, 2 * HOUR, 0, 2 * HOUR, HOUR) - 0.819310) < 1e-6);
    /* the unit of time does not matter, and neither do the seconds themselves */
    assert_true(fabs(chance(1e-2, 2e-2, 0, 2e-2, 1e-2) - 0.819310) < 1e-6);
}

/* The table of rule 15.1 in doc/rules.md. */
static void the_table(void **unused) {
    (void)unused;
    static const double spare[] = {0.5, 1, 2, 5, 10, 20, 50};
    static const struct {
        double breaks, chance[COUNT_OF(spare)];
    } rows[] = {
        {0.1, {0.9409, 0.9632, 0.9858, 0.9992, 1.0000, 1.0000, 1.0000}},
        {0.5, {0.7329, 0.8193, 0.9181, 0.9928, 0.9999, 1.0000, 1.0000}},
        {1, {0.5301, 0.6543, 0.8174, 0.9767, 0.9994, 1.0000, 1.0000}},
        {2, {0.2690, 0.3943, 0.6035, 0.9139, 0.9958, 1.0000, 1.0000}},
        {5, {0.0300, 0.0656, 0.1686, 0.5639, 0.9256, 0.9995, 1.0000}},
        {10, {0.0006, 0.0021, 0.0105, 0.1198, 0.5449, 0.9742, 1.0000}},
        {20, {0.0000, 0.0000, 0.0000, 0.0011, 0.0393, 0.5316, 0.9999}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (size_t j = 0; j < COUNT_OF(spare); j++) {
            const double remaining = rows[i].breaks * 4 * HOUR;
            const double found = chance(remaining, remaining + spare[j] * HOUR, 0, 4 * HOUR, HOUR);
            assert_true(fabs(found - rows[i].chance[j]) <= 0.500001e-4);
        }
    }
}

static void hosts_that_are_never_off(void **unused) {
    (void)unused;
    assert_number(chance(HOUR, HOUR, 0, HOUR, 0), 1);
    assert_number(chance(HOUR, nextafter(HOUR, 0), 0, HOUR, 0), 0);
    assert_number(chance(HOUR, 2 * HOUR, 0, ENDLESS, 0), 1);
    assert_number(chance(HOUR, nextafter(HOUR, 1e9), 0, ENDLESS, HOUR), 1);
}

static void at_the_limits(void **unused) {
    (void)unused;
    /* off at all is too late: P = e^(-r / on) from just above W = r on, and 0 there */
    assert_number(chance(HOUR, HOUR, 0, 2 * HOUR, HOUR), 0);
    assert_close(chance(HOUR, nextafter(HOUR, 1e9), 0, 2 * HOUR, HOUR), expl(-0.5L), 1e-14);
    /* nothing left to do: in time if there is any time */
    assert_number(chance(0, 1, 0, HOUR, HOUR), 1);
    assert_number(chance(0, 0, 0, HOUR, HOUR), 0);
    /* no deadline, and one that has passed */
    assert_number(chance(1e12, ENDLESS, 0, VCS_MIN_ON, 1e12), 1);
    assert_number(chance(0, -1, 0, HOUR, HOUR), 0);
    assert_number(chance(HOUR, -ENDLESS, 0, HOUR, HOUR), 0);
    /* numbers as great and as small as they can be: one seldom off, one hardly ever on */
    assert_number(chance(1, DBL_MAX, 0, VCS_MIN_ON, DBL_TRUE_MIN), 1);
    assert_number(chance(1e12, nextafter(1e12, 1e13), 1000, VCS_MIN_ON, 1e12), 0);
}

/*
 * A host that is never off, and a spread of 1/2: sizes of .3, .735, 1, 1.265 and 1.7 hours. Of 5 hours of such work
 * those jobs are done within 1.1 hours that have .3 + .735 + 1 of them.
 */
static void of_sizes_with_a_spread(void **unused) {
    (void)unused;
    assert_close(chance(HOUR, 1.1 * HOUR, 0.5, HOUR, 0), 2.035 / 5, 1e-14);
    /* a spread of 1 leaves .47, 1, 1.53 and 2.4: the first size would be below 0 */
    assert_close(chance(HOUR, 1.1 * HOUR, 1, HOUR, 0), 1.47 / 5.4, 1e-14);
    assert_close(chance(HOUR, 5 * HOUR, 1, HOUR, 0), 1, 1e-14);
}

/* ---- Against the sum of all terms ---- */

/* What the header promises. */
static double promised(double breaks) {
    return 1e-14 + 4e-16 * sqrt(breaks);
}

static void check_case(double spare, double breaks, double on, double off) {
    const double remaining = breaks * on, window = remaining + spare * off;
    const double found = chance(remaining, window, 0, on, off);
    const double truth = oracle_chance(remaining, window, on, off);
    /* the oracle adds up more terms, each with a rounding error */
    const double allowed = promised(remaining / on) + 1e-17 * sqrt(fmax(spare, breaks) + 100) * 100;
    if (!(found >= 0 && found <= 1 && fabs(found - truth) <= allowed)) {
        print_error("r/on = %.17g, (W - r)/off = %.17g: %.17g, not %.17g\n", remaining / on, (window - remaining) / off,
                    found, truth);
        fail();
    }
}

static void as_the_sum_has_it(void **unused) {
    (void)unused;
    random_stream stream = {2};
    for (int i = 0; i < 20000; i++) {
        const double on = random_magnitude(&stream, 60, 1e6), off = random_magnitude(&stream, 60, 1e6);
        const double breaks = random_magnitude(&stream, 1e-3, 1e3);
        check_case(random_magnitude(&stream, 1e-3, 1e3), breaks, on, off);
        check_case(breaks + sqrt(2 * breaks) * random_between(&stream, -5, 5 + 10 / breaks), breaks, on, off);
    }
    for (int i = 0; i < 200; i++) {
        const double breaks = random_magnitude(&stream, 1e3, 1e7);
        check_case(breaks + sqrt(2 * breaks) * random_between(&stream, -6, 6), breaks, 1, 1);
    }
}

/* Where the sum ends and the expansion begins. */
static void at_the_seam(void **unused) {
    (void)unused;
    random_stream stream = {3};
    for (int i = 0; i < 20000; i++) {
        const double m = random_between(&stream, 5, 45), n = 225 / m;
        assert_true(fabs(vcs_chance_of_at_least(n * (1 - 1e-15), m) - vcs_chance_of_at_least(n * (1 + 1e-15), m)) <
                    promised(m));
        assert_true(fabs(vcs_chance_of_at_least(n * (1 + 1e-15), m) - oracle_at_least(n, m)) < promised(m));
    }
}

static void it_rises_with_the_window_and_falls_with_the_work(void **unused) {
    (void)unused;
    random_stream stream = {4};
    for (int i = 0; i < 20000; i++) {
        const double on = random_magnitude(&stream, 60, 1e6), off = random_magnitude(&stream, 60, 1e6);
        const double r = on * random_magnitude(&stream, 1e-3, 1e5), w = r + off * random_magnitude(&stream, 1e-3, 1e5);
        const double more = 1 + random_magnitude(&stream, 1e-17, 1), slack = 2 * promised(2 * r / on);
        const double spread = random_below(&stream, 2) * random_between(&stream, 0, 2);
        assert_true(chance(r, w * more, spread, on, off) >= chance(r, w, spread, on, off) - slack);
        assert_true(chance(r * more, w, spread, on, off) <= chance(r, w, spread, on, off) + slack);
    }
}

static void a_wait_comes_before_any_size(void **unused) {
    (void)unused;
    random_stream stream = {5};
    for (int i = 0; i < 20000; i++) {
        const double on = random_magnitude(&stream, 60, 1e6), off = random_magnitude(&stream, 60, 1e6);
        const double r = on * random_magnitude(&stream, 1e-2, 10), w = r + off * random_magnitude(&stream, 1e-2, 10);
        const double spread = random_between(&stream, 0.01, 2), wait = random_below(&stream, 2) * on;
        const vcs_workload task = {wait, r, spread};
        const double found = vcs_chance_of_workload(task, w, (vcs_mean_spells){on, off});
        assert_true(fabs(found - oracle_spread_chance(wait, r, spread, w, on, off)) < 1e-13);
        if (wait == 0) {
            assert_number(chance(r, w, spread, on, off), found);
        }
    }
}

/* ---- In the loop: hosts that are on and off by chance ---- */

static double spell(random_stream *stream, double mean) {
    return -mean * log(1 - random_draw(stream));
}

static int is_done_in_time(random_stream *stream, double remaining, double window, double on, double off) {
    double now = 0;
    for (;;) {
        const double ran = spell(stream, on);
        if (ran >= remaining) {
            return now + remaining <= window;
        }
        remaining -= ran;
        now += ran + spell(stream, off);
    }
}

static void as_often_as_on_such_hosts(void **unused) {
    (void)unused;
    enum { HOSTS = 20000 };
    static const struct {
        double remaining, window, on, off; /* h */
    } table[] = {{1, 2, 2, 1}, {10, 18, 1, 1}, {10, 18, 168, 168}, {10, 30, 1, 1}, {20, 100, 4, 16}, {50, 70, 2, 1}};
    random_stream stream = {6};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        uint32_t done = 0;
        for (int host = 0; host < HOSTS; host++) {
            done += (uint32_t)is_done_in_time(&stream, table[i].remaining, table[i].window, table[i].on, table[i].off);
        }
        const double p = chance(table[i].remaining, table[i].window, 0, table[i].on, table[i].off);
        assert_true(fabs((double)done / HOSTS - p) < 4 * sqrt(p * (1 - p) / HOSTS)); /* one seed in 3,000 fails */
    }
}

/* The same hosts in general: half of them are given what they can do in time, by the mean. */
static void as_often_as_on_hosts_of_all_kinds(void **unused) {
    (void)unused;
    enum { HOSTS = 100000 };
    random_stream stream = {7};
    double expected = 0, variance = 0, done = 0;
    for (int host = 0; host < HOSTS; host++) {
        const double on = random_magnitude(&stream, 0.5, 48), off = random_magnitude(&stream, 0.5, 48);
        const double r = random_magnitude(&stream, 0.5, 100),
                     w = r * (1 + off / on * random_magnitude(&stream, 0.2, 5));
        const double p = chance(r, w, 0, on, off);
        expected += p;
        variance += p * (1 - p);
        done += is_done_in_time(&stream, r, w, on, off);
    }
    assert_true(expected > 0.3 * HOSTS && expected < 0.8 * HOSTS);
    assert_true(fabs(done - expected) < 4 * sqrt(variance));
}

/* ---- Bad input ---- */

static void refuses_bad_input(void **unused) {
    (void)unused;
    static const struct {
        double remaining, window, spread, on, off;
        int code;
    } table[] = {
        {(double)NAN, 1, 0, 1, 1, VCS_ERR_NOT_FINITE},
        {ENDLESS, 1, 0, 1, 1, VCS_ERR_NOT_FINITE},
        {-1, 1, 0, 1, 1, VCS_ERR_RANGE},
        {1.1e12, 1, 0, 1, 1, VCS_ERR_RANGE},
        {1, (double)NAN, 0, 1, 1, VCS_ERR_NOT_FINITE},
        {1, 1, (double)NAN, 1, 1, VCS_ERR_NOT_FINITE},
        {1, 1, -0.1, 1, 1, VCS_ERR_RANGE},
        {1, 1, 1001, 1, 1, VCS_ERR_RANGE},
        {1, 1, ENDLESS, 1, 1, VCS_ERR_NOT_FINITE},
        {1, 1, 0, (double)NAN, 1, VCS_ERR_NOT_FINITE},
        {1, 1, 0, 0, 1, VCS_ERR_RANGE},
        {1, 1, 0, 1.1e12, 1, VCS_ERR_RANGE},
        {1, 1, 0, -ENDLESS, 1, VCS_ERR_NOT_FINITE},
        {1, 1, 0, 1, (double)NAN, VCS_ERR_NOT_FINITE},
        {1, 1, 0, 1, -1, VCS_ERR_RANGE},
        {1, 1, 0, 1, 1.1e12, VCS_ERR_RANGE},
        {1, 1, 0, 1, ENDLESS, VCS_ERR_NOT_FINITE},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        double found = 77;
        assert_int_equal(vcs_chance_to_finish(table[i].remaining, table[i].window, table[i].spread, table[i].on,
                                              table[i].off, &found),
                         table[i].code);
        assert_number(found, 77);
    }
    assert_int_equal(vcs_chance_to_finish(1, 1, 0, 1, 1, NULL), VCS_ERR_NULL);
}

/* ---- Without computing it ---- */

static bool is_sure(double remaining, double window, double spread, double off, double least) {
    return vcs_is_surely_as_likely((vcs_workload){0.0, remaining, spread}, window, (vcs_mean_spells){4.0, off}, least);
}

/*
 * Spells of 4 h and 1 h. A job of 4 h with 2 h to spare: 1 break and 2 spells in the mean, so at least
 * (1 + 2 - 1)^2 / (4 + 1 + 2) = 4/7. With a spread of 1/2 the longest is 6.8 h, which is too long.
 */
static void what_is_sure(void **unused) {
    (void)unused;
    assert_true(is_sure(4, 6, 0, 1, 0.57));
    assert_false(is_sure(4, 6, 0, 1, 0.572));
    assert_false(is_sure(4, 6, 0.5, 1, 0.1));
    assert_false(is_sure(20, 22, 0, 1, 0.1)); /* 5 breaks and 2 spells */
    assert_false(is_sure(4, 6, 0, 0, 0.1));   /* never off: nothing has to be computed */
    assert_false(is_sure(6, 6, 0, 1, 0));     /* no time to spare */
    assert_true(is_sure(4, INFINITY, 0, 1, 0.99));
    assert_false(is_sure(4, INFINITY, 0, 1, 1)); /* no chance is certain */
}

static void what_is_sure_is_so(void **unused) {
    (void)unused;
    random_stream stream = {6};
    uint32_t sure = 0;
    for (int i = 0; i < 20000; i++) {
        const double on = random_magnitude(&stream, 60, 1e6), off = random_magnitude(&stream, 60, 1e6);
        const double r = on * random_magnitude(&stream, 1e-3, 1e3), w = r * (1 + random_magnitude(&stream, 1e-2, 10));
        const double spread = random_below(&stream, 2) * random_between(&stream, 0, 2);
        const double least = random_below(&stream, 2) ? random_draw(&stream) : random_magnitude(&stream, 1e-12, 1);
        const vcs_workload job = {0.0, r, spread};
        if (vcs_is_surely_as_likely(job, w, (vcs_mean_spells){on, off}, least)) {
            assert_true(chance(r, w, spread, on, off) >= least);
            sure++;
        }
    }
    assert_in_range(sure, 4000, 16000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_one_spell_to_spare),
        cmocka_unit_test(the_table),
        cmocka_unit_test(hosts_that_are_never_off),
        cmocka_unit_test(at_the_limits),
        cmocka_unit_test(of_sizes_with_a_spread),
        cmocka_unit_test(as_the_sum_has_it),
        cmocka_unit_test(at_the_seam),
        cmocka_unit_test(it_rises_with_the_window_and_falls_with_the_work),
        cmocka_unit_test(a_wait_comes_before_any_size),
        cmocka_unit_test(as_often_as_on_such_hosts),
        cmocka_unit_test(as_often_as_on_hosts_of_all_kinds),
        cmocka_unit_test(refuses_bad_input),
        cmocka_unit_test(what_is_sure),
        cmocka_unit_test(what_is_sure_is_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
