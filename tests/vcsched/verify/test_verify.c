/*
 * Verdicts on results, and how many copies a job gets (rules 11.1 and 11.2).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include <vcsched/reason.h>
#include <vcsched/verify.h>

/* ---- Verdicts ---- */

static vcs_check check_of(uint32_t method, uint32_t outcome) {
    return (vcs_check){.struct_size = sizeof(vcs_check), .method = method, .outcome = outcome};
}

static vcs_verdict verdict_on(const vcs_check *check) {
    vcs_verdict verdict = {.struct_size = sizeof verdict};
    assert_int_equal(vcs_verify(check, &verdict, NULL), VCS_OK);
    assert_int_equal(verdict.struct_size, sizeof verdict);
    return verdict;
}

static const struct {
    uint32_t method, outcome, action, flags, reason;
} rules[] = {
    {VCS_VERIFY_NONE, VCS_CHECK_NOT_MADE, VCS_ACTION_ACCEPT, 0, VCS_REASON_UNCHECKED},
    {VCS_VERIFY_DIRECT, VCS_CHECK_NOT_MADE, VCS_ACTION_EXAMINE, 0, VCS_REASON_TO_BE_EXAMINED},
    {VCS_VERIFY_DIRECT, VCS_CHECK_PASSED, VCS_ACTION_ACCEPT, 0, VCS_REASON_CHECK_PASSED},
    {VCS_VERIFY_DIRECT, VCS_CHECK_FAILED, VCS_ACTION_DISCARD, VCS_BLACKLIST_CLIENT, VCS_REASON_CHECK_FAILED},
    {VCS_VERIFY_INVERSE, VCS_CHECK_NOT_MADE, VCS_ACTION_SEND_CHECK, VCS_QUEUE_HEAD, VCS_REASON_TO_BE_INVERTED},
    {VCS_VERIFY_INVERSE, VCS_CHECK_PASSED, VCS_ACTION_ACCEPT, 0, VCS_REASON_CHECK_PASSED},
    {VCS_VERIFY_INVERSE, VCS_CHECK_FAILED, VCS_ACTION_DISCARD,
     VCS_BLACKLIST_CLIENT | VCS_BLACKLIST_CHECKER | VCS_QUEUE_HEAD, VCS_REASON_INVERSE_FAILED},
    {VCS_VERIFY_RECOMPUTATION, VCS_CHECK_NOT_MADE, VCS_ACTION_VOTE, 0, VCS_REASON_TO_BE_VOTED},
};

static void each_method_has_its_consequences(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        vcs_check check = check_of(rules[i].method, rules[i].outcome);
        vcs_verdict verdict = verdict_on(&check);
        assert_int_equal(verdict.action, rules[i].action);
        assert_int_equal(verdict.flags, rules[i].flags);
        assert_int_equal(verdict.reason, rules[i].reason);
    }
}

static void a_client_on_the_blacklist_is_not_listened_to(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        vcs_check check = check_of(rules[i].method, rules[i].outcome);
        check.flags = VCS_BLACKLISTED;
        vcs_verdict verdict = verdict_on(&check);
        assert_int_equal(verdict.action, VCS_ACTION_DISCARD);
        assert_int_equal(verdict.flags, 0);
        assert_int_equal(verdict.reason, VCS_REASON_BLACKLISTED);
    }
}

static void check_refused(const vcs_check *check, int code, uint32_t offset) {
    vcs_verdict verdict = {.struct_size = sizeof verdict, .action = 77}, before = verdict;
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_verify(check, &verdict, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, VCS_TYPE_CHECK);
    assert_int_equal(error.offset, offset);
    assert_memory_equal(&verdict, &before, sizeof verdict);
}

static void methods_without_a_check_have_no_outcome(void **unused) {
    (void)unused;
    static const uint32_t methods[] = {VCS_VERIFY_NONE, VCS_VERIFY_RECOMPUTATION};
    static const uint32_t outcomes[] = {VCS_CHECK_PASSED, VCS_CHECK_FAILED};
    for (size_t i = 0; i < 4; i++) {
        vcs_check check = check_of(methods[i % 2], outcomes[i / 2]);
        check_refused(&check, VCS_ERR_UNSUPPORTED, offsetof(vcs_check, outcome));
    }
}

