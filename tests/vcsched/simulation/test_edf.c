/*
 * Earliest deadline first (rule 4.4): examples worked by hand, and bad input. On random states it is compared with its
 * oracle in test_edf_oracle.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/cases.h"

/* What was found for a host. */
typedef struct outcome {
    vcs_edf_summary summary;
    vcs_edf_task tasks[HOST_MOST];
    vcs_edf_resource resources[HOST_MOST];
} outcome;

static void read_outcome(const test_host *h, outcome *found) {
    assert_int_equal(vcs_edf_tasks(h->state, ARRAY(found->tasks, h->snapshot.tasks.count)), VCS_OK);
    assert_int_equal(vcs_edf_resources(h->state, ARRAY(found->resources, h->snapshot.resources.count)), VCS_OK);
}

/* Places all tasks of a host. */
static void place(test_host *h, outcome *found) {
    vcs_state *state = host_prepare(h);
    found->summary.struct_size = sizeof found->summary;
    assert_int_equal(vcs_edf(state, VCS_EDF_ALL, &found->summary), VCS_OK);
    read_outcome(h, found);
    host_end(h);
}

static void assert_placed(const outcome *found, uint32_t task, double start, double finish, uint32_t verdict) {
    assert_true(found->tasks[task].start == start);
    assert_true(found->tasks[task].finish == finish);
    assert_int_equal(found->tasks[task].verdict, verdict);
}

static void assert_not_placed(const outcome *found, uint32_t task, uint32_t verdict) {
    assert_placed(found, task, INFINITY, INFINITY, verdict);
}

/* A host with one project that has sent no tasks yet. */
static void begin(test_host *h, uint32_t cpus) {
    host_begin(h, VCS_PROFILE_CURRENT, cpus);
    host_add_project(h, 1);
}

/* ---- Whole CPUs ---- */

static void the_earliest_deadline_goes_first(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 2);
    host_add_task(&h, 0, 10, 13);
    host_add_task(&h, 0, 4, 10);
    host_add_task(&h, 0, 6, 12);
    place(&h, &found);
    /* Tasks 1 and 2 have the earliest deadlines and take the two CPUs. Task 0 gets the CPU of task 1 at 4. */
    assert_placed(&found, 1, 0, 4, VCS_VERDICT_MEETS);
    assert_placed(&found, 2, 0, 6, VCS_VERDICT_MEETS);
    assert_placed(&found, 0, 4, 14, VCS_VERDICT_MISSES); /* 14 > 13 */
    assert_true(found.resources[0].busy == 6);
    assert_true(found.summary.latest_finish == 14);
    assert_int_equal(found.summary.tasks, 3);
    assert_int_equal(found.summary.misses, 1);
    assert_int_equal(found.summary.flags, 0);
}

static void ties_go_to_less_remaining_then_arrival_then_id(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    host_add_task(&h, 0, 5, 100)->received = 30;
    host_add_task(&h, 0, 5, 100)->received = 20;
    host_add_task(&h, 0, 3, 100)->received = 40;
    host_add_task(&h, 0, 5, 100)->received = 20;
    h.tasks[3].id = 0;
    place(&h, &found);
    assert_true(found.tasks[2].start == 0);  /* 3 s remain */
    assert_true(found.tasks[3].start == 3);  /* received at 20, id 0 */
    assert_true(found.tasks[1].start == 8);  /* received at 20, id 2 */
    assert_true(found.tasks[0].start == 13); /* received at 30 */
}

static void a_late_microsecond_is_late(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 3);
    h.now = 1000;
    h.parameters.deadline_cushion = 50; /* of round-robin alone */
    h.parameters.min_buffer = 50;       /* of admission alone */
    host_add_task(&h, 0, 10, 1010);
    host_add_task(&h, 0, 10.000001, 1010);
    host_add_task(&h, 0, 10.0000004, 1010); /* rounds to 10 s */
    place(&h, &found);
    assert_placed(&found, 0, 0, 10, VCS_VERDICT_MEETS);
    assert_placed(&found, 1, 0, 10.000001, VCS_VERDICT_MISSES);
    assert_placed(&found, 2, 0, 10, VCS_VERDICT_MEETS);
}

static void a_usable_fraction_stretches_run_times(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    h.resources[0].usable = 0.25;
    host_add_task(&h, 0, 10, 39);
    place(&h, &found);
    assert_placed(&found, 0, 0, 40, VCS_VERDICT_MISSES); /* 10 / 0.25 */
}

static void no_deadline_is_last_and_never_late(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    host_add_task(&h, 0, 10, INFINITY);
    host_add_task(&h, 0, 1e9, 1e300); /* not for ever, but in no danger */
    host_add_task(&h, 0, 10, -1e300); /* long past */
    place(&h, &found);
    assert_placed(&found, 2, 0, 10, VCS_VERDICT_MISSES);
    assert_placed(&found, 1, 10, 1e9 + 10, VCS_VERDICT_MEETS);
    assert_placed(&found, 0, 1e9 + 10, 1e9 + 20, VCS_VERDICT_MEETS);
}

static void no_work_takes_no_time(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    host_add_task(&h, 0, 0, 0);
    host_add_task(&h, 0, 7, 1);
    host_add_task(&h, 0, 0, 2);
    place(&h, &found);
    assert_placed(&found, 0, 0, 0, VCS_VERDICT_MEETS);
    assert_placed(&found, 1, 0, 7, VCS_VERDICT_MISSES);
    assert_placed(&found, 2, 7, 7, VCS_VERDICT_MISSES);
    assert_true(found.resources[0].busy == 7);
}

