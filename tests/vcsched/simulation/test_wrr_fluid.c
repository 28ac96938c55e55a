/*
 * The fluid discipline (rules 4.2, 13.2): examples worked by hand, and what must hold for any state.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include "support/random_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The forecasts for a host. */
typedef struct outcome {
    vcs_wrr_summary summary;
    vcs_task_forecast tasks[HOST_MOST];
    vcs_resource_forecast resources[HOST_MOST];
    vcs_project_resource_forecast project_resources[HOST_MOST];
} outcome;

static void read_outcome(vcs_state *state, const vcs_snapshot *snapshot, outcome *found) {
    const uint32_t project_resources = snapshot->projects.count * snapshot->resources.count;
    assert_true(snapshot->tasks.count <= HOST_MOST && project_resources <= HOST_MOST);
    memset(found, 0, sizeof *found);
    found->summary.struct_size = sizeof found->summary;
    assert_int_equal(vcs_wrr(state, &found->summary), VCS_OK);
    assert_int_equal(vcs_wrr_tasks(state, ARRAY(found->tasks, snapshot->tasks.count)), VCS_OK);
    assert_int_equal(vcs_wrr_resources(state, ARRAY(found->resources, snapshot->resources.count)), VCS_OK);
    assert_int_equal(vcs_wrr_project_resources(state, ARRAY(found->project_resources, project_resources)), VCS_OK);
}

/* A host without a buffer; tasks may take all the time to their deadline less 1 s. */
static void begin(test_host *h, uint32_t cpus) {
    host_begin(h, VCS_PROFILE_STUDY2007, cpus);
    h->parameters.min_buffer = 0;
    h->parameters.additional_buffer = 0;
    h->parameters.miss_fraction = 1;
    h->parameters.period = 1;
}

static outcome simulate(test_host *h) {
    outcome found;
    read_outcome(host_prepare(h), &h->snapshot, &found);
    return found;
}

