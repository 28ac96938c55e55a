/*
 * Whether a host should go on with a copy, and whether a unit may be removed (rule 8.9), worked by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"
#include "support/unit_model.h"

#include <vcsched/unit.h>

#define HOUR 3600.0

static unit_model m;

/* Two copies of a unit that needs two equal successes, in progress until 10 h. */
static void begin_in_progress(void) {
    model_begin(&m, (model_parameters){2, 2, 0, 4, 4, 10 * HOUR});
    model_create(&m, 0);
    model_transition(&m, 0);
    model_send(&m, 0, 0);
    model_send(&m, 1, 0);
}

static void assert_needed(uint32_t i, uint32_t expected, uint32_t expected_reason) {
    uint32_t needed = 99, reason = 99;
    assert_int_equal(vcs_result_needed(&m.unit, ARRAY(m.results, m.count), i, &needed, &reason, NULL), VCS_OK);
    assert_int_equal(needed, expected);
    assert_int_equal(reason, expected_reason);
    needed = 99;
    assert_int_equal(vcs_result_needed(&m.unit, ARRAY(m.results, m.count), i, &needed, NULL, NULL), VCS_OK);
    assert_int_equal(needed, expected);
}

static void assert_finished(uint32_t expected) {
    uint32_t finished = 99;
    assert_int_equal(vcs_unit_finished(&m.unit, ARRAY(m.results, m.count), &finished, NULL), VCS_OK);
    assert_int_equal(finished, expected);
}

/* The first copy is given up at 10 h. A third one is made and agrees with the second: there is a canonical result. */
static void a_copy_that_is_late(void **unused) {
    (void)unused;
    begin_in_progress();
    assert_needed(0, VCS_NEEDED_KEEP, VCS_REASON_STILL_NEEDED);
    model_report(&m, 1, VCS_REPORT_SUCCESS, HOUR);
    model_transition(&m, HOUR);
    assert_needed(0, VCS_NEEDED_KEEP, VCS_REASON_STILL_NEEDED);
    assert_needed(1, VCS_NEEDED_ABORT, VCS_REASON_REPORT_USELESS); /* it was reported already */
    model_transition(&m, 10 * HOUR);
    assert_int_equal(m.results[0].outcome, VCS_OUTCOME_NO_REPLY);
    assert_int_equal(m.count, 3);
    assert_needed(0, VCS_NEEDED_KEEP, VCS_REASON_STILL_NEEDED);    /* it may still come */
    assert_needed(2, VCS_NEEDED_ABORT, VCS_REASON_REPORT_USELESS); /* nobody was given it */
    model_send(&m, 2, 11 * HOUR);
    model_report(&m, 2, VCS_REPORT_SUCCESS, 12 * HOUR);
    model_transition(&m, 12 * HOUR);
    model_validate(&m, (const uint32_t[MODEL_MOST]){0, 5, 5}, 12 * HOUR);
    assert_true(m.unit.canonical != 0);
    assert_needed(0, VCS_NEEDED_ABORT, VCS_REASON_HAS_CANONICAL); /* too late to count */
}

/* M is 1, and there are two copies: when one has won, the other is still worth credit if it was begun. */
static void a_copy_beside_the_canonical_result(void **unused) {
    (void)unused;
    begin_in_progress();
    m.unit.min_quorum = 1;
    model_report(&m, 0, VCS_REPORT_SUCCESS, HOUR);
    model_transition(&m, HOUR);
    model_validate(&m, (const uint32_t[MODEL_MOST]){5, 5}, HOUR);
    assert_needed(1, VCS_NEEDED_ABORT_NOT_STARTED, VCS_REASON_HAS_CANONICAL);
}

static void a_copy_of_a_failed_unit(void **unused) {
    (void)unused;
    begin_in_progress();
    model_cancel(&m, HOUR);
    assert_needed(0, VCS_NEEDED_ABORT, VCS_REASON_UNIT_FAILED);
    model_transition(&m, 10 * HOUR);
    assert_int_equal(m.results[0].outcome, VCS_OUTCOME_NO_REPLY);
    assert_needed(0, VCS_NEEDED_ABORT, VCS_REASON_UNIT_FAILED);
    begin_in_progress();
    model_report(&m, 0, VCS_REPORT_DETACHED, HOUR);
    assert_needed(0, VCS_NEEDED_ABORT, VCS_REASON_REPORT_USELESS);
}

