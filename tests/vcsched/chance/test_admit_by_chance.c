/*
 * Which jobs are admitted by their chance, and the margin of those that wait (rule 15.5).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include "oracle/oracle_chance.h"

#include <vcsched/chance.h>

#define HOUR 3600.0
#define ENDLESS ((double)INFINITY)

static vcs_admit_terms new_terms(void) {
    vcs_admit_terms terms;
    memset(&terms, 0xa5, sizeof terms);
    assert_int_equal(vcs_admit_init(&terms, sizeof terms), VCS_OK);
    return terms;
}

static uint32_t reason_of(const vcs_admit_terms *terms, double *chance, double *waiting) {
    uint32_t admitted = 77, reason = 77;
    assert_int_equal(vcs_admit_by_chance(terms, &admitted, &reason, chance, waiting, NULL), VCS_OK);
    assert_int_equal(admitted, reason == VCS_REASON_LIKELY || reason == VCS_REASON_FOR_IDLE);
    return reason;
}

static double margin_of(double window, double finish, double on, double off) {
    double margin = -77;
    assert_int_equal(vcs_chance_margin(window, finish, on, off, &margin), VCS_OK);
    return margin;
}

/* ---- By hand ---- */

/*
 * Spells of 4 h and 1 h, and jobs of 20 h, so that 5 breaks are expected. By the table of rule 15.1 they have chances
 * of 0.0656 with an hour to spare, 0.1686 with two, 0.5639 with five and 0.9256 with ten.
 */
static vcs_admit_terms job_with(double hours_to_spare) {
    vcs_admit_terms terms = new_terms();
    terms.on = 4 * HOUR;
    terms.off = HOUR;
    terms.remaining = 20 * HOUR;
    terms.window = terms.remaining + hours_to_spare * HOUR;
    return terms;
}

static void the_floor(void **unused) {
    (void)unused;
    vcs_admit_terms terms = job_with(1);
    double chance = -1, waiting = -1;
    assert_int_equal(reason_of(&terms, &chance, &waiting), VCS_REASON_SMALL_CHANCE);
    assert_true(fabs(chance - 0.0656) < 1e-4 && chance == waiting);
    terms.flags = VCS_ADMIT_IDLE; /* not even for a processor that has nothing to do */
    assert_int_equal(reason_of(&terms, NULL, NULL), VCS_REASON_SMALL_CHANCE);
    terms = job_with(2);
    assert_int_equal(reason_of(&terms, NULL, NULL), VCS_REASON_LIKELY);
    uint32_t admitted = 77;
    assert_int_equal(vcs_admit_by_chance(&terms, &admitted, NULL, NULL, NULL, NULL), VCS_OK); /* without the reason */
    assert_int_equal(admitted, 1);
    /* the floor is above the chance below which tasks are given up, and at most 1 */
    terms.give_up_below = 0.12;
    assert_int_equal(reason_of(&terms, NULL, NULL), VCS_REASON_SMALL_CHANCE);
    terms = job_with(ENDLESS);
    terms.give_up_below = terms.floor_above = 1;
    assert_int_equal(reason_of(&terms, NULL, NULL), VCS_REASON_LIKELY);
}

static void better_kinds_of_job(void **unused) {
    (void)unused;
    vcs_admit_terms terms = job_with(5);
    terms.best = 0.76;
    assert_int_equal(reason_of(&terms, NULL, NULL), VCS_REASON_LIKELY); /* 0.5639 >= 0.76 - 0.2 */
    terms.best = 0.77;
    assert_int_equal(reason_of(&terms, NULL, NULL), VCS_REASON_SMALLER_CHANCE);
    terms.flags = VCS_ADMIT_IDLE;
    assert_int_equal(reason_of(&terms, NULL, NULL), VCS_REASON_FOR_IDLE);
    terms.flags = 0;
    terms.below_best = 0.3;
    assert_int_equal(reason_of(&terms, NULL, NULL), VCS_REASON_LIKELY);
}

