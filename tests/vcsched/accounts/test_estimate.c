/*
 * Estimates, the duration correction factor, the usable fraction (rules 2.1 to 2.4, 13.5, 13.9).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include <stdbool.h>
#include <vcsched/accounts.h>
#include <vcsched/host.h>

/* A task with this static estimate, s, at 1e9 FLOPS. */
static vcs_progress progress_of(double seconds, double elapsed, double fraction_done) {
    vcs_progress progress = {.struct_size = sizeof progress, .est_flops = seconds * 1e9, .flops = 1e9};
    progress.elapsed = elapsed;
    progress.fraction_done = fraction_done;
    return progress;
}

static double remaining_of(const vcs_progress *progress, uint32_t rule) {
    double seconds = -1;
    assert_int_equal(vcs_estimate_remaining(progress, rule, &seconds, NULL), VCS_OK);
    return seconds;
}

/* The static estimate of the whole: what remains when nothing is done. */
static double total_of(const vcs_progress *progress) {
    vcs_progress fresh = *progress;
    fresh.fraction_done = 0;
    return remaining_of(&fresh, VCS_ESTIMATE_STATIC);
}

/* ---- Static, by hand (rule 2.1) ---- */

static void static_estimate_knows_size_correction_and_efficiency(void **unused) {
    (void)unused;
    vcs_progress progress = {.struct_size = sizeof progress, .est_flops = 1.3e13, .flops = 1e9};
    /* 1.3e13 / 1e9 = 13000; times 1.5 = 19500; at half a CPU second per second twice that */
    assert_number(total_of(&progress), 13000.0);
    progress.dcf = 1.5;
    assert_number(total_of(&progress), 19500.0);
    progress.efficiency = 0.5;
    assert_number(total_of(&progress), 39000.0);
    /* What has been done does not change the whole. */
    progress.elapsed = 500;
    progress.fraction_done = 0.25;
    assert_number(total_of(&progress), 39000.0);
    assert_number(remaining_of(&progress, VCS_ESTIMATE_STATIC), 29250.0);
}

/* ---- Blend, by hand (rule 2.2) ---- */

static void blend_weighs_by_the_fraction_done(void **unused) {
    (void)unused;
    /* S = 10000, E = 2000, F = 1/2: A = 4000 - 2000 = 2000, B = 5000; 1/2 * 2000 + 1/2 * 5000 = 3500 */
    vcs_progress progress = progress_of(10000, 2000, 0.5);
    assert_number(remaining_of(&progress, VCS_ESTIMATE_BLEND), 3500.0);
    /* F = 1/4: A = 8000 - 2000 = 6000, B = 7500; 1500 + 5625 = 7125 */
    progress.fraction_done = 0.25;
    assert_number(remaining_of(&progress, VCS_ESTIMATE_BLEND), 7125.0);
    /* Done without any time: A = 0; 3/4 * 7500 = 5625 */
    progress.elapsed = 0;
    assert_number(remaining_of(&progress, VCS_ESTIMATE_BLEND), 5625.0);
    /* Nothing done yet: B alone */
    progress.fraction_done = 0;
    assert_number(remaining_of(&progress, VCS_ESTIMATE_BLEND), 10000.0);
}

static void blend_drops_an_estimate_that_was_wrong(void **unused) {
    (void)unused;
    /* S = 1000, E = 2000 > S, F = 1/4: A alone, 2000 / (1/4) - 2000 = 6000 */
    vcs_progress progress = progress_of(1000, 2000, 0.25);
    assert_number(remaining_of(&progress, VCS_ESTIMATE_BLEND), 6000.0);
    /* At E = S it still counts: A = 3000, B = 750; 750 + 562.5 */
    progress.elapsed = 1000;
    assert_number(remaining_of(&progress, VCS_ESTIMATE_BLEND), 1312.5);
}

