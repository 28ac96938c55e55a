/*
 * The record of a client's results, and adaptive replication (rule 11.3).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"

#include <vcsched/vcsched.h>

static void did(vcs_trust *trust, uint32_t outcome) {
    assert_int_equal(vcs_trust_update(trust, outcome, VCS_REASON_OUTVOTED), VCS_OK);
}

static uint32_t needs_copy(const vcs_trust *trust, double u) {
    uint32_t needed = 77, reason = 77;
    assert_int_equal(vcs_trust_needs_copy(trust, u, &needed, &reason), VCS_OK);
    assert_int_equal(needed, reason != VCS_REASON_TRUSTED);
    return needed;
}

static uint32_t reason_for_copy(const vcs_trust *trust, double u) {
    uint32_t needed, reason = 77;
    assert_int_equal(vcs_trust_needs_copy(trust, u, &needed, &reason), VCS_OK);
    return reason;
}

/* ---- Counts ---- */

static void outcomes_are_counted(void **unused) {
    (void)unused;
    vcs_trust trust = {.id = 5};
    did(&trust, VCS_TRUST_VALID);
    did(&trust, VCS_TRUST_PASSED);
    assert_int_equal(trust.valid_in_row, 2);
    assert_int_equal(trust.passed, 1);
    did(&trust, VCS_TRUST_ERROR); /* a missing result says nothing about checked ones */
    assert_int_equal(trust.valid_in_row, 0);
    assert_int_equal(trust.passed, 1);
    assert_int_equal(trust.flags, 0);
    did(&trust, VCS_TRUST_VALID);
    did(&trust, VCS_TRUST_WRONG);
    assert_int_equal(trust.valid_in_row, 0);
    assert_int_equal(trust.passed, 0);
    assert_int_equal(trust.flags, VCS_BLACKLISTED);
    assert_int_equal(trust.reason, VCS_REASON_OUTVOTED);
    assert_int_equal(trust.id, 5);
}

static void the_blacklist_is_left_by_pardon_alone(void **unused) {
    (void)unused;
    vcs_trust trust = {.id = 5};
    did(&trust, VCS_TRUST_WRONG);
    did(&trust, VCS_TRUST_VALID);
    did(&trust, VCS_TRUST_PASSED);
    assert_int_equal(trust.valid_in_row, 0);
    assert_int_equal(trust.passed, 0);
    assert_int_equal(trust.flags, VCS_BLACKLISTED);
    assert_int_equal(vcs_trust_update(&trust, VCS_TRUST_WRONG, VCS_REASON_CHECK_FAILED), VCS_OK);
    assert_int_equal(trust.reason, VCS_REASON_OUTVOTED); /* the first reason stays */
    trust = (vcs_trust){.id = trust.id};                 /* the pardon */
    did(&trust, VCS_TRUST_VALID);
    assert_int_equal(trust.valid_in_row, 1);
    assert_int_equal(trust.flags, 0);
}

