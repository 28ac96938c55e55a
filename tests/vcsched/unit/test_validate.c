/*
 * Validation (rule 8.4): quorum rules, verdicts, credit.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"
#include "oracle/oracle_transition.h"
#include "support/unit_model.h"

#include <stdbool.h>

#define NOW 1000.0

static unit_model m;

/* A unit with this many unchecked successes, and the same number of copies at most. */
static void begin_successes(uint32_t quorum, uint32_t target, uint32_t count) {
    model_begin(&m, (model_parameters){quorum, target, 5, 12, 12, 3600});
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = model_add(&m, 0);
        m.results[k].server_state = VCS_RESULT_OVER;
        m.results[k].outcome = VCS_OUTCOME_SUCCESS;
    }
    m.unit.need_validate = 1;
}

static void validate(const uint32_t *classes) {
    model_validate(&m, classes, NOW);
    assert_int_equal(m.unit.need_validate, 0);
    assert_true(m.unit.transition_time == NOW);
    assert_true(model_is_right(&m));
}

/* ---- What a consensus is ---- */

static void quorum_rules(void **unused) {
    (void)unused;
    const struct {
        uint32_t rule, quorum, count;
        uint32_t classes[6];
        double weights[6], threshold;
        uint64_t canonical; /* its id; 0 = no consensus */
    } table[] = {
        /* more than half, and M */
        {VCS_QUORUM_MAJORITY, 1, 1, {9}, {0}, 0, 1},
        {VCS_QUORUM_MAJORITY, 2, 2, {9, 9}, {0}, 0, 1},
        {VCS_QUORUM_MAJORITY, 2, 2, {9, 8}, {0}, 0, 0},
        {VCS_QUORUM_MAJORITY, 2, 3, {8, 9, 9}, {0}, 0, 2},
        {VCS_QUORUM_MAJORITY, 2, 4, {8, 9, 9, 8}, {0}, 0, 0}, /* half is not more than half */
        {VCS_QUORUM_MAJORITY, 2, 5, {1, 9, 9, 2, 3}, {0}, 0, 0},
        {VCS_QUORUM_MAJORITY, 2, 5, {1, 9, 9, 2, 9}, {0}, 0, 2},
        {VCS_QUORUM_MAJORITY, 3, 3, {9, 9, 8}, {0}, 0, 0}, /* 2 of 3, but M is 3 */
        {VCS_QUORUM_MAJORITY, 2, 1, {9}, {0}, 0, 0},
        {VCS_QUORUM_MAJORITY, 1, 2, {VCS_NONE, 9}, {0}, 0, 2}, /* who cannot be compared does not vote */
        {VCS_QUORUM_MAJORITY, 1, 3, {VCS_CLASS_WRONG, VCS_CLASS_WRONG, 9}, {0}, 0, 3},
        /* M */
        {VCS_QUORUM_EQUAL, 2, 5, {1, 9, 9, 2, 3}, {0}, 0, 2},
        {VCS_QUORUM_EQUAL, 3, 5, {1, 9, 9, 2, 3}, {0}, 0, 0},
        {VCS_QUORUM_EQUAL, 2, 5, {8, 8, 9, 9, 9}, {0}, 0, 3},    /* both have M: the larger one */
        {VCS_QUORUM_EQUAL, 2, 4, {8, 9, 9, 8}, {0}, 0, 0},       /* both have M: neither */
        {VCS_QUORUM_EQUAL, 2, 6, {8, 7, 9, 8, 9, 8}, {0}, 0, 1}, /* 3 against 2 */
        {VCS_QUORUM_EQUAL, 1, 2, {8, 9}, {0}, 0, 0},
        /* the sum of the weights */
        {VCS_QUORUM_WEIGHTED, 1, 1, {9}, {0.75}, 0.75, 1},
        {VCS_QUORUM_WEIGHTED, 1, 1, {9}, {0.5}, 0.75, 0},
        {VCS_QUORUM_WEIGHTED, 1, 3, {8, 9, 8}, {0.25, 0.75, 0.25}, 0.75, 2}, /* 0.75 against 0.5 */
        {VCS_QUORUM_WEIGHTED, 1, 3, {8, 9, 8}, {0.5, 1, 0.5}, 0.75, 0},      /* 1 against 1 */
        {VCS_QUORUM_WEIGHTED, 1, 3, {8, 9, 8}, {0.5, 0.75, 0.5}, 0.75, 1},   /* 1 against 0.75, both enough */
        {VCS_QUORUM_WEIGHTED, 2, 1, {9}, {5}, 0.75, 0},                      /* not compared before there are M */
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        begin_successes(table[i].quorum, table[i].quorum, table[i].count);
        m.unit.quorum_rule = table[i].rule;
        m.unit.quorum_weight = table[i].threshold;
        for (uint32_t k = 0; k < table[i].count; k++) {
            m.results[k].weight = table[i].weights[k];
        }
        validate(table[i].classes);
        assert_true(m.unit.canonical == table[i].canonical);
        assert_int_equal(m.unit.assimilate_state,
                         table[i].canonical != 0 ? VCS_ASSIMILATE_READY : VCS_ASSIMILATE_INIT);
    }
}