static void exact_progress_is_believed(void **unused) {
    (void)unused;
    /* Rule 2.2: S = 36000, E = 360, F = 1/10: A alone, 360 / (1/10) - 360 = 3240, not 9 or 10 hours. */
    static const uint32_t rules[] = {VCS_ESTIMATE_BLEND, VCS_ESTIMATE_DEPLOYED};
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        vcs_progress progress = progress_of(36000, 360, 0.1);
        assert_true(remaining_of(&progress, rules[i]) > 29000);
        progress.flags = VCS_PROGRESS_EXACT;
        assert_number(remaining_of(&progress, rules[i]), 3240);
        progress.elapsed = 0; /* not known: by its size, 9/10 of it (of it again, weighted) */
        assert_number(remaining_of(&progress, rules[i]), i == 0 ? 29160 : 32400);
        progress.elapsed = 360;
        progress.fraction_done = 0; /* nothing reported, so nothing is exact */
        const double exact = remaining_of(&progress, rules[i]);
        progress.flags = 0;
        assert_number(exact, remaining_of(&progress, rules[i]));
        progress.fraction_done = 1;
        progress.flags = VCS_PROGRESS_EXACT;
        assert_number(remaining_of(&progress, rules[i]), 0);
    }
    /* Rules 2.1 and 13.5 know no such thing. */
    vcs_progress progress = progress_of(36000, 360, 0.1);
    progress.flags = VCS_PROGRESS_EXACT;
    assert_number(remaining_of(&progress, VCS_ESTIMATE_STATIC), 32400);
    assert_number(remaining_of(&progress, VCS_ESTIMATE_STUDY), 0.9 * (360 + 0.9 * 36000));
}

/* Carried out, a task that runs at a constant speed ends when it was said to end, at every look. */
static void exact_progress_agrees_with_itself(void **unused) {
    (void)unused;
    for (uint32_t step = 1; step <= 100; step++) {
        vcs_progress progress = progress_of(36000, 36.0 * step, 0.01 * step);
        progress.flags = VCS_PROGRESS_EXACT;
        assert_true(fabs(progress.elapsed + remaining_of(&progress, VCS_ESTIMATE_DEPLOYED) - 3600) < 1e-6);
    }
}

static void blend_of_a_silent_task_is_exponential(void **unused) {
    (void)unused;
    /* E = S: total = 1000 / (1 - 1/e), less 1000: 1000 / (e - 1) = 581.9767068693264 */
    vcs_progress progress = progress_of(1000, 1000, 0);
    assert_close(remaining_of(&progress, VCS_ESTIMATE_BLEND), 581.97670686932642L, 1e-15);
    /* E = 10 S: 10000 / (e^10 - 1) = 0.45401991009687765 */
    progress.elapsed = 10000;
    assert_close(remaining_of(&progress, VCS_ESTIMATE_BLEND), 0.45401991009687765L, 4e-15);
    /* It has hardly begun. */
    progress.elapsed = 1e-200;
    assert_number(remaining_of(&progress, VCS_ESTIMATE_BLEND), 1000.0);
    /* It was to take no time, or has taken ages. */
    progress.elapsed = 1e9;
    assert_number(remaining_of(&progress, VCS_ESTIMATE_BLEND), 0.0);
    progress = progress_of(0, 5, 0);
    assert_number(remaining_of(&progress, VCS_ESTIMATE_BLEND), 0.0);
}

/* ---- The study's way, by hand (rule 13.5) ---- */

static void study_weighs_totals(void **unused) {
    (void)unused;
    /* S = 10000, E = 2000, F = 1/2: T = 1/2 * 4000 + 1/2 * 10000 = 7000; 1/2 * 7000 = 3500 */
    vcs_progress progress = progress_of(10000, 2000, 0.5);
    assert_number(remaining_of(&progress, VCS_ESTIMATE_STUDY), 3500.0);
    /* S = 1000, E = 2000, F = 1/4: T = 1/4 * 8000 + 3/4 * 1000 = 2750; 3/4 * 2750 = 2062.5, not A alone */
    progress = progress_of(1000, 2000, 0.25);
    assert_number(remaining_of(&progress, VCS_ESTIMATE_STUDY), 2062.5);
    /* F = 0: B alone, however long it has run */
    progress.fraction_done = 0;
    assert_number(remaining_of(&progress, VCS_ESTIMATE_STUDY), 1000.0);
}

/* ---- The deployed way, by hand (rule 2.2) ---- */

