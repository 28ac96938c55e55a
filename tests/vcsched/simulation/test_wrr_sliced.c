/*
 * The sliced discipline (rule 4.3): examples worked by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include "vcsched/core/number.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define HOUR 3600.0

/* The forecasts for a host. */
typedef struct outcome {
    vcs_wrr_summary summary;
    vcs_task_forecast tasks[HOST_MOST];
    vcs_resource_forecast resources[HOST_MOST];
    vcs_project_resource_forecast project_resources[HOST_MOST];
} outcome;

/* A host without a buffer, on which finishing at the deadline is early enough. */
static void begin(test_host *h, uint32_t cpus) {
    host_begin(h, VCS_PROFILE_CURRENT, cpus);
    h->parameters.min_buffer = 0;
    h->parameters.additional_buffer = 0;
    h->parameters.deadline_cushion = 0;
}

static outcome simulate(test_host *h) {
    const uint32_t project_resources = h->snapshot.projects.count * h->snapshot.resources.count;
    outcome found;
    assert_true(project_resources <= HOST_MOST);
    memset(&found, 0, sizeof found);
    found.summary.struct_size = sizeof found.summary;
    vcs_state *state = host_prepare(h);
    assert_int_equal(vcs_wrr(state, &found.summary), VCS_OK);
    assert_int_equal(vcs_wrr_tasks(state, ARRAY(found.tasks, h->snapshot.tasks.count)), VCS_OK);
    assert_int_equal(vcs_wrr_resources(state, ARRAY(found.resources, h->snapshot.resources.count)), VCS_OK);
    assert_int_equal(vcs_wrr_project_resources(state, ARRAY(found.project_resources, project_resources)), VCS_OK);
    return found;
}