/*
 * Ten hours to spare. After a wait of 4 h there are 24 h to compute and 6 h to spare: P[Poisson(6) >= Poisson(6)] is
 * 0.558. A loss of 0.4 would have to be allowed. A wait of half an hour costs 0.04.
 */
static void what_the_wait_costs(void **unused) {
    (void)unused;
    vcs_admit_terms terms = job_with(10);
    double chance = -1, waiting = -1;
    terms.wait = 4 * HOUR;
    assert_int_equal(reason_of(&terms, &chance, &waiting), VCS_REASON_WAIT_COSTS);
    assert_true(fabs(chance - 0.9256) < 1e-4 && fabs(waiting - 0.558) < 1e-3);
    terms.flags = VCS_ADMIT_IDLE;
    assert_int_equal(reason_of(&terms, NULL, NULL), VCS_REASON_FOR_IDLE);
    terms.flags = 0;
    terms.max_loss = 0.4;
    assert_int_equal(reason_of(&terms, NULL, NULL), VCS_REASON_LIKELY);
    terms.max_loss = 0.05;
    terms.wait = HOUR / 2;
    assert_int_equal(reason_of(&terms, &chance, &waiting), VCS_REASON_LIKELY);
    assert_true(waiting < chance - 0.01 && waiting > chance - 0.06);
}

static void margins_of_those_that_wait(void **unused) {
    (void)unused;
    vcs_admit_terms terms = job_with(10);
    terms.added = 10 * HOUR; /* on each of two processors */
    terms.least_margin = 10 * HOUR;
    assert_int_equal(reason_of(&terms, NULL, NULL), VCS_REASON_LIKELY);
    terms.least_margin = 9 * HOUR;
    assert_int_equal(reason_of(&terms, NULL, NULL), VCS_REASON_TAKES_MARGIN);
    terms.flags = VCS_ADMIT_IDLE;
    assert_int_equal(reason_of(&terms, NULL, NULL), VCS_REASON_FOR_IDLE);
}

/*
 * Spells of 4 h and 1 h, 50 h to the deadline: 40 h are computed in them, with 10 breaks, which last 10 h, give or take
 * sqrt(2 * 10) * 1 h = 4.472 h, of which 0.8 would have been computed: 3.578 h. 30 h of work leave a margin of 6.422 h.
 */
static void a_margin(void **unused) {
    (void)unused;
    assert_true(fabs(margin_of(50 * HOUR, 30 * HOUR, 4 * HOUR, HOUR) / HOUR - 6.422) < 1e-3);
    assert_close(margin_of(50 * HOUR, 40 * HOUR, 4 * HOUR, HOUR), -0.8L * sqrtl(20) * HOUR, 1e-13);
    assert_number(margin_of(50 * HOUR, 30 * HOUR, ENDLESS, HOUR), 20 * HOUR);
    assert_number(margin_of(50 * HOUR, 30 * HOUR, 4 * HOUR, 0), 20 * HOUR);
    assert_close(margin_of(-5 * HOUR, HOUR, 4 * HOUR, HOUR), -5 * HOUR, 1e-14); /* 4 h that are past, and its own */
    assert_number(margin_of(0, 0, 4 * HOUR, HOUR), 0);
    assert_true(margin_of(ENDLESS, 1e12, VCS_MIN_ON, 1e12) == ENDLESS);
}

/* ---- Against the rule, said again ---- */

