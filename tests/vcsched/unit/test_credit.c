/*
 * Credit (rule 8.8), worked by hand: by claims, fixed, and what becomes of it later.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"
#include "oracle/oracle_transition.h"
#include "support/unit_life.h"

#include <vcsched/unit.h>

#define NOW 1000.0
#define MOST 12

static vcs_result results[MOST];

static void set_claims(const double *claims, uint32_t count) {
    memset(results, 0, sizeof results);
    for (uint32_t i = 0; i < count; i++) {
        results[i].claimed = claims[i];
    }
}

static double granted(uint32_t count, double cap) {
    double answer = -1;
    assert_int_equal(vcs_credit_granted(ARRAY(results, count), cap, &answer, NULL), VCS_OK);
    return answer;
}

/* ---- The rule alone ---- */

static void by_claims(void **unused) {
    (void)unused;
    const struct {
        uint32_t count;
        double claims[6], cap, granted;
    } table[] = {
        {0, {0}, 0, 0},
        {1, {7}, 0, 7},
        {1, {7}, 5, 5},
        {1, {7}, 9, 7},
        {1, {0}, 9, 0},
        {2, {7, 4}, 0, 4},
        {2, {7, 4}, 3, 4}, /* the cap is for those that are alone */
        {3, {7, 4, 100}, 0, 7},
        {4, {10, 14, 30, 18}, 0, 16},  /* (14 + 18) / 2 */
        {5, {0, 1, 2, 6, 1e30}, 0, 3}, /* (1 + 2 + 6) / 3 */
        {4, {5, 5, 5, 9}, 0, 5},
        {5, {0.1, 0.1, 0.1, 0.1, 0.1}, 0, 0.1}, /* not 0.30000000000000004 / 3 */
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        set_claims(table[i].claims, table[i].count);
        assert_true(granted(table[i].count, table[i].cap) == table[i].granted);
    }
}

/* The oracle's answer, whatever the order; and never above the second highest claim, nor below the second lowest. */
static void in_any_order(void **unused) {
    (void)unused;
    random_stream stream = {88};
    for (uint32_t run = 0; run < 20000; run++) {
        double claims[MOST];
        const uint32_t count = random_below(&stream, MOST + 1);
        for (uint32_t i = 0; i < count; i++) {
            claims[i] = random_below(&stream, 4) == 0 ? random_below(&stream, 3) : 100 * random_draw(&stream);
        }
        if (count > 1) {
            claims[0] = -0.0;
        }
        const double cap = random_below(&stream, 2) * 50.0, expected = oracle_credit(claims, count, cap);
        for (uint32_t turn = 0; turn < count; turn++) {
            const double first = claims[0];
            memmove(claims, claims + 1, (count - 1) * sizeof *claims);
            claims[count - 1] = first;
            set_claims(claims, count);
            const double answer = granted(count, cap);
            assert_true(answer == expected && !signbit(answer));
        }
    }
}

static void bad_arguments(void **unused) {
    (void)unused;
    const double right[] = {1, 2, 3}, wrong[] = {-1, 2e30, (double)NAN, (double)INFINITY};
    const uint32_t size = sizeof *results;
    vcs_error error = {.struct_size = sizeof error};
    double answer = 77;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        const int code = i < 2 ? VCS_ERR_RANGE : VCS_ERR_NOT_FINITE;
        set_claims(right, 3);
        assert_int_equal(vcs_credit_granted(ARRAY_OF(results, size, 3), wrong[i], &answer, &error), code);
        assert_string_equal(error.message, "max_single_claim is out of range");
        results[1].claimed = wrong[i];
        assert_int_equal(vcs_credit_granted(ARRAY_OF(results, size, 3), 0, &answer, &error), code);
        assert_int_equal(error.index, 1);
        assert_string_equal(error.message, "result 1: claimed is out of range");
    }
    set_claims(right, 3);
    assert_int_equal(vcs_credit_granted(ARRAY_OF(NULL, size, 3), 0, &answer, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_credit_granted(ARRAY_OF(results, size - 8, 3), 0, &answer, NULL), VCS_ERR_ABI_OLDER);
    assert_true(answer == 77);
    assert_int_equal(vcs_credit_granted(ARRAY_OF(results, size, 3), 0, NULL, &error), VCS_ERR_NULL);
    assert_string_equal(error.message, "granted is NULL");
    assert_int_equal(vcs_credit_granted(NO_RECORDS, 0, &answer, NULL), VCS_OK);
    error.struct_size = 8;
    assert_int_equal(vcs_credit_granted(ARRAY_OF(results, size, 3), 0, &answer, &error), VCS_ERR_ABI_OLDER);
}

