/*
 * Admission by chance on a host (rules 15.5 and 15.7): examples worked by hand. On random states it is compared with
 * its oracle in test_admit_likely_oracle.c; the decision on known terms is tested in chance/test_admit_by_chance.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/support.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/kernel.h"
#include "vcsched/chance/last_connection.h"

#define HOUR 3600.0

static vcs_admission ask(const test_host *h, uint32_t candidate) {
    vcs_admission admission;
    memset(&admission, 0xa5, sizeof admission);
    admission.struct_size = sizeof admission;
    assert_int_equal(vcs_admit(h->state, candidate, &admission), VCS_OK);
    assert_int_equal(admission.admitted,
                     admission.reason == VCS_REASON_LIKELY || admission.reason == VCS_REASON_FOR_IDLE);
    return admission;
}

/* Asks for the reason, and that the job would be done after so many hours; nobody is harmed. */
static void assert_answer(const test_host *h, uint32_t candidate, uint32_t reason, double hours) {
    const vcs_admission found = ask(h, candidate);
    assert_int_equal(found.reason, reason);
    assert_true(fabs(found.finish - hours * HOUR) < 1e-5);
    assert_int_equal(found.harmed, VCS_NONE);
    assert_int_equal(found.harmed_candidate, VCS_NONE);
}

/* A host that is on for 4 h and off for 1 h at a time, and one project. */
static void begin(test_host *h, uint32_t cpus) {
    host_begin(h, VCS_PROFILE_CURRENT, cpus);
    h->parameters.work_send = VCS_WORK_SEND_BY_CHANCE;
    h->host.on_spell = 4 * HOUR;
    h->host.off_spell = HOUR;
    host_add_project(h, 1);
}

static vcs_task *add_task(test_host *h, double hours, double due) {
    return host_add_task(h, 0, hours * HOUR, due * HOUR);
}

static vcs_task *add_candidate(test_host *h, double hours, double due) {
    return host_add_candidate(h, 0, hours * HOUR, due * HOUR);
}

/* ---- The terms ---- */

/* A job of 20 h due in 30 has a chance of 0.9256 at once, and of 0.558 after 4 h of other work. */
static void a_wait_counts_where_no_processor_is_free(void **unused) {
    (void)unused;
    for (uint32_t cpus = 1; cpus <= 2; cpus++) {
        test_host h;
        begin(&h, cpus);
        add_task(&h, 4, 30); /* due no later */
        add_candidate(&h, 20, 30);
        host_prepare(&h);
        assert_answer(&h, 0, cpus == 1 ? VCS_REASON_WAIT_COSTS : VCS_REASON_LIKELY, cpus == 1 ? 24 : 20);
        host_end(&h);
    }
}

/*
 * On two CPUs with three tasks it waits for half of the work that is due no later: 4 h; the third is due later. What is
 * due before the second of them begins at once beside the first.
 */
static void work_is_shared_by_the_processors(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2);
    add_task(&h, 3, 10);
    add_task(&h, 5, 30);
    add_task(&h, 1, 300);
    add_candidate(&h, 20, 30);
    add_candidate(&h, 2, 30)->cpus = 2; /* all of 2 CPUs: 4 h of work */
    add_candidate(&h, 1, 29);
    add_candidate(&h, 1, 30);
    host_prepare(&h);
    assert_answer(&h, 0, VCS_REASON_WAIT_COSTS, 24);
    assert_answer(&h, 1, VCS_REASON_LIKELY, 6);
    assert_answer(&h, 2, VCS_REASON_LIKELY, 1); /* beside 3 h alone */
    assert_answer(&h, 3, VCS_REASON_LIKELY, 7.5); /* behind 3 + 5 + 2 * 2 + 1 h, admitted just now */
    host_end(&h);
}