static void deployed_believes_the_size_until_it_has_proved_wrong(void **unused) {
    (void)unused;
    /* S = 10000, E = 2000, F = 1/2: 5000, though at its own speed 2000 are left */
    vcs_progress progress = progress_of(10000, 2000, 0.5);
    assert_number(remaining_of(&progress, VCS_ESTIMATE_DEPLOYED), 5000.0);
    progress.dcf = 1.5;
    assert_number(remaining_of(&progress, VCS_ESTIMATE_DEPLOYED), 7500.0);
    /* S = 1000, F = 1/4: at E = S it still counts; then A alone, 1001 / (1/4) - 1001 = 3003 */
    progress = progress_of(1000, 1000, 0.25);
    assert_number(remaining_of(&progress, VCS_ESTIMATE_DEPLOYED), 750.0);
    progress.elapsed = 1001;
    assert_number(remaining_of(&progress, VCS_ESTIMATE_DEPLOYED), 3003.0);
    /* It has not begun, or does not report: E = S, 1000 / (e - 1) */
    progress = progress_of(1000, 0, 0);
    assert_number(remaining_of(&progress, VCS_ESTIMATE_DEPLOYED), 1000.0);
    progress.elapsed = 1000;
    assert_close(remaining_of(&progress, VCS_ESTIMATE_DEPLOYED), 581.97670686932642L, 1e-15);
}

static void nothing_is_left_of_a_task_that_is_done(void **unused) {
    (void)unused;
    const double done[] = {1.0, 1.0000001, 7.0, 1e300};
    for (uint32_t rule = VCS_ESTIMATE_STATIC; rule <= VCS_ESTIMATE_DEPLOYED; rule++) {
        for (size_t i = 0; i < COUNT_OF(done); i++) {
            vcs_progress before = progress_of(1000, 100, done[i]), after = progress_of(1000, 5000, done[i]);
            assert_number(remaining_of(&before, rule), 0.0);
            assert_number(remaining_of(&after, rule), 0.0);
        }
    }
}

/* ---- Estimates on random input, in long double ---- */

static long double expected_remaining(uint32_t rule, long double f, long double e, long double s) {
    long double b = (1 - f) * s;
    if (f >= 1) {
        return 0;
    }
    if (rule == VCS_ESTIMATE_STATIC || (rule == VCS_ESTIMATE_STUDY && f == 0)) {
        return b;
    }
    if (rule == VCS_ESTIMATE_STUDY) {
        return (1 - f) * (f * (e / f) + (1 - f) * s);
    }
    if (f == 0) {
        return e > 0 ? e / expm1l(e / s) : s;
    }
    long double a = e / f - e;
    if (e > s) {
        return a;
    }
    return rule == VCS_ESTIMATE_DEPLOYED ? b : f * a + (1 - f) * b;
}

static void estimates_equal_the_formulas(void **unused) {
    (void)unused;
    random_stream stream = {1};
    for (int i = 0; i < 200000; i++) {
        double s = random_magnitude(&stream, 1e-3, 1e7);
        double e = random_below(&stream, 4) ? s * random_magnitude(&stream, 1e-9, 30) : 0;
        double f = random_below(&stream, 3) ? random_draw(&stream) : 0;
        f = random_below(&stream, 10) ? f : random_magnitude(&stream, 1e-9, 2);
        uint32_t rule = random_below(&stream, 4);
        vcs_progress progress = {.struct_size = sizeof progress, .est_flops = s, .flops = 1, .elapsed = e};
        progress.fraction_done = f;
        /* 1 - F is exact to half an ulp of 1, which is more than half an ulp of a small rest. */
        double tolerance = 1e-14 + (f < 1 ? 2e-16 / (1 - f) : 0);
        long double expected = fminl(expected_remaining(rule, f, e, s), VCS_MAX_SECONDS);
        assert_close(remaining_of(&progress, rule), expected, tolerance);
    }
}

/* A silent task has ever less left, but never nothing while it is not much over its time. */
static void a_silent_task_has_ever_less_left(void **unused) {
    (void)unused;
    double before = 1000;
    for (double elapsed = 1; elapsed < 20000; elapsed += 1) {
        vcs_progress progress = progress_of(1000, elapsed, 0);
        double left = remaining_of(&progress, VCS_ESTIMATE_BLEND);
        assert_true(left > 0 && left < before);
        before = left;
    }
}

