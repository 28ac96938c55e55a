/*
 * What trust and quota learn from changes (rule 8.9): worked by hand, and in random lives of units, where a ledger that
 * knows nothing of reasons sees that each outcome of a result teaches exactly once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/effort.h"
#include "support/kernel.h"
#include "support/unit_life.h"

#include <stdbool.h>
#include <vcsched/unit.h>

#define HOUR 3600.0
#define NOW 1.0e6

static unit_model m;

static vcs_lesson lesson_of(const vcs_change *change) {
    vcs_lesson lesson = {.struct_size = sizeof lesson};
    assert_int_equal(vcs_change_lesson(change, ARRAY(m.results, m.count), &lesson, NULL), VCS_OK);
    return lesson;
}

/* What a host learns, as one word. */
enum {
    NOTHING = 0,
    VALID = VCS_LESSON_TRUST | VCS_LESSON_QUOTA | 4,
    ERROR = VCS_LESSON_TRUST | VCS_LESSON_QUOTA,
    ABORTED = VCS_LESSON_QUOTA
};

static uint32_t word_of(const vcs_lesson *lesson) {
    const bool learns = (lesson->flags & VCS_LESSON_TRUST) != 0;
    assert_int_equal(lesson->trust, !learns ? 0 : lesson->valid ? VCS_TRUST_VALID : VCS_TRUST_ERROR);
    return lesson->flags | lesson->valid << 2;
}

/* What the host of result i learns from the last answer; at most one of its changes teaches. */
static uint32_t learned(uint32_t i) {
    uint32_t word = NOTHING;
    for (uint32_t k = 0; k < m.answers; k++) {
        const vcs_lesson lesson = lesson_of(&m.changes[k]);
        if (lesson.flags != 0 && lesson.result == i) {
            assert_int_equal(word, NOTHING);
            assert_int_equal(lesson.reason, m.changes[k].reason);
            word = word_of(&lesson);
        }
    }
    return word;
}

/* ---- By hand ---- */

/* Two copies in progress of a unit that wants two, and may have eight. */
static void begin_two(void) {
    model_begin(&m, (model_parameters){2, 2, 5, 8, 6, 10 * HOUR});
    model_create(&m, NOW);
    model_transition(&m, NOW);
    for (uint32_t i = 0; i < 2; i++) {
        model_send(&m, i, NOW);
        assert_int_equal(learned(i), NOTHING);
        m.results[i].host = 70 + i;
    }
}

static void of_reports(void **unused) {
    (void)unused;
    const struct {
        uint32_t report, learned;
    } table[] = {
        {VCS_REPORT_SUCCESS, NOTHING}, /* nobody knows yet whether it is right */
        {VCS_REPORT_CLIENT_ERROR, ERROR}, {VCS_REPORT_CANCELLED, ABORTED},
        {VCS_REPORT_DETACHED, NOTHING},   {VCS_REPORT_REFUSED, NOTHING},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        begin_two();
        model_report(&m, 1, table[i].report, NOW);
        assert_int_equal(learned(1), table[i].learned);
        assert_int_equal(learned(0), NOTHING);
        model_report(&m, 1, table[i].report, NOW); /* once more: it is noted only */
        assert_int_equal(learned(1), NOTHING);
    }
}

static void of_copies_that_are_given_up(void **unused) {
    (void)unused;
    begin_two();
    model_resend(&m, 0, 11 * HOUR, NOW);
    assert_int_equal(learned(0), NOTHING); /* the reply was lost */
    model_withdraw(&m, 1, NOW);
    assert_int_equal(learned(1), NOTHING); /* it was caught elsewhere */
    begin_two();
    model_transition(&m, NOW + 10 * HOUR);
    assert_int_equal(learned(0), ERROR);
    assert_int_equal(learned(1), ERROR);
    /* reported after all, and found right: that is another lesson */
    model_report(&m, 0, VCS_REPORT_SUCCESS, NOW + 11 * HOUR);
    model_report(&m, 1, VCS_REPORT_SUCCESS, NOW + 11 * HOUR);
    assert_int_equal(learned(1), NOTHING);
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1}, NOW + 11 * HOUR);
    assert_int_equal(learned(0), VALID);
    assert_int_equal(learned(1), VALID);
}

