/*
 * The figures of merit of a grid.
 *
 * Rules 14.3 and 14.4. Jobs take 1000 s on a host of one CPU of 1 FLOPS, which asks for one at a time and reports at
 * once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/grid_any.h"
#include "support/grid_watch.h"
#include "support/effort.h"

static grid_case g;
static vcs_grid_project_outcome *const outcome = g.project_outcomes;

static vcs_grid_project *begin_figures(uint64_t units, double duration) {
    begin_grid(&g, duration);
    return add_batch(&g, units);
}

/* ---- By hand ---- */

/*
 * One host, a batch of two units, 8000 s. The units end at 1000 and 2000 s, both counted from the start. A copy is on
 * the host for 2000 of 8000 s. The median is in the bin of 1000 s, 64 log2(1000) = 637.8: from 2^(637 / 64) = 991.3 to
 * 1002.1 s, its middle 996.7 s; the higher quantiles in the bin of 2000 s, twice as long.
 */
static void two_units_on_one_host(void **unused) {
    (void)unused;
    static uint64_t bins[VCS_GRID_BINS];
    begin_figures(2, 8000)->credit_rule = VCS_CREDIT_FIXED;
    g.projects[0].fixed_credit = 7;
    g.results.turnarounds = bins;
    add_prompt_hosts(&g, 1);
    run_watched(&g);
    assert_int_equal(outcome->units, 2);
    assert_int_equal(outcome->done, 2);
    assert_int_equal(outcome->copies, 2);
    assert_int_equal(outcome->valid, 2);
    assert_true(outcome->makespan == 2000 && outcome->tail == 0);
    assert_true(outcome->turnaround_mean == 1500);
    assert_true(fabs(outcome->turnaround_p50 - 996.7) < 0.1);
    assert_true(fabs(outcome->turnaround_p95 - 1993.4) < 0.2);
    assert_true(outcome->turnaround_p99 == outcome->turnaround_p95);
    assert_true(outcome->mean_in_progress == 0.25 && outcome->time_in_progress == 1000);
    assert_true(outcome->flops_useful == 2000 && outcome->credit == 14);
    assert_true(outcome->power_available == 1);
    assert_int_equal(bins[637], 1);
    assert_int_equal(bins[637 + 64], 1);
    assert_true(g.outcome.present == 8000 && g.outcome.used == 2000 && g.outcome.idle == 6000 && g.outcome.off == 0);
    assert_true(g.outcome.flops_used == 2000);
    assert_true(g.outcome.calls >= 3 && outcome->calls == g.outcome.calls);
    /* A transition when each is created, when it is validated and when it is assimilated, at least. */
    assert_true(outcome->transitions >= 6 && outcome->changes > outcome->transitions);
}

/* 40 units one after the other: 38 are nearly all, and so the tail is 2000 s of 40,000. */
static void the_tail_of_a_batch(void **unused) {
    (void)unused;
    begin_figures(40, 50000);
    add_prompt_hosts(&g, 1);
    run_grid(&g);
    assert_true(outcome->makespan == 40000 && outcome->tail == 2000);
    g.terms.duration = 39000; /* not done */
    run_grid(&g);
    assert_true(outcome->makespan == 0 && outcome->tail == 0);
    assert_int_equal(outcome->done + outcome->open, 40);
}

/*
 * One host, jobs of 1000 s, 2500 s: two are reported, and half of the third is on the host. If replies are lost, the
 * two are done in vain.
 */
static void no_operation_is_missing(void **unused) {
    (void)unused;
    begin_figures(9, 2500);
    vcs_host_model *model = add_prompt_hosts(&g, 1);
    run_watched(&g);
    assert_true(outcome->flops_useful == 2000 && outcome->flops_held == 500 && outcome->flops_lost == 0);
    model->no_reply = 1;
    run_watched(&g);
    assert_true(outcome->flops_useful == 0 && outcome->flops_held == 500 && outcome->flops_lost == 2000);
}

/* Jobs that give way to urgent ones begin again: what they had done is lost, but for checkpoints all the time. */
static void what_is_done_again_is_lost(void **unused) {
    (void)unused;
    for (double interval = 0; interval <= 1e6; interval += 1e6) {
        begin_grid(&g, 20 * DAY);
        add_units(&g, 20000, 20 * DAY);
        add_units(&g, 1000, 1800)->unit_rate = 1 / 40000.0;
        add_hosts(&g, 2, 1);
        g.hosts[0].parameters.min_buffer = 500;
        g.hosts[0].parameters.additional_buffer = 1500;
        g.hosts[0].models[0].checkpoint_interval = interval;
        run_watched(&g);
        assert_true((outcome->flops_lost > 0) == (interval > 0));
        assert_true(outcome[1].done > 10 && outcome[1].flops_lost == 0);
    }
}

