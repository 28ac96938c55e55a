/*
 * Tasks of several CPUs beside tasks of one, and tasks that would end within their next slice (rule 5.7), worked by
 * hand and carried out.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

#define HOUR 3600.0
#define DAY 86400.0
#define NOW 1e6

typedef struct outcome {
    vcs_schedule_summary summary;
    vcs_task_decision tasks[HOST_MOST];
    vcs_task_forecast forecasts[HOST_MOST];
} outcome;

static void begin(test_host *h, uint32_t cpus) {
    host_begin(h, VCS_PROFILE_CURRENT, cpus);
    h->now = NOW;
    h->parameters.hold = 2 * HOUR;
}

static vcs_task *add_task(test_host *h, uint32_t project, double cpus, double remaining) {
    vcs_task *task = host_add_task(h, project, remaining, INFINITY);
    task->cpus = cpus;
    return task;
}

/* It has been running for so long. */
static vcs_task *run(const test_host *h, vcs_task *task, double elapsed) {
    task->flags |= VCS_TASK_RUNNING | VCS_TASK_STARTED;
    task->running_since = h->now - elapsed;
    return task;
}

static outcome decide(test_host *h) {
    outcome found;
    memset(&found, 0, sizeof found);
    found.summary.struct_size = sizeof found.summary;
    vcs_state *state = host_prepare(h);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_wrr_tasks(state, ARRAY(found.forecasts, h->snapshot.tasks.count)), VCS_OK);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &found.summary), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(found.tasks, h->snapshot.tasks.count)), VCS_OK);
    host_end(h);
    return found;
}

static void assert_reasons(const outcome *found, const uint32_t *expected, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (found->tasks[i].reason != expected[i]) {
            fail_msg("task %u: %s, not %s", i, vcs_reason_name(found->tasks[i].reason), vcs_reason_name(expected[i]));
        }
    }
}

