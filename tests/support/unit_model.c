/* SPDX-License-Identifier: MIT */
#include "support/array.h"
#include "support/kernel.h"
#include "support/unit_model.h"

void model_begin(unit_model *m, model_parameters of) {
    memset(m, 0, sizeof *m);
    assert_int_equal(vcs_unit_init(&m->unit, 1), VCS_OK);
    m->unit.min_quorum = of.quorum;
    m->unit.target_nresults = of.target;
    m->unit.max_error = of.errors;
    m->unit.max_total = of.total;
    m->unit.max_success = of.successes;
    m->unit.delay_bound = of.delay_bound;
    m->next_id = 1;
}

static uint32_t add(unit_model *m) {
    assert_true(m->count < MODEL_MOST);
    assert_int_equal(vcs_result_init(&m->results[m->count], m->next_id++), VCS_OK);
    return m->count++;
}

void model_set_state(vcs_result *result, uint32_t state) {
    uint32_t server_state = VCS_RESULT_INACTIVE, outcome = 0, validate_state = 0, file_delete_state = 0, legal = 0;
    vcs_unit unit;
    assert_int_equal(vcs_unit_init(&unit, 1), VCS_OK);
    unit.error_mask = VCS_UNIT_NO_CANONICAL;     /* each verdict is possible */
    unit.assimilate_state = VCS_ASSIMILATE_DONE; /* and each state of files */
    for (uint32_t code = 0; legal <= state; code++) {
        vcs_result tried;
        assert_true(code < 4 * 8 * 7 * 4);
        assert_int_equal(vcs_result_init(&tried, 1), VCS_OK);
        tried.file_delete_state = file_delete_state = code % 4;
        tried.validate_state = validate_state = code / 4 % 7;
        tried.outcome = outcome = code / 28 % 8;
        tried.server_state = server_state = code / 224;
        legal += vcs_unit_check(&unit, ARRAY(&tried, 1), NULL) == VCS_OK;
    }
    result->server_state = server_state;
    result->outcome = outcome;
    result->validate_state = validate_state;
    result->file_delete_state = file_delete_state;
}

uint32_t model_add(unit_model *m, uint32_t state) {
    uint32_t i = add(m);
    model_set_state(&m->results[i], state);
    return i;
}

void model_copy(unit_model *to, const unit_model *from) {
    to->unit = from->unit;
    to->count = from->count;
    to->next_id = from->next_id;
    to->answers = 0;
    to->made = 0;
    to->assimilations = from->assimilations;
    memcpy(to->results, from->results, sizeof *from->results * from->count);
}

/* Applied here without the library, which is tested against it. */
static void apply_to_unit(vcs_unit *unit, const vcs_change *change) {
    switch (change->field) {
    case VCS_FIELD_UNIT_TRANSITION_TIME:
        unit->transition_time = change->number;
        return;
    case VCS_FIELD_UNIT_ASSIMILATED:
        unit->assimilated = change->number;
        return;
    case VCS_FIELD_UNIT_HR_CLASS:
        unit->hr_class = change->integer;
        return;
    case VCS_FIELD_UNIT_CANONICAL:
        unit->canonical = change->integer;
        return;
    case VCS_FIELD_UNIT_TARGET_NRESULTS:
        unit->target_nresults = (uint32_t)change->integer;
        return;
    case VCS_FIELD_UNIT_ERROR_MASK:
        unit->error_mask = (uint32_t)change->integer;
        return;
    case VCS_FIELD_UNIT_ASSIMILATE_STATE:
        unit->assimilate_state = (uint32_t)change->integer;
        return;
    case VCS_FIELD_UNIT_FILE_DELETE_STATE:
        unit->file_delete_state = (uint32_t)change->integer;
        return;
    case VCS_FIELD_UNIT_COMPARE_FAILURES:
        unit->compare_failures = (uint32_t)change->integer;
        return;
    case VCS_FIELD_UNIT_ASSIMILATE_FAILURES:
        unit->assimilate_failures = (uint32_t)change->integer;
        return;
    case VCS_FIELD_UNIT_DELETE_FAILURES:
        unit->delete_failures = (uint32_t)change->integer;
        return;
    case VCS_FIELD_UNIT_COMPARE_TIME:
        unit->compare_time = change->number;
        return;
    case VCS_FIELD_UNIT_ASSIMILATE_TIME:
        unit->assimilate_time = change->number;
        return;
    case VCS_FIELD_UNIT_DELETE_TIME:
        unit->delete_time = change->number;
        return;
    default:
        assert_int_equal(change->field, VCS_FIELD_UNIT_NEED_VALIDATE);
        unit->need_validate = (uint32_t)change->integer;
    }
}

static void apply_to_result(vcs_result *result, const vcs_change *change) {
    switch (change->field) {
    case VCS_FIELD_RESULT_DEADLINE:
        result->deadline = change->number;
        return;
    case VCS_FIELD_RESULT_RECEIVED:
        result->received = change->number;
        return;
    case VCS_FIELD_RESULT_LATE_RECEIVED:
        result->late_received = change->number;
        return;
    case VCS_FIELD_RESULT_SERVER_STATE:
        result->server_state = (uint32_t)change->integer;
        return;
    case VCS_FIELD_RESULT_OUTCOME:
        result->outcome = (uint32_t)change->integer;
        return;
    case VCS_FIELD_RESULT_VALIDATE_STATE:
        result->validate_state = (uint32_t)change->integer;
        return;
    case VCS_FIELD_RESULT_FILE_DELETE_STATE:
        result->file_delete_state = (uint32_t)change->integer;
        return;
    case VCS_FIELD_RESULT_CREDITED:
        result->credited = (uint32_t)change->integer;
        return;
    case VCS_FIELD_RESULT_HOST:
        result->host = change->integer;
        return;
    case VCS_FIELD_RESULT_REVOKED:
        result->revoked = (uint32_t)change->integer;
        return;
    case VCS_FIELD_RESULT_CLAIMED:
        result->claimed = change->number;
        return;
    case VCS_FIELD_RESULT_GRANTED:
        result->granted = change->number;
        return;
    default:
        assert_int_equal(change->field, VCS_FIELD_RESULT_LATE_REPORT);
        result->late_report = (uint32_t)change->integer;
    }
}