/* Ten of the longest tasks one after the other are more microseconds than 64 bits hold. */
static void time_ends(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    const double forever = 0x1p60 / 1e6;
    begin(&h, 1);
    h.resources[0].usable = 1e-9;
    for (int i = 0; i < 10; i++) {
        host_add_task(&h, 0, VCS_MAX_SECONDS, 10);
    }
    place(&h, &found);
    assert_placed(&found, 0, 0, forever, VCS_VERDICT_MISSES);
    for (uint32_t i = 1; i < 10; i++) {
        assert_placed(&found, i, forever, forever, VCS_VERDICT_MISSES);
    }
    assert_true(found.resources[0].busy == forever);
    h.tasks[0].cpus = 0.5; /* the same where not all take one whole CPU */
    place(&h, &found);
    assert_placed(&found, 9, forever, forever, VCS_VERDICT_MISSES);
}

static void nothing_to_place(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    host_begin(&h, VCS_PROFILE_CURRENT, 3); /* not even a project */
    host_add_resource(&h, 2, 10);
    place(&h, &found);
    assert_true(found.resources[0].busy == 0 && found.resources[1].busy == 0);
    assert_true(found.summary.latest_finish == 0);
    assert_int_equal(found.summary.tasks + found.summary.misses + found.summary.flags, 0);
}

/* ---- Several CPUs, and parts of CPUs ---- */

static void several_cpus_wait_until_all_are_free(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 2);
    host_add_task(&h, 0, 10, 100);
    host_add_task(&h, 0, 5, 200)->cpus = 1.5; /* takes two */
    host_add_task(&h, 0, 1, 300);
    place(&h, &found);
    assert_placed(&found, 0, 0, 10, VCS_VERDICT_MEETS);
    assert_placed(&found, 1, 10, 15, VCS_VERDICT_MEETS);
    assert_placed(&found, 2, 15, 16, VCS_VERDICT_MEETS); /* not into the gap before the two */
    assert_true(found.resources[0].busy == 0);           /* CPU 1 is idle until 10 */
}

static void several_cpus_take_those_free_first(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 3);
    host_add_task(&h, 0, 6, 1);
    host_add_task(&h, 0, 9, 2);
    host_add_task(&h, 0, 4, 3);
    host_add_task(&h, 0, 1, 4)->cpus = 2;
    host_add_task(&h, 0, 1, 5);
    place(&h, &found);
    /* CPUs are free at 6, 9 and 4. Two are free at 6: CPUs 2 and 0, until 7. */
    assert_placed(&found, 3, 6, 7, VCS_VERDICT_MISSES);
    assert_placed(&found, 4, 7, 8, VCS_VERDICT_MISSES);
    assert_true(found.resources[0].busy == 4); /* CPU 2 waits for CPU 0 */
}

static void more_than_there_are_is_stuck(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 2);
    host_add_task(&h, 0, 10, 1)->cpus = 2.5;
    host_add_task(&h, 0, 10, 2)->cpus = 2;
    place(&h, &found);
    assert_not_placed(&found, 0, VCS_VERDICT_STUCK);
    assert_placed(&found, 1, 0, 10, VCS_VERDICT_MISSES);
    assert_int_equal(found.summary.tasks, 1);
    assert_int_equal(found.summary.misses, 1);
}

static void fractions_share_a_cpu(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    host_add_task(&h, 0, 10, 1)->cpus = 0.5;
    host_add_task(&h, 0, 4, 2)->cpus = 0.5;
    host_add_task(&h, 0, 2, 3)->cpus = 0.5;
    host_add_task(&h, 0, 1, 4);
    place(&h, &found);
    assert_placed(&found, 0, 0, 10, VCS_VERDICT_MISSES);
    assert_placed(&found, 1, 0, 4, VCS_VERDICT_MISSES);
    assert_placed(&found, 2, 4, 6, VCS_VERDICT_MISSES);   /* half of the CPU is free from 4 on */
    assert_placed(&found, 3, 10, 11, VCS_VERDICT_MISSES); /* all of it from 10 on */
    assert_true(found.resources[0].busy == 6);            /* the half that task 2 has left */
}

static void fractions_fill_the_lowest_cpu_first(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 2);
    host_add_task(&h, 0, 10, 1)->cpus = 0.5;
    host_add_task(&h, 0, 10, 2)->cpus = 0.5;
    host_add_task(&h, 0, 3, 3);
    place(&h, &found);
    assert_placed(&found, 2, 0, 3, VCS_VERDICT_MEETS); /* CPU 1 has been left whole */
    assert_true(found.resources[0].busy == 3);
}

/* Units are 2^-20: a third is 349525, and 3 * 349525 = 2^20 - 1. One unit counts as nothing free. */
static void three_thirds_fill_a_cpu(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    for (int i = 0; i < 3; i++) {
        host_add_task(&h, 0, 5 + i, 10)->cpus = 1.0 / 3;
    }
    place(&h, &found);
    for (uint32_t i = 0; i < 3; i++) {
        assert_placed(&found, i, 0, 5 + i, VCS_VERDICT_MEETS);
    }
    assert_true(found.resources[0].busy == 5);
}

static void no_cpu_is_no_wait(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    host_add_task(&h, 0, 10, 1);
    host_add_task(&h, 0, 20, 2)->cpus = 0;
    host_add_task(&h, 0, 20, 3)->cpus = 4e-7; /* rounds to 0 units */
    place(&h, &found);
    assert_placed(&found, 1, 0, 20, VCS_VERDICT_MISSES);
    assert_placed(&found, 2, 0, 20, VCS_VERDICT_MISSES);
    assert_true(found.resources[0].busy == 10);
    assert_true(found.summary.latest_finish == 20);
}

/* The least use that counts, one unit, waits for a CPU that is all taken, and leaves the other too little. */
static void one_unit_is_a_use(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    host_add_task(&h, 0, 10, 100);
    host_add_task(&h, 0, 20, 200)->cpus = 0x1p-20;
    host_add_task(&h, 0, 5, 300);
    place(&h, &found);
    assert_placed(&found, 1, 10, 30, VCS_VERDICT_MEETS);
    assert_placed(&found, 2, 30, 35, VCS_VERDICT_MEETS);
}