/* ---- In the life of a unit ---- */

static unit_model m;

/* M successes of M wanted, which claim 10, 14, 30, 18. */
static void begin_claimed(uint32_t quorum) {
    static const double claims[] = {10, 14, 30, 18};
    model_begin(&m, (model_parameters){quorum, quorum, 5, 12, 12, 3600});
    model_create(&m, 0);
    model_transition(&m, 0);
    for (uint32_t i = 0; i < quorum; i++) {
        model_send(&m, i, 0);
        model_claim(&m, i, claims[i], 1);
    }
    model_transition(&m, 1);
}

static void assert_granted(uint32_t i, double credit) {
    assert_true(m.results[i].granted == credit);
    assert_int_equal(m.results[i].credited, m.results[i].validate_state == VCS_VALIDATE_VALID);
    assert_true(model_is_right(&m));
}

/* The claim of the one that is wrong does not count, however modest it is. */
static void at_the_consensus(void **unused) {
    (void)unused;
    begin_claimed(4);
    m.unit.min_quorum = 2;
    model_validate(&m, (const uint32_t[MODEL_MOST]){9, 1, 1, 1}, 2);
    assert_granted(0, 0);
    for (uint32_t i = 1; i < 4; i++) {
        assert_granted(i, 18);
    }
}

/* Whoever is right later gets what the others got, whatever he claims. */
static void afterwards(void **unused) {
    (void)unused;
    begin_claimed(2);
    uint32_t late = model_add(&m, 1);
    model_send(&m, late, 1);
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1}, 2);
    model_claim(&m, late, 3, 3);
    model_transition(&m, 3);
    m.unit.credit_rule = VCS_CREDIT_FIXED; /* too late: it is fixed at the consensus */
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1, 1}, 3);
    assert_granted(1, 10);
    assert_granted(late, 10);
}

static void alone_or_fixed(void **unused) {
    (void)unused;
    const struct {
        uint32_t rule;
        double cap, granted;
    } table[] = {{VCS_CREDIT_CLAIMS, 0, 10}, {VCS_CREDIT_CLAIMS, 6, 6}, {VCS_CREDIT_FIXED, 6, 2.5}};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        begin_claimed(1);
        m.unit.credit_rule = table[i].rule;
        m.unit.max_single_claim = table[i].cap;
        m.unit.fixed_credit = 2.5;
        model_validate(&m, (const uint32_t[MODEL_MOST]){1}, 2);
        assert_granted(0, table[i].granted);
    }
}

/* 10, 14 and 30 are right: 14. Without the second: of 10 and 30 the lesser. */
static void until_a_host_is_caught(void **unused) {
    (void)unused;
    begin_claimed(3);
    m.unit.min_quorum = 2;
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1, 1}, 2);
    assert_granted(2, 14);
    withdraw_as_the_oracle_does(&m, 1, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_granted(i, 0);
    }
    model_transition(&m, 3);
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1, 1}, 4);
    assert_granted(0, 10);
    assert_granted(1, 0);
    assert_granted(2, 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_claims),
        cmocka_unit_test(in_any_order),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(at_the_consensus),
        cmocka_unit_test(afterwards),
        cmocka_unit_test(alone_or_fixed),
        cmocka_unit_test(until_a_host_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