#define assert_near(a, b)                                                                                              \
    do {                                                                                                               \
        if (!is_near(a, b)) {                                                                                          \
            print_error("%s is %.17g, not %.17g\n", #a, (double)(a), (double)(b));                                     \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

static void assert_finishes(const outcome *found, const double *expected, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        assert_near(found->tasks[i].finish, expected[i]);
    }
}

#define FINISHES(found, ...)                                                                                           \
    assert_finishes(&(found), (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* ---- Worked by hand ---- */

/*
 * 2 CPUs; shares A 2, B 1; CPU seconds A1 20/3, A2 8/3, B1 9; the buffer ends at 10 s.
 *
 * A is due 4/3 CPUs, B 2/3. A can use 2, B can use 1: each gets what it is due, so all three tasks run at 2/3.
 * A2 ends at (8/3) / (2/3) = 4. A1 has 20/3 - 8/3 = 4 left, B1 has 9 - 8/3 = 19/3.
 * Now A can use 1 CPU only, and B gets the other: both run at 1. A1 ends at 4 + 4 = 8, B1 at 4 + 19/3 = 31/3.
 * From 8 on one CPU is idle: 2 instance-seconds before the end of the buffer.
 * A lacks 4/3 - 1 from 4 to 8 and 4/3 from 8 to 10: 4 * 1/3 + 2 * 4/3 = 4. B never has less than its 2/3.
 */
static void begin_golden(test_host *h) {
    begin(h, 2);
    h->parameters.additional_buffer = 10;
    uint32_t a = host_add_project(h, 2);
    uint32_t b = host_add_project(h, 1);
    host_add_task(h, a, 20.0 / 3, INFINITY);
    host_add_task(h, a, 8.0 / 3, INFINITY);
    host_add_task(h, b, 9, INFINITY);
}

static void golden_case(void **unused) {
    (void)unused;
    static test_host h;
    begin_golden(&h);
    outcome found = simulate(&h);
    FINISHES(found, 8, 4, 31.0 / 3);
    assert_near(found.resources[0].shortfall, 2);
    assert_near(found.resources[0].saturated, 8);
    assert_true(found.resources[0].idle_now == 0);
    assert_near(found.project_resources[0].shortfall, 4);
    assert_near(found.project_resources[1].shortfall, 0);
    assert_int_equal(found.project_resources[0].tasks, 2);
    assert_int_equal(found.project_resources[1].tasks, 1);
    assert_int_equal(found.summary.flags, 0);
    assert_int_equal(found.summary.steps, 3);
    assert_int_equal(found.summary.misses, 0);
    assert_int_equal(found.summary.unknown, 0);
    assert_near(found.summary.simulated_until, 31.0 / 3);
    host_end(&h);
}

/*
 * Inside a project the first two run on two CPUs, the others wait: lengths 4, 6, 5, 1.
 * The first ends at 4 and the third begins: it ends at 9. The second ends at 6, the fourth at 7.
 */
static void a_project_is_first_in_first_out(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t a = host_add_project(&h, 1);
    host_add_task(&h, a, 4, INFINITY);
    host_add_task(&h, a, 6, INFINITY);
    host_add_task(&h, a, 5, INFINITY);
    host_add_task(&h, a, 1, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 4, 6, 9, 7);
    assert_near(found.resources[0].saturated, 7); /* from 7 to 9 the third is alone */
    host_end(&h);
}

/* One CPU, lengths 3, 2, 1. By arrival the last record is the first: 1, 3, 6. Tasks that arrive together, by id. */
static void arrival_decides_not_the_place_of_the_record(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t a = host_add_project(&h, 1);
    host_add_task(&h, a, 3, INFINITY)->received = -1;
    host_add_task(&h, a, 2, INFINITY)->received = -2;
    host_add_task(&h, a, 1, INFINITY)->received = -3;
    outcome found = simulate(&h);
    FINISHES(found, 6, 3, 1);
    for (uint32_t i = 0; i < 3; i++) {
        h.tasks[i].received = 0;
        h.tasks[i].id = 3 - i;
    }
    found = simulate(&h);
    FINISHES(found, 6, 3, 1);
    host_end(&h);
}

/*
 * 2 CPUs; A has a share and tasks of 6, 6, 6; Z has none and one task of 3.
 * A can use both CPUs until 6; Z gets nothing. Then A has one task, which ends at 12, and Z the other CPU: 6 + 3 = 9.
 * Z is due nothing, so it lacks nothing; A lacks 2 - 1 from 6 to 12 and 2 from 12 to the buffer's end at 20: 6 + 16.
 * Idle: 1 from 9 to 12, 2 from 12 to 20: 3 + 16 = 19.
 */
static void zero_share_gets_what_is_left(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    h.parameters.additional_buffer = 20;
    uint32_t z = host_add_project(&h, 0);
    uint32_t a = host_add_project(&h, 100);
    host_add_task(&h, z, 3, INFINITY);
    host_add_task(&h, a, 6, INFINITY);
    host_add_task(&h, a, 6, INFINITY);
    host_add_task(&h, a, 6, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 9, 6, 6, 12);
    assert_near(found.project_resources[z].shortfall, 0);
    assert_near(found.project_resources[a].shortfall, 22);
    assert_near(found.resources[0].shortfall, 19);
    host_end(&h);
}

/*
 * 2 CPUs; A has a share and one task of 10; Y and Z have none, and tasks of 3 and 4.
 * A can use 1 CPU, Y and Z have half of the other each. Y ends at 6, when Z has 4 - 3 = 1 left: with a CPU of its own
 * it ends at 7.
 */
static void backup_projects_divide_in_equal_parts(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    host_add_task(&h, host_add_project(&h, 5), 10, INFINITY);
    host_add_task(&h, host_add_project(&h, 0), 3, INFINITY);
    host_add_task(&h, host_add_project(&h, 0), 4, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 10, 6, 7);
    assert_near(found.resources[0].saturated, 7);
    host_end(&h);
}

/*
 * All shares 0, one CPU, tasks of 5 and 3: half each. The second ends at 6; the first has 5 - 3 = 2 left: 8.
 * Nobody is due anything.
 */
static void all_shares_zero_means_equal_parts(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    h.parameters.additional_buffer = 10;
    host_add_task(&h, host_add_project(&h, 0), 5, INFINITY);
    host_add_task(&h, host_add_project(&h, 0), 3, INFINITY);
    host_add_project(&h, 0);
    outcome found = simulate(&h);
    FINISHES(found, 8, 6);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(found.project_resources[i].shortfall == 0);
    }
    assert_near(found.resources[0].shortfall, 2);
    host_end(&h);
}

/*
 * 4 CPUs, buffer end 20. A may run one task at a time and has three of 5: they end at 5, 10, 15.
 * B, of equal share, has one of 12 and one of 2: a CPU each.
 * In use: A 1 until 15; B 2 until 2, 1 until 12.
 * A is due 2: it lacks 1 until 15 and 2 until 20: 15 + 10 = 25. B is due 2: 0 until 2, 1 until 12, 2 until 20: 10 + 16.
 * Idle: 1 until 2, 2 until 12, 3 until 15, 4 until 20: 2 + 20 + 9 + 20 = 51.
 */
static void limit_on_tasks_at_once(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    h.parameters.additional_buffer = 20;
    uint32_t a = host_add_project(&h, 1);
    uint32_t b = host_add_project(&h, 1);
    h.projects[a].max_concurrent = 1;
    for (int i = 0; i < 3; i++) {
        host_add_task(&h, a, 5, INFINITY);
    }
    host_add_task(&h, b, 12, INFINITY);
    host_add_task(&h, b, 2, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 5, 10, 15, 12, 2);
    assert_near(found.project_resources[a].shortfall, 25);
    assert_near(found.project_resources[b].shortfall, 26);
    assert_near(found.resources[0].shortfall, 51);
    assert_near(found.resources[0].idle_now, 1);
    assert_true(found.resources[0].saturated == 0);
    host_end(&h);
}

/*
 * One CPU that computes half of the time: a task of 5 device seconds ends at 10. The buffer ends at 20.
 * Shortfalls count instances, whether they compute or not: 20 - 10 = 10. A is due 1/2: 10 * 1/2 = 5.
 * B has no task: 20 s * 1/2 usable * 1 CPU * 1/2 of the shares = 5 (rule 13.3). The suspended C counts for nothing, and
 * lacks nothing. D's only task is suspended, so it counts as without tasks; its share is 0.
 */
static void usable_fraction_and_own_shortfall(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    h.parameters.min_buffer = 15;
    h.parameters.additional_buffer = 5;
    h.resources[0].usable = 0.5;
    uint32_t a = host_add_project(&h, 3), b = host_add_project(&h, 3), c = host_add_project(&h, 7);
    uint32_t d = host_add_project(&h, 0);
    h.projects[c].flags = VCS_PROJECT_SUSPENDED;
    host_add_task(&h, a, 5, INFINITY);
    host_add_task(&h, c, 1, INFINITY);
    host_add_task(&h, d, 1, INFINITY)->flags = VCS_TASK_SUSPENDED;
    outcome found = simulate(&h);
    FINISHES(found, 10, INFINITY, INFINITY);
    assert_int_equal(found.tasks[0].verdict, VCS_VERDICT_MEETS);
    assert_int_equal(found.tasks[1].verdict, VCS_VERDICT_SUSPENDED);
    assert_int_equal(found.tasks[2].verdict, VCS_VERDICT_SUSPENDED);
    assert_near(found.resources[0].shortfall, 10);
    assert_near(found.project_resources[a].shortfall, 5);
    assert_near(found.project_resources[b].shortfall, 5);
    assert_true(found.project_resources[c].shortfall == 0);
    assert_true(found.project_resources[d].shortfall == 0);
    assert_int_equal(found.project_resources[c].tasks, 0);
    assert_int_equal(found.summary.unknown, 0);
    host_end(&h);
}

/*
 * GPUs have no tasks: they are idle. Buffer end 10. Two GPUs, usable half of the time: 20 instance-seconds are missing;
 * of 1/4 of the shares, 10 s * 1/2 * 2 * 1/4 = 2.5. A suspended type lacks nothing.
 */
static void gpus_are_idle(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    h.parameters.additional_buffer = 10;
    uint32_t gpu = host_add_resource(&h, 2, 10), suspended = host_add_resource(&h, 1, 10);
    h.resources[gpu].usable = 0.5;
    h.resources[suspended].flags = VCS_RESOURCE_SUSPENDED;
    uint32_t a = host_add_project(&h, 1);
    host_add_project(&h, 3);
    vcs_task *task = host_add_task(&h, a, 5, INFINITY);
    task->gpu = suspended;
    task->gpus = 1;
    outcome found = simulate(&h);
    assert_int_equal(found.tasks[0].verdict, VCS_VERDICT_SUSPENDED);
    assert_near(found.resources[gpu].shortfall, 20);
    assert_near(found.resources[gpu].idle_now, 2);
    assert_true(found.resources[gpu].saturated == 0);
    assert_near(found.project_resources[gpu].shortfall, 2.5);
    assert_true(found.resources[suspended].shortfall == 0 && found.resources[suspended].idle_now == 0);
    assert_true(found.project_resources[suspended].shortfall == 0);
    host_end(&h);
}

static void no_buffer_no_shortfall(void **unused) {
    (void)unused;
    static test_host h;
    begin_golden(&h);
    h.parameters.additional_buffer = 0;
    host_add_project(&h, 5);
    outcome found = simulate(&h);
    assert_true(found.resources[0].shortfall == 0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(found.project_resources[i].shortfall == 0);
    }
    assert_near(found.resources[0].saturated, 8);
    host_end(&h);
}

static void nothing_to_do(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 3);
    h.parameters.additional_buffer = 10;
    outcome found = simulate(&h);
    assert_true(found.resources[0].idle_now == 3 && found.resources[0].shortfall == 30);
    assert_true(found.resources[0].saturated == 0);
    assert_int_equal(found.summary.flags, 0);
    assert_int_equal(found.summary.steps, 0);
    assert_true(found.summary.simulated_until == 0);
    host_add_project(&h, 1);
    found = simulate(&h);
    assert_true(found.project_resources[0].shortfall == 30);
    host_end(&h);
}

/* ---- Deadlines (rule 13.2) ---- */

/*
 * now 1000, min buffer 100, period 60, half of the time may be used. A task of 8 s ends at 8.
 * Deadline 1176: (1176 - 100 - 60 - 1000) / 2 = 8, which is early enough. Deadline 1175: 7.5, which is not.
 */
static void miss_fraction(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    h.now = 1000;
    h.parameters.min_buffer = 100;
    h.parameters.period = 60;
    h.parameters.miss_fraction = 0.5;
    uint32_t a = host_add_project(&h, 1);
    uint32_t b = host_add_project(&h, 1);
    host_add_task(&h, a, 8, 1176);
    host_add_task(&h, b, 8, 1175);
    host_add_task(&h, b, 8, 1e9);
    outcome found = simulate(&h);
    assert_int_equal(found.tasks[0].verdict, VCS_VERDICT_MEETS);
    assert_int_equal(found.tasks[1].verdict, VCS_VERDICT_MISSES);
    assert_int_equal(found.tasks[2].verdict, VCS_VERDICT_MEETS);
    assert_int_equal(found.summary.misses, 1);
    assert_int_equal(found.project_resources[a].misses, 0);
    assert_int_equal(found.project_resources[b].misses, 1);
    host_end(&h);
}

/* Deadlines that are past or never come are ordinary; a task of no length is late too if its deadline is past. */
static void odd_deadlines(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    h.now = 1.7e9;
    uint32_t a = host_add_project(&h, 1);
    host_add_task(&h, a, 5, -1e300);
    host_add_task(&h, a, 0, 1.7e9 - 1);
    host_add_task(&h, a, 5, 1.7e9);
    host_add_task(&h, a, 5, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 5, 5, 10, 15);
    assert_int_equal(found.tasks[0].verdict, VCS_VERDICT_MISSES);
    assert_int_equal(found.tasks[1].verdict, VCS_VERDICT_MISSES);
    assert_int_equal(found.tasks[2].verdict, VCS_VERDICT_MISSES);
    assert_int_equal(found.tasks[3].verdict, VCS_VERDICT_MEETS);
    assert_int_equal(found.summary.misses, 3);
    host_end(&h);
}

/* ---- Horizon and budget (rule 4.6) ---- */

/*
 * The golden case, seen until 5. A2 has ended; A1 and B1 are not reached. Nothing was idle.
 * A lacks 1/3 of a CPU from 4 to 5.
 */
static void horizon(void **unused) {
    (void)unused;
    static test_host h;
    begin_golden(&h);
    h.parameters.horizon = 5;
    outcome found = simulate(&h);
    FINISHES(found, INFINITY, 4, INFINITY);
    assert_int_equal(found.tasks[0].verdict, VCS_VERDICT_UNKNOWN);
    assert_int_equal(found.tasks[1].verdict, VCS_VERDICT_MEETS);
    assert_int_equal(found.tasks[2].verdict, VCS_VERDICT_UNKNOWN);
    assert_int_equal(found.summary.flags, VCS_SIMULATION_STOPPED);
    assert_int_equal(found.summary.unknown, 2);
    assert_int_equal(found.summary.steps, 2);
    assert_true(found.summary.simulated_until == 5);
    assert_true(found.resources[0].saturated == 5);
    assert_true(found.resources[0].shortfall == 0);
    assert_near(found.project_resources[0].shortfall, 1.0 / 3);
    host_end(&h);
}

/* Until 9: A1 ends at 8, then one CPU is idle for 1 s. A lacks 1/3 for 4 s and 4/3 for 1 s: 8/3. */
static void horizon_within_the_idle_time(void **unused) {
    (void)unused;
    static test_host h;
    begin_golden(&h);
    h.parameters.horizon = 9;
    outcome found = simulate(&h);
    FINISHES(found, 8, 4, INFINITY);
    assert_near(found.resources[0].saturated, 8);
    assert_near(found.resources[0].shortfall, 1);
    assert_near(found.project_resources[0].shortfall, 8.0 / 3);
    host_end(&h);
}

/* What ends at the horizon has ended; if that is all, nothing was cut off. */
static void end_at_the_horizon(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    h.parameters.horizon = 4;
    h.parameters.additional_buffer = 10;
    uint32_t a = host_add_project(&h, 1);
    host_add_task(&h, a, 4, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 4);
    assert_int_equal(found.summary.flags, 0);
    assert_true(found.resources[0].shortfall == 6); /* nothing is unknown, so the idle time to come is not either */
    host_add_task(&h, a, 1, INFINITY);
    found = simulate(&h);
    FINISHES(found, 4, INFINITY);
    assert_int_equal(found.summary.flags, VCS_SIMULATION_STOPPED);
    assert_true(found.summary.simulated_until == 4);
    host_end(&h);
}

/* One step to A2's end at 4, and no more. */
static void budget(void **unused) {
    (void)unused;
    static test_host h;
    begin_golden(&h);
    h.parameters.step_budget = 1;
    outcome found = simulate(&h);
    FINISHES(found, INFINITY, 4, INFINITY);
    assert_int_equal(found.summary.flags, VCS_SIMULATION_STOPPED);
    assert_int_equal(found.summary.steps, 1);
    assert_near(found.summary.simulated_until, 4);
    assert_int_equal(found.summary.unknown, 2);
    h.parameters.step_budget = 3;
    found = simulate(&h);
    assert_int_equal(found.summary.flags, 0);
    assert_int_equal(found.summary.unknown, 0);
    host_end(&h);
}

/* ---- Edges ---- */

/* Instants that differ by rounding alone are one. Shares and lengths that no double is equal to: */
static void ends_together_are_one_step(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    for (int i = 0; i < 7; i++) {
        uint32_t project = host_add_project(&h, 0.1 * (i + 1));
        host_add_task(&h, project, 0.1 * (i + 1), INFINITY);
        host_add_task(&h, project, 0.3 * (i + 1), INFINITY);
    }
    /* Shares 0.1 ... 0.7 of 2.8 in all: the first tasks end at 0.1 / (0.1 / 2.8) = 2.8, the others 3 * 2.8 later. */
    outcome found = simulate(&h);
    assert_int_equal(found.summary.steps, 2);
    for (uint32_t i = 0; i < 14; i++) {
        assert_near(found.tasks[i].finish, i % 2 == 0 ? 2.8 : 11.2);
        assert_true(found.tasks[i].finish == found.tasks[i % 2].finish);
    }
    host_end(&h);
}

/* Tasks of no length end as soon as it is their turn, in the step of the end before: 0, 0; 5, 5; and Z's at 5. */
static void tasks_of_no_length(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t a = host_add_project(&h, 1), z = host_add_project(&h, 0);
    host_add_task(&h, a, 0, INFINITY);
    host_add_task(&h, a, 0, INFINITY);
    host_add_task(&h, a, 5, INFINITY);
    host_add_task(&h, a, 0, INFINITY);
    host_add_task(&h, z, 0, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 0, 0, 5, 5, 5);
    assert_int_equal(found.summary.steps, 2);
    host_end(&h);
}

/* -0 s are no more than 0 s: on two CPUs the second and third task begin immediately, the fourth at 2. */
static void minus_zero_is_zero(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t a = host_add_project(&h, -0.0);
    host_add_task(&h, a, -0.0, INFINITY);
    host_add_task(&h, a, 2, INFINITY);
    host_add_task(&h, a, 5, INFINITY);
    host_add_task(&h, a, -0.0, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 0, 2, 5, 2);
    host_end(&h);
}

/*
 * Shares 1 and 10^-12 on one CPU: B is due 10^-12 CPUs, which is nothing. A has all of it until 10, then B; and what B
 * does not get until then is not missing.
 */
static void less_than_a_billionth_is_nothing(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    h.parameters.additional_buffer = 20;
    host_add_task(&h, host_add_project(&h, 1), 10, INFINITY);
    host_add_task(&h, host_add_project(&h, 1e-12), 10, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 10, 20);
    assert_true(found.tasks[0].finish == 10);
    assert_true(found.project_resources[1].shortfall == 0);
    host_end(&h);
}

/*
 * 2 CPUs, shares 200.001 and 199.999: A is due 1.000005 CPUs, but can use 1. It lacks 0.000005 for 10 s, and 1.000005
 * until the buffer ends at 20: 10.0001. B lacks nothing for 10 s, then 0.999995 for 10 s.
 */
static void little_is_not_nothing(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    h.parameters.additional_buffer = 20;
    host_add_task(&h, host_add_project(&h, 200.001), 10, INFINITY);
    host_add_task(&h, host_add_project(&h, 199.999), 10, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 10, 10);
    assert_near(found.project_resources[0].shortfall, 10.0001);
    assert_near(found.project_resources[1].shortfall, 9.99995);
    host_end(&h);
}

/* Shares far apart, down to the least double there is: the greater go first, and everyone ends. */
static void shares_far_apart(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    host_add_task(&h, host_add_project(&h, 4.9e-324), 10, INFINITY);
    host_add_task(&h, host_add_project(&h, 1e30), 10, INFINITY);
    host_add_task(&h, host_add_project(&h, 1e-150), 10, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 30, 10, 20);
    host_end(&h);
}

/* 10^12 s on CPUs that compute a billionth of the time, and more CPUs than tasks. */
static void the_greatest_numbers(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, VCS_MAX_INSTANCES);
    h.resources[0].usable = 1e-9;
    h.parameters.min_buffer = VCS_MAX_BUFFER;
    uint32_t a = host_add_project(&h, 1e30);
    host_add_task(&h, a, VCS_MAX_SECONDS, INFINITY);
    host_add_task(&h, a, 1, INFINITY);
    outcome found = simulate(&h);
    FINISHES(found, 1e21, 1e9);
    assert_true(found.resources[0].idle_now == 65534);
    /* 65534 idle until 10^9, 65535 until 10^10 */
    assert_near(found.resources[0].shortfall, 65534e9 + 65535 * 9e9);
    host_end(&h);
}

/* ---- A long queue against a plain simulation of it ---- */

enum { LONG_QUEUE = 3000 };

static uint32_t least_of(const double *values, uint32_t count) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; i++) {
        least = values[i] < values[least] ? i : least;
    }
    return least;
}