/* Simulated time is whole microseconds, so equal means equal to the last bit. */
#define assert_exact(a, b)                                                                                             \
    do {                                                                                                               \
        if ((a) != (b)) {                                                                                              \
            print_error("%s is %.17g, not %.17g\n", #a, (double)(a), (double)(b));                                     \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

static void assert_finishes(const outcome *found, const double *expected, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        assert_exact(found->tasks[i].finish, expected[i]);
    }
}

#define FINISHES(found, ...)                                                                                           \
    assert_finishes(&(found), (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static vcs_task *add_gpu_task(test_host *h, uint32_t project, uint32_t gpu, double cpus, double remaining) {
    vcs_task *task = host_add_task(h, project, remaining, INFINITY);
    task->cpus = cpus;
    task->gpu = gpu;
    task->gpus = 1;
    return task;
}

/* ---- The example of doc/rules.md ---- */

/*
 * 2 CPUs of 1 GFLOPS; shares A 3, B 1; no project has recent work, so the sum of REC, 0, counts as 1.
 * Half-life of REC: an hour. The minimum buffer, half an hour, is the cushion; the end of the buffer is at 6 h.
 */
static void begin_worked_example(test_host *h) {
    host_begin(h, VCS_PROFILE_CURRENT, 2);
    h->parameters.rec_half_life = HOUR;
    h->parameters.min_buffer = 0.5 * HOUR;
    h->parameters.additional_buffer = 5.5 * HOUR;
    uint32_t a = host_add_project(h, 3), b = host_add_project(h, 1);
    host_add_task(h, a, 4 * HOUR, 4.5 * HOUR);
    host_add_task(h, a, 2 * HOUR, 24 * HOUR);
    host_add_task(h, b, 3 * HOUR, 5.25 * HOUR);
}

/*
 * A task in the pick counts (3600 / 86400) / 2 = 1/48. One CPU earns 200 credits a day.
 *
 *       REC A, B   SP A, B          pick     left after the hour: A1, A2, B1
 * 0 h     0, 0     0, 0             A1 B1    3 2 2     A by id; then A is at -(1/48) / (3/4), B at 0
 * 1 h   100, 100   -133.3, -400     A1 A2    2 1 2     200 + (0 - 200) / 2 = 100 each
 * 2 h   250, 50    -333.3, -200     B1 A1    1 1 1     400 + (100 - 400) / 2; 100 / 2
 * 3 h   225, 125   -300, -500       A1 A2    0 0 1     200 + (250 - 200) / 2; 200 + (50 - 200) / 2
 * 4 h                               B1           0     one CPU is idle
 * 5 h                                                  both are
 *
 * Shortfall: 1 CPU for 1 h and 2 for 1 h. A could use 1.5 CPUs and lacks 0.5 in the first and third hour and 1.5 in the
 * last two: 4 h. B could use 0.5 and lacks it in the second, the fourth and the sixth hour: 1.5 h.
 * A1 has until 4.5 - 0.5 = 4 h, and is in time; B1 until 4.75 h, and is not.
 */
static void worked_example(void **unused) {
    (void)unused;
    static test_host h;
    begin_worked_example(&h);
    outcome found = simulate(&h);
    FINISHES(found, 4 * HOUR, 4 * HOUR, 5 * HOUR);
    assert_int_equal(found.tasks[0].verdict, VCS_VERDICT_MEETS);
    assert_int_equal(found.tasks[1].verdict, VCS_VERDICT_MEETS);
    assert_int_equal(found.tasks[2].verdict, VCS_VERDICT_MISSES);
    assert_exact(found.resources[0].shortfall, 3 * HOUR);
    assert_exact(found.resources[0].saturated, 4 * HOUR);
    assert_exact(found.resources[0].idle_now, 0);
    assert_exact(found.project_resources[0].shortfall, 4 * HOUR);
    assert_exact(found.project_resources[1].shortfall, 1.5 * HOUR);
    assert_int_equal(found.project_resources[0].misses, 0);
    assert_int_equal(found.project_resources[1].misses, 1);
    assert_int_equal(found.summary.steps, 5);
    assert_int_equal(found.summary.flags, 0);
    assert_exact(found.summary.simulated_until, 5 * HOUR);
    host_end(&h);
}

/* The late task would be in time if it went first: 3 h are before 5.25 h. A CPU stays free beside it. */
static void worked_example_by_deadline(void **unused) {
    (void)unused;
    static test_host h;
    begin_worked_example(&h);
    simulate(&h);
    vcs_edf_task tasks[3];
    vcs_edf_resource cpu;
    assert_int_equal(vcs_edf(h.state, VCS_EDF_MISSED, NULL), VCS_OK);
    assert_int_equal(vcs_edf_tasks(h.state, ARRAY(tasks, 3)), VCS_OK);
    assert_int_equal(vcs_edf_resources(h.state, ARRAY(&cpu, 1)), VCS_OK);
    assert_int_equal(tasks[0].verdict, VCS_VERDICT_SUSPENDED);
    assert_int_equal(tasks[2].verdict, VCS_VERDICT_MEETS);
    assert_exact(tasks[2].start, 0);
    assert_exact(tasks[2].finish, 3 * HOUR);
    assert_exact(cpu.busy, 0);
    host_end(&h);
}

/*
 * With REC as at the start, 0, every pick is like the first: A1 and B1, until B1 ends at 3 h. Then A1, with 1 h left,
 * and A2.
 */
static void frozen_rec(void **unused) {
    (void)unused;
    static test_host h;
    begin_worked_example(&h);
    h.parameters.freeze_rec = 1;
    outcome found = simulate(&h);
    FINISHES(found, 4 * HOUR, 5 * HOUR, 3 * HOUR);
    assert_exact(found.resources[0].saturated, 4 * HOUR);
    host_end(&h);
}

/* ---- Rank ---- */

/* One CPU, three tasks of an hour: by class C; then B, which has a share; then A, which has none. */
static void class_before_share(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t a = host_add_project(&h, 0), b = host_add_project(&h, 1), c = host_add_project(&h, 0);
    h.projects[b].rec = 1e6;
    h.projects[c].priority_class = 1;
    host_add_task(&h, a, HOUR, INFINITY);
    host_add_task(&h, b, HOUR, INFINITY);
    host_add_task(&h, c, HOUR, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 3 * HOUR, 2 * HOUR, HOUR);
    host_end(&h);
}

/* REC over all resources says that A has done more, REC for the CPU alone that B has. */
static void global_and_local_accounting(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[a].rec = 100;
    host_add_project_resource(&h, b, 0)->rec = 50;
    host_add_task(&h, a, HOUR, INFINITY);
    host_add_task(&h, b, HOUR, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 2 * HOUR, HOUR);
    h.parameters.accounting = VCS_ACCOUNTING_LOCAL;
    found = simulate(&h);
    FINISHES(found, HOUR, 2 * HOUR);
    host_end(&h);
}

/* B's share is so small, and all work so little, that their product is 0. B has done nothing, so it goes first. */
static void shares_and_work_at_the_ends_of_what_numbers_hold(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1e-300);
    h.projects[a].rec = 1e-150;
    host_add_task(&h, a, HOUR, INFINITY);
    host_add_task(&h, b, HOUR, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 2 * HOUR, HOUR);
    host_end(&h);
}

/* ---- What fits ---- */

/*
 * 2 CPUs, one project, tasks of 1, 2 and 1 CPUs; lengths 1, 1, 2 h.
 * The first leaves one CPU: 2 is not less than 1 + 1, so the second is passed over and the third runs. At 1 h it is the
 * second's turn, which fits now: 2 is less than 2 + 1. It takes both CPUs until 2 h, then the third goes on until 3 h.
 * With overcommit, the second runs beside the first.
 */
static void a_task_of_two_cpus_waits_for_both(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t a = host_add_project(&h, 1);
    host_add_task(&h, a, HOUR, INFINITY);
    host_add_task(&h, a, HOUR, INFINITY)->cpus = 2;
    host_add_task(&h, a, 2 * HOUR, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, HOUR, 2 * HOUR, 3 * HOUR);
    assert_exact(found.resources[0].saturated, 2 * HOUR);
    h.parameters.cpu_fit = 1;
    found = simulate(&h);
    FINISHES(found, HOUR, HOUR, 3 * HOUR);
    assert_exact(found.resources[0].saturated, HOUR);
    host_end(&h);
}

/* 0.75 of the CPU is used: 0.25 is free, and 1 is less than 0.25 + 1. Then nothing is free. */
static void a_fraction_leaves_space_for_one_more(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t a = host_add_project(&h, 1);
    host_add_task(&h, a, HOUR, INFINITY)->cpus = 0.75;
    host_add_task(&h, a, HOUR, INFINITY);
    host_add_task(&h, a, HOUR, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, HOUR, HOUR, 2 * HOUR);
    host_end(&h);
}

/* 4 CPUs are never there: the simulation ends immediately, with both CPUs idle. What could run beside it runs. */
static void stuck(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    h.parameters.additional_buffer = 100;
    uint32_t a = host_add_project(&h, 1);
    host_add_task(&h, a, 10, INFINITY)->cpus = 4;
    outcome found = simulate(&h);
    FINISHES(found, INFINITY);
    assert_int_equal(found.tasks[0].verdict, VCS_VERDICT_STUCK);
    assert_int_equal(found.summary.flags, 0);
    assert_int_equal(found.summary.steps, 0);
    assert_exact(found.resources[0].idle_now, 2);
    assert_exact(found.resources[0].saturated, 0);
    assert_exact(found.resources[0].shortfall, 200);
    host_add_task(&h, a, 60, INFINITY);
    found = simulate(&h);
    FINISHES(found, INFINITY, 60);
    assert_exact(found.resources[0].idle_now, 1);
    assert_exact(found.resources[0].shortfall, 140);
    host_end(&h);
}

/* ---- Limits ---- */

/*
 * 4 CPUs, a project that may run one task at a time, 3 tasks of 21,140 s, a buffer of 86,400 s.
 * They run one after the other until 63,420. The project could use 1 CPU: it lacks 86,400 - 63,420 = 22,980.
 * Idle are 3 CPUs until then and 4 after it: 4 * 86,400 - 63,420 = 282,180.
 * Each takes 5 steps of an hour and one of 3,140 s.
 */
static void one_task_of_a_project_at_once(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    h.parameters.additional_buffer = 86400;
    uint32_t a = host_add_project(&h, 1);
    h.projects[a].max_concurrent = 1;
    for (int i = 0; i < 3; i++) {
        host_add_task(&h, a, 21140, INFINITY);
    }
    outcome found = simulate(&h);
    FINISHES(found, 21140, 42280, 63420);
    assert_exact(found.project_resources[0].shortfall, 22980);
    assert_exact(found.resources[0].shortfall, 282180);
    assert_exact(found.resources[0].idle_now, 3);
    assert_exact(found.resources[0].saturated, 0);
    assert_int_equal(found.summary.steps, 18);
    host_end(&h);
}

/* One task of the application at a time; the project's other task, which arrived later, runs beside it. */
static void one_task_of_an_application_at_once(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t a = host_add_project(&h, 1);
    uint32_t app = host_add_app(&h, a, 1);
    host_add_task(&h, a, HOUR, INFINITY)->app = app;
    host_add_task(&h, a, HOUR, INFINITY)->app = app;
    host_add_task(&h, a, HOUR, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, HOUR, 2 * HOUR, HOUR);
    assert_exact(found.resources[0].saturated, HOUR);
    host_end(&h);
}

/*
 * 4 CPUs, a project with a quarter of the shares; two tasks of 2 CPUs and 3 h of an application limited to one task at
 * a time; a buffer of 6 h. By its share, the project could use 1 CPU. If all its applications are listed, it could use
 * min(4, 1 * 2), and lacks 2 CPUs for 3 h without the second task. With another application of one task at a time it
 * could use min(4, 2 * 2), and lacks 2 CPUs for 6 h, unless the limit of the project is 1. One application without a
 * limit, and its share counts again.
 */
static void limits_of_all_applications_limit_the_project(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    h.parameters.additional_buffer = 6 * HOUR;
    uint32_t a = host_add_project(&h, 1);
    host_add_project(&h, 3);
    uint32_t app = host_add_app(&h, a, 1);
    for (int i = 0; i < 2; i++) {
        vcs_task *task = host_add_task(&h, a, 3 * HOUR, INFINITY);
        task->cpus = 2;
        task->app = app;
    }
    assert_exact(simulate(&h).project_resources[a].shortfall, 0); /* by share, 1 CPU */
    h.projects[a].flags = VCS_PROJECT_APPS_LISTED;
    h.tasks[1].flags = VCS_TASK_SUSPENDED;
    assert_exact(simulate(&h).project_resources[a].shortfall, 3 * 2 * HOUR);
    h.tasks[1].flags = 0;
    uint32_t other = host_add_app(&h, a, 1);
    assert_exact(simulate(&h).project_resources[a].shortfall, 6 * 2 * HOUR);
    h.projects[a].max_concurrent = 1;
    assert_exact(simulate(&h).project_resources[a].shortfall, 0);
    h.projects[a].max_concurrent = 0;
    h.apps[other].max_concurrent = 0;
    assert_exact(simulate(&h).project_resources[a].shortfall, 0); /* by share */
    host_end(&h);
}

/* ---- GPUs ---- */

/*
 * One CPU, one GPU, and two tasks of one CPU. The GPU's task goes first. If it takes half of the CPU, one task of one
 * CPU fits beside it, since 1 is less than 0.5 + 1. If it takes the whole or even two, it alone keeps the others away,
 * and one of them runs beside it. Three are not there for it, two being missing.
 */
static void cpu_share_of_a_gpu_task(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t gpu = host_add_resource(&h, 1, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    host_add_task(&h, a, HOUR, INFINITY);
    host_add_task(&h, a, HOUR, INFINITY);
    vcs_task *task = add_gpu_task(&h, b, gpu, 0.5, HOUR);
    for (task->cpus = 0.5; task->cpus <= 2; task->cpus *= 2) {
        outcome found = simulate(&h);
        FINISHES(found, HOUR, 2 * HOUR, HOUR);
        assert_exact(found.resources[0].idle_now, 0);
        assert_exact(found.resources[0].saturated, 2 * HOUR);
        assert_exact(found.resources[gpu].saturated, HOUR);
        assert_exact(found.project_resources[a * 2].used_now, 1);
        assert_exact(found.project_resources[b * 2].used_now, task->cpus);
    }
    task->cpus = 3;
    outcome found = simulate(&h);
    FINISHES(found, HOUR, 2 * HOUR, INFINITY);
    assert_int_equal(found.tasks[2].verdict, VCS_VERDICT_STUCK);
    assert_exact(found.resources[gpu].idle_now, 1);
    host_end(&h);
}

/* 4 CPUs, 0.2 of them used beside a GPU: of five tasks of one CPU four run at once, and nothing is idle. */
static void a_cpu_share_costs_no_cpu_task_its_place(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    uint32_t gpu = host_add_resource(&h, 1, 10);
    uint32_t a = host_add_project(&h, 1);
    add_gpu_task(&h, a, gpu, 0.2, 10 * HOUR);
    for (int i = 0; i < 5; i++) {
        host_add_task(&h, a, HOUR, INFINITY);
    }
    outcome found = simulate(&h);
    FINISHES(found, 10 * HOUR, HOUR, HOUR, HOUR, HOUR, 2 * HOUR);
    assert_exact(found.resources[0].idle_now, 0);
    assert_exact(found.resources[0].saturated, HOUR);
    assert_exact(found.project_resources[a * 2].used_now, (double)vcs_units(4.2) / VCS_ONE);
    host_end(&h);
}

/* 8 CPUs, one of them used beside a GPU for ten hours: tasks of 8 CPUs run one after the other all the same. */
static void gpu_tasks_starve_no_task_of_all_cpus(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 8);
    uint32_t gpu = host_add_resource(&h, 1, 10);
    uint32_t a = host_add_project(&h, 1);
    add_gpu_task(&h, a, gpu, 1, 10 * HOUR);
    host_add_task(&h, a, HOUR, INFINITY)->cpus = 8;
    host_add_task(&h, a, HOUR, INFINITY)->cpus = 8;
    outcome found = simulate(&h);
    FINISHES(found, 10 * HOUR, HOUR, 2 * HOUR);
    assert_exact(found.resources[0].idle_now, 0);
    assert_exact(found.resources[0].saturated, 2 * HOUR);
    h.parameters.cpu_fit = VCS_CPU_FIT_STRICT;
    found = simulate(&h);
    FINISHES(found, 10 * HOUR, 11 * HOUR, 12 * HOUR);
    assert_exact(found.resources[0].idle_now, 7);
    host_end(&h);
}

/* 2 GPUs: 0.6 + 0.4 on each. The third 0.6 has to wait for a device of its own, though 0.4 + 0.4 is left by sum. */
static void fractions_of_a_gpu_do_not_straddle_devices(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1);
    for (int i = 0; i < 5; i++) {
        add_gpu_task(&h, a, gpu, 0, HOUR)->gpus = i < 3 ? 0.6 : 0.4;
    }
    outcome found = simulate(&h);
    FINISHES(found, HOUR, HOUR, 2 * HOUR, HOUR, HOUR);
    assert_exact(found.resources[gpu].idle_now, 0);
    assert_exact(found.resources[gpu].saturated, HOUR);
    host_end(&h);
}

/* Tenths, sixths and thirds make up a whole, though in units they are a little more or less. Nothing is idle. */
static void parts_of_a_gpu_make_up_a_whole(void **unused) {
    (void)unused;
    for (int parts = 3; parts <= 10; parts++) {
        static test_host h;
        begin(&h, 1);
        uint32_t gpu = host_add_resource(&h, 1, 10);
        uint32_t a = host_add_project(&h, 1);
        for (int i = 0; i <= parts; i++) {
            add_gpu_task(&h, a, gpu, 0, HOUR)->gpus = 1.0 / parts;
        }
        outcome found = simulate(&h);
        for (int i = 0; i <= parts; i++) {
            assert_exact(found.tasks[i].finish, i < parts ? HOUR : 2 * HOUR);
        }
        assert_exact(found.resources[gpu].idle_now, 0);
        assert_exact(found.resources[gpu].saturated, HOUR);
        host_end(&h);
    }
}

/* 1.5 GPUs are two devices: the task that needs half a device waits. */
static void a_use_above_one_gpu_takes_whole_devices(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1);
    add_gpu_task(&h, a, gpu, 0, HOUR)->gpus = 1.5;
    add_gpu_task(&h, a, gpu, 0, HOUR)->gpus = 0.5;
    outcome found = simulate(&h);
    FINISHES(found, HOUR, 2 * HOUR);
    assert_exact(found.resources[gpu].idle_now, 0);
    host_end(&h);
}

/* An application may not use device 0, where it would have gone: its second task waits for device 1. */
/* One task of eight CPUs runs at a time. Sixteen CPUs are idle, but not because a task waits for fit. */
static void a_limit_in_instances(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 24);
    uint32_t a = host_add_project(&h, 1);
    host_add_project_resource(&h, a, 0)->max_instances = 8;
    for (int i = 0; i < 3; i++) {
        host_add_task(&h, a, HOUR, INFINITY)->cpus = 8;
    }
    outcome found = simulate(&h);
    FINISHES(found, HOUR, 2 * HOUR, 3 * HOUR);
    assert_exact(found.resources[0].idle_now, 16);
    assert_int_equal(found.project_resources[0].waits_for_fit, 0);
    assert_exact(found.project_resources[0].saturated, 3 * HOUR);
}

