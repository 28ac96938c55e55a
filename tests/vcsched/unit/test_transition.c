/*
 * Transitions and events (rules 8.2, 8.3, 8.5, 8.6), worked by hand.
 *
 * Times are written in hours.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"
#include "support/unit_model.h"

#include <stdbool.h>

#define HOUR 3600.0
#define DAY 86400.0
/* Daemons of a server look at a unit a minute after something happened to it. */
#define MINUTE 60.0

#define ONE_CLASS ((const uint32_t[MODEL_MOST]){1, 1, 1, 1, 1, 1, 1, 1})
#define NEVER ((double)INFINITY)

/* Times are exact, and may be infinite. */
#define assert_time(actual, expected) assert_true((actual) == (expected))

static unit_model m;

/* Quorum 2, target 3, delay 10 hours: created at 0, three copies sent immediately. */
static void begin_three(void) {
    model_begin(&m, (model_parameters){2, 3, 5, 8, 6, 10 * HOUR});
    model_create(&m, 0);
    model_transition(&m, 1);
    assert_int_equal(m.made, 3);
    for (uint32_t i = 0; i < 3; i++) {
        model_send(&m, i, 2);
    }
}

static void assert_result(uint32_t i, uint32_t server_state, uint32_t outcome, uint32_t validate_state) {
    assert_int_equal(m.results[i].server_state, server_state);
    assert_int_equal(m.results[i].outcome, outcome);
    assert_int_equal(m.results[i].validate_state, validate_state);
}

static void assert_valid(uint32_t i) {
    assert_result(i, VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_VALID);
    assert_int_equal(m.results[i].credited, 1);
}

static void report(uint32_t i, uint32_t what, double when) {
    model_report(&m, i, what, when);
    model_transition(&m, when + MINUTE);
}

static void validate(double when) {
    assert_int_equal(m.unit.need_validate, 1);
    model_validate(&m, ONE_CLASS, when);
    model_transition(&m, when + MINUTE);
}

static void assimilate(double when) {
    model_assimilate(&m, when);
    model_transition(&m, when + MINUTE);
}

static void assert_files(uint32_t inputs, uint32_t first, uint32_t second, uint32_t third) {
    assert_int_equal(m.unit.file_delete_state, inputs);
    assert_int_equal(m.results[0].file_delete_state, first);
    assert_int_equal(m.results[1].file_delete_state, second);
    assert_int_equal(m.results[2].file_delete_state, third);
}

/* ---- Three timelines ---- */

static void all_three_succeed(void **unused) {
    (void)unused;
    begin_three();
    assert_time(m.unit.transition_time, 2 + 10 * HOUR); /* the deadline of what was sent */
    report(0, VCS_REPORT_SUCCESS, 7 * HOUR);
    assert_int_equal(m.unit.need_validate, 0); /* 1 of 2 */
    report(1, VCS_REPORT_SUCCESS, 8 * HOUR);
    validate(8 * HOUR + 2 * MINUTE);
    assert_true(m.unit.canonical == m.results[0].id);
    assert_valid(0);
    assert_valid(1);
    assert_int_equal(m.count, 3); /* no other copy is wanted */
    assimilate(9 * HOUR);
    assert_files(VCS_FILES_INIT, VCS_FILES_INIT, VCS_FILES_READY, VCS_FILES_INIT); /* the third may still come */
    report(2, VCS_REPORT_SUCCESS, 10 * HOUR);
    assert_files(VCS_FILES_INIT, VCS_FILES_INIT, VCS_FILES_READY, VCS_FILES_INIT);
    validate(10 * HOUR + 2 * MINUTE);
    assert_valid(2);
    assert_files(VCS_FILES_READY, VCS_FILES_READY, VCS_FILES_READY, VCS_FILES_READY);
    assert_time(m.unit.transition_time, NEVER);
}

static void the_second_is_lost(void **unused) {
    (void)unused;
    begin_three();
    report(0, VCS_REPORT_SUCCESS, 7 * HOUR);
    report(2, VCS_REPORT_SUCCESS, 9 * HOUR);
    validate(9 * HOUR + 2 * MINUTE);
    assimilate(9.5 * HOUR);
    assert_files(VCS_FILES_INIT, VCS_FILES_INIT, VCS_FILES_INIT, VCS_FILES_READY);
    assert_time(m.unit.transition_time, 2 + 10 * HOUR);
    model_transition(&m, 1 + 10 * HOUR); /* not due before its deadline */
    assert_int_equal(m.answers, 0);
    model_transition(&m, 2 + 10 * HOUR);
    assert_result(1, VCS_RESULT_OVER, VCS_OUTCOME_NO_REPLY, VCS_VALIDATE_INIT);
    assert_files(VCS_FILES_READY, VCS_FILES_READY, VCS_FILES_READY, VCS_FILES_READY);
    assert_int_equal(m.count, 3);
    assert_time(m.unit.transition_time, NEVER);
}

static void one_fails(void **unused) {
    (void)unused;
    begin_three();
    report(0, VCS_REPORT_CLIENT_ERROR, 5 * HOUR);
    assert_result(0, VCS_RESULT_OVER, VCS_OUTCOME_CLIENT_ERROR, VCS_VALIDATE_INVALID);
    assert_int_equal(m.made, 1);
    model_send(&m, 3, 5.5 * HOUR);
    report(1, VCS_REPORT_SUCCESS, 7 * HOUR);
    report(2, VCS_REPORT_SUCCESS, 8 * HOUR);
    validate(8 * HOUR + 2 * MINUTE);
    assert_true(m.unit.canonical == m.results[1].id);
    assert_result(3, VCS_RESULT_IN_PROGRESS, VCS_OUTCOME_INIT, VCS_VALIDATE_INIT);
    assert_time(m.unit.transition_time, 15.5 * HOUR);
}

/* ---- When a unit fails, and when it does not ---- */

static void one_wrong_result_is_replaced(void **unused) {
    (void)unused;
    model_begin(&m, (model_parameters){1, 1, 0, 3, 3, HOUR});
    model_create(&m, 0);
    model_transition(&m, 1);
    model_send(&m, 0, 2);
    report(0, VCS_REPORT_SUCCESS, 3);
    const uint32_t wrong = VCS_CLASS_WRONG;
    model_validate(&m, &wrong, 70);
    assert_result(0, VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INVALID);
    model_transition(&m, 71);
    assert_int_equal(m.made, 1);
    assert_int_equal(m.unit.error_mask, 0);
}

static void the_sixth_error_of_five(void **unused) {
    (void)unused;
    model_begin(&m, (model_parameters){1, 1, 5, 20, 3, HOUR});
    model_create(&m, 0);
    model_transition(&m, 1);
    for (uint32_t i = 0; i < 6; i++) {
        double when = (i + 1) * 1000.0;
        assert_int_equal(m.count, i + 1);
        assert_int_equal(m.unit.error_mask, 0);
        model_send(&m, i, when);
        report(i, VCS_REPORT_CLIENT_ERROR, when + 1);
    }
    assert_int_equal(m.unit.error_mask, VCS_UNIT_TOO_MANY_ERRORS);
    assert_int_equal(m.unit.assimilate_state, VCS_ASSIMILATE_READY);
    assert_int_equal(m.count, 6);
    assert_true(model_says(&m, VCS_REASON_TOO_MANY_ERRORS));
    model_cancel(&m, 8000); /* it may fail for more than one reason */
    assert_int_equal(m.unit.error_mask, VCS_UNIT_TOO_MANY_ERRORS | VCS_UNIT_CANCELLED);
}

