/*
 * The figures of merit.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/emulation_case.h"

/* Rule 12.2: a project that sends nothing leaves the host idle, and wastes nothing. Nothing is reported. */
static void without_jobs_the_host_is_idle(void **unused) {
    (void)unused;
    const uint32_t undefined =
        VCS_UNDEFINED_SHARE | VCS_UNDEFINED_RPCS | VCS_UNDEFINED_STUDY | VCS_UNDEFINED_STUDY_SHARE;
    case_records c;
    begin(&c, VCS_PROFILE_STUDY2007, 1, DAY);
    add_project(&c);
    run(&c);
    assert_int_equal(c.outcome.flags, undefined);
    assert_true(c.outcome.waste == 0 && c.outcome.idleness == 1);
    assert_true(c.outcome.study_waste == 0 && c.outcome.study_idleness == 0);
    begin(&c, VCS_PROFILE_STUDY2007, 1, DAY);
    run(&c);
    assert_int_equal(c.outcome.flags, undefined | VCS_UNDEFINED_MONOTONY);
    c.scenario.switches.count = 1; /* switched off at once */
    run(&c);
    assert_int_equal(c.outcome.flags, undefined | VCS_UNDEFINED_MONOTONY | VCS_UNDEFINED_WASTE);
    assert_true(c.outcome.idleness == 0 && c.resource_outcomes[0].idleness == 0);
}

/*
 * Rule 12.2: a CPU and a GPU for 1000 s. A task of 300 s is due at 100 s and not reported at the end: all of it is
 * waste. One of 1000 s is due later: what it got is none. The GPU idles, and so do half of both.
 */
static void waste_and_idleness_are_of_the_time_of_all_instances(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 9, .usable = 1, .instances = 1};
    add_project(&c);
    c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 300, 100);
    add_task(&c, 0, 1000, 1e6);
    c.parameters.report_delay = 1e5;
    c.parameters.min_buffer = 0;
    c.projects[0].min_rpc_time = 1e5;
    run(&c);
    assert_int_equal(c.outcome.late, 0);
    assert_int_equal(c.outcome.ended, 1);
    assert_true(c.resource_outcomes[0].available == 1000 && c.resource_outcomes[0].used == 1000);
    assert_true(c.resource_outcomes[0].wasted == 300 && c.resource_outcomes[0].waste == 0.3);
    assert_true(c.resource_outcomes[0].idleness == 0 && c.resource_outcomes[1].idleness == 1);
    assert_true(c.resource_outcomes[1].waste == 0);
    assert_true(c.outcome.waste == 0.15 && c.outcome.idleness == 0.5);
    /* It is unreported, but was not done in time: of what was reported late, too, nothing was. */
    assert_true(c.outcome.unreported == 1 && c.outcome.flops_unreported == 300 && c.outcome.done_late == 0);
    assert_true(c.project_outcomes[0].unreported == 1 && c.project_outcomes[0].flops_unreported == 300);
    assert_true(c.resource_outcomes[0].in_time == 0 && c.resource_outcomes[0].done_late == 0);
}

/*
 * Rule 12.2: tasks of half a CPU and two of four GPUs. Two take 100 s; the first, due at 150 s, is done in time, the
 * second, due at 50 s, is not. The project can be called from 300 s on, so both are reported late. The third runs until
 * 200 s and is reported in time; the fourth is in progress at the end.
 */
static void done_in_time_and_reported_late(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 350);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 9, .usable = 1, .instances = 4};
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    c.projects[0].min_rpc_time = 300;
    const double deadlines[] = {150, 50, 1000, 2000};
    for (uint32_t i = 0; i < 4; i++) {
        add_task(&c, 0, i < 3 ? 100 : 900, deadlines[i]);
        c.tasks[i].gpu = 1;
        c.tasks[i].gpus = 2;
        c.tasks[i].cpus = 0.5;
    }
    run(&c);
    const double flops = 100 * (0.5 + 2 * 9);
    const vcs_project_outcome *project = &c.project_outcomes[0];
    assert_true(c.outcome.late == 2 && c.outcome.done_late == 1 && c.outcome.in_time == 1);
    assert_true(c.outcome.flops_late == 2 * flops && c.outcome.flops_done_late == flops);
    assert_true(project->done_late == 1 && project->flops_done_late == flops && project->unreported == 0);
    assert_true(c.resource_outcomes[0].done_late == 50 && c.resource_outcomes[1].done_late == 200);
    assert_true(c.resource_outcomes[0].wasted == 100 && c.resource_outcomes[1].wasted == 400);
    assert_true(c.resource_outcomes[0].in_time == 50 && c.resource_outcomes[1].in_time == 200);
    assert_true(c.outcome.flops_unreported == 0 && c.outcome.unreported == 0);
}

