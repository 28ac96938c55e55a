/*
 * The oracles themselves, on examples small enough to work out by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "oracle/oracle_admit.h"
#include "oracle/oracle_edf.h"
#include "oracle/oracle_fluid.h"
#include "oracle/oracle_sliced.h"
#include "support/random_state.h"

/* Building examples. Records come in the order of their ids and arrive in the order in which they are added. */

static void begin(random_state *s, uint32_t cpus, uint32_t gpus) {
    memset(s, 0, sizeof *s);
    vcs_parameters_init(&s->parameters, sizeof s->parameters, VCS_PROFILE_CURRENT);
    s->parameters.deadline_cushion = 0;
    s->parameters.cushion_min_buffer = 0;
    s->parameters.min_buffer = s->parameters.least_buffer = 0;
    s->parameters.additional_buffer = 0;
    s->parameters.cpu_fit = 0;
    s->now = 1000;
    s->resources[0] = (vcs_resource){.flops = 1e9, .usable = 1, .instances = cpus};
    s->resources[1] = (vcs_resource){.flops = 4e9, .usable = 1, .instances = gpus};
    vcs_snapshot counts = {.resources.count = gpus > 0 ? 2 : 1};
    random_state_point_snapshot(s, &counts);
}

static void add_project(random_state *s, double share) {
    uint32_t index = s->snapshot.projects.count++;
    s->projects[index] = (vcs_project){.id = index, .share = share};
}

static vcs_task one_cpu_task(uint64_t id, uint32_t project, double remaining) {
    return (vcs_task){.id = id,
                      .project = project,
                      .app = VCS_NONE,
                      .cpus = 1,
                      .remaining = remaining,
                      .deadline = INFINITY,
                      .received = (double)id};
}

static vcs_task *add_task(random_state *s, uint32_t project, double remaining) {
    uint32_t index = s->snapshot.tasks.count++;
    s->tasks[index] = one_cpu_task(index, project, remaining);
    return &s->tasks[index];
}

static vcs_task *add_gpu_task(random_state *s, uint32_t project, double remaining, double cpus) {
    vcs_task *task = add_task(s, project, remaining);
    task->gpu = 1;
    task->gpus = 1;
    task->cpus = cpus;
    return task;
}

static vcs_task *add_candidate(random_state *s, uint32_t project, double remaining, double seconds_to_deadline) {
    uint32_t index = s->snapshot.candidates.count++;
    s->candidates[index] = one_cpu_task(1000 + index, project, remaining);
    s->candidates[index].deadline = s->now + seconds_to_deadline;
    return &s->candidates[index];
}

static oracle_wrr sliced(const random_state *s) {
    return oracle_sliced(&s->snapshot, &s->parameters, s->now);
}

static void equals(double found, double expected) {
    if (found != expected) {
        fail_msg("%.17g is not %.17g", found, expected);
    }
}

static void finishes_at(const oracle_wrr *outcome, uint32_t task, double seconds) {
    equals(outcome->tasks[task].finish, seconds);
}

/* Sliced */

/* 100 and 50 device seconds, half of one per wall second: 200 s, then 100 s more. */
static void sliced_one_after_the_other(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 1, 0);
    s.resources[0].usable = 0.5;
    s.parameters.additional_buffer = 400;
    add_project(&s, 1);
    add_task(&s, 0, 100)->deadline = s.now + 200;
    add_task(&s, 0, 50)->deadline = s.now + 299;
    oracle_wrr outcome = sliced(&s);
    finishes_at(&outcome, 0, 200);
    finishes_at(&outcome, 1, 300);
    assert_int_equal(outcome.tasks[0].verdict, VCS_VERDICT_MEETS);
    assert_int_equal(outcome.tasks[1].verdict, VCS_VERDICT_MISSES);
    assert_int_equal(outcome.summary.misses, 1);
    assert_int_equal(outcome.summary.steps, 2);
    assert_int_equal(outcome.summary.flags, 0);
    equals(outcome.summary.simulated_until, 300);
    equals(outcome.resources[0].shortfall, 100); /* 400 - 300, one CPU */
    equals(outcome.resources[0].idle_now, 0);
    equals(outcome.resources[0].saturated, 300);
    equals(outcome.project_resources[0].shortfall, 100); /* all shares are its own */
    oracle_wrr_free(&outcome);
}

