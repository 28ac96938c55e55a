/*
 * Hosts that are on at some hours rather than at others (rule 15.8).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include "oracle/oracle_chance.h"
#include "oracle/oracle_hours.h"

#include <vcsched/chance.h>

#define HOUR 3600.0
#define DAY (24 * HOUR)

typedef struct spells {
    double on, off;
} spells;

static vcs_array array_of(vcs_hour *hours, uint32_t count) {
    return (vcs_array){{hours}, sizeof *hours, count};
}

static void see(vcs_hour *hours, uint32_t count, uint32_t was_on, double from, double until) {
    const vcs_array array = array_of(hours, count);
    assert_int_equal(vcs_hours_add(&array, was_on, from, until), VCS_OK);
}

static spells within(vcs_hour *hours, uint32_t count, double now, double window, spells all) {
    const vcs_array array = array_of(hours, count);
    spells found = {-1, -1};
    assert_int_equal(vcs_hours_spells(&array, all.on, all.off, now, window, &found.on, &found.off), VCS_OK);
    return found;
}

static double chance(double remaining, double window, spells s) {
    double found = -1;
    assert_int_equal(vcs_chance_to_finish(remaining, window, 0, s.on, s.off, &found), VCS_OK);
    return found;
}

static double report(vcs_hour *hours, uint32_t count, double deadline, double risk, spells s, double now) {
    const vcs_array array = array_of(hours, count);
    double found = -1;
    assert_int_equal(vcs_hours_report_latest(&array, deadline, risk, s.on, s.off, now, &found), VCS_OK);
    return found;
}

/* ---- By hand ---- */

/* On from 22:30 to 1:15: half of hour 22, all of 23 and 0, a quarter of 1. In a week these are hours of Thursday. */
static void a_night_is_learned(void **unused) {
    (void)unused;
    vcs_hour day[24] = {{0}}, week[168] = {{0}};
    see(day, 24, 1, 22.5 * HOUR, 25.25 * HOUR);
    see(week, 168, 1, 7 * DAY + 22.5 * HOUR, 7 * DAY + 25.25 * HOUR);
    for (uint32_t i = 0; i < 168; i++) {
        const double in_week = i == 22 ? 0.5 : i == 23 || i == 24 ? 1 : i == 25 ? 0.25 : 0;
        assert_number(week[i].on, in_week * HOUR);
        assert_number(week[i].off, 0);
        if (i < 24) {
            assert_number(day[i].on, (i == 22 ? 0.5 : i == 23 || i == 0 ? 1 : i == 1 ? 0.25 : 0) * HOUR);
        }
    }
    see(day, 24, 0, -1.5 * HOUR, -HOUR); /* before time 0: the second half of hour 22 */
    assert_number(day[22].off, HOUR / 2);
    assert_number(day[23].off, 0);
    see(day, 24, 0, 5, 5);
    assert_number(day[0].off, 0);
}

/* Off for two days and an hour from 3:00 on: three hours in hour 3, two in the others. */
static void whole_days_are_multiplied(void **unused) {
    (void)unused;
    vcs_hour day[24] = {{0}};
    see(day, 24, 0, 3 * HOUR, 2 * DAY + 4 * HOUR);
    for (int i = 0; i < 24; i++) {
        assert_number(day[i].off, (i == 3 ? 3 : 2) * HOUR);
    }
}

/* Of 40 hours 30 are remembered: with 30 hours on, 10 more hours off make 22.5 and 7.5. */
static void old_habits_are_forgotten(void **unused) {
    (void)unused;
    vcs_hour day[24] = {{0}};
    for (int i = 0; i < 24; i++) {
        day[i].on = 30 * HOUR;
    }
    see(day, 24, 0, 0, 10 * DAY);
    for (int i = 0; i < 24; i++) {
        assert_close(day[i].on, 22.5 * HOUR, 1e-14);
        assert_close(day[i].off, 7.5 * HOUR, 1e-14);
    }
    see(day, 24, 0, 0, 1e12);
    assert_true(day[7].on < 1 && fabs(day[7].off - VCS_HOUR_MEMORY) < 1);
}