/* M 2, N 3, B 4. One is wanted and none may be made: 3 - 2 = 1, 4 - 4 = 0. */
static void two_errors_and_two_in_progress(void **unused) {
    (void)unused;
    model_begin(&m, (model_parameters){2, 3, 5, 4, 3, HOUR});
    model_create(&m, 0);
    model_transition(&m, 1);
    model_send(&m, 0, 2);
    model_send(&m, 1, 2);
    model_send(&m, 2, 2);
    report(0, VCS_REPORT_CLIENT_ERROR, 100);
    assert_int_equal(m.made, 1);
    model_send(&m, 3, 200);
    report(1, VCS_REPORT_CLIENT_ERROR, 300);
    assert_int_equal(m.made, 0);
    assert_int_equal(m.unit.error_mask, 0); /* the two in progress can still make the quorum */
    report(2, VCS_REPORT_SUCCESS, 1000);
    assert_int_equal(m.unit.error_mask, 0);
    model_transition(&m, 200 + HOUR + 1); /* the last one is lost: 1 success < 2 */
    assert_int_equal(m.unit.error_mask, VCS_UNIT_TOO_MANY_TOTAL);
    assert_true(model_says(&m, VCS_REASON_QUORUM_OUT_OF_REACH));
    assert_result(2, VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_NO_CHECK);
}

/* M 2, B 3: two have failed, so that one success is all that can come. No copy is made in vain. */
static void no_copy_is_made_in_vain(void **unused) {
    (void)unused;
    model_begin(&m, (model_parameters){2, 2, 5, 3, 3, HOUR});
    model_create(&m, 0);
    model_transition(&m, 1);
    model_send(&m, 0, 2);
    model_send(&m, 1, 2);
    model_report(&m, 0, VCS_REPORT_CLIENT_ERROR, 100);
    report(1, VCS_REPORT_CLIENT_ERROR, 100);
    assert_int_equal(m.made, 0);
    assert_int_equal(m.unit.error_mask, VCS_UNIT_TOO_MANY_TOTAL);
}

static void more_copies_than_may_be(void **unused) {
    (void)unused;
    begin_three();
    m.unit.max_total = 3;
    model_add(&m, 1);
    report(0, VCS_REPORT_SUCCESS, HOUR);
    assert_int_equal(m.unit.error_mask, VCS_UNIT_TOO_MANY_TOTAL);
    assert_true(model_says(&m, VCS_REASON_TOO_MANY_TOTAL));
}

static void a_copy_that_cannot_be_sent(void **unused) {
    (void)unused;
    model_begin(&m, (model_parameters){1, 2, 0, 4, 3, HOUR});
    model_create(&m, 0);
    model_transition(&m, 1);
    model_unsendable(&m, 1, 100);
    assert_result(1, VCS_RESULT_OVER, VCS_OUTCOME_COULDNT_SEND, VCS_VALIDATE_INIT);
    model_transition(&m, 101);
    assert_int_equal(m.unit.error_mask, VCS_UNIT_COULDNT_SEND);
    assert_result(0, VCS_RESULT_OVER, VCS_OUTCOME_DIDNT_NEED, VCS_VALIDATE_INIT);
    assert_int_equal(m.unit.assimilate_state, VCS_ASSIMILATE_READY);
}

static void cancelled_by_the_user_is_no_error(void **unused) {
    (void)unused;
    static const uint32_t reports[] = {VCS_REPORT_CANCELLED, VCS_REPORT_REFUSED};
    for (size_t k = 0; k < COUNT_OF(reports); k++) {
        begin_three();
        m.unit.max_error = 0;
        report(0, reports[k], HOUR);
        assert_result(0, VCS_RESULT_OVER, VCS_OUTCOME_NO_REPLY, VCS_VALIDATE_INIT);
        assert_int_equal(m.unit.error_mask, 0);
        assert_int_equal(m.made, 1);
    }
    begin_three();
    m.unit.max_error = 0;
    report(0, VCS_REPORT_DETACHED, HOUR);
    assert_result(0, VCS_RESULT_OVER, VCS_OUTCOME_CLIENT_DETACHED, VCS_VALIDATE_INIT);
    assert_int_equal(m.unit.error_mask, 0);
}

/* ---- Reports that come late ---- */

static void note_only(uint32_t i, uint32_t what, double when) {
    static unit_model before;
    before = m;
    model_report(&m, i, what, when);
    assert_true(model_says(&m, VCS_REASON_LATE_REPORT));
    assert_int_equal(m.results[i].late_report, what);
    assert_time(m.results[i].late_received, when);
    before.results[i].late_report = what;
    before.results[i].late_received = when;
    assert_memory_equal(&m.unit, &before.unit, sizeof m.unit);
    assert_memory_equal(m.results, before.results, sizeof m.results);
}

static void a_success_given_up_counts_once(void **unused) {
    (void)unused;
    begin_three();
    model_transition(&m, 11 * HOUR);
    assert_result(0, VCS_RESULT_OVER, VCS_OUTCOME_NO_REPLY, VCS_VALIDATE_INIT);
    assert_int_equal(m.made, 3);
    note_only(0, VCS_REPORT_CLIENT_ERROR, 11.2 * HOUR);
    model_report(&m, 0, VCS_REPORT_SUCCESS, 11.5 * HOUR);
    assert_result(0, VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INIT);
    assert_time(m.results[0].received, 11.5 * HOUR);
    assert_time(m.unit.transition_time, 11.5 * HOUR);
    note_only(0, VCS_REPORT_SUCCESS, 12 * HOUR);
    assert_time(m.results[0].received, 11.5 * HOUR);
}

static void after_consensus_assimilation_and_deletion(void **unused) {
    (void)unused;
    begin_three();
    report(0, VCS_REPORT_SUCCESS, 7 * HOUR);
    report(1, VCS_REPORT_SUCCESS, 8 * HOUR);
    validate(8 * HOUR + 2 * MINUTE);
    note_only(1, VCS_REPORT_SUCCESS, 8.5 * HOUR);
    assimilate(9 * HOUR);
    model_transition(&m, 11 * HOUR);
    assert_result(2, VCS_RESULT_OVER, VCS_OUTCOME_NO_REPLY, VCS_VALIDATE_INIT);
    note_only(2, VCS_REPORT_SUCCESS, 12 * HOUR);
    model_delete_inputs(&m, VCS_DELETED, 13 * HOUR);
    for (uint32_t i = 0; i < 3; i++) {
        model_delete_outputs(&m, i, VCS_DELETED, 13 * HOUR);
        note_only(i, VCS_REPORT_SUCCESS, 14 * HOUR);
    }
    assert_time(m.unit.transition_time, NEVER);
}

static void for_a_cancelled_unit(void **unused) {
    (void)unused;
    begin_three();
    report(0, VCS_REPORT_SUCCESS, HOUR);
    model_cancel(&m, 2 * HOUR);
    assert_int_equal(m.unit.error_mask, VCS_UNIT_CANCELLED);
    model_transition(&m, 2 * HOUR + MINUTE);
    assert_result(0, VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_NO_CHECK);
    assert_result(1, VCS_RESULT_IN_PROGRESS, VCS_OUTCOME_INIT, VCS_VALIDATE_INIT);
    assert_int_equal(m.made, 0);
    report(1, VCS_REPORT_SUCCESS, 3 * HOUR);
    assert_result(1, VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_NO_CHECK);
    model_transition(&m, 11 * HOUR);
    assert_result(2, VCS_RESULT_OVER, VCS_OUTCOME_NO_REPLY, VCS_VALIDATE_INIT);
    note_only(2, VCS_REPORT_SUCCESS, 12 * HOUR);
    model_cancel(&m, 13 * HOUR); /* again */
    assert_int_equal(m.answers, 0);
}

/* The files of the canonical result are gone, and yet there is a success that was not judged. */
static void too_late(void **unused) {
    (void)unused;
    begin_three();
    report(0, VCS_REPORT_SUCCESS, 1 * HOUR);
    report(1, VCS_REPORT_SUCCESS, 2 * HOUR);
    validate(2 * HOUR + 2 * MINUTE);
    assimilate(3 * HOUR);
    m.results[0].file_delete_state = VCS_FILES_DONE; /* by hand */
    report(2, VCS_REPORT_SUCCESS, 4 * HOUR);
    assert_result(2, VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_TOO_LATE);
    assert_int_equal(m.results[2].credited, 0);
    assert_files(VCS_FILES_READY, VCS_FILES_DONE, VCS_FILES_READY, VCS_FILES_READY);
}