static void of_verdicts(void **unused) {
    (void)unused;
    const struct {
        uint32_t classes[3], learned[3];
    } table[] = {
        {{1, 1, 1}, {VALID, VALID, VALID}},
        {{1, 2, 1}, {VALID, ERROR, VALID}},
        {{VCS_NONE, 1, 1}, {ERROR, VALID, VALID}},
        {{1, 1, VCS_CLASS_WRONG}, {VALID, VALID, ERROR}},
        {{1, 2, 3}, {NOTHING, NOTHING, NOTHING}},
        {{1, VCS_CLASS_FAILED, 1}, {VALID, ERROR, VALID}},
        {{1, VCS_CLASS_LATER, 1}, {NOTHING, NOTHING, NOTHING}},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        uint32_t classes[MODEL_MOST] = {0};
        memcpy(classes, table[i].classes, sizeof table[i].classes);
        begin_two();
        model_send(&m, model_add(&m, 1), NOW);
        for (uint32_t k = 0; k < 3; k++) {
            model_report(&m, k, VCS_REPORT_SUCCESS, NOW);
        }
        model_validate(&m, classes, NOW);
        for (uint32_t k = 0; k < 3; k++) {
            assert_int_equal(learned(k), table[i].learned[k]);
        }
    }
}

/* 1 and 2 lie alike, 3 is right. The host of 1 is caught; 2 and 3 are judged again, the other way round. */
static void of_verdicts_taken_back(void **unused) {
    (void)unused;
    begin_two();
    m.unit.target_nresults = 3;
    model_send(&m, model_add(&m, 1), NOW);
    model_send(&m, model_add(&m, 1), NOW);
    for (uint32_t k = 0; k < 3; k++) {
        model_report(&m, k, VCS_REPORT_SUCCESS, NOW);
    }
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1, 2}, NOW);
    assert_int_equal(learned(1), VALID);
    assert_int_equal(learned(2), ERROR);
    model_withdraw(&m, 0, NOW);
    assert_int_equal(learned(0), NOTHING);
    assert_int_equal(learned(1), NOTHING);
    assert_int_equal(learned(2), NOTHING);
    model_report(&m, 3, VCS_REPORT_SUCCESS, NOW);
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1, 2, 2}, NOW);
    assert_int_equal(learned(1), ERROR);
    assert_int_equal(learned(2), VALID);
    assert_int_equal(learned(3), VALID);
    /* Then the host of 3 is caught too: what 2 and 4 are found to be now, they have been told. */
    model_withdraw(&m, 2, NOW);
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1, 2, 2}, NOW);
    model_send(&m, model_add(&m, 1), NOW);
    model_report(&m, 4, VCS_REPORT_SUCCESS, NOW);
    model_validate(&m, (const uint32_t[MODEL_MOST]){1, 1, 2, 2, 2}, NOW);
    assert_int_equal(m.results[3].validate_state, VCS_VALIDATE_VALID);
    assert_int_equal(learned(1), NOTHING);
    assert_int_equal(learned(3), NOTHING);
    assert_int_equal(learned(4), VALID);
    uint32_t repeated = 0;
    for (uint32_t k = 0; k < m.answers; k++) {
        repeated += lesson_of(&m.changes[k]).reason == VCS_REASON_LEARNED_BEFORE;
    }
    assert_int_equal(repeated, 2);
}

/* Whatever the reason, no change of another field says anything of a host: nobody need ask about those. */
static void only_two_fields_teach(void **unused) {
    (void)unused;
    uint32_t lessons[VCS_FIELD_RESULT_GRANTED + 1] = {0};
    begin_two();
    for (uint32_t field = 0; field <= VCS_FIELD_RESULT_GRANTED; field++) {
        for (uint32_t row = 0; vcs_change_field_name(field)[0] != '\0' && row < vcs_reason_count(); row++) {
            vcs_reason_info info = {.struct_size = sizeof info};
            assert_int_equal(vcs_reason_at(row, &info), VCS_OK);
            lessons[field] += lesson_of(&(vcs_change){.field = field, .reason = info.code}).flags != 0;
        }
        const bool teaches = field == VCS_FIELD_RESULT_OUTCOME || field == VCS_FIELD_RESULT_VALIDATE_STATE;
        assert_int_equal(lessons[field] > 0, teaches);
    }
}

static void about_which_host(void **unused) {
    (void)unused;
    begin_two();
    model_report(&m, 1, VCS_REPORT_CLIENT_ERROR, NOW);
    for (uint32_t k = 0; k < m.answers; k++) {
        const vcs_lesson lesson = lesson_of(&m.changes[k]);
        const bool is_of_unit = m.changes[k].result == VCS_NONE;
        assert_int_equal(lesson.result, is_of_unit ? VCS_NONE : 1);
        assert_true(lesson.host == (is_of_unit ? 0 : 71));
        assert_true(lesson.flags != 0 || lesson.reason == VCS_REASON_NOTHING_TO_LEARN);
    }
    model_transition(&m, NOW); /* among others a copy to make */
    for (uint32_t k = 0; k < m.answers; k++) {
        assert_int_equal(lesson_of(&m.changes[k]).flags, 0);
    }
}