/* ---- Verdicts ---- */

static void assert_verdict(uint32_t i, uint32_t outcome, uint32_t validate_state, uint32_t credited) {
    assert_int_equal(m.results[i].outcome, outcome);
    assert_int_equal(m.results[i].validate_state, validate_state);
    assert_int_equal(m.results[i].credited, credited);
}

static void a_consensus_judges_all(void **unused) {
    (void)unused;
    begin_successes(2, 3, 5);
    const uint32_t unsent = model_add(&m, 0), inactive = model_add(&m, 0), in_progress = model_add(&m, 0);
    m.results[unsent].server_state = VCS_RESULT_UNSENT;
    m.results[in_progress].server_state = VCS_RESULT_IN_PROGRESS;
    m.results[1].validate_state = VCS_VALIDATE_INCONCLUSIVE;
    validate((const uint32_t[]){4, 7, 7, VCS_NONE, 7, 7, 7, 7});
    assert_true(m.unit.canonical == m.results[1].id);
    assert_verdict(0, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INVALID, 0);
    assert_verdict(1, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_VALID, 1);
    assert_verdict(2, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_VALID, 1);
    assert_verdict(3, VCS_OUTCOME_VALIDATE_ERROR, VCS_VALIDATE_ERROR, 0);
    assert_verdict(4, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_VALID, 1);
    assert_verdict(unsent, VCS_OUTCOME_DIDNT_NEED, VCS_VALIDATE_INIT, 0);
    assert_verdict(inactive, VCS_OUTCOME_DIDNT_NEED, VCS_VALIDATE_INIT, 0);
    assert_int_equal(m.results[in_progress].server_state, VCS_RESULT_IN_PROGRESS);
    assert_int_equal(m.made, 0);
    assert_true(model_says(&m, VCS_REASON_CANONICAL) && model_says(&m, VCS_REASON_DIFFERS) &&
                model_says(&m, VCS_REASON_NOT_COMPARABLE));
}

static uint32_t changes_of(uint32_t field) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m.answers; i++) {
        count += m.changes[i].field == field;
    }
    return count;
}

/* N = max(N, successes + 1), at most B; more than C is the end. What stays as it is is no change. */
static void without_a_consensus(void **unused) {
    (void)unused;
    const struct {
        uint32_t count, target, total, successes; /* N, B, C */
        uint32_t new_target, error_mask;
    } table[] = {
        {2, 2, 9, 9, 3, 0}, {2, 5, 9, 9, 5, 0}, {4, 3, 9, 9, 5, 0}, {3, 3, 4, 9, 4, 0},
        {3, 3, 3, 9, 3, 0}, {4, 3, 4, 9, 4, 0}, {3, 3, 9, 3, 4, 0}, {3, 3, 9, 2, 3, VCS_UNIT_TOO_MANY_SUCCESSES},
        {2, 2, 9, 0, 2, VCS_UNIT_TOO_MANY_SUCCESSES},
    };
    const uint32_t classes[] = {1, 2, 3, 4};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        begin_successes(2, table[i].target, table[i].count);
        m.unit.max_total = table[i].total;
        m.unit.max_success = table[i].successes;
        validate(classes);
        assert_int_equal(m.unit.target_nresults, table[i].new_target);
        assert_int_equal(changes_of(VCS_FIELD_UNIT_TARGET_NRESULTS), table[i].new_target != table[i].target);
        assert_int_equal(m.unit.error_mask, table[i].error_mask);
        for (uint32_t k = 0; k < table[i].count; k++) {
            assert_verdict(k, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INCONCLUSIVE, 0);
        }
    }
}