/* With 20 h of work and 1 h to spare the chance is 0.0656. */
static void some_chance_is_needed(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    add_candidate(&h, 20, 21);
    add_candidate(&h, 20, 19);
    add_candidate(&h, 20, -1);
    add_candidate(&h, 20, INFINITY);
    host_prepare(&h);
    for (uint32_t i = 0; i < 3; i++) {
        assert_answer(&h, i, VCS_REASON_SMALL_CHANCE, 20);
    }
    assert_answer(&h, 3, VCS_REASON_LIKELY, 20);
    host_end(&h);
}

/* The margin of 30 h of work due in 50 h is 6.42 h. */
static void margins_of_waiting_tasks_are_left(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    add_task(&h, 30, 50);
    add_candidate(&h, 7, 40);
    add_candidate(&h, 5, 40);
    add_candidate(&h, 2, 40);
    add_candidate(&h, 1, 40);
    add_candidate(&h, 1, 100);
    host_prepare(&h);
    const vcs_admission too_long = ask(&h, 0);
    assert_int_equal(too_long.reason, VCS_REASON_TAKES_MARGIN);
    assert_int_equal(too_long.harmed, 0);
    assert_int_equal(too_long.harmed_candidate, VCS_NONE);
    assert_answer(&h, 1, VCS_REASON_LIKELY, 5);
    assert_int_equal(ask(&h, 2).reason, VCS_REASON_TAKES_MARGIN); /* 1.42 h are left */
    assert_answer(&h, 3, VCS_REASON_LIKELY, 6);
    assert_answer(&h, 4, VCS_REASON_LIKELY, 37); /* it harms nobody: all are due earlier */
    host_end(&h);
}

/* The same, where the waiting task is a candidate that was admitted before. */
static void margins_of_admitted_candidates_are_left(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    add_candidate(&h, 7, 40);
    add_candidate(&h, 30, 50);
    add_candidate(&h, 5, 40);
    host_prepare(&h);
    assert_answer(&h, 1, VCS_REASON_LIKELY, 30);
    const vcs_admission too_long = ask(&h, 0);
    assert_int_equal(too_long.reason, VCS_REASON_TAKES_MARGIN);
    assert_int_equal(too_long.harmed, VCS_NONE);
    assert_int_equal(too_long.harmed_candidate, 1);
    assert_answer(&h, 2, VCS_REASON_LIKELY, 5);
    vcs_admission again = {.struct_size = sizeof again};
    assert_int_equal(vcs_admit(h.state, 2, &again), VCS_ERR_DUPLICATE);
    host_end(&h);
}

/* A task without a margin has none to lose, and one that fits beside all others takes none. */
static void what_cannot_be_lost_is_not_counted(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    add_task(&h, 45, 50);
    add_candidate(&h, 7, 40);
    host_prepare(&h);
    assert_answer(&h, 0, VCS_REASON_LIKELY, 7);
    host_end(&h);
    begin(&h, 2);
    add_task(&h, 30, 50);
    add_candidate(&h, 7, 40);
    add_candidate(&h, 7, 40);
    host_prepare(&h);
    assert_answer(&h, 0, VCS_REASON_LIKELY, 7);
    assert_answer(&h, 1, VCS_REASON_LIKELY, 7); /* takes 3.5 h of 6.42 */
    host_end(&h);
}

/*
 * Spells of 4 h and 1 h, 20 h of work: 0.9256 with 10 h to spare, 0.6755 with 6, which is worse by more than 0.2. So a
 * job due in 26 h is not taken if some project that can be asked has had one with a bound of 30 h, unless the CPU is
 * free.
 */