#define REASONS(found, ...)                                                                                            \
    assert_reasons(&(found), (const uint32_t[]){__VA_ARGS__},                                                          \
                   sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

#define SLICE VCS_REASON_SLICE
#define TURN VCS_REASON_TURN
#define ENDS_SOON VCS_REASON_ENDS_SOON
#define FILLS_IN VCS_REASON_FILLS_IN
#define HELD VCS_REASON_HELD
#define WAITS VCS_REASON_WAITS
#define SLICE_OVER VCS_REASON_SLICE_OVER

/* Carries the decision out and lets time pass, up to the next look or the next end of a task. */
static void carry_out(test_host *h, const outcome *found) {
    double passed = found->summary.next_check;
    for (uint32_t i = 0; i < h->snapshot.tasks.count; i++) {
        vcs_task *task = &h->tasks[i];
        const vcs_task_decision *decision = &found->tasks[i];
        task->flags &= ~(VCS_TASK_RUNNING | VCS_TASK_FILLS_IN);
        task->flags |= decision->run ? VCS_TASK_RUNNING | VCS_TASK_STARTED : 0;
        task->flags |= (decision->flags & VCS_DECISION_FILLS_IN) != 0 ? VCS_TASK_FILLS_IN : 0;
        task->running_since = (decision->flags & VCS_DECISION_NEW_SLICE) != 0 ? h->now : task->running_since;
        passed = decision->run ? fmin(passed, task->remaining) : passed;
    }
    for (uint32_t i = 0; i < h->snapshot.tasks.count; i++) {
        h->tasks[i].remaining -= found->tasks[i].run ? passed : 0;
    }
    h->now += passed;
}

/* ---- Ends ---- */

/* 59 minutes are within the next slice, an hour is, a second more is not. */
static void a_task_that_would_end_within_its_next_slice_goes_on(void **unused) {
    (void)unused;
    static test_host h;
    for (int let = 0; let < 2; let++) {
        begin(&h, 3);
        h.parameters.let_finish = (uint32_t)let;
        const uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
        h.projects[a].rec = 100;
        run(&h, add_task(&h, a, 1, 59 * 60), 2 * HOUR);
        run(&h, add_task(&h, a, 1, HOUR), 2 * HOUR);
        run(&h, add_task(&h, a, 1, HOUR + 1), 2 * HOUR);
        for (int i = 0; i < 3; i++) {
            add_task(&h, b, 1, DAY);
        }
        outcome found = decide(&h);
        if (let) {
            REASONS(found, ENDS_SOON, ENDS_SOON, SLICE_OVER, TURN, WAITS, WAITS);
            assert_int_equal(found.tasks[0].flags, VCS_DECISION_NEW_SLICE);
        } else {
            REASONS(found, SLICE_OVER, SLICE_OVER, SLICE_OVER, TURN, TURN, TURN);
        }
    }
}

/* A late task still takes its place. */
static void but_a_late_task_goes_first(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    const uint32_t a = host_add_project(&h, 1);
    run(&h, add_task(&h, a, 1, HOUR), 2 * HOUR);
    add_task(&h, a, 1, HOUR)->deadline = NOW + 1.5 * HOUR;
    outcome found = decide(&h);
    REASONS(found, VCS_REASON_GIVES_WAY, VCS_REASON_LATE);
}

/* ---- Held CPUs ---- */

/* Four narrow tasks, the slice of the last one over, and a task of 4 CPUs that is owed most. */
static void begin_wide_waits(test_host *h) {
    begin(h, 4);
    const uint32_t wide = host_add_project(h, 1), narrow = host_add_project(h, 1);
    h->projects[narrow].rec = 3000;
    add_task(h, wide, 4, 3 * HOUR)->received = -50;
    for (int i = 0; i < 8; i++) {
        vcs_task *task = add_task(h, narrow, 1, 20000);
        task->received = i - 40;
        if (i < 4) {
            run(h, task, i < 3 ? 900.0 * (i + 1) : 2 * HOUR);
        }
    }
}

/* The slice that is over is not renewed; the others last for 2 h - 900 s at the longest, and that is foretold. */
static void the_place_of_a_wide_task_is_held(void **unused) {
    (void)unused;
    static test_host h;
    begin_wide_waits(&h);
    outcome found = decide(&h);
    REASONS(found, HELD, SLICE, SLICE, SLICE, FILLS_IN, WAITS, WAITS, WAITS, WAITS);
    assert_int_equal(found.tasks[4].flags, VCS_DECISION_FILLS_IN);
    assert_true(found.summary.next_check == 2 * HOUR - 2700);
    assert_true(found.forecasts[0].finish == 2 * HOUR - 900 + 3 * HOUR);
}

/* It begins when the simulation said so, no CPU idles before, and nothing was started in vain. */
static void it_begins_when_foretold(void **unused) {
    (void)unused;
    static test_host h;
    begin_wide_waits(&h);
    outcome found = decide(&h);
    int looks = 0;
    for (; !found.tasks[0].run; looks++) {
        assert_int_equal(found.summary.running, 4);
        assert_int_equal(found.summary.started, 0);
        carry_out(&h, &found);
        found = decide(&h);
    }
    assert_true(h.now == NOW + 2 * HOUR - 900);
    assert_int_equal(looks, 3);
    assert_int_equal(found.summary.running, 1);
}

/* Without `hold` it waits for ever: each slice that ends is renewed, since the task does not fit. */
static void without_it_a_wide_task_starves(void **unused) {
    (void)unused;
    static test_host h;
    begin_wide_waits(&h);
    h.parameters.hold = 0;
    for (int i = 5; i < 9; i++) {
        h.tasks[i].remaining = 1e6;
    }
    for (int i = 1; i < 5; i++) {
        h.tasks[i].remaining = 1e6;
    }
    for (int looks = 0; looks < 20; looks++) {
        outcome found = decide(&h);
        assert_int_equal(found.tasks[0].run, 0);
        assert_true(found.tasks[0].reason == WAITS);
        carry_out(&h, &found);
    }
}

/*
 * One CPU is free at the turn of a task of 2. Until it is overdue a task that starts there gets a slice. The projects
 * are owed alike, so the wide one would not come first again.
 */
static void until_it_is_overdue_others_start_with_a_slice(void **unused) {
    (void)unused;
    static test_host h;
    for (int overdue = 0; overdue < 2; overdue++) {
        begin(&h, 2);
        const uint32_t wide = host_add_project(&h, 1), narrow = host_add_project(&h, 1);
        h.projects[narrow].rec = overdue ? 1e6 : 0;
        add_task(&h, wide, 2, DAY);
        run(&h, add_task(&h, narrow, 1, DAY), 60);
        add_task(&h, narrow, 1, DAY);
        outcome found = decide(&h);
        REASONS(found, HELD, SLICE, overdue ? FILLS_IN : TURN);
        assert_int_equal(found.tasks[2].flags,
                         VCS_DECISION_START | (overdue ? VCS_DECISION_FILLS_IN : VCS_DECISION_NEW_SLICE));
    }
}

/* If nobody else can offer a task, the turn is overdue: narrow tasks of its own project must not go on for ever. */
static void a_lone_project_is_overdue(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    const uint32_t a = host_add_project(&h, 1);
    add_task(&h, a, 2, DAY)->received = -1;
    run(&h, add_task(&h, a, 1, DAY), 60);
    add_task(&h, a, 1, DAY);
    outcome found = decide(&h);
    REASONS(found, HELD, SLICE, FILLS_IN);
}

/* A task that fills in has no slice, however short a time it has run. */
static void a_task_that_fills_in_has_no_slice(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    const uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[a].rec = 1e6;
    for (int i = 0; i < 2; i++) {
        run(&h, add_task(&h, a, 1, 60), 10)->flags |= VCS_TASK_FILLS_IN;
    }
    add_task(&h, b, 2, DAY);
    h.parameters.switch_cost = 0;
    outcome found = decide(&h);
    REASONS(found, SLICE_OVER, SLICE_OVER, TURN);
}

/* Two CPUs idle, since no narrow task is left: the slices yield, as they lose little. */
static void slices_yield_where_cpus_would_idle(void **unused) {
    (void)unused;
    static test_host h;
    for (int loses = 0; loses < 2; loses++) {
        begin(&h, 4);
        const uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
        h.projects[a].rec = 1e6;
        run(&h, add_task(&h, a, 1, DAY), 600)->since_checkpoint = 60;
        run(&h, add_task(&h, a, 1, DAY), 1200)->since_checkpoint = loses ? 7000 : 60; /* the first lasts 6600 s */
        add_task(&h, b, 4, DAY);
        outcome found = decide(&h);
        if (loses) {
            REASONS(found, SLICE, SLICE, HELD);
            assert_true(found.forecasts[2].finish == 2 * HOUR - 1200 + DAY); /* then the other one yields */
        } else {
            REASONS(found, SLICE_OVER, SLICE_OVER, TURN);
            assert_true(found.forecasts[2].finish == DAY);
        }
    }
}

/* A task of 3 CPUs does not give way to one of 4 that is held, nor does its slice yield to a task of 2. */
static void larger_tasks_do_not_yield(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    const uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[a].rec = 1e6;
    run(&h, add_task(&h, a, 3, DAY), 600);
    add_task(&h, b, 2, DAY);
    outcome found = decide(&h);
    REASONS(found, SLICE, HELD);
}

/* What cannot run alone, or where anything that is free will do, holds nothing. */
static void nothing_is_held_in_vain(void **unused) {
    (void)unused;
    static test_host h;
    for (int any = 0; any < 2; any++) {
        begin(&h, 4);
        const uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
        h.parameters.cpu_fit = any ? VCS_CPU_FIT_ANY : VCS_CPU_FIT_FRACTION;
        h.projects[a].rec = 1e6;
        run(&h, add_task(&h, a, 1, DAY), 1.5 * HOUR);
        for (int i = 0; i < 3; i++) {
            run(&h, add_task(&h, a, 1, DAY), 60);
        }
        add_task(&h, b, any ? 4 : 6, DAY);
        outcome found = decide(&h);
        if (any) {
            REASONS(found, SLICE_OVER, SLICE, SLICE, SLICE, TURN);
        } else {
            REASONS(found, TURN, SLICE, SLICE, SLICE, VCS_REASON_CANNOT_RUN);
            assert_int_equal(found.tasks[0].flags, VCS_DECISION_NEW_SLICE);
        }
    }
}

/* ---- Parts of GPUs ---- */

/* Two halves on one of two cards each: a task of a whole card cannot begin before one of their slices ends. */
static void a_whole_card_waits_for_parts(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    const uint32_t gpu = host_add_resource(&h, 2, 100);
    const uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    for (uint32_t i = 0; i < 2; i++) {
        vcs_task *half = run(&h, add_task(&h, a, 0.1, DAY), 600.0 * (i + 1));
        half->gpu = gpu;
        half->gpus = 0.5;
        half->devices = UINT64_C(1) << i;
    }
    vcs_task *whole = add_task(&h, b, 0.1, DAY);
    whole->gpu = gpu;
    whole->gpus = 1;
    outcome found = decide(&h);
    REASONS(found, SLICE, SLICE, WAITS);
    assert_true(found.forecasts[2].finish == HOUR - 1200 + DAY);
}

/* ---- Late CPU tasks and GPUs ---- */

static vcs_task *add_gpu_task(test_host *h, uint32_t project, uint32_t gpu, double cpus, double remaining) {
    vcs_task *task = add_task(h, project, cpus, remaining);
    task->gpu = gpu;
    task->gpus = 1;
    return task;
}

/*
 * A late task of 4 CPUs and two GPU tasks of a CPU each, with 2 h left. With 3 h of work and 5 h to the deadline it can
 * wait for them; so it goes after them, and fits because only their shares are in its way. With a minute less it cannot
 * wait; with 2 h to the deadline it is late in any case.
 */
static void a_late_task_spares_gpus_unless_its_deadline_gains(void **unused) {
    (void)unused;
    static test_host h;
    const double until_deadline[] = {5 * HOUR, 5 * HOUR - 60, 2 * HOUR, 5 * HOUR};
    for (int i = 0; i < 4; i++) {
        begin(&h, 4);
        h.parameters.spare_gpus = i < 3;
        const uint32_t gpu = host_add_resource(&h, 2, 100);
        const uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
        add_task(&h, a, 4, 3 * HOUR)->deadline = NOW + until_deadline[i];
        for (uint32_t k = 0; k < 2; k++) {
            run(&h, add_gpu_task(&h, b, gpu, 1, 2 * HOUR), 600)->devices = UINT64_C(1) << k;
        }
        outcome found = decide(&h);
        if (i == 0 || i == 2) {
            REASONS(found, VCS_REASON_LATE, SLICE, SLICE);
            assert_true(found.summary.cpu_excess == 2.0);
        } else {
            REASONS(found, VCS_REASON_LATE, SLICE, VCS_REASON_GIVES_WAY); /* its share of the CPUs */
        }
    }
}

/* Four late tasks of one CPU: two have room beside the GPU tasks, and go in the order of their deadlines. */
static void late_tasks_keep_their_order(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    const uint32_t gpu = host_add_resource(&h, 2, 100);
    const uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    const double until_deadline[] = {7 * HOUR, 6 * HOUR, 5 * HOUR, 4 * HOUR};
    for (int i = 0; i < 4; i++) {
        add_task(&h, a, 1, 3.5 * HOUR)->deadline = NOW + until_deadline[i];
    }
    for (int k = 0; k < 3; k++) { /* the last one does not fit on the GPUs, and does not count */
        add_gpu_task(&h, b, gpu, 1, k < 2 ? 1800 : DAY);
    }
    h.parameters.min_buffer = 5 * HOUR;
    outcome found = decide(&h);
    REASONS(found, WAITS, VCS_REASON_LATE, VCS_REASON_LATE, VCS_REASON_LATE, TURN, TURN, WAITS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_that_would_end_within_its_next_slice_goes_on),
        cmocka_unit_test(but_a_late_task_goes_first),
        cmocka_unit_test(the_place_of_a_wide_task_is_held),
        cmocka_unit_test(it_begins_when_foretold),
        cmocka_unit_test(without_it_a_wide_task_starves),
        cmocka_unit_test(until_it_is_overdue_others_start_with_a_slice),
        cmocka_unit_test(a_lone_project_is_overdue),
        cmocka_unit_test(a_task_that_fills_in_has_no_slice),
        cmocka_unit_test(slices_yield_where_cpus_would_idle),
        cmocka_unit_test(larger_tasks_do_not_yield),
        cmocka_unit_test(nothing_is_held_in_vain),
        cmocka_unit_test(a_whole_card_waits_for_parts),
        cmocka_unit_test(a_late_task_spares_gpus_unless_its_deadline_gains),
        cmocka_unit_test(late_tasks_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