static void as_the_rule_says(void **unused) {
    (void)unused;
    random_stream stream = {1};
    uint32_t seen[6] = {0};
    for (int i = 0; i < 10000; i++) {
        vcs_admit_terms terms = new_terms();
        terms.flags = random_below(&stream, 4) == 0 ? VCS_ADMIT_IDLE : 0;
        terms.on = random_below(&stream, 10) == 0 ? ENDLESS : random_magnitude(&stream, 600, 1e6);
        terms.off = random_below(&stream, 10) == 0 ? 0 : random_magnitude(&stream, 600, 1e6);
        terms.remaining = random_magnitude(&stream, 600, 1e6);
        terms.window = terms.remaining * (1 + random_magnitude(&stream, 0.01, 10));
        terms.wait = random_below(&stream, 2) * random_magnitude(&stream, 60, 1e6);
        terms.spread = random_below(&stream, 2) * random_draw(&stream);
        terms.best = random_draw(&stream);
        terms.added = terms.remaining / (1 + random_below(&stream, 4));
        terms.least_margin = random_below(&stream, 2) == 0 ? ENDLESS : random_magnitude(&stream, 600, 1e6);
        if (random_below(&stream, 2) == 0) {
            terms.below_best = random_draw(&stream);
            terms.max_loss = random_draw(&stream);
            terms.give_up_below = random_draw(&stream);
            terms.floor_above = random_between(&stream, 0.01, 1);
        }
        double chance = -1, waiting = -1;
        const uint32_t reason = reason_of(&terms, &chance, &waiting);
        const double floor = fmin(1, terms.give_up_below + terms.floor_above);
        if (fabs(chance - floor) > 1e-12) { /* else a rounding error decides */
            assert_int_equal(reason, oracle_admit_by_chance(&terms));
        }
        assert_true(waiting <= chance + 1e-13);
        assert_true(chance >= terms.give_up_below || reason == VCS_REASON_SMALL_CHANCE);
        seen[reason - VCS_REASON_LIKELY]++;
    }
    for (size_t i = 0; i < COUNT_OF(seen); i++) {
        assert_true(seen[i] > 100);
    }
}

static void margins_as_the_formula_has_them(void **unused) {
    (void)unused;
    random_stream stream = {2};
    for (int i = 0; i < 20000; i++) {
        const double on = random_magnitude(&stream, 60, 1e6),
                     off = random_below(&stream, 2) * 1e6 * random_draw(&stream);
        const double window = random_between(&stream, -1e6, 1e7), finish = random_between(&stream, 0, 1e7);
        assert_true(fabs(margin_of(window, finish, on, off) - oracle_margin(window, finish, on, off)) < 1e-6);
    }
}

/* ---- In the loop ---- */

/*
 * A server offers the same job again and again to a host that gives up by chance: what is admitted is not given up at
 * once, whatever the job, the spells and the threshold.
 */
static void what_is_admitted_is_not_given_up(void **unused) {
    (void)unused;
    random_stream stream = {3};
    uint32_t admitted = 0;
    for (int i = 0; i < 20000; i++) {
        vcs_admit_terms terms = new_terms();
        vcs_give_up_terms task;
        terms.flags = VCS_ADMIT_IDLE;
        terms.on = random_magnitude(&stream, 600, 1e6);
        terms.off = random_magnitude(&stream, 600, 1e6);
        terms.remaining = random_magnitude(&stream, 600, 1e6);
        terms.window = terms.remaining * random_magnitude(&stream, 0.9, 10);
        terms.give_up_below = random_draw(&stream);
        terms.floor_above = 0.01;
        terms.spread = random_below(&stream, 2) * random_draw(&stream);
        if (reason_of(&terms, NULL, NULL) == VCS_REASON_SMALL_CHANCE) {
            continue;
        }
        uint32_t give_up = 77;
        assert_int_equal(vcs_give_up_init(&task, sizeof task, VCS_GIVE_UP_BY_CHANCE), VCS_OK);
        task.on = terms.on;
        task.off = terms.off;
        task.remaining = terms.remaining;
        task.deadline = terms.window;
        task.threshold = terms.give_up_below;
        assert_int_equal(vcs_give_up(&task, 0, &give_up, NULL, NULL, NULL), VCS_OK);
        assert_int_equal(give_up, 0);
        admitted++;
    }
    assert_in_range(admitted, 2000, 18000);
}

/* ---- Bad input ---- */