/* Three different results, and no fourth may be made: the unit fails at its next transition. */
static void all_have_come_and_disagree(void **unused) {
    (void)unused;
    begin_successes(2, 2, 3);
    m.unit.max_total = 3;
    validate((const uint32_t[]){1, 2, 3});
    assert_int_equal(m.unit.error_mask, 0);
    model_transition(&m, NOW + 1);
    assert_int_equal(m.unit.error_mask, VCS_UNIT_TOO_MANY_TOTAL);
    assert_true(model_says(&m, VCS_REASON_QUORUM_OUT_OF_REACH));
}

/* Somebody lowered N since: even so, one copy more than there are is made. */
static void an_undecided_unit_goes_on(void **unused) {
    (void)unused;
    begin_successes(2, 2, 3);
    m.results[0].validate_state = VCS_VALIDATE_INCONCLUSIVE;
    validate((const uint32_t[]){1, 2, 3});
    assert_int_equal(m.answers, 5); /* two verdicts, for the first has it already; N; need_validate; transition_time */
    m.unit.target_nresults = 2;
    model_transition(&m, NOW + 1);
    assert_int_equal(m.made, 1);
}

static void fewer_than_the_quorum_are_not_compared(void **unused) {
    (void)unused;
    begin_successes(2, 2, 2);
    validate((const uint32_t[]){1, VCS_NONE});
    assert_verdict(0, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INIT, 0);
    assert_verdict(1, VCS_OUTCOME_VALIDATE_ERROR, VCS_VALIDATE_ERROR, 0);
    assert_int_equal(m.unit.target_nresults, 2);
    model_transition(&m, NOW + 1);
    assert_int_equal(m.made, 1);
}

static void begin_with_canonical(void) {
    begin_successes(2, 2, 5);
    m.unit.canonical = m.results[0].id;
    m.unit.assimilate_state = VCS_ASSIMILATE_READY;
    m.results[0].validate_state = VCS_VALIDATE_VALID;
    m.results[0].credited = 1;
}

static void later_results_are_compared_with_it(void **unused) {
    (void)unused;
    begin_with_canonical();
    m.results[4].validate_state = VCS_VALIDATE_INCONCLUSIVE;
    validate((const uint32_t[]){3, 3, 4, VCS_NONE, VCS_CLASS_WRONG});
    assert_verdict(0, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_VALID, 1);
    assert_verdict(1, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_VALID, 1);
    assert_verdict(2, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INVALID, 0);
    assert_verdict(3, VCS_OUTCOME_VALIDATE_ERROR, VCS_VALIDATE_ERROR, 0);
    assert_verdict(4, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INVALID, 0);
    assert_true(m.unit.canonical == m.results[0].id);
}

static void too_late_to_compare(void **unused) {
    (void)unused;
    const struct {
        uint32_t files, class_number, verdict;
    } table[] = {
        {VCS_FILES_INIT, 3, VCS_VALIDATE_VALID},     {VCS_FILES_READY, 3, VCS_VALIDATE_VALID},
        {VCS_FILES_DONE, 3, VCS_VALIDATE_TOO_LATE},  {VCS_FILES_ERROR, 3, VCS_VALIDATE_TOO_LATE},
        {VCS_FILES_INIT, VCS_NONE, VCS_VALIDATE_TOO_LATE},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        begin_with_canonical();
        m.unit.assimilate_state = VCS_ASSIMILATE_DONE;
        m.results[0].file_delete_state = table[i].files;
        validate((const uint32_t[]){table[i].class_number, 3, 3, 3, 3});
        for (uint32_t k = 1; k < 5; k++) {
            assert_verdict(k, VCS_OUTCOME_SUCCESS, table[i].verdict, table[i].verdict == VCS_VALIDATE_VALID);
        }
    }
}