/* A single project has all CPUs, and each task gets the CPU that is free first. */
static void one_project_is_a_queue_for_its_cpus(void **unused) {
    (void)unused;
    static const uint32_t cpu_counts[] = {1, 2, 3, 128, 129, LONG_QUEUE - 1, LONG_QUEUE, 2 * LONG_QUEUE};
    static vcs_task tasks[LONG_QUEUE];
    static vcs_task_forecast found[LONG_QUEUE];
    static double free_at[LONG_QUEUE];
    static test_host h;
    for (size_t c = 0; c < sizeof cpu_counts / sizeof *cpu_counts; c++) {
        begin(&h, cpu_counts[c]);
        uint32_t project = host_add_project(&h, 1);
        for (uint32_t i = 0; i < LONG_QUEUE; i++) {
            tasks[i] = *host_add_task(&h, project, 1 + (i * UINT32_C(2654435761) >> 8) % 100000, INFINITY);
            tasks[i].id = i;
            h.snapshot.tasks.count = 0;
        }
        h.snapshot.tasks = (vcs_array){.base = tasks, .element_size = sizeof *tasks, .count = LONG_QUEUE};
        vcs_state *state = host_prepare(&h);
        assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
        assert_int_equal(vcs_wrr_tasks(state, ARRAY(found, LONG_QUEUE)), VCS_OK);
        memset(free_at, 0, sizeof free_at);
        uint32_t used = cpu_counts[c] < LONG_QUEUE ? cpu_counts[c] : LONG_QUEUE;
        for (uint32_t i = 0; i < LONG_QUEUE; i++) {
            uint32_t cpu = least_of(free_at, used);
            free_at[cpu] += tasks[i].remaining;
            assert_near(found[i].finish, free_at[cpu]);
        }
        host_end(&h);
    }
}

