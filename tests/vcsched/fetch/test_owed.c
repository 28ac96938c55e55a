/*
 * Whom to ask, and for how much, by what each project is owed (rule 15.6). All by hand: two CPUs that are never off,
 * buffers of 1,000 s and as much again, shares 3 and 1. Six days of a share are more than all that ever lacks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include "support/kernel.h"

#include <math.h>

#define FOREVER ((double)INFINITY)

enum { A, B };

typedef struct decision {
    vcs_fetch_summary summary;
    vcs_fetch_decision projects[2];
} decision;

static void begin(test_host *h) {
    host_begin(h, VCS_PROFILE_CURRENT, 2);
    h->parameters.min_buffer = h->parameters.additional_buffer = 1000;
    h->parameters.least_buffer = h->parameters.least_shortfall = 0;
    h->parameters.work_fetch = VCS_WORK_FETCH_OWED;
    host_add_project(h, 3);
    host_add_project(h, 1);
    host_add_project_resource(h, A, 0);
    host_add_project_resource(h, B, 0);
}

static decision ask(test_host *h, uint32_t purpose, uint32_t project) {
    const vcs_fetch_question question = {.struct_size = sizeof question, .purpose = purpose, .project = project};
    decision d = {.summary = {.struct_size = sizeof d.summary}};
    host_prepare(h);
    assert_int_equal(vcs_wrr(h->state, NULL), VCS_OK);
    assert_int_equal(vcs_fetch(h->state, &question, &d.summary), VCS_OK);
    assert_int_equal(vcs_fetch_decisions(h->state, ARRAY(d.projects, 2)), VCS_OK);
    return d;
}

static decision choose(test_host *h) {
    return ask(h, VCS_FETCH_CHOOSE, 0);
}

static void assert_decision(const decision *d, uint32_t project, uint32_t reason, double seconds, double instances) {
    assert_string_equal(vcs_reason_name(d->projects[project].reason), vcs_reason_name(reason));
    assert_number(d->projects[project].seconds, seconds);
    assert_number(d->projects[project].instances, instances);
}

static void knows_job(test_host *h, uint32_t project, double seconds, double bound) {
    h->project_resources[project].job_seconds = seconds;
    h->project_resources[project].job_bound = bound;
}

/* Both CPUs busy for 500 s, so 3,000 instance-seconds are missing; nothing is due soon. */
static void keep_busy(test_host *h) {
    host_add_task(h, A, 500, FOREVER);
    host_add_task(h, A, 500, FOREVER);
}

/* Rule 15.7: what is due before the next connection cannot be reported in time. How many jobs come is left open. */
static void jobs_due_before_the_next_connection_are_not_wanted(void **unused) {
    (void)unused;
    for (uint32_t rule = VCS_WORK_FETCH_CURRENT; rule <= VCS_WORK_FETCH_OWED; rule++) {
        test_host h;
        begin(&h);
        h.parameters.work_fetch = rule;
        decision d = choose(&h);
        assert_number(d.projects[A].latency_bound, 0);
        host_end(&h);
        begin(&h);
        h.parameters.work_fetch = rule;
        h.parameters.connect_every = 7200;
        d = choose(&h);
        assert_int_equal(d.summary.project, A);
        assert_number(d.projects[A].latency_bound, rule == VCS_WORK_FETCH_OWED ? 7200 : 0);
        assert_int_equal(d.projects[A].jobs, 0);
        assert_number(d.projects[B].latency_bound, 0); /* it is not asked */
        host_end(&h);
    }
}

static void least_by_share_goes_first(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    h.project_resources[A].received = 9000;
    h.project_resources[B].received = 1000;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, B); /* 1,000 for a share of 1, against 3,000 */
    assert_decision(&d, B, VCS_REASON_ASKED, 4000, 2);
    assert_decision(&d, A, VCS_REASON_BETTER_PROJECT, 0, 0);
    h.project_resources[B].received = 4000;
    d = choose(&h);
    assert_int_equal(d.summary.project, A);
    host_end(&h);
}