/*
 * Two CPUs. All applications of the project are limited to one task, and one task of it is of none of them: it takes
 * the place of one, for an hour, which is longer than the buffer of half an hour.
 */
static void a_limit_of_applications_that_a_task_is_not_of(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    h.parameters.min_buffer = HOUR / 2;
    uint32_t a = host_add_project(&h, 1);
    h.projects[a].flags = VCS_PROJECT_APPS_LISTED;
    host_add_app(&h, a, 1);
    host_add_task(&h, a, HOUR, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, HOUR);
    assert_exact(found.project_resources[0].saturated, HOUR);
    assert_exact(found.resources[0].saturated, 0);
}

/* A half-card task on each of two cards. Both have room for another one: it does not wait for fit. By turns or not. */
static void a_limit_per_device(void **unused) {
    (void)unused;
    static test_host h;
    for (uint32_t keeps = 0; keeps < 2; keeps++) {
        begin(&h, 1);
        h.parameters.keep_running = keeps;
        uint32_t gpu = host_add_resource(&h, 2, 10);
        uint32_t a = host_add_project(&h, 1);
        uint32_t app = host_add_app(&h, a, 0);
        host_add_app_resource(&h, app, gpu)->max_per_device = 1;
        for (int i = 0; i < 4; i++) {
            vcs_task *task = add_gpu_task(&h, a, gpu, 0, HOUR);
            task->gpus = 0.5;
            task->app = app;
        }
        outcome found = simulate(&h);
        FINISHES(found, HOUR, HOUR, 2 * HOUR, 2 * HOUR);
        assert_exact(found.resources[gpu].idle_now, 1);
        assert_int_equal(found.project_resources[1].waits_for_fit, 0);
        host_end(&h);
    }
}