static void better_kinds_of_job_go_first(void **unused) {
    (void)unused;
    static const struct {
        uint32_t owner, flags; /* of the better job */
        double seconds, bound;
        uint32_t of_task, reason;
    } cases[] = {
        {0, 0, 20, 30, 0, VCS_REASON_SMALLER_CHANCE},
        {1, 0, 20, 30, 0, VCS_REASON_SMALLER_CHANCE},
        {1, VCS_PROJECT_SUSPENDED, 20, 30, 0, VCS_REASON_LIKELY},
        {1, VCS_PROJECT_NO_NEW_WORK, 20, 30, 0, VCS_REASON_LIKELY},
        {1, 0, 20, 26, 0, VCS_REASON_LIKELY},
        {1, 0, 0, 30, 0, VCS_REASON_LIKELY},
        {1, 0, 20, 0, 0, VCS_REASON_LIKELY},
        {1, 0, 20, 30, VCS_TASK_SUSPENDED, VCS_REASON_FOR_IDLE},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        test_host h;
        begin(&h, 1);
        host_add_project(&h, 1);
        h.projects[1].flags = cases[i].flags;
        vcs_project_resource *last = host_add_project_resource(&h, cases[i].owner, 0);
        last->job_seconds = cases[i].seconds * HOUR;
        last->job_bound = cases[i].bound * HOUR;
        add_task(&h, 20, 1000)->flags = cases[i].of_task;
        add_candidate(&h, 20, 26);
        host_prepare(&h);
        assert_answer(&h, 0, cases[i].reason, 20);
        host_end(&h);
    }
}

/* A job that is hopeless by its estimate is not taken for the sake of sizes that would do: it would be given up. */
static void a_spread_does_not_help_a_hopeless_job(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    h.host.off_spell = 0;
    host_add_project_resource(&h, 0, 0)->job_spread = 0.5;
    add_candidate(&h, 20, 19);
    add_candidate(&h, 20, 21);
    host_prepare(&h);
    assert_answer(&h, 0, VCS_REASON_SMALL_CHANCE, 20); /* 0.207 of such work would be done */
    assert_answer(&h, 1, VCS_REASON_LIKELY, 20);
    host_end(&h);
}

/* The chance of 20 h of work is 0.5639 with 5 h to spare. Given up below 0.50, jobs of 0.55 and more are taken. */
static void the_floor_is_above_giving_up(void **unused) {
    (void)unused;
    static const struct {
        uint32_t rule;
        double below;
        bool is_taken;
    } cases[] = {
        {VCS_GIVE_UP_BY_CHANCE, 0.50, true}, {VCS_GIVE_UP_BY_CHANCE, 0.52, false}, {VCS_GIVE_UP_BY_CHANCE, 1, false},
        {VCS_GIVE_UP_BY_SIZE, 0.9, true},    {VCS_GIVE_UP_NEVER, 0.9, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        test_host h;
        begin(&h, 1);
        h.parameters.give_up = cases[i].rule;
        h.parameters.give_up_below = cases[i].below;
        add_candidate(&h, 20, 25);
        add_candidate(&h, 20, 21.5); /* 0.1125: never */
        host_prepare(&h);
        assert_answer(&h, 1, VCS_REASON_SMALL_CHANCE, 20);
        assert_answer(&h, 0, cases[i].is_taken ? VCS_REASON_LIKELY : VCS_REASON_SMALL_CHANCE, 20);
        host_end(&h);
    }
}

/* Nobody waits for tasks that are given up, suspended, for another resource or beyond the host. */
static void only_tasks_that_will_run_count(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2);
    h.parameters.give_up = VCS_GIVE_UP_BY_CHANCE;
    const uint32_t gpu = host_add_resource(&h, 1, 10);
    add_task(&h, 4, 3); /* too late */
    add_task(&h, 4, 20)->flags = VCS_TASK_SUSPENDED;
    add_task(&h, 4, 20)->cpus = 3;
    vcs_task *on_gpu = add_task(&h, 4, 20);
    on_gpu->gpu = gpu;
    on_gpu->gpus = 1;
    add_task(&h, 4, 20)->flags = VCS_TASK_DOWNLOADING;
    add_candidate(&h, 20, 30);
    add_candidate(&h, 20, 30);
    host_prepare(&h);
    assert_answer(&h, 0, VCS_REASON_LIKELY, 20);
    assert_int_equal(ask(&h, 1).reason, VCS_REASON_WAIT_COSTS); /* both CPUs have work now */
    host_end(&h);
}