/* What a host is told to abort can change nothing: whatever it reports of it is only recorded. */
static void what_is_aborted_would_change_nothing(void **unused) {
    (void)unused;
    for (uint32_t error_mask = 0; error_mask <= VCS_UNIT_CANCELLED; error_mask += VCS_UNIT_CANCELLED) {
        for (uint32_t state = 0; state < MODEL_STATES; state++) {
            model_begin(&m, (model_parameters){1, 2, 5, 6, 6, 10 * HOUR});
            uint32_t i = model_add(&m, state);
            m.unit.error_mask = error_mask;
            uint32_t needed = 99;
            if (vcs_result_needed(&m.unit, ARRAY(m.results, m.count), i, &needed, NULL, NULL) != VCS_OK) {
                assert_false(model_is_right(&m));
                continue;
            }
            const vcs_unit_event report = {.struct_size = sizeof report,
                                           .kind = VCS_UNIT_EVENT_RECEIVED,
                                           .result = i,
                                           .report = VCS_REPORT_SUCCESS};
            const uint32_t outcome = m.results[i].outcome;
            if (m.results[i].server_state != VCS_RESULT_OVER || needed != VCS_NEEDED_ABORT) {
                continue;
            }
            assert_int_equal(model_handle(&m, m.results, m.count, report, HOUR, NULL), VCS_OK);
            for (uint32_t k = 0; k < m.answers; k++) {
                assert_true(m.changes[k].field == VCS_FIELD_RESULT_LATE_REPORT ||
                            m.changes[k].field == VCS_FIELD_RESULT_LATE_RECEIVED);
            }
            assert_int_equal(m.results[i].outcome, outcome);
        }
    }
}

/* ---- The end ---- */

/* One copy, assimilated at 2 h. Its input is deleted first, then its output, after an attempt that failed. */
static void a_unit_comes_to_its_end(void **unused) {
    (void)unused;
    model_begin(&m, (model_parameters){1, 1, 0, 1, 1, 10 * HOUR});
    assert_finished(0);
    model_create(&m, 0);
    model_transition(&m, 0);
    model_send(&m, 0, 0);
    model_report(&m, 0, VCS_REPORT_SUCCESS, HOUR);
    model_transition(&m, HOUR);
    model_validate(&m, (const uint32_t[MODEL_MOST]){5}, HOUR);
    assert_finished(0);
    model_assimilate(&m, 2 * HOUR);
    model_transition(&m, 2 * HOUR);
    assert_finished(0);
    model_delete_inputs(&m, VCS_DELETED, 3 * HOUR);
    assert_finished(0);
    model_delete_outputs(&m, 0, VCS_NOT_DELETED, 3 * HOUR);
    assert_finished(0); /* somebody has to look after that file */
    model_delete_outputs(&m, 0, VCS_DELETED, 4 * HOUR);
    assert_finished(1);
}

/* ---- Bad input ---- */

static void bad_input_writes_nothing(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = sizeof error};
    uint32_t needed = 99, reason = 99, finished = 99;
    begin_in_progress();
    assert_int_equal(vcs_result_needed(&m.unit, ARRAY(m.results, m.count), 2, &needed, &reason, &error), VCS_ERR_INDEX);
    assert_string_equal(error.message, "result 2: does not exist");
    assert_int_equal(vcs_result_needed(&m.unit, ARRAY(m.results, m.count), 0, NULL, &reason, &error), VCS_ERR_NULL);
    assert_string_equal(error.message, "needed is NULL");
    assert_int_equal(error.index, 0);
    assert_int_equal(vcs_result_needed(NULL, ARRAY(m.results, m.count), 0, &needed, &reason, &error), VCS_ERR_NULL);
    assert_int_equal(vcs_unit_finished(&m.unit, ARRAY(m.results, m.count), NULL, &error), VCS_ERR_NULL);
    assert_int_equal(vcs_unit_finished(NULL, ARRAY(m.results, m.count), &finished, &error), VCS_ERR_NULL);
    error.struct_size = 3;
    assert_int_equal(vcs_result_needed(&m.unit, ARRAY(m.results, m.count), 0, &needed, &reason, &error),
                     VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_unit_finished(&m.unit, ARRAY(m.results, m.count), &finished, &error), VCS_ERR_ABI_SIZE);
    error.struct_size = sizeof error;
    m.results[0].outcome = VCS_OUTCOME_SUCCESS;
    assert_int_equal(vcs_result_needed(&m.unit, ARRAY(m.results, m.count), 0, &needed, &reason, &error),
                     VCS_ERR_UNSUPPORTED);
    assert_int_equal(vcs_unit_finished(&m.unit, ARRAY(m.results, m.count), &finished, &error), VCS_ERR_UNSUPPORTED);
    assert_int_equal(needed, 99);
    assert_int_equal(reason, 99);
    assert_int_equal(finished, 99);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_that_is_late),
        cmocka_unit_test(a_copy_beside_the_canonical_result),
        cmocka_unit_test(a_copy_of_a_failed_unit),
        cmocka_unit_test(what_is_aborted_would_change_nothing),
        cmocka_unit_test(a_unit_comes_to_its_end),
        cmocka_unit_test(bad_input_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
