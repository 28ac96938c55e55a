/*
 * Whether the choice of tasks needs a simulation, worked by hand: rules 4.3 and 5.2.
 *
 * Three tasks of 100, 50 and 30 s on two CPUs. However they run, all is done after (100 + 50 + 30) / 2 + 100 = 190 s;
 * where it is not known that no CPU is idle while a task waits, after 100 + 50 + 30 = 180 s.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include <math.h>
#include <stdbool.h>

static void begin(test_host *h, double deadline) {
    host_begin(h, VCS_PROFILE_CURRENT, 2);
    h->parameters.min_buffer = 0;
    h->parameters.deadline_cushion = 0;
    const uint32_t project = host_add_project(h, 1);
    host_add_task(h, project, 100, INFINITY);
    host_add_task(h, project, 50, h->now + deadline);
    host_add_task(h, project, 30, h->now + 2 * deadline);
}

/* Whether the state was simulated; else nothing is there to be read, but tasks can be chosen. */
static bool is_simulated(test_host *h) {
    vcs_task_forecast tasks[HOST_MOST];
    vcs_state *state = host_prepare(h);
    assert_int_equal(vcs_wrr_for_schedule(state), VCS_OK);
    const int code = vcs_wrr_tasks(state, ARRAY(tasks, h->snapshot.tasks.count));
    assert_true(code == VCS_OK || code == VCS_ERR_SEQUENCE);
    assert_int_equal(vcs_fetch(state, NULL, NULL), code);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, NULL), VCS_OK);
    host_end(h);
    return code == VCS_OK;
}

static void cpus_are_never_idle_beside_a_waiting_task(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 191);
    assert_false(is_simulated(&h));
    begin(&h, 189);
    assert_true(is_simulated(&h));
}

/* A task of two CPUs, or a limit, or a part of a CPU that is kept for others. */
static void otherwise_one_runs_at_least(void **unused) {
    (void)unused;
    for (uint32_t what = 0; what < 3; what++) {
        for (uint32_t early = 0; early < 2; early++) {
            test_host h;
            begin(&h, early ? 179 : 181);
            h.tasks[1].cpus = what == 0 ? 2 : 1;
            h.projects[0].max_concurrent = what == 1 ? 3 : 0;
            h.resources[0].reserve = what == 2 ? 0.5 : 0;
            assert_int_equal(is_simulated(&h), early);
        }
    }
}

/* Suspended tasks take no time and have no deadline; nor has a host without tasks. */
static void suspended_tasks_do_not_count(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    h.tasks[1].flags = VCS_TASK_SUSPENDED;
    h.tasks[2].deadline = h.now + 166; /* (100 + 30) / 2 + 100 = 165 */
    assert_false(is_simulated(&h));
    begin(&h, 1);
    h.tasks[1].flags = VCS_TASK_SUSPENDED;
    h.tasks[2].deadline = h.now + 164;
    assert_true(is_simulated(&h));
    begin(&h, 1);
    h.projects[0].flags = VCS_PROJECT_SUSPENDED;
    assert_false(is_simulated(&h));
}

/* Rule 4.3: the cushion is 10 s, so that the first deadline is at 190. */
static void the_cushion_counts(void **unused) {
    (void)unused;
    for (uint32_t early = 0; early < 2; early++) {
        test_host h;
        begin(&h, early ? 199 : 201);
        h.parameters.deadline_cushion = 10;
        assert_int_equal(is_simulated(&h), early);
    }
}

/* In turn, nobody is late (5.1). The fluid discipline judges otherwise (13.2), and is always simulated. */
static void policies_differ(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    h.parameters.scheduling = VCS_SCHEDULING_ROUND_ROBIN;
    assert_false(is_simulated(&h));
    begin(&h, 1e9);
    h.parameters.discipline = VCS_DISCIPLINE_FLUID;
    assert_true(is_simulated(&h));
}

/* What vcs_wrr() has found stays, and its results replace what was found here. */
static void simulations_are_not_lost(void **unused) {
    (void)unused;
    test_host h;
    vcs_task_forecast tasks[3];
    begin(&h, 1e9);
    vcs_state *state = host_prepare(&h);
    assert_int_equal(vcs_wrr_for_schedule(NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_RUNNING, NULL), VCS_ERR_SEQUENCE);
    for (uint32_t times = 0; times < 2; times++) {
        assert_int_equal(vcs_wrr_for_schedule(state), VCS_OK);
        assert_int_equal(vcs_wrr_tasks(state, ARRAY(tasks, 3)), VCS_ERR_SEQUENCE);
    }
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_wrr_for_schedule(state), VCS_OK);
    assert_int_equal(vcs_wrr_tasks(state, ARRAY(tasks, 3)), VCS_OK);
    assert_true(tasks[0].finish == 100);
    host_end(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpus_are_never_idle_beside_a_waiting_task),
        cmocka_unit_test(otherwise_one_runs_at_least),
        cmocka_unit_test(suspended_tasks_do_not_count),
        cmocka_unit_test(the_cushion_counts),
        cmocka_unit_test(policies_differ),
        cmocka_unit_test(simulations_are_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