/* Every other hour of a day, from the first on, was seen on for 2 hours and off for 6.5; the others the other way. */
static void see_two_hours_in_turn(vcs_hour *day, double times) {
    for (int i = 0; i < 24; i++) {
        day[i].on = (i % 2 ? 6.5 : 2) * HOUR * times;
        day[i].off = (i % 2 ? 2 : 6.5) * HOUR * times;
    }
}

/*
 * Spells of two hours make a = 1/2 and T = 1 hour. Of the two kinds of hours r = (2 + 0.25) / (8.5 + 0.5) = 1/4 and
 * 3/4. Chance makes 3/16 / 9 = 1/48 of each square, which is 1/16, so w = 2/3, and p = 1/3 and 2/3. At the border D
 * falls by (1 - 2/3) / (1 - 1/3) = 1/2. With e = 1 / e and g = 1 - e, in hours, from 0:00 to 2:00:
 *
 *   sum of p = 1, of D = g + e * g / 2 = 0.748393, M = 1 + 2/3 * 0.748393 = 1.498929
 *   V = 2 * 2/9 * 2 * e + 2 * 2/9 * g / 2 * g = 0.415799, V0 = 1/4 * 2 * (1 + e^-2) = 0.567668, T' = 0.732468
 *   B = 0.684721, a' = (1.498929 - 0.684721) / (2 - 0.684721) = 0.619038, on = 1.922679, off = 1.183236
 */
static void two_hours_by_hand(void **unused) {
    (void)unused;
    vcs_hour day[24];
    memset(day, 0, sizeof day);
    see_two_hours_in_turn(day, 1);
    const spells found = within(day, 24, 0, 2 * HOUR, (spells){2 * HOUR, 2 * HOUR});
    assert_close(found.on, 1.922679 * HOUR, 2e-6);
    assert_close(found.off, 1.183236 * HOUR, 2e-6);
    /* Seen for a quarter of the time it may all be chance: r = 0.75 / 2.625 = 2/7, 10/49 / 2.625 > (3/14)^2. */
    see_two_hours_in_turn(day, 0.25);
    assert_close(within(day, 24, 0, 2 * HOUR, (spells){2 * HOUR, 2 * HOUR}).on, 2 * HOUR, 1e-9);
    /* In spells of two days each two of them are nearly one: T = 24 hours, d = 1/e, and chance makes 2.164 times as
       much, 0.0451 of 0.0625: w = 0.2786. */
    see_two_hours_in_turn(day, 1);
    const spells long_ones = within(day, 24, 600, HOUR / 2, (spells){48 * HOUR, 48 * HOUR});
    assert_close(long_ones.on / (long_ones.on + long_ones.off), 0.5 - 0.2786 / 4, 1e-4);
}

/*
 * All hours of a week were seen for 15.5 h: on Thursdays on for 11.75, on Fridays off for 11.75, on other days on for
 * half. So each hour of the day is on for half, and of the week r = 3/4, 1/4 and 1/2. Chance makes
 * (2 * 3/16 + 5 * 1/4) / 16 = 0.101563 of the squares of seven days, which are 2 * 1/16: w = 3/16, and p = 1/2 + 3/64
 * on Thursdays. Within half an hour all is alike: on / (on + off) = p, and the turnover is still an hour.
 */
static void an_hour_of_the_week_expects_that_of_the_day(void **unused) {
    (void)unused;
    vcs_hour week[168] = {{0}};
    for (int i = 0; i < 168; i++) {
        week[i].on = (i < 24 ? 11.75 : i < 48 ? 3.75 : 7.75) * HOUR;
        week[i].off = 15.5 * HOUR - week[i].on;
    }
    const double expected[] = {35.0 / 64, 29.0 / 64, 0.5, 0.5};
    for (int day = 0; day < 4; day++) {
        const spells found = within(week, 168, 7 * DAY + day * DAY + 600, 0.5 * HOUR, (spells){2 * HOUR, 2 * HOUR});
        assert_close(found.on / (found.on + found.off), expected[day], 1e-9);
        assert_close(found.on * found.off / (found.on + found.off), HOUR, 1e-9);
    }
}