/* A is owed 3/4 of 10,000 + 4,000, less 9,000, and has a result to tell of. With 20,000 it is owed nothing. */
static void unreported_results_go_first_where_something_is_owed(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    h.projects[A].unreported = 1;
    h.project_resources[A].received = 9000;
    h.project_resources[B].received = 1000;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, A);
    h.projects[A].unreported = 4; /* as good as three, and as many of B */
    h.projects[B].unreported = 3;
    d = choose(&h);
    assert_int_equal(d.summary.project, B);
    h.projects[B].unreported = 0;
    h.project_resources[A].received = 20000;
    d = choose(&h);
    assert_int_equal(d.summary.project, B);
    host_end(&h);
}

/* Jobs of 2,000 s due in 1,500 cannot be done: they are asked for last, and only if something is idle. */
static void jobs_that_are_too_unlikely_are_asked_for_last(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    knows_job(&h, B, 2000, 1500);
    h.project_resources[A].received = 9000;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, A);
    h.projects[A].flags = VCS_PROJECT_NO_NEW_WORK;
    d = choose(&h);
    assert_int_equal(d.summary.project, B);
    h.projects[A].flags = 0;
    h.projects[A].min_rpc_time = 1e9;
    keep_busy(&h);
    d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_decision(&d, B, VCS_REASON_SMALL_CHANCE, 0, 0);
    assert_number(d.summary.next_check, 500); /* then something is idle */
    host_end(&h);
}

/*
 * Jobs of 600 s due in 1,000 go before the waiting work, so they would be done in time; but behind it, 500 s later,
 * they would not. B is owed 1/4 of 3,000, less than four jobs; with 30,000 received by A, 1/4 of 33,000.
 */
static void jobs_that_suffer_from_waiting_need_four_of_them_owed(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    knows_job(&h, B, 600, 1000);
    keep_busy(&h);
    h.projects[A].min_rpc_time = 1e9;
    decision d = choose(&h);
    assert_decision(&d, B, VCS_REASON_WAIT_COSTS, 0, 0);
    assert_number(d.summary.next_check, 500);
    h.project_resources[A].received = 30000;
    d = choose(&h);
    assert_decision(&d, B, VCS_REASON_ASKED, 3000, 0);
    host_end(&h);
}

/*
 * A task runs, another waits, and there is work for 1,500 s, more than the buffer of 1,000. On the free CPU a job of
 * 600 s due in 1,000 would be done, but behind the work at hand it would not. B is owed 1/4 of A's 9,000 and of the
 * 1,000 that are missing, 2,500 s, more than four such jobs; of 8,600 it would be owed four, 2,400 s.
 */
static void begin_beside_a_free_cpu(test_host *h) {
    begin(h);
    h->parameters.keep_running = 1;
    knows_job(h, B, 600, 1000);
    h->project_resources[A].received = 9000;
    host_add_task(h, A, 1500, FOREVER);
    host_add_task(h, A, 1500, FOREVER);
    h->tasks[0].flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
}

static void a_free_cpu_is_reason_to_call_for_jobs_that_suffer(void **unused) {
    (void)unused;
    test_host h;
    begin_beside_a_free_cpu(&h);
    const decision d = choose(&h);
    assert_int_equal(d.summary.project, B);
    assert_decision(&d, B, VCS_REASON_ASKED, 1000, 0);
    assert_decision(&d, A, VCS_REASON_ENOUGH, 0, 0);
    const vcs_fetch_question brief = {.struct_size = sizeof brief, .flags = VCS_FETCH_BRIEF};
    vcs_fetch_summary summary = {.struct_size = sizeof summary};
    assert_int_equal(vcs_fetch(h.state, &brief, &summary), VCS_OK);
    assert_memory_equal(&summary, &d.summary, sizeof summary);
    host_end(&h);
}

