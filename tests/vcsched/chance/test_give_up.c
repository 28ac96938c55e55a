/*
 * Which tasks are given up (rule 15.3).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include "oracle/oracle_chance.h"

#include <vcsched/chance.h>
#include <vcsched/parameters.h>

#define HOUR 3600.0
#define DAY 86400.0
#define ENDLESS ((double)INFINITY)

static vcs_give_up_terms new_terms(uint32_t rule) {
    vcs_give_up_terms terms;
    memset(&terms, 0xa5, sizeof terms);
    assert_int_equal(vcs_give_up_init(&terms, sizeof terms, rule), VCS_OK);
    return terms;
}

static uint32_t reason_of(const vcs_give_up_terms *terms, double now, double *chance) {
    uint32_t give_up = 77, reason = 77;
    assert_int_equal(vcs_give_up(terms, now, &give_up, &reason, chance, NULL), VCS_OK);
    assert_int_equal(give_up, reason != VCS_REASON_KEPT && reason != VCS_REASON_KEPT_FOR_PROJECT);
    return reason;
}

/* ---- By hand ---- */

static void what_cannot_be_done(void **unused) {
    (void)unused;
    vcs_give_up_terms terms = new_terms(VCS_GIVE_UP_BY_CHANCE);
    double chance = -1;
    terms.remaining = 60 * DAY;
    assert_int_equal(reason_of(&terms, 0, &chance), VCS_REASON_KEPT); /* no deadline */
    assert_number(chance, 1);
    terms.deadline = 25 * DAY; /* 60 days of work, 25 days to the deadline */
    assert_int_equal(reason_of(&terms, 0, &chance), VCS_REASON_TIME_TOO_SHORT);
    assert_number(chance, 0);
    terms.deadline = 60 * DAY;
    assert_int_equal(reason_of(&terms, 0, NULL), VCS_REASON_KEPT); /* it just fits, for the host is never off */
    assert_int_equal(reason_of(&terms, 1, NULL), VCS_REASON_TIME_TOO_SHORT);
    assert_int_equal(reason_of(&terms, 60 * DAY, NULL), VCS_REASON_DEADLINE_OVER);
    terms.remaining = 0;
    assert_int_equal(reason_of(&terms, 60 * DAY - 1, NULL), VCS_REASON_KEPT);
    assert_int_equal(reason_of(&terms, 60 * DAY, NULL), VCS_REASON_DEADLINE_OVER);
    terms.on = terms.off = HOUR;
    terms.remaining = 60 * DAY;
    assert_int_equal(reason_of(&terms, 0, NULL), VCS_REASON_UNLIKELY); /* it must never go off, and will */
}

/*
 * Spells of 4 h and 1 h: by the table of rule 15.1 a job of 20 h with 2 h to spare has a chance of 0.1686, and with 1 h
 * of 0.0656.
 */
static void what_is_unlikely(void **unused) {
    (void)unused;
    vcs_give_up_terms terms = new_terms(VCS_GIVE_UP_BY_CHANCE);
    double chance = -1;
    terms.on = 4 * HOUR;
    terms.off = HOUR;
    terms.remaining = 20 * HOUR;
    terms.deadline = 22 * HOUR;
    assert_int_equal(reason_of(&terms, 0, &chance), VCS_REASON_KEPT);
    assert_true(fabs(chance - 0.1686) < 1e-4);
    assert_int_equal(reason_of(&terms, HOUR, &chance), VCS_REASON_UNLIKELY);
    assert_true(fabs(chance - 0.0656) < 1e-4);
    terms.flags = VCS_GIVE_UP_FORBIDDEN;
    assert_int_equal(reason_of(&terms, HOUR, NULL), VCS_REASON_KEPT_FOR_PROJECT);
    assert_int_equal(reason_of(&terms, 0, NULL), VCS_REASON_KEPT);
    assert_int_equal(reason_of(&terms, 23 * HOUR, NULL), VCS_REASON_KEPT_FOR_PROJECT);
    terms.flags = 0;
    terms.threshold = 0;
    assert_int_equal(reason_of(&terms, HOUR, NULL), VCS_REASON_KEPT);
}

/*
 * The same host, jobs of 20 h that are due 22 h after receipt: a new one has a chance of 0.1686. One of which 4 h are
 * left has to have 0.9 * 4 / 20 * 0.1686 = 0.0303. With hardly any time to spare it has e^-1 = 0.37, so it is kept. A
 * job of which nothing is done after an hour has 0.0656, less than 0.9 * 0.1686 = 0.152, so it is given up. If new ones
 * were due after 21 h, 0.9 * 0.0656 would be enough, and it would be kept.
 */