/*
 * The host of two hours, deadline at 2:00. At 1:30 it is off with 1 - 2/3 - 2/3 * e^-1.5 / 2 = 0.258957, and stays off
 * with e^(-2/3 * 1/2) = 0.716531: the risk is 0.185551.
 */
static void a_report_by_hand(void **unused) {
    (void)unused;
    vcs_hour day[24];
    memset(day, 0, sizeof day);
    see_two_hours_in_turn(day, 1);
    assert_close(report(day, 24, 2 * HOUR, 0.185551, (spells){2 * HOUR, 2 * HOUR}, 0), 1.5 * HOUR, 1e-4);
}

/* On from 8 to 18 o'clock. From 12:00 on, 15 hours of work take until 17:00 of the next day. */
static void a_host_that_is_on_by_day(void **unused) {
    (void)unused;
    vcs_hour day[24] = {{0}};
    for (int i = 0; i < 24; i++) {
        *(i >= 8 && i < 18 ? &day[i].on : &day[i].off) = 1e9;
    }
    const spells all = {10 * HOUR, 14 * HOUR};
    const double now = 3 * DAY + 12 * HOUR;
    for (double until = 13.5; until < 48; until++) {
        const double window = (until - 12) * HOUR;
        const double p = chance(15 * HOUR, window, within(day, 24, now, window, all));
        assert_true(until < 24 + 16.9 ? p < 0.01 : until < 24 + 17.1 || p > 0.99);
    }
    /* Whatever is due in the night is reported before 18:00; after 9:00 it is on again. */
    assert_close(report(day, 24, now + 19 * HOUR, 0.02, all, now) - now, 6 * HOUR, 1e-3);
    assert_close(report(day, 24, now + 6 * HOUR, 0.02, all, now) - now, 6 * HOUR - VCS_REPORT_LEAD, 1e-9);
    assert_true(report(day, 24, now + 21 * HOUR, 0.02, all, now) - now > 20 * HOUR);
    assert_true(isinf(report(day, 24, (double)INFINITY, 0.02, all, now)));
    assert_number(report(day, 24, now + 59, 0.02, all, now), now);
}

/* ---- What must hold ---- */

static void hours_that_are_alike_change_nothing(void **unused) {
    (void)unused;
    random_stream r = {1};
    for (int i = 0; i < 2000; i++) {
        vcs_hour week[168] = {{0}};
        const spells s = {random_magnitude(&r, 1, 1e8), random_magnitude(&r, 1, 1e8)};
        const uint32_t count = i % 2 ? 24 : 168;
        const double now = random_between(&r, -1e9, 1e9), window = random_magnitude(&r, 1, 1e10);
        for (uint32_t k = 0; i % 3 && k < count; k++) {
            week[k].on = s.on;
            week[k].off = s.off;
        }
        const spells found = within(week, count, now, window, s);
        const double part = random_draw(&r);
        assert_close(found.on, s.on, 1e-5);
        assert_close(found.off, s.off, 1e-5);
        assert_true(fabs(chance(part * window, window, found) - chance(part * window, window, s)) < 1e-8);
        const double deadline = now + window;
        double plain;
        assert_int_equal(vcs_report_latest(deadline, 0.02, s.on, s.off, now, &plain), VCS_OK);
        assert_true(fabs(report(week, count, deadline, 0.02, s, now) - plain) <= 1e-6 * window);
    }
}

static void some_windows_change_nothing(void **unused) {
    (void)unused;
    vcs_hour day[24] = {{.off = 1e6}};
    const spells s = {5000, 700};
    const double windows[] = {0, 1e-200, -1, -(double)INFINITY, (double)INFINITY};
    for (size_t i = 0; i < COUNT_OF(windows); i++) {
        const spells found = within(day, 24, 1e6, windows[i], s);
        assert_number(found.on, s.on);
        assert_number(found.off, s.off);
    }
}

