/*
 * Tasks that are given up (rules 15.3, 15.7 and 15.8): no decision counts on them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "oracle/cases.h"
#include "oracle/oracle_chance.h"
#include "oracle/oracle_likely.h"
#include "oracle/oracle_records.h"
#include "support/array.h"
#include "support/kernel.h"
#include "support/random_state.h"
#include "support/support.h"

#include <stdbool.h>
#include <string.h>

#define HOUR 3600.0
#define FOREVER ((double)INFINITY)

static vcs_task_decision decisions[RANDOM_MOST_TASKS];

static vcs_schedule_summary decide(vcs_state *state, uint32_t tasks) {
    vcs_schedule_summary summary = {.struct_size = sizeof summary};
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &summary), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(decisions, tasks)), VCS_OK);
    return summary;
}

static void assert_given_up(uint32_t task, uint32_t reason) {
    const bool is_gone = reason != 0;
    assert_int_equal((decisions[task].flags & VCS_DECISION_GIVE_UP) != 0, is_gone);
    if (is_gone) {
        assert_int_equal(decisions[task].reason, reason);
        assert_int_equal(decisions[task].run, 0);
    }
}

/*
 * Spells of 2 h and 1 h. An hour's work due in two: P = .819. Past its deadline; three hours due in two; ten hours due
 * in ten and a half: five breaks expected and half a spell to spare, P = .030. One without a deadline.
 */
static void begin(test_host *h) {
    host_begin(h, VCS_PROFILE_CURRENT, 1);
    h->parameters.give_up = VCS_GIVE_UP_BY_CHANCE;
    h->host.on_spell = 2 * HOUR;
    h->host.off_spell = HOUR;
    host_add_project(h, 100);
    host_add_task(h, 0, HOUR, h->now + 2 * HOUR);
    host_add_task(h, 0, HOUR, h->now)->flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
    host_add_task(h, 0, 3 * HOUR, h->now + 2 * HOUR);
    host_add_task(h, 0, 10 * HOUR, h->now + 10.5 * HOUR);
    host_add_task(h, 0, 1000 * HOUR, FOREVER);
}

static void worked_by_hand(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    vcs_schedule_summary summary = decide(host_prepare(&h), 5);
    assert_int_equal(summary.given_up, 3);
    assert_int_equal(summary.running, 1);
    assert_true(summary.next_check <= h.parameters.period);
    assert_given_up(0, 0);
    assert_given_up(1, VCS_REASON_DEADLINE_OVER);
    assert_true((decisions[1].flags & VCS_DECISION_STOP) != 0);
    assert_given_up(2, VCS_REASON_TIME_TOO_SHORT);
    assert_given_up(3, VCS_REASON_UNLIKELY);
    assert_given_up(4, 0);
    h.parameters.give_up_below = 0.02;
    assert_int_equal(decide(host_prepare(&h), 5).given_up, 2);
    h.host.on_spell = 0; /* nothing is known of spells, so chances are 0 or 1 */
    h.parameters.give_up_below = 0.1;
    assert_int_equal(decide(host_prepare(&h), 5).given_up, 2);
    h.tasks[1].flags = VCS_TASK_SUSPENDED; /* whoever has suspended it decides */
    assert_int_equal(decide(host_prepare(&h), 5).given_up, 1);
    assert_given_up(1, 0);
    assert_int_equal(decisions[1].reason, VCS_REASON_TASK_SUSPENDED);
    h.projects[0].flags = VCS_PROJECT_KEEPS_TASKS;
    assert_int_equal(decide(host_prepare(&h), 5).given_up, 0);
    h.projects[0].flags = 0;
    h.parameters.give_up = VCS_GIVE_UP_NEVER;
    assert_int_equal(decide(host_prepare(&h), 5).given_up, 0);
    host_end(&h);
}

/*
 * By size: of a job of 12 h, due 24 h after it came, 10 h are left, and due in 10.5: its chance of .030 is compared
 * with 10/12 of a new job's. A task whose whole size nobody knows is compared as though it were whole.
 */