/* ---- Times (rule 8.3g) ---- */

static void nothing_before_it_is_due(void **unused) {
    (void)unused;
    begin_three();
    const double due = m.unit.transition_time;
    m.results[0].deadline = -HOUR; /* it would be given up */
    model_transition(&m, due - HOUR);
    assert_int_equal(m.answers, 0);
    model_transition(&m, due - 1e-3);
    assert_int_equal(m.answers, 0);
    model_transition(&m, due);
    assert_true(m.answers > 0);
}

/* At its deadline a copy is given up, unless its report of that very instant is handled first. */
static void at_the_deadline(void **unused) {
    (void)unused;
    begin_three();
    m.unit.transition_time = HOUR - 1;
    m.results[0].deadline = m.results[1].deadline = HOUR;
    model_transition(&m, HOUR - 1e-3);
    assert_result(0, VCS_RESULT_IN_PROGRESS, VCS_OUTCOME_INIT, VCS_VALIDATE_INIT);
    assert_time(m.unit.transition_time, HOUR);
    model_report(&m, 1, VCS_REPORT_SUCCESS, HOUR);
    model_transition(&m, HOUR);
    assert_result(0, VCS_RESULT_OVER, VCS_OUTCOME_NO_REPLY, VCS_VALIDATE_INIT);
    assert_result(1, VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INIT);
    assert_time(m.results[1].received, HOUR);
}

/* A server may handle an event and what follows from it in one transaction, at one reading of its clock. */
static void a_whole_life_at_one_clock_reading(void **unused) {
    (void)unused;
    model_begin(&m, (model_parameters){2, 2, 5, 8, 6, 10 * HOUR});
    model_create(&m, HOUR);
    model_transition(&m, HOUR);
    assert_int_equal(m.made, 2);
    model_transition(&m, HOUR);
    assert_int_equal(m.answers, 0); /* not due again */
    for (uint32_t i = 0; i < 2; i++) {
        model_send(&m, i, HOUR);
        model_report(&m, i, VCS_REPORT_SUCCESS, HOUR);
        model_transition(&m, HOUR);
        assert_int_equal(m.unit.need_validate, i);
    }
    model_validate(&m, ONE_CLASS, HOUR);
    model_transition(&m, HOUR);
    model_assimilate(&m, HOUR);
    model_transition(&m, HOUR);
    assert_int_equal(m.unit.file_delete_state, VCS_FILES_READY);
    assert_time(m.unit.transition_time, NEVER);
    model_transition(&m, HOUR);
    assert_int_equal(m.answers, 0);
}

/* Beside a canonical result nothing stays undecided, and no quorum is asked for. */
static void whatever_is_pending_is_compared(void **unused) {
    (void)unused;
    static const uint32_t pending[] = {VCS_VALIDATE_INIT, VCS_VALIDATE_INCONCLUSIVE};
    for (size_t i = 0; i < COUNT_OF(pending); i++) {
        begin_three();
        report(0, VCS_REPORT_SUCCESS, 1 * HOUR);
        report(1, VCS_REPORT_SUCCESS, 2 * HOUR);
        validate(2 * HOUR + 2 * MINUTE);
        m.results[1].validate_state = pending[i];
        m.results[1].credited = 0;
        m.unit.min_quorum = m.unit.target_nresults = 3;
        m.unit.transition_time = 3 * HOUR;
        model_transition(&m, 3 * HOUR + 1);
        assert_int_equal(m.unit.need_validate, 1);
    }
}

/* The clock goes back an hour between a success and the transition that follows: that comes an hour later. */
static void the_clock_goes_back(void **unused) {
    (void)unused;
    begin_three();
    report(0, VCS_REPORT_SUCCESS, 7 * HOUR);
    model_report(&m, 1, VCS_REPORT_SUCCESS, 8 * HOUR);
    model_transition(&m, 7 * HOUR + MINUTE);
    assert_int_equal(m.answers, 0);
    model_report(&m, 2, VCS_REPORT_SUCCESS, 7.5 * HOUR); /* an event makes it due by the new clock */
    assert_time(m.unit.transition_time, 7.5 * HOUR);
    model_transition(&m, 7.5 * HOUR + MINUTE);
    assert_int_equal(m.unit.need_validate, 1);
    /* Between assimilation and deletion: files are kept until the clock is where it was. */
    model_validate(&m, ONE_CLASS, 8 * HOUR);
    model_transition(&m, 8 * HOUR + MINUTE);
    model_assimilate(&m, 9 * HOUR);
    m.unit.transition_time = 8 * HOUR;
    model_transition(&m, 8 * HOUR + MINUTE);
    assert_files(VCS_FILES_INIT, VCS_FILES_INIT, VCS_FILES_INIT, VCS_FILES_INIT);
    assert_time(m.unit.transition_time, 9 * HOUR);
    model_transition(&m, 9 * HOUR);
    assert_files(VCS_FILES_READY, VCS_FILES_READY, VCS_FILES_READY, VCS_FILES_READY);
}

static void delayed_deletion(void **unused) {
    (void)unused;
    begin_three();
    m.unit.delete_delay = 2 * HOUR;
    for (uint32_t i = 0; i < 3; i++) {
        report(i, VCS_REPORT_SUCCESS, 7 * HOUR);
    }
    validate(8 * HOUR);
    assimilate(9 * HOUR);
    assert_files(VCS_FILES_INIT, VCS_FILES_INIT, VCS_FILES_INIT, VCS_FILES_INIT);
    assert_time(m.unit.transition_time, 11 * HOUR); /* 9 + 2 */
    assert_true(model_says(&m, VCS_REASON_DELETE_DELAY));
    model_transition(&m, 11 * HOUR);
    assert_files(VCS_FILES_READY, VCS_FILES_READY, VCS_FILES_READY, VCS_FILES_READY);
    assert_time(m.unit.transition_time, NEVER);
}

static void files_kept_for_ever(void **unused) {
    (void)unused;
    begin_three();
    m.unit.delete_delay = NEVER;
    for (uint32_t i = 0; i < 3; i++) {
        report(i, VCS_REPORT_SUCCESS, 7 * HOUR);
    }
    validate(8 * HOUR);
    assimilate(9 * HOUR);
    assert_files(VCS_FILES_INIT, VCS_FILES_INIT, VCS_FILES_INIT, VCS_FILES_INIT);
    assert_time(m.unit.transition_time, NEVER);
}

/* Unsent copies alone: nothing is known to happen. max(10 days, 1.5 * delay_bound). */
static void safety_net(void **unused) {
    (void)unused;
    const struct {
        double delay_bound, net;
    } table[] = {{0, 10 * DAY}, {HOUR, 10 * DAY}, {7 * DAY, 10.5 * DAY}, {100 * DAY, 150 * DAY}, {NEVER, NEVER}};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        model_begin(&m, (model_parameters){1, 1, 0, 1, 1, table[i].delay_bound});
        model_create(&m, 1000);
        model_transition(&m, 1001);
        assert_time(m.unit.transition_time, 1001 + table[i].net);
    }
}

static void a_copy_without_a_deadline(void **unused) {
    (void)unused;
    model_begin(&m, (model_parameters){1, 1, 0, 1, 1, NEVER});
    model_create(&m, 0);
    model_transition(&m, 1);
    model_send(&m, 0, 2);
    assert_time(m.results[0].deadline, NEVER);
    m.unit.transition_time = 1e10;
    model_transition(&m, 1e10 + 1);
    assert_result(0, VCS_RESULT_IN_PROGRESS, VCS_OUTCOME_INIT, VCS_VALIDATE_INIT);
}

