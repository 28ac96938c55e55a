/*
 * The life of a work unit (rules 8.3, 8.4, 8.7, 8.9): whatever happens, in whatever order, each transition and each
 * validation is that of the oracles, and the unit comes to its end. Records that contradict themselves are refused, and
 * nothing is written.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "oracle/oracle_transition.h"
#include "support/array.h"
#include "support/unit_life.h"

#include <vcsched/unit.h>

#define HOUR 3600.0
#define NOW 1.0e6

/* ---- Anything in any order ---- */

static void begin(fuzz_input *in, unit_model *m) {
    const uint32_t shape = fuzz_byte(in), limits = fuzz_byte(in);
    const uint32_t quorum = 1 + shape % 3, target = quorum + shape / 4 % 3;
    const model_parameters of = {
        quorum, target, limits % 4, target + limits / 4 % 6, limits / 32, (1 + fuzz_byte(in) % 20) * HOUR};
    model_begin(m, of);
    m->unit.quorum_rule = shape / 16 % 3;
    m->unit.quorum_weight = 0.1 + 3 * fuzz_fraction(in);
    m->unit.delete_delay = shape / 128 * fuzz_byte(in) * HOUR;
    m->unit.credit_rule = limits / 4 % 2;
    m->unit.fixed_credit = fuzz_fraction(in);
    m->unit.max_single_claim = limits / 8 % 2 * fuzz_fraction(in);
    model_create(m, NOW);
}

static void validate(fuzz_input *in, unit_model *m, double now) {
    static const uint32_t usual[] = {1, 1, 1, 2, 3, VCS_NONE, VCS_CLASS_WRONG, VCS_CLASS_FAILED};
    static unit_model expected;
    uint32_t classes[MODEL_MOST];
    for (uint32_t i = 0; i < m->count; i++) {
        classes[i] = usual[fuzz_byte(in) % 8];
    }
    expected = *m;
    model_validate(m, classes, now);
    oracle_validate(&expected.unit, expected.results, expected.count, classes, now);
    assert_same_unit(m, &expected);
}

/* Whether the host of a result was caught before its unit was assimilated. */
static bool caught[MODEL_MOST];

static void report(fuzz_input *in, unit_model *m, uint32_t i, uint32_t what, double now) {
    if (what < 160) {
        model_claim(m, i, what % 16 * fuzz_fraction(in), now);
    } else {
        model_report(m, i, 1 + what % VCS_REPORT_REFUSED, now);
    }
}

static void happen_to_result(fuzz_input *in, unit_model *m, uint32_t i, double now) {
    vcs_result *result = &m->results[i];
    const uint32_t what = fuzz_byte(in);
    if (what >= 244) {
        caught[i] |= m->unit.assimilate_state != VCS_ASSIMILATE_DONE && withdraw_as_the_oracle_does(m, i, now);
    } else if (result->server_state == VCS_RESULT_IN_PROGRESS && what >= 236) {
        resend_as_the_oracle_does(m, i, (what - 236) * HOUR, now);
    } else if (result->server_state == VCS_RESULT_UNSENT && what < 8) {
        model_unsendable(m, i, now);
    } else if (result->server_state == VCS_RESULT_UNSENT) {
        result->weight = what / 256.0;
        model_send(m, i, now);
    } else if (result->file_delete_state == VCS_FILES_READY || result->file_delete_state == VCS_FILES_ERROR) {
        model_delete_outputs(m, i, what < 200 ? VCS_DELETED : VCS_NOT_DELETED, now);
    } else { /* in time, late, or twice */
        report(in, m, i, what, now);
    }
}

static void happen_to_unit(fuzz_input *in, unit_model *m, double now) {
    static unit_model before;
    if (m->unit.need_validate) {
        validate(in, m, now);
    } else if (m->unit.assimilate_state == VCS_ASSIMILATE_READY) {
        model_assimilate(m, now);
    } else if (m->unit.file_delete_state == VCS_FILES_READY) {
        model_delete_inputs(m, VCS_DELETED, now);
    } else {
        before = *m;
        model_transition(m, now);
        check_against_oracle(&before, m, now);
    }
}

/* A copy that has ended and is to be aborted has nothing to say; and a unit is finished when no file is left. */
static void check_needs(const unit_model *m, double now) {
    static unit_model asked;
    uint32_t finished = 2, left = m->unit.file_delete_state != VCS_FILES_DONE;
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t needed = 99;
        left += m->results[i].file_delete_state != VCS_FILES_DONE;
        assert_int_equal(vcs_result_needed(&m->unit, ARRAY(m->results, m->count), i, &needed, NULL, NULL), VCS_OK);
        assert_true(needed <= VCS_NEEDED_ABORT);
        if (needed == VCS_NEEDED_ABORT && m->results[i].server_state == VCS_RESULT_OVER) {
            asked = *m;
            model_report(&asked, i, VCS_REPORT_SUCCESS, now);
            asked.results[i].late_report = m->results[i].late_report;
            asked.results[i].late_received = m->results[i].late_received;
            assert_same_unit(&asked, m);
        }
    }
    assert_int_equal(vcs_unit_finished(&m->unit, ARRAY(m->results, m->count), &finished, NULL), VCS_OK);
    assert_int_equal(finished, left == 0);
}

/* ---- Records that are not right ---- */

typedef struct answer {
    vcs_change changes[MODEL_MOST_CHANGES];
    uint32_t count;
    int code;
} answer;