static void by_size(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    h.parameters.give_up = VCS_GIVE_UP_BY_SIZE;
    h.parameters.give_up_below = 0.9;
    h.tasks[3].total = 12 * HOUR;
    h.tasks[3].received = h.tasks[3].deadline - 24 * HOUR;
    decide(host_prepare(&h), 5);
    assert_given_up(3, VCS_REASON_NEW_JOB_BETTER);
    h.parameters.give_up_below = 0.01;
    decide(host_prepare(&h), 5);
    assert_given_up(3, 0);
    h.tasks[3].received = h.now + HOUR; /* the clock went back: no bound is left, and none is negative */
    decide(host_prepare(&h), 5);
    assert_given_up(3, 0);
    host_end(&h);
}

/* A state that is renewed says what a new one says, while deadlines pass and parameters change. */
static void renewed_states_judge_anew(void **unused) {
    (void)unused;
    test_host h;
    begin(&h);
    vcs_state *state = host_prepare(&h);
    const double begun = h.now;
    size_t bytes;
    assert_int_equal(vcs_state_size(&h.snapshot, &bytes), VCS_OK);
    const struct {
        double hours;
        uint32_t give_up, expected;
    } moments[] = {{0, 1, 3}, {0.5, 1, 3}, {1.5, 1, 4}, {1.5, 0, 0}, {1.5, 1, 4}, {0, 1, 3}, {3, 2, 4}, {0, 0, 0}};
    for (size_t i = 0; i < COUNT_OF(moments); i++) {
        h.now = begun + moments[i].hours * HOUR;
        h.parameters.give_up = moments[i].give_up;
        assert_int_equal(vcs_state_renew(state, bytes, &h.snapshot, &h.parameters, h.now, NULL), VCS_OK);
        assert_int_equal(decide(state, 5).given_up, moments[i].expected);
    }
    host_end(&h);
}

/*
 * Rule 15.7: never off, connected every 12 h, a task due in 40. Connected next in 4 h, the host is so for the last time
 * in 40; next in 3 h, in 39; next in 11 h, in 35; next in 41 h, too late. If it may be connected now, it has 40.
 */
static void by_the_last_connection(void **unused) {
    (void)unused;
    test_host h;
    host_begin(&h, VCS_PROFILE_CURRENT, 1);
    h.now = 100 * HOUR;
    h.parameters.give_up = VCS_GIVE_UP_BY_CHANCE;
    h.parameters.connect_every = 12 * HOUR;
    h.host.on_spell = 1e9;
    host_add_project(&h, 100);
    vcs_task *task = host_add_task(&h, 0, HOUR, h.now + 40 * HOUR);
    static const struct {
        double next, remaining; /* hours */
        uint32_t reason;
    } cases[] = {
        {4, 39, 0},
        {4, 40.5, VCS_REASON_TIME_TOO_SHORT},
        {3, 39, 0},
        {3, 39.5, VCS_REASON_TIME_TOO_SHORT},
        {11, 35, 0},
        {11, 35.5, VCS_REASON_TIME_TOO_SHORT},
        {41, 1, VCS_REASON_TIME_TOO_SHORT},
        {40, 39, 0},
        {40, 40.5, VCS_REASON_TIME_TOO_SHORT},
        {0, 40, 0},
        {-20, 40, 0},
        {-20, 40.5, VCS_REASON_TIME_TOO_SHORT},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        h.host.next_connection = h.now + cases[i].next * HOUR;
        task->remaining = cases[i].remaining * HOUR;
        decide(host_prepare(&h), 1);
        assert_given_up(0, cases[i].reason);
    }
    h.host.next_connection = h.now + 11 * HOUR; /* the last one is over, the deadline is not */
    task->deadline = h.now + 10 * HOUR;
    decide(host_prepare(&h), 1);
    assert_given_up(0, VCS_REASON_TIME_TOO_SHORT);
    task->deadline = h.now - HOUR;
    decide(host_prepare(&h), 1);
    assert_given_up(0, VCS_REASON_DEADLINE_OVER);
    h.parameters.connect_every = 0; /* always connected, whatever is said of the next time */
    task->deadline = h.now + 10 * HOUR;
    task->remaining = 10 * HOUR;
    decide(host_prepare(&h), 1);
    assert_given_up(0, 0);
    host_end(&h);
}