/* A deadline is 1 s away. Transitions late by more than a minute leave the unit alone: for min(2 lag, 1 day). */
static void late_transitions_rest(void **unused) {
    (void)unused;
    const struct {
        double lag, rest;
    } table[] = {{0, 1}, {1, 1}, {60, 1}, {61, 122}, {HOUR, 2 * HOUR}, {12 * HOUR, DAY}, {13 * HOUR, DAY}, {1e9, DAY}};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        begin_three();
        const double now = 1e6;
        for (uint32_t k = 0; k < 3; k++) {
            m.results[k].deadline = now + 1;
        }
        m.unit.transition_time = now - table[i].lag;
        model_transition(&m, now);
        assert_time(m.unit.transition_time, now + table[i].rest);
        assert_int_equal(model_says(&m, VCS_REASON_LAGS), table[i].rest > 1);
    }
}

/* ---- Homogeneous redundancy ---- */

static int send_to_class(uint32_t i, uint64_t hr_class) {
    int code = model_handle(&m, m.results, m.count,
                            (vcs_unit_event){.kind = VCS_UNIT_EVENT_SENT, .result = i, .hr_class = hr_class}, HOUR,
                            NULL);
    for (uint32_t k = 0; code == VCS_OK && k < m.answers; k++) {
        assert_int_equal(vcs_change_apply(&m.changes[k], &m.unit, ARRAY(m.results, m.count), NULL), VCS_OK);
    }
    return code;
}

static void the_first_copy_fixes_the_class(void **unused) {
    (void)unused;
    model_begin(&m, (model_parameters){2, 2, 5, 9, 6, 10 * HOUR});
    model_create(&m, 0);
    model_transition(&m, 1);
    assert_int_equal(send_to_class(0, 7), VCS_OK);
    assert_true(m.unit.hr_class == 7);
    assert_int_equal(send_to_class(1, 8), VCS_ERR_UNSUPPORTED);
    assert_int_equal(send_to_class(1, 0), VCS_ERR_UNSUPPORTED);
    assert_int_equal(send_to_class(1, 7), VCS_OK);
    report(0, VCS_REPORT_CLIENT_ERROR, 2 * HOUR);
    assert_true(m.unit.hr_class == 7); /* the other may still succeed */
    report(1, VCS_REPORT_CLIENT_ERROR, 3 * HOUR);
    assert_true(m.unit.hr_class == 0);
    assert_true(model_says(&m, VCS_REASON_CLASS_FREE));
    assert_int_equal(send_to_class(2, 8), VCS_OK);
    assert_true(m.unit.hr_class == 8);
    report(2, VCS_REPORT_CANCELLED, 4 * HOUR);
    assert_true(m.unit.hr_class == 8); /* a success may still be reported for it */
}

/* The project knows beforehand which hosts agree with it. Nothing was sent that could turn out to be of no use. */
static void a_class_that_is_given_beforehand_stays(void **unused) {
    (void)unused;
    model_begin(&m, (model_parameters){2, 2, 5, 9, 6, 10 * HOUR});
    m.unit.hr_class = 7;
    model_create(&m, 0);
    model_transition(&m, 1);
    assert_true(m.unit.hr_class == 7); /* there are no copies */
    model_transition(&m, 11 * DAY);
    assert_int_equal(m.count, 2);
    assert_true(m.unit.hr_class == 7); /* both are unsent */
    assert_int_equal(send_to_class(0, 8), VCS_ERR_UNSUPPORTED);
}

/* ---- One copy of a unit a host ---- */

static int send_to_host(uint32_t i, uint64_t host, vcs_error *error) {
    const vcs_unit_event event = {.kind = VCS_UNIT_EVENT_SENT, .result = i, .host = host};
    const int code = model_handle(&m, m.results, m.count, event, HOUR, error);
    for (uint32_t k = 0; code == VCS_OK && k < m.answers; k++) {
        assert_int_equal(vcs_change_apply(&m.changes[k], &m.unit, ARRAY(m.results, m.count), NULL), VCS_OK);
    }
    return code;
}

static void a_host_gets_one_copy(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = sizeof error};
    model_begin(&m, (model_parameters){2, 5, 5, 9, 6, 10 * HOUR});
    model_create(&m, 0);
    model_transition(&m, 1);
    assert_int_equal(send_to_host(0, UINT64_MAX, NULL), VCS_OK);
    assert_true(m.results[0].host == UINT64_MAX);
    report(0, VCS_REPORT_CLIENT_ERROR, 2 * HOUR); /* it had one, whatever became of it */
    assert_int_equal(send_to_host(2, UINT64_MAX, &error), VCS_ERR_UNSUPPORTED);
    assert_string_equal(error.message,
                        "unit_event: host was sent a copy of this unit before, and a host gets only one");
    assert_int_equal(send_to_host(1, 8, NULL), VCS_OK);
    report(1, VCS_REPORT_DETACHED, 3 * HOUR); /* it left, and is back without what it had */
    assert_int_equal(send_to_host(4, 8, NULL), VCS_OK);
    /* who does not say which host it is may send as many as he likes */
    assert_int_equal(send_to_host(2, 0, NULL), VCS_OK);
    assert_int_equal(send_to_host(3, 0, NULL), VCS_OK);
    assert_true(m.results[3].host == 0);
}

/* ---- Replies that were lost (rule 8.9) ---- */

/* The deadline is at 10 h and 2 s. */
static void a_lost_reply_is_sent_again(void **unused) {
    (void)unused;
    static const double estimates[] = {0, 1, 4 * HOUR};
    for (size_t i = 0; i < COUNT_OF(estimates); i++) {
        begin_three();
        const unit_model before = m;
        model_resend(&m, 0, estimates[i], 6 * HOUR + 2);
        assert_int_equal(m.answers, 1);
        assert_int_equal(m.changes[0].field, VCS_FIELD_RESULT_DEADLINE);
        assert_time(m.changes[0].number, 10 * HOUR + 2);
        assert_int_equal(m.changes[0].reason, VCS_REASON_RESENT);
        assert_memory_equal(&m.unit, &before.unit, sizeof m.unit);
        assert_memory_equal(m.results, before.results, sizeof m.results);
    }
}

static void or_given_up(void **unused) {
    (void)unused;
    const struct {
        uint32_t error_mask;
        uint64_t canonical;
        double estimate, now;
        uint32_t reason;
    } table[] = {
        {0, 0, 4 * HOUR, 6 * HOUR + 2.5, VCS_REASON_RESEND_TOO_LATE},
        {0, 0, 0, 10 * HOUR + 2.5, VCS_REASON_RESEND_TOO_LATE},
        {0, 0, 1.7e308, HOUR, VCS_REASON_RESEND_TOO_LATE},
        {VCS_UNIT_CANCELLED, 0, 0, HOUR, VCS_REASON_RESEND_NOT_NEEDED},
        {0, 2, 0, HOUR, VCS_REASON_RESEND_NOT_NEEDED},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        begin_three();
        m.unit.error_mask = table[i].error_mask;
        m.unit.canonical = table[i].canonical;
        m.unit.assimilate_state = m.unit.canonical != 0 ? VCS_ASSIMILATE_READY : VCS_ASSIMILATE_INIT;
        model_resend(&m, 0, table[i].estimate, table[i].now);
        assert_true(model_says(&m, table[i].reason));
        assert_result(0, VCS_RESULT_OVER, VCS_OUTCOME_NO_REPLY, VCS_VALIDATE_INIT);
        assert_time(m.unit.transition_time, table[i].now);
    }
    /* never given up, so never too late */
    begin_three();
    m.results[0].deadline = NEVER;
    model_resend(&m, 0, 1.7e308, HOUR);
    assert_true(model_says(&m, VCS_REASON_RESENT));
}

/* ---- What a host claims (rule 8.2) ---- */