/* More different fractions than the library keeps apart: the answer is the same, it only takes longer to find. */
static void many_different_fractions(void **unused) {
    (void)unused;
    static random_state s;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            /* multiples of the golden section lie all over 0 ... 1; every fifth task takes more */
            double fraction = fmod((double)(i + seed) * 0.6180339887498949, 1);
            s.tasks[i].cpus = i % 5 == 4 ? 1 + fraction : fraction;
        }
        vcs_state *state = prepare_case(&s);
        oracle_edf_outcome expected = oracle_edf(&s.snapshot, &s.parameters, s.now, NULL);
        oracle_edf_outcome found = library_edf(state, &s.snapshot, VCS_EDF_ALL);
        assert_true(same_edf(&expected, &found, &s.snapshot, "many fractions", seed));
        oracle_edf_free(&expected);
        oracle_edf_free(&found);
        free_case(state);
    }
}

/* ---- GPUs ---- */

static vcs_task *add_gpu_task(test_host *h, double remaining, double deadline, double gpus, double cpus) {
    vcs_task *task = host_add_task(h, 0, remaining, deadline);
    task->gpu = 1;
    task->gpus = gpus;
    task->cpus = cpus;
    return task;
}

static void a_gpu_task_books_its_cpus(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    host_add_resource(&h, 1, 10);
    h.resources[1].usable = 0.5;
    host_add_task(&h, 0, 10, 1);
    add_gpu_task(&h, 2, 2, 1, 1);
    host_add_task(&h, 0, 1, 3);
    place(&h, &found);
    assert_placed(&found, 1, 10, 14, VCS_VERDICT_MISSES); /* waits for the CPU; then 2 / 0.5 */
    assert_placed(&found, 2, 14, 15, VCS_VERDICT_MISSES);
    assert_true(found.resources[0].busy == 15);
    assert_true(found.resources[1].busy == 0); /* the GPU is idle until 10 */
}

static void a_gpu_task_waits_for_its_gpu(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 2);
    host_add_resource(&h, 1, 10);
    add_gpu_task(&h, 10, 1, 1, 0.25);
    add_gpu_task(&h, 5, 2, 1, 1);
    host_add_task(&h, 0, 3, 3);
    place(&h, &found);
    assert_placed(&found, 0, 0, 10, VCS_VERDICT_MISSES);  /* a quarter of CPU 0 */
    assert_placed(&found, 1, 10, 15, VCS_VERDICT_MISSES); /* CPU 0, where the quarter does not count */
    assert_placed(&found, 2, 0, 3, VCS_VERDICT_MEETS);    /* CPU 1 */
    assert_true(found.resources[0].busy == 0);
    assert_true(found.resources[1].busy == 15);
}

/* A part of a CPU is chosen at the moment at which the task can start, not before. */
static void a_gpu_task_shares_the_lowest_cpu_at_its_start(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 2);
    host_add_resource(&h, 1, 10);
    add_gpu_task(&h, 10, 1, 1, 0);
    host_add_task(&h, 0, 8, 2);
    add_gpu_task(&h, 10, 3, 1, 0.5);
    host_add_task(&h, 0, 1, 4);
    place(&h, &found);
    /* It fits on CPU 1 at 0, on CPU 0 at 8; the GPU is free at 10, when it fits on both: CPU 0 is taken from 10 on. */
    assert_placed(&found, 2, 10, 20, VCS_VERDICT_MISSES);
    assert_placed(&found, 3, 0, 1, VCS_VERDICT_MEETS); /* CPU 1 */
    assert_true(found.resources[0].busy == 1);
}

/*
 * 2 CPUs. A GPU task uses a tenth of one until 20. A task of both CPUs starts at once all the same. Until it has ended
 * there is no space for the shares of the other GPU tasks.
 */
static void a_share_of_a_cpu_delays_no_cpu_task(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 2);
    host_add_resource(&h, 3, 10);
    add_gpu_task(&h, 20, 1, 1, 0.1);
    host_add_task(&h, 0, 10, 2)->cpus = 2;
    add_gpu_task(&h, 5, 3, 1, 0.1);
    add_gpu_task(&h, 5, 4, 1, 0.95);
    host_add_task(&h, 0, 4, 5)->cpus = 0.5;
    place(&h, &found);
    assert_placed(&found, 1, 0, 10, VCS_VERDICT_MISSES);
    assert_placed(&found, 2, 10, 15, VCS_VERDICT_MISSES); /* on CPU 0, 0.2 in all */
    assert_placed(&found, 3, 10, 15, VCS_VERDICT_MISSES); /* on CPU 1 */
    assert_placed(&found, 4, 10, 14, VCS_VERDICT_MISSES);
    assert_true(found.resources[0].busy == 10); /* for CPU tasks half of CPU 0 is free then */
    assert_true(found.resources[1].busy == 0);  /* GPU 1 is idle until 10 */
}

/* One CPU is kept for others, and an application may not use GPU 0. */
static void reserved_cpus_and_exclusions_of_applications(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 3);
    host_add_resource(&h, 2, 10);
    h.resources[0].reserve = 1;
    uint32_t app = host_add_app(&h, 0, 0);
    host_add_app_resource(&h, app, 1)->excluded = 1;
    for (int i = 0; i < 3; i++) {
        host_add_task(&h, 0, 10, 1 + i);
    }
    add_gpu_task(&h, 10, 4, 1, 0)->app = app;
    add_gpu_task(&h, 10, 5, 1, 0)->app = app;
    add_gpu_task(&h, 3, 6, 1, 0);
    place(&h, &found);
    assert_placed(&found, 2, 10, 20, VCS_VERDICT_MISSES);
    assert_placed(&found, 3, 0, 10, VCS_VERDICT_MISSES);
    assert_placed(&found, 4, 10, 20, VCS_VERDICT_MISSES); /* GPU 1 again, though GPU 0 is free */
    assert_placed(&found, 5, 0, 3, VCS_VERDICT_MEETS);
}

