/*
 * Tasks that the emulated client gives up (rules 15.3 and 15.7), and stops that it spares them (rule 15.4).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/emulation_case.h"

#include <vcsched/chance.h>

#define HOUR 3600.0

typedef struct seen {
    uint32_t given_up, called;
    double given_up_at, called_at; /* the last one of each */
} seen;

static int note(void *context, const vcs_event *event) {
    seen *s = context;
    if (event->kind == VCS_EVENT_GIVEN_UP) {
        s->given_up++;
        s->given_up_at = event->time;
    } else if (event->kind == VCS_EVENT_CALLED) {
        s->called++;
        s->called_at = event->time;
    }
    return 0;
}

static void begin_with_hooks(case_records *c, seen *noted, uint32_t cpus, double duration) {
    begin(c, VCS_PROFILE_CURRENT, cpus, duration);
    *noted = (seen){0};
    c->hooks.observe = note;
    c->hooks.context = noted;
}

/* A day of a host of one CPU that is off from the first hour to the third, and a project that gives no more work. */
static void begin_interrupted(case_records *c, seen *noted) {
    begin_with_hooks(c, noted, 1, DAY);
    add_project(c);
    c->projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    c->switches[0] = HOUR;
    c->switches[1] = 3 * HOUR;
    c->scenario.switches.count = 2;
    c->emulation.flags = VCS_EMULATION_USABLE_GIVEN;
    c->parameters.give_up = VCS_GIVE_UP_BY_CHANCE;
    c->host.on_spell = 1000 * HOUR;
}

/*
 * 4 hours of work due in 5, and 4 hours due in 6. At 3 h the first task lacks an hour: it is given up, an hour of work
 * is lost, its server hears of it at once, and the second one, which lacks an hour as well, goes too. A third, without
 * a deadline, is done.
 */
static void worked_by_hand(void **unused) {
    (void)unused;
    case_records c;
    seen noted;
    begin_interrupted(&c, &noted);
    add_task(&c, 0, 4 * HOUR, 5 * HOUR);
    add_task(&c, 0, 4 * HOUR, 6 * HOUR);
    add_task(&c, 0, 4 * HOUR, 90 * DAY);
    run(&c);
    assert_int_equal(c.outcome.given_up, 2);
    assert_int_equal(noted.given_up, 2);
    assert_true(noted.given_up_at == 3 * HOUR);
    assert_true(noted.called > 0 && noted.called_at >= 3 * HOUR);
    assert_int_equal(c.outcome.late, 0);
    assert_int_equal(c.project_outcomes[0].ended, 1);
    assert_true(c.outcome.waste > 0.045 && c.outcome.waste < 0.046); /* an hour of 22 */
}

/* Without giving up, both are computed: the hopeless one after the other, and late. */
static void without_it_both_are_computed(void **unused) {
    (void)unused;
    case_records c;
    seen noted;
    begin_with_hooks(&c, &noted, 1, 3 * DAY); /* all are reported */
    add_project(&c);
    c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 4 * HOUR, 3 * HOUR);
    add_task(&c, 0, 4 * HOUR, 6 * HOUR);
    run(&c);
    assert_int_equal(noted.given_up, 0);
    assert_int_equal(c.outcome.late, 1);
    assert_int_equal(c.project_outcomes[0].in_time, 1);
    assert_int_equal(c.outcome.given_up, 0);
    c.parameters.give_up = VCS_GIVE_UP_BY_CHANCE; /* the project wants its tasks all the same */
    c.projects[0].flags |= VCS_PROJECT_KEEPS_TASKS;
    run(&c);
    assert_int_equal(noted.given_up, 0);
    c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    run(&c);
    assert_int_equal(noted.given_up, 1); /* the first, at the start: none of its work is lost */
    assert_int_equal(c.outcome.late, 0);
    assert_true(c.outcome.waste == 0);
    assert_int_equal(c.project_outcomes[0].in_time, 1);
}

/* What is given up and never reported, since the project takes no calls, is wasted once, and is no result. */
static void nobody_hears_of_it(void **unused) {
    (void)unused;
    case_records c;
    seen noted;
    begin_interrupted(&c, &noted);
    c.projects[0].min_rpc_time = 3 * DAY;
    add_task(&c, 0, 4 * HOUR, 5 * HOUR);
    run(&c);
    assert_int_equal(c.outcome.given_up, 1);
    assert_int_equal(noted.called, 0);
    assert_int_equal(c.outcome.unreported, 0);
    assert_true(c.outcome.waste > 0.045 && c.outcome.waste < 0.046); /* an hour of 22 */
}

/* A hook that chooses tasks may give them up as well, and is asked again about the others. */
static int give_up_second(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                          vcs_schedule_summary *summary) {
    (void)context;
    const vcs_task *tasks = situation->snapshot->tasks.base;
    for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
        if (tasks[i].id == 11) {
            decisions[i].flags = VCS_DECISION_GIVE_UP;
        } else {
            decisions[i].run = 1;
        }
    }
    summary->next_check = HOUR;
    return 0;
}