static void claims_are_kept(void **unused) {
    (void)unused;
    static const uint32_t reports[] = {VCS_REPORT_SUCCESS, VCS_REPORT_CLIENT_ERROR, VCS_REPORT_SUCCESS};
    begin_three();
    m.results[2].deadline = 0.5;
    m.unit.transition_time = 1;
    model_transition(&m, 3); /* the third is given up, and reported all the same */
    for (uint32_t i = 0; i < 3; i++) {
        const vcs_unit_event event = {
            .kind = VCS_UNIT_EVENT_RECEIVED, .result = i, .report = reports[i], .claimed = 7.5};
        assert_int_equal(model_handle(&m, m.results, m.count, event, HOUR, NULL), VCS_OK);
        for (uint32_t k = 0; k < m.answers; k++) {
            assert_int_equal(vcs_change_apply(&m.changes[k], &m.unit, ARRAY(m.results, m.count), NULL), VCS_OK);
        }
        assert_true(m.results[i].claimed == (reports[i] == VCS_REPORT_SUCCESS ? 7.5 : 0));
    }
}

/* ---- Files, assimilation, and the lost canonical result ---- */

#define ANSWER ARRAY(m.changes, MODEL_MOST_CHANGES), &m.answers, &error

/* Handles an event; the first two arguments are its kind and its result. */
#define HANDLE(...) handle((vcs_unit_event){.kind = __VA_ARGS__}, &error)
#define UNIT_ALONE .result = VCS_NONE

static int handle(vcs_unit_event event, vcs_error *error) {
    return model_handle(&m, m.results, m.count, event, HOUR, error);
}

static void exactly_once(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = sizeof error};
    begin_three();
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_ASSIMILATED, UNIT_ALONE), VCS_ERR_SEQUENCE);
    assert_string_equal(error.message, "unit: assimilate_state is not ready");
    model_cancel(&m, HOUR);
    model_transition(&m, HOUR + MINUTE);
    model_assimilate(&m, 2 * HOUR);
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_ASSIMILATED, UNIT_ALONE), VCS_ERR_SEQUENCE);
}

static void files_that_cannot_be_deleted(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = sizeof error};
    begin_three();
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_INPUTS_DELETED, UNIT_ALONE, .deletion = VCS_DELETED), VCS_ERR_SEQUENCE);
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_OUTPUTS_DELETED, .result = 0, .deletion = VCS_DELETED), VCS_ERR_SEQUENCE);
    assert_string_equal(error.message, "result 0: file_delete_state is not ready");
    for (uint32_t i = 0; i < 3; i++) {
        report(i, VCS_REPORT_SUCCESS, 7 * HOUR);
    }
    validate(8 * HOUR);
    assimilate(9 * HOUR);
    model_delete_inputs(&m, VCS_NOT_DELETED, 10 * HOUR);
    assert_int_equal(m.unit.file_delete_state, VCS_FILES_ERROR);
    model_delete_inputs(&m, VCS_DELETED, 11 * HOUR);
    assert_int_equal(m.unit.file_delete_state, VCS_FILES_DONE);
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_INPUTS_DELETED, UNIT_ALONE, .deletion = VCS_DELETED), VCS_ERR_SEQUENCE);
    model_delete_outputs(&m, 2, VCS_NOT_DELETED, 10 * HOUR);
    assert_int_equal(m.results[2].file_delete_state, VCS_FILES_ERROR);
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_INPUTS_DELETED, UNIT_ALONE), VCS_ERR_FLAGS);
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_INPUTS_DELETED, UNIT_ALONE, .deletion = 3), VCS_ERR_FLAGS);
}

static void the_canonical_result_is_lost(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = sizeof error};
    begin_three();
    report(0, VCS_REPORT_SUCCESS, 7 * HOUR);
    report(1, VCS_REPORT_SUCCESS, 8 * HOUR);
    validate(8 * HOUR + MINUTE);
    m.unit.transition_time = 8 * HOUR;
    assert_int_equal(vcs_transition(&m.unit, ARRAY(m.results + 1, 2), 9 * HOUR, ANSWER), VCS_ERR_INDEX);
    assert_string_equal(error.field, "canonical");
    assert_string_equal(error.message,
                        "unit: canonical is not the id of any result: the canonical result is missing");
    m.count--;
    memmove(m.results, m.results + 1, sizeof *m.results * m.count);
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_CANONICAL_LOST, UNIT_ALONE), VCS_OK);
    for (uint32_t k = 0; k < m.answers; k++) {
        assert_int_equal(vcs_change_apply(&m.changes[k], &m.unit, ARRAY(m.results, m.count), NULL), VCS_OK);
    }
    assert_int_equal(m.unit.error_mask, VCS_UNIT_NO_CANONICAL);
    model_transition(&m, 10 * HOUR);
    assimilate(11 * HOUR);
    assert_int_equal(m.results[0].file_delete_state, VCS_FILES_READY);
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_CANONICAL_LOST, UNIT_ALONE), VCS_ERR_SEQUENCE);
}

/* ---- Events that cannot happen ---- */

static void events_out_of_sequence(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = sizeof error};
    begin_three();
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_SENT, .result = 2), VCS_ERR_SEQUENCE);
    assert_string_equal(error.message, "result 2: server_state is not unsent");
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_UNSENDABLE, .result = 0), VCS_ERR_SEQUENCE);
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_RECEIVED, .result = 0), VCS_ERR_FLAGS);
    assert_string_equal(error.message, "unit_event: report is 0, but this kind of event needs it");
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_RECEIVED, .result = 0, .report = 6), VCS_ERR_FLAGS);
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_SENT, .result = 3), VCS_ERR_INDEX);
    assert_string_equal(error.message, "unit_event: result is not the index of a result");
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_CANCELLED, .result = 0), VCS_ERR_INDEX);
    assert_string_equal(error.message, "unit_event: result is not VCS_NONE, but the event is about the unit");
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_INPUTS_DELETED, .result = 0, .deletion = VCS_DELETED), VCS_ERR_INDEX);
    assert_string_equal(error.message, "unit_event: result is not VCS_NONE, but the event is about the unit");
    m.results[1].server_state = VCS_RESULT_UNSENT;
    m.results[2].server_state = VCS_RESULT_INACTIVE;
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_RESENT, .result = 1), VCS_ERR_SEQUENCE);
    assert_string_equal(error.message, "result 1: server_state is not in progress");
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_SENT, .result = 2), VCS_ERR_SEQUENCE);
    for (uint32_t i = 1; i < 3; i++) {
        assert_int_equal(HANDLE(VCS_UNIT_EVENT_RECEIVED, .result = i, .report = VCS_REPORT_SUCCESS), VCS_ERR_SEQUENCE);
    }
    m.unit.error_mask = VCS_UNIT_CANCELLED;
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_CREATED, UNIT_ALONE), VCS_ERR_SEQUENCE);
    assert_string_equal(error.message, "unit: error_mask is not 0, but the unit is new");
    m.unit.error_mask = 0;
    m.unit.canonical = m.results[0].id;
    m.unit.assimilate_state = VCS_ASSIMILATE_READY;
    assert_int_equal(HANDLE(VCS_UNIT_EVENT_CREATED, UNIT_ALONE), VCS_ERR_SEQUENCE);
    assert_string_equal(error.message, "unit: canonical is not 0, but the unit is new");
}

/* ---- Bad input ---- */

/* All functions, on a unit of three results; events are about the first. */
typedef int (*call)(const vcs_unit *unit, const vcs_result *results, double now, vcs_change *changes, uint32_t size,
                    uint32_t capacity, uint32_t *count, vcs_error *error);

#define CALL(name, ...)                                                                                                \
    static int name(const vcs_unit *unit, const vcs_result *results, double now, vcs_change *changes, uint32_t size,   \
                    uint32_t capacity, uint32_t *count, vcs_error *error) {                                            \
        (void)results;                                                                                                 \
        return __VA_ARGS__;                                                                                            \
    }