static void estimates_stay_in_range(void **unused) {
    (void)unused;
    vcs_progress progress = {.struct_size = sizeof progress, .est_flops = 1e30, .flops = 1e-3, .dcf = 1e6};
    progress.efficiency = 5e-324;
    for (uint32_t rule = VCS_ESTIMATE_STATIC; rule <= VCS_ESTIMATE_DEPLOYED; rule++) {
        progress.elapsed = 0;
        progress.fraction_done = 0;
        assert_number(remaining_of(&progress, rule), VCS_MAX_SECONDS);
        progress.elapsed = 1e12;
        progress.fraction_done = 1e-9;
        bool by_size = rule == VCS_ESTIMATE_STATIC || rule == VCS_ESTIMATE_DEPLOYED;
        assert_number(remaining_of(&progress, rule), by_size ? (1 - 1e-9) * 1e12 : VCS_MAX_SECONDS);
    }
    assert_number(total_of(&progress), VCS_MAX_SECONDS);
    /* A task that is far over its time and has done next to nothing. */
    progress = progress_of(1, 1e12, 5e-324);
    assert_number(remaining_of(&progress, VCS_ESTIMATE_BLEND), VCS_MAX_SECONDS);
    progress = progress_of(0, 0, 0);
    assert_number(remaining_of(&progress, VCS_ESTIMATE_BLEND), 0.0);
}

/* ---- Duration correction factor (rules 2.3 and 2.4) ---- */

/* Learns from a task that took `ratio` times its static estimate of 1000 s. */
static void learn(vcs_correction *correction, double ratio) {
    vcs_progress finished = progress_of(1000, 1000 * ratio, 1);
    assert_int_equal(vcs_correction_update(correction, &finished, NULL), VCS_OK);
}

static void raises_at_once_and_falls_slowly(void **unused) {
    (void)unused;
    vcs_correction correction = {.dcf = 1};
    /* adj = 5 > 1.1: 5 */
    learn(&correction, 5);
    assert_number(correction.dcf, 5.0);
    /* adj = 0.2 / 5 = 0.04 < 0.1: 0.99 * 5 + 0.01 * 0.2 = 4.952 */
    learn(&correction, 0.2);
    assert_close(correction.dcf, 4.952L, 4e-16);
    /* adj = 1 / 4.952 = 0.2019: 0.9 * 4.952 + 0.1 * 1 = 4.5568 */
    learn(&correction, 1);
    assert_close(correction.dcf, 4.5568L, 4e-16);
    /* adj = 5 / 4.5568 = 1.097, not above 1.1: 0.9 * 4.5568 + 0.1 * 5 = 4.60112 */
    learn(&correction, 5);
    assert_close(correction.dcf, 4.60112L, 4e-16);
    /* adj = 5.2 / 4.60112 = 1.13: 5.2 */
    learn(&correction, 5.2);
    assert_number(correction.dcf, 5.2);
    assert_int_equal(correction.tasks, 5);
}

/*
 * By the mean: a first task that takes 6 times its estimate is one of five, (4 * 1 + 6) / 5 = 2, the next one that
 * takes a fifth of it one of six, (5 * 2 + 0.2) / 6 = 1.7. From the 29th on each counts for 0.03.
 */
static void by_the_mean_it_rises_and_falls_alike(void **unused) {
    (void)unused;
    vcs_correction correction = {.rule = VCS_CORRECTION_MEAN};
    learn(&correction, 6);
    assert_close(correction.dcf, 2.0L, 4e-16);
    learn(&correction, 0.2);
    assert_close(correction.dcf, 1.7L, 4e-16);
    assert_int_equal(correction.tasks, 2);
    correction = (vcs_correction){.dcf = 1, .tasks = 28, .rule = VCS_CORRECTION_MEAN}; /* 1 / 33 > 0.03 */
    learn(&correction, 34);
    assert_close(correction.dcf, 2.0L, 4e-16);
    learn(&correction, 102); /* 1 / 34 < 0.03: 0.97 * 2 + 0.03 * 102 */
    assert_close(correction.dcf, 5.0L, 4e-16);
    learn(&correction, 1e6);
    assert_number(correction.dcf, 100.0);
}

