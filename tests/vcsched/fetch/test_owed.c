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
        cmocka_unit_test(least_by_share_goes_first),
        cmocka_unit_test(unreported_results_go_first_where_something_is_owed),
        cmocka_unit_test(jobs_that_are_too_unlikely_are_asked_for_last),
        cmocka_unit_test(jobs_that_suffer_from_waiting_need_four_of_them_owed),
        cmocka_unit_test(a_call_made_anyway_asks_for_half_a_job),
        cmocka_unit_test(projects_without_a_share_are_backup_projects),
        cmocka_unit_test(shares_come_right_in_the_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