/*
 * Two projects of equal share, no REC, one CPU, one task of two hours each. Hour 1: a tie, the lower id runs. Its REC
 * is then 200 * (1 - w), w = 2^(-1/240), and the other's is 0: hour 2 is the other's. Now the first one's REC has
 * decayed to 200 * (1 - w) * w, less than the 200 * (1 - w) of the second: hour 3 is the first's, hour 4 the second's.
 */
static void sliced_projects_take_turns(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 1, 0);
    add_project(&s, 1);
    add_project(&s, 1);
    add_task(&s, 0, 7200);
    add_task(&s, 1, 7200);
    oracle_wrr outcome = sliced(&s);
    finishes_at(&outcome, 0, 10800);
    finishes_at(&outcome, 1, 14400);
    assert_int_equal(outcome.summary.steps, 4);
    oracle_wrr_free(&outcome);
    /* Frozen, the REC of both stays 0, and the lower id goes first all the time. */
    s.parameters.freeze_rec = 1;
    outcome = sliced(&s);
    finishes_at(&outcome, 0, 7200);
    finishes_at(&outcome, 1, 14400);
    oracle_wrr_free(&outcome);
}

/*
 * Three to one, on four CPUs: picked tasks count as run. Loads a (share 3) and b (share 1), K = 1/24/4; the ranks
 * are -(a/3) and -b: a (tie), b, a, a; then a = 3 and b = 1 are level. So three CPUs and one.
 */
static void sliced_picks_count_as_run(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 4, 0);
    add_project(&s, 3);
    add_project(&s, 1);
    for (uint32_t i = 0; i < 4; i++) {
        add_task(&s, 0, 100);
        add_task(&s, 1, 200);
    }
    oracle_wrr outcome = sliced(&s);
    finishes_at(&outcome, 0, 100);
    finishes_at(&outcome, 2, 100);
    finishes_at(&outcome, 4, 100);
    finishes_at(&outcome, 1, 200);
    assert_true(outcome.tasks[6].finish > 100);
    oracle_wrr_free(&outcome);
}

/* A zero share ranks below every other, a higher class above. */
static void sliced_class_then_share(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 1, 0);
    add_project(&s, 0);
    add_project(&s, 1);
    add_project(&s, 0);
    s.projects[2].priority_class = 1;
    s.projects[1].rec = 1e6;
    for (uint32_t p = 0; p < 3; p++) {
        add_task(&s, p, 100);
    }
    oracle_wrr outcome = sliced(&s);
    finishes_at(&outcome, 2, 100);
    finishes_at(&outcome, 1, 200);
    finishes_at(&outcome, 0, 300);
    oracle_wrr_free(&outcome);
}

/*
 * 2 < 1 + 1 is false, so the first task never runs. 0.6 < 1 + 1 is taken, and so is 0.6 < 0.4 + 1; then -0.2 is free
 * and the last one waits.
 */
static void sliced_fractions_overshoot_and_whole_tasks_fit(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 1, 0);
    add_project(&s, 1);
    add_task(&s, 0, 100)->cpus = 2;
    for (uint32_t i = 0; i < 3; i++) {
        add_task(&s, 0, 100)->cpus = 0.6;
    }
    oracle_wrr outcome = sliced(&s);
    finishes_at(&outcome, 1, 100);
    finishes_at(&outcome, 2, 100);
    finishes_at(&outcome, 3, 200);
    assert_int_equal(outcome.tasks[0].verdict, VCS_VERDICT_STUCK);
    assert_true(isinf(outcome.tasks[0].finish));
    equals(outcome.resources[0].saturated, 100); /* 0.4 idle from 100 s on */
    oracle_wrr_free(&outcome);
    s.parameters.cpu_fit = 1;
    outcome = sliced(&s);
    finishes_at(&outcome, 0, 100);
    oracle_wrr_free(&outcome);
}