static void excluded_instances_are_not_used(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 4);
    host_add_project(&h, 1);
    host_add_resource(&h, 2, 10);
    host_add_project_resource(&h, 0, 1)->excluded = 1;
    add_gpu_task(&h, 10, 1, 1, 0);              /* GPU 1 */
    add_gpu_task(&h, 10, 2, 1, 0);              /* GPU 1 too, though GPU 0 is free */
    add_gpu_task(&h, 4, 3, 0.5, 0);             /* half of GPU 1 */
    add_gpu_task(&h, 4, 4, 2, 0);               /* never: only one is left to the project */
    add_gpu_task(&h, 3, 5, 2, 0)->project = 1;  /* both */
    add_gpu_task(&h, 3, 6, .5, 0)->project = 1; /* half of GPU 0 */
    place(&h, &found);
    assert_placed(&found, 0, 0, 10, VCS_VERDICT_MISSES);
    assert_placed(&found, 1, 10, 20, VCS_VERDICT_MISSES);
    assert_placed(&found, 2, 20, 24, VCS_VERDICT_MISSES);
    assert_not_placed(&found, 3, VCS_VERDICT_STUCK);
    assert_placed(&found, 4, 24, 27, VCS_VERDICT_MISSES);
    assert_placed(&found, 5, 27, 30, VCS_VERDICT_MISSES);
    assert_true(found.resources[1].busy == 0); /* GPU 0 until 24 */
}

static void all_excluded_is_stuck(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    host_add_resource(&h, 64, 10);
    host_add_project_resource(&h, 0, 1)->excluded = UINT64_MAX;
    add_gpu_task(&h, 10, 1, 0.5, 0);
    add_gpu_task(&h, 10, 1, 4e-7, 1); /* 0 units: needs no instance */
    place(&h, &found);
    assert_not_placed(&found, 0, VCS_VERDICT_STUCK);
    assert_placed(&found, 1, 0, 10, VCS_VERDICT_MISSES);
    assert_true(found.resources[1].busy == 0);
}

/* ---- What is left out ---- */

static void suspended_tasks_are_apart(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    host_add_project(&h, 1);
    host_add_resource(&h, 1, 10);
    h.projects[1].flags = VCS_PROJECT_SUSPENDED;
    h.resources[1].flags = VCS_RESOURCE_SUSPENDED;
    host_add_task(&h, 0, 10, 1)->flags = VCS_TASK_SUSPENDED;
    host_add_task(&h, 1, 10, 1);
    add_gpu_task(&h, 10, 1, 1, 1);
    host_add_task(&h, 0, 2, 1);
    place(&h, &found);
    assert_not_placed(&found, 0, VCS_VERDICT_SUSPENDED);
    assert_not_placed(&found, 1, VCS_VERDICT_SUSPENDED);
    assert_not_placed(&found, 2, VCS_VERDICT_SUSPENDED);
    assert_placed(&found, 3, 0, 2, VCS_VERDICT_MISSES);
    assert_int_equal(found.summary.tasks, 1);
    assert_true(found.resources[0].busy == 2);
    assert_true(found.resources[1].busy == 0);
}

/* ---- Limits on concurrent tasks ---- */

/*
 * A may run one at a time. A1 has CPU 0 until 10; A2 is passed, and B1, B2 go one after the other on CPU 1. At 10 CPU 0
 * is free, there is room, and A2 has the earliest deadline.
 */
static void who_waits_for_a_limit_is_passed(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 2);
    uint32_t a = 0, b = host_add_project(&h, 1);
    h.projects[a].max_concurrent = 1;
    host_add_task(&h, a, 10, 11);
    host_add_task(&h, a, 10, 19);
    host_add_task(&h, b, 4, 30);
    host_add_task(&h, b, 8, 40);
    host_add_task(&h, b, 8, 50);
    place(&h, &found);
    assert_placed(&found, 0, 0, 10, VCS_VERDICT_MEETS);
    assert_placed(&found, 1, 10, 20, VCS_VERDICT_MISSES);
    assert_placed(&found, 2, 0, 4, VCS_VERDICT_MEETS);
    assert_placed(&found, 3, 4, 12, VCS_VERDICT_MEETS);
    assert_placed(&found, 4, 12, 20, VCS_VERDICT_MEETS);
    assert_true(found.resources[0].busy == 20);
}

/* Nobody else is there: the other CPUs are idle, so that new tasks could start at once. */
static void a_limit_leaves_cpus_idle(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    for (int several = 0; several <= 1; several++) {
        begin(&h, 3);
        h.projects[0].max_concurrent = 2;
        for (int i = 0; i < 5; i++) {
            host_add_task(&h, 0, 10, 100 + i);
        }
        if (several) {
            host_add_task(&h, 0, 0, 1000)->cpus = 2; /* the library goes another way */
        }
        place(&h, &found);
        for (uint32_t i = 0; i < 5; i++) {
            assert_placed(&found, i, 10 * (i / 2), 10 * (i / 2) + 10, VCS_VERDICT_MEETS);
        }
        assert_true(found.resources[0].busy == 0);
        assert_true(found.summary.latest_finish == 30);
    }
}

/* A CPU that stays idle for a time is free for new tasks from the beginning of that time on. */
static void busy_ends_where_a_limit_keeps_a_cpu_idle(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 2);
    uint32_t a = 0, b = host_add_project(&h, 1);
    h.projects[a].max_concurrent = 1;
    host_add_task(&h, a, 10, 1);
    host_add_task(&h, a, 10, 2); /* 10 ... 20 on CPU 1, which is free at 7 */
    host_add_task(&h, b, 7, 3);
    place(&h, &found);
    assert_placed(&found, 1, 10, 20, VCS_VERDICT_MISSES);
    assert_true(found.resources[0].busy == 7);
}