/*
 * One card, half of which each task uses; each of two applications may have one task on it. Without turns the task of
 * the second application ends first, after an hour, and its next one begins, not that of the first application.
 */
static void a_limit_per_device_and_application(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    h.parameters.keep_running = 1;
    uint32_t gpu = host_add_resource(&h, 1, 10);
    uint32_t a = host_add_project(&h, 1);
    for (int i = 0; i < 2; i++) {
        host_add_app_resource(&h, host_add_app(&h, a, 0), gpu)->max_per_device = 1;
    }
    static const double lengths[] = {3 * HOUR, HOUR, HOUR, HOUR};
    for (uint32_t i = 0; i < 4; i++) {
        vcs_task *task = add_gpu_task(&h, a, gpu, 0, lengths[i]);
        task->gpus = 0.5;
        task->app = i % 2;
        task->deadline = h.now + (100 + i) * HOUR;
    }
    outcome found = simulate(&h);
    FINISHES(found, 3 * HOUR, HOUR, 4 * HOUR, 2 * HOUR);
    assert_exact(found.resources[gpu].idle_now, 0);
    host_end(&h);
}

/* Two cards, on each a task of three quarters for two hours; the buffer is of one hour. */
static void begin_with_quarters_left(test_host *h) {
    begin(h, 2);
    h->parameters.additional_buffer = HOUR;
    host_add_resource(h, 2, 10);
    host_add_project(h, 1);
    host_add_app(h, 0, 0);
    for (int i = 0; i < 2; i++) {
        add_gpu_task(h, 0, 1, 0, 2 * HOUR)->gpus = 0.75;
    }
}

