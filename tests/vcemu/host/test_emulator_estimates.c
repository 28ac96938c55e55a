/*
 * How long tasks are expected to take.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/emulation_case.h"

#include <math.h>
#include <stdbool.h>

/* Rule 12.2: a job of length 0 ends immediately, and time goes on. */
static void empty_jobs_end_immediately(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_STUDY2007, 1, 600);
    vcs_job_model *model = add_app(&c, add_project(&c), 1000, DAY);
    model->mean_flops = 0;
    run(&c);
    assert_true(c.outcome.ended > 0);
    assert_true(c.outcome.flops_used == 0);
    /* If jobs are also expected to take no time, no number of them fills the buffer: the reply is full. */
    begin(&c, VCS_PROFILE_CURRENT, 1, 600);
    c.emulation.max_reply = 10;
    add_app(&c, add_project(&c), 0, DAY);
    run(&c);
    assert_true(c.outcome.ended > 0);
}

static int estimate_whole(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    int code = vcs_estimate_remaining(progress, rule, device_seconds, NULL);
    assert_true(progress->fraction_done == 0 && *device_seconds == 1000);
    ++*(uint32_t *)context;
    return code;
}

/* Only running a job shows that it has 0 operations: until then it is expected to take its 1000 s. */
static void an_empty_job_that_has_not_begun_is_not_done(void **unused) {
    (void)unused;
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        case_records c;
        uint32_t estimates = 0;
        begin(&c, profile, 1, 600);
        c.parameters.use_dcf = 0; /* so nothing is learned from jobs that have ended */
        c.hooks.context = &estimates;
        c.hooks.estimate = estimate_whole;
        add_app(&c, add_project(&c), 1000, DAY)->mean_flops = 0;
        run(&c);
        assert_true(estimates > 0 && c.outcome.ended > 0);
    }
}

/* Notes the factors with which a job of each of two applications is estimated, the last time that it has not begun. */
static int note_factors(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    double *factors = context;
    if (progress->elapsed == 0) {
        factors[progress->est_flops == 1000] = progress->dcf;
    }
    return vcs_estimate_remaining(progress, rule, device_seconds, NULL);
}

/*
 * Rules 2.3 and 2.4: the first application begins with a factor of its own, 2; its jobs take 4 times their estimate, so
 * the factor becomes 4 at once. The project's factor, which the second application shares, has learned nothing but that
 * its jobs take 3 times theirs.
 */
static void an_application_may_have_a_factor_of_its_own(void **unused) {
    (void)unused;
    case_records c;
    double factors[2] = {0, 0};
    begin(&c, VCS_PROFILE_CURRENT, 2, 5 * DAY);
    const uint32_t project = add_project(&c);
    add_app(&c, project, 2000, 9 * DAY)->mean_flops = 8000;
    add_app(&c, project, 1000, 9 * DAY)->mean_flops = 3000;
    c.apps[0].dcf = 2;
    c.parameters.use_dcf = 1;
    c.hooks.context = factors;
    c.hooks.estimate = note_factors;
    run(&c);
    assert_true(c.outcome.ended > 20);
    assert_true(factors[0] == 4 && factors[1] == 3);
}

/* Counts how often a task that has not begun is estimated with a factor of 1. */
static int count_right(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    *(uint32_t *)context += progress->elapsed == 0 && progress->dcf == 1;
    return vcs_estimate_remaining(progress, rule, device_seconds, NULL);
}

/*
 * Rule 2.4: jobs were thought to take half as long as they do. The first of three, which come with the only reply,
 * shows it, and the factor becomes 1 at once: the second, which begins, and the third, which waits, are estimated
 * again.
 */
static void what_is_learned_counts_for_the_tasks_that_wait(void **unused) {
    (void)unused;
    case_records c;
    uint32_t right = 0;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1500);
    add_app(&c, add_project(&c), 1000, 9 * DAY);
    c.servers[0].request_delay = DAY;
    c.emulation.max_reply = 3;
    c.apps[0].dcf = 0.5;
    c.parameters.use_dcf = 1;
    c.parameters.min_buffer = DAY;
    c.hooks.context = &right;
    c.hooks.estimate = count_right;
    run(&c);
    assert_int_equal(right, 2);
}