/* The GPU is picked first, and the CPU its task takes is not there for the other task. */
static void sliced_gpu_tasks_take_cpus(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 1, 1);
    s.parameters.additional_buffer = 300;
    add_project(&s, 1);
    add_task(&s, 0, 100);
    add_gpu_task(&s, 0, 100, 1);
    add_task(&s, 0, 50);
    oracle_wrr outcome = sliced(&s);
    finishes_at(&outcome, 1, 100);
    finishes_at(&outcome, 0, 100); /* the GPU task alone keeps it away, so it does not */
    finishes_at(&outcome, 2, 150);
    equals(outcome.resources[1].shortfall, 200);
    equals(outcome.resources[0].shortfall, 150);
    oracle_wrr_free(&outcome);
    s.resources[1].flags = VCS_RESOURCE_SUSPENDED;
    outcome = sliced(&s);
    finishes_at(&outcome, 0, 100);
    assert_int_equal(outcome.tasks[1].verdict, VCS_VERDICT_SUSPENDED);
    equals(outcome.resources[1].shortfall, 0);
    oracle_wrr_free(&outcome);
}

/* Two GPUs, and the first project may use only one: its tasks run one after the other, and the second is idle. */
static void sliced_exclusions(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 1, 2);
    s.parameters.additional_buffer = 200;
    add_project(&s, 1);
    s.project_resources[s.snapshot.project_resources.count++] =
        (vcs_project_resource){.project = 0, .resource = 1, .excluded = 2};
    add_gpu_task(&s, 0, 100, 0);
    add_gpu_task(&s, 0, 100, 0);
    oracle_wrr outcome = sliced(&s);
    finishes_at(&outcome, 0, 100);
    finishes_at(&outcome, 1, 200);
    equals(outcome.resources[1].shortfall, 200);
    equals(outcome.resources[1].idle_now, 1);
    equals(outcome.project_resources[1].shortfall, 0); /* it uses the one that it may */
    oracle_wrr_free(&outcome);
}

/* A limit of 1 on 2 CPUs. It could use 1 CPU: 300 s of buffer less the 200 s that it does. */
static void sliced_limits(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 2, 0);
    s.parameters.additional_buffer = 300;
    add_project(&s, 1);
    s.projects[0].max_concurrent = 1;
    add_task(&s, 0, 100);
    add_task(&s, 0, 100);
    oracle_wrr outcome = sliced(&s);
    finishes_at(&outcome, 0, 100);
    finishes_at(&outcome, 1, 200);
    equals(outcome.project_resources[0].shortfall, 100);
    equals(outcome.resources[0].shortfall, 400); /* 2 * 300 - 200 */
    oracle_wrr_free(&outcome);
    /* The same limit on the application of the first task alone: the second one is not held up. */
    s.projects[0].max_concurrent = 0;
    s.apps[s.snapshot.apps.count++] = (vcs_app){.project = 0, .max_concurrent = 1};
    s.tasks[0].app = 0;
    outcome = sliced(&s);
    finishes_at(&outcome, 1, 100);
    oracle_wrr_free(&outcome);
}

/*
 * 100000 s alone: steps of a tenth of the time left while that is above 36000 s, which after 10 steps is
 * 100000 * 0.9^10 = 34867.84401; 9 steps of an hour leave 2467.84401; one step more: 20.
 */
static void sliced_steps(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 1, 0);
    add_project(&s, 1);
    add_task(&s, 0, 100000);
    oracle_wrr outcome = sliced(&s);
    finishes_at(&outcome, 0, 100000);
    assert_int_equal(outcome.summary.steps, 20);
    oracle_wrr_free(&outcome);
    s.parameters.step_budget = 2;
    outcome = sliced(&s);
    assert_int_equal(outcome.summary.flags, VCS_SIMULATION_STOPPED);
    equals(outcome.summary.simulated_until, 19000); /* 10000 + 9000 */
    assert_int_equal(outcome.tasks[0].verdict, VCS_VERDICT_UNKNOWN);
    oracle_wrr_free(&outcome);
    s.parameters.step_budget = 0;
    s.parameters.horizon = 12000;
    outcome = sliced(&s);
    assert_int_equal(outcome.summary.flags, VCS_SIMULATION_STOPPED);
    equals(outcome.summary.simulated_until, 12000);
    assert_int_equal(outcome.summary.steps, 2);
    equals(outcome.resources[0].saturated, 12000);
    oracle_wrr_free(&outcome);
}