/* The bit of the record of trust, copied as it is, keeps work and votes from a client wherever there is a flag. */
static void the_blacklist_is_one_flag(void **unused) {
    (void)unused;
    vcs_trust trust = {.id = 5};
    did(&trust, VCS_TRUST_WRONG);
    const uint32_t flag = trust.flags & VCS_BLACKLISTED;
    assert_int_equal(flag, 0x1);
    /* its reply and what it is sent (rule 10) */
    vcs_dispatch_rules rules;
    vcs_client client = {.flags = flag};
    vcs_pace pool = {0};
    vcs_dispatch_job job = {.complexity = 1, .client = VCS_NONE, .copy_of = VCS_NONE};
    const vcs_reply_times times = {.struct_size = sizeof times};
    uint32_t refused = 77;
    assert_int_equal(vcs_dispatch_rules_init(&rules, sizeof rules), VCS_OK);
    assert_int_equal(vcs_client_reply(&client, &pool, &times, &rules, 0, &refused, NULL), VCS_OK);
    assert_int_equal(refused, 1);
    assert_int_equal(vcs_job_send(&job, 0, &client, &pool, &rules, 0, NULL), VCS_ERR_UNSUPPORTED);
    /* its result (rule 11.1), and its vote (rule 11.2) */
    const vcs_check check = {.struct_size = sizeof check, .flags = flag, .method = VCS_VERIFY_NONE};
    vcs_verdict verdict = {.struct_size = sizeof verdict};
    assert_int_equal(vcs_verify(&check, &verdict, NULL), VCS_OK);
    assert_int_equal(verdict.reason, VCS_REASON_BLACKLISTED);
    const vcs_ballot ballot = {.id = 1, .flags = flag};
    const vcs_vote_terms terms = {.struct_size = sizeof terms, .copies = 1};
    vcs_ballot_verdict judged;
    vcs_vote_summary summary = {.struct_size = sizeof summary};
    uint32_t order;
    assert_int_equal(vcs_vote(ARRAY(&ballot, 1), &terms, &order, ARRAY(&judged, 1), &summary, NULL), VCS_OK);
    assert_int_equal(judged.reason, VCS_REASON_BLACKLISTED);
    /* for vcs_send_limits.flags, rule 9.1, see tests/vcsched/send/test_send.c */
}

static void counts_do_not_run_over(void **unused) {
    (void)unused;
    vcs_trust trust = {.passed = UINT64_MAX, .valid_in_row = UINT64_MAX};
    did(&trust, VCS_TRUST_PASSED);
    assert_true(trust.passed == UINT64_MAX && trust.valid_in_row == UINT64_MAX);
}

/* ---- Adaptive replication ---- */

static void ten_in_a_row_earn_trust(void **unused) {
    (void)unused;
    vcs_trust trust = {0};
    for (int n = 0; n < 10; n++) {
        assert_int_equal(trust.valid_in_row, n);
        assert_int_equal(reason_for_copy(&trust, ALMOST_ONE), VCS_REASON_NOT_TRUSTED_YET);
        did(&trust, VCS_TRUST_VALID);
    }
    /* n = 10: a copy with a probability of 1/10 */
    assert_int_equal(reason_for_copy(&trust, 0), VCS_REASON_DRAWN);
    assert_int_equal(reason_for_copy(&trust, 0.0999), VCS_REASON_DRAWN);
    assert_int_equal(reason_for_copy(&trust, 0.1), VCS_REASON_TRUSTED);
    assert_int_equal(reason_for_copy(&trust, ALMOST_ONE), VCS_REASON_TRUSTED);
    assert_int_equal(vcs_trust_needs_copy(&trust, 0.5, &(uint32_t){0}, NULL), VCS_OK);
    trust.valid_in_row = 1000;
    assert_int_equal(needs_copy(&trust, 0.0009), 1);
    assert_int_equal(needs_copy(&trust, 0.0011), 0);
    did(&trust, VCS_TRUST_ERROR);
    assert_int_equal(needs_copy(&trust, ALMOST_ONE), 1);
    trust = (vcs_trust){.valid_in_row = 1000, .flags = VCS_BLACKLISTED};
    assert_int_equal(reason_for_copy(&trust, ALMOST_ONE), VCS_REASON_BLACKLISTED);
}

static void copies_are_as_frequent_as_stated(void **unused) {
    (void)unused;
    enum { DRAWS = 1000000 };
    random_stream stream = {1};
    static const uint64_t rows[] = {10, 17, 250};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        vcs_trust trust = {.valid_in_row = rows[i]};
        uint32_t copies = 0;
        for (int k = 0; k < DRAWS; k++) {
            copies += needs_copy(&trust, random_draw(&stream));
        }
        double p = 1.0 / (double)rows[i];
        assert_true(fabs((double)copies / DRAWS - p) <= 3 * sqrt(p * (1 - p) / DRAWS));
    }
}

