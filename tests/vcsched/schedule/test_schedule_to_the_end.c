/*
 * The choice without stops in vain (rule 15.4): examples worked by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "oracle/cases.h"
#include "support/array.h"
#include "support/kernel.h"
#include "support/support.h"

#include <stdbool.h>
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

/*
 * Two CPUs. A task with 20 h left goes on; tasks of 5, 6 and 7 h are due in 90, 10 and 40 h. The free CPU takes the
 * task due in 10 h until 6, the task due in 40 h until 13, and the last until 18. From then on one CPU is idle.
 */
static void the_simulation_foretells_it(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    add_running(&h, 20 * HOUR, 100 * HOUR);
    host_add_task(&h, 1, 5 * HOUR, h.now + 90 * HOUR);
    host_add_task(&h, 0, 6 * HOUR, h.now + 10 * HOUR);
    host_add_task(&h, 1, 7 * HOUR, h.now + 40 * HOUR);
    static const double finishes[] = {20, 18, 6, 13};
    vcs_task_forecast tasks[4];
    vcs_resource_forecast cpus;
    vcs_wrr_summary summary = {.struct_size = sizeof summary};
    vcs_state *state = host_prepare(&h);
    assert_int_equal(vcs_wrr(state, &summary), VCS_OK);
    assert_int_equal(vcs_wrr_tasks(state, ARRAY(tasks, 4)), VCS_OK);
    assert_int_equal(vcs_wrr_resources(state, ARRAY(&cpus, 1)), VCS_OK);
    for (int i = 0; i < 4; i++) {
        assert_true(tasks[i].finish == finishes[i] * HOUR);
        assert_int_equal(tasks[i].verdict, VCS_VERDICT_MEETS);
    }
    assert_int_equal(summary.steps, 4);
    assert_true(cpus.saturated == 18 * HOUR);
    host_end(&h);
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

/* ---- What is foretold comes true ---- */

/* Tasks of one to three CPUs or of a GPU, all in whole seconds; some run. */
static void draw_queue(test_host *h, random_stream *r) {
    begin(h, 1 + random_below(r, 4));
    host_add_resource(h, 2, 10);
    h->parameters.hold = 3600.0 * random_below(r, 6);
    h->parameters.device_bound = VCS_DEVICES_FREE;
    h->parameters.period = 1e6;
    const uint32_t count = 1 + random_below(r, 14);
    for (uint32_t i = 0; i < count; i++) {
        vcs_task *task = host_add_task(h, random_below(r, 2), 60 * (1 + random_below(r, 600)),
                                       h->now + 600 * (1 + random_below(r, 300)));
        task->cpus = 1 + random_below(r, 3);
        if (random_below(r, 4) == 0) {
            task->gpu = 1;
            task->gpus = random_below(r, 2) ? 1 : 0.5;
            task->cpus = 0.25;
        }
        if (random_below(r, 4) == 0) {
            task->flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
            task->running_since = h->now - 60 * random_below(r, 600);
            task->devices = task->gpu != 0 ? 1 + random_below(r, 2) : 0;
        }
    }
}

/* When each task ends, if it does; by its id. */
static void foretell(test_host *h, double *finishes) {
    vcs_task_forecast tasks[HOST_MOST];
    vcs_wrr_summary summary = {.struct_size = sizeof summary};
    vcs_state *state = host_prepare(h);
    assert_int_equal(vcs_wrr(state, &summary), VCS_OK);
    assert_int_equal(vcs_wrr_tasks(state, ARRAY(tasks, h->snapshot.tasks.count)), VCS_OK);
    for (uint32_t i = 0; i < h->snapshot.tasks.count; i++) {
        finishes[h->tasks[i].id] = tasks[i].verdict == VCS_VERDICT_STUCK ? -1 : h->now + tasks[i].finish;
    }
}

/* Carries out a decision up to the next finish. Returns whether any task runs. */
static bool carry_out(test_host *h) {
    double passed = -1;
    for (uint32_t i = 0; i < h->snapshot.tasks.count; i++) {
        vcs_task *task = &h->tasks[i];
        if (decisions[i].run) {
            passed = passed < 0 || task->remaining < passed ? task->remaining : passed;
            task->flags |= VCS_TASK_RUNNING | VCS_TASK_STARTED;
            task->devices = decisions[i].devices;
        } else {
            task->flags &= ~(uint32_t)VCS_TASK_RUNNING;
        }
    }
    for (uint32_t i = 0; i < h->snapshot.tasks.count && passed > 0; i++) {
        h->tasks[i].remaining -= decisions[i].run ? passed : 0;
    }
    h->now += passed > 0 ? passed : 0;
    return passed > 0;
}

/*
 * In the loop: each task ends when it was foretold to at first, and each later forecast says the same, with wide tasks
 * and GPUs.
 */
static void what_is_foretold_comes_true(void **unused) {
    (void)unused;
    static test_host h;
    seeds cases = seeds_of_test(98, 2000);
    uint64_t ended = 0, waited = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_stream r = {seed};
        double first[HOST_MOST + 1], again[HOST_MOST + 1];
        draw_queue(&h, &r);
        foretell(&h, first);
        do {
            foretell(&h, again);
            for (uint32_t i = 0; i < h.snapshot.tasks.count; i++) {
                const uint64_t id = h.tasks[i].id;
                if (again[id] != first[id]) {
                    fail_msg("VCS_SEED=%llu VCS_CASES=1: task %llu ends at %g, not at %g", (unsigned long long)seed,
                             (unsigned long long)id, again[id], first[id]);
                }
            }
            waited += decide(&h).running < h.snapshot.tasks.count;
            if (!carry_out(&h)) {
                break;
            }
            for (uint32_t i = h.snapshot.tasks.count; i-- > 0;) {
                if (h.tasks[i].remaining <= 0) {
                    assert_true(h.now == first[h.tasks[i].id]);
                    h.tasks[i] = h.tasks[--h.snapshot.tasks.count];
                    ended++;
                }
            }
        } while (h.snapshot.tasks.count > 0);
        host_end(&h);
    }
    assert_true(ended > 5 * cases.count && waited > 2 * cases.count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_runs_goes_on_and_the_earliest_deadline_is_next),
        cmocka_unit_test(what_does_not_fit_stops),
        cmocka_unit_test(gpus_come_first),
        cmocka_unit_test(a_wide_task_gets_its_place),
        cmocka_unit_test(the_simulation_foretells_it),
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(what_is_foretold_comes_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