/* Of tasks that take up to twice their estimate, the deployed factor learns the longest, this the mean. */
static void the_mean_of_many_is_right(void **unused) {
    (void)unused;
    random_stream stream = {4};
    vcs_correction mean = {.rule = VCS_CORRECTION_MEAN}, deployed = {0};
    double sum = 0, sum_deployed = 0;
    for (int task = 0; task < 20000; task++) {
        const double ratio = random_between(&stream, 0, 2);
        learn(&mean, ratio);
        learn(&deployed, ratio);
        assert_true(mean.dcf > 0.5 && mean.dcf < 1.5);
        sum += mean.dcf / 20000;
        sum_deployed += deployed.dcf / 20000;
    }
    assert_true(fabs(sum - 1) < 0.01);
    assert_true(sum_deployed > 1.4);
}

/* As if it were 1: raises at once, and the first fall as slow as any. */
static void what_was_never_learned_is_one(void **unused) {
    (void)unused;
    const struct {
        double ratio;
        long double learned;
    } cases[] = {
        {5, 5}, {100, 100}, {1, 1}, {1.05, 1.005L}, /* 0.9 + 0.1 * 1.05 */
        {0.2, 0.92L},                               /* 0.9 + 0.1 * 0.2 */
        {0.04, 0.9904L},                            /* 0.99 + 0.01 * 0.04 */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        vcs_correction correction = {0}, one = {.dcf = 1};
        learn(&correction, cases[i].ratio);
        learn(&one, cases[i].ratio);
        assert_close(correction.dcf, cases[i].learned, 4e-16);
        assert_memory_equal(&correction, &one, sizeof one);
        assert_int_equal(correction.tasks, 1);
    }
}

static void the_factor_is_kept_in_its_range(void **unused) {
    (void)unused;
    vcs_correction correction = {0};
    learn(&correction, 1000);
    assert_number(correction.dcf, 100.0);
    correction.dcf = 0.0101;
    learn(&correction, 0);
    assert_number(correction.dcf, 0.01);
    for (int i = 0; i < 3; i++) {
        learn(&correction, 0);
        assert_number(correction.dcf, 0.01);
    }
    /* Set from outside beyond the learned range: 0.9 * 1e6 + 0.1 * 2e5 = 9.2e5, cut at 100 */
    correction.dcf = 1e6;
    learn(&correction, 2e5);
    assert_number(correction.dcf, 100.0);
}

static void efficiency_is_no_error_of_the_estimate(void **unused) {
    (void)unused;
    /* 1000 CPU seconds at half a CPU second per second are estimated at 2000 s, so 2000 s teach a factor of 1. */
    vcs_progress finished = progress_of(1000, 2000, 1);
    finished.efficiency = 0.5;
    finished.dcf = 7; /* not looked at */
    vcs_correction correction = {0};
    assert_int_equal(vcs_correction_update(&correction, &finished, NULL), VCS_OK);
    assert_number(correction.dcf, 1.0);
}

static void a_zero_estimate_leaves_the_factor_unchanged(void **unused) {
    (void)unused;
    vcs_progress finished = progress_of(0, 2000, 1);
    vcs_correction correction = {.dcf = 3, .tasks = 4}, before = correction;
    assert_int_equal(vcs_correction_update(&correction, &finished, NULL), VCS_OK);
    assert_memory_equal(&correction, &before, sizeof correction);
}

static void the_count_of_tasks_does_not_wrap(void **unused) {
    (void)unused;
    vcs_correction correction = {.dcf = 1, .tasks = UINT64_MAX};
    learn(&correction, 1);
    assert_true(correction.tasks == UINT64_MAX);
}

/* How far off the corrected estimate of the next task is: 1 is exact. */
static double error_of(const vcs_correction *correction, double ratio) {
    vcs_progress next = progress_of(1000, 0, 0);
    next.dcf = correction->dcf;
    return total_of(&next) / (1000 * ratio);
}

/*
 * One project, two applications: tasks of one take 5 times their estimate, tasks of the other a fifth. A factor for
 * each application is right after forty tasks of each; a single factor for the project never is.
 */
