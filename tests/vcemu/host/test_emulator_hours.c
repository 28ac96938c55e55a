/*
 * An emulated client that learns at which hours its host is on, and decides by that (rule 15.8).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/emulation_case.h"

#include <vcsched/chance.h>

#define HOUR 3600.0

/* What a client knew of the hours at its last choice of tasks, and when a result was reported. */
typedef struct seen {
    vcs_hour hours[VCS_HOURS_OF_WEEK];
    uint32_t count;
    double reported;
} seen;

static int note_hours(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                      vcs_schedule_summary *summary) {
    seen *noted = context;
    const vcs_array *hours = &situation->snapshot->hours;
    noted->count = hours->count;
    for (uint32_t i = 0; i < hours->count; i++) {
        noted->hours[i] = *(const vcs_hour *)((const char *)hours->base + (size_t)i * hours->element_size);
    }
    decisions[0].run = situation->snapshot->tasks.count > 0;
    summary->next_check = HOUR;
    return 0;
}

static int note_report(void *context, const vcs_event *event) {
    if (event->kind == VCS_EVENT_REPORTED) {
        ((seen *)context)->reported = event->time;
    }
    return 0;
}

/* ---- Learning ---- */

/* From 0:00 on; off from 18:00 to 8:00 and from 18:30 to 8:00, and then on until the end, at 12:00. */
static void begin_days(case_records *c, seen *noted) {
    static const double switches[] = {18, 32, 42.5, 56};
    begin(c, VCS_PROFILE_CURRENT, 1, 60 * HOUR);
    for (uint32_t i = 0; i < COUNT_OF(switches); i++) {
        c->switches[i] = switches[i] * HOUR;
    }
    c->scenario.switches.count = COUNT_OF(switches);
    add_project(c);
    add_task(c, 0, 1000 * HOUR, 1e9);
    c->hooks.schedule = note_hours;
    c->hooks.observe = note_report;
    c->hooks.context = noted;
}

/* The spell that goes on does not count: hours 8 to 17 were seen on twice, 0 to 7 once on and twice off. */
static void hours_are_learned(void **unused) {
    (void)unused;
    case_records c;
    seen noted = {.count = 77};
    begin_days(&c, &noted);
    run(&c);
    assert_int_equal(noted.count, 0); /* nobody asks */
    c.parameters.hours = VCS_HOURS_DAY;
    run(&c);
    assert_int_equal(noted.count, 24);
    for (uint32_t i = 0; i < 24; i++) {
        assert_number(noted.hours[i].on, (i < 8 ? 1 : i < 18 ? 2 : i == 18 ? 0.5 : 0) * HOUR);
        assert_number(noted.hours[i].off, (i < 8 ? 2 : i < 18 ? 0 : i == 18 ? 1.5 : 2) * HOUR);
    }
    c.parameters.hours = VCS_HOURS_WEEK;
    run(&c);
    assert_int_equal(noted.count, 168);
    for (uint32_t i = 0; i < 168; i++) {
        const double on = i < 18 || (i >= 32 && i < 42) ? 1 : i == 42 ? 0.5 : 0;
        assert_number(noted.hours[i].on, on * HOUR);
        assert_number(noted.hours[i].off, (i < 56 ? 1 - on : 0) * HOUR);
    }
}

/* Those that the scenario states are learned on, as many as they are. */
static void stated_hours_are_where_it_begins(void **unused) {
    (void)unused;
    case_records c;
    seen noted = {.count = 77};
    vcs_hour hours[24] = {[3] = {.on = 5 * HOUR}, [23] = {.off = HOUR}};
    begin_days(&c, &noted);
    c.scenario.snapshot.hours = array_of(hours, sizeof *hours, 24);
    run(&c);
    assert_int_equal(noted.count, 0);
    c.parameters.hours = VCS_HOURS_WEEK;
    run(&c);
    assert_int_equal(noted.count, 24);
    assert_number(noted.hours[3].on, 6 * HOUR);
    assert_number(noted.hours[3].off, 2 * HOUR);
    assert_number(noted.hours[23].off, 3 * HOUR);
    assert_number(hours[3].on, 5 * HOUR); /* the scenario stays as it is */
    hours[3].on = -1;
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(emulate(&c, &error), VCS_ERR_RANGE);
    assert_int_equal(error.type, VCS_TYPE_HOUR);
    assert_int_equal(error.index, 3);
}

/* ---- Deciding ---- */

