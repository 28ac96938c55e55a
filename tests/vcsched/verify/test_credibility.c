/*
 * Credibility of clients and of classes of equal results (rule 11.3).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/poll.h"

#include "vcsched/verify/scaled.h"

#include <float.h>
#include <vcsched/reason.h>

static test_poll poll;

/* ---- One client ---- */

static double credibility_of(uint64_t passed, double error_bound) {
    double credibility = -1;
    assert_int_equal(vcs_credibility(passed, error_bound, &credibility), VCS_OK);
    return credibility;
}

static void a_client_gains_by_checks(void **unused) {
    (void)unused;
    assert_number(credibility_of(0, 0.2), 0.8);
    assert_number(credibility_of(1, 0.2), 0.8);
    assert_number(credibility_of(4, 0.2), 0.95);
    assert_number(credibility_of(0, 1), 0.0);
    assert_number(credibility_of(0, 0), VCS_MAX_CREDIBILITY);
    assert_number(credibility_of(UINT64_MAX, 1), VCS_MAX_CREDIBILITY);
    double before = 0;
    for (uint64_t k = 0; k < 10000; k++) {
        double now = credibility_of(k, 0.3);
        assert_true(now >= before);
        before = now;
    }
}

static void refuses_bad_bounds(void **unused) {
    (void)unused;
    double credibility = 77;
    assert_int_equal(vcs_credibility(1, (double)NAN, &credibility), VCS_ERR_NOT_FINITE);
    assert_int_equal(vcs_credibility(1, -0.1, &credibility), VCS_ERR_RANGE);
    assert_int_equal(vcs_credibility(1, 1.1, &credibility), VCS_ERR_RANGE);
    assert_number(credibility, 77.0);
    assert_int_equal(vcs_credibility(1, 0.1, NULL), VCS_ERR_NULL);
}

/* ---- Scaled numbers ---- */

static void scaled_numbers_neither_overflow_nor_vanish(void **unused) {
    (void)unused;
    static const double numbers[] = {1, 0.75, 3e10, 1e-20, 1e300, DBL_MAX, DBL_MIN, 5e-324, 0x1p64, 0x1p-64};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        vcs_scaled power = vcs_scaled_of(1), x = vcs_scaled_of(numbers[i]);
        assert_true(x.m >= 1 && x.m < 0x1p64);
        for (int k = 0; k < 1000; k++) {
            power = vcs_scaled_times(power, x);
        }
        /* log2 of the product: 1000 roundings of 2^-53 each */
        long double bits = log2l(power.m) + 64 * (long double)power.e, expected = 1000 * log2l(numbers[i]);
        assert_true(fabsl(bits - expected) <= 1e-12L * fabsl(expected) + 1e-12L);
        assert_int_equal(vcs_scaled_is_less(power, vcs_scaled_of(1)), numbers[i] < 1);
    }
    vcs_scaled huge = vcs_scaled_times(vcs_scaled_of(1e300), vcs_scaled_of(1e300)), zero = vcs_scaled_of(0);
    vcs_scaled tiny = vcs_scaled_times(vcs_scaled_of(1e-300), vcs_scaled_of(1e-300));
    assert_number(vcs_scaled_ratio(tiny, huge), 0.0);
    assert_number(vcs_scaled_ratio(zero, huge), 0.0);
    assert_number(vcs_scaled_ratio(huge, huge), 1.0);
    assert_close(vcs_scaled_ratio(vcs_scaled_times(huge, tiny), vcs_scaled_of(1)), 1.0L, 1e-15);
    assert_number(vcs_scaled_ratio(vcs_scaled_plus(huge, tiny), huge), 1.0);
    assert_number(vcs_scaled_ratio(vcs_scaled_plus(tiny, huge), huge), 1.0);
    assert_number(vcs_scaled_ratio(huge, vcs_scaled_plus(huge, huge)), 0.5);
    assert_int_equal(vcs_scaled_times(zero, huge).e, 0);
    assert_int_equal(vcs_scaled_plus(zero, zero).e, 0);
    assert_true(vcs_scaled_is_less(zero, tiny) && !vcs_scaled_is_less(tiny, zero));
    assert_true(vcs_scaled_is_less(tiny, huge) && !vcs_scaled_is_less(huge, tiny));
    /* a sum that needs both: 2^64 + 1 is one step up from 1.5 */
    vcs_scaled sum = vcs_scaled_plus(vcs_scaled_of(0x1p64), vcs_scaled_of(0x1p20));
    assert_number(vcs_scaled_ratio(vcs_scaled_of(0x1p64), sum), 0x1p64 / (0x1p64 + 0x1p20));
}