static void assert_quarters_are_useless(test_host *h, bool expected) {
    const outcome found = simulate(h);
    assert_exact(found.resources[1].idle_now, 0.5);
    assert_exact(found.resources[1].useless, expected ? 0.5 : 0);
    assert_exact(found.resources[1].saturated, expected ? 2 * HOUR : 0);
    assert_exact(found.resources[1].shortfall, expected ? 0 : 0.5 * HOUR);
}

/* What is left of a card lacks work only if some task could use it: one at hand, or one that may come. */
static void parts_too_small_for_any_task_lack_no_work(void **unused) {
    (void)unused;
    static test_host h;
    begin_with_quarters_left(&h);
    assert_quarters_are_useless(&h, true);
    host_add_app_resource(&h, 0, 1)->use = 0.26;
    assert_quarters_are_useless(&h, true);
    h.app_resources[0].use = 0.25;
    assert_quarters_are_useless(&h, false);
    h.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    assert_quarters_are_useless(&h, true);
    h.projects[0].flags = 0;
    host_add_project_resource(&h, 0, 1)->flags = VCS_PROJECT_RESOURCE_NOT_WANTED;
    assert_quarters_are_useless(&h, true);
    h.snapshot.app_resources.count = 0;
    add_gpu_task(&h, 0, 1, 0, HOUR)->gpus = 0.2; /* one card is full then, but for an hour */
    h.project_resources[0].flags = 0;
    const outcome found = simulate(&h); /* 0.2 in whole units is a little less */
    assert_true(found.resources[1].useless < found.resources[1].idle_now);
    assert_exact(found.resources[1].saturated, 0);
    host_end(&h);
}