static void one_factor_for_two_kinds_of_task_swings(void **unused) {
    (void)unused;
    vcs_correction of_long = {0}, of_short = {0}, of_project = {0};
    for (int task = 0; task < 40; task++) {
        learn(&of_long, 5);
        learn(&of_short, 0.2);
        learn(&of_project, 5);
        learn(&of_project, 0.2);
    }
    assert_true(fabs(error_of(&of_long, 5) - 1) < 0.1);
    assert_true(fabs(error_of(&of_short, 0.2) - 1) < 0.1);
    double highest = 0, lowest = 100;
    for (int task = 0; task < 1000; task++) {
        learn(&of_project, 5);
        assert_true(error_of(&of_project, 0.2) > 20);
        highest = fmax(highest, of_project.dcf);
        /* Nine short tasks in between do not make it right for them, but wrong for the next long one. */
        for (int more = 0; more < 9; more++) {
            learn(&of_project, 0.2);
        }
        assert_true(error_of(&of_project, 0.2) > 10);
        lowest = fmin(lowest, of_project.dcf);
    }
    assert_number(highest, 5.0);
    assert_true(lowest < 0.95 * highest);
}

/* With errors of a quarter either way, a factor for each application stays within what its own tasks show. */
static void a_factor_follows_noisy_tasks(void **unused) {
    (void)unused;
    random_stream stream = {2};
    vcs_correction correction = {0};
    for (int task = 0; task < 10000; task++) {
        learn(&correction, 5 * random_between(&stream, 0.75, 1.25));
        assert_true(correction.dcf >= 0.7499999 * 5 && correction.dcf <= 1.25 * 5);
    }
}

/* ---- Usable fraction (rule 13.9) ---- */

static void the_usable_fraction_is_learned(void **unused) {
    (void)unused;
    /* A day of half use from 1: 1/e + (1 - 1/e) * 0.5 = 0.6839397205857212 */
    vcs_usable usable = {0};
    assert_int_equal(vcs_usable_update(&usable, 86400, 43200), VCS_OK);
    assert_close(usable.fraction, 0.68393972058572117L, 4e-16);
    /* Nothing was scheduled: nothing is learned. */
    assert_int_equal(vcs_usable_update(&usable, 0, 0), VCS_OK);
    assert_close(usable.fraction, 0.68393972058572117L, 4e-16);
    /* In the long run it is what it is, in steps of any length. */
    for (int day = 0; day < 100; day++) {
        assert_int_equal(vcs_usable_update(&usable, 86400, 0.796 * 86400), VCS_OK);
    }
    assert_close(usable.fraction, 0.796L, 1e-14);
}

static void the_usable_fraction_stays_a_fraction(void **unused) {
    (void)unused;
    vcs_usable usable = {.fraction = 0.5};
    assert_int_equal(vcs_usable_update(&usable, 1e12, 0), VCS_OK);
    assert_number(usable.fraction, 0.001);
    assert_int_equal(vcs_usable_update(&usable, 1e12, 1e12), VCS_OK);
    assert_number(usable.fraction, 1.0);
    /* More than was scheduled counts as all. */
    assert_int_equal(vcs_usable_update(&usable, 1e5, 1e12), VCS_OK);
    assert_number(usable.fraction, 1.0);
}

static void the_usable_fraction_equals_the_formula(void **unused) {
    (void)unused;
    random_stream stream = {3};
    for (int i = 0; i < 100000; i++) {
        double fraction = random_between(&stream, 0.01, 1.0), scheduled = random_magnitude(&stream, 1e-6, 1e6);
        double ran = scheduled * random_between(&stream, 0.01, 1.0);
        vcs_usable usable = {.fraction = fraction};
        assert_int_equal(vcs_usable_update(&usable, scheduled, ran), VCS_OK);
        long double days = scheduled / 86400.0L;
        assert_close(usable.fraction, fraction * expl(-days) - expm1l(-days) * ran / scheduled, 4e-15);
    }
}

/* ---- Bad input ---- */

