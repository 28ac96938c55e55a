/*
 * What a project does itself with a unit, and fails at (rules 8.4 and 8.5): worked by hand, in a loop, and on random
 * units against the oracle.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"
#include "support/unit_life.h"
#include "oracle/oracle_transition.h"

#include <stdbool.h>

#define NOW 1.0e6

static unit_model m;

/* A unit of one copy whose result is here and waits to be compared. */
static void begin_to_compare(void) {
    model_begin(&m, (model_parameters){1, 1, 0, 3, 3, 3600});
    model_create(&m, NOW);
    model_transition(&m, NOW);
    model_send(&m, 0, NOW);
    model_report(&m, 0, VCS_REPORT_SUCCESS, NOW);
    model_transition(&m, NOW);
    assert_int_equal(m.unit.need_validate, 1);
}

static void begin_to_assimilate(void) {
    begin_to_compare();
    model_validate(&m, (const uint32_t[]){1}, NOW);
    model_transition(&m, NOW);
    assert_int_equal(m.unit.assimilate_state, VCS_ASSIMILATE_READY);
}

static void begin_to_delete(void) {
    begin_to_assimilate();
    model_assimilate(&m, NOW);
    model_transition(&m, NOW);
    assert_int_equal(m.unit.file_delete_state, VCS_FILES_READY);
}

typedef struct kind_of_work {
    uint32_t work;
    void (*begin)(void);
    const uint32_t *failures;
    const double *time;
} kind_of_work;

static const kind_of_work kinds[] = {
    {VCS_UNIT_WORK_COMPARE, begin_to_compare, &m.unit.compare_failures, &m.unit.compare_time},
    {VCS_UNIT_WORK_ASSIMILATE, begin_to_assimilate, &m.unit.assimilate_failures, &m.unit.assimilate_time},
    {VCS_UNIT_WORK_DELETE, begin_to_delete, &m.unit.delete_failures, &m.unit.delete_time},
};

/* Two failures are tried again after 60 and 120 s; the third in a row is one for a person, who says when to go on. */
static void the_third_failure_waits_for_a_person(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        const kind_of_work *kind = &kinds[i];
        kind->begin();
        assert_int_equal(m.unit.max_failures, 8);
        m.unit.max_failures = 3;
        const unit_model before = m;
        model_fail(&m, kind->work, 60, NOW);
        assert_int_equal(*kind->failures, 1);
        assert_true(*kind->time == NOW + 60);
        assert_true(model_says(&m, VCS_REASON_TRIED_AGAIN));
        assert_int_equal(m.answers, 2);
        model_fail(&m, kind->work, 120, NOW + 60);
        assert_true(*kind->time == NOW + 180);
        model_fail(&m, kind->work, 240, NOW + 180);
        assert_int_equal(*kind->failures, 3);
        assert_true(isinf(*kind->time));
        assert_true(model_says(&m, VCS_REASON_WAITS_FOR_PERSON) && !model_says(&m, VCS_REASON_TRIED_AGAIN));
        assert_true(model_is_right(&m));
        /* Nothing that the unit itself would see to. */
        model_transition(&m, isinf(m.unit.transition_time) ? NOW + 500 : m.unit.transition_time);
        assert_true(isinf(*kind->time));
        model_resume(&m, kind->work, NOW + 1000);
        assert_true(model_says(&m, VCS_REASON_WORK_GOES_ON));
        m.unit.transition_time = before.unit.transition_time;
        assert_memory_equal(&m.unit, &before.unit, sizeof m.unit);
        model_resume(&m, kind->work, NOW + 1000); /* there is nothing to resume */
        assert_int_equal(m.answers, 0);
    }
}

/* With 0 it is tried for ever, and the number stays when it can grow no further. */
static void or_for_nobody(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        kinds[i].begin();
        m.unit.max_failures = 0;
        m.unit.compare_failures = m.unit.assimilate_failures = m.unit.delete_failures = UINT32_MAX - 1;
        for (uint32_t k = 0; k < 3; k++) {
            model_fail(&m, kinds[i].work, 3600, NOW + k);
            assert_int_equal(*kinds[i].failures, UINT32_MAX);
            assert_true(*kinds[i].time == NOW + k + 3600);
        }
    }
}