static void a_hook_gives_up(void **unused) {
    (void)unused;
    case_records c;
    seen noted;
    begin_with_hooks(&c, &noted, 2, DAY);
    add_project(&c);
    c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    for (uint32_t i = 0; i < 3; i++) {
        add_task(&c, 0, 4 * HOUR, DAY);
    }
    c.hooks.schedule = give_up_second;
    run(&c);
    assert_int_equal(noted.given_up, 1);
    assert_true(noted.given_up_at == 0);
    assert_int_equal(c.project_outcomes[0].ended, 2);
}

/* Hosts that are off for long lose less of what they compute; what is given up is counted, and received again. */
static void less_is_lost(void **unused) {
    (void)unused;
    double waste[3] = {0};
    uint64_t given_up[3] = {0}, received[3] = {0}, ended[3] = {0};
    for (uint32_t rule = 0; rule < 3; rule++) {
        for (uint32_t seed = 1; seed <= 8; seed++) {
            case_records c;
            begin(&c, VCS_PROFILE_CURRENT, 2, 60 * DAY);
            add_project(&c);
            add_app(&c, 0, 4 * HOUR, 14 * HOUR);
            c.emulation.seed = seed;
            c.emulation.available = 0.5;
            c.emulation.available_mean = 6 * HOUR;
            c.parameters.min_buffer = HOUR;
            c.parameters.additional_buffer = HOUR;
            c.parameters.give_up = rule;
            c.parameters.give_up_below = rule == VCS_GIVE_UP_BY_SIZE ? 0.5 : 0.1;
            run(&c);
            waste[rule] += c.outcome.waste;
            given_up[rule] += c.outcome.given_up;
            received[rule] += c.outcome.received;
            ended[rule] += c.outcome.ended;
            assert_true(c.outcome.ended + c.outcome.given_up <= c.outcome.received);
        }
    }
    for (uint32_t rule = 1; rule < 3; rule++) {
        assert_true(waste[rule] < waste[0]);
        assert_true(given_up[rule] > 0 && given_up[rule] < received[rule] / 4);
    }
    assert_int_equal(given_up[0], 0);
}

/* With keep_running (rule 15.4) nothing is stopped, where by turns two projects' tasks are stopped often. */
static void nothing_stops_in_vain(void **unused) {
    (void)unused;
    uint64_t stops[2] = {0}, in_time[2] = {0};
    for (uint32_t kept = 0; kept < 2; kept++) {
        case_records c;
        begin(&c, VCS_PROFILE_CURRENT, 2, 30 * DAY);
        for (uint32_t p = 0; p < 3; p++) {
            add_project(&c);
            add_app(&c, p, (3 + 2 * p) * HOUR, 4 * DAY);
        }
        c.parameters.min_buffer = 6 * HOUR;
        c.parameters.additional_buffer = 6 * HOUR;
        c.parameters.keep_running = kept;
        run(&c);
        stops[kept] = c.outcome.stops;
        in_time[kept] = c.outcome.in_time;
        assert_true(c.outcome.idleness < 0.01 && c.outcome.late == 0);
    }
    assert_int_equal(stops[1], 0);
    assert_true(stops[0] > 50);
    assert_true(in_time[1] + 10 >= in_time[0]);
}

static int admit_all(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    (void)context;
    (void)situation;
    (void)candidate;
    admission->admitted = 1;
    return 0;
}

/*
 * Jobs of 20 h due in 21 on a host that is on for 4 h and off for 1 h at a time have a chance of 0.0656. Whoever takes
 * them all the same, as with a floor of 0, gives up each as soon as it has come, and asks for the next one, for ever.
 * Admission by chance takes none of them (rule 15.5).
 */
static void what_is_given_up_is_not_taken_again(void **unused) {
    (void)unused;
    for (uint32_t by_chance = 0; by_chance < 2; by_chance++) {
        case_records c;
        begin(&c, VCS_PROFILE_CURRENT, 1, 6 * HOUR);
        add_app(&c, add_project(&c), 20 * HOUR, 21 * HOUR);
        c.host.on_spell = 4 * HOUR;
        c.host.off_spell = HOUR;
        c.parameters.give_up = VCS_GIVE_UP_BY_CHANCE;
        c.parameters.work_send = VCS_WORK_SEND_BY_CHANCE;
        c.hooks.send = by_chance ? NULL : admit_all;
        run(&c);
        assert_int_equal(c.outcome.received, c.outcome.given_up);
        assert_true(by_chance ? c.outcome.received == 0 && c.outcome.refused > 0 : c.outcome.given_up > 1000);
    }
}

