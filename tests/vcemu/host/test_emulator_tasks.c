/*
 * The tasks of the host in truth: how fast they run, what stopping and moving costs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/emulation_case.h"

#include <stdbool.h>

static int run_all(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                   vcs_schedule_summary *summary) {
    (void)context;
    for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
        decisions[i].run = 1;
    }
    summary->next_check = 3600;
    return VCS_OK;
}

/*
 * Rule 12.2: a GPU task of 100 s takes half of the only CPU, and gets it. The CPU task of 100 s has the other half for
 * 100 s, then all: it ends at 150 s. The CPU is never idle before that.
 */
static void gpu_tasks_get_their_cpus_first(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 200);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 1};
    add_project(&c);
    c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 100, 1e6);
    add_task(&c, 0, 100, 1e6);
    c.tasks[0].gpu = 1;
    c.tasks[0].gpus = 1;
    c.tasks[0].cpus = 0.5;
    c.parameters.cpu_fit = VCS_CPU_FIT_ANY;
    c.hooks.schedule = run_all;
    run(&c);
    assert_int_equal(c.outcome.ended, 2);
    assert_true(c.resource_outcomes[0].used == 150 && c.resource_outcomes[1].used == 100);
    assert_true(c.outcome.idleness == 150.0 / 400);
}

/*
 * Rule 12.2: parts of a GPU may exceed it by a ten-thousandth. Two tasks of 100 s and 0.50002 of it take 100.004 s.
 */
static void a_gpu_is_shared_by_what_exceeds_it(void **unused) {
    (void)unused;
    static const double lasts[] = {100.003, 100.005};
    for (uint32_t k = 0; k < 2; k++) {
        case_records c;
        begin(&c, VCS_PROFILE_CURRENT, 1, lasts[k]);
        c.scenario.snapshot.resources.count = 2;
        c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 1};
        add_project(&c);
        c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
        for (uint32_t i = 0; i < 2; i++) {
            add_task(&c, 0, 100, 1e6);
            c.tasks[i].gpu = 1;
            c.tasks[i].gpus = 0.50002;
            c.tasks[i].cpus = 0.1;
        }
        c.hooks.schedule = run_all;
        run(&c);
        assert_int_equal(c.outcome.ended, k == 0 ? 0 : 2);
    }
}

/* 3 initial tasks of 100 s on 2 CPUs: of 400 CPU seconds, 100 are idle. */
static void initial_tasks_run(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 2, 200);
    uint32_t project = add_project(&c);
    c.projects[project].flags = VCS_PROJECT_NO_NEW_WORK;
    for (uint32_t i = 0; i < 3; i++) {
        c.tasks[i] =
            (vcs_task){.id = 10 + i, .project = project, .app = VCS_NONE, .cpus = 1, .remaining = 100, .deadline = 1e6};
    }
    c.scenario.snapshot.tasks.count = 3;
    run(&c);
    assert_int_equal(c.outcome.ended, 3);
    assert_true(c.outcome.flops_used == 300 && c.outcome.flops_available == 400);
    assert_int_equal(c.outcome.received, 0);
}

/* As the library chooses. Notes where the second task, of id 11, runs already; it runs on the second GPU. */
static int choose_and_note_devices(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                                   vcs_schedule_summary *summary) {
    const vcs_task *task = situation->snapshot->tasks.base;
    for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
        if (task[i].id == 11 && (task[i].flags & VCS_TASK_RUNNING) != 0) {
            assert_int_equal(task[i].devices, 2);
            ++*(uint32_t *)context;
        }
    }
    assert_int_equal(vcs_schedule(situation->state, VCS_SCHEDULE_EXPLAIN, summary), VCS_OK);
    return vcs_schedule_tasks(situation->state, ARRAY(decisions, situation->snapshot->tasks.count));
}

/* When the first task ends, the first GPU is free; the second task stays on the second. */
static void running_tasks_keep_their_devices(void **unused) {
    (void)unused;
    case_records c;
    uint32_t seen = 0;
    begin(&c, VCS_PROFILE_CURRENT, 2, 2000);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 2};
    add_project(&c);
    c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    for (uint32_t i = 0; i < 3; i++) {
        add_task(&c, 0, i == 1 ? 1500 : 500, 1e6);
        c.tasks[i].gpu = 1;
        c.tasks[i].gpus = 1;
        c.tasks[i].cpus = 0;
    }
    c.hooks.context = &seen;
    c.hooks.schedule = choose_and_note_devices;
    run(&c);
    assert_int_equal(c.outcome.ended, 3);
    assert_true(seen >= 2);
}

/* Runs the first task on device 0 until 700 s, and on device 1 from then on. */
static int move_once(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                     vcs_schedule_summary *summary) {
    (void)context;
    decisions[0].run = 1;
    decisions[0].devices = situation->now < 700 ? 1 : 2;
    summary->next_check = situation->now < 700 ? 700 - situation->now : 100;
    return VCS_OK;
}

/* On other devices a task starts again from its checkpoint, here at 600 s: it ends at 1100 s. */
static void a_task_that_moves_starts_again(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1099);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 2};
    vcs_job_model *model = add_app(&c, add_project(&c), 1000, 9 * DAY);
    model->checkpoint_interval = 300;
    model->gpu = 1;
    model->gpus = 1;
    model->cpus = 0;
    c.hooks.schedule = move_once;
    run(&c);
    assert_int_equal(c.outcome.ended, 0);
    assert_int_equal(c.outcome.stops, 1);
    c.emulation.duration = 1101;
    run(&c);
    assert_int_equal(c.outcome.ended, 1);
}

