/*
 * Sessions of scheduler calls: each rule in a run made by hand, and input that is refused (rules 7.1 to 7.4).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"

#include <vcsched/timers.h>

#define DAY 86400.0
#define START 1e6

/* A client with projects 0, 1, 2 of ids 10, 11, 12, ranked in this order, with one scheduler each. */
typedef struct client {
    vcs_rpc_session session;
    vcs_rpc_project projects[3];
    uint32_t count;
    vcs_parameters policy;
    double now, work;
} client;

/* Low-water mark 1000 s, high-water mark 3000 s. A draw of 0 makes every wait after a failure 60 s. */
static client begin(uint32_t count) {
    client c = {.count = count, .now = START};
    assert_int_equal(vcs_parameters_init(&c.policy, sizeof c.policy, VCS_PROFILE_RPC2003), VCS_OK);
    c.policy.min_buffer = 1000;
    c.policy.additional_buffer = 2000;
    for (uint32_t i = 0; i < 3; i++) {
        c.projects[i].id = 10 + i;
        c.projects[i].rank = i;
        c.projects[i].scheduler_urls = 1;
    }
    return c;
}

static vcs_rpc_action ask(client *c) {
    vcs_rpc_situation situation = {.struct_size = sizeof situation, .now = c->now, .estimated_work = c->work};
    vcs_rpc_action action;
    vcs_error error = {.struct_size = sizeof error};
    memset(&action, 0xa5, sizeof action);
    action.struct_size = sizeof action;
    int code = vcs_rpc_next(&c->session, ARRAY(c->projects, c->count), &situation, &c->policy, &action, &error);
    if (code != VCS_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(action.session, c->session.kind);
    assert_int_equal(action.reserved0 + action.reserved[0] + action.reserved[1], 0);
    return action;
}

static void must_contact(client *c, uint32_t kind, uint32_t project, uint32_t url, double seconds) {
    vcs_rpc_action action = ask(c);
    assert_int_equal(action.kind, kind);
    assert_int_equal(action.project, project);
    assert_int_equal(action.url, url);
    assert_number(action.seconds, seconds);
    assert_number(action.until, 0.0);
}

static void must_call(client *c, uint32_t project, uint32_t url, double seconds) {
    must_contact(c, VCS_RPC_CALL, project, url, seconds);
}

static void must_fetch_master(client *c, uint32_t project) {
    must_contact(c, VCS_RPC_FETCH_MASTER, project, 0, 0.0);
}

static void must_wait(client *c, double until) {
    vcs_rpc_action action = ask(c);
    assert_int_equal(action.kind, VCS_RPC_WAIT);
    assert_int_equal(action.project, VCS_NONE);
    assert_int_equal(action.session, VCS_RPC_NO_SESSION);
    assert_true(action.until == until);
}

static int report(client *c, const vcs_rpc_outcome *outcome) {
    return vcs_rpc_report(&c->session, ARRAY(c->projects, c->count), outcome, &c->policy, NULL);
}

static vcs_rpc_outcome outcome_of(const client *c, uint32_t kind) {
    vcs_rpc_outcome outcome = {.struct_size = sizeof outcome, .kind = kind, .now = c->now};
    return outcome;
}

static void answers(client *c, uint32_t tasks, double request_delay) {
    vcs_rpc_outcome outcome = outcome_of(c, VCS_RPC_ANSWERED);
    outcome.tasks = tasks;
    outcome.request_delay = request_delay;
    assert_int_equal(report(c, &outcome), VCS_OK);
}

static void is_silent(client *c) {
    vcs_rpc_outcome outcome = outcome_of(c, VCS_RPC_NO_ANSWER);
    assert_int_equal(report(c, &outcome), VCS_OK);
}

static void names_schedulers(client *c, uint32_t urls, uint32_t flags) {
    vcs_rpc_outcome outcome = outcome_of(c, VCS_RPC_MASTER_FETCHED);
    outcome.scheduler_urls = urls;
    outcome.flags = flags;
    assert_int_equal(report(c, &outcome), VCS_OK);
}

static void master_fails(client *c) {
    vcs_rpc_outcome outcome = outcome_of(c, VCS_RPC_MASTER_FAILED);
    assert_int_equal(report(c, &outcome), VCS_OK);
}

static void is_not_done(client *c, double request_delay) {
    vcs_rpc_outcome outcome = outcome_of(c, VCS_RPC_NOT_DONE);
    outcome.request_delay = request_delay;
    assert_int_equal(report(c, &outcome), VCS_OK);
}

/* ---- Poll (rule 7.1) ---- */

static void without_projects_there_is_nothing_to_do(void **unused) {
    (void)unused;
    client c = begin(0);
    must_wait(&c, (double)INFINITY);
}

static void work_is_fetched_below_the_low_water_mark(void **unused) {
    (void)unused;
    client c = begin(1);
    /* 5000 s last until 4000 s from now. At the mark itself, a second is waited. */
    c.work = 5000;
    must_wait(&c, START + 4000);
    c.work = 1000;
    must_wait(&c, START + 1);
    c.work = 999;
    must_call(&c, 0, 0, 2001);
    assert_int_equal(c.session.kind, VCS_RPC_GET_WORK);
}

static void a_host_without_work_fetches_even_without_a_buffer(void **unused) {
    (void)unused;
    client c = begin(1);
    c.policy.min_buffer = c.policy.additional_buffer = 0;
    c.work = 30;
    must_wait(&c, START + 30);
    c.work = 0;
    must_call(&c, 0, 0, 1);
    answers(&c, 1, 0);
    c.work = 0.5; /* a half is better than nothing: it is kept busy for now */
    must_wait(&c, START + 1);
    c.work = 0;
    c.now = START + 1;
    must_call(&c, 0, 0, 1);
    answers(&c, 0, 0);
    must_wait(&c, START + 2);
    c.now = START + 2;
    c.policy.additional_buffer = 2000;
    must_call(&c, 0, 0, 2000);
}

static void overdue_results_are_reported_when_there_is_work(void **unused) {
    (void)unused;
    client c = begin(3);
    c.work = 2500;
    must_wait(&c, START + 1500);
    c.projects[2].overdue = 4;
    c.projects[1].overdue = 1;
    /* Project 1 ranks before 2. It is not asked for work, for project 0 ranks before it. */
    must_call(&c, 1, 0, 0);
    assert_int_equal(c.session.kind, VCS_RPC_REPORT_RESULT);
    answers(&c, 0, 0);
    assert_int_equal(c.projects[1].overdue, 0);
    must_call(&c, 2, 0, 0);
    answers(&c, 0, 0);
    assert_int_equal(c.projects[2].overdue, 0);
    must_wait(&c, START + 1500);
}

static void the_first_project_is_asked_for_work_when_results_are_reported(void **unused) {
    (void)unused;
    client c = begin(2);
    c.work = 2500;
    c.projects[0].overdue = 1;
    must_call(&c, 0, 0, 500);
    assert_number(c.session.estimated, 2500); /* what a reply with work is measured by */
    answers(&c, 1, 0);
    c.work = 3500; /* beyond the mark: nothing to ask for */
    c.projects[0].overdue = 1;
    must_call(&c, 0, 0, 0);
    answers(&c, 0, 0);
    /* A project that wants no new work is not asked for any, however good. */
    c.work = 2500;
    c.projects[0].overdue = 1;
    c.projects[0].flags = VCS_RPC_NO_NEW_WORK;
    must_call(&c, 0, 0, 0);
    answers(&c, 0, 0);
    /* The project before it wants none, has to wait, or has no scheduler yet: so it is the first. */
    c.projects[1].overdue = 1;
    must_call(&c, 1, 0, 500);
    answers(&c, 0, 0);
    c.projects[0].flags = 0;
    assert_int_equal(vcs_project_timer_delay(&c.projects[0].timer, 100, c.now), VCS_OK);
    c.projects[1].overdue = 1;
    must_call(&c, 1, 0, 500);
    answers(&c, 0, 0);
    c.projects[0].timer = (vcs_project_timer){0};
    c.projects[0].scheduler_urls = 0;
    c.projects[1].overdue = 1;
    must_call(&c, 1, 0, 500);
}

static void equal_ranks_go_by_id(void **unused) {
    (void)unused;
    client c = begin(3);
    c.projects[0].rank = c.projects[1].rank = c.projects[2].rank = 7;
    c.projects[0].id = 30;
    c.projects[1].id = 20;
    c.projects[2].id = 25;
    must_call(&c, 1, 0, 3000);
    answers(&c, 0, 0);
    must_call(&c, 2, 0, 3000);
    answers(&c, 0, 0);
    must_call(&c, 0, 0, 3000);
}

/* A project that wants no new work must not wait for ever because another has none to give. */
static void sessions_of_both_kinds_take_turns(void **unused) {
    (void)unused;
    client c = begin(2);
    c.projects[1].flags = VCS_RPC_NO_NEW_WORK;
    c.projects[1].overdue = 1;
    must_call(&c, 0, 0, 3000);
    answers(&c, 0, 0);
    must_call(&c, 1, 0, 0);
    assert_int_equal(c.session.kind, VCS_RPC_REPORT_RESULT);
    c.now += 1;
    answers(&c, 0, 0);
    c.projects[1].overdue = 1; /* more results: now it is the turn of getting work */
    must_call(&c, 0, 0, 3000);
    answers(&c, 0, 0);
    must_call(&c, 1, 0, 0);
}

static void what_the_user_wants_goes_first_and_does_not_wait(void **unused) {
    (void)unused;
    client c = begin(3);
    assert_int_equal(vcs_project_timer_delay(&c.projects[2].timer, DAY, c.now), VCS_OK);
    c.projects[2].flags = VCS_RPC_CALL_WANTED | VCS_RPC_SUSPENDED;
    must_call(&c, 2, 0, 0);
    assert_int_equal(c.session.kind, VCS_RPC_REPORT_RESULT);
    is_silent(&c);
    /* It was tried: the wish is fulfilled. The earlier wait holds, since it is longer. */
    assert_int_equal(c.projects[2].flags & VCS_RPC_CALL_WANTED, 0);
    assert_number(c.projects[2].timer.min_rpc_time, START + DAY);
    assert_int_equal(c.projects[2].timer.failures, 1);
    must_call(&c, 0, 0, 3000);
    answers(&c, 1, 0);
    c.work = 3000;
    c.projects[0].flags |= VCS_RPC_CALL_WANTED;
    must_call(&c, 0, 0, 0);
    answers(&c, 0, 0);
    assert_int_equal(c.projects[0].flags & VCS_RPC_CALL_WANTED, 0);
    must_wait(&c, START + 2000);
}

static void the_wait_is_until_the_first_reason(void **unused) {
    (void)unused;
    client c = begin(3);
    c.work = 5000;
    c.projects[0].flags = VCS_RPC_NO_NEW_WORK;
    c.projects[1].flags = VCS_RPC_SUSPENDED;
    c.projects[1].overdue = 1;
    assert_int_equal(vcs_project_timer_delay(&c.projects[0].timer, 700, c.now), VCS_OK);
    assert_int_equal(vcs_project_timer_delay(&c.projects[2].timer, 9000, c.now), VCS_OK);
    must_wait(&c, START + 9000); /* there is too little work before, but nobody to ask */
    c.projects[0].overdue = 1;
    must_wait(&c, START + 700);
    c.projects[0].overdue = 0;
    c.projects[2].flags = VCS_RPC_SUSPENDED;
    must_wait(&c, (double)INFINITY);
    /* A master file that is wanted is a reason when there is too little work, and when its interval is over. */
    c.projects[0].flags = VCS_RPC_NO_NEW_WORK | VCS_RPC_MASTER_WANTED;
    must_wait(&c, START + 4000);
    c.policy.master_fetch_interval = DAY;
    c.projects[0].master_fetched = START - 1000;
    must_wait(&c, START + DAY - 1000);
}

/* ---- Get-work (rule 7.2) ---- */

static void the_best_project_is_asked_until_there_is_enough(void **unused) {
    (void)unused;
    client c = begin(2);
    c.projects[0].rank = 5;
    c.work = 500;
    must_call(&c, 1, 0, 2500);
    answers(&c, 3, 0);
    c.work = 1500; /* above the low mark, below the high one: go on, with the same project, which is still the best */
    must_call(&c, 1, 0, 1500);
    answers(&c, 3, 0);
    c.work = 2000;
    c.projects[0].rank = 0; /* it has been given much: now the other project is better */
    must_call(&c, 0, 0, 1000);
    answers(&c, 3, 0);
    c.work = 3000;
    must_wait(&c, START + 2000);
    assert_int_equal(c.session.last, VCS_RPC_GET_WORK);
}

static void without_work_it_is_not_asked_again(void **unused) {
    (void)unused;
    client c = begin(2);
    must_call(&c, 0, 0, 3000);
    answers(&c, 0, 0);
    must_call(&c, 1, 0, 3000);
    answers(&c, 0, 0);
    /* None is left: the session ends. The next one may begin a second later. */
    must_wait(&c, START + 1);
    c.now += 0.5;
    must_wait(&c, START + 1);
    c.now = START + 1;
    must_call(&c, 0, 0, 3000);
}

static void sessions_keep_their_distance(void **unused) {
    (void)unused;
    client c = begin(1);
    c.policy.look_interval = 600;
    must_call(&c, 0, 0, 3000);
    answers(&c, 0, 0);
    must_wait(&c, START + 600);
    c.now = START - 1e5; /* the clock goes back: no more than the interval */
    must_wait(&c, START - 1e5 + 600);
    c.now += 600;
    must_call(&c, 0, 0, 3000);
}

static void tasks_that_add_no_work_are_not_asked_for_again(void **unused) {
    (void)unused;
    client c = begin(2);
    c.work = 100;
    must_call(&c, 0, 0, 2900);
    answers(&c, 50, 0);
    c.work = 100.5; /* 50 tasks of no length; a second more would have counted */
    must_call(&c, 1, 0, 2899.5);
    answers(&c, 1, 0);
    c.work = 101.5;
    must_call(&c, 1, 0, 2898.5);
    answers(&c, 1, 0);
    c.work = 50; /* and some was done meanwhile */
    must_wait(&c, START + 1);
}

static void each_scheduler_is_tried_once_until_one_answers(void **unused) {
    (void)unused;
    client c = begin(2);
    c.projects[0].scheduler_urls = 3;
    c.projects[0].timer.failures = 4;
    must_call(&c, 0, 0, 3000);
    is_silent(&c);
    must_call(&c, 0, 1, 3000);
    is_silent(&c);
    assert_int_equal(c.projects[0].timer.failures, 4); /* not before the last has failed */
    must_call(&c, 0, 2, 3000);
    answers(&c, 1, 0);
    assert_int_equal(c.projects[0].timer.failures, 0);
    assert_number(c.projects[0].timer.min_rpc_time, 0.0);
}

static void when_all_schedulers_failed_the_project_waits(void **unused) {
    (void)unused;
    client c = begin(2);
    c.projects[0].scheduler_urls = 2;
    must_call(&c, 0, 0, 3000);
    is_silent(&c);
    must_call(&c, 0, 1, 3000);
    c.now += 30; /* the second took its time */
    is_silent(&c);
    assert_int_equal(c.projects[0].timer.failures, 1);
    assert_number(c.projects[0].timer.min_rpc_time, START + 30 + 60);
    must_call(&c, 1, 0, 3000);
    c.now += 100; /* project 0 has waited, but it was asked in this session */
    answers(&c, 0, 0);
    must_wait(&c, START + 131);
    c.now = START + 131;
    must_call(&c, 0, 0, 3000);
}

static void the_servers_delay_counts_after_its_answer(void **unused) {
    (void)unused;
    client c = begin(1);
    c.projects[0].timer.failures = 3;
    must_call(&c, 0, 0, 3000);
    answers(&c, 1, 400);
    assert_int_equal(c.projects[0].timer.failures, 0);
    assert_number(c.projects[0].timer.min_rpc_time, START + 400);
    c.work = 600;
    must_wait(&c, START + 400);
    c.now = START + 400;
    must_call(&c, 0, 0, 2400);
}

static void a_failed_computation_holds_back_too(void **unused) {
    (void)unused;
    client c = begin(1);
    assert_int_equal(vcs_project_timer_delay(&c.projects[0].timer, 250, c.now), VCS_OK);
    must_wait(&c, START + 250);
    c.now = START + 250;
    must_call(&c, 0, 0, 3000);
}

/* The table at the end of rule 7 in doc/rules.md. */
static void a_session_worked_through(void **unused) {
    (void)unused;
    client c = begin(2);
    c.now = 1e6; /* 0 in the table */
    c.projects[0].scheduler_urls = 2;
    c.work = 500;
    must_call(&c, 0, 0, 2500);
    is_silent(&c);
    c.now += 20;
    c.work = 480;
    must_call(&c, 0, 1, 2500);
    c.now += 20;
    c.work = 460;
    is_silent(&c);
    assert_number(c.projects[0].timer.min_rpc_time, 1e6 + 100);
    must_call(&c, 1, 0, 2540);
    answers(&c, 2, 0);
    c.work = 2000;
    must_call(&c, 1, 0, 1000);
    answers(&c, 0, 0);
    must_wait(&c, 1e6 + 1040);
}

/* ---- Master files (rule 7.2) ---- */

/* One session in which the only scheduler of project 0 fails. */
static void fail_once(client *c) {
    must_call(c, 0, 0, 3000);
    is_silent(c);
    must_wait(c, c->now + 60);
    c->now += 60;
}

static void every_tenth_failure_marks_the_master_file(void **unused) {
    (void)unused;
    client c = begin(1);
    for (int failure = 1; failure <= 9; failure++) {
        fail_once(&c);
        assert_int_equal(c.projects[0].flags & VCS_RPC_MASTER_WANTED, 0);
    }
    fail_once(&c);
    assert_int_equal(c.projects[0].flags & VCS_RPC_MASTER_WANTED, VCS_RPC_MASTER_WANTED);
    assert_int_equal(c.projects[0].timer.failures, 10);
    /* It has waited: its master file comes before its scheduler. It names the same scheduler. */
    must_fetch_master(&c, 0);
    names_schedulers(&c, 1, 0);
    assert_int_equal(c.projects[0].flags & VCS_RPC_MASTER_WANTED, 0);
    assert_int_equal(c.projects[0].timer.failures, 10);
    assert_number(c.projects[0].master_fetched, c.now);
    must_wait(&c, c.now + 1);
    c.now += 1;
    for (int failure = 11; failure <= 20; failure++) {
        assert_int_equal(c.projects[0].flags & VCS_RPC_MASTER_WANTED, 0);
        fail_once(&c);
    }
    must_fetch_master(&c, 0);
    names_schedulers(&c, 2, VCS_RPC_NEW_URLS);
    assert_int_equal(c.projects[0].timer.failures, 0);
    assert_number(c.projects[0].timer.min_rpc_time, 0.0);
    assert_int_equal(c.projects[0].scheduler_urls, 2);
    must_wait(&c, c.now + 1);
    c.now += 1;
    must_call(&c, 0, 0, 3000);
    is_silent(&c);
    must_call(&c, 0, 1, 3000);
}

static void master_files_come_after_the_schedulers(void **unused) {
    (void)unused;
    client c = begin(3);
    c.projects[0].flags = VCS_RPC_MASTER_WANTED;
    c.projects[1].flags = VCS_RPC_MASTER_WANTED | VCS_RPC_NO_NEW_WORK;
    must_call(&c, 2, 0, 3000);
    answers(&c, 1, 0);
    c.work = 2999;
    must_call(&c, 2, 0, 1);
    answers(&c, 1, 0);
    c.work = 3000;
    must_fetch_master(&c, 0);
    c.work = 2900; /* it took a while; schedulers are not called again in this session even so */
    master_fails(&c);
    must_fetch_master(&c, 1);
    names_schedulers(&c, 1, 0);
    must_wait(&c, START + 1900);
    /* A failed master file is a failure of the project, and stays wanted. */
    assert_int_equal(c.projects[0].timer.failures, 1);
    assert_number(c.projects[0].timer.min_rpc_time, START + 60);
    assert_int_equal(c.projects[0].flags & VCS_RPC_MASTER_WANTED, VCS_RPC_MASTER_WANTED);
    assert_int_equal(c.projects[1].flags & VCS_RPC_MASTER_WANTED, 0);
    /* For them alone a session begins, if there is too little work. */
    c.projects[2].flags = VCS_RPC_SUSPENDED;
    c.projects[1].flags = VCS_RPC_SUSPENDED;
    c.work = 900;
    must_wait(&c, START + 60);
    c.now = START + 60;
    must_fetch_master(&c, 0);
}

static void a_master_file_is_tried_at_most_once_per_interval(void **unused) {
    (void)unused;
    client c = begin(1);
    c.policy.master_fetch_interval = DAY;
    c.projects[0].flags = VCS_RPC_MASTER_WANTED;
    must_fetch_master(&c, 0); /* never tried before */
    master_fails(&c);
    must_wait(&c, START + 60);
    c.now += 60;
    fail_once(&c); /* until it may be tried again, the schedulers are called */
    fail_once(&c);
    c.now = START + DAY;
    must_fetch_master(&c, 0);
    names_schedulers(&c, 1, 0);
    /* Tried in the future, so the clock went back: it may be tried. */
    c.projects[0].flags |= VCS_RPC_MASTER_WANTED;
    c.now = START - 100 * DAY;
    must_wait(&c, c.now + 1);
    c.now += 1;
    must_fetch_master(&c, 0);
}

static void a_project_without_schedulers_begins_with_its_master_file(void **unused) {
    (void)unused;
    client c = begin(2);
    c.policy.master_fetch_interval = DAY;
    c.projects[0].scheduler_urls = 0;
    must_call(&c, 1, 0, 3000);
    answers(&c, 0, 0);
    must_fetch_master(&c, 0);
    master_fails(&c);
    c.projects[1].flags = VCS_RPC_SUSPENDED;
    must_wait(&c, START + 60); /* no interval holds it back, only its timer */
    c.now = START + 60;
    must_fetch_master(&c, 0);
    names_schedulers(&c, 0, VCS_RPC_NEW_URLS); /* a file that names no scheduler is a failure */
    assert_int_equal(c.projects[0].timer.failures, 2);
    assert_number(c.projects[0].timer.min_rpc_time, START + 120);
    must_wait(&c, START + 120);
    c.now = START + 120;
    must_fetch_master(&c, 0);
    names_schedulers(&c, 1, 0); /* all are new to a project without any */
    assert_int_equal(c.projects[0].timer.failures, 0);
    assert_number(c.projects[0].timer.min_rpc_time, 0.0);
    must_wait(&c, START + 121);
    c.now = START + 121;
    must_call(&c, 0, 0, 3000);
}

static void results_are_reported_even_if_the_scheduler_has_to_be_found_first(void **unused) {
    (void)unused;
    client c = begin(1);
    c.work = 5000;
    c.projects[0].overdue = 1;
    c.projects[0].flags = VCS_RPC_MASTER_WANTED | VCS_RPC_NO_NEW_WORK;
    must_fetch_master(&c, 0);
    assert_int_equal(c.session.kind, VCS_RPC_REPORT_RESULT);
    names_schedulers(&c, 1, 0);
    must_call(&c, 0, 0, 0);
    answers(&c, 0, 0);
    must_wait(&c, (double)INFINITY);
    /* The same for a project that was just joined: the user wants it called. */
    c.projects[0].flags = VCS_RPC_CALL_WANTED;
    c.projects[0].scheduler_urls = 0;
    c.work = 2000;
    must_fetch_master(&c, 0);
    names_schedulers(&c, 2, 0);
    must_call(&c, 0, 0, 1000);
    is_silent(&c);
    must_call(&c, 0, 1, 1000);
    answers(&c, 1, 0);
    c.work = 3000;
    must_wait(&c, START + 2000);
    /* And if that fails: one try, one failure. */
    c.projects[0].flags = VCS_RPC_CALL_WANTED;
    c.projects[0].scheduler_urls = 0;
    must_fetch_master(&c, 0);
    master_fails(&c);
    must_wait(&c, START + 2000);
    assert_int_equal(c.projects[0].flags & VCS_RPC_CALL_WANTED, 0);
    assert_int_equal(c.projects[0].timer.failures, 1);
}

/* ---- Report-result (rule 7.3) ---- */

static void a_report_is_one_round(void **unused) {
    (void)unused;
    client c = begin(2);
    c.work = 2000;
    c.projects[0].scheduler_urls = 2;
    c.projects[0].overdue = 3;
    c.projects[0].timer.failures = 9;
    c.projects[1].flags = VCS_RPC_MASTER_WANTED;
    must_call(&c, 0, 0, 1000);
    is_silent(&c);
    must_call(&c, 0, 1, 1000);
    is_silent(&c);
    /* The tenth failure marks the master file, or a project that wants no new work would never find its scheduler. */
    assert_int_equal(c.projects[0].flags & VCS_RPC_MASTER_WANTED, VCS_RPC_MASTER_WANTED);
    assert_int_equal(c.projects[0].overdue, 3);
    must_wait(&c, START + 60);
    c.now = START + 60;
    must_fetch_master(&c, 0);
    names_schedulers(&c, 1, 0);
    must_call(&c, 0, 0, 1000);
    answers(&c, 1, 0);
    c.work = 1500; /* less than the high-water mark, but a report asks once; no other master file is read either */
    must_wait(&c, START + 60 + 500);
}

static void results_are_overdue_near_their_deadline_or_after_a_day(void **unused) {
    (void)unused;
    static const struct {
        double deadline, completed, now;
        uint32_t overdue;
    } table[] = {
        /* min_buffer 1000 s before a deadline of 50,000 */
        {50000, 48000, 48999, 0},
        {50000, 48000, 49000, 1},
        {50000, 48000, 60000, 1},
        /* a day after it was finished at 1000 */
        {1e6, 1000, 87399, 0},
        {1e6, 1000, 87400, 1},
        {(double)INFINITY, 1000, 87399, 0},
        {(double)INFINITY, 1000, 87400, 1},
        /* finished in the future: nobody knows how long ago */
        {1e6, 1000, 1000, 0},
        {1e6, 1000, 999, 1},
    };
    client c = begin(0);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        uint32_t overdue = 7;
        assert_int_equal(
            vcs_result_overdue(table[i].deadline, table[i].completed, &c.policy, table[i].now, &overdue), VCS_OK);
        assert_int_equal(overdue, table[i].overdue);
    }
    uint32_t overdue = 7;
    c.policy.report_margin = 1500; /* in the place of the minimum buffer */
    assert_int_equal(vcs_result_overdue(50000, 48000, &c.policy, 48499, &overdue), VCS_OK);
    assert_int_equal(overdue, 0);
    assert_int_equal(vcs_result_overdue(50000, 48000, &c.policy, 48500, &overdue), VCS_OK);
    assert_int_equal(overdue, 1);
}