/* Rule 12.2: done exactly at its deadline is done in time; a second later is not. Both are reported late. */
static void done_at_the_deadline_is_done_in_time(void **unused) {
    (void)unused;
    for (uint32_t seconds_late = 0; seconds_late < 2; seconds_late++) {
        case_records c;
        begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
        c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
        c.projects[0].min_rpc_time = 500;
        add_task(&c, 0, 100, 100 - seconds_late);
        run(&c);
        assert_true(c.outcome.late == 1 && c.outcome.done_late == 1 - seconds_late);
        assert_true(c.outcome.flops_done_late == 100 * (1 - seconds_late));
    }
}

/* Jobs of 100, 200 and 300 s by turns: what arrives is as much as they say, done or not; initial tasks do not count. */
static void received_operations_are_those_of_the_jobs(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 5000);
    vcs_job_model *model = add_app(&c, add_project(&c), 200, DAY);
    model->distribution = VCS_SIZES_LIST;
    model->size_count = c.scenario.sizes.count = 3;
    for (uint32_t i = 0; i < 3; i++) {
        c.sizes[i] = 100 * (i + 1);
    }
    add_task(&c, 0, 77, DAY);
    run(&c);
    double expected = 0;
    for (uint64_t i = 0; i < c.outcome.received; i++) {
        expected += 100.0 * (double)(i % 3 + 1);
    }
    assert_true(c.outcome.received > 5 && c.outcome.flops_received == expected);
    assert_true(c.project_outcomes[0].flops_received == expected);
}

/* Stops are those of the projects. Two take turns on a CPU; a third has nothing. */
static void stops_are_of_projects(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 10 * DAY);
    for (uint32_t i = 0; i < 2; i++) {
        add_app(&c, add_project(&c), DAY, 90 * DAY);
    }
    add_project(&c);
    run(&c);
    const vcs_project_outcome *projects = c.project_outcomes;
    assert_true(projects[0].stops > 5 && projects[1].stops > 5 && projects[2].stops == 0);
    assert_int_equal(c.outcome.stops, projects[0].stops + projects[1].stops);
}

/* Rule 12.2: a task of half a CPU and two GPUs took 100 s and is reported too late: 50 and 200 instance-seconds. */
static void a_late_task_wastes_all_that_it_used(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 9, .usable = 1, .instances = 2};
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 100, 50);
    c.tasks[0].gpu = 1;
    c.tasks[0].gpus = 2;
    c.tasks[0].cpus = 0.5;
    run(&c);
    assert_int_equal(c.outcome.late, 1);
    assert_true(c.resource_outcomes[0].wasted == 50 && c.resource_outcomes[1].wasted == 200);
}

/* Rule 12.2: jobs take longer than their latency bound, but the study's server sends them: all of it is wasted. */
static void late_results_are_waste(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_STUDY2007, 1, 10 * DAY);
    c.parameters.deadline_origin = VCS_ORIGIN_START;
    c.emulation.available = 0.5;
    c.emulation.available_mean = 100;
    add_app(&c, add_project(&c), 10000, 10000);
    run(&c);
    assert_true(c.outcome.late > 20);
    assert_int_equal(c.outcome.in_time, 0);
    assert_true(c.outcome.study_waste == 1);
    assert_true(c.outcome.waste > 0.95 && c.outcome.waste <= 1);
}

/*
 * Rule 12.2: a result reported exactly at its deadline is in time, one a second later is late. Without a minimum buffer
 * a result is reported at its deadline, unless its project takes no call until then.
 */
