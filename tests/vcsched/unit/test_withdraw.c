/*
 * Hosts that were caught (rule 8.9), worked by hand.
 *
 * Results are numbered by their ids, 1, 2, 3, in the comments; index 0 has id 1.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"
#include "oracle/oracle_transition.h"
#include "support/unit_life.h"

#define HOUR 3600.0

static unit_model m;

static void assert_result(uint32_t i, uint32_t outcome, uint32_t validate_state, uint32_t credited) {
    assert_int_equal(m.results[i].outcome, outcome);
    assert_int_equal(m.results[i].validate_state, validate_state);
    assert_int_equal(m.results[i].credited, credited);
    assert_true(model_is_right(&m));
}

static void assert_success(uint32_t i, uint32_t validate_state) {
    assert_result(i, VCS_OUTCOME_SUCCESS, validate_state, validate_state == VCS_VALIDATE_VALID);
}

/* M copies of M wanted, of `total` at most, all reported at 1 h, with a deadline at 10 h. */
static void begin_reported(uint32_t quorum, uint32_t total) {
    model_begin(&m, (model_parameters){quorum, quorum, 5, total, 6, 10 * HOUR});
    model_create(&m, 0);
    model_transition(&m, 0);
    for (uint32_t i = 0; i < quorum; i++) {
        model_send(&m, i, 0);
        model_report(&m, i, VCS_REPORT_SUCCESS, HOUR);
    }
    model_transition(&m, HOUR);
    assert_int_equal(m.unit.need_validate, 1);
}

/* The event changes nothing but this. */
static void only_noted(uint32_t i, double when) {
    static unit_model before;
    before = m;
    withdraw_as_the_oracle_does(&m, i, when);
    assert_int_equal(m.answers, 2);
    assert_true(model_says(&m, VCS_REASON_WITHDRAWN_NOTED));
    before.results[i].late_report = VCS_REPORT_WITHDRAWN;
    before.results[i].late_received = when;
    assert_memory_equal(&m.unit, &before.unit, sizeof m.unit);
    assert_memory_equal(m.results, before.results, sizeof m.results);
}

/*
 * Three results: 1 and 2 are wrong in the same way, 3 is right. The wrong ones win, and 1 becomes canonical. Then the
 * host of 1 is caught. 2 and 3 are compared again and disagree, a fourth copy is made, and 3 wins with it.
 */
static void two_that_lie_alike(void **unused) {
    (void)unused;
    begin_reported(3, 8);
    m.unit.min_quorum = 2;
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1, 2}, 2 * HOUR);
    model_transition(&m, 2 * HOUR);
    assert_true(m.unit.canonical == 1);
    assert_success(1, VCS_VALIDATE_VALID);
    assert_success(2, VCS_VALIDATE_INVALID);

    withdraw_as_the_oracle_does(&m, 0, 3 * HOUR);
    assert_true(m.unit.canonical == 0);
    assert_int_equal(m.unit.assimilate_state, VCS_ASSIMILATE_INIT);
    assert_true(m.unit.transition_time == 3 * HOUR);
    assert_success(0, VCS_VALIDATE_INVALID);
    assert_success(1, VCS_VALIDATE_INIT);
    assert_success(2, VCS_VALIDATE_INIT);
    assert_int_equal(m.results[0].revoked, VCS_REVOKED_RESULT);
    assert_int_equal(m.results[1].revoked, VCS_REVOKED_VALID);
    assert_int_equal(m.results[2].revoked, VCS_REVOKED_INVALID);

    model_transition(&m, 3 * HOUR);
    assert_int_equal(m.unit.need_validate, 1);
    assert_int_equal(m.made, 1); /* N is 3, and one of the three does not count any more */
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1, 2, 2}, 4 * HOUR);
    assert_success(1, VCS_VALIDATE_INCONCLUSIVE);
    model_transition(&m, 4 * HOUR);
    model_send(&m, 3, 4 * HOUR);
    model_report(&m, 3, VCS_REPORT_SUCCESS, 5 * HOUR);
    model_transition(&m, 5 * HOUR);
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1, 2, 2}, 6 * HOUR);
    assert_true(m.unit.canonical == 3);
    assert_success(0, VCS_VALIDATE_INVALID);
    assert_success(1, VCS_VALIDATE_INVALID);
    assert_success(2, VCS_VALIDATE_VALID);
    assert_success(3, VCS_VALIDATE_VALID);
    unit_lives_to_its_end(&m, 0, 7 * HOUR);
}