/* ---- What holds for any state ---- */

typedef struct long_outcome {
    vcs_wrr_summary summary;
    vcs_task_forecast tasks[RANDOM_MOST_TASKS];
    vcs_resource_forecast resources[RANDOM_MOST_RESOURCES];
    vcs_project_resource_forecast project_resources[RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES];
} long_outcome;

static void simulate_random(const random_state *s, long_outcome *found) {
    size_t size = 0;
    vcs_state *state = NULL;
    memset(found, 0, sizeof *found);
    found->summary.struct_size = sizeof found->summary;
    assert_int_equal(vcs_state_size(&s->snapshot, &size), VCS_OK);
    void *work = malloc(size);
    assert_non_null(work);
    assert_int_equal(vcs_state_prepare(&s->snapshot, &s->parameters, s->now, work, size, &state, NULL), VCS_OK);
    assert_int_equal(vcs_wrr(state, &found->summary), VCS_OK);
    vcs_wrr_tasks(state, ARRAY(found->tasks, s->snapshot.tasks.count));
    vcs_wrr_resources(state, ARRAY(found->resources, s->snapshot.resources.count));
    vcs_wrr_project_resources(
        state, ARRAY(found->project_resources, s->snapshot.projects.count * s->snapshot.resources.count));
    free(work);
}