static void reported_at_the_deadline_is_in_time(void **unused) {
    (void)unused;
    for (uint32_t seconds_late = 0; seconds_late < 2; seconds_late++) {
        case_records c;
        begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
        c.parameters.min_buffer = 0;
        c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
        c.projects[0].min_rpc_time = 200 + seconds_late;
        add_task(&c, 0, 100, 200);
        run(&c);
        assert_int_equal(c.outcome.in_time, 1 - seconds_late);
        assert_int_equal(c.outcome.late, seconds_late);
        assert_true(c.outcome.flops_in_time == 100 * (1 - seconds_late));
        assert_true(c.outcome.waste == 0.1 * seconds_late && c.outcome.study_waste == 0.1 * seconds_late);
    }
}

/* Rule 12.2: what is due exactly at the end is not late there, whether it runs or waits to be reported. */
static void due_at_the_end_is_not_late(void **unused) {
    (void)unused;
    for (uint32_t seconds_late = 0; seconds_late < 2; seconds_late++) {
        case_records c;
        begin(&c, VCS_PROFILE_CURRENT, 2, 1000);
        c.parameters.min_buffer = 0;
        c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
        c.projects[0].min_rpc_time = 1e5;
        add_task(&c, 0, 100, 1000 - seconds_late);
        add_task(&c, 0, 5000, 1000 - seconds_late);
        run(&c);
        assert_int_equal(c.outcome.ended, 1);
        assert_true(c.resource_outcomes[0].wasted == 1100 * seconds_late);
    }
}

/*
 * Rule 12.2: the study's figures are parts of what was reported and of what was idle. On a CPU for 1000 s, 300 s are
 * reported late and 200 s in time; 500 s are idle. Of what was reported alone, six tenths would be late.
 */
static void the_study_counts_idle_time(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 300, 250);
    add_task(&c, 0, 200, 900);
    run(&c);
    assert_true(c.outcome.flops_late == 300 && c.outcome.flops_in_time == 200);
    assert_true(fabs(c.outcome.study_waste - 0.3) < 1e-15 && fabs(c.outcome.study_idleness - 0.5) < 1e-15);
}

/* Rule 12.2: parts are parts, of however little. The only task needs half an operation, of three quarters. */
static void parts_of_less_than_an_operation(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 0.75);
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 0.5, 100);
    run(&c);
    assert_int_equal(c.outcome.in_time, 1);
    assert_int_equal(c.outcome.flags & VCS_UNDEFINED_STUDY, 0);
    assert_true(c.outcome.study_waste == 0 && fabs(c.outcome.study_idleness - 1 / 3.0) < 1e-12);
}

/*
 * Rule 12.2: two projects with equal shares, a CPU for each. One has reported 100 operations; the task of the other has
 * run for 500 s. The study counts only what was reported: (|100 - 50| + |0 - 50|) / (2 * 100). All work: 200 / 600.
 */
static void shares_are_of_all_work(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 2, 500);
    const double seconds[] = {100, 1000};
    for (uint32_t i = 0; i < 2; i++) {
        c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
        c.tasks[i] = (vcs_task){
            .id = 10 + i, .project = i, .app = VCS_NONE, .cpus = 1, .remaining = seconds[i], .deadline = 1e6};
    }
    c.tasks[0].deadline = 200 + c.parameters.min_buffer; /* reported at 200 s (rule 13.10) */
    c.scenario.snapshot.tasks.count = 2;
    run(&c);
    assert_true(c.project_outcomes[0].flops_in_time == 100 && c.project_outcomes[1].flops_in_time == 0);
    assert_true(c.project_outcomes[0].flops_used == 100 && c.project_outcomes[1].flops_used == 500);
    assert_true(c.outcome.study_share_violation == 0.5);
    assert_true(fabs(c.outcome.share_violation - 1.0 / 3) < 1e-15);
}

/* Without any time there are no waits either: a host that is switched off at once, with a project. */
static void a_host_that_is_never_on_has_no_monotony(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, DAY);
    add_project(&c);
    c.scenario.switches.count = 1;
    run(&c);
    assert_true((c.outcome.flags & VCS_UNDEFINED_MONOTONY) != 0 && (c.outcome.flags & VCS_UNDEFINED_WASTE) != 0);
    assert_true(c.outcome.monotony == 0 && c.project_outcomes[0].mean_wait == 0);
    assert_true(c.resource_outcomes[0].off == DAY);
}