/*
 * When it is connected next is not known, but it was when the task came, 6 h ago. So it is 36 h after that, in 30 h,
 * the last time before the deadline in 41. By size the bound of a new job, 47 h, is one of 36, too.
 */
static void by_connections_since_the_task_came(void **unused) {
    (void)unused;
    test_host h;
    host_begin(&h, VCS_PROFILE_CURRENT, 1);
    h.parameters.connect_every = 12 * HOUR;
    h.host.on_spell = 10 * HOUR;
    h.host.off_spell = 2 * HOUR;
    host_add_project(&h, 100);
    vcs_task *task = host_add_task(&h, 0, 30 * HOUR, h.now + 41 * HOUR);
    task->received = h.now - 6 * HOUR;
    for (uint32_t rule = VCS_GIVE_UP_BY_CHANCE; rule <= VCS_GIVE_UP_BY_SIZE; rule++) {
        h.parameters.give_up = rule;
        task->total = 26 * HOUR;
        task->remaining = 25 * HOUR;
        const double likely = oracle_chance(25 * HOUR, 30 * HOUR, 10 * HOUR, 2 * HOUR);
        const double anew = 25.0 / 26 * oracle_chance(26 * HOUR, 36 * HOUR, 10 * HOUR, 2 * HOUR);
        const double edge = rule == VCS_GIVE_UP_BY_SIZE ? likely / anew : likely;
        for (uint32_t above = 0; above < 2; above++) {
            h.parameters.give_up_below = edge * (above ? 1.0001 : 0.9999);
            decide(host_prepare(&h), 1);
            const uint32_t reason = rule == VCS_GIVE_UP_BY_SIZE ? VCS_REASON_NEW_JOB_BETTER : VCS_REASON_UNLIKELY;
            assert_given_up(0, above ? reason : 0);
        }
        task->remaining = 30.5 * HOUR; /* until the connection in 30 h */
        decide(host_prepare(&h), 1);
        assert_given_up(0, VCS_REASON_TIME_TOO_SHORT);
    }
    host_end(&h);
}

/* Spells that are not known follow from the fraction of time, .5: 4 h on and 4 off, as for admission. */
static void unknown_spells_follow_from_the_fraction_of_time(void **unused) {
    (void)unused;
    test_host h;
    host_begin(&h, VCS_PROFILE_CURRENT, 1);
    h.parameters.give_up = VCS_GIVE_UP_BY_CHANCE;
    h.resources[0].usable = 0.5;
    host_add_project(&h, 100);
    host_add_task(&h, 0, 20 * HOUR, h.now + 30 * HOUR);
    const double chance = oracle_chance(20 * HOUR, 30 * HOUR, 4 * HOUR, 4 * HOUR);
    assert_true(chance > 0.1 && chance < 0.3);
    for (uint32_t above = 0; above < 2; above++) {
        h.parameters.give_up_below = chance * (above ? 1.0001 : 0.9999);
        decide(host_prepare(&h), 1);
        assert_given_up(0, above ? VCS_REASON_UNLIKELY : 0);
    }
    host_end(&h);
}

/*
 * Rule 15.8: on from 8 to 18 o'clock, and it is 16:00. Three hours of work due at 20:00 cannot be done in the two hours
 * that are left, though the spells say P = .76; five due at 12:00 of the next day are sure.
 */