/* A device that is wholly idle lacks work, even if all tasks at hand need two. */
static void a_whole_device_is_never_too_small(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    h.parameters.additional_buffer = HOUR;
    host_add_resource(&h, 3, 10);
    host_add_project(&h, 1);
    add_gpu_task(&h, 0, 1, 0, 2 * HOUR)->gpus = 2;
    const outcome found = simulate(&h);
    assert_exact(found.resources[1].useless, 0);
    assert_exact(found.resources[1].shortfall, HOUR);
    host_end(&h);
}

static void an_application_excluded_from_a_gpu(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1);
    uint32_t app = host_add_app(&h, a, 0);
    host_add_app_resource(&h, app, gpu)->excluded = 1;
    add_gpu_task(&h, a, gpu, 0, HOUR)->app = app;
    add_gpu_task(&h, a, gpu, 0, HOUR)->app = app;
    outcome found = simulate(&h);
    FINISHES(found, HOUR, 2 * HOUR);
    assert_exact(found.resources[gpu].idle_now, 1);
    add_gpu_task(&h, a, gpu, 0, HOUR); /* not of the application */
    found = simulate(&h);
    FINISHES(found, HOUR, 2 * HOUR, HOUR);
    assert_exact(found.resources[gpu].idle_now, 0);
    host_end(&h);
}

/* ---- Reserves, usable time, pauses ---- */

/* Of 4 CPUs 1.5 are kept for others: 2.5 are left, on which three tasks fit, since 1 is less than 0.5 + 1. */
static void cpus_kept_for_others(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    h.resources[0].reserve = 1.5;
    h.parameters.additional_buffer = 2 * HOUR;
    uint32_t a = host_add_project(&h, 1);
    for (int i = 0; i < 4; i++) {
        host_add_task(&h, a, HOUR, INFINITY);
    }
    outcome found = simulate(&h);
    FINISHES(found, HOUR, HOUR, HOUR, 2 * HOUR);
    assert_exact(found.resources[0].idle_now, 0);
    assert_exact(found.resources[0].shortfall, 1.5 * HOUR);
    assert_exact(found.project_resources[a].shortfall, 1.5 * HOUR);
    host_end(&h);
}

/* Paused and arriving tasks are simulated like the rest. A task may have a usable fraction of its own. */
static void paused_downloading_and_slow(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 3);
    uint32_t a = host_add_project(&h, 1);
    host_add_task(&h, a, HOUR, INFINITY);
    host_add_task(&h, a, HOUR, INFINITY)->flags = VCS_TASK_DOWNLOADING;
    host_add_task(&h, a, HOUR, INFINITY)->usable = 0.25;
    h.resources[0].flags = VCS_RESOURCE_PAUSED;
    outcome found = simulate(&h);
    FINISHES(found, HOUR, HOUR, 4 * HOUR);
    assert_exact(found.project_resources[a].used_now, 3);
    host_end(&h);
}

/*
 * A GPU type of 2 instances; both projects may use instance 0 alone. A's task has it, B's waits though instance 1 is
 * idle. Each could use 1 instance; before 2 h, A has it for the first hour and B for the second.
 */
