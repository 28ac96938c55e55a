/*
 * Changes: written to a list, and applied to the records.
 *
 * Rule 8.6; worked by hand in tests/unit/test_transition.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interface/argument.h"
#include "unit/unit.h"

#include <string.h>

/* ---- Writing a list ---- */

/* "has room for too few changes: 28 are needed" */
static int refuse_capacity(vcs_error *error, uint64_t needed) {
    static const char before[] = "has room for too few changes: ", after[] = " are needed";
    char digits[20], why[sizeof before + sizeof digits + sizeof after];
    size_t first = sizeof digits, used = sizeof before - 1;
    for (; needed != 0; needed /= 10) {
        digits[--first] = (char)('0' + needed % 10);
    }
    memcpy(why, before, used);
    memcpy(why + used, digits + first, sizeof digits - first);
    memcpy(why + used + sizeof digits - first, after, sizeof after);
    return vcs_fail(error, VCS_ERR_COUNT, VCS_TYPE_CHANGE, 0, VCS_WHOLE_RECORD, why);
}

int vcs_begin_changes(const vcs_unit_call *call, const uint32_t *change_count, vcs_error *error) {
    /* No call makes more than 10 changes of the unit and 4 of a result. */
    const uint64_t needed = VCS_CHANGES_PER_UNIT + (uint64_t)VCS_CHANGES_PER_RESULT * call->results.count;
    int code = vcs_check_now(call->now, error);
    if (code != VCS_OK) {
        return code;
    }
    if (call->changes == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_CHANGE, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    if (change_count == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD, "change_count is NULL");
    }
    code = vcs_check_size(VCS_TYPE_CHANGE, call->change_size);
    if (code != VCS_OK) {
        return vcs_fail(error, code, VCS_TYPE_CHANGE, 0, VCS_WHOLE_RECORD, "has a size that no version has");
    }
    return call->change_capacity < needed ? refuse_capacity(error, needed) : VCS_OK;
}

static void add(vcs_unit_call *call, vcs_change change) {
    unsigned char *first = (unsigned char *)call->changes;
    vcs_hand_out(first + (size_t)call->change_count * call->change_size, call->change_size, &change, sizeof change);
    call->change_count++;
}

void vcs_change_unit(vcs_unit_call *call, uint32_t field, uint64_t value, uint32_t reason) {
    add(call, (vcs_change){VCS_CHANGE_SET, VCS_NONE, field, reason, .integer = value});
}

void vcs_change_unit_time(vcs_unit_call *call, uint32_t field, double time, uint32_t reason) {
    add(call, (vcs_change){VCS_CHANGE_SET, VCS_NONE, field, reason, .number = time});
}

void vcs_change_result(vcs_unit_call *call, uint32_t index, uint32_t field, uint64_t value, uint32_t reason) {
    add(call, (vcs_change){VCS_CHANGE_SET, index, field, reason, .integer = value});
}

void vcs_change_result_number(vcs_unit_call *call, uint32_t index, uint32_t field, double number, uint32_t reason) {
    add(call, (vcs_change){VCS_CHANGE_SET, index, field, reason, .number = number});
}

void vcs_end_result(vcs_unit_call *call, uint32_t index, uint32_t outcome, uint32_t reason) {
    vcs_change_result(call, index, VCS_FIELD_RESULT_SERVER_STATE, VCS_RESULT_OVER, reason);
    vcs_change_result(call, index, VCS_FIELD_RESULT_OUTCOME, outcome, reason);
}

void vcs_ask_for_results(vcs_unit_call *call, uint32_t count, uint32_t reason) {
    add(call, (vcs_change){VCS_CHANGE_CREATE, VCS_NONE, 0, reason, .integer = count});
}

/* ---- Applying a change ---- */

/* Where the fields are that can change. */
typedef struct place {
    uint32_t type, offset;
} place;

