/*
 * An emulation goes on where the snapshot left the host: what runs is running, and the first decision knows of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/emulation_case.h"
#include "support/support.h"

#include <stdbool.h>

/* ---- By hand ---- */

/* One CPU, and one project with two tasks of 1000 s: the first came first, the second runs since 600 s. */
static void begin_with_running(case_records *c, double since_checkpoint) {
    begin(c, VCS_PROFILE_CURRENT, 1, 3000);
    c->projects[add_project(c)].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(c, 0, 1000, 1e6);
    add_task(c, 0, 1000, 1e6);
    c->tasks[1].received = 1;
    c->tasks[1].flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
    c->tasks[1].running_since = -600;
    c->tasks[1].since_checkpoint = since_checkpoint;
}

typedef struct course {
    double ended[2]; /* when each task ended, s from the start */
    uint32_t starts, stops;
} course;

static int note_course(void *context, const vcs_event *event) {
    course *noted = context;
    noted->starts += event->kind == VCS_EVENT_STARTED;
    noted->stops += event->kind == VCS_EVENT_STOPPED;
    if (event->kind == VCS_EVENT_ENDED) {
        noted->ended[event->task - 10] = event->time;
    }
    return VCS_OK;
}

static course course_of(case_records *c) {
    course noted = {.starts = 0};
    c->hooks.context = &noted;
    c->hooks.observe = note_course;
    run(c);
    assert_int_equal(c->outcome.starts, noted.starts);
    assert_int_equal(c->outcome.stops, noted.stops);
    return noted;
}

/* A task that runs goes before those that wait (rule 5.1). */
static void a_running_task_runs_on(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        case_records c;
        begin_with_running(&c, i == 0 ? 0 : 300);
        const course noted = course_of(&c);
        assert_true(noted.ended[1] == 1000 && noted.ended[0] == 2000);
        assert_true(noted.starts == 2 && noted.stops == 0);
        assert_true(c.outcome.flops_used == 2000 && c.outcome.flops_unreported == 2000); /* not what was done before */
    }
}

/* Without it, the task that came first goes first. */
static void a_stopped_task_waits_for_its_turn(void **unused) {
    (void)unused;
    case_records c;
    begin_with_running(&c, 300);
    c.tasks[1].flags = 0;
    const course noted = course_of(&c);
    assert_true(noted.ended[0] == 1000 && noted.ended[1] == 2000);
}

/* Its slice began 3,000 s ago and lasts 3,600: another project, which has used nothing, gets the CPU 600 s later. */
static void a_slice_goes_on(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        case_records c;
        begin_with_running(&c, 0);
        c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
        c.projects[0].rec = 1e9;
        c.tasks[0].project = 1;
        c.tasks[1].remaining = 10000; /* too long to be left to its end */
        c.tasks[1].running_since = i == 0 ? -3000 : -4000;
        const course noted = course_of(&c);
        assert_true(noted.ended[0] == (i == 0 ? 1600 : 1000));
        assert_int_equal(noted.stops, i == 0 ? 1 : 0); /* at the start it does not run on */
    }
}

/*
 * A late task takes the CPU at once. Then the 300 s since the checkpoint have to be done again, so that both need 2,300
 * s; unless the task stays in memory.
 */
static void a_task_that_is_stopped_at_once_loses_work(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        case_records c;
        begin_with_running(&c, 300);
        c.tasks[0].deadline = 1100;
        c.tasks[1].flags |= i == 0 ? 0 : VCS_TASK_IN_MEMORY;
        const course noted = course_of(&c);
        assert_true(noted.ended[0] == 1000 && noted.ended[1] == (i == 0 ? 2300 : 2000));
        assert_true(noted.starts == 2 && noted.stops == 0); /* here it never ran before its turn */
        assert_true(c.outcome.flops_used == (i == 0 ? 2300 : 2000));
        assert_true(c.outcome.flops_unreported + c.outcome.flops_in_time + c.outcome.flops_late ==
                    c.outcome.flops_used); /* with what is done again */
    }
}

/* After a decision that lets it run on, a stop loses nothing. */
static int run_it_for_100_s(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                            vcs_schedule_summary *summary) {
    const bool first = situation->now < 100;
    (void)context;
    for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
        const vcs_task *task = (const vcs_task *)situation->snapshot->tasks.base + i;
        decisions[i].run = situation->snapshot->tasks.count == 1 || task->id == (first ? 11u : 10u);
    }
    summary->next_check = first ? 100 : 1e6;
    return VCS_OK;
}

static void a_task_that_runs_on_has_made_a_checkpoint(void **unused) {
    (void)unused;
    case_records c;
    begin_with_running(&c, 300);
    c.hooks.schedule = run_it_for_100_s;
    const course noted = course_of(&c);
    assert_true(noted.ended[0] == 1100 && noted.ended[1] == 2000);
}

/* The first of two GPUs, whatever it ran on. */
static int run_it_on_the_first(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                               vcs_schedule_summary *summary) {
    (void)context;
    for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
        decisions[i] = (vcs_task_decision){.run = 1, .devices = 1};
    }
    summary->next_check = 1e6;
    return VCS_OK;
}