/* The host is never off by its spells, but its hours know better, or do not. */
static void spells_without_end(void **unused) {
    (void)unused;
    vcs_hour day[24] = {{0}};
    const spells never_off = {HOUR, 0}, never_ends = {(double)INFINITY, HOUR};
    assert_number(within(day, 24, 0, DAY, never_off).off, 0);
    assert_number(within(day, 24, 0, DAY, never_ends).off, 0);
    assert_true(isinf(within(day, 24, 0, DAY, never_ends).on));
    day[1].off = 1e6;
    assert_true(chance(23.5 * HOUR, DAY, within(day, 24, 0, DAY, never_off)) < 0.01);
    assert_true(chance(22.5 * HOUR, DAY, within(day, 24, 0, DAY, never_off)) > 0.99);
    /* Hours of which next to nothing is on leave what is in range. */
    for (int i = 0; i < 24; i++) {
        day[i].off = 1e12;
    }
    const spells dark = within(day, 24, 0, 1e12, (spells){VCS_MIN_ON, 1e12});
    assert_true(dark.on >= VCS_MIN_ON && dark.off <= 1e12);
    assert_number(chance(1e6, 1e7, dark), 0);
}

static void draw_hours(random_stream *r, vcs_hour *hours, uint32_t count) {
    const uint32_t kind = random_below(r, 4);
    for (uint32_t i = 0; i < count; i++) {
        const double wave = 0.5 + 0.5 * sin(i * 6.283185307179586 / count);
        const double p = kind == 0 ? random_draw(r) : kind == 1 ? wave : kind == 2 ? wave > 0.5 : 0.3;
        const double seen = kind == 3 ? 0 : random_magnitude(r, 1, 1e7);
        hours[i] = (vcs_hour){.on = p * seen, .off = (1 - p) * seen};
    }
}

static void spells_as_the_oracle_says(void **unused) {
    (void)unused;
    random_stream r = {2};
    for (int i = 0; i < 3000; i++) {
        vcs_hour hours[168];
        const uint32_t count = i % 3 ? 24 : 168;
        draw_hours(&r, hours, count);
        const spells s = {random_magnitude(&r, 60, 1e7), random_magnitude(&r, 60, 1e7)};
        const double now = i % 5 ? random_between(&r, -1e7, 1e7) : HOUR * random_below(&r, 1000);
        const double window = i % 7 ? random_magnitude(&r, 10, 6e6) : HOUR * (1 + random_below(&r, 1000));
        const spells found = within(hours, count, now, window, s);
        spells expected = s;
        oracle_hours_spells(hours, count, now, window, &expected.on, &expected.off);
        assert_close(found.on, expected.on, 1e-6);
        assert_close(found.off, expected.off, 1e-6);
    }
}

static void reports_as_the_oracle_says(void **unused) {
    (void)unused;
    random_stream r = {3};
    for (int i = 0; i < 1500; i++) {
        vcs_hour hours[168];
        const uint32_t count = i % 3 ? 24 : 168;
        draw_hours(&r, hours, count);
        const spells s = {random_magnitude(&r, 60, 1e6), random_magnitude(&r, 60, 1e6)};
        const double now = random_between(&r, -1e6, 1e6), deadline = now + random_magnitude(&r, 61, 1e6);
        const double risk = random_magnitude(&r, 1e-5, 0.9), latest = report(hours, count, deadline, risk, s, now);
        const double last = deadline - VCS_REPORT_LEAD, later = fmin(latest + 1e-6 * (deadline - now) + 1e-3, last);
        assert_true(latest >= now && latest <= last);
        if (latest > now) {
            assert_true(oracle_hours_risk(hours, count, s.on, s.off, now, latest, deadline) <= risk * (1 + 1e-6));
        }
        if (later < last) {
            assert_true(oracle_hours_risk(hours, count, s.on, s.off, now, later, deadline) > risk * (1 - 1e-6));
        }
    }
}