static void two_projects_on_the_same_instance(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    h.parameters.additional_buffer = 2 * HOUR;
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    host_add_project_resource(&h, a, gpu)->excluded = 2;
    host_add_project_resource(&h, b, gpu)->excluded = 2;
    add_gpu_task(&h, a, gpu, 0, HOUR);
    add_gpu_task(&h, b, gpu, 0, HOUR);
    outcome found = simulate(&h);
    FINISHES(found, HOUR, 2 * HOUR);
    assert_exact(found.resources[gpu].idle_now, 1);
    assert_exact(found.resources[gpu].saturated, 0);
    assert_exact(found.resources[gpu].shortfall, 2 * HOUR);
    assert_exact(found.project_resources[a * 2 + gpu].shortfall, HOUR);
    assert_exact(found.project_resources[b * 2 + gpu].shortfall, HOUR);
    host_end(&h);
}

/*
 * On different instances they run together. A's second task has to wait for instance 0 even so. A third project that
 * may use neither is stuck.
 */
static void two_projects_on_different_instances(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1), c = host_add_project(&h, 1);
    host_add_project_resource(&h, a, gpu)->excluded = 2;
    host_add_project_resource(&h, b, gpu)->excluded = 1;
    host_add_project_resource(&h, c, gpu)->excluded = 3;
    add_gpu_task(&h, a, gpu, 0, HOUR);
    add_gpu_task(&h, a, gpu, 0, HOUR);
    add_gpu_task(&h, b, gpu, 0, HOUR);
    add_gpu_task(&h, c, gpu, 0, HOUR);
    outcome found = simulate(&h);
    FINISHES(found, HOUR, 2 * HOUR, HOUR, INFINITY);
    assert_int_equal(found.tasks[3].verdict, VCS_VERDICT_STUCK);
    assert_exact(found.resources[gpu].saturated, HOUR);
    host_end(&h);
}

/* ---- Steps ---- */

/* 40,000 s: a tenth is 4,000, which leaves 36,000, no longer more than ten hours: ten steps of an hour. */
static void steps_of_a_tenth_and_of_an_hour(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    host_add_task(&h, host_add_project(&h, 1), 40000, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 40000);
    assert_int_equal(found.summary.steps, 11);
    host_end(&h);
}

/* Run times are wall time, in whole microseconds: 7200 / 0.8 = 9000; 1/3 / 0.8 = 0.41666...; nothing takes no time. */
/* More competitors than are compared in one row. */
#define HUNDREDS 600

static vcs_task_forecast of_hundreds[HUNDREDS];

/* Each project has a task, which takes `first` for the first and the last project, and 10 s for all others. */
static void simulate_hundreds(const double *recs, double first) {
    static test_host h;
    static vcs_project projects[HUNDREDS];
    static vcs_task tasks[HUNDREDS];
    begin(&h, 1);
    for (uint32_t i = 0; i < HUNDREDS; i++) {
        projects[i] = (vcs_project){.id = i + 1, .share = 1, .rec = recs[i]};
        tasks[i] = (vcs_task){.id = i + 1, .project = i, .app = VCS_NONE, .cpus = 1, .deadline = (double)INFINITY};
        tasks[i].remaining = i % (HUNDREDS - 1) == 0 ? first : 10;
    }
    h.snapshot.projects = (vcs_array){{projects}, sizeof *projects, HUNDREDS};
    h.snapshot.tasks = (vcs_array){{tasks}, sizeof *tasks, HUNDREDS};
    vcs_state *state = host_prepare(&h);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_wrr_tasks(state, ARRAY(of_hundreds, HUNDREDS)), VCS_OK);
    host_end(&h);
}

/*
 * By id, or from the last id to the first, each has had a million credits a day more than the previous one, far more
 * than 10 s bring: so they run in that order.
 */
static void hundreds_of_projects(void **unused) {
    (void)unused;
    double recs[HUNDREDS];
    for (uint32_t reversed = 0; reversed < 2; reversed++) {
        for (uint32_t i = 0; i < HUNDREDS; i++) {
            recs[i] = 1e6 * (reversed ? HUNDREDS - i : i + 1);
        }
        simulate_hundreds(recs, 10);
        for (uint32_t i = 0; i < HUNDREDS; i++) {
            assert_exact(of_hundreds[i].finish, 10.0 * (reversed ? HUNDREDS - i : i + 1));
        }
    }
}

/* The first and the last have had nothing. Each has two hours of work, and after an hour it is the other's turn. */
static void two_of_hundreds_take_turns(void **unused) {
    (void)unused;
    double recs[HUNDREDS];
    for (uint32_t i = 0; i < HUNDREDS; i++) {
        recs[i] = i % (HUNDREDS - 1) == 0 ? 0 : 1e6;
    }
    simulate_hundreds(recs, 2 * HOUR);
    assert_exact(of_hundreds[0].finish, 3 * HOUR);
    assert_exact(of_hundreds[HUNDREDS - 1].finish, 4 * HOUR);
    assert_exact(of_hundreds[1].finish, 4 * HOUR + 10);
}