/* Fluid */

static oracle_wrr fluid(random_state *s) {
    s->parameters.discipline = VCS_DISCIPLINE_FLUID;
    return oracle_fluid(&s->snapshot, &s->parameters, s->now);
}

static void about(double found, double expected) {
    if (!(fabs(found - expected) <= 1e-12 * (1 + fabs(expected)))) {
        fail_msg("%.17g is not about %.17g", found, expected);
    }
}

/*
 * The example of rule 4.2: 2 CPUs, shares A 2 and B 1. A1 20/3, A2 8/3, B1 9, buffer 10. All run at 2/3 until A2 ends
 * at 4. Then A1 has 4 left and runs at 1, as B1 does with 19/3 left: A1 ends at 8, B1 at 4 + 19/3. A is due 4/3 and
 * lacks 1/3 from 4 to 8 and 4/3 from 8 to 10, together 4; a CPU is idle from 8 to 10.
 */
static void fluid_divides_by_share(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 2, 0);
    s.parameters.additional_buffer = 10;
    add_project(&s, 2);
    add_project(&s, 1);
    add_task(&s, 0, 20.0 / 3);
    add_task(&s, 0, 8.0 / 3);
    add_task(&s, 1, 9);
    oracle_wrr outcome = fluid(&s);
    about(outcome.tasks[0].finish, 8);
    about(outcome.tasks[1].finish, 4);
    about(outcome.tasks[2].finish, 4 + 19.0 / 3);
    about(outcome.project_resources[0].shortfall, 4);
    about(outcome.project_resources[1].shortfall, 0);
    about(outcome.resources[0].shortfall, 2);
    about(outcome.resources[0].saturated, 8);
    equals(outcome.resources[0].idle_now, 0);
    oracle_wrr_free(&outcome);
}

/*
 * 4 CPUs, shares 2, 1 and 0. The first may run 1 task, the second has 1: each gets its CPU, and the backup project gets
 * the other two for its three tasks of 10 s, which run at 2/3. At 4 s the first two projects are done; each of the
 * three has 10 - 8/3 = 22/3 left and runs at full speed, and a CPU is idle.
 */
static void fluid_backup_project_gets_the_rest(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 4, 0);
    add_project(&s, 2);
    add_project(&s, 1);
    add_project(&s, 0);
    s.projects[0].max_concurrent = 1;
    add_task(&s, 0, 2);
    add_task(&s, 0, 2);
    add_task(&s, 1, 4);
    for (uint32_t i = 0; i < 3; i++) {
        add_task(&s, 2, 10);
    }
    oracle_wrr outcome = fluid(&s);
    about(outcome.tasks[0].finish, 2);
    about(outcome.tasks[1].finish, 4);
    about(outcome.tasks[2].finish, 4);
    about(outcome.tasks[3].finish, 4 + 22.0 / 3);
    about(outcome.tasks[5].finish, 4 + 22.0 / 3);
    about(outcome.resources[0].saturated, 4);
    oracle_wrr_free(&outcome);
}

/* Rule 13.2: a miss is a finish after 0.9 * (deadline - min buffer - period - now) = 0.9 * (200 - 20 - 80) = 90. */
static void fluid_misses_early(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 2, 0);
    s.parameters.min_buffer = 20;
    s.parameters.period = 80;
    s.parameters.miss_fraction = 0.9;
    add_project(&s, 1);
    add_project(&s, 3);
    add_task(&s, 0, 89)->deadline = s.now + 200;
    add_task(&s, 0, 91)->deadline = s.now + 200;
    oracle_wrr outcome = fluid(&s);
    assert_int_equal(outcome.tasks[0].verdict, VCS_VERDICT_MEETS);
    assert_int_equal(outcome.tasks[1].verdict, VCS_VERDICT_MISSES);
    about(outcome.project_resources[1].shortfall, 20 * 2 * 0.75); /* without tasks: its part of the buffer */
    oracle_wrr_free(&outcome);
}