static void what_a_new_job_does_better(void **unused) {
    (void)unused;
    vcs_give_up_terms terms = new_terms(VCS_GIVE_UP_BY_SIZE);
    terms.on = 4 * HOUR;
    terms.off = HOUR;
    terms.total = 20 * HOUR;
    terms.bound = terms.deadline = 22 * HOUR;
    terms.remaining = 4 * HOUR;
    assert_int_equal(reason_of(&terms, 18 * HOUR - 1, NULL), VCS_REASON_KEPT);
    terms.remaining = 20 * HOUR;
    assert_int_equal(reason_of(&terms, 0, NULL), VCS_REASON_KEPT);
    assert_int_equal(reason_of(&terms, HOUR, NULL), VCS_REASON_NEW_JOB_BETTER);
    terms.bound = 21 * HOUR;
    assert_int_equal(reason_of(&terms, HOUR, NULL), VCS_REASON_KEPT);
    /* a total that cannot be: less than what remains */
    terms.total = HOUR;
    assert_int_equal(reason_of(&terms, HOUR, NULL), VCS_REASON_KEPT);
    terms.bound = 22 * HOUR;
    assert_int_equal(reason_of(&terms, HOUR, NULL), VCS_REASON_NEW_JOB_BETTER);
    /* nothing left, and a job of no size */
    terms.remaining = 0;
    assert_int_equal(reason_of(&terms, HOUR, NULL), VCS_REASON_KEPT);
    terms.total = 0;
    assert_int_equal(reason_of(&terms, HOUR, NULL), VCS_REASON_KEPT);
}

static void defaults(void **unused) {
    (void)unused;
    assert_number(new_terms(VCS_GIVE_UP_BY_CHANCE).threshold, 0.1);
    assert_number(new_terms(VCS_GIVE_UP_BY_SIZE).threshold, 0.9);
    const vcs_give_up_terms terms = new_terms(VCS_GIVE_UP_BY_SIZE);
    assert_int_equal(terms.rule, VCS_GIVE_UP_BY_SIZE);
    assert_true(terms.deadline == ENDLESS && terms.bound == ENDLESS && terms.on == ENDLESS && terms.off == 0);
}

/* ---- Against the rule, said again ---- */

static void as_the_rule_says(void **unused) {
    (void)unused;
    random_stream stream = {1};
    uint32_t seen[6] = {0};
    for (int i = 0; i < 20000; i++) {
        vcs_give_up_terms terms = new_terms(1 + random_below(&stream, 2));
        const double now = random_between(&stream, -1e9, 1e9);
        terms.flags = random_below(&stream, 4) == 0 ? VCS_GIVE_UP_FORBIDDEN : 0;
        terms.on = random_below(&stream, 10) == 0 ? ENDLESS : random_magnitude(&stream, 600, 1e6);
        terms.off = random_below(&stream, 10) == 0 ? 0 : random_magnitude(&stream, 600, 1e6);
        terms.total = random_magnitude(&stream, 600, 1e6);
        terms.remaining = terms.total * random_between(&stream, 0, 1.1);
        terms.bound = terms.total * random_magnitude(&stream, 0.9, 10);
        terms.deadline = now + terms.bound - terms.total * random_between(&stream, 0, 1.2);
        terms.threshold = random_below(&stream, 3) == 0 ? random_draw(&stream) : terms.threshold;
        const uint32_t reason = reason_of(&terms, now, NULL);
        assert_int_equal(reason, oracle_give_up(&terms, now));
        seen[reason - VCS_REASON_DEADLINE_OVER]++;
    }
    for (size_t i = 0; i < COUNT_OF(seen); i++) {
        assert_true(seen[i] > 100);
    }
}

/* ---- In the loop ---- */

/*
 * A host runs job after job of 10 h, due in 18 h, with spells of an hour each: 36 in 100 would be done in time. Asked
 * every half hour, it gives up those that have become unlikely, and does more in time in the same number of hours.
 */
static double done_in_time(random_stream *stream, double hours, int gives_up) {
    double now = 0, done = 0, remaining = 10, deadline = 18, until = -log(1 - random_draw(stream));
    while (now < hours) {
        const double step = fmin(fmin(0.5, until - now), remaining);
        vcs_give_up_terms terms = new_terms(VCS_GIVE_UP_BY_CHANCE);
        now += step;
        remaining -= step;
        if (now >= until) { /* it goes off for a while */
            now -= log(1 - random_draw(stream));
            until = now - log(1 - random_draw(stream));
        }
        terms.on = terms.off = HOUR;
        terms.remaining = remaining * HOUR;
        terms.deadline = deadline * HOUR;
        const int over = gives_up && remaining > 0 && reason_of(&terms, now * HOUR, NULL) != VCS_REASON_KEPT;
        if (remaining <= 0 || over) {
            done += remaining <= 0 && now <= deadline;
            remaining = 10;
            deadline = now + 18;
        }
    }
    return done;
}