/* Of an application one at a time, of its project two. */
static void limits_of_a_project_and_of_its_application(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 4);
    h.projects[0].max_concurrent = 2;
    uint32_t app = host_add_app(&h, 0, 1);
    host_add_task(&h, 0, 5, 1)->app = app;
    host_add_task(&h, 0, 5, 2)->app = app;
    host_add_task(&h, 0, 8, 3);
    host_add_task(&h, 0, 8, 4);
    place(&h, &found);
    assert_placed(&found, 0, 0, 5, VCS_VERDICT_MISSES);
    assert_placed(&found, 2, 0, 8, VCS_VERDICT_MISSES);
    assert_placed(&found, 1, 5, 10, VCS_VERDICT_MISSES); /* the application and the project have room again */
    assert_placed(&found, 3, 8, 16, VCS_VERDICT_MISSES);
}

/* A1 needs both CPUs and keeps CPU 1 idle from 0 to 10, as without limits; A2 waits until A1 has ended. */
static void who_waits_for_instances_is_not_passed(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 2);
    uint32_t a = 0, b = host_add_project(&h, 1);
    h.projects[a].max_concurrent = 1;
    host_add_task(&h, b, 10, 1);
    host_add_task(&h, a, 5, 2)->cpus = 2;
    host_add_task(&h, a, 5, 3);
    host_add_task(&h, b, 4, 4);
    place(&h, &found);
    assert_placed(&found, 1, 10, 15, VCS_VERDICT_MISSES);
    assert_placed(&found, 2, 15, 20, VCS_VERDICT_MISSES);
    assert_placed(&found, 3, 15, 19, VCS_VERDICT_MISSES);
    assert_true(found.resources[0].busy == 0);
}

/*
 * Half of the CPU is taken until 50, and A1 is on the GPU until 10. A2 waits for it, though its half is free.
 * B needs a whole CPU and gets one at 50. By then there has been room for A2, which goes first: 10 ... 70, B after it.
 */
static void room_before_an_instance_is_free(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    host_add_resource(&h, 1, 10);
    uint32_t a = 0, b = host_add_project(&h, 1);
    h.projects[a].max_concurrent = 1;
    host_add_task(&h, b, 50, 1)->cpus = 0.5;
    add_gpu_task(&h, 10, 2, 1, 0);
    host_add_task(&h, a, 60, 3)->cpus = 0.5;
    host_add_task(&h, b, 5, 4);
    place(&h, &found);
    assert_placed(&found, 2, 10, 70, VCS_VERDICT_MISSES);
    assert_placed(&found, 3, 70, 75, VCS_VERDICT_MISSES);
    assert_true(found.resources[0].busy == 0);
}

/* One of a line that can never run holds up nobody, and waits for nobody. */
static void stuck_under_a_limit(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    h.projects[0].max_concurrent = 1;
    host_add_task(&h, 0, 10, 1);
    host_add_task(&h, 0, 10, 2)->cpus = 2;
    host_add_task(&h, 0, 10, 3);
    place(&h, &found);
    assert_not_placed(&found, 1, VCS_VERDICT_STUCK);
    assert_placed(&found, 2, 10, 20, VCS_VERDICT_MISSES);
}

/* Tasks not reached are unknown, also tasks that wait for a limit. */
static void horizon_and_budget_under_limits(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 2);
    uint32_t b = host_add_project(&h, 1);
    h.projects[0].max_concurrent = 1;
    host_add_task(&h, 0, 10, 1);
    host_add_task(&h, 0, 10, 2);
    host_add_task(&h, b, 20, 3);
    for (int by_budget = 0; by_budget <= 1; by_budget++) {
        h.parameters.horizon = by_budget ? 0 : 9;
        h.parameters.step_budget = by_budget ? 2 : 0;
        place(&h, &found);
        assert_placed(&found, 2, 0, 20, VCS_VERDICT_MISSES);
        assert_not_placed(&found, 1, VCS_VERDICT_UNKNOWN);
        assert_int_equal(found.summary.flags, VCS_SIMULATION_STOPPED);
        assert_int_equal(found.summary.tasks, 2);
    }
}

/* ---- Horizon and budget (rule 4.6) ---- */

/* `cpus` is what the second task takes; with less than one CPU the library goes another way. */
static void check_horizon(double cpus) {
    test_host h;
    outcome found;
    begin(&h, 1);
    host_add_task(&h, 0, 10, 1);
    host_add_task(&h, 0, 10, 2)->cpus = cpus;
    host_add_task(&h, 0, 10, 3);
    host_add_task(&h, 0, 10, INFINITY);
    h.parameters.horizon = 10; /* the second task starts just there */
    place(&h, &found);
    assert_placed(&found, 0, 0, 10, VCS_VERDICT_MISSES);
    assert_placed(&found, 1, 10, 20, VCS_VERDICT_MISSES);
    assert_not_placed(&found, 2, VCS_VERDICT_UNKNOWN);
    assert_not_placed(&found, 3, VCS_VERDICT_UNKNOWN);
    assert_int_equal(found.summary.flags, VCS_SIMULATION_STOPPED);
    assert_int_equal(found.summary.tasks, 2);
    assert_true(found.summary.latest_finish == 20);
    h.parameters.horizon = 9.999999;
    place(&h, &found);
    assert_not_placed(&found, 1, VCS_VERDICT_UNKNOWN);
    assert_true(found.resources[0].busy == 10);
    h.parameters.horizon = 30; /* the last task starts there: nothing is cut off */
    place(&h, &found);
    assert_placed(&found, 3, 30, 40, VCS_VERDICT_MEETS);
    assert_int_equal(found.summary.flags, 0);
}

static void it_stops_at_the_horizon(void **unused) {
    (void)unused;
    check_horizon(1);
    check_horizon(0.5);
}