/* The host that the rule describes, second by second: when it is on, and whether it has been off since h. */
static void means_and_risks_of_the_process(void **unused) {
    (void)unused;
    random_stream r = {4};
    for (int i = 0; i < 40; i++) {
        vcs_hour hours[24];
        draw_hours(&r, hours, 24);
        const spells s = {random_magnitude(&r, HOUR, DAY), random_magnitude(&r, HOUR, DAY)};
        const double turnover = s.on * s.off / (s.on + s.off), now = HOUR * random_below(&r, 24) + 30;
        const uint32_t seconds = 3600 * (2 + random_below(&r, 40)), from = random_below(&r, seconds - 60);
        double is_on = 1, is_off_since = 0, sum = 0, before;
        double fractions[24];
        oracle_hour_fractions(hours, 24, s.on, s.off, fractions);
        before = oracle_fraction_at(fractions, 24, now);
        for (uint32_t k = 0; k < seconds; k++) {
            const double p = oracle_fraction_at(fractions, 24, now + k);
            const double comes_on = p > before ? 1 - (1 - p) / (1 - before) : 0;
            const double goes_off = p < before ? 1 - p / before : 0;
            is_off_since = k == from ? 1 - is_on : is_off_since;
            is_off_since *= (1 - comes_on) * (1 - p / turnover);
            is_on = is_on * (1 - goes_off) + (1 - is_on) * comes_on;
            sum += is_on;
            is_on += (p - is_on) / turnover;
            before = p;
        }
        const spells found = within(hours, 24, now, seconds, s);
        const double t = found.on * found.off / (found.on + found.off), a = found.on / (found.on + found.off);
        if (isfinite(found.on) && a > 2e-9) { /* the mean of spells that begin on */
            assert_close(a * seconds + (1 - a) * t * -expm1(-(double)seconds / t), sum, 2e-3);
        }
        const double h = now + from, deadline = now + seconds;
        assert_true(fabs(oracle_hours_risk(hours, 24, s.on, s.off, now, h, deadline) - is_off_since) < 2e-3);
    }
}

/* ---- In the loop ---- */

/* When a host of the office is on: from about 8 to about 18 o'clock. */
static void draw_day(random_stream *r, double day, double *on, double *off) {
    *on = day * DAY + random_between(r, 7.5, 8.5) * HOUR;
    *off = day * DAY + random_between(r, 17.5, 18.5) * HOUR;
}

/* Of results that come at noon, and are due up to a day later, how many are late; the client learns, and asks again
   whenever it comes on. */
static int late_results(int by_hours, double *earliness) {
    random_stream r = {5}, due = {6};
    vcs_hour hours[24] = {{0}};
    vcs_spells seen = {0};
    double on, off, next_on, next_off;
    int late = 0;
    *earliness = 0;
    draw_day(&r, 0, &on, &off);
    for (int day = 1; day <= 430; day++, on = next_on, off = next_off) {
        draw_day(&r, day, &next_on, &next_off);
        const double now = (day - 1) * DAY + 12 * HOUR, deadline = now + random_between(&due, HOUR, DAY);
        spells s;
        double latest = now;
        assert_int_equal(vcs_spells_means(&seen, 10.0 / 24, &s.on, &s.off), VCS_OK);
        if (by_hours) {
            latest = report(hours, 24, deadline, 0.02, s, now);
        } else {
            assert_int_equal(vcs_report_latest(deadline, 0.02, s.on, s.off, now, &latest), VCS_OK);
        }
        const double reported = latest < off ? latest : fmax(latest, next_on); /* asking anew can only be earlier */
        late += day > 30 && reported > deadline;
        *earliness += day > 30 ? (deadline - fmin(reported, deadline)) / 400 : 0;
        see(hours, 24, 1, on, off);
        see(hours, 24, 0, off, next_on);
        assert_int_equal(vcs_spells_add(&seen, 1, off - on), VCS_OK);
        assert_int_equal(vcs_spells_add(&seen, 0, next_on - off), VCS_OK);
    }
    return late;
}

static void reports_of_an_office(void **unused) {
    (void)unused;
    double by_hours, by_spells;
    const int late = late_results(1, &by_hours), late_by_spells = late_results(0, &by_spells);
    assert_true(late <= 20); /* 5 % of 400 */
    assert_true(late_by_spells >= late - 8);
    assert_true(by_hours < by_spells); /* and not by calling sooner */
}

/* ---- Bad input ---- */