/* What hosts had done that left is lost; nobody has it any more. */
static void who_leaves_loses_what_was_done(void **unused) {
    (void)unused;
    begin_figures(0, 50 * DAY);
    add_prompt_hosts(&g, 20)->lifetime = DAY;
    run_watched(&g);
    assert_int_equal(g.outcome.left, 20);
    assert_true(outcome->flops_lost > 0 && outcome->flops_lost < 20 * 1000 && outcome->flops_held == 0);
}

/* Two hosts compute each unit. What each claims is its operations: the lesser of two claims goes to both. */
static void operations_and_credit(void **unused) {
    (void)unused;
    begin_figures(10, 10 * DAY)->min_quorum = 2;
    g.projects[0].target_nresults = 2;
    add_prompt_hosts(&g, 2);
    run_watched(&g);
    assert_int_equal(outcome->done, 10);
    assert_true(outcome->flops_useful == 10000 && outcome->flops_redundant == 10000);
    assert_true(outcome->credit == 20000);
    g.models[0].wrong = 1; /* no two agree, and after six successes a unit has failed */
    run_watched(&g);
    assert_int_equal(outcome->done, 0);
    assert_true(outcome->credit == 0 && outcome->flops_useful == 0);
}

/* Jobs so small that they end in no time at all are in the first bin, and so are not at 0 s. */
static void jobs_of_no_length(void **unused) {
    (void)unused;
    static uint64_t bins[VCS_GRID_BINS];
    begin_figures(5, DAY);
    g.projects[0].mean_flops = 0;
    g.results.turnarounds = bins;
    add_prompt_hosts(&g, 5);
    run_watched(&g);
    assert_int_equal(outcome->done, 5);
    assert_true(bins[0] > 0);
    assert_true(outcome->turnaround_p50 >= 1 && outcome->flops_useful == 0);
}

/* ---- Little's law (rule 14.4) ---- */

/* Copies in progress = the rate at which they are sent times their mean time in progress, in every long run. */
static void littles_law(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < cases_to_try(8); i++) {
        begin_figures(0, 150 * DAY)->min_quorum = 1 + i % 2;
        g.projects[0].target_nresults = 1 + i % 2;
        g.projects[0].delay_bound = (i & 4) != 0 ? 0.3 * DAY : 3 * DAY;
        g.projects[0].distribution = VCS_SIZES_EXPONENTIAL;
        vcs_host_model *model = add_hosts(&g, 6, 2);
        model->client_error = 0.05;
        model->no_reply = (i & 2) != 0 ? 0.05 : 0;
        g.hosts[0].emulation.available = 0.6;
        g.hosts[0].emulation.available_mean = 20000;
        run_watched(&g);
        const double rate = (double)outcome->copies / g.terms.duration;
        assert_true(outcome->copies > 10000);
        assert_true(fabs(outcome->mean_in_progress / (rate * outcome->time_in_progress) - 1) < 0.01);
    }
}

/* ---- Units that come at a rate ---- */

static double gaps, last_unit;
static uint64_t units_seen;

static int watch_arrivals(void *context, const vcs_grid_event *event) {
    (void)context;
    if (event->kind == VCS_GRID_EVENT_UNIT) {
        gaps += event->time - last_unit;
        last_unit = event->time;
        units_seen++;
    }
    return VCS_OK;
}

/* One each 500 s on average, a Poisson process: whether or not anybody asks for them. */
static void units_come_at_a_rate(void **unused) {
    (void)unused;
    for (uint64_t hosts = 0; hosts <= 8; hosts += 8) {
        begin_figures(0, 20 * DAY)->unit_rate = 1 / 500.0;
        add_prompt_hosts(&g, hosts);
        gaps = last_unit = 0;
        units_seen = 0;
        g.hooks.observe = watch_arrivals;
        run_grid(&g);
        const double expected = 20 * DAY / 500;
        assert_int_equal(outcome->units, units_seen);
        assert_true(fabs((double)units_seen - expected) < 3 * sqrt(expected));
        assert_true(fabs(gaps / (double)units_seen - 500) < 3 * 500 / sqrt(expected));
        if (hosts == 0) {
            assert_int_equal(outcome->open, outcome->units);
        } else {
            assert_true(outcome->done > outcome->units - 50); /* eight hosts can do four times as many */
            assert_true(outcome->turnaround_mean >= 1000);
        }
    }
    begin_figures(100, 20 * DAY)->unit_rate = 1 / 500.0; /* a batch that comes bit by bit */
    add_prompt_hosts(&g, 8);
    run_watched(&g);
    assert_int_equal(outcome->units, 100);
    assert_int_equal(outcome->done, 100);
    assert_true(outcome->makespan > 100 * 500 * 0.6);
}

/* ---- Over time ---- */