/* ---- Form (rule 7.4) ---- */

static void an_action_is_given_until_it_is_reported(void **unused) {
    (void)unused;
    client c = begin(2);
    c.projects[0].scheduler_urls = 2;
    must_call(&c, 0, 0, 3000);
    is_silent(&c);
    must_call(&c, 0, 1, 3000);
    /* Whatever happens meanwhile: much work, another clock, another order, the user's wishes. */
    c.work = 1e6;
    c.now -= 1e5;
    c.projects[0].rank = 9;
    c.projects[0].flags |= VCS_RPC_SUSPENDED;
    c.projects[1].flags |= VCS_RPC_CALL_WANTED;
    client saved = c;
    must_call(&c, 0, 1, 3000);
    must_call(&saved, 0, 1, 3000);
    answers(&saved, 1, 0);
    must_call(&saved, 1, 0, 0);
}

static void projects_may_change_place(void **unused) {
    (void)unused;
    client c = begin(3);
    must_call(&c, 0, 0, 3000);
    vcs_rpc_project first = c.projects[0];
    c.projects[0] = c.projects[2];
    c.projects[2] = first;
    must_call(&c, 2, 0, 3000);
    first = c.projects[1];
    c.projects[1] = c.projects[2];
    c.projects[2] = first;
    is_silent(&c); /* without having been asked in between */
    assert_int_equal(c.projects[1].id, 10);
    assert_int_equal(c.projects[1].timer.failures, 1);
}