static void refuses_bad_checks(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_check, struct_size, 0, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_check, struct_size, sizeof(vcs_check) - 8, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_check, flags, 2, VCS_ERR_FLAGS),
        BAD_WORD(vcs_check, method, 4, VCS_ERR_FLAGS),
        BAD_WORD(vcs_check, outcome, 3, VCS_ERR_FLAGS),
        BAD_WORD(vcs_check, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_check check = check_of(VCS_VERIFY_DIRECT, VCS_CHECK_PASSED);
        spoil(&check, &table[i]);
        check_refused(&check, table[i].code, (uint32_t)table[i].offset);
    }
    vcs_check check = check_of(VCS_VERIFY_NONE, VCS_CHECK_NOT_MADE);
    vcs_verdict verdict = {.struct_size = 8, .flags = 77};
    vcs_error error = {.struct_size = 8};
    check_refused(NULL, VCS_ERR_NULL, 0);
    assert_int_equal(vcs_verify(&check, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_verify(&check, &verdict, NULL), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_verify(&check, &verdict, &error), VCS_ERR_ABI_OLDER);
    assert_int_equal(verdict.flags, 77);
}

/* ---- Copies ---- */

static uint32_t copies_of(double factor, double u) {
    uint32_t copies = 0;
    assert_int_equal(vcs_copies(factor, u, &copies), VCS_OK);
    return copies;
}

static void a_factor_lies_between_two_numbers_of_copies(void **unused) {
    (void)unused;
    assert_int_equal(copies_of(1, 0), 1);
    assert_int_equal(copies_of(1, ALMOST_ONE), 1);
    assert_int_equal(copies_of(3, 0), 3);
    assert_int_equal(copies_of(3, ALMOST_ONE), 3);
    /* 1.25: checked with a probability of 1/4 */
    assert_int_equal(copies_of(1.25, 0), 2);
    assert_int_equal(copies_of(1.25, 0.25 - 0x1p-54), 2);
    assert_int_equal(copies_of(1.25, 0.25), 1);
    assert_int_equal(copies_of(1.25, ALMOST_ONE), 1);
    assert_int_equal(copies_of(2.5, 0.49), 3);
    assert_int_equal(copies_of(2.5, 0.5), 2);
    assert_int_equal(copies_of(999.5, 0.4), 1000);
    assert_int_equal(copies_of(VCS_MAX_COPIES, 0.4), VCS_MAX_COPIES);
    /* the least above 1 */
    assert_int_equal(copies_of(1 + 0x1p-52, 0), 2);
    assert_int_equal(copies_of(1 + 0x1p-52, 0x1p-52), 1);
}

/* One draw is ceil(r) or floor(r): its variance is d * (1 - d), d the fraction of r. */
static void the_mean_number_of_copies_is_the_factor(void **unused) {
    (void)unused;
    static const double factors[] = {1, 1.25, 2, 2.5, 3};
    enum { DRAWS = 1000000 };
    for (size_t i = 0; i < COUNT_OF(factors); i++) {
        random_stream stream = {i};
        uint64_t sum = 0;
        for (int k = 0; k < DRAWS; k++) {
            sum += copies_of(factors[i], random_draw(&stream));
        }
        const double part = factors[i] - floor(factors[i]);
        const double standard_error = sqrt(part * (1 - part) / DRAWS);
        assert_true(fabs((double)sum / DRAWS - factors[i]) <= 3 * standard_error);
    }
}

static void refuses_bad_factors(void **unused) {
    (void)unused;
    static const struct {
        double factor, u;
        int code;
    } table[] = {
        {(double)NAN, 0, VCS_ERR_NOT_FINITE}, {(double)INFINITY, 0, VCS_ERR_NOT_FINITE}, {0, 0, VCS_ERR_RANGE},
        {1 - 0x1p-53, 0, VCS_ERR_RANGE},      {-2, 0, VCS_ERR_RANGE},                    {1000.5, 0, VCS_ERR_RANGE},
        {2, (double)NAN, VCS_ERR_NOT_FINITE}, {2, -0.1, VCS_ERR_RANGE},                  {2, 1, VCS_ERR_RANGE},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        uint32_t copies = 77;
        assert_int_equal(vcs_copies(table[i].factor, table[i].u, &copies), table[i].code);
        assert_int_equal(copies, 77);
    }
    assert_int_equal(vcs_copies(2, 0, NULL), VCS_ERR_NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_method_has_its_consequences),
        cmocka_unit_test(a_client_on_the_blacklist_is_not_listened_to),
        cmocka_unit_test(methods_without_a_check_have_no_outcome),
        cmocka_unit_test(refuses_bad_checks),
        cmocka_unit_test(a_factor_lies_between_two_numbers_of_copies),
        cmocka_unit_test(the_mean_number_of_copies_is_the_factor),
        cmocka_unit_test(refuses_bad_factors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