static void run_times(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 3);
    h.resources[0].usable = 0.8;
    uint32_t a = host_add_project(&h, 1);
    host_add_task(&h, a, 7200, INFINITY);
    host_add_task(&h, a, 1.0 / 3, INFINITY);
    host_add_task(&h, a, 0, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 9000, 0.416667, 0);
    host_end(&h);
}

/*
 * Tasks of 1,800 and 7,200 s on one CPU, seen until 5,000 s: the first has ended; the second, which would have run for
 * an hour in the step that began at 1,800, is not reached. A budget of one step ends with the first task.
 */
static void horizon_and_budget(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    h.parameters.additional_buffer = 86400;
    h.parameters.horizon = 5000;
    uint32_t a = host_add_project(&h, 1);
    host_add_task(&h, a, 1800, INFINITY);
    host_add_task(&h, a, 7200, INFINITY);
    for (int i = 0; i < 2; i++) {
        outcome found = simulate(&h);
        FINISHES(found, 1800, INFINITY);
        assert_int_equal(found.tasks[0].verdict, VCS_VERDICT_MEETS);
        assert_int_equal(found.tasks[1].verdict, VCS_VERDICT_UNKNOWN);
        assert_int_equal(found.summary.flags, VCS_SIMULATION_STOPPED);
        assert_int_equal(found.summary.unknown, 1);
        assert_exact(found.summary.simulated_until, i == 0 ? 5000 : 1800);
        assert_exact(found.resources[0].saturated, found.summary.simulated_until);
        assert_exact(found.resources[0].shortfall, 0);
        h.parameters.horizon = 0;
        h.parameters.step_budget = 1;
    }
    host_end(&h);
}

/*
 * The same two tasks. They may cost next to nothing: it stops after one step, which it makes whatever that costs. 0 is
 * no limit: the second ends at 9,000 s.
 */
static void what_it_may_cost(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t a = host_add_project(&h, 1);
    host_add_task(&h, a, 1800, INFINITY);
    host_add_task(&h, a, 7200, INFINITY);
    h.parameters.horizon = 0;
    h.parameters.step_budget = 0;
    h.parameters.simulation_effort = 1;
    outcome found = simulate(&h);
    FINISHES(found, 1800, INFINITY);
    assert_int_equal(found.summary.flags, VCS_SIMULATION_STOPPED);
    assert_int_equal(found.summary.steps, 1);
    assert_exact(found.summary.simulated_until, 1800);
    h.parameters.simulation_effort = 0;
    found = simulate(&h);
    FINISHES(found, 1800, 9000);
    assert_int_equal(found.summary.flags, 0);
    host_end(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example),
        cmocka_unit_test(worked_example_by_deadline),
        cmocka_unit_test(frozen_rec),
        cmocka_unit_test(class_before_share),
        cmocka_unit_test(global_and_local_accounting),
        cmocka_unit_test(shares_and_work_at_the_ends_of_what_numbers_hold),
        cmocka_unit_test(a_task_of_two_cpus_waits_for_both),
        cmocka_unit_test(a_fraction_leaves_space_for_one_more),
        cmocka_unit_test(stuck),
        cmocka_unit_test(one_task_of_a_project_at_once),
        cmocka_unit_test(one_task_of_an_application_at_once),
        cmocka_unit_test(limits_of_all_applications_limit_the_project),
        cmocka_unit_test(cpu_share_of_a_gpu_task),
        cmocka_unit_test(a_cpu_share_costs_no_cpu_task_its_place),
        cmocka_unit_test(gpu_tasks_starve_no_task_of_all_cpus),
        cmocka_unit_test(fractions_of_a_gpu_do_not_straddle_devices),
        cmocka_unit_test(parts_of_a_gpu_make_up_a_whole),
        cmocka_unit_test(a_use_above_one_gpu_takes_whole_devices),
        cmocka_unit_test(a_limit_in_instances),
        cmocka_unit_test(a_limit_of_applications_that_a_task_is_not_of),
        cmocka_unit_test(a_limit_per_device),
        cmocka_unit_test(a_limit_per_device_and_application),
        cmocka_unit_test(parts_too_small_for_any_task_lack_no_work),
        cmocka_unit_test(a_whole_device_is_never_too_small),
        cmocka_unit_test(an_application_excluded_from_a_gpu),
        cmocka_unit_test(cpus_kept_for_others),
        cmocka_unit_test(paused_downloading_and_slow),
        cmocka_unit_test(two_projects_on_the_same_instance),
        cmocka_unit_test(two_projects_on_different_instances),
        cmocka_unit_test(steps_of_a_tenth_and_of_an_hour),
        cmocka_unit_test(hundreds_of_projects),
        cmocka_unit_test(two_of_hundreds_take_turns),
        cmocka_unit_test(run_times),
        cmocka_unit_test(horizon_and_budget),
        cmocka_unit_test(what_it_may_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