static void a_project_that_is_gone_takes_its_action_with_it(void **unused) {
    (void)unused;
    client c = begin(3);
    must_call(&c, 0, 0, 3000);
    c.projects[0] = c.projects[2];
    c.count = 2;
    must_call(&c, 1, 0, 3000);
    /* Reported after it has gone: nothing else changes. */
    c.projects[1] = c.projects[0];
    c.count = 1;
    vcs_rpc_project before = c.projects[0];
    is_silent(&c);
    assert_memory_equal(&c.projects[0], &before, sizeof before);
    must_call(&c, 0, 0, 3000);
    assert_int_equal(c.session.project, 12);
    answers(&c, 5, 0);
    c.count = 0; /* and after it sent tasks */
    must_wait(&c, (double)INFINITY);
    /* A report ends with its project. */
    c = begin(2);
    c.work = 5000;
    c.projects[1].overdue = 1;
    must_call(&c, 1, 0, 0);
    c.count = 1;
    must_wait(&c, START + 4000);
    assert_int_equal(c.session.last, VCS_RPC_REPORT_RESULT);
}

static void a_scheduler_that_is_gone_takes_its_call_with_it(void **unused) {
    (void)unused;
    client c = begin(1);
    c.projects[0].scheduler_urls = 3;
    must_call(&c, 0, 0, 3000);
    is_silent(&c);
    must_call(&c, 0, 1, 3000);
    c.projects[0].scheduler_urls = 1;
    must_call(&c, 0, 0, 3000); /* the round begins again */
    assert_int_equal(c.projects[0].timer.failures, 0);
}