static void check_refused(const vcs_admit_terms *terms, int code) {
    vcs_error error = {.struct_size = sizeof error};
    uint32_t admitted = 77, reason = 77;
    double chance = 77, waiting = 77;
    assert_int_equal(vcs_admit_by_chance(terms, &admitted, &reason, &chance, &waiting, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, VCS_TYPE_ADMIT_TERMS);
    assert_true(admitted == 77 && reason == 77 && chance == 77 && waiting == 77);
}

static void refuses_bad_input(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_admit_terms, struct_size, 120, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_admit_terms, flags, 2, VCS_ERR_FLAGS),
        NOT_FINITE(vcs_admit_terms, remaining),
        BAD_NUMBER(vcs_admit_terms, remaining, -1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_admit_terms, window, (double)NAN, VCS_ERR_NOT_FINITE),
        NOT_FINITE(vcs_admit_terms, wait),
        BAD_NUMBER(vcs_admit_terms, spread, 1001, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_admit_terms, on, 0, VCS_ERR_RANGE),
        NOT_FINITE(vcs_admit_terms, off),
        BAD_NUMBER(vcs_admit_terms, best, 1.1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_admit_terms, least_margin, -1, VCS_ERR_RANGE),
        NOT_FINITE(vcs_admit_terms, added),
        BAD_NUMBER(vcs_admit_terms, below_best, -0.1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_admit_terms, max_loss, 1.1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_admit_terms, give_up_below, 1.1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_admit_terms, floor_above, 0, VCS_ERR_RANGE),
        BAD_WORD(vcs_admit_terms, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_admit_terms terms = new_terms();
        spoil(&terms, &table[i]);
        check_refused(&terms, table[i].code);
    }
    check_refused(NULL, VCS_ERR_NULL);
    const vcs_admit_terms terms = new_terms();
    vcs_error small = {.struct_size = 8};
    uint32_t admitted = 77;
    assert_int_equal(vcs_admit_by_chance(&terms, &admitted, NULL, NULL, NULL, &small), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_admit_by_chance(&terms, NULL, NULL, NULL, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(admitted, 77);
    vcs_admit_terms untouched = {.flags = 77};
    assert_int_equal(vcs_admit_init(NULL, sizeof terms), VCS_ERR_NULL);
    assert_int_equal(vcs_admit_init(&untouched, 120), VCS_ERR_ABI_OLDER);
    assert_int_equal(untouched.flags, 77);
}

static void refuses_bad_margins(void **unused) {
    (void)unused;
    static const struct {
        double window, finish, on, off;
        int code;
    } table[] = {
        {(double)NAN, 1, 1, 1, VCS_ERR_NOT_FINITE},
        {-ENDLESS, 1, 1, 1, VCS_ERR_NOT_FINITE},
        {2e15, 1, 1, 1, VCS_ERR_RANGE},
        {1, -1, 1, 1, VCS_ERR_RANGE},
        {1, ENDLESS, 1, 1, VCS_ERR_NOT_FINITE},
        {1, 1, 0, 1, VCS_ERR_RANGE},
        {1, 1, 1, -1, VCS_ERR_RANGE},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        double margin = 77;
        assert_int_equal(vcs_chance_margin(table[i].window, table[i].finish, table[i].on, table[i].off, &margin),
                         table[i].code);
        assert_number(margin, 77);
    }
    assert_int_equal(vcs_chance_margin(1, 1, 1, 1, NULL), VCS_ERR_NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_floor),
        cmocka_unit_test(better_kinds_of_job),
        cmocka_unit_test(what_the_wait_costs),
        cmocka_unit_test(margins_of_those_that_wait),
        cmocka_unit_test(a_margin),
        cmocka_unit_test(as_the_rule_says),
        cmocka_unit_test(margins_as_the_formula_has_them),
        cmocka_unit_test(what_is_admitted_is_not_given_up),
        cmocka_unit_test(refuses_bad_input),
        cmocka_unit_test(refuses_bad_margins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