#define REST now, ARRAY_OF(changes, size, capacity), count, error
CALL(call_transition, vcs_transition(unit, ARRAY(results, 3), REST))
#define EVENT(name, of, ...)                                                                                           \
    CALL(name, vcs_unit_handle_event(                                                                                  \
                   unit, ARRAY(results, 3),                                                                            \
                   &(vcs_unit_event){.struct_size = sizeof(vcs_unit_event), .kind = of, .result = __VA_ARGS__}, REST))
EVENT(call_created, VCS_UNIT_EVENT_CREATED, VCS_NONE)
EVENT(call_cancelled, VCS_UNIT_EVENT_CANCELLED, VCS_NONE)
EVENT(call_canonical_lost, VCS_UNIT_EVENT_CANONICAL_LOST, VCS_NONE)
EVENT(call_assimilated, VCS_UNIT_EVENT_ASSIMILATED, VCS_NONE)
EVENT(call_inputs_deleted, VCS_UNIT_EVENT_INPUTS_DELETED, VCS_NONE, .deletion = VCS_DELETED)
EVENT(call_outputs_deleted, VCS_UNIT_EVENT_OUTPUTS_DELETED, 0, .deletion = VCS_DELETED)
EVENT(call_sent, VCS_UNIT_EVENT_SENT, 0)
EVENT(call_received, VCS_UNIT_EVENT_RECEIVED, 0, .report = VCS_REPORT_SUCCESS)
EVENT(call_unsendable, VCS_UNIT_EVENT_UNSENDABLE, 0)
EVENT(call_resent, VCS_UNIT_EVENT_RESENT, 0, .estimate = 60)
EVENT(call_withdrawn, VCS_UNIT_EVENT_WITHDRAWN, 0)

/* States in which some call is a right one. */

static void begin_unsent(void) {
    begin_three();
    for (uint32_t i = 0; i < 3; i++) {
        m.results[i].server_state = VCS_RESULT_UNSENT;
    }
}

static void begin_decided(void) {
    begin_three();
    m.unit.canonical = m.results[0].id;
    m.unit.assimilate_state = VCS_ASSIMILATE_READY;
}

static void begin_deletable(void) {
    begin_three();
    m.unit.error_mask = VCS_UNIT_CANCELLED;
    m.unit.assimilate_state = VCS_ASSIMILATE_DONE;
    m.unit.file_delete_state = VCS_FILES_READY;
    m.results[0].server_state = VCS_RESULT_OVER;
    m.results[0].outcome = VCS_OUTCOME_NO_REPLY;
    m.results[0].file_delete_state = VCS_FILES_READY;
}

static const struct {
    call function;
    void (*begin)(void);
    bool looks_at_results;
} calls[] = {
    {call_transition, begin_three, true},
    {call_created, begin_unsent, false},
    {call_cancelled, begin_three, false},
    {call_canonical_lost, begin_decided, false},
    {call_assimilated, begin_decided, false},
    {call_inputs_deleted, begin_deletable, false},
    {call_outputs_deleted, begin_deletable, true},
    {call_sent, begin_unsent, true},
    {call_received, begin_three, true},
    {call_unsendable, begin_unsent, true},
    {call_resent, begin_three, true},
    {call_withdrawn, begin_three, true},
};

/* How many changes must fit for three results. */
#define NEEDED (VCS_CHANGES_PER_UNIT + VCS_CHANGES_PER_RESULT * 3)

static void refuse(size_t which, int code, double now, uint32_t size, uint32_t capacity) {
    vcs_change changes[32], before[32];
    uint32_t count = 77;
    memset(changes, 0xa5, sizeof changes);
    memcpy(before, changes, sizeof changes);
    assert_int_equal(calls[which].function(&m.unit, m.results, now, changes, size, capacity, &count, NULL), code);
    assert_int_equal(count, 77);
    assert_memory_equal(changes, before, sizeof changes);
}

static void bad_arguments(void **unused) {
    (void)unused;
    const uint32_t size = sizeof(vcs_change);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        vcs_change changes[32];
        uint32_t count = 0;
        vcs_error error = {.struct_size = sizeof error};
        calls[i].begin();
        assert_int_equal(calls[i].function(&m.unit, m.results, HOUR, changes, size, NEEDED, &count, &error), VCS_OK);
        assert_int_equal(calls[i].function(&m.unit, m.results, HOUR, changes, size, NEEDED - 1, &count, &error),
                         VCS_ERR_COUNT);
        assert_string_equal(error.message, "change: has room for too few changes: 28 are needed");
        refuse(i, VCS_ERR_COUNT, HOUR, size, 0);
        refuse(i, VCS_ERR_NOT_FINITE, (double)NAN, size, 32);
        refuse(i, VCS_ERR_NOT_FINITE, (double)INFINITY, size, 32);
        refuse(i, VCS_ERR_RANGE, 1.1e15, size, 32);
        refuse(i, VCS_ERR_RANGE, -1.1e15, size, 32);
        refuse(i, VCS_ERR_ABI_SIZE, HOUR, 0, 32);
        refuse(i, VCS_ERR_ABI_SIZE, HOUR, size + 4, 32);
        refuse(i, VCS_ERR_ABI_OLDER, HOUR, size - 8, 32);
        assert_int_equal(calls[i].function(NULL, m.results, HOUR, changes, size, 32, &count, NULL), VCS_ERR_NULL);
        assert_int_equal(calls[i].function(&m.unit, m.results, HOUR, NULL, size, 32, &count, NULL), VCS_ERR_NULL);
        assert_int_equal(calls[i].function(&m.unit, m.results, HOUR, changes, size, 32, NULL, NULL), VCS_ERR_NULL);
        assert_int_equal(calls[i].function(&m.unit, NULL, HOUR, changes, size, 32, &count, NULL), VCS_ERR_NULL);
        error.struct_size = 3;
        assert_int_equal(calls[i].function(&m.unit, m.results, HOUR, changes, size, 32, &count, &error),
                         VCS_ERR_ABI_SIZE);
        m.unit.min_quorum = 0;
        refuse(i, VCS_ERR_RANGE, HOUR, size, 32);
        m.unit.min_quorum = 4;
        refuse(i, VCS_ERR_RANGE, HOUR, size, 32);
        m.unit.min_quorum = 2;
        m.unit.max_total = 2;
        refuse(i, VCS_ERR_RANGE, HOUR, size, 32);
        m.unit.max_total = 8;
        m.results[0].outcome = VCS_OUTCOME_SUCCESS;
        if (calls[i].looks_at_results) {
            refuse(i, VCS_ERR_UNSUPPORTED, HOUR, size, 32);
        }
    }
}