static void what_is_not_done_is_no_failure(void **unused) {
    (void)unused;
    client c = begin(2);
    must_call(&c, 0, 0, 3000);
    is_not_done(&c, 0);
    assert_int_equal(c.projects[0].timer.failures, 0);
    assert_number(c.projects[0].timer.min_rpc_time, 0.0);
    must_call(&c, 1, 0, 3000);
    is_not_done(&c, 300);
    assert_number(c.projects[1].timer.min_rpc_time, START + 300);
    must_wait(&c, START + 1);
    c.projects[0].flags = VCS_RPC_CALL_WANTED;
    c.projects[0].scheduler_urls = 0;
    must_fetch_master(&c, 0);
    is_not_done(&c, 200);
    assert_int_equal(c.projects[0].flags & VCS_RPC_CALL_WANTED, 0);
    assert_number(c.projects[0].master_fetched, 0.0);
    assert_int_equal(c.projects[0].timer.failures, 0);
    must_wait(&c, START + 200);
}

static void a_session_can_be_broken_off(void **unused) {
    (void)unused;
    client c = begin(2);
    must_call(&c, 0, 0, 3000);
    answers(&c, 0, 0);
    must_call(&c, 1, 0, 3000);
    memset(&c.session, 0, sizeof c.session);
    must_call(&c, 0, 0, 3000); /* a new one: all may be asked */
}