static void it_stops_at_the_budget(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    host_add_task(&h, 0, 10, 1);
    host_add_task(&h, 0, 10, 2)->cpus = 2; /* stuck; takes nothing of the budget */
    host_add_task(&h, 0, 10, 3);
    host_add_task(&h, 0, 10, 4);
    h.parameters.step_budget = 2;
    place(&h, &found);
    assert_int_equal(found.tasks[1].verdict, VCS_VERDICT_STUCK);
    assert_placed(&found, 2, 10, 20, VCS_VERDICT_MISSES);
    assert_not_placed(&found, 3, VCS_VERDICT_UNKNOWN);
    assert_int_equal(found.summary.flags, VCS_SIMULATION_STOPPED);
    assert_true(found.resources[0].busy == 20);
    h.parameters.step_budget = 3;
    place(&h, &found);
    assert_placed(&found, 3, 20, 30, VCS_VERDICT_MISSES);
    assert_int_equal(found.summary.flags, 0);
}

/* ---- After round-robin ---- */

/* ---- Limits in instances, and per device ---- */

/* Two CPUs of four: a task of both waits for the first, a smaller one passes it, and so does another project's. */
static void a_limit_in_instances_lets_smaller_tasks_pass(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 4);
    host_add_project(&h, 1);
    host_add_project_resource(&h, 0, 0)->max_instances = 2;
    host_add_task(&h, 0, 10, 1);
    host_add_task(&h, 0, 4, 2)->cpus = 2;
    host_add_task(&h, 0, 2, 3);
    host_add_task(&h, 1, 3, 4);
    host_add_task(&h, 0, 1, 5)->cpus = 3; /* more than it ever may */
    place(&h, &found);
    assert_placed(&found, 0, 0, 10, VCS_VERDICT_MISSES);
    assert_placed(&found, 1, 10, 14, VCS_VERDICT_MISSES);
    assert_placed(&found, 2, 0, 2, VCS_VERDICT_MEETS);
    assert_placed(&found, 3, 0, 3, VCS_VERDICT_MEETS);
    assert_not_placed(&found, 4, VCS_VERDICT_STUCK);
}

/* Where each task takes one CPU, two and a half are two tasks, of a project or an application; half of one is none. */
static void a_limit_in_instances_is_one_of_tasks_of_one_cpu(void **unused) {
    (void)unused;
    for (uint32_t of_app = 0; of_app < 2; of_app++) {
        test_host h;
        outcome found;
        begin(&h, 4);
        host_add_project(&h, 1);
        host_add_app(&h, 0, 3);
        host_add_app(&h, 1, 0);
        host_add_project_resource(&h, 0, 0)->max_instances = of_app ? 0 : 2.5;
        host_add_app_resource(&h, 0, 0)->max_instances = of_app ? 2.5 : 0;
        host_add_app_resource(&h, 1, 0)->max_instances = 0.5;
        for (uint32_t i = 0; i < 3; i++) {
            host_add_task(&h, 0, 10, 1)->app = 0;
        }
        host_add_task(&h, 1, 10, 1)->app = 1;
        place(&h, &found);
        assert_placed(&found, 1, 0, 10, VCS_VERDICT_MISSES);
        assert_placed(&found, 2, 10, 20, VCS_VERDICT_MISSES);
        assert_not_placed(&found, 3, VCS_VERDICT_STUCK);
    }
}

/* Two tasks at a time of a project, one at a time of its application; no limit in instances of the application. */
static void a_limit_in_instances_beside_one_in_tasks(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 4);
    host_add_app(&h, 0, 1);
    host_add_project_resource(&h, 0, 0)->max_instances = 2;
    host_add_task(&h, 0, 10, 1)->app = 0;
    host_add_task(&h, 0, 10, 2)->app = 0;
    host_add_task(&h, 0, 10, 3);
    host_add_task(&h, 0, 10, 4);
    place(&h, &found);
    assert_placed(&found, 0, 0, 10, VCS_VERDICT_MISSES);
    assert_placed(&found, 1, 10, 20, VCS_VERDICT_MISSES);
    assert_placed(&found, 2, 0, 10, VCS_VERDICT_MISSES);
    assert_placed(&found, 3, 10, 20, VCS_VERDICT_MISSES);
}

/* One task at a time on a card, of a project with an application that has no limit; next to nothing takes no card. */
static void a_limit_per_device_of_a_project_alone(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 4);
    host_add_resource(&h, 1, 10);
    host_add_app(&h, 0, 0);
    host_add_project_resource(&h, 0, 1)->max_per_device = 1;
    add_gpu_task(&h, 10, 1, 1, 0)->gpus = 0.5;
    add_gpu_task(&h, 10, 2, 1, 0)->gpus = 0.5;
    h.tasks[0].app = h.tasks[1].app = 0;
    add_gpu_task(&h, 10, 3, 1, 0)->gpus = 1e-9;
    place(&h, &found);
    assert_placed(&found, 0, 0, 10, VCS_VERDICT_MISSES);
    assert_placed(&found, 1, 10, 20, VCS_VERDICT_MISSES);
    assert_placed(&found, 2, 0, 10, VCS_VERDICT_MISSES);
}

/* One task at a time on each of two cards: the third half waits, and the half of another project passes it. */
static void a_limit_per_device_spreads_tasks(void **unused) {
    (void)unused;
    for (uint32_t of_app = 0; of_app < 2; of_app++) {
        test_host h;
        outcome found;
        begin(&h, 4);
        host_add_project(&h, 1);
        host_add_resource(&h, 2, 10);
        host_add_app(&h, 0, 0);
        host_add_project_resource(&h, 0, 1)->max_per_device = of_app ? 0 : 1;
        host_add_app_resource(&h, 0, 1)->max_per_device = of_app ? 1 : 0;
        for (uint32_t i = 0; i < 4; i++) {
            vcs_task *task = add_gpu_task(&h, i == 3 ? 3 : 10 + i, 1 + i, 1, 0);
            task->gpus = 0.5;
            task->project = i == 3;
            task->app = i == 3 ? VCS_NONE : 0;
        }
        place(&h, &found);
        assert_placed(&found, 0, 0, 10, VCS_VERDICT_MISSES);
        assert_placed(&found, 1, 0, 11, VCS_VERDICT_MISSES);
        assert_placed(&found, 2, 10, 22, VCS_VERDICT_MISSES);
        assert_placed(&found, 3, 0, 3, VCS_VERDICT_MEETS);
    }
}