/* Earliest deadline first */

static oracle_edf_outcome edf(const random_state *s) {
    return oracle_edf(&s->snapshot, &s->parameters, s->now, NULL);
}

/*
 * 2 CPUs. By deadline: a (10 s) on CPU 0, b (30 s) on CPU 1, c (2 CPUs, 5 s) when both are free, at 30; d (1 s) after
 * it, at 35, for gaps are not filled. CPU 0 is idle from 10 to 30 all the same.
 */
static void edf_places_in_order(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 2, 0);
    add_project(&s, 1);
    add_task(&s, 0, 1)->deadline = s.now + 40; /* d */
    vcs_task *c = add_task(&s, 0, 5);
    c->deadline = s.now + 30;
    c->cpus = 1.5;                              /* rounded up */
    add_task(&s, 0, 30)->deadline = s.now + 20; /* b */
    add_task(&s, 0, 10)->deadline = s.now + 10; /* a */
    oracle_edf_outcome outcome = edf(&s);
    const double starts[] = {35, 30, 0, 0}, finishes[] = {36, 35, 30, 10};
    const uint32_t verdicts[] = {VCS_VERDICT_MEETS, VCS_VERDICT_MISSES, VCS_VERDICT_MISSES, VCS_VERDICT_MEETS};
    for (uint32_t i = 0; i < 4; i++) {
        equals(outcome.tasks[i].start, starts[i]);
        equals(outcome.tasks[i].finish, finishes[i]);
        assert_int_equal(outcome.tasks[i].verdict, verdicts[i]);
    }
    equals(outcome.resources[0].busy, 10);
    equals(outcome.summary.latest_finish, 36);
    assert_int_equal(outcome.summary.tasks, 4);
    assert_int_equal(outcome.summary.misses, 2);
    oracle_edf_free(&outcome);
}

/*
 * Fractions on 1 CPU: 0.5 for 10 s and 0.25 for 20 s start immediately, 0.5 more at 10; a whole task when all of it is
 * free, at 20 (10 + 10 and 20). 0.25 is free from the start.
 */
static void edf_fractions_share(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 1, 0);
    add_project(&s, 1);
    const double uses[] = {0.5, 0.25, 0.5, 1, 3, 0}, lengths[] = {10, 20, 10, 5, 1, 7};
    const double starts[] = {0, 0, 10, 20, INFINITY, 0};
    for (uint32_t i = 0; i < 6; i++) {
        vcs_task *task = add_task(&s, 0, lengths[i]);
        task->cpus = uses[i];
        task->deadline = s.now + 100 + i;
    }
    oracle_edf_outcome outcome = edf(&s);
    for (uint32_t i = 0; i < 6; i++) {
        equals(outcome.tasks[i].start, starts[i]);
    }
    assert_int_equal(outcome.tasks[4].verdict, VCS_VERDICT_STUCK);
    equals(outcome.resources[0].busy, 0);
    assert_int_equal(outcome.summary.tasks, 5);
    oracle_edf_free(&outcome);
}

/* A GPU task waits for its CPU; the GPU it takes is idle until then. */
static void edf_gpu_tasks_book_cpus(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 1, 1);
    add_project(&s, 1);
    add_task(&s, 0, 10)->deadline = s.now + 10;
    add_gpu_task(&s, 0, 5, 1)->deadline = s.now + 20;
    oracle_edf_outcome outcome = edf(&s);
    equals(outcome.tasks[1].start, 10);
    equals(outcome.resources[0].busy, 15);
    equals(outcome.resources[1].busy, 0);
    oracle_edf_free(&outcome);
    /* A horizon before its start leaves it unknown. */
    s.parameters.horizon = 9;
    outcome = edf(&s);
    assert_int_equal(outcome.tasks[1].verdict, VCS_VERDICT_UNKNOWN);
    assert_int_equal(outcome.summary.flags, VCS_SIMULATION_STOPPED);
    assert_int_equal(outcome.summary.tasks, 1);
    oracle_edf_free(&outcome);
}