/* ---- Classes, worked by hand ---- */

/*
 * Classes 1 with c = 0.8 and 0.9, 2 with c = 0.6:
 *   weight of 1: 0.8 * 0.9 * 0.4 = 0.288, of 2: 0.2 * 0.1 * 0.6 = 0.012, of none: 0.2 * 0.1 * 0.4 = 0.008.
 *   credibility of 1 = 0.288 / 0.308, doubt 0.02 / 0.308 = 0.0649
 */
static void a_group_worked_by_hand(void **unused) {
    (void)unused;
    poll_begin(&poll, 1);
    poll_add(&poll, 1, 0.8);
    poll_add(&poll, 2, 0.6);
    poll_add(&poll, 1, 0.9);
    poll.terms.tolerance = 0.065;
    poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
    assert_close(poll.summary.doubt, 0.02L / 0.308L, 1e-14);
    assert_int_equal(poll.summary.flags, VCS_VOTE_WON);
    assert_int_equal(poll.summary.winner, 1);
    assert_int_equal(poll.summary.reason, VCS_REASON_CREDIBLE);
    assert_int_equal(poll.summary.further, 0);
    assert_int_equal(poll.summary.votes, 2);
    assert_int_equal(poll.verdicts[1].verdict, VCS_BALLOT_WRONG);
    poll.terms.tolerance = 0.0649;
    poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
    assert_int_equal(poll.summary.flags, 0);
    assert_int_equal(poll.summary.reason, VCS_REASON_DOUBTED);
    assert_int_equal(poll.summary.further, 1);
    assert_int_equal(poll.summary.ballot, 0);
    assert_int_equal(poll.verdicts[0].verdict, VCS_BALLOT_OPEN);
}

/* One result alone is as credible as its client: c / (c + 1 - c). */
static void one_result_is_as_credible_as_its_client(void **unused) {
    (void)unused;
    poll_begin(&poll, 1);
    poll_add(&poll, 1, 0.95);
    poll.terms.tolerance = 0.0501;
    poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
    assert_close(poll.summary.doubt, 0.05L, 1e-14);
    assert_int_equal(poll.summary.flags, VCS_VOTE_WON);
}

/* 0.75 against 0.25, without rounding: a doubt of exactly the tolerance is small enough. */
static void a_doubt_of_the_tolerance_is_small_enough(void **unused) {
    (void)unused;
    poll_begin(&poll, 1);
    poll_add(&poll, 1, 0.75);
    poll.terms.tolerance = 0.25;
    poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
    assert_number(poll.summary.doubt, 0.25);
    assert_int_equal(poll.summary.flags, VCS_VOTE_WON);
}

static void level_groups_are_led_by_the_lowest_id(void **unused) {
    (void)unused;
    poll_begin(&poll, 1);
    poll_add(&poll, 2, 0.9)->id = 8;
    poll_add(&poll, 1, 0.9)->id = 9;
    poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
    assert_int_equal(poll.summary.ballot, 0);
    assert_int_equal(poll.summary.further, 1);
    poll.ballots[1].id = 7;
    poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
    assert_int_equal(poll.summary.ballot, 1);
}

static void copies_wanted_are_waited_for(void **unused) {
    (void)unused;
    poll_begin(&poll, 4);
    poll_add(&poll, 1, 0.999);
    poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
    assert_int_equal(poll.summary.reason, VCS_REASON_TOO_FEW_COPIES);
    assert_int_equal(poll.summary.further, 3);
    assert_int_equal(poll.summary.flags, 0);
}

