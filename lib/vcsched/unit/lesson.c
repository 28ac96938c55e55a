/*
 * What the trust and the quota of a host learn from a change.
 *
 * Rule 8.9; worked by hand in tests/vcsched/unit/test_lesson.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/unit_fields.h"
#include "vcsched/unit/unit.h"

#include <vcsched/unit.h>

#define BOTH (VCS_LESSON_TRUST | VCS_LESSON_QUOTA)

/* What a change of a field for a reason teaches, unless the same verdict was taken back before. */
static const struct {
    uint32_t field, reason, flags, trust, valid, revoked;
} lessons[] = {
    {VCS_FIELD_RESULT_VALIDATE_STATE, VCS_REASON_AGREES, BOTH, VCS_TRUST_VALID, 1, VCS_REVOKED_VALID},
    {VCS_FIELD_RESULT_VALIDATE_STATE, VCS_REASON_DIFFERS, BOTH, VCS_TRUST_ERROR, 0, VCS_REVOKED_INVALID},
    {VCS_FIELD_RESULT_VALIDATE_STATE, VCS_REASON_WRONG, BOTH, VCS_TRUST_ERROR, 0, VCS_REVOKED_INVALID},
    {VCS_FIELD_RESULT_VALIDATE_STATE, VCS_REASON_COMPARISON_FAILED, BOTH, VCS_TRUST_ERROR, 0, VCS_REVOKED_INVALID},
    {VCS_FIELD_RESULT_OUTCOME, VCS_REASON_NOT_COMPARABLE, BOTH, VCS_TRUST_ERROR, 0, VCS_REVOKED_INVALID},
    {VCS_FIELD_RESULT_OUTCOME, VCS_REASON_REPORTED_ERROR, BOTH, VCS_TRUST_ERROR, 0, 0},
    {VCS_FIELD_RESULT_OUTCOME, VCS_REASON_OVERDUE, BOTH, VCS_TRUST_ERROR, 0, 0},
    {VCS_FIELD_RESULT_OUTCOME, VCS_REASON_CANCELLED_BY_USER, VCS_LESSON_QUOTA, 0, 0, 0},
};

/* The lesson of a change to a result. */
static vcs_lesson learn(const vcs_change *change, const vcs_result *result) {
    vcs_lesson lesson = {.result = change->result, .reason = VCS_REASON_NOTHING_TO_LEARN, .host = result->host};
    for (uint32_t i = 0; i < sizeof lessons / sizeof *lessons; i++) {
        if (lessons[i].field != change->field || lessons[i].reason != change->reason) {
            continue;
        }
        if ((lessons[i].revoked & result->revoked) != 0) {
            lesson.reason = VCS_REASON_LEARNED_BEFORE;
        } else {
            lesson.flags = lessons[i].flags;
            lesson.trust = lessons[i].trust;
            lesson.valid = lessons[i].valid;
            lesson.reason = change->reason;
        }
    }
    return lesson;
}

/* Changes that come from a newer library are refused: they might teach something. */
static int check_change(const vcs_change *change, const vcs_array *results, vcs_error *error) {
    int code = vcs_check_record(change, &vcs_change_layout, error);
    code = code == VCS_OK ? vcs_check_array(results, &vcs_result_layout, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    if (change->kind != VCS_CHANGE_CREATE && !vcs_is_field_of_change(change->field)) {
        return vcs_fail(error, VCS_ERR_FLAGS, &vcs_change_layout, 0, VCS_FIELD(vcs_change, field),
                        "is one that this version of the library does not know");
    }
    if (change->result == VCS_NONE) {
        return VCS_OK;
    }
    if (change->result >= results->count) {
        return vcs_fail(error, VCS_ERR_INDEX, &vcs_change_layout, 0, VCS_FIELD(vcs_change, result),
                        "is not the index of a result");
    }
    return vcs_check_fields(&vcs_result_layout, vcs_element(results, change->result), change->result, error);
}

int vcs_change_lesson(const vcs_change *change, const vcs_array *results, vcs_lesson *lesson, vcs_error *error) {
    vcs_lesson answer = {.result = VCS_NONE, .reason = VCS_REASON_NOTHING_TO_LEARN};
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_struct(lesson, &vcs_lesson_layout, error) : code;
    code = code == VCS_OK ? check_change(change, results, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    if (change->result != VCS_NONE) {
        answer = learn(change, vcs_element(results, change->result));
    }
    answer.struct_size = lesson->struct_size;
    vcs_hand_out(lesson, lesson->struct_size, &answer, sizeof answer);
    return VCS_OK;
}