static void check_refusal(const answer *a, const vcs_error *error) {
    if (a->code != VCS_OK) {
        fuzz_refused(a->code, error);
        fuzz_unmarked("changes", a->changes, sizeof a->changes);
        fuzz_unmarked("count of changes", &a->count, sizeof a->count);
    }
}

static void begin_answer(answer *a, vcs_error *error) {
    fuzz_mark(a, sizeof *a);
    memset(error, 0, sizeof *error);
    error->struct_size = sizeof *error;
}

/* A change and results that may be spoilt: what is learned from them, and what is granted. */
static void learn_and_grant(fuzz_input *in, const vcs_change *change, const unit_model *spoilt) {
    vcs_error error = {.struct_size = sizeof error};
    vcs_lesson lesson = {.struct_size = sizeof lesson};
    const vcs_lesson before = lesson;
    double granted = -1;
    int code = vcs_change_lesson(change, ARRAY(spoilt->results, spoilt->count), &lesson, &error);
    if (code != VCS_OK) {
        fuzz_refused(code, &error);
        assert_memory_equal(&lesson, &before, sizeof lesson);
    }
    assert_true(lesson.flags <= (VCS_LESSON_TRUST | VCS_LESSON_QUOTA) && lesson.trust != VCS_TRUST_WRONG);
    const double cap = fuzz_byte(in) < 16 ? fuzz_number(in) : fuzz_fraction(in);
    code = vcs_credit_granted(ARRAY(spoilt->results, spoilt->count), cap, &granted, &error);
    if (code != VCS_OK) {
        fuzz_refused(code, &error);
    }
    assert_true(code == VCS_OK ? granted >= 0 && granted <= VCS_MAX_CREDIT : granted == -1);
}

/* What vcs_unit_check() finds right is taken, and what it refuses is refused for the same reason. */
static void spoil(fuzz_input *in, const unit_model *m, double now) {
    static unit_model spoilt;
    static answer a;
    spoilt = *m;
    vcs_error error = {.struct_size = sizeof error};
    uint32_t classes[MODEL_MOST] = {0};
    vcs_unit_event event = {.struct_size = sizeof event, .kind = VCS_UNIT_EVENT_CREATED, .result = VCS_NONE};
    vcs_change change = m->changes[fuzz_byte(in) % MODEL_MOST_CHANGES];
    const fuzz_records records[] = {
        {VCS_TYPE_UNIT, &spoilt.unit, sizeof spoilt.unit, 1},
        {VCS_TYPE_RESULT, spoilt.results, sizeof *spoilt.results, spoilt.count},
        {VCS_TYPE_UNIT_EVENT, &event, sizeof event, 1},
        {VCS_TYPE_CHANGE, &change, sizeof change, 1},
    };
    for (uint32_t edits = 1 + fuzz_byte(in) % 6; edits > 0; edits--) {
        fuzz_edit(in, records, 4);
    }
    for (uint32_t i = 0; i < m->count; i++) {
        classes[i] = fuzz_byte(in) < 250 ? 1 : (uint32_t)fuzz_integer(in, 4);
    }
    now = fuzz_byte(in) < 16 ? fuzz_number(in) : now;
    learn_and_grant(in, &change, &spoilt);
    const int check = vcs_unit_check(&spoilt.unit, ARRAY(spoilt.results, spoilt.count), NULL);
    begin_answer(&a, &error);
    a.code = vcs_transition(&spoilt.unit, ARRAY(spoilt.results, spoilt.count), now,
                            ARRAY(a.changes, MODEL_MOST_CHANGES), &a.count, &error);
    assert_true(check == VCS_OK || a.code != VCS_OK);
    check_refusal(&a, &error);
    begin_answer(&a, &error);
    a.code = vcs_validate(&spoilt.unit, ARRAY(spoilt.results, spoilt.count), classes, now,
                          ARRAY(a.changes, MODEL_MOST_CHANGES), &a.count, &error);
    assert_true(check == VCS_OK || a.code != VCS_OK);
    check_refusal(&a, &error);
    begin_answer(&a, &error);
    a.code = vcs_unit_handle_event(&spoilt.unit, ARRAY(spoilt.results, spoilt.count), &event, now,
                                   ARRAY(a.changes, MODEL_MOST_CHANGES), &a.count, &error);
    check_refusal(&a, &error);
    for (uint32_t i = 0; a.code == VCS_OK && i < a.count; i++) {
        if (a.changes[i].kind != VCS_CHANGE_CREATE) {
            assert_int_equal(vcs_change_apply(&a.changes[i], &spoilt.unit, ARRAY(spoilt.results, spoilt.count), NULL),
                             VCS_OK);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static unit_model m, before;
    fuzz_input in = {bytes, size};
    double now = NOW;
    memset(caught, 0, sizeof caught);
    begin(&in, &m);
    for (uint32_t steps = 0; steps < 60 && fuzz_more(&in); steps++) {
        const uint32_t what = fuzz_byte(&in);
        before = m;
        now += what >= 252 ? -HOUR : (what % 8) * (HOUR / 4);
        if (what < 12) {
            spoil(&in, &m, now);
        } else if (what < 16) {
            model_cancel(&m, now);
        } else if (m.count > 0 && what / 16 % 2 == 1) {
            happen_to_result(&in, &m, what / 32 % m.count, now);
        } else {
            happen_to_unit(&in, &m, now);
        }
        check_unit_step(&m, &before, caught);
        check_needs(&m, now);
    }
    unit_lives_to_its_end(&m, (uint32_t)size % 3, now);
    return 0;
}