static const place places[] = {
    [VCS_FIELD_UNIT_TRANSITION_TIME] = {VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, transition_time)},
    [VCS_FIELD_UNIT_ASSIMILATED] = {VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, assimilated)},
    [VCS_FIELD_UNIT_HR_CLASS] = {VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, hr_class)},
    [VCS_FIELD_UNIT_CANONICAL] = {VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, canonical)},
    [VCS_FIELD_UNIT_TARGET_NRESULTS] = {VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, target_nresults)},
    [VCS_FIELD_UNIT_ERROR_MASK] = {VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, error_mask)},
    [VCS_FIELD_UNIT_ASSIMILATE_STATE] = {VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, assimilate_state)},
    [VCS_FIELD_UNIT_FILE_DELETE_STATE] = {VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, file_delete_state)},
    [VCS_FIELD_UNIT_NEED_VALIDATE] = {VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, need_validate)},
    [VCS_FIELD_RESULT_DEADLINE] = {VCS_TYPE_RESULT, VCS_FIELD(vcs_result, deadline)},
    [VCS_FIELD_RESULT_RECEIVED] = {VCS_TYPE_RESULT, VCS_FIELD(vcs_result, received)},
    [VCS_FIELD_RESULT_LATE_RECEIVED] = {VCS_TYPE_RESULT, VCS_FIELD(vcs_result, late_received)},
    [VCS_FIELD_RESULT_SERVER_STATE] = {VCS_TYPE_RESULT, VCS_FIELD(vcs_result, server_state)},
    [VCS_FIELD_RESULT_OUTCOME] = {VCS_TYPE_RESULT, VCS_FIELD(vcs_result, outcome)},
    [VCS_FIELD_RESULT_VALIDATE_STATE] = {VCS_TYPE_RESULT, VCS_FIELD(vcs_result, validate_state)},
    [VCS_FIELD_RESULT_FILE_DELETE_STATE] = {VCS_TYPE_RESULT, VCS_FIELD(vcs_result, file_delete_state)},
    [VCS_FIELD_RESULT_CREDITED] = {VCS_TYPE_RESULT, VCS_FIELD(vcs_result, credited)},
    [VCS_FIELD_RESULT_LATE_REPORT] = {VCS_TYPE_RESULT, VCS_FIELD(vcs_result, late_report)},
    [VCS_FIELD_RESULT_HOST] = {VCS_TYPE_RESULT, VCS_FIELD(vcs_result, host)},
    [VCS_FIELD_RESULT_REVOKED] = {VCS_TYPE_RESULT, VCS_FIELD(vcs_result, revoked)},
    [VCS_FIELD_RESULT_GRANTED] = {VCS_TYPE_RESULT, VCS_FIELD(vcs_result, granted)},
    [VCS_FIELD_RESULT_CLAIMED] = {VCS_TYPE_RESULT, VCS_FIELD(vcs_result, claimed)},
};

/* The row of the table of fields; NULL for an unknown field. */
static const vcs_field_row *row_of(uint32_t field) {
    const bool is_known = field < sizeof places / sizeof *places && places[field].type != VCS_TYPE_NONE;
    return is_known ? vcs_field_row_at(places[field].type, places[field].offset) : NULL;
}

const char *vcs_change_field_name(uint32_t field) {
    const vcs_field_row *row = row_of(field);
    return row == NULL ? "" : row->name;
}

static int refuse_change(vcs_error *error, int code, uint32_t offset, const char *why) {
    return vcs_fail(error, code, VCS_TYPE_CHANGE, 0, offset, why);
}

/* Sets a field of a record, unless the record would not pass with it. */
static int set_field(unsigned char *record, const vcs_field_row *row, const vcs_change *change, vcs_error *error) {
    const uint32_t word = (uint32_t)change->integer;
    const void *value = &word;
    if (row->kind == VCS_KIND_F64) {
        value = &change->number;
    } else if (row->kind == VCS_KIND_U64) {
        value = &change->integer;
    } else if (word != change->integer) {
        return refuse_change(error, VCS_ERR_RANGE, VCS_FIELD(vcs_change, integer), "is too large for the field");
    }
    uint64_t copy[sizeof(vcs_unit) / sizeof(uint64_t)]; /* also of a result, which is smaller */
    memcpy(copy, record, vcs_known_size(row->type));
    memcpy((unsigned char *)copy + row->offset, value, row->size);
    int code = vcs_check_fields(row->type, copy, row->type == VCS_TYPE_RESULT ? change->result : 0, error);
    if (code == VCS_OK) {
        memcpy(record + row->offset, value, row->size);
    }
    return code;
}

int vcs_change_apply(const vcs_change *change, vcs_unit *unit, vcs_result *results, uint32_t result_size,
                     uint32_t result_count, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (change == NULL || unit == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, change == NULL ? VCS_TYPE_CHANGE : VCS_TYPE_UNIT, 0, VCS_WHOLE_RECORD,
                        "is NULL");
    }
    const vcs_array all = {.base = results, .element_size = result_size, .count = result_count};
    code = vcs_check_fields(VCS_TYPE_CHANGE, change, 0, error);
    if (code == VCS_OK) {
        code = vcs_check_array(&all, VCS_TYPE_RESULT, error);
    }
    if (code != VCS_OK || change->kind == VCS_CHANGE_CREATE) {
        return code;
    }
    const vcs_field_row *row = row_of(change->field);
    if (row == NULL) {
        return refuse_change(error, VCS_ERR_FLAGS, VCS_FIELD(vcs_change, field),
                             "is one that this version of the library does not know");
    }
    if (row->type == VCS_TYPE_UNIT && change->result != VCS_NONE) {
        return refuse_change(error, VCS_ERR_INDEX, VCS_FIELD(vcs_change, result),
                             "is the index of a result, but the field belongs to the unit");
    }
    if (row->type == VCS_TYPE_RESULT && change->result >= result_count) {
        return refuse_change(error, VCS_ERR_INDEX, VCS_FIELD(vcs_change, result), "is not the index of a result");
    }
    return set_field(row->type == VCS_TYPE_UNIT ? (unsigned char *)unit
                                                : (unsigned char *)results + (size_t)change->result * result_size,
                     row, change, error);
}
