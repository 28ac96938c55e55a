/*
 * Changes: written to a list, and applied to the records.
 *
 * Rule 8.6; worked by hand in tests/unit/test_transition.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interface/check.h"
#include "interface/field_table.h"
#include "core/number.h"
#include "unit/change.h"

#include <stdbool.h>
#include <string.h>

/* ---- Writing a list ---- */

/*
 * How many changes must fit. No call makes more than 10 of the unit and 3 of a result; the constants leave some for
 * events to come.
 */
static uint64_t capacity_for(uint32_t result_count) {
    return VCS_CHANGES_PER_UNIT + (uint64_t)VCS_CHANGES_PER_RESULT * result_count;
}

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

int vcs_begin_changes(vcs_change_list *list, vcs_change *changes, uint32_t change_size, uint32_t change_capacity,
                      const uint32_t *change_count, uint32_t result_count, vcs_error *error) {
    if (changes == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_CHANGE, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    if (change_count == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD, "change_count is NULL");
    }
    int code = vcs_check_size(change_size, sizeof *changes);
    if (code != VCS_OK) {
        return vcs_fail(error, code, VCS_TYPE_CHANGE, 0, VCS_WHOLE_RECORD, "has a size that no version has");
    }
    if (change_capacity < capacity_for(result_count)) {
        return refuse_capacity(error, capacity_for(result_count));
    }
    *list = (vcs_change_list){.base = (unsigned char *)changes, .element_size = change_size};
    return VCS_OK;
}

static void add(vcs_change_list *list, const vcs_change *change) {
    vcs_hand_out(list->base + (size_t)list->count * list->element_size, list->element_size, change, sizeof *change);
    list->count++;
}

void vcs_change_number(vcs_change_list *list, uint32_t result, uint32_t field, double value, uint32_t reason) {
    const vcs_change change = {
        .kind = VCS_CHANGE_SET, .result = result, .field = field, .reason = reason, .number = value};
    add(list, &change);
}

void vcs_change_integer(vcs_change_list *list, uint32_t result, uint32_t field, uint64_t value, uint32_t reason) {
    const vcs_change change = {
        .kind = VCS_CHANGE_SET, .result = result, .field = field, .reason = reason, .integer = value};
    add(list, &change);
}

void vcs_change_create(vcs_change_list *list, uint64_t count, uint32_t reason) {
    const vcs_change change = {.kind = VCS_CHANGE_CREATE, .result = VCS_NONE, .reason = reason, .integer = count};
    add(list, &change);
}

/* ---- Applying a change ---- */

/* A field that can change, and where it is. */
typedef struct place {
    uint32_t field, type, offset;
} place;

static const place places[] = {
    {VCS_FIELD_UNIT_TRANSITION_TIME, VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, transition_time)},
    {VCS_FIELD_UNIT_ASSIMILATED, VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, assimilated)},
    {VCS_FIELD_UNIT_HR_CLASS, VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, hr_class)},
    {VCS_FIELD_UNIT_CANONICAL, VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, canonical)},
    {VCS_FIELD_UNIT_TARGET_NRESULTS, VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, target_nresults)},
    {VCS_FIELD_UNIT_ERROR_MASK, VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, error_mask)},
    {VCS_FIELD_UNIT_ASSIMILATE_STATE, VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, assimilate_state)},
    {VCS_FIELD_UNIT_FILE_DELETE_STATE, VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, file_delete_state)},
    {VCS_FIELD_UNIT_NEED_VALIDATE, VCS_TYPE_UNIT, VCS_FIELD(vcs_unit, need_validate)},
    {VCS_FIELD_RESULT_DEADLINE, VCS_TYPE_RESULT, VCS_FIELD(vcs_result, deadline)},
    {VCS_FIELD_RESULT_RECEIVED, VCS_TYPE_RESULT, VCS_FIELD(vcs_result, received)},
    {VCS_FIELD_RESULT_LATE_RECEIVED, VCS_TYPE_RESULT, VCS_FIELD(vcs_result, late_received)},
    {VCS_FIELD_RESULT_SERVER_STATE, VCS_TYPE_RESULT, VCS_FIELD(vcs_result, server_state)},
    {VCS_FIELD_RESULT_OUTCOME, VCS_TYPE_RESULT, VCS_FIELD(vcs_result, outcome)},
    {VCS_FIELD_RESULT_VALIDATE_STATE, VCS_TYPE_RESULT, VCS_FIELD(vcs_result, validate_state)},
    {VCS_FIELD_RESULT_FILE_DELETE_STATE, VCS_TYPE_RESULT, VCS_FIELD(vcs_result, file_delete_state)},
    {VCS_FIELD_RESULT_CREDITED, VCS_TYPE_RESULT, VCS_FIELD(vcs_result, credited)},
    {VCS_FIELD_RESULT_LATE_REPORT, VCS_TYPE_RESULT, VCS_FIELD(vcs_result, late_report)},
};

