/*
 * The cost that simulations and placements count (vcs_parameters.simulation_effort and placement_effort). Small hosts
 * are worked by hand from simulation.h. For larger hosts the counts are written down: a count that changes means a
 * decision that got cheaper or dearer, or is counted otherwise, and then budgets mean something else.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/support.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define HOUR 3600.0

/* A host without a buffer, on which finishing at the deadline is early enough. */
static void begin(test_host *h, uint32_t cpus) {
    host_begin(h, VCS_PROFILE_CURRENT, cpus);
    h->parameters.min_buffer = 0;
    h->parameters.additional_buffer = 0;
    h->parameters.deadline_cushion = 0;
}

#define assert_count(found, expected)                                                                                  \
    do {                                                                                                               \
        if ((found) != (expected)) {                                                                                   \
            print_error("%s is %llu, not %llu\n", #found, (unsigned long long)(found),                                 \
                        (unsigned long long)(expected));                                                               \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

static void assert_simulation_costs(test_host *h, uint32_t discipline, uint64_t steps, uint64_t effort) {
    vcs_wrr_summary summary = {.struct_size = sizeof summary};
    h->parameters.discipline = discipline;
    assert_int_equal(vcs_wrr(host_prepare(h), &summary), VCS_OK);
    assert_count(summary.steps, steps);
    assert_count(summary.effort, effort);
    host_end(h);
}

static void assert_placement_costs(test_host *h, uint64_t effort) {
    vcs_edf_summary summary = {.struct_size = sizeof summary};
    assert_int_equal(vcs_edf(host_prepare(h), VCS_EDF_ALL, &summary), VCS_OK);
    assert_count(summary.effort, effort);
    host_end(h);
}

/* ---- Worked by hand ---- */

/*
 * A CPU and two tasks of 0.5 and 2 h. Sliced: steps end at 0.5, 1.5 and 2.5 h; one project competes in each, and each
 * task starts once: 3 + 2. Fluid: two steps, and nothing to divide, since no more tasks may run than there are CPUs.
 * Placed one after the other: 2.
 */
static void two_tasks_one_after_the_other(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    host_add_project(&h, 1);
    host_add_task(&h, 0, 0.5 * HOUR, INFINITY);
    host_add_task(&h, 0, 2 * HOUR, INFINITY);
    assert_simulation_costs(&h, VCS_DISCIPLINE_SLICED, 3, 3 + 2);
    assert_simulation_costs(&h, VCS_DISCIPLINE_FLUID, 2, 2);
    assert_placement_costs(&h, 2);
}

/*
 * The example of doc/rules.md: 2 CPUs, shares A 3, B 1, A's tasks of 4 and 2 h, B's of 3 h.
 *
 * Sliced, A1 B1 | A1 A2 | B1 A1 | A1 A2 | B1: five steps of two projects each, and nine times a task starts or stops:
 * A1 and B1 start, A2 for B1, B1 for A2, A2 for B1, and B1 again.
 *
 * Fluid: A is due 1.5 CPUs for its two tasks, B 0.5 for its one, and neither has enough: looked at once, and counted
 * once. At 2 h 40 min A2 ends. A1 is due 1.5 CPUs and has enough with one, then B has one, too: three looks, and two
 * projects again. Each has a CPU then, to the end: three steps in all.
 */
static void the_worked_example(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    h.parameters.rec_half_life = HOUR;
    uint32_t a = host_add_project(&h, 3), b = host_add_project(&h, 1);
    host_add_task(&h, a, 4 * HOUR, INFINITY);
    host_add_task(&h, a, 2 * HOUR, INFINITY);
    host_add_task(&h, b, 3 * HOUR, INFINITY);
    assert_simulation_costs(&h, VCS_DISCIPLINE_SLICED, 5, 5 * 2 + 2 + 2 + 2 + 2 + 1);
    assert_simulation_costs(&h, VCS_DISCIPLINE_FLUID, 3, 3 + (2 + 2) + (2 + 1 + 2));
    assert_placement_costs(&h, 3);
}

/* ---- Larger hosts ---- */

/* Eight projects of different shares with five tasks each, of 20 min to 22 h; a deadline for each. */
static void begin_crowd(test_host *h, uint32_t cpus) {
    begin(h, cpus);
    for (uint32_t p = 0; p < 8; p++) {
        host_add_project(h, 1 + p % 3);
    }
    for (uint32_t i = 0; i < 40; i++) {
        host_add_task(h, i % 8, 1200.0 * (1 + i * 7 % 67), (12 + i * 29 % 83) * HOUR);
    }
}

static void many_tasks_of_a_cpu(void **unused) {
    (void)unused;
    static test_host h;
    begin_crowd(&h, 4);
    assert_simulation_costs(&h, VCS_DISCIPLINE_SLICED, 131, 1838);
    assert_simulation_costs(&h, VCS_DISCIPLINE_FLUID, 37, 218);
    assert_placement_costs(&h, 40);
}

/* Projects of equal shares with nearly equal recent work: keys are compared exactly. */
static void projects_that_are_nearly_alike(void **unused) {
    (void)unused;
    static test_host h;
    begin_crowd(&h, 4);
    for (uint32_t p = 0; p < 8; p++) {
        h.projects[p].share = 1;
        h.projects[p].rec = 1e6 + p * 1e-9;
    }
    assert_simulation_costs(&h, VCS_DISCIPLINE_SLICED, 133, 1872);
}

/* Tasks of half a CPU to three, so that the order of queues and of ranks matters. */
static void tasks_of_different_uses(void **unused) {
    (void)unused;
    static test_host h;
    begin_crowd(&h, 4);
    for (uint32_t i = 0; i < 40; i++) {
        h.tasks[i].cpus = 0.5 * (1 + i * 5 % 6);
    }
    assert_simulation_costs(&h, VCS_DISCIPLINE_SLICED, 225, 10158);
    assert_placement_costs(&h, 872);
}

/* Limits of projects and applications. */
static void limits(test_host *h) {
    for (uint32_t p = 0; p < 8; p++) {
        h->projects[p].max_concurrent = p % 3 == 0 ? 2 : 0;
        host_add_app(h, p, p % 2 == 0 ? 1 : 0);
        host_add_app(h, p, 3);
    }
    for (uint32_t i = 0; i < 40; i++) {
        h->tasks[i].app = 2 * (i % 8) + i / 8 % 2;
    }
}

static void tasks_under_limits(void **unused) {
    (void)unused;
    static test_host h;
    begin_crowd(&h, 4);
    limits(&h);
    assert_simulation_costs(&h, VCS_DISCIPLINE_SLICED, 137, 5604);
    assert_placement_costs(&h, 40);
    for (uint32_t i = 0; i < 40; i += 4) {
        h.tasks[i].cpus = 2;
    }
    assert_simulation_costs(&h, VCS_DISCIPLINE_SLICED, 159, 5881);
    assert_placement_costs(&h, 1068);
}

/* Every third task uses a GPU, a third of one or two thirds; one project may not use the first. */
static void tasks_of_gpus(void **unused) {
    (void)unused;
    static test_host h;
    begin_crowd(&h, 4);
    uint32_t gpu = host_add_resource(&h, 3, 10);
    for (uint32_t i = 0; i < 40; i += 3) {
        h.tasks[i].cpus = 0.25;
        h.tasks[i].gpu = gpu;
        h.tasks[i].gpus = (1 + i % 5) / 3.0;
    }
    host_add_project_resource(&h, 2, gpu)->excluded = 1;
    assert_simulation_costs(&h, VCS_DISCIPLINE_SLICED, 97, 6077);
    assert_placement_costs(&h, 875);
    limits(&h);
    assert_placement_costs(&h, 1457);
}

/* ---- Admission ---- */

/* The least vcs_parameters.placement_effort with which no candidate of eight is refused for it. */
static uint32_t least_for_admission(test_host *h) {
    uint32_t least = 1, most = 1u << 20;
    while (least < most) {
        const uint32_t tried = least + (most - least) / 2;
        bool is_enough = true;
        h->parameters.placement_effort = tried;
        vcs_state *state = host_prepare(h);
        for (uint32_t i = 0; i < h->snapshot.candidates.count; i++) {
            vcs_admission admission = {.struct_size = sizeof admission};
            assert_int_equal(vcs_admit(state, i, &admission), VCS_OK);
            is_enough &= admission.reason != VCS_REASON_BUDGET;
        }
        host_end(h);
        *(is_enough ? &most : &least) = is_enough ? tried : tried + 1;
    }
    return least;
}

static void candidates(void **unused) {
    (void)unused;
    static test_host h;
    begin_crowd(&h, 4);
    for (uint32_t i = 0; i < 8; i++) {
        host_add_candidate(&h, i, HOUR * (1 + i), HOUR * (5 + i * 37 % 60));
    }
    assert_count(least_for_admission(&h), 93u);
    for (uint32_t i = 0; i < 40; i += 4) {
        h.tasks[i].cpus = 2;
    }
    assert_count(least_for_admission(&h), 1695u);
    limits(&h);
    assert_count(least_for_admission(&h), 9061u);
}

/*
 * Nobody is harmed. For each candidate the 4 CPUs are free again, the candidates admitted before it are placed, 0 to 7,
 * and behind it all 40 tasks.
 */
static void candidates_that_harm_nobody(void **unused) {
    (void)unused;
    static test_host h;
    begin_crowd(&h, 4);
    for (uint32_t i = 0; i < 40; i++) {
        h.tasks[i].deadline = 1000 * HOUR;
    }
    for (uint32_t i = 0; i < 8; i++) {
        host_add_candidate(&h, i, 60, HOUR);
    }
    assert_count(least_for_admission(&h), 8 * (4 + 40) + 28u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_tasks_one_after_the_other),
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(many_tasks_of_a_cpu),
        cmocka_unit_test(projects_that_are_nearly_alike),
        cmocka_unit_test(tasks_of_different_uses),
        cmocka_unit_test(tasks_under_limits),
        cmocka_unit_test(tasks_of_gpus),
        cmocka_unit_test(candidates),
        cmocka_unit_test(candidates_that_harm_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