/* Which fields of an event must be given, and which must not. */
static void fields_of_events(void **unused) {
    (void)unused;
    enum {
        RESULT = 1,
        REPORT = 2,
        DELETION = 4,
        HR_CLASS = 8,
        HOST = 16,
        ESTIMATE = 32,
        CLAIMED = 64,
        WORK = 128,
        DELAY = 256
    };
    const uint32_t optional = HR_CLASS | HOST | ESTIMATE | CLAIMED | DELAY;
    static const struct {
        uint32_t kind, uses;
        void (*begin)(void);
    } kinds[] = {
        {VCS_UNIT_EVENT_CREATED, 0, begin_unsent},
        {VCS_UNIT_EVENT_CANCELLED, 0, begin_three},
        {VCS_UNIT_EVENT_CANONICAL_LOST, 0, begin_decided},
        {VCS_UNIT_EVENT_ASSIMILATED, 0, begin_decided},
        {VCS_UNIT_EVENT_INPUTS_DELETED, DELETION, begin_deletable},
        {VCS_UNIT_EVENT_SENT, RESULT | HR_CLASS | HOST, begin_unsent},
        {VCS_UNIT_EVENT_RECEIVED, RESULT | REPORT | CLAIMED, begin_three},
        {VCS_UNIT_EVENT_UNSENDABLE, RESULT, begin_unsent},
        {VCS_UNIT_EVENT_OUTPUTS_DELETED, RESULT | DELETION, begin_deletable},
        {VCS_UNIT_EVENT_RESENT, RESULT | ESTIMATE, begin_three},
        {VCS_UNIT_EVENT_WITHDRAWN, RESULT, begin_three},
        {VCS_UNIT_EVENT_WORK_FAILED, WORK | DELAY, begin_decided},
        {VCS_UNIT_EVENT_WORK_RESUMED, WORK, begin_decided},
    };
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        for (uint32_t given = 0; given < 512; given++) {
            const uint32_t uses = kinds[i].uses;
            vcs_error error = {.struct_size = sizeof error};
            kinds[i].begin();
            m.answers = 77;
            const unit_model before = m;
            const int code = HANDLE(
                kinds[i].kind, .result = (given & RESULT) != 0 ? 0 : VCS_NONE,
                .report = (given & REPORT) != 0 ? VCS_REPORT_SUCCESS : 0,
                .deletion = (given & DELETION) != 0 ? VCS_DELETED : 0, .hr_class = (given & HR_CLASS) != 0 ? 7 : 0,
                .host = (given & HOST) != 0 ? 7 : 0, .estimate = (given & ESTIMATE) != 0 ? 1 : 0,
                .claimed = (given & CLAIMED) != 0 ? 1 : 0, .work = (given & WORK) != 0 ? VCS_UNIT_WORK_ASSIMILATE : 0,
                .delay = (given & DELAY) != 0 ? 1 : 0);
            if ((given & ~uses) == 0 && ((given ^ uses) & ~optional) == 0) {
                assert_int_equal(code, VCS_OK);
                continue;
            }
            assert_int_equal(error.type, VCS_TYPE_UNIT_EVENT);
            const uint32_t differ = given ^ uses, first = (differ & REPORT) != 0     ? REPORT
                                                          : (differ & DELETION) != 0 ? DELETION
                                                                                     : WORK;
            assert_int_equal(code, (differ & RESULT) != 0         ? VCS_ERR_INDEX
                                   : (differ & uses & first) != 0 ? VCS_ERR_FLAGS
                                                                  : VCS_ERR_UNSUPPORTED);
            assert_memory_equal(&m, &before, sizeof m);
        }
    }
}

static void bad_events(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_unit_event, struct_size, 0, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_unit_event, struct_size, 40, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_unit_event, flags, 1, VCS_ERR_FLAGS),
        BAD_WORD(vcs_unit_event, kind, 0, VCS_ERR_FLAGS),
        BAD_WORD(vcs_unit_event, kind, VCS_UNIT_EVENT_WORK_RESUMED + 1, VCS_ERR_FLAGS),
        BAD_WORD(vcs_unit_event, result, 3, VCS_ERR_INDEX),
        BAD_WORD(vcs_unit_event, result, VCS_NONE, VCS_ERR_INDEX),
        BAD_WORD(vcs_unit_event, report, VCS_REPORT_REFUSED + 1, VCS_ERR_FLAGS),
        BAD_WORD(vcs_unit_event, deletion, VCS_NOT_DELETED + 1, VCS_ERR_FLAGS),
        NOT_FINITE(vcs_unit_event, estimate),
        BAD_NUMBER(vcs_unit_event, estimate, -1, VCS_ERR_RANGE),
        NOT_FINITE(vcs_unit_event, claimed),
        BAD_NUMBER(vcs_unit_event, claimed, -1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_unit_event, claimed, 1.1e30, VCS_ERR_RANGE),
        BAD_WORD(vcs_unit_event, work, VCS_UNIT_WORK_DELETE + 1, VCS_ERR_FLAGS),
        NOT_FINITE(vcs_unit_event, delay),
        BAD_NUMBER(vcs_unit_event, delay, -1, VCS_ERR_RANGE),
        BAD_WORD(vcs_unit_event, reserved0, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_error error = {.struct_size = sizeof error};
        vcs_unit_event event = {.struct_size = sizeof event, .kind = VCS_UNIT_EVENT_SENT};
        begin_unsent();
        spoil(&event, &table[i]);
        const unit_model before = m;
        assert_int_equal(vcs_unit_handle_event(&m.unit, ARRAY(m.results, m.count), &event, HOUR, ANSWER),
                         table[i].code);
        assert_int_equal(error.type, VCS_TYPE_UNIT_EVENT);
        assert_int_equal(error.offset, table[i].offset);
        assert_memory_equal(&m, &before, sizeof m);
    }
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_unit_handle_event(&m.unit, ARRAY(m.results, m.count), NULL, HOUR, ANSWER), VCS_ERR_NULL);
    /* an event of the unit alone needs no results */
    const vcs_unit_event event = {.struct_size = sizeof event, .kind = VCS_UNIT_EVENT_CREATED, UNIT_ALONE};
    assert_int_equal(vcs_unit_handle_event(&m.unit, NO_RECORDS, &event, HOUR, ANSWER), VCS_OK);
    assert_int_equal(m.answers, 1);
}

/* A caller that is newer: fields that this version does not know must be 0. */
static void longer_records(void **unused) {
    (void)unused;
    struct {
        vcs_unit_event known;
        uint64_t added;
    } event = {{.struct_size = sizeof event, .kind = VCS_UNIT_EVENT_SENT, .result = 1}, 0};
    struct {
        vcs_result known;
        uint64_t added;
    } results[2];
    vcs_error error = {.struct_size = sizeof error};
    begin_unsent();
    for (uint32_t i = 0; i < 2; i++) {
        results[i].known = m.results[i];
        results[i].added = 0;
    }
#define HANDLE_LONGER                                                                                                  \
    vcs_unit_handle_event(&m.unit, ARRAY_OF(&results[0].known, sizeof *results, 2), &event.known, HOUR, ANSWER)
    assert_int_equal(HANDLE_LONGER, VCS_OK);
    results[0].added = 1; /* the event is not about this one */
    assert_int_equal(HANDLE_LONGER, VCS_OK);
    results[1].added = 1;
    assert_int_equal(HANDLE_LONGER, VCS_ERR_ABI_NEWER);
    results[1].added = 0;
    event.added = 1;
    assert_int_equal(HANDLE_LONGER, VCS_ERR_ABI_NEWER);
}

/* A caller that is older: what stands behind its 48 bytes is not looked at. */
static void shorter_events(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = sizeof error};
    const vcs_unit_event event = {.struct_size = 48, .kind = VCS_UNIT_EVENT_SENT, .result = 1, .claimed = -1};
    begin_unsent();
    assert_int_equal(vcs_unit_handle_event(&m.unit, ARRAY(m.results, 3), &event, HOUR, ANSWER), VCS_OK);
    assert_int_equal(m.answers, 2);
}

/* Changes further apart than the library knows: the rest of each is 0. */
static void longer_changes(void **unused) {
    (void)unused;
    unsigned char wide[32 * 56];
    vcs_change plain[32];
    uint32_t count, wide_count;
    begin_three();
    m.unit.transition_time = 0;
    m.results[0].deadline = 1;
    memset(wide, 0xa5, sizeof wide);
    assert_int_equal(vcs_transition(&m.unit, ARRAY(m.results, 3), HOUR, ARRAY(plain, 32), &count, NULL), VCS_OK);
    assert_int_equal(vcs_transition(&m.unit, ARRAY(m.results, 3), HOUR, ARRAY_OF((vcs_change *)(void *)wide, 56, 32),
                                    &wide_count, NULL),
                     VCS_OK);
    assert_int_equal(count, wide_count);
    assert_int_equal(count, 4); /* two for the one given up, a copy to make, the next look */
    static const unsigned char zero[56 - sizeof(vcs_change)];
    for (uint32_t i = 0; i < count; i++) {
        assert_memory_equal(wide + i * 56, &plain[i], sizeof *plain);
        assert_memory_equal(wide + i * 56 + sizeof *plain, zero, sizeof zero);
    }
}