/* Three cards, one with half a task until 10, another until 6: a task of two may not share, so it waits until 6. */
static void a_task_of_two_devices_keeps_the_limit_on_both(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 4);
    host_add_resource(&h, 3, 10);
    host_add_project_resource(&h, 0, 1)->max_per_device = 1;
    add_gpu_task(&h, 10, 1, 1, 0)->gpus = 0.5;
    add_gpu_task(&h, 6, 2, 1, 0)->gpus = 0.5;
    add_gpu_task(&h, 5, 3, 1, 0)->gpus = 2;
    place(&h, &found);
    assert_placed(&found, 2, 6, 11, VCS_VERDICT_MISSES);
}

static void only_tasks_in_danger_are_placed(void **unused) {
    (void)unused;
    test_host h;
    outcome found;
    begin(&h, 1);
    h.parameters.cushion_min_buffer = 0;
    h.parameters.deadline_cushion = 0;
    host_add_task(&h, 0, 100, INFINITY); /* the oldest: round-robin runs it first */
    host_add_task(&h, 0, 50, 120);
    host_add_task(&h, 0, 20, 90);
    vcs_state *state = host_prepare(&h);
    vcs_task_forecast forecasts[3];
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_wrr_tasks(state, ARRAY(forecasts, 3)), VCS_OK);
    assert_true(forecasts[1].finish == 150 && forecasts[2].finish == 170); /* 100 + 50, 100 + 50 + 20 */
    found.summary.struct_size = sizeof found.summary;
    assert_int_equal(vcs_edf(state, VCS_EDF_MISSED, &found.summary), VCS_OK);
    read_outcome(&h, &found);
    assert_not_placed(&found, 0, VCS_VERDICT_SUSPENDED);
    assert_placed(&found, 2, 0, 20, VCS_VERDICT_MEETS);
    assert_placed(&found, 1, 20, 70, VCS_VERDICT_MEETS);
    assert_true(found.resources[0].busy == 70);
    assert_int_equal(vcs_edf(state, VCS_EDF_ALL, NULL), VCS_OK); /* the outcome is replaced */
    read_outcome(&h, &found);
    assert_placed(&found, 0, 70, 170, VCS_VERDICT_MEETS);
    host_end(&h);
}

static void round_robin_takes_the_outcome_away(void **unused) {
    (void)unused;
    test_host h;
    vcs_edf_task task;
    begin(&h, 1);
    host_add_task(&h, 0, 10, 1);
    vcs_state *state = host_prepare(&h);
    assert_int_equal(vcs_edf(state, VCS_EDF_ALL, NULL), VCS_OK);
    assert_int_equal(vcs_edf_tasks(state, ARRAY(&task, 1)), VCS_OK);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_edf_tasks(state, ARRAY(&task, 1)), VCS_ERR_SEQUENCE);
    host_end(&h);
}

/* ---- Bad input, and callers of another age ---- */

static void bad_calls_are_refused(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    host_add_task(&h, 0, 10, 1);
    vcs_state *state = host_prepare(&h);
    static const struct {
        uint32_t which, struct_size;
        int code;
    } bad[] = {
        {VCS_EDF_ALL, 0, VCS_ERR_ABI_SIZE},
        {VCS_EDF_ALL, 4104, VCS_ERR_ABI_SIZE},
        {VCS_EDF_ALL, sizeof(vcs_edf_summary) + 4, VCS_ERR_ABI_SIZE},
        {VCS_EDF_ALL, sizeof(vcs_edf_summary) - 8, VCS_ERR_ABI_OLDER},
        {2, sizeof(vcs_edf_summary), VCS_ERR_FLAGS},
        {UINT32_MAX, sizeof(vcs_edf_summary), VCS_ERR_FLAGS},
        {VCS_EDF_MISSED, sizeof(vcs_edf_summary), VCS_ERR_SEQUENCE}, /* vcs_wrr() has not run */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        vcs_edf_summary summary, before;
        memset(&summary, 0xa5, sizeof summary);
        summary.struct_size = bad[i].struct_size;
        before = summary;
        assert_int_equal(vcs_edf(state, bad[i].which, &summary), bad[i].code);
        assert_memory_equal(&summary, &before, sizeof summary);
    }
    assert_int_equal(vcs_edf(NULL, VCS_EDF_ALL, NULL), VCS_ERR_NULL);
    vcs_edf_task task;
    assert_int_equal(vcs_edf_tasks(state, ARRAY(&task, 1)), VCS_ERR_SEQUENCE); /* none of these has run it */
    assert_int_equal(vcs_edf(state, VCS_EDF_ALL, NULL), VCS_OK);
    assert_int_equal(vcs_edf(state, VCS_EDF_MISSED, NULL), VCS_ERR_SEQUENCE); /* nor has that run vcs_wrr() */
    host_end(&h);
}

typedef int (*reader)(const vcs_state *state, void *out, uint32_t element_size, uint32_t count);

static int read_tasks(const vcs_state *state, void *out, uint32_t element_size, uint32_t count) {
    return vcs_edf_tasks(state, ARRAY_OF(out, element_size, count));
}

static int read_resources(const vcs_state *state, void *out, uint32_t element_size, uint32_t count) {
    return vcs_edf_resources(state, ARRAY_OF(out, element_size, count));
}