/* What a sample says is what an emulation says that ends then. */
static void samples_are_of_their_time(void **unused) {
    (void)unused;
    static vcs_grid_sample samples[2][8];
    const double step = 0.7123 * DAY;
    begin_figures(0, 5 * step + 100);
    g.projects[0].distribution = VCS_SIZES_EXPONENTIAL;
    add_units(&g, 1500, DAY)->unit_rate = 1 / 900.0;
    g.terms.sample = step;
    g.terms.start = 1e6;
    add_prompt_hosts(&g, 5)->client_error = 0.1;
    g.results.samples = samples[0];
    g.results.sample_size = sizeof **samples;
    g.results.sample_count = 8;
    run_grid(&g);
    assert_int_equal(g.outcome.samples, 5);
    g.terms.sample = 0;
    g.results.sample_count = 0;
    for (uint32_t k = 0; k < 5; k++) {
        g.terms.duration = step * (k + 1);
        g.hosts[0].emulation.duration = g.terms.duration;
        run_grid(&g);
        assert_int_equal(g.outcome.samples, 0);
        for (uint32_t p = 0; p < 2; p++) {
            const vcs_grid_sample *sample = &samples[p][k];
            const vcs_grid_project_outcome *o = &g.project_outcomes[p];
            assert_true(fabs(sample->time - g.terms.duration) < 1e-6);
            assert_int_equal(sample->units, o->units);
            assert_int_equal(sample->done, o->done);
            assert_int_equal(sample->failed, o->failed);
            assert_int_equal(sample->wrong_accepted, o->wrong_accepted);
            assert_int_equal(sample->copies, o->copies);
            assert_int_equal(sample->copies - sample->over, o->in_progress);
            assert_true(sample->credit == o->credit);
        }
    }
    assert_int_equal(samples[0][5].units, 0); /* nothing is written beyond the samples that were made */
}

/* The last sample is due at the very end, when each host fetches its fifth job: that comes after the sample. */
static void the_end_is_sampled_too(void **unused) {
    (void)unused;
    static vcs_grid_sample samples[4];
    begin_figures(0, 4000);
    g.terms.sample = 1000;
    add_prompt_hosts(&g, 3);
    g.results.samples = samples;
    g.results.sample_size = sizeof *samples;
    g.results.sample_count = COUNT_OF(samples);
    run_grid(&g);
    assert_int_equal(g.outcome.samples, 4);
    assert_true(samples[3].time == 4000);
    assert_int_equal(samples[3].copies, 3 * 4);
    assert_int_equal(outcome->copies, 3 * 5);
}

/* ---- The same again ---- */

static int emulate_another(void *context, const vcs_grid_event *event) {
    static grid_case other;
    uint32_t *left = context;
    (void)event;
    if (*left > 0) {
        --*left;
        random_stream r = {*left};
        any_grid(&other, &r, 2, 1);
        run_grid(&other);
    }
    return VCS_OK;
}

/* The same bytes twice; observed, sampled or not; and while other grids are emulated. */
static void the_same_grid_gives_the_same_bytes(void **unused) {
    (void)unused;
    random_stream r = {77};
    for (uint64_t rounds = cases_to_try(30); rounds > 0; rounds--) {
        static vcs_grid_sample samples[3][20];
        static uint64_t bins[2][3][VCS_GRID_BINS];
        uint32_t others = 3;
        any_grid(&g, &r, 3, 2);
        g.results.turnarounds = bins[0][0];
        run_grid(&g);
        const vcs_grid_outcome all = g.outcome;
        vcs_grid_project_outcome each[3];
        memcpy(each, g.project_outcomes, sizeof each);
        memset(g.project_outcomes, 0x55, sizeof each);
        g.hooks.observe = emulate_another;
        g.hooks.context = &others;
        g.terms.sample = g.terms.duration / 20;
        g.results.samples = samples[0];
        g.results.sample_size = sizeof **samples;
        g.results.sample_count = 20;
        g.results.turnarounds = bins[1][0];
        run_grid(&g);
        g.outcome.samples = 0;
        assert_memory_equal(&g.outcome, &all, sizeof all);
        assert_memory_equal(g.project_outcomes, each, sizeof each);
        assert_memory_equal(bins[1], bins[0], sizeof *bins);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_units_on_one_host),
        cmocka_unit_test(the_tail_of_a_batch),
        cmocka_unit_test(no_operation_is_missing),
        cmocka_unit_test(what_is_done_again_is_lost),
        cmocka_unit_test(who_leaves_loses_what_was_done),
        cmocka_unit_test(operations_and_credit),
        cmocka_unit_test(jobs_of_no_length),
        cmocka_unit_test(littles_law),
        cmocka_unit_test(units_come_at_a_rate),
        cmocka_unit_test(samples_are_of_their_time),
        cmocka_unit_test(the_end_is_sampled_too),
        cmocka_unit_test(the_same_grid_gives_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