/* The same on two GPUs, beside CPUs that are busy; what runs there is nothing to the GPUs. */
static void a_free_gpu_is_reason_to_call_likewise(void **unused) {
    (void)unused;
    for (uint32_t running = 0; running <= 2; running++) {
        test_host h;
        vcs_fetch_decision found[4];
        vcs_fetch_summary summary = {.struct_size = sizeof summary};
        begin(&h);
        h.parameters.keep_running = 1;
        h.parameters.accounting = VCS_ACCOUNTING_LOCAL;
        host_add_resource(&h, 2, 10);
        host_add_project_resource(&h, A, 1)->received = 9000;
        vcs_project_resource *known = host_add_project_resource(&h, B, 1);
        known->job_seconds = 600;
        known->job_bound = 1000;
        for (uint32_t i = 0; i < 4; i++) {
            vcs_task *task = host_add_task(&h, A, i < 2 ? 3000 : 1500, FOREVER);
            task->flags = i < 2 || i - 2 < running ? VCS_TASK_RUNNING | VCS_TASK_STARTED : 0;
            task->gpu = i < 2 ? 0 : 1;
            task->gpus = i < 2 ? 0 : 1;
            task->cpus = i < 2 ? 1 : 0;
        }
        host_prepare(&h);
        assert_int_equal(vcs_wrr(h.state, NULL), VCS_OK);
        assert_int_equal(vcs_fetch(h.state, NULL, &summary), VCS_OK);
        assert_int_equal(vcs_fetch_decisions(h.state, ARRAY(found, 4)), VCS_OK);
        assert_int_equal(summary.project, running < 2 ? (uint32_t)B : VCS_NONE);
        assert_number(found[3].seconds, running < 2 ? 1000 : 0);
        assert_number(found[2].seconds, 0); /* on the CPUs */
        host_end(&h);
    }
}

/* In a call that is made anyway, A is asked as ever. */
static void a_free_cpu_takes_nothing_from_calls_made_anyway(void **unused) {
    (void)unused;
    test_host h;
    begin_beside_a_free_cpu(&h);
    const decision d = ask(&h, VCS_FETCH_PIGGYBACK, A);
    assert_decision(&d, A, VCS_REASON_ASKED, 1000, 0);
    host_end(&h);
}

/* Each of these alone takes the reason away. */
static void otherwise_enough_is_enough(void **unused) {
    (void)unused;
    for (int change = 0; change < 9; change++) {
        test_host h;
        begin_beside_a_free_cpu(&h);
        switch (change) {
        case 0: /* no CPU is free */
            h.tasks[1].flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
            break;
        case 1: /* four jobs are owed, not more */
            h.project_resources[A].received = 8600;
            break;
        case 2: /* it can wait behind the work at hand */
            h.project_resources[B].job_bound = 2100;
            break;
        case 3: /* it cannot be done at all */
            h.project_resources[B].job_bound = 599;
            break;
        case 4: /* nothing is known of its jobs */
            h.project_resources[B].job_seconds = 0;
            break;
        case 5: /* the buffer is full */
            host_add_task(&h, A, 3000, FOREVER);
            break;
        case 6: /* it may not be called now */
            h.projects[B].min_rpc_time = 1e9;
            break;
        case 7: /* it has no share */
            h.projects[B].share = 0;
            break;
        default: /* the waiting task is due earlier, and would begin on the free CPU */
            h.tasks[1].deadline = h.now + 900;
            break;
        }
        const decision d = choose(&h);
        assert_int_equal(d.summary.project, VCS_NONE);
        host_end(&h);
    }
}

/*
 * In a call that is made anyway B is asked for half a job or more: with 100 s lacking at the end of the buffer,
 * jobs of 200 s are asked for, and jobs of 201 s are not.
 */
