/*
 * Fetching by the rules of the published study: WF1 and WF2 (rules 6.1, 6.2, 13.3, 13.4, 13.8, 13.11).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include "support/kernel.h"

#define HOUR 3600.0
#define FOREVER ((double)INFINITY)

/* What was decided on the CPU, for each project. */
typedef struct decision {
    vcs_fetch_summary summary;
    vcs_fetch_decision cpu[HOST_MOST];
} decision;

static decision ask(test_host *h, const vcs_fetch_question *question) {
    decision d;
    vcs_fetch_decision project_resources[HOST_MOST];
    const uint32_t resources = h->snapshot.resources.count, projects = h->snapshot.projects.count;
    memset(&d, 0, sizeof d);
    d.summary.struct_size = sizeof d.summary;
    host_prepare(h);
    assert_int_equal(vcs_wrr(h->state, NULL), VCS_OK);
    assert_int_equal(vcs_fetch(h->state, question, &d.summary), VCS_OK);
    assert_int_equal(vcs_fetch_decisions(h->state, ARRAY(project_resources, projects * resources)), VCS_OK);
    for (uint32_t i = 0; i < projects; i++) {
        d.cpu[i] = project_resources[i * resources];
    }
    return d;
}

static decision choose(test_host *h) {
    return ask(h, NULL);
}

static void assert_project(const decision *d, uint32_t project, uint32_t reason, double seconds) {
    assert_string_equal(vcs_reason_name(d->cpu[project].reason), vcs_reason_name(reason));
    assert_number(d->cpu[project].seconds, seconds);
    assert_number(d->cpu[project].instances, 0.0);
}

/* 2 CPUs, a buffer of 10 h, two projects with the shares 3 and 1: their parts of the buffer are 15 and 5 h of a CPU. */
static void begin(test_host *h, uint32_t work_fetch) {
    host_begin(h, VCS_PROFILE_STUDY2007, 2);
    h->parameters.work_fetch = work_fetch;
    h->parameters.min_buffer = 2 * HOUR;
    h->parameters.additional_buffer = 8 * HOUR;
    host_add_project(h, 300);
    host_add_project(h, 100);
}

/* ---- WF1 ---- */

static void wf1_asks_for_the_part_that_is_not_queued(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, VCS_WORK_FETCH_WF1);
    host_add_task(&h, 0, 12 * HOUR, FOREVER);
    host_add_task(&h, 1, 1 * HOUR, FOREVER);
    h.projects[0].long_term_debt = 1e6;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project(&d, 0, VCS_REASON_ASKED, 3 * HOUR);
    assert_project(&d, 1, VCS_REASON_BETTER_PROJECT, 0);
    assert_int_equal(d.cpu[1].better, 0);
    h.projects[0].long_term_debt = -1e6; /* overworked, which is not looked at; but the other is owed more */
    d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_project(&d, 1, VCS_REASON_ASKED, 4 * HOUR);
    h.projects[1].flags = VCS_PROJECT_NO_NEW_WORK; /* its share still counts */
    d = choose(&h);
    assert_project(&d, 0, VCS_REASON_ASKED, 3 * HOUR);
    h.projects[1].flags = VCS_PROJECT_SUSPENDED; /* now it does not: 20 h - 12 h */
    d = choose(&h);
    assert_project(&d, 0, VCS_REASON_ASKED, 8 * HOUR);
    host_end(&h);
}

static void wf1_asks_for_a_task_when_there_is_none(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, VCS_WORK_FETCH_WF1);
    h.projects[1].share = 0;
    host_add_task(&h, 0, 25 * HOUR, FOREVER);
    decision d = choose(&h);
    assert_project(&d, 0, VCS_REASON_NO_SHARE_LEFT, 0);
    assert_project(&d, 1, VCS_REASON_ASKED, 1);
    host_add_task(&h, 1, 60, FOREVER);
    d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_int_equal(d.summary.reason, VCS_REASON_NO_SHARE_LEFT);
    /* the first has 5 h more than its 20 h, which 2 CPUs could do in 2.5 h; the second has 60 s more than its 0 */
    assert_number(d.summary.next_check, 600);
    h.parameters.look_interval = 0;
    d = choose(&h);
    assert_number(d.summary.next_check, 30);
    host_end(&h);
}

/* Without any share the buffer is divided equally. */
static void wf1_divides_equally_without_shares(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, VCS_WORK_FETCH_WF1);
    h.projects[0].share = h.projects[1].share = 0;
    host_add_task(&h, 0, 4 * HOUR, FOREVER);
    h.projects[0].long_term_debt = 1e6;
    decision d = choose(&h);
    assert_project(&d, 0, VCS_REASON_ASKED, 6 * HOUR);
    host_end(&h);
}

/* ---- WF2 ---- */