static void by_the_hours(void **unused) {
    (void)unused;
    test_host h;
    host_begin(&h, VCS_PROFILE_CURRENT, 1);
    h.now = 16 * HOUR;
    h.parameters.give_up = VCS_GIVE_UP_BY_CHANCE;
    h.host.on_spell = 10 * HOUR;
    h.host.off_spell = 14 * HOUR;
    host_add_project(&h, 100);
    host_add_task(&h, 0, 3 * HOUR, 20 * HOUR);
    host_add_task(&h, 0, 5 * HOUR, 36 * HOUR);
    h.snapshot.hours.count = VCS_HOURS_OF_DAY;
    for (int i = 0; i < 24; i++) {
        *(i >= 8 && i < 18 ? &h.hours[i].on : &h.hours[i].off) = 1e6;
    }
    assert_int_equal(decide(host_prepare(&h), 2).given_up, 0); /* the policy does not ask for them */
    h.parameters.hours = VCS_HOURS_WEEK;                       /* however many there are */
    vcs_state *state = host_prepare(&h);
    assert_int_equal(decide(state, 2).given_up, 1);
    assert_given_up(0, VCS_REASON_UNLIKELY);
    assert_given_up(1, 0);
    /* The host stays on in the evening, as is seen before the state is renewed. */
    size_t bytes;
    assert_int_equal(vcs_state_size(&h.snapshot, &bytes), VCS_OK);
    for (int i = 18; i < 24; i++) {
        h.hours[i] = h.hours[17];
    }
    assert_int_equal(vcs_state_renew(state, bytes, &h.snapshot, &h.parameters, h.now, NULL), VCS_OK);
    assert_int_equal(decide(state, 2).given_up, 0);
    h.snapshot.hours.count = 0; /* not known: by the spells */
    h.host.on_spell = HOUR;
    assert_int_equal(decide(host_prepare(&h), 2).given_up, 2);
    host_end(&h);
}

/* Random states: a task that takes part is given up if, and for the reason that, the oracle says so. */
static void as_the_rule_says_of_each_task(void **unused) {
    (void)unused;
    static random_state s;
    uint32_t given_up = 0, kept = 0;
    for (uint64_t seed = 1; seed <= 600; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        random_stream draws = {seed};
        s.host.on_spell = seed % 5 == 0 ? 0 : random_magnitude(&draws, 600, 1e6);
        s.host.off_spell = random_magnitude(&draws, 600, 1e6);
        s.parameters.give_up = VCS_GIVE_UP_BY_CHANCE + (uint32_t)seed / 2 % 2;
        s.parameters.give_up_below = random_draw(&draws);
        s.parameters.connect_every = seed % 4 == 0 ? random_magnitude(&draws, 600, 1e5) : 0;
        s.host.next_connection = seed % 8 < 6 ? s.now + (random_draw(&draws) - 0.2) * 1e5 : 0;
        if (seed % 2 == 0) {
            random_state_add_hours(&s, seed / 2); /* rule 15.8 */
        }
        s.projects[0].flags |= seed % 3 == 0 ? VCS_PROJECT_KEEPS_TASKS : 0;
        vcs_state *state = prepare_case(&s);
        decide(state, s.snapshot.tasks.count);
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            const uint32_t reason = oracle_takes_part(&s.snapshot, &s.tasks[i])
                                        ? oracle_reason_given_up(&s.snapshot, &s.parameters, s.now, &s.tasks[i])
                                        : VCS_REASON_KEPT;
            const bool is_kept = reason == VCS_REASON_KEPT;
            assert_given_up(i, is_kept ? 0 : reason);
            given_up += !is_kept;
            kept += is_kept;
        }
        free_case(state);
    }
    assert_true(given_up > 300 && kept > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_by_hand),
        cmocka_unit_test(by_size),
        cmocka_unit_test(by_the_last_connection),
        cmocka_unit_test(by_connections_since_the_task_came),
        cmocka_unit_test(unknown_spells_follow_from_the_fraction_of_time),
        cmocka_unit_test(renewed_states_judge_anew),
        cmocka_unit_test(by_the_hours),
        cmocka_unit_test(as_the_rule_says_of_each_task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