static const bad_field bad_progress[] = {
    BAD_WORD(vcs_progress, struct_size, 0, VCS_ERR_ABI_SIZE),
    BAD_WORD(vcs_progress, struct_size, 4104, VCS_ERR_ABI_SIZE),
    BAD_WORD(vcs_progress, struct_size, sizeof(vcs_progress) - 4, VCS_ERR_ABI_SIZE),
    BAD_WORD(vcs_progress, struct_size, sizeof(vcs_progress) - 8, VCS_ERR_ABI_OLDER),
    BAD_WORD(vcs_progress, flags, 2, VCS_ERR_FLAGS),
    NOT_FINITE(vcs_progress, est_flops),
    BAD_NUMBER(vcs_progress, est_flops, -1.0, VCS_ERR_RANGE),
    BAD_NUMBER(vcs_progress, est_flops, 1.1e30, VCS_ERR_RANGE),
    NOT_FINITE(vcs_progress, flops),
    BAD_NUMBER(vcs_progress, flops, 0.0, VCS_ERR_RANGE),
    BAD_NUMBER(vcs_progress, flops, -1e9, VCS_ERR_RANGE),
    BAD_NUMBER(vcs_progress, flops, 1.1e30, VCS_ERR_RANGE),
    NOT_FINITE(vcs_progress, dcf),
    BAD_NUMBER(vcs_progress, dcf, -1.0, VCS_ERR_RANGE),
    BAD_NUMBER(vcs_progress, dcf, 1.1e6, VCS_ERR_RANGE),
    NOT_FINITE(vcs_progress, efficiency),
    BAD_NUMBER(vcs_progress, efficiency, -0.1, VCS_ERR_RANGE),
    BAD_NUMBER(vcs_progress, efficiency, 1.1, VCS_ERR_RANGE),
    NOT_FINITE(vcs_progress, elapsed),
    BAD_NUMBER(vcs_progress, elapsed, -1.0, VCS_ERR_RANGE),
    BAD_NUMBER(vcs_progress, elapsed, 1.1e12, VCS_ERR_RANGE),
    NOT_FINITE(vcs_progress, fraction_done),
    BAD_NUMBER(vcs_progress, fraction_done, -1e-9, VCS_ERR_RANGE),
    BAD_WORD(vcs_progress, reserved, 1, VCS_ERR_ABI_NEWER),
};

static void refuses_bad_progress(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(bad_progress); i++) {
        vcs_progress progress = progress_of(1000, 100, 0.5);
        vcs_correction correction = {.dcf = 2, .tasks = 3}, before = correction;
        double seconds = 17;
        vcs_error error = {.struct_size = sizeof error};
        spoil(&progress, &bad_progress[i]);
        assert_int_equal(vcs_estimate_remaining(&progress, VCS_ESTIMATE_STATIC, &seconds, &error),
                         bad_progress[i].code);
        assert_int_equal(error.code, bad_progress[i].code);
        assert_int_equal(error.type, VCS_TYPE_PROGRESS);
        assert_int_equal(error.offset, bad_progress[i].offset);
        assert_int_equal(vcs_estimate_remaining(&progress, VCS_ESTIMATE_BLEND, &seconds, NULL), bad_progress[i].code);
        assert_number(seconds, 17.0);
        assert_int_equal(vcs_correction_update(&correction, &progress, NULL), bad_progress[i].code);
        assert_memory_equal(&correction, &before, sizeof correction);
    }
}

static void a_newer_callers_progress(void **unused) {
    (void)unused;
    struct {
        vcs_progress known;
        uint64_t added;
    } newer = {.known = progress_of(1000, 0, 0)};
    double seconds = 17;
    newer.known.struct_size = sizeof newer;
    newer.added = 1;
    assert_int_equal(vcs_estimate_remaining(&newer.known, VCS_ESTIMATE_STATIC, &seconds, NULL), VCS_ERR_ABI_NEWER);
    assert_number(seconds, 17.0);
    newer.added = 0;
    assert_int_equal(vcs_estimate_remaining(&newer.known, VCS_ESTIMATE_STATIC, &seconds, NULL), VCS_OK);
    assert_number(seconds, 1000.0);
}