/* Admission */

/*
 * 1 CPU, minimum buffer 10. In the queue: a, 20 s, due in 50 (computation deadline 40), finishes at 20; b, 30 s, due in
 * 55 (45), finishes at 50 and so is late already.
 */
static void admission_does_no_harm(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 1, 0);
    s.parameters.min_buffer = 10;
    s.parameters.deadline_origin = VCS_ORIGIN_NOW;
    add_project(&s, 1);
    add_task(&s, 0, 20)->deadline = s.now + 50;
    add_task(&s, 0, 30)->deadline = s.now + 55;
    add_candidate(&s, 0, 10, 100); /* after both: 50 to 60, in time */
    add_candidate(&s, 0, 31, 100); /* with the first admitted: 60 to 91, after 90 */
    add_candidate(&s, 0, 21, 40);  /* before all: a would finish at 41 */
    add_candidate(&s, 0, 5, 52);   /* between: b would finish at 55 */
    add_candidate(&s, 0, 1, 100);  /* before the first candidate, for it is shorter */
    add_candidate(&s, 0, 1, 1e6)->cpus = 2;
    const uint32_t admitted[] = {0};
    const struct {
        uint32_t reason, harmed;
        double finish;
    } expected[] = {
        {VCS_REASON_ADMITTED, VCS_NONE, 60}, {VCS_REASON_OWN_DEADLINE, VCS_NONE, 91},
        {VCS_REASON_HARMS_TIMELY, 0, 21},    {VCS_REASON_DELAYS_LATE, 1, 25},
        {VCS_REASON_ADMITTED, VCS_NONE, 51}, {VCS_REASON_CANNOT_RUN, VCS_NONE, INFINITY},
    };
    for (uint32_t i = 0; i < 6; i++) {
        vcs_admission admission = oracle_admit(&s.snapshot, &s.parameters, s.now, admitted, i > 0, i);
        assert_int_equal(admission.reason, expected[i].reason);
        assert_int_equal(admission.admitted, expected[i].reason == VCS_REASON_ADMITTED);
        assert_int_equal(admission.harmed, expected[i].harmed);
        assert_int_equal(admission.harmed_candidate, VCS_NONE);
        equals(admission.finish, expected[i].finish);
    }
}

/* A candidate that was admitted is in the queue: the next one may not make it late. */
static void admission_protects_the_admitted(void **unused) {
    (void)unused;
    static random_state s;
    begin(&s, 1, 0);
    add_project(&s, 1);
    add_candidate(&s, 0, 10, 10);
    add_candidate(&s, 0, 1, 10);
    const uint32_t admitted[] = {0};
    vcs_admission admission = oracle_admit(&s.snapshot, &s.parameters, s.now, admitted, 1, 1);
    assert_int_equal(admission.reason, VCS_REASON_HARMS_TIMELY);
    assert_int_equal(admission.harmed, VCS_NONE);
    assert_int_equal(admission.harmed_candidate, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliced_one_after_the_other),
        cmocka_unit_test(sliced_projects_take_turns),
        cmocka_unit_test(sliced_picks_count_as_run),
        cmocka_unit_test(sliced_class_then_share),
        cmocka_unit_test(sliced_fractions_overshoot_and_whole_tasks_fit),
        cmocka_unit_test(sliced_gpu_tasks_take_cpus),
        cmocka_unit_test(sliced_exclusions),
        cmocka_unit_test(sliced_limits),
        cmocka_unit_test(sliced_steps),
        cmocka_unit_test(fluid_divides_by_share),
        cmocka_unit_test(fluid_backup_project_gets_the_rest),
        cmocka_unit_test(fluid_misses_early),
        cmocka_unit_test(edf_places_in_order),
        cmocka_unit_test(edf_fractions_share),
        cmocka_unit_test(edf_gpu_tasks_book_cpus),
        cmocka_unit_test(admission_does_no_harm),
        cmocka_unit_test(admission_protects_the_admitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