/* Rule 12.2: instances of a suspended resource do not count: only the CPU, which is used all the time. */
static void a_suspended_resource_does_not_count(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 9, .usable = 1, .instances = 4, .flags = VCS_RESOURCE_SUSPENDED};
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 5000, 1e6);
    run(&c);
    assert_true(c.outcome.idleness == 0 && c.outcome.flops_available == 1000);
    assert_true(c.resource_outcomes[1].available == 0 && c.resource_outcomes[1].idle_no_work == 0);
}

/* Rule 12.2: one project runs all the time, the other never. n = 2, and S is the root of 1/T times the integral of t^2,
   T / sqrt(3). */
static void monotony_is_of_the_waits(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.parameters.period = 3600;
    for (uint32_t i = 0; i < 2; i++) {
        c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    }
    add_task(&c, 0, 5000, 1e6);
    run(&c);
    const double wait = 1000 / sqrt(3), x = wait / (4 * 3600);
    assert_true(c.project_outcomes[0].mean_wait == 0);
    assert_true(fabs(c.project_outcomes[1].mean_wait - wait) < 1e-9);
    assert_true(fabs(c.outcome.monotony - (1 - 1 / (x + 1))) < 1e-12);
}

/* Rule 12.2: a project waits from the end of its only task, at 100 s, to the end of all, at 1000 s. */
static void a_wait_begins_when_the_last_task_ends(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 100, 1e6);
    run(&c);
    assert_true(fabs(c.project_outcomes[0].mean_wait - sqrt(900.0 * 900 * 900 / 3 / 1000)) < 1e-9);
}

/* Rule 12.2: a project alone, whose only task has ended at 100 s, waits for no other. Its wait is still told. */
static void a_project_alone_has_no_monotony(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 100, 1e6);
    run(&c);
    assert_true(c.outcome.monotony == 0 && (c.outcome.flags & VCS_UNDEFINED_MONOTONY) == 0);
    assert_true(c.outcome.idleness == 0.9 && c.project_outcomes[0].mean_wait > 0);
    add_project(&c);
    run(&c);
    assert_true(c.outcome.monotony > 0); /* beside another project, it is out of turn */
}

/* As the library chooses; counts how often. */
static int choose_and_count(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                            vcs_schedule_summary *summary) {
    ++*(uint32_t *)context;
    assert_int_equal(vcs_schedule(situation->state, VCS_SCHEDULE_EXPLAIN, summary), VCS_OK);
    return vcs_schedule_tasks(situation->state, ARRAY(decisions, situation->snapshot->tasks.count));
}

static void choices_of_tasks_are_counted(void **unused) {
    (void)unused;
    case_records c;
    uint32_t count = 0;
    begin(&c, VCS_PROFILE_CURRENT, 1, DAY);
    add_app(&c, add_project(&c), 5000, 1e6);
    c.hooks.schedule = choose_and_count;
    c.hooks.context = &count;
    run(&c);
    assert_true(count > 10);
    assert_int_equal(c.outcome.schedules, count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_jobs_the_host_is_idle),
        cmocka_unit_test(waste_and_idleness_are_of_the_time_of_all_instances),
        cmocka_unit_test(done_in_time_and_reported_late),
        cmocka_unit_test(done_at_the_deadline_is_done_in_time),
        cmocka_unit_test(received_operations_are_those_of_the_jobs),
        cmocka_unit_test(stops_are_of_projects),
        cmocka_unit_test(a_late_task_wastes_all_that_it_used),
        cmocka_unit_test(late_results_are_waste),
        cmocka_unit_test(reported_at_the_deadline_is_in_time),
        cmocka_unit_test(due_at_the_end_is_not_late),
        cmocka_unit_test(the_study_counts_idle_time),
        cmocka_unit_test(parts_of_less_than_an_operation),
        cmocka_unit_test(shares_are_of_all_work),
        cmocka_unit_test(a_host_that_is_never_on_has_no_monotony),
        cmocka_unit_test(a_suspended_resource_does_not_count),
        cmocka_unit_test(monotony_is_of_the_waits),
        cmocka_unit_test(a_wait_begins_when_the_last_task_ends),
        cmocka_unit_test(a_project_alone_has_no_monotony),
        cmocka_unit_test(choices_of_tasks_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