static void nobody_and_the_blacklist_decide_nothing(void **unused) {
    (void)unused;
    poll_begin(&poll, 1);
    poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
    assert_int_equal(poll.summary.further, 1);
    assert_int_equal(poll.summary.ballot, VCS_NONE);
    assert_number(poll.summary.doubt, 1.0);
    poll_add(&poll, 1, 0.999)->flags = VCS_BLACKLISTED;
    poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
    assert_int_equal(poll.summary.flags, 0);
    assert_int_equal(poll.summary.refused, 1);
    poll_add(&poll, 2, 0.0); /* no credit at all */
    poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
    assert_int_equal(poll.summary.flags, 0);
    assert_int_equal(poll.summary.ballot, 1);
    assert_number(poll.summary.doubt, 1.0);
    poll_add(&poll, 2, 0.995);
    poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
    assert_int_equal(poll.summary.flags, 0); /* the client without credit drags its class down */
}

static void late_results_are_measured_by_the_winner(void **unused) {
    (void)unused;
    poll_begin(&poll, 1);
    poll.terms.flags = VCS_VOTE_DECIDED;
    poll.terms.winner = 5;
    poll_add(&poll, 6, 0.999);
    poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
    assert_int_equal(poll.summary.winner, 5);
    assert_int_equal(poll.verdicts[0].verdict, VCS_BALLOT_WRONG);
}

/* ---- The formula, with few results, in long double ---- */

static long double weight_of(uint32_t result_class) {
    long double weight = 1;
    for (uint32_t i = 0; i < poll.count; i++) {
        if (poll.ballots[i].flags == 0) {
            long double sure = poll.ballots[i].credibility;
            weight *= poll.ballots[i].result_class == result_class ? sure : 1 - sure;
        }
    }
    return weight;
}

enum { CLASSES = 4, NO_CLASS = 77 };

static void follows_the_formula(void **unused) {
    (void)unused;
    random_stream stream = {1};
    for (int round = 0; round < 50000; round++) {
        poll_begin(&poll, 1);
        const uint32_t count = 1 + random_below(&stream, 9);
        bool votes[CLASSES] = {false};
        for (uint32_t i = 0; i < count; i++) {
            vcs_ballot *ballot = poll_add(&poll, random_below(&stream, CLASSES), random_draw(&stream));
            ballot->flags = random_below(&stream, 8) == 0 ? VCS_BLACKLISTED : 0;
            votes[ballot->result_class] = votes[ballot->result_class] || ballot->flags == 0;
        }
        poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
        long double all = weight_of(NO_CLASS), best = 0;
        for (uint32_t c = 0; c < CLASSES; c++) {
            all += votes[c] ? weight_of(c) : 0;
            best = votes[c] ? fmaxl(best, weight_of(c)) : best;
        }
        assert_close(poll.summary.doubt, (all - best) / all, 1e-13);
        if (poll.summary.ballot != VCS_NONE) {
            assert_true(weight_of(poll.ballots[poll.summary.ballot].result_class) >= best * (1 - 1e-13L));
        }
        assert_int_equal(poll.summary.flags == VCS_VOTE_WON,
                         poll.summary.doubt <= poll.terms.tolerance && poll.summary.refused < poll.count);
    }
}

/*
 * A thousand results of c = 0.9, k of them in class 1 and the rest in class 2. Odds are 9 : 1, so the weights are as
 * 9^k : 9^(1000 - k) : 1, although the products themselves, 0.1^k and less, are below all doubles.
 */