/* ---- In any life ---- */

static random_stream stream = {89};

static bool happens(double probability) {
    return random_draw(&stream) < probability;
}

/* How often each result of a unit has taught what. */
static struct { uint32_t overdue, aborted, error, valid; } ledger[MODEL_MOST];

/* What the step from `before` to m teaches about result i, by its states alone. `is_report`: a host has reported it. */
static uint32_t expected_lesson(const vcs_result *before, uint32_t i, bool is_report) {
    const vcs_result *after = &m.results[i];
    const bool is_new_verdict =
        after->validate_state != before->validate_state && (after->revoked & VCS_REVOKED_RESULT) == 0;
    if (after->outcome == VCS_OUTCOME_NO_REPLY && before->outcome == VCS_OUTCOME_INIT) {
        ledger[i].aborted += is_report;
        ledger[i].overdue += !is_report;
        return is_report ? ABORTED : ERROR;
    }
    if (is_new_verdict && after->validate_state == VCS_VALIDATE_VALID) {
        return ledger[i].valid++ == 0 ? VALID : NOTHING;
    }
    if (is_new_verdict &&
        (after->validate_state == VCS_VALIDATE_INVALID || after->validate_state == VCS_VALIDATE_ERROR)) {
        return ledger[i].error++ == 0 ? ERROR : NOTHING;
    }
    return NOTHING;
}

typedef enum { BY_REPORT, BY_CLOCK, WITHOUT_BLAME } cause;

static void check_step(const unit_model *before, cause of) {
    for (uint32_t i = 0; i < before->count; i++) {
        const uint32_t expected = expected_lesson(&before->results[i], i, of == BY_REPORT);
        assert_int_equal(learned(i), of == WITHOUT_BLAME ? NOTHING : expected);
    }
}

/* Lets something happen, and says whether a host has reported, or it is nobody's fault. */
static cause step(double now) {
    const uint32_t i = random_below(&stream, m.count + 1);
    uint32_t classes[MODEL_MOST];
    m.answers = 0;
    if (i < m.count && m.results[i].server_state >= VCS_RESULT_IN_PROGRESS && happens(0.05)) {
        model_withdraw(&m, i, now);
    } else if (i < m.count && m.results[i].server_state == VCS_RESULT_IN_PROGRESS && happens(0.1)) {
        model_resend(&m, i, random_between(&stream, 0, 15) * HOUR, now);
        return WITHOUT_BLAME;
    } else if (i < m.count && m.results[i].server_state == VCS_RESULT_UNSENT) {
        model_send(&m, i, now);
    } else if (i < m.count && m.results[i].server_state >= VCS_RESULT_IN_PROGRESS && happens(0.5)) {
        static const uint32_t reports[] = {VCS_REPORT_SUCCESS,      VCS_REPORT_SUCCESS,   VCS_REPORT_SUCCESS,
                                           VCS_REPORT_CLIENT_ERROR, VCS_REPORT_CANCELLED, VCS_REPORT_DETACHED};
        model_report(&m, i, reports[random_below(&stream, COUNT_OF(reports))], now);
        return BY_REPORT;
    } else if (m.unit.need_validate) {
        for (uint32_t k = 0; k < m.count; k++) {
            static const uint32_t usual[] = {1, 1, 1, 2, VCS_NONE, VCS_CLASS_WRONG};
            classes[k] = usual[random_below(&stream, COUNT_OF(usual))];
        }
        model_validate(&m, classes, now);
    } else if (m.unit.assimilate_state == VCS_ASSIMILATE_READY && happens(0.1)) {
        model_assimilate(&m, now);
    } else {
        model_transition(&m, now);
    }
    return BY_CLOCK;
}

/* What a result is in the end, it has taught exactly once. */
static void check_ledger(void) {
    for (uint32_t i = 0; i < m.count; i++) {
        const vcs_result *result = &m.results[i];
        const bool is_withdrawn = (result->revoked & VCS_REVOKED_RESULT) != 0;
        assert_true(ledger[i].overdue + ledger[i].aborted <= 1);
        assert_true(result->validate_state != VCS_VALIDATE_VALID || ledger[i].valid >= 1);
        assert_true(result->validate_state != VCS_VALIDATE_INVALID || is_withdrawn || ledger[i].error >= 1);
        assert_true(result->validate_state != VCS_VALIDATE_ERROR || ledger[i].error >= 1);
    }
}

#define RANDOM_LIVES 20000
#define STEPS_OF_A_UNIT 60