/* Reads two elements in every wrong way. */
static void check_reader(const vcs_state *state, reader read, uint32_t size) {
    const struct {
        uint32_t element_size, count;
        int code;
    } bad[] = {
        {0, 2, VCS_ERR_ABI_SIZE},         {4104, 2, VCS_ERR_ABI_SIZE}, {size + 4, 2, VCS_ERR_ABI_SIZE},
        {size - 8, 2, VCS_ERR_ABI_OLDER}, {size, 1, VCS_ERR_COUNT},    {size, 3, VCS_ERR_COUNT},
        {size, 0, VCS_ERR_COUNT},
    };
    unsigned char out[256], before[256];
    memset(out, 0xa5, sizeof out);
    memset(before, 0xa5, sizeof before);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(read(state, out, bad[i].element_size, bad[i].count), bad[i].code);
    }
    assert_int_equal(read(NULL, out, size, 2), VCS_ERR_NULL);
    assert_int_equal(read(state, NULL, size, 2), VCS_ERR_NULL);
    assert_memory_equal(out, before, sizeof out);
}

static void bad_readings_are_refused(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    host_add_resource(&h, 1, 1);
    host_add_task(&h, 0, 10, 1);
    host_add_task(&h, 0, 10, 1);
    vcs_state *state = host_prepare(&h);
    vcs_edf_task tasks[2];
    vcs_edf_resource resources[2];
    assert_int_equal(vcs_edf_tasks(state, ARRAY(tasks, 2)), VCS_ERR_SEQUENCE);
    assert_int_equal(vcs_edf_resources(state, ARRAY(resources, 2)), VCS_ERR_SEQUENCE);
    assert_int_equal(vcs_edf(state, VCS_EDF_ALL, NULL), VCS_OK);
    check_reader(state, read_tasks, sizeof *tasks);
    check_reader(state, read_resources, sizeof *resources);
    host_end(&h);
}

/* A caller newer than the library has longer structs; what the library does not know is 0. */
static void newer_callers_read_zeros(void **unused) {
    (void)unused;
    test_host h;
    struct {
        vcs_edf_summary known;
        uint64_t newer[2];
    } summary;
    struct {
        vcs_edf_task known;
        uint64_t newer;
    } tasks[2];
    begin(&h, 1);
    host_add_task(&h, 0, 10, 1);
    host_add_task(&h, 0, 10, 2);
    vcs_state *state = host_prepare(&h);
    memset(&summary, 0xa5, sizeof summary);
    memset(tasks, 0xa5, sizeof tasks);
    summary.known.struct_size = sizeof summary;
    assert_int_equal(vcs_edf(state, VCS_EDF_ALL, &summary.known), VCS_OK);
    assert_int_equal(vcs_edf_tasks(state, ARRAY_OF(&tasks[0].known, sizeof *tasks, 2)), VCS_OK);
    assert_int_equal(summary.known.struct_size, sizeof summary);
    assert_int_equal(summary.known.tasks, 2);
    assert_true(summary.known.reserved[0] == 0);
    assert_true(summary.newer[0] == 0 && summary.newer[1] == 0);
    assert_true(tasks[1].known.start == 10 && tasks[1].known.reserved[0] == 0 && tasks[1].newer == 0);
    host_end(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_earliest_deadline_goes_first),
        cmocka_unit_test(ties_go_to_less_remaining_then_arrival_then_id),
        cmocka_unit_test(a_late_microsecond_is_late),
        cmocka_unit_test(a_usable_fraction_stretches_run_times),
        cmocka_unit_test(no_deadline_is_last_and_never_late),
        cmocka_unit_test(no_work_takes_no_time),
        cmocka_unit_test(time_ends),
        cmocka_unit_test(nothing_to_place),
        cmocka_unit_test(several_cpus_wait_until_all_are_free),
        cmocka_unit_test(several_cpus_take_those_free_first),
        cmocka_unit_test(more_than_there_are_is_stuck),
        cmocka_unit_test(fractions_share_a_cpu),
        cmocka_unit_test(fractions_fill_the_lowest_cpu_first),
        cmocka_unit_test(three_thirds_fill_a_cpu),
        cmocka_unit_test(no_cpu_is_no_wait),
        cmocka_unit_test(one_unit_is_a_use),
        cmocka_unit_test(many_different_fractions),
        cmocka_unit_test(a_gpu_task_books_its_cpus),
        cmocka_unit_test(a_gpu_task_waits_for_its_gpu),
        cmocka_unit_test(a_gpu_task_shares_the_lowest_cpu_at_its_start),
        cmocka_unit_test(a_share_of_a_cpu_delays_no_cpu_task),
        cmocka_unit_test(reserved_cpus_and_exclusions_of_applications),
        cmocka_unit_test(excluded_instances_are_not_used),
        cmocka_unit_test(all_excluded_is_stuck),
        cmocka_unit_test(suspended_tasks_are_apart),
        cmocka_unit_test(who_waits_for_a_limit_is_passed),
        cmocka_unit_test(a_limit_leaves_cpus_idle),
        cmocka_unit_test(busy_ends_where_a_limit_keeps_a_cpu_idle),
        cmocka_unit_test(limits_of_a_project_and_of_its_application),
        cmocka_unit_test(who_waits_for_instances_is_not_passed),
        cmocka_unit_test(room_before_an_instance_is_free),
        cmocka_unit_test(stuck_under_a_limit),
        cmocka_unit_test(horizon_and_budget_under_limits),
        cmocka_unit_test(it_stops_at_the_horizon),
        cmocka_unit_test(it_stops_at_the_budget),
        cmocka_unit_test(only_tasks_in_danger_are_placed),
        cmocka_unit_test(round_robin_takes_the_outcome_away),
        cmocka_unit_test(a_limit_in_instances_lets_smaller_tasks_pass),
        cmocka_unit_test(a_limit_in_instances_is_one_of_tasks_of_one_cpu),
        cmocka_unit_test(a_limit_in_instances_beside_one_in_tasks),
        cmocka_unit_test(a_limit_per_device_of_a_project_alone),
        cmocka_unit_test(a_limit_per_device_spreads_tasks),
        cmocka_unit_test(a_task_of_two_devices_keeps_the_limit_on_both),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(bad_readings_are_refused),
        cmocka_unit_test(newer_callers_read_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