static void a_clock_that_goes_back_keeps_what_is_left(void **unused) {
    (void)unused;
    client c = begin(1);
    must_call(&c, 0, 0, 3000);
    answers(&c, 1, 400);
    c.now += 100;
    must_wait(&c, START + 400);
    c.now = -5000;
    must_wait(&c, -5000 + 300);
    c.now = 1e9; /* and forward: nothing holds it back */
    must_call(&c, 0, 0, 3000);
}

/* ---- What is refused ---- */

static void order_of_calls(void **unused) {
    (void)unused;
    client c = begin(1);
    const uint32_t calls[] = {VCS_RPC_ANSWERED, VCS_RPC_NO_ANSWER}, masters[] = {VCS_RPC_MASTER_FETCHED,
                                                                               VCS_RPC_MASTER_FAILED};
    for (uint32_t kind = VCS_RPC_ANSWERED; kind <= VCS_RPC_NOT_DONE; kind++) {
        vcs_rpc_outcome outcome = outcome_of(&c, kind);
        assert_int_equal(report(&c, &outcome), VCS_ERR_SEQUENCE); /* nothing is under way */
    }
    must_call(&c, 0, 0, 3000);
    client before = c;
    for (size_t i = 0; i < COUNT_OF(masters); i++) {
        vcs_rpc_outcome outcome = outcome_of(&c, masters[i]);
        assert_int_equal(report(&c, &outcome), VCS_ERR_SEQUENCE);
    }
    assert_memory_equal(&c, &before, sizeof c);
    answers(&c, 1, 0);
    vcs_rpc_outcome again = outcome_of(&c, VCS_RPC_ANSWERED);
    assert_int_equal(report(&c, &again), VCS_ERR_SEQUENCE); /* it was reported before */
    c = begin(1);
    c.projects[0].scheduler_urls = 0;
    must_fetch_master(&c, 0);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        vcs_rpc_outcome outcome = outcome_of(&c, calls[i]);
        assert_int_equal(report(&c, &outcome), VCS_ERR_SEQUENCE);
    }
    is_not_done(&c, 0);
}