/* M 2, B 4: two against two, and no further copy may be made. Without one of them there is a majority. */
static void a_tie_is_broken(void **unused) {
    (void)unused;
    static const uint32_t classes[MODEL_MOST] = {1, 2, 1, 2};
    begin_reported(4, 4);
    m.unit.min_quorum = 2;
    m.results[3].server_state = VCS_RESULT_IN_PROGRESS; /* the fourth comes later */
    m.results[3].outcome = VCS_OUTCOME_INIT;
    m.results[0].validate_state = m.results[1].validate_state = m.results[2].validate_state = VCS_VALIDATE_INCONCLUSIVE;
    model_report(&m, 3, VCS_REPORT_SUCCESS, 2 * HOUR);
    model_transition(&m, 2 * HOUR);
    model_validate(&m, classes, 2 * HOUR);
    assert_true(m.unit.canonical == 0);
    assert_success(3, VCS_VALIDATE_INCONCLUSIVE);
    withdraw_as_the_oracle_does(&m, 1, 2 * HOUR);
    assert_success(0, VCS_VALIDATE_INIT);
    assert_int_equal(m.results[0].revoked, 0); /* it was not judged */
    model_transition(&m, 2 * HOUR);
    assert_int_equal(m.unit.error_mask, 0);
    assert_int_equal(m.unit.need_validate, 1);
    model_validate(&m, classes, 2 * HOUR);
    assert_true(m.unit.canonical == 1);
    assert_success(2, VCS_VALIDATE_VALID);
    assert_success(3, VCS_VALIDATE_INVALID);
}

/* All are right. One host after the other is caught: what is withdrawn stays so when the unit chooses anew again. */
static void one_after_the_other(void **unused) {
    (void)unused;
    static const uint32_t classes[MODEL_MOST] = {1, 1, 1};
    begin_reported(3, 8);
    m.unit.min_quorum = 1;
    model_validate(&m, classes, 2 * HOUR);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(m.unit.canonical == i + 1);
        withdraw_as_the_oracle_does(&m, i, 3 * HOUR);
        only_noted(i, 3 * HOUR);
        model_validate(&m, classes, 3 * HOUR);
    }
    assert_true(m.unit.canonical == 0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_success(i, VCS_VALIDATE_INVALID);
        assert_int_equal(m.results[i].revoked, i == 0 ? VCS_REVOKED_RESULT : VCS_REVOKED_RESULT | VCS_REVOKED_VALID);
    }
    model_transition(&m, 3 * HOUR);
    assert_int_equal(m.made, 3);
}

/* Who was not compared yet, or was outvoted, had no say in what was chosen. */
static void without_a_say(void **unused) {
    (void)unused;
    begin_reported(3, 8);
    withdraw_as_the_oracle_does(&m, 1, HOUR);
    assert_success(0, VCS_VALIDATE_INIT);
    assert_success(1, VCS_VALIDATE_INVALID);
    assert_int_equal(m.answers, 3);
    model_transition(&m, HOUR);
    assert_int_equal(m.made, 1); /* in its place */

    begin_reported(3, 8);
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1, 2}, 2 * HOUR);
    m.unit.min_quorum = 2;
    m.results[0].validate_state = m.results[1].validate_state = m.results[2].validate_state = VCS_VALIDATE_INIT;
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1, 2}, 2 * HOUR);
    withdraw_as_the_oracle_does(&m, 2, 3 * HOUR);
    assert_int_equal(m.answers, 2); /* a mark, for it must never be compared again; and the transition */
    assert_true(m.unit.canonical == 1);

    /* one that is still to be compared with the canonical result */
    m.results[1].validate_state = VCS_VALIDATE_INIT;
    m.results[1].credited = 0;
    withdraw_as_the_oracle_does(&m, 1, 3 * HOUR);
    assert_success(1, VCS_VALIDATE_INVALID);
    assert_true(m.unit.canonical == 1);
    assert_int_equal(m.unit.assimilate_state, VCS_ASSIMILATE_READY);
}