static void apply(unit_model *m, int code) {
    assert_int_equal(code, VCS_OK);
    m->made = 0;
    for (uint32_t i = 0; i < m->answers; i++) {
        const vcs_change *change = &m->changes[i];
        if (change->kind == VCS_CHANGE_CREATE) {
            m->made += (uint32_t)change->integer;
        } else if (change->result == VCS_NONE) {
            apply_to_unit(&m->unit, change);
        } else {
            assert_true(change->result < m->count);
            apply_to_result(&m->results[change->result], change);
        }
    }
    for (uint32_t i = 0; i < m->made; i++) {
        add(m);
    }
}

/* The arguments with which every call ends. */
#define ANSWER ARRAY(m->changes, MODEL_MOST_CHANGES), &m->answers, NULL
#define RESULTS ARRAY(m->results, m->count)

int model_handle(unit_model *m, const vcs_result *results, uint32_t count, vcs_unit_event event, double now,
                 vcs_error *error) {
    event.struct_size = sizeof event;
    return vcs_unit_handle_event(&m->unit, ARRAY(results, count), &event, now, ARRAY(m->changes, MODEL_MOST_CHANGES),
                                 &m->answers, error);
}

static void happen(unit_model *m, vcs_unit_event event, double now) {
    apply(m, model_handle(m, m->results, m->count, event, now, NULL));
}

void model_create(unit_model *m, double now) {
    happen(m, (vcs_unit_event){.kind = VCS_UNIT_EVENT_CREATED, .result = VCS_NONE}, now);
}

void model_transition(unit_model *m, double now) {
    apply(m, vcs_transition(&m->unit, RESULTS, now, ANSWER));
}

void model_validate(unit_model *m, const uint32_t *classes, double now) {
    apply(m, vcs_validate(&m->unit, RESULTS, classes, now, ANSWER));
}

void model_assimilate(unit_model *m, double now) {
    happen(m, (vcs_unit_event){.kind = VCS_UNIT_EVENT_ASSIMILATED, .result = VCS_NONE}, now);
    m->assimilations++;
}

void model_cancel(unit_model *m, double now) {
    happen(m, (vcs_unit_event){.kind = VCS_UNIT_EVENT_CANCELLED, .result = VCS_NONE}, now);
}

void model_send(unit_model *m, uint32_t i, double now) {
    happen(m, (vcs_unit_event){.kind = VCS_UNIT_EVENT_SENT, .result = i}, now);
}

void model_report(unit_model *m, uint32_t i, uint32_t report, double now) {
    happen(m, (vcs_unit_event){.kind = VCS_UNIT_EVENT_RECEIVED, .result = i, .report = report}, now);
}

void model_claim(unit_model *m, uint32_t i, double claimed, double now) {
    const vcs_unit_event event = {
        .kind = VCS_UNIT_EVENT_RECEIVED, .result = i, .report = VCS_REPORT_SUCCESS, .claimed = claimed};
    happen(m, event, now);
}

void model_unsendable(unit_model *m, uint32_t i, double now) {
    happen(m, (vcs_unit_event){.kind = VCS_UNIT_EVENT_UNSENDABLE, .result = i}, now);
}

void model_resend(unit_model *m, uint32_t i, double estimate, double now) {
    happen(m, (vcs_unit_event){.kind = VCS_UNIT_EVENT_RESENT, .result = i, .estimate = estimate}, now);
}

void model_withdraw(unit_model *m, uint32_t i, double now) {
    happen(m, (vcs_unit_event){.kind = VCS_UNIT_EVENT_WITHDRAWN, .result = i}, now);
}

void model_fail(unit_model *m, uint32_t work, double delay, double now) {
    const vcs_unit_event event = {.kind = VCS_UNIT_EVENT_WORK_FAILED, .result = VCS_NONE, .work = work, .delay = delay};
    happen(m, event, now);
}

void model_resume(unit_model *m, uint32_t work, double now) {
    happen(m, (vcs_unit_event){.kind = VCS_UNIT_EVENT_WORK_RESUMED, .result = VCS_NONE, .work = work}, now);
}

void model_delete_inputs(unit_model *m, uint32_t outcome, double now) {
    happen(m, (vcs_unit_event){.kind = VCS_UNIT_EVENT_INPUTS_DELETED, .result = VCS_NONE, .deletion = outcome}, now);
}

void model_delete_outputs(unit_model *m, uint32_t i, uint32_t outcome, double now) {
    happen(m, (vcs_unit_event){.kind = VCS_UNIT_EVENT_OUTPUTS_DELETED, .result = i, .deletion = outcome}, now);
}

int model_says(const unit_model *m, uint32_t reason) {
    for (uint32_t i = 0; i < m->answers; i++) {
        if (m->changes[i].reason == reason) {
            return 1;
        }
    }
    return 0;
}

int model_is_right(const unit_model *m) {
    return vcs_unit_check(&m->unit, RESULTS, NULL) == VCS_OK;
}