/* Everything that can be wrong about a record or struct: `which` is spoilt, and nothing may change. */
typedef struct spoilt {
    client c;
    vcs_rpc_situation situation;
    vcs_rpc_outcome outcome;
    vcs_rpc_action action;
} spoilt;

static spoilt good_input(void) {
    spoilt s = {.c = begin(2)};
    must_call(&s.c, 0, 0, 3000);
    s.situation = (vcs_rpc_situation){.struct_size = sizeof s.situation, .now = START, .estimated_work = 100};
    s.outcome = outcome_of(&s.c, VCS_RPC_ANSWERED);
    s.action.struct_size = sizeof s.action;
    return s;
}

static int next_of(spoilt *s, vcs_error *error) {
    return vcs_rpc_next(&s->c.session, ARRAY(s->c.projects, s->c.count), &s->situation, &s->c.policy, &s->action,
                        error);
}

static int report_of(spoilt *s, vcs_error *error) {
    return vcs_rpc_report(&s->c.session, ARRAY(s->c.projects, s->c.count), &s->outcome, &s->c.policy, error);
}

static void must_refuse(spoilt *s, int (*function)(spoilt *, vcs_error *), int code, uint32_t type, uint32_t offset) {
    spoilt before = *s;
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(function(s, &error), code);
    assert_memory_equal(s, &before, sizeof *s);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, type);
    assert_int_equal(error.offset, offset);
    assert_int_equal(error.index, type == VCS_TYPE_RPC_PROJECT);
    assert_int_equal(function(s, NULL), code);
    assert_memory_equal(s, &before, sizeof *s);
}

#define NO_TIME(type, field)                                                                                           \
    NOT_FINITE(type, field), BAD_NUMBER(type, field, 1.1e15, VCS_ERR_RANGE),                                           \
        BAD_NUMBER(type, field, -1.1e15, VCS_ERR_RANGE)
#define NO_DURATION(type, field)                                                                                       \
    NOT_FINITE(type, field), BAD_NUMBER(type, field, 1.1e12, VCS_ERR_RANGE), BAD_NUMBER(type, field, -1.0,             \
                                                                                        VCS_ERR_RANGE)

static void refuses_bad_projects(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NO_TIME(vcs_rpc_project, timer.min_rpc_time),
        NO_TIME(vcs_rpc_project, timer.seen),
        BAD_WORD(vcs_rpc_project, timer.reserved0, 1, VCS_ERR_ABI_NEWER),
        BAD_WORD(vcs_rpc_project, timer.reserved, 1, VCS_ERR_ABI_NEWER),
        NO_TIME(vcs_rpc_project, master_fetched),
        BAD_WORD(vcs_rpc_project, flags, 0x20, VCS_ERR_FLAGS),
        BAD_WORD(vcs_rpc_project, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        spoilt s = good_input();
        spoil(&s.c.projects[1], &table[i]);
        must_refuse(&s, next_of, table[i].code, VCS_TYPE_RPC_PROJECT, (uint32_t)table[i].offset);
        must_refuse(&s, report_of, table[i].code, VCS_TYPE_RPC_PROJECT, (uint32_t)table[i].offset);
    }
}

static void refuses_bad_sessions(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_rpc_session, kind, 3, VCS_ERR_FLAGS),
        BAD_WORD(vcs_rpc_session, step, 5, VCS_ERR_FLAGS),
        BAD_WORD(vcs_rpc_session, last, 3, VCS_ERR_FLAGS),
        BAD_WORD(vcs_rpc_session, reserved0, 1, VCS_ERR_ABI_NEWER),
        NO_DURATION(vcs_rpc_session, seconds),
        NO_DURATION(vcs_rpc_session, estimated),
        NO_TIME(vcs_rpc_session, next_get_work),
        BAD_WORD(vcs_rpc_session, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        spoilt s = good_input();
        spoil(&s.c.session, &table[i]);
        must_refuse(&s, next_of, table[i].code, VCS_TYPE_RPC_SESSION, (uint32_t)table[i].offset);
        must_refuse(&s, report_of, table[i].code, VCS_TYPE_RPC_SESSION, (uint32_t)table[i].offset);
    }
}