enum { RANDOM_CASES = 2000 };

/* No second of a CPU is lost or made: busy time until all have ended, and 1000 s more, is the tasks' time. */
static void work_is_conserved(void **unused) {
    (void)unused;
    static random_state s;
    static long_outcome found;
    for (uint64_t seed = 1; seed <= RANDOM_CASES; seed++) {
        random_state_fill(&s, RANDOM_FLUID, seed);
        s.parameters.horizon = 0;
        s.parameters.step_budget = 0;
        s.parameters.additional_buffer = s.parameters.least_buffer = 0;
        simulate_random(&s, &found);
        s.parameters.min_buffer = fmin(found.summary.simulated_until + 1000, VCS_MAX_BUFFER);
        simulate_random(&s, &found);
        double seconds = 0;
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            int takes_part = found.tasks[i].verdict != VCS_VERDICT_SUSPENDED;
            seconds += takes_part ? s.tasks[i].remaining / s.resources[0].usable : 0;
        }
        if (found.summary.simulated_until < s.parameters.min_buffer) {
            double all = s.resources[0].instances * s.parameters.min_buffer;
            assert_true(fabs(all - found.resources[0].shortfall - seconds) <= 1e-12 * all);
        }
    }
}

/* A quarter of all tasks and buffers: a quarter of all times, to the last bit, since 4 is a power of 2. */
static void time_has_no_unit(void **unused) {
    (void)unused;
    static random_state s, faster;
    static long_outcome once, quarter;
    for (uint64_t seed = 1; seed <= RANDOM_CASES; seed++) {
        random_state_fill(&s, RANDOM_FLUID, seed);
        random_state_fill(&faster, RANDOM_FLUID, seed);
        faster.parameters.horizon *= 0.25;
        faster.parameters.min_buffer *= 0.25;
        faster.parameters.least_buffer *= 0.25;
        faster.parameters.additional_buffer *= 0.25;
        for (uint32_t i = 0; i < faster.snapshot.tasks.count; i++) {
            faster.tasks[i].remaining *= 0.25;
        }
        simulate_random(&s, &once);
        simulate_random(&faster, &quarter);
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            assert_true(quarter.tasks[i].finish == 0.25 * once.tasks[i].finish);
        }
        for (uint32_t i = 0; i < s.snapshot.resources.count; i++) {
            assert_true(quarter.resources[i].shortfall == 0.25 * once.resources[i].shortfall);
            assert_true(quarter.resources[i].saturated == 0.25 * once.resources[i].saturated);
        }
        for (uint32_t i = 0; i < s.snapshot.projects.count * s.snapshot.resources.count; i++) {
            assert_true(quarter.project_resources[i].shortfall == 0.25 * once.project_resources[i].shortfall);
        }
        assert_true(quarter.summary.simulated_until == 0.25 * once.summary.simulated_until);
        assert_int_equal(quarter.summary.steps, once.summary.steps);
    }
}