/*
 * Tasks of 8 h: A has one, B has two. At first A uses 1 of its due 1.5 CPUs, B 1 of its due 0.5, in halves. After 8 h A
 * has nothing left and B has 8 h, which its two tasks do in 4 h on 2 CPUs: beyond the buffer. Total shortfall 0.
 */
static void wf2_gives_a_project_its_share_when_nothing_is_short(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, VCS_WORK_FETCH_WF2);
    host_add_task(&h, 0, 8 * HOUR, FOREVER);
    host_add_task(&h, 1, 8 * HOUR, FOREVER);
    host_add_task(&h, 1, 8 * HOUR, FOREVER);
    decision d = choose(&h);
    /* A: 8 h of 1.5 - 1, and 2 h of 1.5: 7 h. B lacks nothing */
    assert_int_equal(d.summary.project, 0);
    assert_project(&d, 0, VCS_REASON_ASKED, 7 * HOUR);
    assert_project(&d, 1, VCS_REASON_NO_SHARE_LEFT, 0);
    h.projects[0].long_term_debt = -h.parameters.period - 1;
    d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_project(&d, 0, VCS_REASON_OVERWORKED, 0);
    assert_project(&d, 1, VCS_REASON_NO_SHARE_LEFT, 0);
    h.projects[0].long_term_debt = -h.parameters.period; /* not yet */
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    h.tasks[1].deadline = 9 * HOUR; /* one is predicted to miss: nothing more */
    d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_int_equal(d.summary.reason, VCS_REASON_FULL);
    assert_project(&d, 0, VCS_REASON_FULL, 0);
    assert_project(&d, 1, VCS_REASON_FULL, 0);
    assert_number(d.summary.next_check, 2 * HOUR); /* busy for 12 h, of which 10 h is the buffer */
    h.parameters.min_buffer = 12 * HOUR - h.parameters.additional_buffer; /* exactly the buffer: a moment later, less */
    d = choose(&h);
    assert_int_equal(d.summary.reason, VCS_REASON_FULL);
    assert_number(d.summary.next_check, h.parameters.look_interval);
    h.parameters.min_buffer = 10 * HOUR - h.parameters.additional_buffer;
    h.resources[0].usable = 0.5; /* 24 h; half of the time it computes */
    d = choose(&h);
    assert_number(d.summary.next_check, 7 * HOUR);
    host_end(&h);
}

/* No tasks at all. Total shortfall 20 h; own ones 15 and 5 h. */
static void wf2_asks_the_one_that_is_owed_most(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, VCS_WORK_FETCH_WF2);
    decision d = choose(&h);
    assert_project(&d, 0, VCS_REASON_ASKED, 15 * HOUR);
    assert_number(d.cpu[0].priority, 15 * HOUR);
    assert_number(d.cpu[1].priority, 5 * HOUR);
    h.projects[1].long_term_debt = 11 * HOUR;
    d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_project(&d, 1, VCS_REASON_ASKED, 5 * HOUR);
    h.projects[1].long_term_debt = 10 * HOUR; /* equal: the lower id */
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    h.projects[0].min_rpc_time = 100; /* of the rest the other is all: 20 h by share */
    d = choose(&h);
    assert_project(&d, 0, VCS_REASON_DEFERRED, 0);
    assert_project(&d, 1, VCS_REASON_ASKED, 20 * HOUR);
    h.projects[1].flags = VCS_PROJECT_NO_NEW_WORK;
    d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_number(d.summary.next_check, 600);
    h.projects[0].min_rpc_time = 1000;
    d = choose(&h);
    assert_number(d.summary.next_check, 1000);
    host_end(&h);
}

/* The overworked goes last, but it is asked if there is no other; it then has an equal part. */
static void wf2_asks_the_overworked_when_something_is_short(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, VCS_WORK_FETCH_WF2);
    h.projects[0].long_term_debt = -2 * h.parameters.period;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_project(&d, 1, VCS_REASON_ASKED, 20 * HOUR);
    h.projects[1].flags = VCS_PROJECT_NO_NEW_WORK;
    d = choose(&h);
    assert_project(&d, 0, VCS_REASON_ASKED, 20 * HOUR);
    host_end(&h);
}

/*
 * Without a buffer nothing is short, but what is idle still wants a task. The part of project 0 in the 2 idle CPUs
 * would be 1.5 s; no request is more than 1.01 of what the CPUs do in the buffer, nor less than a second.
 */
static void wf2_asks_for_a_second_without_a_buffer(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, VCS_WORK_FETCH_WF2);
    h.parameters.min_buffer = 0;
    h.parameters.additional_buffer = 0;
    decision d = choose(&h);
    assert_project(&d, 0, VCS_REASON_ASKED, 1);
    host_end(&h);
}