/* A session that was saved wrongly: its kind does not know this step. */
static void refuses_steps_of_another_kind(void **unused) {
    (void)unused;
    for (uint32_t kind = VCS_RPC_NO_SESSION; kind <= VCS_RPC_REPORT_RESULT; kind++) {
        for (uint32_t step = VCS_RPC_CHOOSE_PROJECT; step <= VCS_RPC_READING_MASTER; step++) {
            int is_action = step == VCS_RPC_CALLING || step == VCS_RPC_READING_MASTER;
            int exists = kind == VCS_RPC_GET_WORK ||
                         (kind == VCS_RPC_NO_SESSION ? step == VCS_RPC_CHOOSE_PROJECT : is_action);
            spoilt s = good_input();
            s.c.session.kind = kind;
            s.c.session.step = step;
            if (exists) {
                assert_int_equal(next_of(&s, NULL), VCS_OK);
            } else {
                must_refuse(&s, next_of, VCS_ERR_RANGE, VCS_TYPE_RPC_SESSION, offsetof(vcs_rpc_session, step));
                must_refuse(&s, report_of, VCS_ERR_RANGE, VCS_TYPE_RPC_SESSION, offsetof(vcs_rpc_session, step));
            }
        }
    }
}

static void refuses_bad_situations(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_rpc_situation, struct_size, 0, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_rpc_situation, struct_size, sizeof(vcs_rpc_situation) - 8, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_rpc_situation, flags, 1, VCS_ERR_FLAGS),
        NO_TIME(vcs_rpc_situation, now),
        NO_DURATION(vcs_rpc_situation, estimated_work),
        BAD_WORD(vcs_rpc_situation, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        spoilt s = good_input();
        spoil(&s.situation, &table[i]);
        must_refuse(&s, next_of, table[i].code, VCS_TYPE_RPC_SITUATION, (uint32_t)table[i].offset);
    }
    spoilt s = good_input();
    s.action.struct_size = 8;
    must_refuse(&s, next_of, VCS_ERR_ABI_OLDER, VCS_TYPE_RPC_ACTION, 0);
    s.action.struct_size = 4;
    must_refuse(&s, next_of, VCS_ERR_ABI_SIZE, VCS_TYPE_RPC_ACTION, 0);
}

static void refuses_bad_outcomes(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_rpc_outcome, struct_size, 4100, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_rpc_outcome, struct_size, sizeof(vcs_rpc_outcome) - 8, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_rpc_outcome, kind, 0, VCS_ERR_FLAGS),
        BAD_WORD(vcs_rpc_outcome, kind, 6, VCS_ERR_FLAGS),
        BAD_WORD(vcs_rpc_outcome, kind, VCS_RPC_MASTER_FAILED, VCS_ERR_SEQUENCE),
        BAD_WORD(vcs_rpc_outcome, flags, 2, VCS_ERR_FLAGS),
        BAD_WORD(vcs_rpc_outcome, reserved0, 1, VCS_ERR_ABI_NEWER),
        NO_TIME(vcs_rpc_outcome, now),
        NO_DURATION(vcs_rpc_outcome, request_delay),
        NOT_FINITE(vcs_rpc_outcome, u),
        BAD_NUMBER(vcs_rpc_outcome, u, 1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_rpc_outcome, u, -0.1, VCS_ERR_RANGE),
        BAD_WORD(vcs_rpc_outcome, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        spoilt s = good_input();
        spoil(&s.outcome, &table[i]);
        must_refuse(&s, report_of, table[i].code, VCS_TYPE_RPC_OUTCOME, (uint32_t)table[i].offset);
    }
}

