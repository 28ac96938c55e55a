/*
 * When the emulated client reports results.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/emulation_case.h"

#include <math.h>
#include <vcsched/chance.h>

#define HOUR 3600.0

typedef struct seen {
    double reported; /* when the last result was */
    double on, off;  /* the spells of the host, as known at the last choice of tasks */
} seen;

static int note_report(void *context, const vcs_event *event) {
    if (event->kind == VCS_EVENT_REPORTED) {
        ((seen *)context)->reported = event->time;
    }
    return 0;
}

static int note_spells(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                       vcs_schedule_summary *summary) {
    const vcs_host *host = situation->snapshot->host.base;
    ((seen *)context)->on = host->on_spell;
    ((seen *)context)->off = host->off_spell;
    decisions[0].run = situation->snapshot->tasks.count > 0;
    summary->next_check = HOUR;
    return 0;
}

/* A task of 100 s, due in two days, of a project that nothing else calls. */
static void begin_with_a_task(case_records *c, seen *noted) {
    begin(c, VCS_PROFILE_CURRENT, 1, 3 * DAY);
    add_project(c);
    c->projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(c, 0, 100, 2 * DAY);
    c->parameters.report_delay = 30 * DAY;
    c->parameters.min_buffer = 5 * HOUR;
    c->hooks.observe = note_report;
    c->hooks.context = noted;
}

/* Rule 7.3: the minimum buffer before the deadline, or the margin of its own. */
static void a_margin_before_the_deadline(void **unused) {
    (void)unused;
    case_records c;
    seen noted = {0};
    begin_with_a_task(&c, &noted);
    run(&c);
    assert_true(noted.reported == 43 * HOUR);
    c.parameters.report_margin = 2 * HOUR;
    run(&c);
    assert_true(noted.reported == 46 * HOUR);
    c.parameters.report_delay = HOUR; /* sooner */
    run(&c);
    assert_true(noted.reported == HOUR + 100);
}

/* The chance to be off at h, and until the deadline, of a result that is finished at 100 s. */
static double risk_at(double h) {
    const double on = 4 * HOUR, off = 8 * HOUR;
    return off / (on + off) * (1 - exp(-(h - 100) * (1 / on + 1 / off))) * exp(-(2 * DAY - h) / off);
}

/* Rule 15.2: on for 4 hours, off for 8. The last moment with a risk of .02, instead of the margin. */
static void at_the_last_moment_of_little_risk(void **unused) {
    (void)unused;
    case_records c;
    seen noted = {0};
    begin_with_a_task(&c, &noted);
    c.host.on_spell = 4 * HOUR;
    c.host.off_spell = 8 * HOUR;
    c.parameters.report_risk = 0.02;
    run(&c);
    assert_true(risk_at(noted.reported - 1) < 0.02 && risk_at(noted.reported + 1) > 0.02);
    assert_true(noted.reported > 19 * HOUR && noted.reported < 21 * HOUR); /* 8 h * ln(.67 / .02) before the deadline */
    c.parameters.report_risk = 1e-9;                                       /* as the least */
    run(&c);
    assert_true(noted.reported < 120); /* while one second risks 1e-6 * .67 * e^-6 */
    c.parameters.report_risk = 0.02;
    c.host.off_spell = 0; /* never off */
    run(&c);
    assert_true(noted.reported == 2 * DAY - VCS_REPORT_LEAD);
    c.host.on_spell = 0; /* not known: learned, and the host has never been seen off */
    run(&c);
    assert_true(noted.reported == 2 * DAY - VCS_REPORT_LEAD);
}

/*
 * Rule 15.1: three spells of being on, of 6, 2 and 4 hours, count with two of 4 hours; the mean of those in between
 * follows from the fraction of time, a half, until six were seen.
 */
static void spells_are_learned(void **unused) {
    (void)unused;
    const double switches[] = {6, 7, 9, 12, 16, 20};
    case_records c;
    seen noted = {0};
    begin_with_a_task(&c, &noted);
    for (uint32_t i = 0; i < 6; i++) {
        c.switches[i] = switches[i] * HOUR;
    }
    c.scenario.switches.count = 6;
    c.resources[0].usable = 0.5;
    c.emulation.flags = VCS_EMULATION_USABLE_GIVEN;
    c.hooks.schedule = note_spells;
    run(&c);
    assert_true(noted.on == 0 && noted.off == 0); /* nobody asks */
    c.parameters.report_risk = 0.02;
    run(&c);
    assert_true(noted.on == 4 * HOUR && noted.off == 4 * HOUR);
    c.parameters.report_risk = 0;
    c.parameters.work_fetch = VCS_WORK_FETCH_OWED;
    noted.on = 0;
    run(&c);
    assert_true(noted.on == 4 * HOUR);
    c.parameters.work_fetch = VCS_WORK_FETCH_CURRENT;
    c.parameters.work_send = VCS_WORK_SEND_BY_CHANCE;
    noted.on = 0;
    run(&c);
    assert_true(noted.on == 4 * HOUR);
    c.host.on_spell = HOUR; /* stated */
    run(&c);
    assert_true(noted.on == HOUR && noted.off == 0);
}