/* Both tasks of A miss, as many as there are CPUs. */
static void wf2_does_not_ask_who_misses(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, VCS_WORK_FETCH_WF2);
    host_add_task(&h, 0, 4 * HOUR, HOUR);
    host_add_task(&h, 0, 4 * HOUR, HOUR);
    h.projects[0].long_term_debt = 1e6;
    decision d = choose(&h);
    assert_project(&d, 0, VCS_REASON_MISSES, 0);
    assert_int_equal(d.summary.project, 1);
    h.projects[1].flags = VCS_PROJECT_NO_NEW_WORK;
    d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_int_equal(d.summary.reason, VCS_REASON_MISSES);
    h.snapshot.tasks.count = 1; /* one miss, and a CPU without a task */
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    h.projects[1].flags = 0; /* who misses nothing goes first, whatever is owed */
    d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    host_end(&h);
}

static void wf2_divides_equally_without_shares(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, VCS_WORK_FETCH_WF2);
    h.projects[0].share = h.projects[1].share = 0;
    decision d = choose(&h);
    assert_project(&d, 0, VCS_REASON_ASKED, 10 * HOUR);
    host_end(&h);
}

/* ---- Both ---- */

static void classes_go_first_and_wacky_estimates_get_little(void **unused) {
    (void)unused;
    const uint32_t rules[] = {VCS_WORK_FETCH_WF1, VCS_WORK_FETCH_WF2};
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        test_host h;
        begin(&h, rules[i]);
        h.projects[1].priority_class = 1;
        h.projects[1].dcf = 100;
        decision d = choose(&h);
        assert_int_equal(d.summary.project, 1);
        assert_project(&d, 1, VCS_REASON_ASKED_LITTLE, 1);
        host_end(&h);
    }
}

/* By its share of the 2 CPUs it would lack 1 CPU for ever; its limit lets it use no more. */
static void a_limit_holds_in_the_study_too(void **unused) {
    (void)unused;
    const uint32_t rules[] = {VCS_WORK_FETCH_WF1, VCS_WORK_FETCH_WF2};
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        test_host h;
        begin(&h, rules[i]);
        h.snapshot.projects.count = 1;
        h.projects[0].max_concurrent = 1;
        decision d = choose(&h);
        assert_project(&d, 0, VCS_REASON_ASKED, 10 * HOUR);
        host_add_task(&h, 0, 10 * HOUR, FOREVER);
        d = choose(&h);
        assert_project(&d, 0, VCS_REASON_AT_LIMIT, 0);
        assert_int_equal(d.summary.reason, VCS_REASON_AT_LIMIT);
        host_end(&h);
    }
}

/* A call that is made anyway carries what the project lacks, whoever is owed more. */
static void a_call_carries_the_projects_own_request(void **unused) {
    (void)unused;
    const uint32_t rules[] = {VCS_WORK_FETCH_WF1, VCS_WORK_FETCH_WF2};
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        test_host h;
        begin(&h, rules[i]);
        h.projects[1].min_rpc_time = 100; /* it is called all the same */
        const vcs_fetch_question question = {
            .struct_size = sizeof question, .purpose = VCS_FETCH_PIGGYBACK, .project = 1};
        decision d = ask(&h, &question);
        assert_int_equal(d.summary.project, 1);
        assert_project(&d, 1, VCS_REASON_ASKED, 5 * HOUR);
        h.projects[1].flags = VCS_PROJECT_NO_NEW_WORK;
        d = ask(&h, &question);
        assert_int_equal(d.summary.project, VCS_NONE);
        assert_int_equal(d.summary.reason, VCS_REASON_NO_NEW_WORK);
        host_end(&h);
    }
}

static void the_study_knows_no_gpu(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, VCS_WORK_FETCH_WF2);
    host_add_resource(&h, 1, 10);
    decision d = choose(&h);
    vcs_fetch_decision project_resources[4];
    assert_int_equal(d.summary.project, 0);
    assert_int_equal(vcs_fetch_decisions(h.state, ARRAY(project_resources, 4)), VCS_OK);
    assert_int_equal(project_resources[1].reason, VCS_REASON_NONE);
    assert_number(project_resources[1].seconds, 0.0);
    host_end(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wf1_asks_for_the_part_that_is_not_queued),
        cmocka_unit_test(wf1_asks_for_a_task_when_there_is_none),
        cmocka_unit_test(wf1_divides_equally_without_shares),
        cmocka_unit_test(wf2_gives_a_project_its_share_when_nothing_is_short),
        cmocka_unit_test(wf2_asks_the_one_that_is_owed_most),
        cmocka_unit_test(wf2_asks_the_overworked_when_something_is_short),
        cmocka_unit_test(wf2_asks_for_a_second_without_a_buffer),
        cmocka_unit_test(wf2_does_not_ask_who_misses),
        cmocka_unit_test(wf2_divides_equally_without_shares),
        cmocka_unit_test(classes_go_first_and_wacky_estimates_get_little),
        cmocka_unit_test(a_limit_holds_in_the_study_too),
        cmocka_unit_test(a_call_carries_the_projects_own_request),
        cmocka_unit_test(the_study_knows_no_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