static void a_call_made_anyway_asks_for_half_a_job(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    host_add_task(&h, A, 2000, FOREVER);
    host_add_task(&h, A, 1900, FOREVER);
    knows_job(&h, B, 200, 1e6);
    decision d = ask(&h, VCS_FETCH_PIGGYBACK, B);
    assert_decision(&d, B, VCS_REASON_ASKED, 100, 0);
    knows_job(&h, B, 201, 1e6);
    d = ask(&h, VCS_FETCH_PIGGYBACK, B);
    assert_decision(&d, B, VCS_REASON_NO_SHARE_LEFT, 0, 0);
    host_end(&h);
}

/* With all shares 0 all are backup projects, as by other rules. */
static void projects_without_a_share_are_backup_projects(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    h.projects[A].share = h.projects[B].share = 0;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, A);
    assert_decision(&d, A, VCS_REASON_ASKED, 2, 2);
    host_end(&h);
}

/* Two tasks of A for 100 s are all that its limit lets it run, and nobody else has work. */
static void a_backup_project_at_its_limit_is_not_asked(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    h.projects[A].share = h.projects[B].share = 0;
    h.projects[A].max_concurrent = 2;
    h.projects[B].flags = VCS_PROJECT_NO_NEW_WORK;
    host_add_task(&h, A, 100, FOREVER);
    host_add_task(&h, A, 100, FOREVER);
    const decision d = choose(&h);
    assert_decision(&d, A, VCS_REASON_AT_LIMIT, 0, 0);
    host_end(&h);
}

/*
 * Spells of 4 h and 1 h. B's jobs of 24 h due in 30 have a chance of 0.558, A's are as good as done. B is asked after
 * A, and while something runs on each CPU not at all.
 */
static void jobs_far_below_the_best_are_asked_for_last(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    h.host.on_spell = 4 * 3600;
    h.host.off_spell = 3600;
    h.project_resources[A].received = 9000;
    knows_job(&h, A, 10, 1e6);
    knows_job(&h, B, 24 * 3600, 30 * 3600);
    decision d = choose(&h);
    assert_int_equal(d.summary.project, A);
    h.projects[A].min_rpc_time = 1e9;
    keep_busy(&h);
    d = choose(&h);
    assert_decision(&d, B, VCS_REASON_SMALLER_CHANCE, 0, 0);
    host_end(&h);
}

/* A task of 900 s due in 1,100 waits. Another job of 600 s due before it would delay it by 300 s. */
static void a_job_that_takes_a_margin_is_not_asked_for(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    knows_job(&h, B, 600, 1000);
    keep_busy(&h);
    host_add_task(&h, A, 900, 1100);
    h.projects[A].min_rpc_time = 1e9;
    const decision d = choose(&h);
    assert_decision(&d, B, VCS_REASON_TAKES_MARGIN, 0, 0);
    host_end(&h);
}

/* A GPU counts ten times as much as a CPU, unless each resource counts for itself. */
static void work_counts_over_all_resources_or_by_resource(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    host_add_resource(&h, 1, 10);
    host_add_project_resource(&h, A, 1)->received = 1000;
    host_add_project_resource(&h, B, 1);
    h.project_resources[B].received = 2000;
    h.projects[A].share = 1;
    for (uint32_t local = 0; local < 2; local++) {
        vcs_fetch_decision found[4];
        vcs_fetch_summary summary = {.struct_size = sizeof summary};
        h.parameters.accounting = local ? VCS_ACCOUNTING_LOCAL : VCS_ACCOUNTING_GLOBAL;
        host_prepare(&h);
        assert_int_equal(vcs_wrr(h.state, NULL), VCS_OK);
        assert_int_equal(vcs_fetch(h.state, NULL, &summary), VCS_OK);
        assert_int_equal(vcs_fetch_decisions(h.state, ARRAY(found, 4)), VCS_OK);
        assert_number(found[0].priority, local ? 0 : -1e13); /* of A on the CPUs */
        assert_number(found[2].priority, local ? -2000 : -2e12);
    }
    host_end(&h);
}

