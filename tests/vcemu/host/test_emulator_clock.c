/*
 * When the host is on, and what its client knows of that.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/emulation_case.h"

#include <math.h>

/*
 * Rules 13.12 and 13.14: on for 1000 s, off for 500 s, on for 1500 s. A job of 2000 s takes until 2500 s; then half a
 * job is done.
 */
static void nothing_progresses_while_the_host_is_off(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 3500);
    c.switches[0] = 1000;
    c.switches[1] = 1500;
    c.switches[2] = 3000;
    c.scenario.switches.count = 3;
    add_app(&c, add_project(&c), 2000, 1e6);
    run(&c);
    assert_true(c.outcome.available_time == 2500);
    assert_true(c.outcome.flops_used == 2500);
    assert_int_equal(c.outcome.ended, 1);
}

/* Times of events. */
typedef struct calls {
    double times[20];
    uint32_t count;
    uint32_t projects;
} calls;

static int note_switch(void *context, const vcs_event *event) {
    calls *noted = context;
    if ((event->kind == VCS_EVENT_ON || event->kind == VCS_EVENT_OFF) && noted->count < 20) {
        noted->times[noted->count++] = event->time;
    }
    return VCS_OK;
}

/*
 * Rule 13.14: switched off at 1000 s, on at 1010, off at 1090, on at 1200. With steps of 60 s that is seen at 1020 and,
 * since only one switch is seen in a step, at 1080; then at 1140 and 1200.
 */
static void switches_are_seen_once_in_a_step(void **unused) {
    (void)unused;
    static const double seen[] = {1020, 1080, 1140, 1200}, given[] = {1000, 1010, 1090, 1200};
    case_records c;
    calls noted = {0};
    begin(&c, VCS_PROFILE_CURRENT, 1, 2000);
    add_project(&c);
    memcpy(c.switches, given, sizeof given);
    c.scenario.switches.count = 4;
    c.hooks.observe = note_switch;
    c.hooks.context = &noted;
    c.emulation.available_step = 60;
    run(&c);
    assert_int_equal(noted.count, 4);
    assert_memory_equal(noted.times, seen, sizeof seen);
    assert_true(c.outcome.available_time == 2000 - 2 * 60);
    noted.count = 0;
    c.emulation.available_step = 0;
    run(&c);
    assert_memory_equal(noted.times, given, sizeof given);
    noted.count = 0;
    c.switches[0] = 1000.25;
    c.emulation.available_step = 0.5; /* a step may be shorter than a second */
    run(&c);
    assert_true(noted.times[0] == 1000.5 && noted.times[1] == 1010);
}

/* Steps are counted from the start of the emulation: a switch seen 1020 s later is seen then whatever the start. */
static void steps_begin_with_the_emulation(void **unused) {
    (void)unused;
    case_records c;
    calls noted = {0};
    begin(&c, VCS_PROFILE_CURRENT, 1, 2000);
    add_project(&c);
    c.emulation.start = 1e6 + 7;
    c.switches[0] = 1000;
    c.scenario.switches.count = 1;
    c.hooks.observe = note_switch;
    c.hooks.context = &noted;
    c.emulation.available_step = 60;
    run(&c);
    assert_int_equal(noted.count, 1);
    assert_true(noted.times[0] == 1e6 + 7 + 1020);
}

/* Notes the usable fraction that the client believes in at its first look. */
static int note_usable(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                       vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    double *noted = context;
    (void)question;
    (void)decisions;
    (void)summary;
    *noted = *noted == 0 ? ((const vcs_resource *)situation->snapshot->resources.base)->usable : *noted;
    return VCS_OK;
}

static double believed_usable(case_records *c) {
    double noted = 0;
    add_project(c);
    c->hooks.fetch = note_usable;
    c->hooks.context = &noted;
    run(c);
    return noted;
}

/*
 * Rule 12.1: on for half of the time; on for 1000 of 3500 s and for 1500 s more, or for 2000 s up to the end; hardly
 * ever; as given; learned.
 */