/* The comparison fails on the second of three: it is invalid for a reason of its own, and the others go on. */
static void the_comparison_fails_on_one(void **unused) {
    (void)unused;
    begin_successes(2, 3, 3);
    validate((const uint32_t[]){1, VCS_CLASS_FAILED, 1});
    assert_true(m.unit.canonical == m.results[0].id);
    assert_verdict(0, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_VALID, 1);
    assert_verdict(1, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INVALID, 0);
    assert_verdict(2, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_VALID, 1);
    assert_true(model_says(&m, VCS_REASON_COMPARISON_FAILED));
    assert_true(!model_says(&m, VCS_REASON_WRONG) && !model_says(&m, VCS_REASON_DIFFERS));
    begin_successes(2, 2, 2); /* of two: another copy is made */
    validate((const uint32_t[]){1, VCS_CLASS_FAILED});
    assert_verdict(0, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INIT, 0);
    model_transition(&m, NOW + 1);
    assert_int_equal(m.made, 1);
    begin_with_canonical(); /* and beside a canonical result */
    validate((const uint32_t[]){3, 3, VCS_CLASS_FAILED, 3, 3});
    assert_verdict(2, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INVALID, 0);
    begin_with_canonical(); /* which cannot be read any more */
    validate((const uint32_t[]){VCS_CLASS_FAILED, 3, VCS_CLASS_FAILED, 3, 3});
    assert_verdict(1, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_TOO_LATE, 0);
    assert_verdict(2, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_TOO_LATE, 0);
}

static void assert_waits(const uint32_t *classes) {
    m.unit.compare_failures = 2;
    m.unit.compare_time = 17;
    model_validate(&m, classes, NOW);
    assert_int_equal(m.unit.need_validate, 1);
    assert_int_equal(m.unit.compare_failures, 2);
    assert_true(m.unit.compare_time == 17);
    assert_true(m.unit.transition_time == NOW);
    assert_true(model_is_right(&m));
}

/* What cannot be judged now stays pending, and with it the vote: it could turn out otherwise. */
static void one_is_to_be_judged_later(void **unused) {
    (void)unused;
    begin_successes(2, 3, 3);
    assert_waits((const uint32_t[]){1, VCS_CLASS_LATER, 1});
    assert_true(m.unit.canonical == 0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_verdict(i, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INIT, 0);
    }
    model_transition(&m, NOW + 1); /* nothing is missing, and nothing else is asked for */
    assert_int_equal(m.made, 0);
    assert_int_equal(m.unit.need_validate, 1);
    validate((const uint32_t[]){1, 2, 1});
    assert_verdict(1, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INVALID, 0);
    assert_int_equal(m.unit.compare_failures, 0);
    assert_true(m.unit.compare_time == 0);
    begin_successes(2, 3, 3); /* another one is wrong in any case */
    assert_waits((const uint32_t[]){VCS_CLASS_LATER, VCS_CLASS_FAILED, 1});
    assert_verdict(1, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INVALID, 0);
    begin_with_canonical(); /* each is compared on its own */
    assert_waits((const uint32_t[]){3, VCS_CLASS_LATER, 3, 4, 3});
    assert_verdict(1, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INIT, 0);
    assert_verdict(2, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_VALID, 1);
    assert_verdict(3, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INVALID, 0);
    begin_with_canonical(); /* but not without the canonical result */
    assert_waits((const uint32_t[]){VCS_CLASS_LATER, 3, VCS_CLASS_FAILED, 3, 3});
    for (uint32_t i = 1; i < 5; i++) {
        assert_verdict(i, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INIT, 0);
    }
    begin_successes(1, 1, 2); /* a failed unit waits for nothing */
    m.unit.error_mask = VCS_UNIT_CANCELLED;
    validate((const uint32_t[]){VCS_CLASS_LATER, 1});
}

