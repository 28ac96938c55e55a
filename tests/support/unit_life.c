/* SPDX-License-Identifier: MIT */
#include "support/kernel.h"
#include "oracle/oracle_transition.h"
#include "support/unit_life.h"

#include <stdbool.h>

/* ---- What holds at the end (rule 8.7) ---- */

static bool are_deleted(uint32_t files) {
    return files == VCS_FILES_DONE || files == VCS_FILES_ERROR;
}

/* All results of a unit that are credited are granted the same as its canonical one, and all others nothing. */
static double credit_of(const unit_model *m, uint32_t i) {
    for (uint32_t k = 0; k < m->count && m->results[i].credited != 0; k++) {
        if (m->results[k].id == m->unit.canonical) {
            return m->results[k].granted;
        }
    }
    return 0;
}

static void check_end(const unit_model *m) {
    assert_true(model_is_right(m));
    assert_true(m->unit.canonical != 0 || m->unit.error_mask != 0);
    assert_int_equal(m->unit.assimilate_state, VCS_ASSIMILATE_DONE);
    assert_int_equal(m->assimilations, 1);
    assert_true(are_deleted(m->unit.file_delete_state));
    assert_int_equal(m->unit.need_validate, 0);
    for (uint32_t i = 0; i < m->count; i++) {
        assert_int_equal(m->results[i].server_state, VCS_RESULT_OVER);
        assert_true(are_deleted(m->results[i].file_delete_state));
        assert_true(m->results[i].credited == 0 || m->results[i].validate_state == VCS_VALIDATE_VALID);
        assert_true(m->results[i].granted == credit_of(m, i));
    }
}

/* ---- A server that does its work, and hosts, some of them slow, wrong or silent ---- */

/* What hosts do with the results of a unit: a different thing for each id. */
static uint32_t class_of(uint64_t id, uint32_t manner) {
    static const uint32_t classes[] = {1, 1, 2, 1, VCS_NONE, 1, VCS_CLASS_WRONG, 1, VCS_CLASS_FAILED};
    return manner == 0 ? 1 : classes[(id * manner) % COUNT_OF(classes)];
}

static void judge(unit_model *m, uint32_t manner, double now) {
    uint32_t classes[MODEL_MOST];
    for (uint32_t i = 0; i < m->count; i++) {
        classes[i] = class_of(m->results[i].id, manner);
        if (m->results[i].id == m->unit.canonical && classes[i] >= VCS_CLASS_LATER) {
            classes[i] = 1; /* the files of a canonical result can be read, and it was not wrong */
        }
    }
    model_validate(m, classes, now);
}

/* In manner 2 some hosts are caught, once a result of theirs has been judged. */
static bool is_caught(const unit_model *m, const vcs_result *result, uint32_t manner) {
    return manner == 2 && result->id % 3 == 1 && result->validate_state == VCS_VALIDATE_VALID &&
           m->unit.assimilate_state != VCS_ASSIMILATE_DONE;
}

/* Whether there was something to do. */
static bool work_on_result(unit_model *m, uint32_t i, uint32_t manner, double now) {
    vcs_result *result = &m->results[i];
    const uint64_t fate = (result->id + manner) % 4;
    if (result->server_state == VCS_RESULT_INACTIVE) {
        result->server_state = VCS_RESULT_UNSENT;
    } else if (result->server_state == VCS_RESULT_UNSENT) {
        model_send(m, i, now);
    } else if (result->server_state == VCS_RESULT_IN_PROGRESS && fate != 3) {
        model_report(m, i, fate == 2 && manner != 0 ? VCS_REPORT_CLIENT_ERROR : VCS_REPORT_SUCCESS, now);
    } else if (result->file_delete_state == VCS_FILES_READY) {
        model_delete_outputs(m, i, fate == 1 ? VCS_NOT_DELETED : VCS_DELETED, now);
    } else if (is_caught(m, result, manner)) {
        withdraw_as_the_oracle_does(m, i, now);
    } else {
        return false;
    }
    return true;
}