static void a_client_knows_when_it_is_on(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.emulation.available = 0.5;
    c.emulation.available_mean = 100;
    assert_true(believed_usable(&c) == 0.5);
    begin(&c, VCS_PROFILE_CURRENT, 1, 3500);
    c.switches[0] = 1000;
    c.switches[1] = 1500;
    c.switches[2] = 3000;
    c.switches[3] = 9000;
    c.scenario.switches.count = 4;
    assert_true(believed_usable(&c) == 2500.0 / 3500);
    begin(&c, VCS_PROFILE_CURRENT, 1, 3500);
    c.switches[0] = 1000;
    c.switches[1] = 1500;
    c.scenario.switches.count = 2;
    assert_true(believed_usable(&c) == 3000.0 / 3500);
    begin(&c, VCS_PROFILE_CURRENT, 1, 3500);
    c.switches[0] = 1;
    c.scenario.switches.count = 1;
    assert_true(believed_usable(&c) == 0.001);
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.emulation.available = 0.5;
    c.emulation.available_mean = 100;
    c.emulation.flags = VCS_EMULATION_USABLE_GIVEN;
    c.resources[0].usable = 0.75;
    assert_true(believed_usable(&c) == 0.75);
    c.parameters.learn_usable = 1;
    assert_true(believed_usable(&c) == 1);
}

/* Notes it at every look. */
static int note_last_usable(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                            vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    *(double *)context = 0;
    summary->next_check = 600;
    return note_usable(context, situation, question, decisions, summary);
}

/* Rule 13.9: a client that is on for half of the time, in spells of minutes, has learned so after a month. */
static void a_client_learns_when_it_is_on(void **unused) {
    (void)unused;
    case_records c;
    double noted = 0;
    begin(&c, VCS_PROFILE_CURRENT, 1, 30 * DAY);
    c.emulation.available = 0.5;
    c.emulation.available_mean = 100;
    c.parameters.learn_usable = 1;
    add_project(&c);
    add_task(&c, 0, 1e9, 1e10);
    c.hooks.fetch = note_last_usable;
    c.hooks.context = &noted;
    run(&c);
    assert_true(noted > 0.45 && noted < 0.55);
}

/* On for 10 s, then from 20 s on for no time: switched on and off at the same moment. */
static void a_host_may_be_switched_twice_at_a_moment(void **unused) {
    (void)unused;
    case_records c;
    static const double given[] = {10, 20, 20};
    begin(&c, VCS_PROFILE_CURRENT, 1, 100);
    memcpy(c.switches, given, sizeof given);
    c.scenario.switches.count = 3;
    add_app(&c, add_project(&c), 1000, 1e6);
    run(&c);
    assert_true(c.outcome.available_time == 10 && c.outcome.flops_used == 10);
}

/* Steps of 1e-10 s are finer than a clock at 1e6 s can show: the switch is seen when it happens. */
static void steps_may_be_finer_than_the_clock(void **unused) {
    (void)unused;
    case_records c;
    calls noted = {0};
    begin(&c, VCS_PROFILE_CURRENT, 1, 2e6);
    add_project(&c);
    c.switches[0] = 1e6;
    c.scenario.switches.count = 1;
    c.emulation.available_step = 1e-10;
    c.hooks.observe = note_switch;
    c.hooks.context = &noted;
    run(&c);
    assert_int_equal(noted.count, 1);
    assert_true(fabs(noted.times[0] - 1e6) < 1e-9);
}

/* Of any distribution, the spells have the means that are stated, on and off. */
static void spells_of_any_distribution_have_the_stated_means(void **unused) {
    (void)unused;
    for (uint32_t spells = VCS_SPELLS_EXPONENTIAL; spells <= VCS_SPELLS_LOG_NORMAL; spells++) {
        case_records c;
        begin(&c, VCS_PROFILE_CURRENT, 1, 4e6);
        c.emulation.available = 0.25;
        c.emulation.available_mean = 100;
        c.emulation.spells = spells;
        c.emulation.spell_shape = spells == VCS_SPELLS_EXPONENTIAL ? 0.0 : 0.7;
        run(&c);
        assert_true(fabs(c.outcome.available_time / 4e6 - 0.25) < 0.01);
    }
}

static void a_shape_below_a_tenth_is_refused(void **unused) {
    (void)unused;
    case_records c;
    vcs_error error = {.struct_size = sizeof error};
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.emulation.spells = VCS_SPELLS_WEIBULL;
    assert_int_equal(emulate(&c, &error), VCS_ERR_RANGE);
    assert_string_equal(error.field, "spell_shape");
    c.emulation.spell_shape = 0.1;
    run(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_progresses_while_the_host_is_off),
        cmocka_unit_test(switches_are_seen_once_in_a_step),
        cmocka_unit_test(steps_begin_with_the_emulation),
        cmocka_unit_test(a_client_knows_when_it_is_on),
        cmocka_unit_test(a_client_learns_when_it_is_on),
        cmocka_unit_test(a_host_may_be_switched_twice_at_a_moment),
        cmocka_unit_test(steps_may_be_finer_than_the_clock),
        cmocka_unit_test(spells_of_any_distribution_have_the_stated_means),
        cmocka_unit_test(a_shape_below_a_tenth_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