/* ---- Monotone ---- */

/* Trust, by any measure. */
static void assert_no_more_trusted(const vcs_trust *after, const vcs_trust *before, double u) {
    double credibility_after, credibility_before;
    assert_int_equal(vcs_credibility(after->passed, 0.3, &credibility_after), VCS_OK);
    assert_int_equal(vcs_credibility(before->passed, 0.3, &credibility_before), VCS_OK);
    assert_true(credibility_after <= credibility_before);
    assert_true(after->valid_in_row <= before->valid_in_row);
    assert_true(needs_copy(after, u) >= needs_copy(before, u));
    assert_true((after->flags & VCS_BLACKLISTED) >= (before->flags & VCS_BLACKLISTED));
}

static void an_error_never_raises_trust(void **unused) {
    (void)unused;
    random_stream stream = {2};
    for (int round = 0; round < 2000; round++) {
        vcs_trust trust = {0};
        for (int step = 0; step < 50; step++) {
            uint32_t outcome = random_below(&stream, 20);
            vcs_trust before = trust;
            outcome = outcome < 12 ? VCS_TRUST_VALID : outcome < 18 ? VCS_TRUST_PASSED : outcome - 16; /* an error */
            did(&trust, outcome);
            double u = random_draw(&stream);
            if (outcome == VCS_TRUST_ERROR || outcome == VCS_TRUST_WRONG) {
                assert_no_more_trusted(&trust, &before, u);
            } else {
                assert_no_more_trusted(&before, &trust, u);
            }
        }
    }
}

/* ---- Bad input ---- */

static void refuses_bad_records(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_trust, flags, 2, VCS_ERR_FLAGS),
        BAD_WORD(vcs_trust, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_trust trust = {.valid_in_row = 20};
        spoil(&trust, &table[i]);
        vcs_trust before = trust;
        uint32_t needed = 77, reason = 77;
        assert_int_equal(vcs_trust_update(&trust, VCS_TRUST_VALID, 0), table[i].code);
        assert_int_equal(vcs_trust_needs_copy(&trust, 0.5, &needed, &reason), table[i].code);
        assert_memory_equal(&trust, &before, sizeof trust);
        assert_true(needed == 77 && reason == 77);
    }
}

static void refuses_bad_arguments(void **unused) {
    (void)unused;
    vcs_trust trust = {.valid_in_row = 20}, before = trust;
    uint32_t answer = 77, reason = 77;
    assert_int_equal(vcs_trust_update(NULL, VCS_TRUST_VALID, 0), VCS_ERR_NULL);
    assert_int_equal(vcs_trust_update(&trust, 4, 0), VCS_ERR_FLAGS);
    assert_int_equal(vcs_trust_needs_copy(NULL, 0, &answer, &reason), VCS_ERR_NULL);
    assert_int_equal(vcs_trust_needs_copy(&trust, 0, NULL, &reason), VCS_ERR_NULL);
    static const struct {
        double u;
        int code;
    } table[] = {
        {(double)NAN, VCS_ERR_NOT_FINITE},
        {-0.1, VCS_ERR_RANGE},
        {1, VCS_ERR_RANGE},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        assert_int_equal(vcs_trust_needs_copy(&trust, table[i].u, &answer, &reason), table[i].code);
    }
    assert_memory_equal(&trust, &before, sizeof trust);
    assert_true(answer == 77 && reason == 77);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_counted),        cmocka_unit_test(the_blacklist_is_left_by_pardon_alone),
        cmocka_unit_test(the_blacklist_is_one_flag),   cmocka_unit_test(counts_do_not_run_over),
        cmocka_unit_test(ten_in_a_row_earn_trust),     cmocka_unit_test(copies_are_as_frequent_as_stated),
        cmocka_unit_test(an_error_never_raises_trust), cmocka_unit_test(refuses_bad_records),
        cmocka_unit_test(refuses_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