static bool work_on_unit(unit_model *m, uint32_t manner, double now) {
    if (m->unit.need_validate) {
        judge(m, manner, now);
    } else if (m->unit.assimilate_state == VCS_ASSIMILATE_READY) {
        model_assimilate(m, now);
    } else if (m->unit.file_delete_state == VCS_FILES_READY) {
        model_delete_inputs(m, VCS_DELETED, now);
    } else {
        return false;
    }
    return true;
}

void unit_lives_to_its_end(unit_model *m, uint32_t manner, double now) {
    m->assimilations = m->unit.assimilate_state == VCS_ASSIMILATE_DONE;
    for (uint32_t steps = 0;; steps++) {
        assert_true(steps < 1000);
        bool worked = work_on_unit(m, manner, now);
        for (uint32_t i = 0; i < m->count; i++) {
            worked |= work_on_result(m, i, manner, now);
        }
        if (now >= m->unit.transition_time) {
            model_transition(m, now);
        } else if (!worked && isinf(m->unit.transition_time)) {
            break;
        } else {
            now = worked ? now + manner : m->unit.transition_time; /* manner 0: all at one reading of the clock */
        }
    }
    check_end(m);
}

/* ---- Against the oracle ---- */

void assert_same_unit(const unit_model *m, const unit_model *expected) {
    assert_memory_equal(&m->unit, &expected->unit, sizeof m->unit);
    assert_memory_equal(m->results, expected->results, sizeof *m->results * expected->count);
}

void check_against_oracle(const unit_model *before, const unit_model *after, double now) {
    static unit_model expected;
    expected.unit = before->unit;
    expected.count = before->count;
    memcpy(expected.results, before->results, sizeof *before->results * before->count);
    uint32_t made = oracle_transition(&expected.unit, expected.results, expected.count, now);
    assert_int_equal(after->made, made);
    assert_same_unit(after, &expected);
}

int withdraw_as_the_oracle_does(unit_model *m, uint32_t i, double now) {
    static unit_model expected;
    const vcs_unit_event event = {.kind = VCS_UNIT_EVENT_WITHDRAWN, .result = i};
    if (m->results[i].server_state < VCS_RESULT_IN_PROGRESS) {
        assert_int_equal(model_handle(m, m->results, m->count, event, now, NULL), VCS_ERR_SEQUENCE);
        m->answers = 0;
        return 0;
    }
    model_copy(&expected, m);
    model_withdraw(m, i, now);
    oracle_withdraw(&expected.unit, expected.results, expected.count, i, now);
    assert_same_unit(m, &expected);
    assert_true(model_is_right(m));
    return 1;
}

void resend_as_the_oracle_does(unit_model *m, uint32_t i, double estimate, double now) {
    static unit_model expected;
    model_copy(&expected, m);
    model_resend(m, i, estimate, now);
    oracle_resend(&expected.unit, &expected.results[i], estimate, now);
    assert_same_unit(m, &expected);
}

void check_unit_step(const unit_model *m, const unit_model *before, const bool *caught) {
    const bool is_chosen_anew = model_says(m, VCS_REASON_CHOSEN_ANEW);
    assert_true(model_is_right(m));
    assert_int_equal(m->assimilations, m->unit.assimilate_state == VCS_ASSIMILATE_DONE);
    assert_true(m->count <= m->unit.max_total);
    assert_true(before->unit.canonical == 0 || m->unit.canonical == before->unit.canonical || is_chosen_anew);
    assert_int_equal(before->unit.error_mask & ~m->unit.error_mask, 0);
    for (uint32_t i = 0; i < before->count; i++) {
        assert_true(m->results[i].server_state >= before->results[i].server_state);
        assert_true(m->results[i].credited >= before->results[i].credited || caught[i] || is_chosen_anew);
        assert_true(m->results[i].granted == before->results[i].granted || before->results[i].credited == 0 ||
                    caught[i] || is_chosen_anew);
        assert_true(!caught[i] || (m->results[i].credited == 0 && m->results[i].id != m->unit.canonical));
    }
}
