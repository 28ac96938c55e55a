/*
 * The choice without stops in vain (rule 15.4): examples worked by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include <string.h>

#define HOUR 3600.0

static vcs_task_decision decisions[HOST_MOST];

/* No simulation comes before. */
static vcs_schedule_summary decide(test_host *h) {
    vcs_schedule_summary summary = {.struct_size = sizeof summary};
    vcs_state *state = host_prepare(h);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &summary), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(decisions, h->snapshot.tasks.count)), VCS_OK);
    return summary;
}

static void begin(test_host *h, uint32_t cpus) {
    host_begin(h, VCS_PROFILE_CURRENT, cpus);
    h->now = 1000 * HOUR;
    h->parameters.keep_running = 1;
    h->parameters.hold = 0;
    host_add_project(h, 100);
    host_add_project(h, 300);
}

/* A task that has run for ten hours, so that its slice is long over. */
static vcs_task *add_running(test_host *h, double remaining, double until_deadline) {
    vcs_task *task = host_add_task(h, 0, remaining, h->now + until_deadline);
    task->flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
    task->running_since = h->now - 10 * HOUR;
    return task;
}

static void assert_reason(uint32_t task, uint32_t reason) {
    if (decisions[task].reason != reason) {
        fail_msg("task %u: %s, not %s", task, vcs_reason_name(decisions[task].reason), vcs_reason_name(reason));
    }
}

/*
 * Two CPUs. The running task goes on, though another project is owed more and a task would miss its deadline without
 * its CPU. The free CPU goes to the earliest deadline, not to the project whose turn it is, nor to what came first.
 */
static void what_runs_goes_on_and_the_earliest_deadline_is_next(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    h.projects[0].rec = 1000;
    add_running(&h, 20 * HOUR, 100 * HOUR);
    host_add_task(&h, 1, 5 * HOUR, h.now + 90 * HOUR);
    host_add_task(&h, 1, 5 * HOUR, h.now + 7 * HOUR);
    host_add_task(&h, 0, 5 * HOUR, h.now + 6 * HOUR);
    vcs_schedule_summary summary = decide(&h);
    assert_int_equal(summary.running, 2);
    assert_int_equal(summary.stopped, 0);
    assert_reason(0, VCS_REASON_RUNS_ON);
    assert_reason(1, VCS_REASON_WAITS);
    assert_reason(2, VCS_REASON_WAITS);
    assert_reason(3, VCS_REASON_EARLIEST_DEADLINE);
    h.parameters.keep_running = 0; /* by turns and misses, the running task gives way */
    vcs_state *state = host_prepare(&h);
    summary.struct_size = sizeof summary;
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &summary), VCS_ERR_SEQUENCE);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &summary), VCS_OK);
    assert_int_equal(summary.stopped, 1);
    host_end(&h);
}

/* What no longer fits stops all the same: one of two tasks, once a CPU is gone, and the one that loses less by it. */
static void what_does_not_fit_stops(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    add_running(&h, HOUR, 10 * HOUR)->since_checkpoint = 60;
    add_running(&h, HOUR, 20 * HOUR)->since_checkpoint = 600;
    const vcs_schedule_summary summary = decide(&h);
    assert_int_equal(summary.stopped, 1);
    assert_reason(0, VCS_REASON_WAITS);
    assert_reason(1, VCS_REASON_RUNS_ON);
    host_end(&h);
}

/* GPU tasks go first, and leave the CPUs what they do not use. */
static void gpus_come_first(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    const uint32_t gpu = host_add_resource(&h, 1, 100);
    host_add_task(&h, 0, HOUR, h.now + 2 * HOUR);
    for (int i = 0; i < 2; i++) {
        vcs_task *task = host_add_task(&h, 1, HOUR, h.now + (40 - 10 * i) * HOUR);
        task->gpu = gpu;
        task->gpus = 1;
        task->cpus = 0.5;
    }
    decide(&h);
    assert_reason(0, VCS_REASON_EARLIEST_DEADLINE);
    assert_reason(1, VCS_REASON_WAITS);
    assert_reason(2, VCS_REASON_EARLIEST_DEADLINE);
    assert_int_equal(decisions[2].place, 0);
    host_end(&h);
}

/*
 * Four CPUs, two tasks with 1 and 3 hours left, and a task of four CPUs that is due first. It has its CPUs in 3 hours.
 * Where CPUs may be held for 4, a task of 3 hours fills in, and one of a second more waits. Where they may be held for
 * 2 only, both begin, and the wide task waits for another time.
 */
static void a_wide_task_gets_its_place(void **unused) {
    (void)unused;
    for (int held = 0; held < 2; held++) {
        static test_host h;
        begin(&h, 4);
        h.parameters.hold = held ? 4 * HOUR : 2 * HOUR;
        add_running(&h, HOUR, 100 * HOUR);
        add_running(&h, 3 * HOUR, 100 * HOUR);
        host_add_task(&h, 0, HOUR, h.now + 10 * HOUR)->cpus = 4;
        host_add_task(&h, 1, 3 * HOUR + 1, h.now + 20 * HOUR);
        host_add_task(&h, 1, 3 * HOUR, h.now + 30 * HOUR);
        const vcs_schedule_summary summary = decide(&h);
        assert_int_equal(summary.running, held ? 3 : 4);
        assert_reason(2, held ? VCS_REASON_HELD : VCS_REASON_WAITS);
        assert_reason(3, held ? VCS_REASON_WAITS : VCS_REASON_EARLIEST_DEADLINE);
        assert_reason(4, VCS_REASON_EARLIEST_DEADLINE);
        host_end(&h);
    }
}

/* In the loop: every task runs once, from its start to its end, in the order of deadlines. */
static void every_task_runs_once(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    for (int i = 0; i < 6; i++) {
        host_add_task(&h, (uint32_t)i % 2, (3 + i) * HOUR, h.now + (200 - 7 * (i * 5 % 6)) * HOUR);
    }
    double last_deadline = 0;
    for (int left = 6; left > 0;) {
        const vcs_schedule_summary summary = decide(&h);
        assert_int_equal(summary.running, 1);
        assert_int_equal(summary.stopped, 0);
        uint32_t running = 0;
        while (decisions[running].run == 0) {
            running++;
        }
        vcs_task *task = &h.tasks[running];
        assert_true(task->deadline >= last_deadline);
        last_deadline = task->deadline;
        task->running_since = (decisions[running].flags & VCS_DECISION_NEW_SLICE) != 0 ? h.now : task->running_since;
        task->flags |= VCS_TASK_RUNNING | VCS_TASK_STARTED;
        const double passed = task->remaining < summary.next_check ? task->remaining : summary.next_check;
        h.now += passed;
        task->remaining -= passed;
        if (task->remaining <= 0) {
            *task = h.tasks[--h.snapshot.tasks.count];
            left--;
        }
    }
    host_end(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_runs_goes_on_and_the_earliest_deadline_is_next),
        cmocka_unit_test(what_does_not_fit_stops),
        cmocka_unit_test(gpus_come_first),
        cmocka_unit_test(a_wide_task_gets_its_place),
        cmocka_unit_test(every_task_runs_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