static void refuses_bad_input(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_hour, on),
        NOT_FINITE(vcs_hour, off),
        BAD_NUMBER(vcs_hour, on, -1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_hour, off, 1.1e12, VCS_ERR_RANGE),
        BAD_WORD(vcs_hour, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    vcs_hour hours[25] = {{0}};
    vcs_array array = array_of(hours, 24);
    double on = 77, off = 77, latest = 77;
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_hour before[25];
        spoil(&hours[23], &table[i]);
        memcpy(before, hours, sizeof hours);
        assert_int_equal(vcs_hours_add(&array, 1, 0, 1), table[i].code);
        assert_memory_equal(hours, before, sizeof hours);
        assert_int_equal(vcs_hours_spells(&array, 1, 1, 0, 1, &on, &off), table[i].code);
        assert_int_equal(vcs_hours_report_latest(&array, 1e6, 0.1, 1, 1, 0, &latest), table[i].code);
        memset(hours, 0, sizeof hours);
    }
    for (uint32_t count = 0; count < 26; count++) {
        array.count = count;
        const int code = count == 24 ? VCS_OK : VCS_ERR_COUNT;
        assert_int_equal(vcs_hours_add(&array, 1, 0, 0), code);
    }
    assert_int_equal(vcs_hours_spells(&array, 1, 1, 0, 1, &on, &off), VCS_ERR_COUNT);
    assert_int_equal(vcs_hours_report_latest(&array, 1e6, 0.1, 1, 1, 0, &latest), VCS_ERR_COUNT);
    array.count = 24;
    const vcs_hour none[24] = {{0}};
    assert_int_equal(vcs_hours_add(NULL, 1, 0, 1), VCS_ERR_NULL);
    assert_int_equal(vcs_hours_add(&array, 2, 0, 1), VCS_ERR_FLAGS);
    assert_int_equal(vcs_hours_add(&array, 1, 1.1e15, 1.1e15), VCS_ERR_RANGE);
    assert_int_equal(vcs_hours_add(&array, 1, 1, 0), VCS_ERR_RANGE);
    assert_int_equal(vcs_hours_add(&array, 1, 0, 1.1e12), VCS_ERR_RANGE);
    assert_int_equal(vcs_hours_add(&array, 1, 0, (double)NAN), VCS_ERR_NOT_FINITE);
    assert_memory_equal(hours, none, sizeof none);
    assert_int_equal(vcs_hours_spells(NULL, 1, 1, 0, 1, &on, &off), VCS_ERR_NULL);
    assert_int_equal(vcs_hours_spells(&array, 1, 1, 0, 1, NULL, &off), VCS_ERR_NULL);
    assert_int_equal(vcs_hours_spells(&array, 1, 1, 0, 1, &on, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_hours_spells(&array, 1, 1, 1.1e15, 1, &on, &off), VCS_ERR_RANGE);
    assert_int_equal(vcs_hours_spells(&array, 1, 1, 0, (double)NAN, &on, &off), VCS_ERR_NOT_FINITE);
    assert_int_equal(vcs_hours_spells(&array, 1, -1, 0, 1, &on, &off), VCS_ERR_RANGE);
    assert_int_equal(vcs_hours_spells(&array, 0, 1, 0, 1, &on, &off), VCS_ERR_RANGE);
    assert_int_equal(vcs_hours_report_latest(NULL, 1e6, 0.1, 1, 1, 0, &latest), VCS_ERR_NULL);
    assert_int_equal(vcs_hours_report_latest(&array, 1e6, 0.1, 1, 1, 0, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_hours_report_latest(&array, 1e6, 0, 1, 1, 0, &latest), VCS_ERR_RANGE);
    assert_true(on == 77 && off == 77 && latest == 77);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_night_is_learned),
        cmocka_unit_test(whole_days_are_multiplied),
        cmocka_unit_test(old_habits_are_forgotten),
        cmocka_unit_test(two_hours_by_hand),
        cmocka_unit_test(an_hour_of_the_week_expects_that_of_the_day),
        cmocka_unit_test(a_report_by_hand),
        cmocka_unit_test(a_host_that_is_on_by_day),
        cmocka_unit_test(hours_that_are_alike_change_nothing),
        cmocka_unit_test(some_windows_change_nothing),
        cmocka_unit_test(spells_without_end),
        cmocka_unit_test(spells_as_the_oracle_says),
        cmocka_unit_test(reports_as_the_oracle_says),
        cmocka_unit_test(means_and_risks_of_the_process),
        cmocka_unit_test(reports_of_an_office),
        cmocka_unit_test(refuses_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