/* One task of B at a time, and it has one for 500 s: the CPU that it may use lacks work from then on. */
static void a_limit_holds(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    knows_job(&h, B, 100, 1e6);
    h.projects[A].flags = VCS_PROJECT_NO_NEW_WORK;
    h.projects[B].max_concurrent = 1;
    host_add_task(&h, B, 500, FOREVER);
    const decision d = choose(&h);
    assert_int_equal(d.summary.project, B);
    assert_decision(&d, B, VCS_REASON_ASKED, 1500, 0);
    host_end(&h);
}

/*
 * 2 CPUs and a task of A that takes both, behind one of B that takes one for 500 s: A is not asked to fill the other.
 * For what is missing after its own work it is.
 */
static void a_project_whose_task_waits_for_fit_is_asked_for_what_comes_after(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    h.projects[B].flags = VCS_PROJECT_NO_NEW_WORK;
    h.projects[A].rec = 1;
    host_add_task(&h, B, 500, FOREVER)->flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
    host_add_task(&h, A, 2000, FOREVER)->cpus = 2;
    decision d = choose(&h);
    assert_decision(&d, A, VCS_REASON_WAITS_FOR_FIT, 0, 0); /* it ends after the buffer */
    h.tasks[1].remaining = 1000;
    d = choose(&h);
    assert_decision(&d, A, VCS_REASON_WAITS_FOR_FIT, 0, 0); /* at 1,500 s, after the work to keep */
    h.tasks[1].remaining = 400;
    d = choose(&h);
    assert_decision(&d, A, VCS_REASON_ASKED, 2200, 0); /* at 900 s */
    host_end(&h);
}

/* B is owed (10,000 + 4,000) / 4 - 1,000 = 2,500, and A 1,500: nothing is queued, but B may not be called yet. */
static void begin_at_limit(test_host *h) {
    begin(h);
    h->project_resources[A].received = 9000;
    h->project_resources[B].received = 1000;
    h->project_resources[B].flags = VCS_PROJECT_RESOURCE_SERVER_LIMIT;
    h->projects[B].min_rpc_time = 1e9;
}

/* Three quarters of the additional buffer stay empty, 750 s on each CPU, so that what B sends has its turn soon. */
static void others_leave_room_for_a_project_at_its_servers_limit(void **unused) {
    (void)unused;
    test_host h;
    begin_at_limit(&h);
    knows_job(&h, B, 2400, 1e6);
    decision d = choose(&h);
    assert_decision(&d, A, VCS_REASON_ASKED, 2500, 2);
    assert_decision(&d, B, VCS_REASON_SERVER_LIMIT, 0, 0);
    host_end(&h);
}

/*
 * A had twelve days more than its share, more than the six that it may have in advance. In place of B it is asked for
 * its share of what is lacking, 3/4 of 4,000, as far as there is room. Where it is called anyway there is no need.
 */
static void a_project_in_place_of_a_limited_one_is_not_asked_job_by_job(void **unused) {
    (void)unused;
    test_host h;
    begin_at_limit(&h);
    knows_job(&h, A, 300, 1e6);
    h.project_resources[A].received = 12 * 86400 * 8;
    decision d = choose(&h);
    assert_decision(&d, A, VCS_REASON_ASKED, 2500, 2);
    d = ask(&h, VCS_FETCH_PIGGYBACK, A);
    assert_decision(&d, A, VCS_REASON_NO_SHARE_LEFT, 0, 0);
    h.project_resources[B].flags = 0;
    d = choose(&h);
    assert_decision(&d, A, VCS_REASON_ASKED, 2, 2);
    host_end(&h);
}