/* Only the ratio of shares counts. */
static void shares_have_no_unit(void **unused) {
    (void)unused;
    static random_state s, same;
    static long_outcome found, again;
    for (uint64_t seed = 1; seed <= RANDOM_CASES; seed++) {
        random_state_fill(&s, RANDOM_FLUID, seed);
        random_state_fill(&same, RANDOM_FLUID, seed);
        for (uint32_t i = 0; i < same.snapshot.projects.count; i++) {
            same.projects[i].share *= 0x1p-30;
        }
        simulate_random(&s, &found);
        simulate_random(&same, &again);
        assert_memory_equal(&found, &again, sizeof found);
    }
}

/* A step is an instant at which tasks end, or the cut at the horizon. */
static void steps_are_instants(void **unused) {
    (void)unused;
    static random_state s;
    static long_outcome found;
    for (uint64_t seed = 1; seed <= RANDOM_CASES; seed++) {
        random_state_fill(&s, RANDOM_FLUID, seed);
        simulate_random(&s, &found);
        uint64_t instants = 0;
        double last = 0;
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            double finish = found.tasks[i].finish;
            int first = !isinf(finish);
            for (uint32_t j = 0; j < i; j++) {
                first &= found.tasks[j].finish != finish;
            }
            instants += (uint64_t)first;
            last = !isinf(finish) && finish > last ? finish : last;
        }
        int stopped = (found.summary.flags & VCS_SIMULATION_STOPPED) != 0;
        uint64_t cuts = found.summary.steps - instants;
        assert_true(cuts <= (uint64_t)stopped);
        assert_true(cuts == 0 || found.summary.simulated_until == s.parameters.horizon);
        assert_true(cuts == 1 || found.summary.simulated_until == last);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_case),
        cmocka_unit_test(a_project_is_first_in_first_out),
        cmocka_unit_test(arrival_decides_not_the_place_of_the_record),
        cmocka_unit_test(zero_share_gets_what_is_left),
        cmocka_unit_test(backup_projects_divide_in_equal_parts),
        cmocka_unit_test(all_shares_zero_means_equal_parts),
        cmocka_unit_test(limit_on_tasks_at_once),
        cmocka_unit_test(usable_fraction_and_own_shortfall),
        cmocka_unit_test(gpus_are_idle),
        cmocka_unit_test(no_buffer_no_shortfall),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(miss_fraction),
        cmocka_unit_test(odd_deadlines),
        cmocka_unit_test(horizon),
        cmocka_unit_test(horizon_within_the_idle_time),
        cmocka_unit_test(end_at_the_horizon),
        cmocka_unit_test(budget),
        cmocka_unit_test(ends_together_are_one_step),
        cmocka_unit_test(tasks_of_no_length),
        cmocka_unit_test(minus_zero_is_zero),
        cmocka_unit_test(less_than_a_billionth_is_nothing),
        cmocka_unit_test(little_is_not_nothing),
        cmocka_unit_test(shares_far_apart),
        cmocka_unit_test(the_greatest_numbers),
        cmocka_unit_test(one_project_is_a_queue_for_its_cpus),
        cmocka_unit_test(work_is_conserved),
        cmocka_unit_test(time_has_no_unit),
        cmocka_unit_test(shares_have_no_unit),
        cmocka_unit_test(steps_are_instants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