static void estimates_refuse_bad_arguments(void **unused) {
    (void)unused;
    vcs_progress progress = progress_of(1000, 100, 0.5);
    double seconds = 17;
    vcs_error error = {.struct_size = 9};
    assert_int_equal(vcs_estimate_remaining(&progress, VCS_ESTIMATE_STATIC, &seconds, &error), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_estimate_remaining(NULL, VCS_ESTIMATE_BLEND, &seconds, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_estimate_remaining(&progress, VCS_ESTIMATE_BLEND, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_estimate_remaining(&progress, 4, &seconds, NULL), VCS_ERR_FLAGS);
    assert_number(seconds, 17.0);
}

static void refuses_bad_corrections(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_correction, dcf),
        BAD_NUMBER(vcs_correction, dcf, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_correction, dcf, 1.1e6, VCS_ERR_RANGE),
        BAD_WORD(vcs_correction, reserved, 1, VCS_ERR_ABI_NEWER),
        BAD_WORD(vcs_correction, rule, 2, VCS_ERR_FLAGS),
    };
    vcs_progress finished = progress_of(1000, 2000, 1);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_correction correction = {.dcf = 2};
        spoil(&correction, &table[i]);
        vcs_correction before = correction;
        assert_int_equal(vcs_correction_update(&correction, &finished, NULL), table[i].code);
        assert_memory_equal(&correction, &before, sizeof correction);
        }
    vcs_correction correction = {.dcf = 2};
    vcs_error error = {.struct_size = 9};
    assert_int_equal(vcs_correction_update(NULL, &finished, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_correction_update(&correction, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_correction_update(&correction, &finished, &error), VCS_ERR_ABI_SIZE);
    assert_number(correction.dcf, 2.0);
}

static void refuses_bad_usable_fractions(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_usable, fraction),
        BAD_NUMBER(vcs_usable, fraction, -0.1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_usable, fraction, 1.1, VCS_ERR_RANGE),
        BAD_WORD(vcs_usable, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_usable usable = {.fraction = 0.5};
        spoil(&usable, &table[i]);
        vcs_usable before = usable;
        assert_int_equal(vcs_usable_update(&usable, 10, 5), table[i].code);
        assert_memory_equal(&usable, &before, sizeof usable);
    }
    vcs_usable usable = {.fraction = 0.5};
    assert_int_equal(vcs_usable_update(NULL, 10, 5), VCS_ERR_NULL);
    assert_int_equal(vcs_usable_update(&usable, (double)NAN, 5), VCS_ERR_NOT_FINITE);
    assert_int_equal(vcs_usable_update(&usable, 10, (double)INFINITY), VCS_ERR_NOT_FINITE);
    assert_int_equal(vcs_usable_update(&usable, -10, 5), VCS_ERR_RANGE);
    assert_int_equal(vcs_usable_update(&usable, 10, -5), VCS_ERR_RANGE);
    assert_int_equal(vcs_usable_update(&usable, 1.1e12, 5), VCS_ERR_RANGE);
    assert_number(usable.fraction, 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_estimate_knows_size_correction_and_efficiency),
        cmocka_unit_test(blend_weighs_by_the_fraction_done),
        cmocka_unit_test(blend_drops_an_estimate_that_was_wrong),
        cmocka_unit_test(exact_progress_is_believed),
        cmocka_unit_test(exact_progress_agrees_with_itself),
        cmocka_unit_test(blend_of_a_silent_task_is_exponential),
        cmocka_unit_test(study_weighs_totals),
        cmocka_unit_test(deployed_believes_the_size_until_it_has_proved_wrong),
        cmocka_unit_test(nothing_is_left_of_a_task_that_is_done),
        cmocka_unit_test(estimates_equal_the_formulas),
        cmocka_unit_test(a_silent_task_has_ever_less_left),
        cmocka_unit_test(estimates_stay_in_range),
        cmocka_unit_test(raises_at_once_and_falls_slowly),
        cmocka_unit_test(by_the_mean_it_rises_and_falls_alike),
        cmocka_unit_test(the_mean_of_many_is_right),
        cmocka_unit_test(what_was_never_learned_is_one),
        cmocka_unit_test(the_factor_is_kept_in_its_range),
        cmocka_unit_test(efficiency_is_no_error_of_the_estimate),
        cmocka_unit_test(a_zero_estimate_leaves_the_factor_unchanged),
        cmocka_unit_test(the_count_of_tasks_does_not_wrap),
        cmocka_unit_test(one_factor_for_two_kinds_of_task_swings),
        cmocka_unit_test(a_factor_follows_noisy_tasks),
        cmocka_unit_test(the_usable_fraction_is_learned),
        cmocka_unit_test(the_usable_fraction_stays_a_fraction),
        cmocka_unit_test(the_usable_fraction_equals_the_formula),
        cmocka_unit_test(refuses_bad_progress),
        cmocka_unit_test(a_newer_callers_progress),
        cmocka_unit_test(estimates_refuse_bad_arguments),
        cmocka_unit_test(refuses_bad_corrections),
        cmocka_unit_test(refuses_bad_usable_fractions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