/* What runs goes on where that is the rule: it is ahead of all others, and loses nothing. */
static void running_tasks_are_ahead_where_they_stay(void **unused) {
    (void)unused;
    for (uint32_t stays = 0; stays <= 1; stays++) {
        test_host h;
        begin(&h, 1);
        h.parameters.keep_running = stays;
        add_task(&h, 30, 50)->flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
        add_candidate(&h, 7, 40);
        add_candidate(&h, 1, 100);
        host_prepare(&h);
        const vcs_admission found = ask(&h, 0);
        assert_int_equal(found.reason, stays ? VCS_REASON_WAIT_COSTS : VCS_REASON_TAKES_MARGIN);
        assert_int_equal(found.harmed, stays ? VCS_NONE : 0);
        assert_answer(&h, 1, VCS_REASON_LIKELY, 31);
        host_end(&h);
    }
}

/* ---- The host ---- */

/* On for 0.8 of the time, and nothing seen of its spells: 4 h and 1 h. Never off: time is all that counts. */
static void spells_follow_from_the_fraction(void **unused) {
    (void)unused;
    for (int is_never_off = 0; is_never_off <= 1; is_never_off++) {
        test_host h;
        begin(&h, 1);
        h.host.on_spell = h.host.off_spell = 0;
        h.resources[0].usable = is_never_off ? 1 : 0.8;
        add_task(&h, 4, 30);
        add_candidate(&h, 20, 30);
        add_candidate(&h, 26, 30);
        add_candidate(&h, 1, 30);
        host_prepare(&h);
        assert_answer(&h, 0, is_never_off ? VCS_REASON_LIKELY : VCS_REASON_WAIT_COSTS, 24 / h.resources[0].usable);
        if (is_never_off) {
            assert_answer(&h, 1, VCS_REASON_WAIT_COSTS, 50);
            assert_answer(&h, 2, VCS_REASON_LIKELY, 25);
        }
        host_end(&h);
    }
}

/* Connected now and every 12 h: a deadline in 23 h is one in 12, and one in 11 h is now. */
static void connections_bring_deadlines_forward(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    h.parameters.connect_every = 12 * HOUR;
    add_task(&h, 16, 47);      /* as though due in 36 h: a margin of 28.8 - 3.04 - 16 = 9.76 h */
    add_candidate(&h, 20, 23); /* a chance of 0.27 if always connected */
    add_candidate(&h, 1, 11);
    add_candidate(&h, 10, 35);
    add_candidate(&h, 9, 40);
    host_prepare(&h);
    const vcs_admission harmful = ask(&h, 2);
    assert_answer(&h, 0, VCS_REASON_SMALL_CHANCE, 20);
    assert_answer(&h, 1, VCS_REASON_SMALL_CHANCE, 1);
    assert_int_equal(harmful.reason, VCS_REASON_TAKES_MARGIN);
    assert_answer(&h, 3, VCS_REASON_LIKELY, 9);
    host_end(&h);
}

static void the_last_connection(void **unused) {
    (void)unused;
    assert_number(vcs_last_connection(30, 0, 12), 24);
    assert_number(vcs_last_connection(36, 0, 12), 36);
    assert_number(vcs_last_connection(30, 1, 12), 25);
    assert_number(vcs_last_connection(11, 0, 12), 0);
    assert_number(vcs_last_connection(-1, 0, 12), -12);
    assert_number(vcs_last_connection(-24, 0, 12), -24);
    assert_number(vcs_last_connection(30, 0, 0), 30);
    assert_number(vcs_last_connection(30, 0, 1e-300), 30);
    assert_number(vcs_last_connection(-30, 0, 1e-300), -30);
    assert_true(vcs_last_connection(INFINITY, 0, 12) == (double)INFINITY);
    assert_true(vcs_last_connection(INFINITY, 0, 0) == (double)INFINITY);
}

/* ---- Sending ---- */

static vcs_send_decision send_one(test_host *h, double bound, vcs_send_summary *summary) {
    const vcs_send_request request = {.seconds = 1e9, .busy = 1e9}; /* busy: known better from the tasks */
    const vcs_send_job job = {.latency_bound = bound};
    vcs_send_decision decision;
    assert_int_equal(vcs_send(h->state, &(vcs_array){{&request}, sizeof request, 1},
                              &(vcs_array){{&job}, sizeof job, 1}, NULL, &(vcs_array){{&decision}, sizeof decision, 1},
                              summary, NULL),
                     VCS_OK);
    return decision;
}