/* Counts estimates of jobs of 1000 s that have begun, and how many of them are what is left indeed. */
typedef struct left {
    uint32_t begun, right;
} left;

static int count_left(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    left *counted = context;
    const int code = vcs_estimate_remaining(progress, rule, device_seconds, NULL);
    if (progress->elapsed > 0) {
        counted->begun++;
        counted->right += fabs(*device_seconds - (1000 - progress->elapsed)) < 1e-6;
    }
    return code;
}

static left left_of(uint32_t flags, uint32_t estimate, bool in_the_queue) {
    case_records c;
    left counted = {0, 0};
    begin(&c, VCS_PROFILE_CURRENT, 1, DAY);
    vcs_job_model *model = add_app(&c, add_project(&c), 9000, 9 * DAY);
    model->mean_flops = 1000;
    model->flags = flags;
    c.parameters.estimate = estimate;
    c.parameters.use_dcf = 0;
    c.parameters.period = 300;
    if (in_the_queue) {
        c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
        add_task(&c, 0, 1000, 9 * DAY);
    }
    c.hooks.context = &counted;
    c.hooks.estimate = count_left;
    run(&c);
    return counted;
}

/* Rule 2.2: jobs said to take 9000 s take 1000 s. A client that knows exactly how far they are sees that in time. */
static void jobs_may_know_exactly_how_far_they_are(void **unused) {
    (void)unused;
    const left exact = left_of(VCS_JOB_MODEL_EXACT, VCS_ESTIMATE_DEPLOYED, false);
    const left blended = left_of(0, VCS_ESTIMATE_DEPLOYED, false);
    assert_true(exact.begun > 50 && exact.right == exact.begun);
    assert_true(blended.begun > 50 && blended.right == 0);
    /* The oldest rule knows of no progress but this. */
    assert_int_equal(left_of(VCS_JOB_MODEL_EXACT, VCS_ESTIMATE_STATIC, false).right, 0);
    /* A task that is there from the start is no job of the application: what is left of it is known. */
    const left known = left_of(VCS_JOB_MODEL_EXACT, VCS_ESTIMATE_DEPLOYED, true);
    assert_true(known.begun > 0 && known.right == known.begun);
}

/* ---- Fractions that are blurred ---- */

#define JOBS 4000

/* The power of each job whose task is half done or so, in the order in which they are. */
typedef struct seen_fractions {
    uint32_t count, steps_seen;
    double step, last_elapsed, power[JOBS];
} seen_fractions;

/* A job takes 1000 s, so it has done elapsed / 1000. Notes the power at the first look after each beginning. */
static int note_power(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    seen_fractions *seen = context;
    const double done = progress->elapsed / 1000, fraction = progress->fraction_done;
    assert_true(progress->project == 1 && progress->app == 2);
    assert_true(fraction >= 0 && fraction <= 1 && (done > 0 || fraction == 0) && (done < 1 || fraction == 1));
    if (seen->step > 0) {
        const double steps = fraction / seen->step;
        seen->steps_seen += steps > 0 && fraction < 1;
        assert_true(fabs(steps - floor(steps + 0.5)) < 1e-9 || fraction == 1);
    } else if (done > 0 && done < 1 && seen->count < JOBS) {
        const double power = log(fraction) / log(done);
        const int is_another = progress->elapsed < seen->last_elapsed || seen->count == 0;
        if (is_another) {
            seen->power[seen->count++] = power;
        }
        seen->last_elapsed = progress->elapsed;
        assert_true(fabs(power / seen->power[seen->count - 1] - 1) < 1e-9); /* it keeps its power until its end */
    }
    return vcs_estimate_remaining(progress, rule, device_seconds, NULL);
}