static void each_outcome_teaches_once(void **unused) {
    (void)unused;
    static unit_model before;
    uint32_t repeated = 0, opposite = 0;
    const uint64_t lives = cases_to_try(RANDOM_LIVES);
    for (uint64_t life = 0; life < lives; life++) {
        double now = NOW;
        const uint32_t quorum = 1 + random_below(&stream, 3), target = quorum + random_below(&stream, 3);
        model_begin(&m, (model_parameters){quorum, target, 3, target + 6, 8, 10 * HOUR});
        m.unit.quorum_rule = random_below(&stream, 2);
        memset(ledger, 0, sizeof ledger);
        model_create(&m, now);
        model_transition(&m, now);
        for (uint32_t k = 0; k < STEPS_OF_A_UNIT; k++) {
            now += happens(0.3) ? 0 : random_between(&stream, 0, 2) * HOUR;
            before = m;
            const cause of = step(now);
            check_step(&before, of);
        }
        check_ledger();
        for (uint32_t i = 0; i < m.count; i++) {
            repeated += ledger[i].valid > 1 || ledger[i].error > 1;
            opposite += ledger[i].valid > 0 && ledger[i].error > 0;
        }
    }
    assert_true(repeated > lives / 100); /* verdicts that were found again were among them, */
    assert_true(opposite > lives / 500); /* and such as turned round */
}

/* ---- What is refused ---- */

static void bad_arguments(void **unused) {
    (void)unused;
    const struct {
        vcs_change change;
        int code;
    } table[] = {
        {{.kind = 2}, VCS_ERR_FLAGS},
        {{.field = 0}, VCS_ERR_FLAGS},
        {{.field = 33}, VCS_ERR_FLAGS},
        {{.field = VCS_FIELD_RESULT_OUTCOME, .result = 2}, VCS_ERR_INDEX},
        {{.field = VCS_FIELD_RESULT_OUTCOME, .reserved = {1}}, VCS_ERR_ABI_NEWER},
        {{.field = VCS_FIELD_RESULT_OUTCOME, .result = 1}, VCS_ERR_FLAGS}, /* which has a state that is not known */
    };
    const uint32_t size = sizeof *m.results;
    vcs_error error = {.struct_size = sizeof error};
    vcs_lesson lesson = {.struct_size = sizeof lesson, .flags = 77};
    const vcs_lesson before = lesson;
    begin_two();
    m.results[1].outcome = 99;
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        assert_int_equal(vcs_change_lesson(&table[i].change, ARRAY_OF(m.results, size, 2), &lesson, &error),
                         table[i].code);
        assert_int_equal(error.code, table[i].code);
        assert_int_equal(error.index, error.type == VCS_TYPE_RESULT); /* there is one change, and the second result */
        assert_memory_equal(&lesson, &before, sizeof lesson);
    }
    const vcs_change good = {.field = VCS_FIELD_RESULT_OUTCOME};
    assert_int_equal(vcs_change_lesson(&good, ARRAY_OF(m.results, size, 2), &lesson, NULL), VCS_OK);
    assert_int_equal(vcs_change_lesson(NULL, ARRAY_OF(m.results, size, 2), &lesson, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_change_lesson(&good, ARRAY_OF(NULL, size, 2), &lesson, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_change_lesson(&good, ARRAY_OF(m.results, size - 8, 2), &lesson, NULL), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_change_lesson(&good, ARRAY_OF(m.results, size, 2), NULL, NULL), VCS_ERR_NULL);
    lesson.struct_size = sizeof lesson - 8;
    assert_int_equal(vcs_change_lesson(&good, ARRAY_OF(m.results, size, 2), &lesson, NULL), VCS_ERR_ABI_OLDER);
    lesson.struct_size = sizeof lesson;
    error.struct_size = 8;
    assert_int_equal(vcs_change_lesson(&good, ARRAY_OF(m.results, size, 2), &lesson, &error), VCS_ERR_ABI_OLDER);
    /* about the unit alone, which needs no results */
    const vcs_change of_unit = {.result = VCS_NONE, .field = VCS_FIELD_UNIT_ERROR_MASK};
    assert_int_equal(vcs_change_lesson(&of_unit, NO_RECORDS, &lesson, NULL), VCS_OK);
    assert_int_equal(lesson.flags, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_reports),
        cmocka_unit_test(of_copies_that_are_given_up),
        cmocka_unit_test(of_verdicts),
        cmocka_unit_test(of_verdicts_taken_back),
        cmocka_unit_test(about_which_host),
        cmocka_unit_test(only_two_fields_teach),
        cmocka_unit_test(each_outcome_teaches_once),
        cmocka_unit_test(bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