/* A server decides likewise, by the latency bound, without a minimum buffer or a busy time. */
static void servers_decide_likewise(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    h.parameters.min_buffer = 1e9;
    add_candidate(&h, 20, 1e9);
    host_prepare(&h);
    vcs_send_summary summary = {.struct_size = sizeof summary};
    const vcs_send_decision sent = send_one(&h, 30 * HOUR, &summary);
    assert_int_equal(sent.reason, VCS_REASON_JOB_SENT);
    assert_number(sent.finish, 20 * HOUR);
    assert_int_equal(summary.late, 0);
    const vcs_send_decision refused = send_one(&h, 21 * HOUR, &summary);
    assert_int_equal(refused.reason, VCS_REASON_SMALL_CHANCE);
    assert_int_equal(summary.late, 1);
    assert_int_equal(summary.flags, VCS_SEND_NO_WORK_FOR_DEADLINES);
    host_end(&h);
}

/* ---- Odd hosts ---- */

/* Numbers at the ends of their ranges: every candidate gets an answer, and time never goes backwards. */
static void extremes_are_answered(void **unused) {
    (void)unused;
    static const double lengths[] = {0, 1e-6, HOUR, 1e12}, deadlines[] = {-1e15, 0, HOUR, 1e15, INFINITY};
    static const double spells[] = {0, 1e-9, HOUR, 1e12};
    for (uint32_t i = 0; i < 4 * 4 * 4; i++) {
        test_host h;
        begin(&h, 2);
        h.host.on_spell = spells[i % 4];
        h.host.off_spell = spells[i / 4 % 4];
        h.parameters.connect_every = spells[i / 16];
        h.parameters.keep_running = i % 2;
        h.resources[0].usable = i % 3 == 0 ? 1e-9 : 1;
        *host_add_project_resource(&h, 0, 0) = (vcs_project_resource){
            .job_seconds = lengths[i % 4], .job_bound = lengths[i / 4 % 4], .job_spread = i % 2 ? 1000 : 0};
        for (uint32_t k = 0; k < 20; k++) {
            vcs_task *task = host_add_task(&h, 0, lengths[k % 4], deadlines[k % 5]);
            task->cpus = k % 3;
            task->total = 1e12;
            task->received = -1e15;
            task->flags = k % 7 == 0 ? VCS_TASK_RUNNING | VCS_TASK_STARTED : 0;
            host_add_candidate(&h, 0, lengths[k / 5], deadlines[k % 5])->cpus = k % 4;
        }
        host_prepare(&h);
        for (uint32_t k = 0; k < 20; k++) {
            const vcs_admission found = ask(&h, k);
            assert_true(found.finish >= 0);
            assert_true((found.reason == VCS_REASON_CANNOT_RUN) == (k % 4 > 2));
        }
        host_end(&h);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_counts_where_no_processor_is_free),
        cmocka_unit_test(work_is_shared_by_the_processors),
        cmocka_unit_test(some_chance_is_needed),
        cmocka_unit_test(margins_of_waiting_tasks_are_left),
        cmocka_unit_test(margins_of_admitted_candidates_are_left),
        cmocka_unit_test(what_cannot_be_lost_is_not_counted),
        cmocka_unit_test(better_kinds_of_job_go_first),
        cmocka_unit_test(a_spread_does_not_help_a_hopeless_job),
        cmocka_unit_test(the_floor_is_above_giving_up),
        cmocka_unit_test(only_tasks_that_will_run_count),
        cmocka_unit_test(running_tasks_are_ahead_where_they_stay),
        cmocka_unit_test(spells_follow_from_the_fraction),
        cmocka_unit_test(connections_bring_deadlines_forward),
        cmocka_unit_test(the_last_connection),
        cmocka_unit_test(servers_decide_likewise),
        cmocka_unit_test(extremes_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