static void refuses_bad_arguments(void **unused) {
    (void)unused;
    spoilt s = good_input(), before = s;
    const uint32_t size = sizeof *s.c.projects;
    vcs_error small = {.struct_size = 8};
    vcs_rpc_session *session = &s.c.session;
    vcs_rpc_project *projects = s.c.projects;
    const vcs_parameters *policy = &s.c.policy;
    const void *odd = (const unsigned char *)(const void *)projects + 2;
    vcs_rpc_project *shifted;
    memcpy(&shifted, &odd, sizeof shifted);

    assert_int_equal(vcs_rpc_next(NULL, ARRAY_OF(projects, size, 2), &s.situation, policy, &s.action, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(vcs_rpc_next(session, ARRAY_OF(projects, size, 2), NULL, policy, &s.action, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_rpc_next(session, ARRAY_OF(projects, size, 2), &s.situation, NULL, &s.action, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(vcs_rpc_next(session, ARRAY_OF(NULL, size, 2), &s.situation, policy, &s.action, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(vcs_rpc_next(session, ARRAY_OF(projects, size, 2), &s.situation, policy, NULL, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(vcs_rpc_next(session, ARRAY_OF(projects, size, 2), &s.situation, policy, &s.action, &small),
                     VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_rpc_next(session, ARRAY_OF(projects, 0, 2), &s.situation, policy, &s.action, NULL),
                     VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_rpc_next(session, ARRAY_OF(projects, size - 8, 2), &s.situation, policy, &s.action, NULL),
                     VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_rpc_next(session, ARRAY_OF(shifted, size, 1), &s.situation, policy, &s.action, NULL),
                     VCS_ERR_ABI_SIZE);

    assert_int_equal(vcs_rpc_report(NULL, ARRAY_OF(projects, size, 2), &s.outcome, policy, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_rpc_report(session, ARRAY_OF(projects, size, 2), NULL, policy, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_rpc_report(session, ARRAY_OF(projects, size, 2), &s.outcome, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_rpc_report(session, ARRAY_OF(NULL, size, 2), &s.outcome, policy, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_rpc_report(session, ARRAY_OF(projects, size, 2), &s.outcome, policy, &small),
                     VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_rpc_report(session, ARRAY_OF(projects, 12, 2), &s.outcome, policy, NULL), VCS_ERR_ABI_SIZE);
    assert_memory_equal(&s, &before, sizeof s);

    s.c.policy.backoff_max = 1;
    must_refuse(&s, next_of, VCS_ERR_RANGE, VCS_TYPE_PARAMETERS, offsetof(vcs_parameters, backoff_max));
    must_refuse(&s, report_of, VCS_ERR_RANGE, VCS_TYPE_PARAMETERS, offsetof(vcs_parameters, backoff_max));
}

static void overdue_refuses_bad_arguments(void **unused) {
    (void)unused;
    client c = begin(0);
    const double bad[] = {(double)NAN, -(double)INFINITY, 1.1e15, -1.1e15};
    const int codes[] = {VCS_ERR_NOT_FINITE, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_RANGE};
    uint32_t overdue = 7;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        assert_int_equal(vcs_result_overdue(bad[i], 0, &c.policy, 0, &overdue), codes[i]);
        assert_int_equal(vcs_result_overdue(0, bad[i], &c.policy, 0, &overdue), codes[i]);
        assert_int_equal(vcs_result_overdue(0, 0, &c.policy, bad[i], &overdue), codes[i]);
    }
    assert_int_equal(vcs_result_overdue(0, (double)INFINITY, &c.policy, 0, &overdue), VCS_ERR_NOT_FINITE);
    assert_int_equal(vcs_result_overdue(0, 0, &c.policy, (double)INFINITY, &overdue), VCS_ERR_NOT_FINITE);
    assert_int_equal(vcs_result_overdue(0, 0, NULL, 0, &overdue), VCS_ERR_NULL);
    assert_int_equal(vcs_result_overdue(0, 0, &c.policy, 0, NULL), VCS_ERR_NULL);
    c.policy.report_delay = -1;
    assert_int_equal(vcs_result_overdue(0, 0, &c.policy, 0, &overdue), VCS_ERR_RANGE);
    assert_int_equal(overdue, 7);
}

/* ---- Sizes of other versions ---- */

static void longer_structs_of_a_newer_caller(void **unused) {
    (void)unused;
    typedef struct newer_project {
        vcs_rpc_project known;
        uint64_t added;
    } newer_project;
    struct {
        vcs_rpc_action known;
        uint64_t added;
    } action;
    newer_project *projects = calloc(2, sizeof *projects);
    client c = begin(2);
    vcs_rpc_situation situation = {.struct_size = sizeof situation, .now = START};
    vcs_rpc_outcome outcome = outcome_of(&c, VCS_RPC_NO_ANSWER);
    projects[0].known = c.projects[1];
    projects[1].known = c.projects[0];
    memset(&action, 0xa5, sizeof action);
    action.known.struct_size = sizeof action;
    projects[1].added = 1;
    assert_int_equal(vcs_rpc_next(&c.session, ARRAY_OF(&projects[0].known, sizeof *projects, 2), &situation, &c.policy,
                                  &action.known, NULL),
                     VCS_ERR_ABI_NEWER);
    projects[1].added = 0;
    assert_int_equal(vcs_rpc_next(&c.session, ARRAY_OF(&projects[0].known, sizeof *projects, 2), &situation, &c.policy,
                                  &action.known, NULL),
                     VCS_OK);
    assert_int_equal(action.known.struct_size, sizeof action);
    assert_int_equal(action.known.project, 1);
    assert_true(action.added == 0);
    assert_int_equal(
        vcs_rpc_report(&c.session, ARRAY_OF(&projects[0].known, sizeof *projects, 2), &outcome, &c.policy, NULL),
        VCS_OK);
    assert_int_equal(projects[1].known.timer.failures, 1);
    assert_int_equal(projects[0].known.timer.failures, 0);
    free(projects);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_projects_there_is_nothing_to_do),
        cmocka_unit_test(work_is_fetched_below_the_low_water_mark),
        cmocka_unit_test(a_host_without_work_fetches_even_without_a_buffer),
        cmocka_unit_test(overdue_results_are_reported_when_there_is_work),
        cmocka_unit_test(the_first_project_is_asked_for_work_when_results_are_reported),
        cmocka_unit_test(equal_ranks_go_by_id),
        cmocka_unit_test(sessions_of_both_kinds_take_turns),
        cmocka_unit_test(what_the_user_wants_goes_first_and_does_not_wait),
        cmocka_unit_test(the_wait_is_until_the_first_reason),
        cmocka_unit_test(the_best_project_is_asked_until_there_is_enough),
        cmocka_unit_test(without_work_it_is_not_asked_again),
        cmocka_unit_test(sessions_keep_their_distance),
        cmocka_unit_test(tasks_that_add_no_work_are_not_asked_for_again),
        cmocka_unit_test(each_scheduler_is_tried_once_until_one_answers),
        cmocka_unit_test(when_all_schedulers_failed_the_project_waits),
        cmocka_unit_test(the_servers_delay_counts_after_its_answer),
        cmocka_unit_test(a_failed_computation_holds_back_too),
        cmocka_unit_test(a_session_worked_through),
        cmocka_unit_test(every_tenth_failure_marks_the_master_file),
        cmocka_unit_test(master_files_come_after_the_schedulers),
        cmocka_unit_test(a_master_file_is_tried_at_most_once_per_interval),
        cmocka_unit_test(a_project_without_schedulers_begins_with_its_master_file),
        cmocka_unit_test(results_are_reported_even_if_the_scheduler_has_to_be_found_first),
        cmocka_unit_test(a_report_is_one_round),
        cmocka_unit_test(results_are_overdue_near_their_deadline_or_after_a_day),
        cmocka_unit_test(an_action_is_given_until_it_is_reported),
        cmocka_unit_test(projects_may_change_place),
        cmocka_unit_test(a_project_that_is_gone_takes_its_action_with_it),
        cmocka_unit_test(a_scheduler_that_is_gone_takes_its_call_with_it),
        cmocka_unit_test(what_is_not_done_is_no_failure),
        cmocka_unit_test(a_session_can_be_broken_off),
        cmocka_unit_test(a_clock_that_goes_back_keeps_what_is_left),
        cmocka_unit_test(order_of_calls),
        cmocka_unit_test(refuses_bad_projects),
        cmocka_unit_test(refuses_bad_sessions),
        cmocka_unit_test(refuses_steps_of_another_kind),
        cmocka_unit_test(refuses_bad_situations),
        cmocka_unit_test(refuses_bad_outcomes),
        cmocka_unit_test(refuses_bad_arguments),
        cmocka_unit_test(overdue_refuses_bad_arguments),
        cmocka_unit_test(longer_structs_of_a_newer_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