/* ---- Applying ---- */

static void applied_as_the_model_does(void **unused) {
    (void)unused;
    static unit_model before;
    begin_three();
    for (uint32_t i = 0; i < 3; i++) {
        model_report(&m, i, VCS_REPORT_SUCCESS, 7 * HOUR);
    }
    model_transition(&m, 8 * HOUR);
    before = m;
    model_validate(&m, ONE_CLASS, 9 * HOUR);
    for (uint32_t i = 0; i < m.answers; i++) {
        assert_int_equal(vcs_change_apply(&m.changes[i], &before.unit, ARRAY(before.results, before.count), NULL),
                         VCS_OK);
    }
    assert_memory_equal(&before.unit, &m.unit, sizeof m.unit);
    assert_memory_equal(before.results, m.results, sizeof m.results);
}

static void fields_have_names(void **unused) {
    (void)unused;
    assert_string_equal(vcs_change_field_name(VCS_FIELD_UNIT_TRANSITION_TIME), "transition_time");
    assert_string_equal(vcs_change_field_name(VCS_FIELD_UNIT_NEED_VALIDATE), "need_validate");
    assert_string_equal(vcs_change_field_name(VCS_FIELD_RESULT_DEADLINE), "deadline");
    assert_string_equal(vcs_change_field_name(VCS_FIELD_RESULT_OUTCOME), "outcome");
    assert_string_equal(vcs_change_field_name(VCS_FIELD_RESULT_LATE_REPORT), "late_report");
    assert_string_equal(vcs_change_field_name(VCS_FIELD_UNIT_DELETE_TIME), "delete_time");
    assert_string_equal(vcs_change_field_name(0), "");
    assert_string_equal(vcs_change_field_name(16), "");
    assert_string_equal(vcs_change_field_name(VCS_FIELD_RESULT_CLAIMED), "claimed");
    assert_string_equal(vcs_change_field_name(33), "");
}

static void changes_that_cannot_be_applied(void **unused) {
    (void)unused;
    const struct {
        vcs_change change;
        int code;
    } table[] = {
        {{.kind = VCS_CHANGE_CREATE, .result = VCS_NONE, .integer = 3}, VCS_OK},
        {{.result = 2, .field = VCS_FIELD_RESULT_OUTCOME, .integer = 7}, VCS_OK},
        {{.result = VCS_NONE, .field = VCS_FIELD_UNIT_HR_CLASS, .integer = UINT64_MAX}, VCS_OK},
        {{.result = VCS_NONE, .field = VCS_FIELD_UNIT_TRANSITION_TIME, .number = (double)INFINITY}, VCS_OK},
        {{.kind = 2}, VCS_ERR_FLAGS},
        {{.field = 0}, VCS_ERR_FLAGS},
        {{.field = 16}, VCS_ERR_FLAGS},
        {{.result = 0, .field = VCS_FIELD_UNIT_HR_CLASS}, VCS_ERR_INDEX},
        {{.result = 3, .field = VCS_FIELD_RESULT_OUTCOME}, VCS_ERR_INDEX},
        {{.result = VCS_NONE, .field = VCS_FIELD_RESULT_OUTCOME}, VCS_ERR_INDEX},
        {{.result = 0, .field = VCS_FIELD_RESULT_OUTCOME, .integer = 8}, VCS_ERR_FLAGS},
        {{.result = 0, .field = VCS_FIELD_RESULT_OUTCOME, .integer = UINT64_C(1) << 32}, VCS_ERR_RANGE},
        {{.result = VCS_NONE, .field = VCS_FIELD_UNIT_TARGET_NRESULTS, .integer = 0}, VCS_ERR_RANGE},
        {{.result = VCS_NONE, .field = VCS_FIELD_UNIT_ASSIMILATED, .number = (double)INFINITY}, VCS_ERR_NOT_FINITE},
        {{.result = VCS_NONE, .field = VCS_FIELD_UNIT_ASSIMILATED, .number = (double)NAN}, VCS_ERR_NOT_FINITE},
        {{.result = VCS_NONE, .field = VCS_FIELD_UNIT_ASSIMILATED, .number = 2e15}, VCS_ERR_RANGE},
        {{.result = VCS_NONE, .field = VCS_FIELD_UNIT_ASSIMILATED, .reserved = {1}}, VCS_ERR_ABI_NEWER},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        static unit_model before;
        vcs_error error = {.struct_size = sizeof error};
        begin_three();
        before = m;
        const int code = vcs_change_apply(&table[i].change, &m.unit, ARRAY(m.results, m.count), &error);
        assert_int_equal(code, table[i].code);
        assert_true(code == VCS_OK || memcmp(&before, &m, sizeof m) == 0);
        assert_int_equal(error.code, code);
        assert_int_equal(error.index, 0); /* there is one change, one unit, and no other result is wrong */
    }
    const vcs_change good = table[1].change;
    assert_int_equal(vcs_change_apply(NULL, &m.unit, ARRAY(m.results, 3), NULL), VCS_ERR_NULL);
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_change_apply(&good, NULL, ARRAY(m.results, 3), &error), VCS_ERR_NULL);
    assert_string_equal(error.message, "unit: is NULL");
    assert_int_equal(vcs_change_apply(&good, &m.unit, ARRAY_OF(NULL, sizeof *m.results, 3), NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_change_apply(&good, &m.unit, ARRAY_OF(m.results, 72, 3), NULL), VCS_ERR_ABI_OLDER);
    vcs_error small = {.struct_size = 8};
    assert_int_equal(vcs_change_apply(&good, &m.unit, ARRAY(m.results, 3), &small), VCS_ERR_ABI_OLDER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_three_succeed),
        cmocka_unit_test(the_second_is_lost),
        cmocka_unit_test(one_fails),
        cmocka_unit_test(one_wrong_result_is_replaced),
        cmocka_unit_test(the_sixth_error_of_five),
        cmocka_unit_test(two_errors_and_two_in_progress),
        cmocka_unit_test(no_copy_is_made_in_vain),
        cmocka_unit_test(more_copies_than_may_be),
        cmocka_unit_test(a_copy_that_cannot_be_sent),
        cmocka_unit_test(cancelled_by_the_user_is_no_error),
        cmocka_unit_test(a_success_given_up_counts_once),
        cmocka_unit_test(after_consensus_assimilation_and_deletion),
        cmocka_unit_test(for_a_cancelled_unit),
        cmocka_unit_test(too_late),
        cmocka_unit_test(nothing_before_it_is_due),
        cmocka_unit_test(at_the_deadline),
        cmocka_unit_test(a_whole_life_at_one_clock_reading),
        cmocka_unit_test(whatever_is_pending_is_compared),
        cmocka_unit_test(the_clock_goes_back),
        cmocka_unit_test(delayed_deletion),
        cmocka_unit_test(files_kept_for_ever),
        cmocka_unit_test(safety_net),
        cmocka_unit_test(a_copy_without_a_deadline),
        cmocka_unit_test(late_transitions_rest),
        cmocka_unit_test(the_first_copy_fixes_the_class),
        cmocka_unit_test(a_class_that_is_given_beforehand_stays),
        cmocka_unit_test(a_host_gets_one_copy),
        cmocka_unit_test(a_lost_reply_is_sent_again),
        cmocka_unit_test(or_given_up),
        cmocka_unit_test(claims_are_kept),
        cmocka_unit_test(exactly_once),
        cmocka_unit_test(files_that_cannot_be_deleted),
        cmocka_unit_test(the_canonical_result_is_lost),
        cmocka_unit_test(events_out_of_sequence),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(fields_of_events),
        cmocka_unit_test(bad_events),
        cmocka_unit_test(longer_records),
        cmocka_unit_test(shorter_events),
        cmocka_unit_test(longer_changes),
        cmocka_unit_test(applied_as_the_model_does),
        cmocka_unit_test(fields_have_names),
        cmocka_unit_test(changes_that_cannot_be_applied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