static void a_failed_unit_is_left_alone(void **unused) {
    (void)unused;
    begin_successes(1, 1, 2);
    m.unit.error_mask = VCS_UNIT_CANCELLED;
    validate((const uint32_t[]){1, 1});
    assert_true(m.unit.canonical == 0);
    assert_verdict(0, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INIT, 0);
    assert_int_equal(m.answers, 2); /* need_validate and transition_time */
}

/* A validator that looks at units on its own account is served, too; only the mark cannot be taken off. */
static void a_unit_that_did_not_ask_is_judged(void **unused) {
    (void)unused;
    begin_successes(2, 2, 2);
    m.unit.need_validate = 0;
    validate((const uint32_t[]){1, 1});
    assert_true(m.unit.canonical == m.results[0].id);
    for (uint32_t i = 0; i < m.answers; i++) {
        assert_int_not_equal(m.changes[i].field, VCS_FIELD_UNIT_NEED_VALIDATE);
    }
}

/* ---- On random input ---- */

static void begin_random(random_stream *stream, uint32_t *classes) {
    const uint32_t quorum = 1 + random_below(stream, 3), count = random_below(stream, 10);
    begin_successes(quorum, quorum + random_below(stream, 3), count);
    const uint32_t with_later = random_below(stream, 3) == 0;
    m.unit.max_success = random_below(stream, 10);
    m.unit.compare_failures = random_below(stream, 2) * random_below(stream, 4);
    m.unit.compare_time = random_below(stream, 3) * NOW;
    m.unit.quorum_rule = random_below(stream, 3);
    m.unit.quorum_weight = 1 + random_below(stream, 4);
    for (uint32_t i = 0; i < count; i++) {
        static const uint32_t some[] = {1, 1, 1, 2, 2, 3, VCS_NONE, VCS_CLASS_WRONG, VCS_CLASS_FAILED, VCS_CLASS_LATER};
        classes[i] = some[random_below(stream, COUNT_OF(some) - !with_later)];
        m.results[i].weight = 0.5 * random_below(stream, 4);
        m.results[i].id = 1 + (i * UINT64_C(7) + 3) % 11; /* not in order */
        m.results[i].validate_state = random_below(stream, 2) ? VCS_VALIDATE_INIT : VCS_VALIDATE_INCONCLUSIVE;
    }
    if (count > 0 && random_below(stream, 4) == 0) {
        const uint32_t files[] = {VCS_FILES_INIT, VCS_FILES_INIT, VCS_FILES_READY, VCS_FILES_DONE, VCS_FILES_ERROR};
        m.unit.canonical = m.results[0].id;
        m.unit.assimilate_state = VCS_ASSIMILATE_DONE;
        m.unit.error_mask = random_below(stream, 4) == 0 ? VCS_UNIT_CANCELLED : 0;
        m.results[0].validate_state = VCS_VALIDATE_VALID;
        m.results[0].file_delete_state = files[random_below(stream, COUNT_OF(files))];
    } else if (random_below(stream, 8) == 0) {
        m.unit.error_mask = VCS_UNIT_CANCELLED;
    }
}

/* The same results in another order come to the same. */
static void check_turned(const unit_model *before, const uint32_t *classes) {
    static unit_model turned;
    uint32_t turned_classes[MODEL_MOST];
    turned = *before;
    for (uint32_t i = 0; i < before->count; i++) {
        turned.results[i] = before->results[before->count - 1 - i];
        turned_classes[i] = classes[before->count - 1 - i];
    }
    model_validate(&turned, turned_classes, NOW);
    assert_memory_equal(&turned.unit, &m.unit, sizeof m.unit);
    for (uint32_t i = 0; i < before->count; i++) {
        assert_memory_equal(&turned.results[i], &m.results[before->count - 1 - i], sizeof *m.results);
    }
}