/* Off from 18:00 to 8:00. A result of 12:00 is due at 7:00: by its spells the client waits, and is off until 8:00. */
static void a_result_is_reported_in_the_evening(void **unused) {
    (void)unused;
    case_records c;
    seen noted = {0};
    vcs_hour hours[24] = {{0}};
    for (int i = 0; i < 24; i++) {
        *(i >= 8 && i < 18 ? &hours[i].on : &hours[i].off) = 1e6;
    }
    begin(&c, VCS_PROFILE_CURRENT, 1, 2 * DAY);
    add_project(&c);
    c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, HOUR, 20 * HOUR);
    c.emulation.start = 11 * HOUR;
    c.tasks[0].deadline = 31 * HOUR;
    c.switches[0] = 7 * HOUR; /* after the start */
    c.switches[1] = 21 * HOUR;
    c.scenario.switches.count = 2;
    c.scenario.snapshot.hours = array_of(hours, sizeof *hours, 24);
    c.host.on_spell = 10 * HOUR;
    c.host.off_spell = 14 * HOUR;
    c.parameters.report_delay = 30 * DAY;
    c.parameters.report_risk = 0.3;
    c.hooks.observe = note_report;
    c.hooks.context = &noted;
    run(&c);
    assert_int_equal(c.outcome.late, 1);
    c.parameters.hours = VCS_HOURS_DAY;
    run(&c);
    assert_int_equal(c.outcome.late, 0);
    assert_true(noted.reported > 17 * HOUR && noted.reported <= 18 * HOUR);
}

/* ---- In the loop ---- */

#define DAYS 60

/* An office, on from about 8 to about 18 o'clock. Jobs of 6 h due in 18 come from one project, and, with `loose`, jobs
   of 1 h due in four days from another. */
static void run_office(case_records *c, int loose, uint32_t hours) {
    static double switches[2 * DAYS];
    random_stream r = {15};
    uint32_t count = 0;
    begin(c, VCS_PROFILE_STEADY, 2, DAYS * DAY);
    for (int day = 0; day < DAYS; day++) {
        if (day > 0) {
            switches[count++] = day * DAY + random_between(&r, -0.5, 0.5) * HOUR;
        }
        switches[count++] = day * DAY + random_between(&r, 9.5, 10.5) * HOUR;
    }
    c->emulation.start = 8 * HOUR;
    c->scenario.switches = array_of(switches, sizeof *switches, count);
    c->resources[0].usable = 10.0 / 24;
    c->emulation.flags = VCS_EMULATION_USABLE_GIVEN;
    add_app(c, add_project(c), 6 * HOUR, 18 * HOUR);
    if (loose) {
        add_app(c, add_project(c), HOUR, 4 * DAY);
    }
    c->parameters.min_buffer = c->parameters.additional_buffer = 2 * HOUR;
    c->parameters.hours = hours;
    run(c);
}

/* Jobs that are sure in the morning are seldom so by the spells, which say the same at all hours. */
static void tight_jobs_get_their_share_in_the_morning(void **unused) {
    (void)unused;
    for (uint32_t hours = VCS_HOURS_NONE; hours <= VCS_HOURS_WEEK; hours++) {
        case_records c;
        run_office(&c, 1, hours);
        const double part = c.project_outcomes[0].flops_in_time / c.outcome.flops_available;
        assert_true(hours == VCS_HOURS_NONE ? part < 0.05 : part > 0.45);
        assert_true(c.outcome.waste < 0.01 && c.outcome.idleness < 0.01);
        assert_true(c.outcome.calls < 700);
    }
}

/* Without other work, a job that begins after noon is given up in the morning. Who knows that does not take it, does
   as many jobs, and asks a few times a day instead. */
static void no_job_is_taken_in_vain(void **unused) {
    (void)unused;
    case_records by_spells, by_hours;
    run_office(&by_spells, 0, VCS_HOURS_NONE);
    run_office(&by_hours, 0, VCS_HOURS_DAY);
    assert_true(by_hours.outcome.waste < by_spells.outcome.waste / 2);
    assert_true(by_hours.outcome.in_time >= by_spells.outcome.in_time);
    assert_true(by_hours.outcome.given_up < by_spells.outcome.given_up / 2);
    assert_int_equal(by_hours.outcome.late, 0);
    assert_true(by_hours.outcome.calls < 8 * DAYS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hours_are_learned),
        cmocka_unit_test(stated_hours_are_where_it_begins),
        cmocka_unit_test(a_result_is_reported_in_the_evening),
        cmocka_unit_test(tight_jobs_get_their_share_in_the_morning),
        cmocka_unit_test(no_job_is_taken_in_vain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