/* Each of these alone takes the reason away: no limit, no job owed, A owed more, nothing to be had, no share. */
static void nobody_leaves_room_otherwise(void **unused) {
    (void)unused;
    for (int i = 0; i < 5; i++) {
        test_host h;
        begin_at_limit(&h);
        knows_job(&h, B, i == 1 ? 2500 : 2400, 1e6);
        h.project_resources[B].flags = i == 0 ? 0 : VCS_PROJECT_RESOURCE_SERVER_LIMIT;
        h.project_resources[B].received = i == 2 ? 2000 : 1000;
        h.projects[B].flags = i == 3 ? VCS_PROJECT_NO_NEW_WORK : 0;
        h.projects[B].share = i == 4 ? 0 : 1;
        decision d = choose(&h);
        assert_decision(&d, A, VCS_REASON_ASKED, 4000, 2);
        host_end(&h);
    }
}

/* In the loop: jobs of 300 s, one for each 300 s asked for, come at once. After a day shares are as they should be. */
static void shares_come_right_in_the_loop(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    uint32_t calls = 0, jobs = 0;
    for (double until; h.now < 86400.0; h.now += until) {
        decision d = choose(&h);
        while (d.summary.project != VCS_NONE) {
            const uint32_t p = d.summary.project;
            for (double left = d.projects[p].seconds; left > 0 && h.snapshot.tasks.count < HOST_MOST - 1; left -= 300) {
                vcs_task *task = host_add_task(&h, p, 300, FOREVER);
                task->id = ++jobs;
                task->received = h.now;
                h.project_resources[p].received += 300;
            }
            d = choose(&h);
            calls++;
        }
        assert_true(h.snapshot.tasks.count >= 2);
        until = h.tasks[0].remaining; /* the first two run, the shorter first */
        until = h.tasks[1].remaining < until ? h.tasks[1].remaining : until;
        h.tasks[0].remaining -= until;
        h.tasks[1].remaining -= until;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < h.snapshot.tasks.count; i++) {
            if (h.tasks[i].remaining > 0) {
                h.tasks[kept++] = h.tasks[i];
            }
        }
        h.snapshot.tasks.count = kept;
    }
    const double a = h.project_resources[A].received, b = h.project_resources[B].received;
    assert_true(fabs(a / (a + b) - 0.75) < 0.01);
    assert_true(calls < 200);
    host_end(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_due_before_the_next_connection_are_not_wanted),
        cmocka_unit_test(least_by_share_goes_first),
        cmocka_unit_test(unreported_results_go_first_where_something_is_owed),
        cmocka_unit_test(jobs_that_are_too_unlikely_are_asked_for_last),
        cmocka_unit_test(jobs_that_suffer_from_waiting_need_four_of_them_owed),
        cmocka_unit_test(a_free_cpu_is_reason_to_call_for_jobs_that_suffer),
        cmocka_unit_test(a_free_gpu_is_reason_to_call_likewise),
        cmocka_unit_test(a_free_cpu_takes_nothing_from_calls_made_anyway),
        cmocka_unit_test(otherwise_enough_is_enough),
        cmocka_unit_test(a_call_made_anyway_asks_for_half_a_job),
        cmocka_unit_test(projects_without_a_share_are_backup_projects),
        cmocka_unit_test(a_backup_project_at_its_limit_is_not_asked),
        cmocka_unit_test(jobs_far_below_the_best_are_asked_for_last),
        cmocka_unit_test(a_job_that_takes_a_margin_is_not_asked_for),
        cmocka_unit_test(work_counts_over_all_resources_or_by_resource),
        cmocka_unit_test(a_limit_holds),
        cmocka_unit_test(a_project_whose_task_waits_for_fit_is_asked_for_what_comes_after),
        cmocka_unit_test(others_leave_room_for_a_project_at_its_servers_limit),
        cmocka_unit_test(a_project_in_place_of_a_limited_one_is_not_asked_job_by_job),
        cmocka_unit_test(nobody_leaves_room_otherwise),
        cmocka_unit_test(shares_come_right_in_the_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