static const place *place_of(uint32_t field) {
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (places[i].field == field) {
            return &places[i];
        }
    }
    return NULL;
}

const char *vcs_change_field_name(uint32_t field) {
    const place *where = place_of(field);
    return where == NULL ? "" : vcs_field_row_at(where->type, where->offset)->name;
}

/* The new value as the bytes of the field. */
typedef struct value {
    unsigned char bytes[8];
    uint32_t size;
} value;

/* Whether the new value fits into the field; if so, `value` has its bytes. */
static bool encode(value *encoded, const vcs_change *change, uint32_t kind) {
    const uint32_t word = (uint32_t)change->integer;
    switch (kind) {
    case VCS_KIND_F64:
        encoded->size = sizeof change->number;
        memcpy(encoded->bytes, &change->number, encoded->size);
        return true;
    case VCS_KIND_U64:
        encoded->size = sizeof change->integer;
        memcpy(encoded->bytes, &change->integer, encoded->size);
        return true;
    default:
        encoded->size = sizeof word;
        memcpy(encoded->bytes, &word, encoded->size);
        return word == change->integer;
    }
}

/* The records to which changes are applied. */
typedef struct records {
    vcs_unit *unit;
    vcs_array results;
    unsigned char *first_result;
} records;

static int refuse_change(vcs_error *error, int code, uint32_t offset, const char *why) {
    return vcs_fail(error, code, VCS_TYPE_CHANGE, 0, offset, why);
}

/* The record that a change is for: the unit if it says VCS_NONE, else a result. */
static int find_record(unsigned char **record, const vcs_change *change, const place *where, const records *all,
                       vcs_error *error) {
    if (where->type == VCS_TYPE_UNIT) {
        *record = (unsigned char *)all->unit;
        return change->result == VCS_NONE
                   ? VCS_OK
                   : refuse_change(error, VCS_ERR_INDEX, VCS_FIELD(vcs_change, result),
                                   "is the index of a result, but the field belongs to the unit");
    }
    if (change->result >= all->results.count) {
        return refuse_change(error, VCS_ERR_INDEX, VCS_FIELD(vcs_change, result), "is not the index of a result");
    }
    *record = all->first_result + (size_t)change->result * all->results.element_size;
    return VCS_OK;
}

/* Sets a field in a copy of its record, so that the new value can be checked as part of it. */
static int set_field(const vcs_change *change, const records *all, vcs_error *error) {
    const place *where = place_of(change->field);
    if (where == NULL) {
        return refuse_change(error, VCS_ERR_FLAGS, VCS_FIELD(vcs_change, field),
                             "is one that this version of the library does not know");
    }
    unsigned char *record = NULL;
    int code = find_record(&record, change, where, all, error);
    if (code != VCS_OK) {
        return code;
    }
    value encoded;
    if (!encode(&encoded, change, vcs_field_row_at(where->type, where->offset)->kind)) {
        return refuse_change(error, VCS_ERR_RANGE, VCS_FIELD(vcs_change, integer), "is too large for the field");
    }
    unsigned char copy[sizeof(vcs_unit)];
    memcpy(copy, record, vcs_known_size(where->type));
    memcpy(copy + where->offset, encoded.bytes, encoded.size);
    code = vcs_check_fields(where->type, copy, where->type == VCS_TYPE_RESULT ? change->result : 0, error);
    if (code == VCS_OK) {
        memcpy(record + where->offset, encoded.bytes, encoded.size);
    }
    return code;
}

int vcs_change_apply(const vcs_change *change, vcs_unit *unit, vcs_result *results, uint32_t result_size,
                     uint32_t result_count, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (change == NULL) {
        return refuse_change(error, VCS_ERR_NULL, VCS_WHOLE_RECORD, "is NULL");
    }
    if (unit == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_UNIT, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    const records all = {.unit = unit,
                         .results = {.base = results, .element_size = result_size, .count = result_count},
                         .first_result = (unsigned char *)results};
    code = vcs_check_fields(VCS_TYPE_CHANGE, change, 0, error);
    if (code == VCS_OK) {
        code = vcs_check_array(&all.results, sizeof(vcs_result), VCS_TYPE_RESULT, error);
    }
    if (code != VCS_OK || change->kind == VCS_CHANGE_CREATE) {
        return code;
    }
    return set_field(change, &all, error);
}