/* What goes well in the end has never failed, as far as the unit knows. */
static void success_forgets(void **unused) {
    (void)unused;
    begin_to_compare();
    model_fail(&m, VCS_UNIT_WORK_COMPARE, 60, NOW);
    model_validate(&m, (const uint32_t[]){1}, NOW + 60);
    assert_int_equal(m.unit.compare_failures, 0);
    assert_true(m.unit.compare_time == 0);
    model_transition(&m, NOW + 60);
    model_fail(&m, VCS_UNIT_WORK_ASSIMILATE, 60, NOW + 60);
    model_assimilate(&m, NOW + 120);
    assert_int_equal(m.unit.assimilate_failures, 0);
    assert_true(m.unit.assimilate_time == 0);
    model_transition(&m, NOW + 120);
    model_fail(&m, VCS_UNIT_WORK_DELETE, 60, NOW + 120);
    model_delete_inputs(&m, VCS_NOT_DELETED, NOW + 180);
    assert_int_equal(m.unit.delete_failures, 1);
    model_fail(&m, VCS_UNIT_WORK_DELETE, 120, NOW + 180);
    model_delete_inputs(&m, VCS_DELETED, NOW + 300);
    assert_int_equal(m.unit.delete_failures, 0);
    assert_true(m.unit.delete_time == 0);
    model_fail(&m, VCS_UNIT_WORK_DELETE, 60, NOW + 300);
    model_delete_outputs(&m, 0, VCS_DELETED, NOW + 360);
    assert_int_equal(m.unit.delete_failures, 0);
}

/* The result that could not be handled is withdrawn: the next canonical result is one that nobody has failed at. */
static void another_canonical_result_is_tried_anew(void **unused) {
    (void)unused;
    begin_to_assimilate();
    m.unit.max_failures = 1;
    model_fail(&m, VCS_UNIT_WORK_ASSIMILATE, 60, NOW);
    assert_true(isinf(m.unit.assimilate_time));
    withdraw_as_the_oracle_does(&m, 0, NOW + 1);
    assert_int_equal(m.unit.assimilate_state, VCS_ASSIMILATE_INIT);
    assert_int_equal(m.unit.assimilate_failures, 0);
    assert_true(m.unit.assimilate_time == 0);
}

static void refuse(uint32_t work, const char *message) {
    static unit_model before;
    vcs_error error = {.struct_size = sizeof error};
    before = m;
    const vcs_unit_event event = {.kind = VCS_UNIT_EVENT_WORK_FAILED, .result = VCS_NONE, .work = work, .delay = 1};
    assert_int_equal(model_handle(&m, m.results, m.count, event, NOW, &error), VCS_ERR_SEQUENCE);
    assert_string_equal(error.message, message);
    assert_memory_equal(&m, &before, sizeof m);
}

static void only_what_is_to_be_done_can_fail(void **unused) {
    (void)unused;
    begin_to_assimilate();
    refuse(VCS_UNIT_WORK_COMPARE, "unit: need_validate is 0: nothing is to be compared");
    refuse(VCS_UNIT_WORK_DELETE, "unit: assimilate_state is not done: no files may be deleted");
    begin_to_delete();
    refuse(VCS_UNIT_WORK_ASSIMILATE, "unit: assimilate_state is not ready");
    begin_to_compare();
    refuse(VCS_UNIT_WORK_ASSIMILATE, "unit: assimilate_state is not ready");
}

/* ---- In a loop, and on random input ---- */

/* Every kind of work fails now and then: the unit still lives to its end, and has forgotten. */
static void a_life_with_failures(void **unused) {
    (void)unused;
    random_stream stream = {85};
    uint32_t failed = 0;
    for (uint32_t run = 0; run < 2000; run++) {
        const uint32_t quorum = 1 + random_below(&stream, 3);
        double now = NOW;
        model_begin(&m, (model_parameters){quorum, quorum + 1, 8, 14, 14, 3600});
        m.unit.max_failures = 0;
        model_create(&m, now);
        for (uint32_t step = 0; step < 60; step++, now += 30) {
            static unit_model expected;
            const uint32_t can_fail[] = {m.unit.need_validate, m.unit.assimilate_state == VCS_ASSIMILATE_READY,
                                         m.unit.assimilate_state == VCS_ASSIMILATE_DONE};
            const uint32_t work = 1 + random_below(&stream, 3);
            const double delay = 60.0 * (1 + random_below(&stream, 8));
            model_copy(&expected, &m);
            if (can_fail[work - 1]) {
                model_fail(&m, work, delay, now);
                oracle_fail(&expected.unit, work, delay, now);
                assert_same_unit(&m, &expected);
                failed++;
                continue;
            }
            model_transition(&m, now);
            for (uint32_t i = 0; i < m.count; i++) {
                if (m.results[i].server_state == VCS_RESULT_UNSENT) {
                    model_send(&m, i, now);
                    model_report(&m, i, VCS_REPORT_SUCCESS, now);
                }
            }
            assert_true(model_is_right(&m));
        }
        unit_lives_to_its_end(&m, 1, now);
        assert_int_equal(m.unit.compare_failures + m.unit.assimilate_failures + m.unit.delete_failures, 0);
        assert_true(m.unit.compare_time == 0 && m.unit.assimilate_time == 0 && m.unit.delete_time == 0);
    }
    assert_true(failed > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_third_failure_waits_for_a_person),
        cmocka_unit_test(or_for_nobody),
        cmocka_unit_test(success_forgets),
        cmocka_unit_test(another_canonical_result_is_tried_anew),
        cmocka_unit_test(only_what_is_to_be_done_can_fail),
        cmocka_unit_test(a_life_with_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