/* What the host still has, or may still report, counts no more. */
static void copies_that_were_not_reported(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = sizeof error};
    begin_reported(2, 8);
    model_add(&m, 1);
    const vcs_unit_event event = {.kind = VCS_UNIT_EVENT_WITHDRAWN, .result = 2};
    assert_int_equal(model_handle(&m, m.results, m.count, event, HOUR, &error), VCS_ERR_SEQUENCE);
    assert_string_equal(error.message, "result 2: server_state says that it was never sent");
    model_send(&m, 2, HOUR);
    withdraw_as_the_oracle_does(&m, 2, 2 * HOUR);
    assert_result(2, VCS_OUTCOME_CLIENT_DETACHED, VCS_VALIDATE_INIT, 0);
    assert_true(m.unit.transition_time == 2 * HOUR);
    model_report(&m, 2, VCS_REPORT_SUCCESS, 3 * HOUR);
    assert_result(2, VCS_OUTCOME_CLIENT_DETACHED, VCS_VALIDATE_INIT, 0);

    uint32_t given_up = model_add(&m, 1);
    model_send(&m, given_up, 3 * HOUR);
    model_transition(&m, 20 * HOUR);
    assert_result(given_up, VCS_OUTCOME_NO_REPLY, VCS_VALIDATE_INIT, 0);
    withdraw_as_the_oracle_does(&m, given_up, 21 * HOUR);
    assert_result(given_up, VCS_OUTCOME_CLIENT_DETACHED, VCS_VALIDATE_INIT, 0);
    model_report(&m, given_up, VCS_REPORT_SUCCESS, 22 * HOUR);
    assert_result(given_up, VCS_OUTCOME_CLIENT_DETACHED, VCS_VALIDATE_INIT, 0);
    only_noted(given_up, 23 * HOUR); /* again */
}

/* What the project has handled stays as it is; only a copy that is still out is not waited for. */
static void after_assimilation(void **unused) {
    (void)unused;
    begin_reported(2, 8);
    uint32_t late = model_add(&m, 1), lost = model_add(&m, 1);
    model_send(&m, late, HOUR);
    model_send(&m, lost, HOUR);
    m.results[lost].deadline = 2 * HOUR;
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1}, 3 * HOUR);
    model_transition(&m, 3 * HOUR);
    model_assimilate(&m, 3 * HOUR);
    only_noted(0, 4 * HOUR);
    only_noted(1, 4 * HOUR);
    only_noted(lost, 4 * HOUR);
    assert_success(0, VCS_VALIDATE_VALID);
    withdraw_as_the_oracle_does(&m, late, 5 * HOUR);
    assert_result(late, VCS_OUTCOME_CLIENT_DETACHED, VCS_VALIDATE_INIT, 0);
    model_transition(&m, 5 * HOUR);
    assert_int_equal(m.unit.file_delete_state, VCS_FILES_READY); /* nothing is out any more */
}

/* A unit that failed is not tried again; it is handled as a failure, without a canonical result. */
static void of_a_failed_unit(void **unused) {
    (void)unused;
    begin_reported(2, 8);
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1}, 2 * HOUR);
    model_cancel(&m, 2 * HOUR); /* it has a canonical result, and is cancelled */
    model_transition(&m, 2 * HOUR);
    withdraw_as_the_oracle_does(&m, 1, 3 * HOUR);
    model_transition(&m, 3 * HOUR);
    assert_true(m.unit.canonical == 0);
    assert_int_equal(m.unit.error_mask, VCS_UNIT_CANCELLED);
    assert_int_equal(m.unit.assimilate_state, VCS_ASSIMILATE_READY);
    assert_success(0, VCS_VALIDATE_NO_CHECK);
    assert_int_equal(m.made, 0);
    withdraw_as_the_oracle_does(&m, 0, 4 * HOUR);
    assert_success(0, VCS_VALIDATE_INVALID);
    unit_lives_to_its_end(&m, 0, 5 * HOUR);
}

/* What the host of the others is caught for does not matter to them; their records must be right all the same. */
static void the_others_are_checked(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = sizeof error};
    begin_reported(2, 8);
    m.results[1].validate_state = VCS_VALIDATE_VALID; /* of a unit without a canonical result */
    const unit_model before = m;
    const vcs_unit_event event = {.kind = VCS_UNIT_EVENT_WITHDRAWN, .result = 0};
    assert_int_equal(model_handle(&m, m.results, m.count, event, HOUR, &error), VCS_ERR_UNSUPPORTED);
    assert_int_equal(error.index, 1);
    assert_memory_equal(&m, &before, sizeof m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_that_lie_alike),
        cmocka_unit_test(a_tie_is_broken),
        cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(without_a_say),
        cmocka_unit_test(copies_that_were_not_reported),
        cmocka_unit_test(after_assimilation),
        cmocka_unit_test(of_a_failed_unit),
        cmocka_unit_test(the_others_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