static void many_results_are_no_problem(void **unused) {
    (void)unused;
    for (uint32_t k = 490; k <= 510; k++) {
        poll_begin(&poll, 1);
        for (uint32_t i = 0; i < 1000; i++) {
            poll_add(&poll, i < k ? 1 : 2, 0.9);
        }
        poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
        int64_t ahead = 2 * (int64_t)k - 1000;
        assert_close(poll.summary.doubt, 1 / (1 + powl(9, fabsl((long double)ahead))), 1e-11);
        assert_int_equal(poll.ballots[poll.summary.ballot].result_class, ahead >= 0 ? 1 : 2);
        assert_int_equal(poll.summary.flags == VCS_VOTE_WON, ahead >= 4 || ahead <= -4); /* 1 / 82 > 0.01 */
    }
}

static void order_of_ballots_does_not_matter(void **unused) {
    (void)unused;
    random_stream stream = {2};
    static test_poll moved;
    for (int round = 0; round < 5000; round++) {
        poll_begin(&poll, 1);
        for (uint32_t i = 0; i < 20; i++) {
            poll_add(&poll, random_below(&stream, 3), random_draw(&stream));
        }
        poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
        moved = poll;
        for (uint32_t i = 0; i < 20; i++) {
            moved.ballots[i] = poll.ballots[(i * 7 + 3) % 20];
        }
        poll_hold(&moved, VCS_VOTE_BY_CREDIBILITY);
        assert_int_equal((moved.summary.ballot * 7 + 3) % 20, poll.summary.ballot);
        moved.summary.ballot = poll.summary.ballot;
        assert_memory_equal(&moved.summary, &poll.summary, sizeof poll.summary); /* doubt to the last bit */
    }
}

/* Another client that agrees never adds to the doubt, if it is right more often than not. */
static void agreement_never_adds_to_the_doubt(void **unused) {
    (void)unused;
    random_stream stream = {3};
    for (int round = 0; round < 5000; round++) {
        poll_begin(&poll, 1);
        for (uint32_t i = 0; i < 6; i++) {
            poll_add(&poll, random_below(&stream, 3), random_draw(&stream));
        }
        poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
        double before = poll.summary.doubt;
        uint32_t leader = poll.ballots[poll.summary.ballot].result_class;
        poll_add(&poll, leader, random_between(&stream, 0.5, VCS_MAX_CREDIBILITY));
        poll_hold(&poll, VCS_VOTE_BY_CREDIBILITY);
        assert_int_equal(poll.ballots[poll.summary.ballot].result_class, leader);
        assert_true(poll.summary.doubt <= before * (1 + 1e-14));
    }
}

static void refuses_bad_arguments(void **unused) {
    (void)unused;
    poll_refuse_bad_arguments(VCS_VOTE_BY_CREDIBILITY);
    static const double tolerances[] = {0, 0.5};
    for (size_t i = 0; i < COUNT_OF(tolerances); i++) {
        poll_begin(&poll, 1);
        poll_add(&poll, 5, 0.5);
        poll_add(&poll, 4, 0.5);
        poll.terms.tolerance = tolerances[i];
        poll_refuse(&poll, VCS_VOTE_BY_CREDIBILITY, VCS_ERR_RANGE, VCS_TYPE_VOTE_TERMS,
                    offsetof(vcs_vote_terms, tolerance));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_gains_by_checks),
        cmocka_unit_test(refuses_bad_bounds),
        cmocka_unit_test(scaled_numbers_neither_overflow_nor_vanish),
        cmocka_unit_test(a_group_worked_by_hand),
        cmocka_unit_test(one_result_is_as_credible_as_its_client),
        cmocka_unit_test(a_doubt_of_the_tolerance_is_small_enough),
        cmocka_unit_test(level_groups_are_led_by_the_lowest_id),
        cmocka_unit_test(copies_wanted_are_waited_for),
        cmocka_unit_test(nobody_and_the_blacklist_decide_nothing),
        cmocka_unit_test(late_results_are_measured_by_the_winner),
        cmocka_unit_test(follows_the_formula),
        cmocka_unit_test(many_results_are_no_problem),
        cmocka_unit_test(order_of_ballots_does_not_matter),
        cmocka_unit_test(agreement_never_adds_to_the_doubt),
        cmocka_unit_test(refuses_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
