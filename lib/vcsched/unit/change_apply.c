/*
 * Changes are applied to the records.
 *
 * Rule 8.6; worked by hand in tests/vcsched/unit/test_transition.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/unit_fields.h"
#include "vcsched/unit/unit.h"

#include <string.h>

VCS_CHECK_FIELDS(unit)
VCS_CHECK_FIELDS(result)
VCS_CHECK_FIELDS(change)

/* Where the fields are that can change, and of what kind they are. */
typedef struct place {
    uint32_t type, offset;
    uint32_t size; /* bytes */
    uint32_t is_number;
} place;

#define FIELD_OF(structure, field) (((vcs_##structure *)0)->field)
#define PLACE(structure, type, field)                                                                                  \
    {                                                                                                                  \
        type, VCS_FIELD(vcs_##structure, field), (uint32_t)sizeof FIELD_OF(structure, field),                          \
            _Generic(FIELD_OF(structure, field), double : 1, default : 0)                                              \
    }

static const place places[] = {
    [VCS_FIELD_UNIT_TRANSITION_TIME] = PLACE(unit, VCS_TYPE_UNIT, transition_time),
    [VCS_FIELD_UNIT_ASSIMILATED] = PLACE(unit, VCS_TYPE_UNIT, assimilated),
    [VCS_FIELD_UNIT_HR_CLASS] = PLACE(unit, VCS_TYPE_UNIT, hr_class),
    [VCS_FIELD_UNIT_CANONICAL] = PLACE(unit, VCS_TYPE_UNIT, canonical),
    [VCS_FIELD_UNIT_TARGET_NRESULTS] = PLACE(unit, VCS_TYPE_UNIT, target_nresults),
    [VCS_FIELD_UNIT_ERROR_MASK] = PLACE(unit, VCS_TYPE_UNIT, error_mask),
    [VCS_FIELD_UNIT_ASSIMILATE_STATE] = PLACE(unit, VCS_TYPE_UNIT, assimilate_state),
    [VCS_FIELD_UNIT_FILE_DELETE_STATE] = PLACE(unit, VCS_TYPE_UNIT, file_delete_state),
    [VCS_FIELD_UNIT_NEED_VALIDATE] = PLACE(unit, VCS_TYPE_UNIT, need_validate),
    [VCS_FIELD_UNIT_COMPARE_FAILURES] = PLACE(unit, VCS_TYPE_UNIT, compare_failures),
    [VCS_FIELD_UNIT_ASSIMILATE_FAILURES] = PLACE(unit, VCS_TYPE_UNIT, assimilate_failures),
    [VCS_FIELD_UNIT_DELETE_FAILURES] = PLACE(unit, VCS_TYPE_UNIT, delete_failures),
    [VCS_FIELD_UNIT_COMPARE_TIME] = PLACE(unit, VCS_TYPE_UNIT, compare_time),
    [VCS_FIELD_UNIT_ASSIMILATE_TIME] = PLACE(unit, VCS_TYPE_UNIT, assimilate_time),
    [VCS_FIELD_UNIT_DELETE_TIME] = PLACE(unit, VCS_TYPE_UNIT, delete_time),
    [VCS_FIELD_RESULT_DEADLINE] = PLACE(result, VCS_TYPE_RESULT, deadline),
    [VCS_FIELD_RESULT_RECEIVED] = PLACE(result, VCS_TYPE_RESULT, received),
    [VCS_FIELD_RESULT_LATE_RECEIVED] = PLACE(result, VCS_TYPE_RESULT, late_received),
    [VCS_FIELD_RESULT_SERVER_STATE] = PLACE(result, VCS_TYPE_RESULT, server_state),
    [VCS_FIELD_RESULT_OUTCOME] = PLACE(result, VCS_TYPE_RESULT, outcome),
    [VCS_FIELD_RESULT_VALIDATE_STATE] = PLACE(result, VCS_TYPE_RESULT, validate_state),
    [VCS_FIELD_RESULT_FILE_DELETE_STATE] = PLACE(result, VCS_TYPE_RESULT, file_delete_state),
    [VCS_FIELD_RESULT_CREDITED] = PLACE(result, VCS_TYPE_RESULT, credited),
    [VCS_FIELD_RESULT_LATE_REPORT] = PLACE(result, VCS_TYPE_RESULT, late_report),
    [VCS_FIELD_RESULT_HOST] = PLACE(result, VCS_TYPE_RESULT, host),
    [VCS_FIELD_RESULT_REVOKED] = PLACE(result, VCS_TYPE_RESULT, revoked),
    [VCS_FIELD_RESULT_GRANTED] = PLACE(result, VCS_TYPE_RESULT, granted),
    [VCS_FIELD_RESULT_CLAIMED] = PLACE(result, VCS_TYPE_RESULT, claimed),
};

/* NULL for an unknown field. */
static const place *place_of(uint32_t field) {
    const bool is_known = field < sizeof places / sizeof *places && places[field].type != VCS_TYPE_NONE;
    return is_known ? &places[field] : NULL;
}

bool vcs_is_field_of_change(uint32_t field) {
    return place_of(field) != NULL;
}

const char *vcs_change_field_name(uint32_t field) {
    const place *of = place_of(field);
    return of == NULL ? ""
                      : vcs_field_name(of->type == VCS_TYPE_UNIT ? &vcs_unit_layout : &vcs_result_layout, of->offset);
}

static int refuse_change(vcs_error *error, int code, uint32_t offset, const char *why) {
    return vcs_fail(error, code, &vcs_change_layout, 0, offset, why);
}

/* The bits of a field of this place. */
static uint64_t read_field(const unsigned char *field, const place *at) {
    uint64_t bits;
    uint32_t word;
    if (at->size == sizeof bits) {
        memcpy(&bits, field, sizeof bits);
        return bits;
    }
    memcpy(&word, field, sizeof word);
    return word;
}

static void write_field(unsigned char *field, const place *at, uint64_t bits) {
    const uint32_t word = (uint32_t)bits;
    if (at->size == sizeof bits) {
        memcpy(field, &bits, sizeof bits);
    } else {
        memcpy(field, &word, sizeof word);
    }
}

/* Sets a field of a record, unless the record would not pass with it. */
static int set_field(void *record, const place *to, const vcs_change *change, vcs_error *error) {
    unsigned char *field = (unsigned char *)record + to->offset;
    const uint64_t before = read_field(field, to);
    uint64_t after = change->integer;
    if (to->is_number) {
        memcpy(&after, &change->number, sizeof after);
    } else if (to->size < sizeof after && after > UINT32_MAX) {
        return refuse_change(error, VCS_ERR_RANGE, VCS_FIELD(vcs_change, integer), "is too large for the field");
    }
    write_field(field, to, after);
    const int code = to->type == VCS_TYPE_UNIT ? vcs_check_unit_fields(record, 0, error)
                                               : vcs_check_result_fields(record, change->result, error);
    if (code != VCS_OK) {
        write_field(field, to, before);
    }
    return code;
}

int vcs_change_apply(const vcs_change *change, vcs_unit *unit, const vcs_array *results, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (change == NULL || unit == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, change == NULL ? &vcs_change_layout : &vcs_unit_layout, 0,
                        VCS_WHOLE_RECORD, "is NULL");
    }
    code = vcs_check_change_fields(change, 0, error);
    code = code == VCS_OK ? vcs_check_array(results, &vcs_result_layout, error) : code;
    if (code != VCS_OK || change->kind == VCS_CHANGE_CREATE) {
        return code;
    }
    const place *to = place_of(change->field);
    if (to == NULL) {
        return refuse_change(error, VCS_ERR_FLAGS, VCS_FIELD(vcs_change, field),
                             "is one that this version of the library does not know");
    }
    if (to->type == VCS_TYPE_UNIT && change->result != VCS_NONE) {
        return refuse_change(error, VCS_ERR_INDEX, VCS_FIELD(vcs_change, result),
                             "is the index of a result, but the field belongs to the unit");
    }
    if (to->type == VCS_TYPE_RESULT && change->result >= results->count) {
        return refuse_change(error, VCS_ERR_INDEX, VCS_FIELD(vcs_change, result), "is not the index of a result");
    }
    return set_field(to->type == VCS_TYPE_UNIT ? unit : vcs_element_out(results, change->result), to, change, error);
}