/* Runs the first task until 700 s, and again from 800 s on. Notes how much of it is left then. */
static int stop_for_a_while(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                            vcs_schedule_summary *summary) {
    const vcs_task *tasks = situation->snapshot->tasks.base;
    const double now = situation->now;
    decisions[0].run = now < 700 || now >= 800;
    summary->next_check = now < 700 ? 700 - now : now < 800 ? 800 - now : INFINITY;
    if (now == 800) {
        *(double *)context = tasks[0].remaining;
    }
    return VCS_OK;
}

/* Of 1000 s, 700 are done, but what follows the checkpoint at 600 s is lost. The client knows that 400 s are left. */
static void work_since_the_checkpoint_is_lost(void **unused) {
    (void)unused;
    case_records c;
    double left = 0;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1199);
    add_app(&c, add_project(&c), 1000, 9 * DAY)->checkpoint_interval = 300;
    c.hooks.context = &left;
    c.hooks.schedule = stop_for_a_while;
    run(&c);
    assert_true(fabs(left - 400) < 1e-9);
    assert_int_equal(c.outcome.ended, 0); /* 700 s, a pause of 100, and 399 of the 400 */
    c.emulation.duration = 1201;
    run(&c);
    assert_int_equal(c.outcome.ended, 1);
}

/* A task that uses nothing runs at the speed of a CPU, here of 4 FLOPS, and leaves the CPU idle. */
static void a_task_that_uses_nothing_runs(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 200);
    c.resources[0].flops = 4;
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 100, 1e6);
    c.tasks[0].cpus = 0;
    run(&c);
    assert_int_equal(c.outcome.ended, 1);
    assert_true(c.outcome.flops_used == 400);
    assert_true(c.resource_outcomes[0].used == 0 && c.outcome.idleness == 1);
}

/* With a checkpoint every 1e-13 s nothing is lost: 700 of 1000 s are done when the task is stopped. */
static void checkpoints_may_be_finer_than_the_clock(void **unused) {
    (void)unused;
    case_records c;
    double left = 0;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1101);
    add_app(&c, add_project(&c), 1000, 9 * DAY)->checkpoint_interval = 1e-13;
    c.hooks.context = &left;
    c.hooks.schedule = stop_for_a_while;
    run(&c);
    assert_true(fabs(left - 300) < 1e-9);
    assert_int_equal(c.outcome.ended, 1); /* 700 s, a pause of 100 s, and 300 s */
}

#define MANY_CPUS 200

typedef struct timeline {
    uint32_t running, most;
    bool taken[MANY_CPUS];
} timeline;

/* The lowest row that is free. */
static int take_row(void *context, const vcs_event *event) {
    timeline *rows = context;
    if (event->kind == VCS_EVENT_STARTED) {
        for (uint32_t i = 0; i < event->track; i++) {
            assert_true(rows->taken[i]);
        }
        assert_true(event->track < MANY_CPUS && !rows->taken[event->track]);
        rows->taken[event->track] = true;
        rows->running++;
        rows->most = rows->running > rows->most ? rows->running : rows->most;
    } else if (event->kind == VCS_EVENT_STOPPED || event->kind == VCS_EVENT_ENDED) {
        assert_true(rows->taken[event->track]);
        rows->taken[event->track] = false;
        rows->running--;
    }
    return VCS_OK;
}

static void each_running_task_has_a_row_of_its_own(void **unused) {
    (void)unused;
    case_records c;
    timeline rows = {.running = 0};
    begin(&c, VCS_PROFILE_CURRENT, MANY_CPUS, DAY);
    vcs_job_model *model = add_app(&c, add_project(&c), 3000, 9 * DAY);
    model->distribution = VCS_SIZES_NORMAL;
    model->sd_flops = 1000;
    c.hooks.context = &rows;
    c.hooks.observe = take_row;
    run(&c);
    assert_int_equal(rows.most, MANY_CPUS);
}

static int note_use(void *context, const vcs_event *event) {
    double *uses = context;
    if (event->kind == VCS_EVENT_STARTED) {
        uses[event->task - 10] = event->amount;
    }
    return VCS_OK;
}

/* Of a GPU task, the instances of its GPU; its CPUs are no row of its timeline. */
static void an_observer_is_told_how_much_a_task_uses(void **unused) {
    (void)unused;
    case_records c;
    double uses[3] = {0};
    begin(&c, VCS_PROFILE_CURRENT, 4, 200);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 1};
    add_project(&c);
    c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    for (uint32_t i = 0; i < 3; i++) {
        add_task(&c, 0, 100, 1e6);
    }
    c.tasks[0].cpus = 2.5;
    c.tasks[1].gpu = 1;
    c.tasks[1].gpus = 0.25;
    c.tasks[1].cpus = 0.5;
    c.hooks.schedule = run_all;
    c.hooks.context = uses;
    c.hooks.observe = note_use;
    run(&c);
    assert_true(uses[0] == 2.5 && uses[1] == 0.25 && uses[2] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_observer_is_told_how_much_a_task_uses),
        cmocka_unit_test(each_running_task_has_a_row_of_its_own),
        cmocka_unit_test(gpu_tasks_get_their_cpus_first),
        cmocka_unit_test(a_gpu_is_shared_by_what_exceeds_it),
        cmocka_unit_test(initial_tasks_run),
        cmocka_unit_test(running_tasks_keep_their_devices),
        cmocka_unit_test(a_task_that_moves_starts_again),
        cmocka_unit_test(work_since_the_checkpoint_is_lost),
        cmocka_unit_test(a_task_that_uses_nothing_runs),
        cmocka_unit_test(checkpoints_may_be_finer_than_the_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