/* On the device where it runs it goes on; on another it begins again at its checkpoint. */
static void a_task_that_moves_at_once_loses_work(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        case_records c;
        begin_with_running(&c, 300);
        c.emulation.start = 5000;
        c.scenario.snapshot.resources.count = 2;
        c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 2};
        c.tasks[0] = c.tasks[1];
        c.tasks[0].id = 10;
        c.tasks[0].gpu = 1;
        c.tasks[0].gpus = 1;
        c.tasks[0].devices = i == 0 ? 1 : 2;
        c.scenario.snapshot.tasks.count = 1;
        c.hooks.schedule = run_it_on_the_first;
        const course noted = course_of(&c);
        assert_true(noted.ended[0] == 5000 + (i == 0 ? 1000 : 1300));
        assert_true(noted.starts == 1 && noted.stops == 0);
    }
}

/* Odd but real: more tasks run than there are CPUs, and a suspended one. The first decision mends it. */
static void what_cannot_run_is_stopped_at_once(void **unused) {
    (void)unused;
    case_records c;
    begin_with_running(&c, 0);
    add_task(&c, 0, 1000, 1e6);
    c.tasks[0].flags = c.tasks[2].flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
    c.tasks[2].flags |= VCS_TASK_SUSPENDED;
    run(&c);
    assert_true(c.outcome.ended == 2 && c.outcome.stops == 0 && c.outcome.starts == 2);
    assert_true(c.outcome.flops_used == 2000);
}

static void a_suspended_task_alone_is_stopped(void **unused) {
    (void)unused;
    case_records c;
    begin_with_running(&c, 0);
    c.scenario.snapshot.tasks.count = 1;
    c.tasks[0].flags = VCS_TASK_RUNNING | VCS_TASK_STARTED | VCS_TASK_SUSPENDED;
    run(&c);
    assert_true(c.outcome.ended == 0 && c.outcome.starts == 0 && c.outcome.flops_used == 0);
}

/* ---- Random hosts ---- */

static void draw_task(test_host *h, random_stream *random) {
    const uint32_t project = random_below(random, h->snapshot.projects.count);
    const double deadline = random_below(random, 3) == 0 ? random_between(random, 1, 40000) : 1e7;
    vcs_task *task = host_add_task(h, project, random_between(random, 10, 20000), deadline);
    if (random_below(random, 3) == 0) {
        task->gpu = 1;
        task->gpus = 1;
        task->cpus = 0.25;
    }
    if (random_below(random, 2) == 0) {
        task->flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
        task->flags |= random_below(random, 4) == 0 ? VCS_TASK_UNINTERRUPTIBLE : 0;
        task->flags |= random_below(random, 4) == 0 ? VCS_TASK_IN_MEMORY : 0;
        task->running_since = random_between(random, -7200, 0);
        task->since_checkpoint = random_below(random, 2) * random_between(random, 1, 3000);
    }
}

static void draw_host(test_host *h, random_stream *random, uint32_t profile) {
    host_begin(h, profile, 1 + random_below(random, 3));
    host_add_resource(h, 1, 10);
    for (uint32_t i = 1 + random_below(random, 3); i > 0; i--) {
        const uint32_t project = host_add_project(h, 100);
        h->projects[project].rec = random_between(random, 0, 1000);
        h->projects[project].flags = VCS_PROJECT_NO_NEW_WORK;
    }
    for (uint32_t i = random_below(random, MOST); i > 0; i--) {
        draw_task(h, random);
    }
}

typedef struct first_moment {
    bool runs[MOST + 1]; /* by id */
} first_moment;

static int note_first_moment(void *context, const vcs_event *event) {
    first_moment *noted = context;
    if (event->time == 0 && (event->kind == VCS_EVENT_STARTED || event->kind == VCS_EVENT_STOPPED)) {
        noted->runs[event->task] = event->kind == VCS_EVENT_STARTED;
    }
    return VCS_OK;
}

/* What the choice runs now, the emulation runs at its start. */
static void the_first_decision_is_the_hosts(void **unused) {
    (void)unused;
    static const uint32_t profiles[] = {VCS_PROFILE_CURRENT, VCS_PROFILE_STEADY};
    random_stream random = {58};
    for (uint32_t i = 0; i < 400; i++) {
        test_host h;
        case_records c;
        first_moment noted = {{false}};
        vcs_schedule_summary summary = {.struct_size = sizeof summary};
        vcs_task_decision decisions[HOST_MOST];
        draw_host(&h, &random, profiles[i % 2]);
        begin(&c, profiles[i % 2], 1, 1);
        c.scenario.snapshot = h.snapshot;
        c.scenario.servers.count = h.snapshot.projects.count;
        c.emulation.flags = VCS_EMULATION_USABLE_GIVEN;
        c.parameters = h.parameters;
        c.hooks.context = &noted;
        c.hooks.observe = note_first_moment;
        run(&c);
        vcs_state *state = host_prepare(&h);
        assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
        assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &summary), VCS_OK);
        assert_int_equal(vcs_schedule_tasks(state, ARRAY(decisions, h.snapshot.tasks.count)), VCS_OK);
        for (uint32_t k = 0; summary.given_up == 0 && k < h.snapshot.tasks.count; k++) {
            assert_int_equal(noted.runs[h.tasks[k].id], decisions[k].run);
        }
        host_end(&h);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_running_task_runs_on),
        cmocka_unit_test(a_stopped_task_waits_for_its_turn),
        cmocka_unit_test(a_slice_goes_on),
        cmocka_unit_test(a_task_that_is_stopped_at_once_loses_work),
        cmocka_unit_test(a_task_that_runs_on_has_made_a_checkpoint),
        cmocka_unit_test(a_task_that_moves_at_once_loses_work),
        cmocka_unit_test(what_cannot_run_is_stopped_at_once),
        cmocka_unit_test(a_suspended_task_alone_is_stopped),
        cmocka_unit_test(the_first_decision_is_the_hosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