static vcs_job_model *begin_fractions(case_records *c, seen_fractions *seen, double duration) {
    memset(seen, 0, sizeof *seen);
    begin(c, VCS_PROFILE_CURRENT, 1, duration);
    add_project(c);
    add_project(c);
    add_app(c, 0, 1000, 9 * DAY)->weight = 0;
    add_app(c, 0, 1000, 9 * DAY)->weight = 0;
    vcs_job_model *model = add_app(c, 1, 1000, 9 * DAY);
    c->parameters.period = 100; /* looks at each job several times */
    c->hooks.context = seen;
    c->hooks.estimate = note_power;
    return model;
}

/* Without a blur each job tells the truth; with one, the logarithms of the powers are normal, as the header says. */
static void fractions_are_blurred_by_a_power_of_each_job(void **unused) {
    (void)unused;
    static case_records c;
    static seen_fractions seen;
    for (uint32_t i = 0; i < 3; i++) {
        const double blur = 0.5 * i;
        begin_fractions(&c, &seen, 1000.0 * (JOBS + 10))->fraction_blur = blur;
        run(&c);
        assert_int_equal(seen.count, JOBS);
        double sum = 0, squares = 0;
        for (uint32_t k = 0; k < JOBS; k++) {
            const double logarithm = log2(seen.power[k]);
            sum += logarithm;
            squares += logarithm * logarithm;
            assert_true(blur > 0 || fabs(logarithm) < 1e-9);
        }
        assert_true(fabs(sum / JOBS) <= 4 * blur / sqrt(JOBS));
        assert_true(fabs(squares / JOBS - blur * blur) <= 4 * blur * blur * sqrt(2.0 / JOBS) + 1e-9);
    }
}

static void fractions_come_in_steps(void **unused) {
    (void)unused;
    static case_records c;
    static seen_fractions seen;
    const double steps[] = {0.25, 0.1, 1, 1e-6};
    for (uint32_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        vcs_job_model *model = begin_fractions(&c, &seen, 20000);
        model->fraction_step = seen.step = steps[i];
        model->fraction_blur = i % 2;
        run(&c);
        assert_true(steps[i] < 1 ? seen.steps_seen > 5 : seen.steps_seen == 0);
        assert_true(c.outcome.ended == 20);
    }
    /* Jobs that tell exactly how far they are do, whatever else the model says. */
    vcs_job_model *exact = begin_fractions(&c, &seen, 20000);
    exact->flags = VCS_JOB_MODEL_EXACT;
    exact->fraction_step = 0.5;
    exact->fraction_blur = 2;
    run(&c);
    assert_true(seen.count > 15 && fabs(seen.power[seen.count - 1] - 1) < 1e-9 && fabs(seen.power[3] - 1) < 1e-9);
    /* Steps that cannot be told apart are none. */
    begin_fractions(&c, &seen, 20000)->fraction_step = 1e-300;
    run(&c);
    assert_true(seen.count == 20);
}

/* What a job reports has nothing to do with when it ends: the same jobs, one after the other, blurred or not. */
static void a_blur_changes_no_job(void **unused) {
    (void)unused;
    static case_records c, blurred;
    static seen_fractions seen;
    vcs_job_model *model = begin_fractions(&c, &seen, 100000);
    model->distribution = VCS_SIZES_LOG_NORMAL;
    model->sd_flops = 800;
    c.hooks.estimate = NULL;
    blurred = c;
    run(&c);
    begin_fractions(&blurred, &seen, 100000);
    blurred.hooks.estimate = NULL;
    blurred.models[2] = c.models[2];
    blurred.models[2].fraction_blur = 1;
    blurred.models[2].fraction_step = 0.01;
    run(&blurred);
    assert_true(c.outcome.ended == blurred.outcome.ended && c.outcome.flops_in_time == blurred.outcome.flops_in_time);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_jobs_end_immediately),
        cmocka_unit_test(an_empty_job_that_has_not_begun_is_not_done),
        cmocka_unit_test(an_application_may_have_a_factor_of_its_own),
        cmocka_unit_test(fractions_are_blurred_by_a_power_of_each_job),
        cmocka_unit_test(fractions_come_in_steps),
        cmocka_unit_test(a_blur_changes_no_job),
        cmocka_unit_test(what_is_learned_counts_for_the_tasks_that_wait),
        cmocka_unit_test(jobs_may_know_exactly_how_far_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