/* Hosts that are off for long lose fewer results by reporting them before the risk is great. */
static void fewer_results_are_late(void **unused) {
    (void)unused;
    uint64_t late[2] = {0};
    for (uint32_t by_risk = 0; by_risk < 2; by_risk++) {
        for (uint32_t seed = 1; seed <= 8; seed++) {
            case_records c;
            begin(&c, VCS_PROFILE_CURRENT, 2, 60 * DAY);
            add_project(&c);
            add_app(&c, 0, 2 * HOUR, 2 * DAY);
            c.emulation.seed = seed;
            c.emulation.available = 0.5;
            c.emulation.available_mean = 12 * HOUR;
            c.parameters.min_buffer = HOUR;
            c.parameters.additional_buffer = 4 * HOUR;
            c.parameters.report_risk = by_risk ? 0.02 : 0;
            run(&c);
            late[by_risk] += c.outcome.late;
        }
    }
    assert_true(late[1] < late[0]);
}

/* Rule 15.7: done at 100 s, connected then and every 10 h, the last time 40 h later. By the margin, which knows of no
   connections, 5 h before the deadline. */
static void by_the_last_connection(void **unused) {
    (void)unused;
    case_records c;
    seen noted = {0};
    begin_with_a_task(&c, &noted);
    c.parameters.connect_every = 10 * HOUR;
    run(&c);
    assert_true(noted.reported == 43 * HOUR);
    c.host.on_spell = HOUR;
    c.host.off_spell = 0; /* never off: as late as can be */
    c.parameters.report_risk = 0.02;
    run(&c);
    assert_true(noted.reported == 40 * HOUR + 100 - VCS_REPORT_LEAD);
}

/* So short an interval that the host counts as connected always. */
#define ALWAYS 1e-300

static void begin_seldom(case_records *c, uint32_t profile, uint64_t seed, double connect_every) {
    begin(c, profile, 2, 60 * DAY);
    add_app(c, add_project(c), 5 * HOUR, 30 * HOUR);
    c->emulation.seed = seed;
    c->emulation.available = 0.7;
    c->emulation.available_mean = 8 * HOUR;
    c->emulation.connection_interval = 12 * HOUR;
    c->parameters.min_buffer = 12 * HOUR;
    c->parameters.report_margin = HOUR;
    c->parameters.report_delay = 30 * DAY;
    c->parameters.connect_every = connect_every;
}

/*
 * In the loop: connected at most every 12 h, jobs due in 30. Whoever knows that takes fewer, and fewer are late. A
 * client that is told nothing else knows it, and does what one does that is told the same.
 */
static void connections_are_reckoned_with(void **unused) {
    (void)unused;
    const double told[] = {ALWAYS, 0, 12 * HOUR};
    uint64_t late[3] = {0}, in_time[3] = {0};
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t seed = 1; seed <= 5; seed++) {
            case_records c;
            begin_seldom(&c, VCS_PROFILE_CURRENT, seed, told[i]);
            c.parameters.report_risk = 0.02;
            c.parameters.work_send = VCS_WORK_SEND_BY_CHANCE;
            run(&c);
            late[i] += c.outcome.late;
            in_time[i] += c.outcome.in_time;
        }
    }
    assert_true(2 * late[1] < late[0]);
    assert_true(3 * in_time[1] > 2 * in_time[0]);
    assert_true(late[2] == late[1] && in_time[2] == in_time[1]);
}

/* The rules of chapters 1 to 7 take no heed of it, whatever it is said to be. */
static void other_rules_know_no_connections(void **unused) {
    (void)unused;
    const double told[] = {0, ALWAYS, 5 * HOUR};
    for (uint32_t profile = VCS_PROFILE_RPC2003; profile <= VCS_PROFILE_CURRENT; profile++) {
        vcs_outcome first = {.late = 0};
        for (uint32_t i = 0; i < 3; i++) {
            case_records c;
            begin_seldom(&c, profile, 7, told[i]);
            run(&c);
            first = i == 0 ? c.outcome : first;
            assert_true(first.in_time > 0);
            assert_memory_equal(&first, &c.outcome, sizeof first);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_margin_before_the_deadline), cmocka_unit_test(at_the_last_moment_of_little_risk),
        cmocka_unit_test(by_the_last_connection),       cmocka_unit_test(connections_are_reckoned_with),
        cmocka_unit_test(spells_are_learned),           cmocka_unit_test(fewer_results_are_late),
        cmocka_unit_test(other_rules_know_no_connections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