static void more_is_done_in_time(void **unused) {
    (void)unused;
    random_stream stream = {2};
    const double without = done_in_time(&stream, 40000, 0), with = done_in_time(&stream, 40000, 1);
    assert_true(without > 550 && without < 850); /* 40,000 h hold 2,000 jobs */
    assert_true(with > 1.2 * without);
}

/* ---- Bad input ---- */

static void check_refused(const vcs_give_up_terms *terms, double now, int code, uint32_t type) {
    vcs_error error = {.struct_size = sizeof error};
    uint32_t give_up = 77, reason = 77;
    double chance = 77;
    assert_int_equal(vcs_give_up(terms, now, &give_up, &reason, &chance, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, type);
    assert_true(give_up == 77 && reason == 77 && chance == 77);
}

static void refuses_bad_input(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_give_up_terms, struct_size, 80, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_give_up_terms, flags, 2, VCS_ERR_FLAGS),
        BAD_WORD(vcs_give_up_terms, rule, 3, VCS_ERR_FLAGS),
        BAD_WORD(vcs_give_up_terms, rule, VCS_GIVE_UP_NEVER, VCS_ERR_FLAGS),
        BAD_WORD(vcs_give_up_terms, reserved0, 1, VCS_ERR_ABI_NEWER),
        BAD_NUMBER(vcs_give_up_terms, deadline, (double)NAN, VCS_ERR_NOT_FINITE),
        BAD_NUMBER(vcs_give_up_terms, deadline, -2e15, VCS_ERR_RANGE),
        NOT_FINITE(vcs_give_up_terms, remaining),
        BAD_NUMBER(vcs_give_up_terms, remaining, -1, VCS_ERR_RANGE),
        NOT_FINITE(vcs_give_up_terms, total),
        BAD_NUMBER(vcs_give_up_terms, bound, -1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_give_up_terms, bound, (double)NAN, VCS_ERR_NOT_FINITE),
        BAD_NUMBER(vcs_give_up_terms, on, 0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_give_up_terms, on, (double)NAN, VCS_ERR_NOT_FINITE),
        NOT_FINITE(vcs_give_up_terms, off),
        BAD_NUMBER(vcs_give_up_terms, off, -1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_give_up_terms, threshold, 1.1, VCS_ERR_RANGE),
        BAD_WORD(vcs_give_up_terms, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_give_up_terms terms = new_terms(VCS_GIVE_UP_BY_CHANCE);
        spoil(&terms, &table[i]);
        check_refused(&terms, 0, table[i].code, VCS_TYPE_GIVE_UP_TERMS);
    }
    const vcs_give_up_terms terms = new_terms(VCS_GIVE_UP_BY_CHANCE);
    check_refused(NULL, 0, VCS_ERR_NULL, VCS_TYPE_GIVE_UP_TERMS);
    check_refused(&terms, (double)NAN, VCS_ERR_NOT_FINITE, VCS_TYPE_NONE);
    vcs_error small = {.struct_size = 8};
    uint32_t give_up = 77;
    assert_int_equal(vcs_give_up(&terms, 0, &give_up, NULL, NULL, &small), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_give_up(&terms, 0, NULL, NULL, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(give_up, 77);
    vcs_give_up_terms untouched = {.flags = 77};
    assert_int_equal(vcs_give_up_init(NULL, sizeof terms, VCS_GIVE_UP_BY_CHANCE), VCS_ERR_NULL);
    assert_int_equal(vcs_give_up_init(&untouched, 80, VCS_GIVE_UP_BY_CHANCE), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_give_up_init(&untouched, sizeof untouched, VCS_GIVE_UP_NEVER), VCS_ERR_FLAGS);
    assert_int_equal(vcs_give_up_init(&untouched, sizeof untouched, 3), VCS_ERR_FLAGS);
    assert_int_equal(untouched.flags, 77);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_done),        cmocka_unit_test(what_is_unlikely),
        cmocka_unit_test(what_a_new_job_does_better), cmocka_unit_test(defaults),
        cmocka_unit_test(as_the_rule_says),           cmocka_unit_test(more_is_done_in_time),
        cmocka_unit_test(refuses_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