/*
 * Jobs of 20 h due in 22 have a chance of 0.17: above the floor, so an idle host takes them. It gives up those for
 * which time has become short, and no more than one for each 20 h or so: it has worked on each of them.
 */
static void above_the_floor_jobs_are_worked_on(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 100 * DAY);
    add_app(&c, add_project(&c), 20 * HOUR, 22 * HOUR);
    c.emulation.available = 0.8;
    c.emulation.available_mean = 4 * HOUR;
    c.parameters.give_up = VCS_GIVE_UP_BY_CHANCE;
    c.parameters.work_send = VCS_WORK_SEND_BY_CHANCE;
    c.parameters.keep_running = 1;
    run(&c);
    assert_true(c.outcome.received > 50 && c.outcome.given_up > 0);
    assert_true((double)c.outcome.given_up < 100 * DAY / (2 * HOUR));
    assert_true(c.outcome.calls < 2000);
}

/* ---- Rule 15.7 ---- */

typedef struct connections {
    double every, called; /* the last call; infinite before the first */
    uint32_t told;        /* decisions to which the next connection was told */
} connections;

static int note_call(void *context, const vcs_event *event) {
    connections *c = context;
    c->called = event->kind == VCS_EVENT_CALLED ? event->time : c->called;
    return 0;
}

static int look_at_the_host(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                            vcs_schedule_summary *summary) {
    connections *c = context;
    const vcs_host *host = situation->snapshot->host.base;
    for (uint32_t i = 0; i < situation->snapshot->tasks.count && i < 2; i++) {
        decisions[i].run = 1;
    }
    summary->next_check = HOUR;
    assert_true(host->next_connection == (c->called < 1e15 && c->every > 0 ? c->called + c->every : 0));
    c->told += host->next_connection != 0;
    return 0;
}

/* The client tells every decision when it can be connected next: an interval after its last call. */
static void the_next_connection_is_told(void **unused) {
    (void)unused;
    static const double every[] = {12 * HOUR, 5 * HOUR, 0};
    for (uint32_t i = 0; i < COUNT_OF(every); i++) {
        connections noted = {.every = every[i], .called = 1e16};
        case_records c;
        begin(&c, VCS_PROFILE_CURRENT, 2, 20 * DAY);
        add_app(&c, add_project(&c), 3 * HOUR, 5 * DAY);
        c.parameters.connect_every = every[i] == 5 * HOUR ? 5 * HOUR : 0;
        c.emulation.connection_interval = every[i] > 0 ? 12 * HOUR : 0;
        c.hooks.schedule = look_at_the_host;
        c.hooks.observe = note_call;
        c.hooks.context = &noted;
        run(&c);
        assert_true(c.outcome.in_time > 50);
        assert_int_equal(noted.told > 100, every[i] > 0);
    }
}

/*
 * In the loop: connected at most every 12 h, jobs due in 30. A client that knows gives up what no connection would
 * report in time, and less is lost; one that is told to be connected always computes it.
 */
static void what_no_connection_reports_is_given_up(void **unused) {
    (void)unused;
    double waste[2] = {0};
    uint64_t late[2] = {0}, in_time[2] = {0}, given_up[2] = {0};
    for (uint32_t knows = 0; knows < 2; knows++) {
        for (uint32_t seed = 1; seed <= 8; seed++) {
            case_records c;
            begin(&c, VCS_PROFILE_CURRENT, 2, 60 * DAY);
            add_app(&c, add_project(&c), 5 * HOUR, 30 * HOUR);
            c.emulation.seed = seed;
            c.emulation.available = 0.6;
            c.emulation.available_mean = 8 * HOUR;
            c.emulation.connection_interval = 12 * HOUR;
            c.parameters.min_buffer = 12 * HOUR;
            c.parameters.give_up = VCS_GIVE_UP_BY_CHANCE;
            c.parameters.connect_every = knows ? 0 : 1e-300;
            run(&c);
            waste[knows] += c.outcome.waste;
            late[knows] += c.outcome.late;
            in_time[knows] += c.outcome.in_time;
            given_up[knows] += c.outcome.given_up;
        }
    }
    assert_true(waste[1] < waste[0]);
    assert_true(3 * late[1] < 2 * late[0]);
    assert_true(given_up[1] > given_up[0]);
    assert_true(20 * in_time[1] > 19 * in_time[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_by_hand),
        cmocka_unit_test(without_it_both_are_computed),
        cmocka_unit_test(a_hook_gives_up),
        cmocka_unit_test(nobody_hears_of_it),
        cmocka_unit_test(less_is_lost),
        cmocka_unit_test(nothing_stops_in_vain),
        cmocka_unit_test(what_is_given_up_is_not_taken_again),
        cmocka_unit_test(above_the_floor_jobs_are_worked_on),
        cmocka_unit_test(the_next_connection_is_told),
        cmocka_unit_test(what_no_connection_reports_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