static void as_the_oracle_in_any_order(void **unused) {
    (void)unused;
    static unit_model before, expected;
    random_stream stream = {84};
    uint32_t classes[MODEL_MOST];
    uint32_t consensuses = 0, later = 0;
    for (uint32_t run = 0; run < 100000; run++) {
        begin_random(&stream, classes);
        before = expected = m;
        model_validate(&m, classes, NOW);
        assert_true(m.unit.transition_time == NOW);
        assert_true(model_is_right(&m));
        oracle_validate(&expected.unit, expected.results, expected.count, classes, NOW);
        assert_memory_equal(&m.unit, &expected.unit, sizeof m.unit);
        assert_memory_equal(m.results, expected.results, sizeof m.results);
        check_turned(&before, classes);
        consensuses += before.unit.canonical == 0 && m.unit.canonical != 0;
        later += m.unit.need_validate;
    }
    assert_in_range(later, 5000, 50000);
    assert_in_range(consensuses, 10000, 90000); /* both ways are walked */
}

/* ---- Bad input ---- */

static void refuse(const uint32_t *classes, double now, uint32_t capacity, int code) {
    vcs_change changes[40], before[40];
    uint32_t count = 77;
    memset(changes, 0xa5, sizeof changes);
    memcpy(before, changes, sizeof changes);
    assert_int_equal(
        vcs_validate(&m.unit, ARRAY(m.results, m.count), classes, now, ARRAY(changes, capacity), &count, NULL), code);
    assert_int_equal(count, 77);
    assert_memory_equal(changes, before, sizeof changes);
}

static void bad_arguments(void **unused) {
    (void)unused;
    const uint32_t classes[] = {1, 1, 1};
    begin_successes(2, 2, 3);
    refuse(NULL, NOW, 40, VCS_ERR_NULL);
    refuse(classes, (double)NAN, 40, VCS_ERR_NOT_FINITE);
    refuse(classes, 1e16, 40, VCS_ERR_RANGE);
    refuse(classes, NOW, 18, VCS_ERR_COUNT);
    m.unit.quorum_rule = 3;
    refuse(classes, NOW, 40, VCS_ERR_FLAGS);
    m.unit.quorum_rule = VCS_QUORUM_WEIGHTED;
    refuse(classes, NOW, 40, VCS_ERR_RANGE); /* nothing would be enough */
    m.unit.quorum_rule = VCS_QUORUM_MAJORITY;
    m.results[2].id = m.results[0].id;
    refuse(classes, NOW, 40, VCS_ERR_DUPLICATE);
    m.results[2].id = 0;
    refuse(classes, NOW, 40, VCS_ERR_RANGE);
    m.results[2].id = 3;
    vcs_error error = {.struct_size = 8};
    vcs_change change;
    uint32_t count;
    assert_int_equal(vcs_validate(&m.unit, ARRAY(m.results, 3), classes, NOW, ARRAY(&change, 1), &count, &error),
                     VCS_ERR_ABI_OLDER);
}

static void a_unit_without_results(void **unused) {
    (void)unused;
    begin_successes(1, 1, 0);
    validate(NULL);
    assert_int_equal(m.answers, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quorum_rules),
        cmocka_unit_test(a_consensus_judges_all),
        cmocka_unit_test(without_a_consensus),
        cmocka_unit_test(all_have_come_and_disagree),
        cmocka_unit_test(an_undecided_unit_goes_on),
        cmocka_unit_test(fewer_than_the_quorum_are_not_compared),
        cmocka_unit_test(later_results_are_compared_with_it),
        cmocka_unit_test(too_late_to_compare),
        cmocka_unit_test(the_comparison_fails_on_one),
        cmocka_unit_test(one_is_to_be_judged_later),
        cmocka_unit_test(a_failed_unit_is_left_alone),
        cmocka_unit_test(a_unit_that_did_not_ask_is_judged),
        cmocka_unit_test(as_the_oracle_in_any_order),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(a_unit_without_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
