/*
 * The fields of the structs of unit.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FIELDS_UNIT_FIELDS_H
#define VCS_FIELDS_UNIT_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/unit.h>

#define VCS_UNIT_ALL_ERRORS \
    (VCS_UNIT_COULDNT_SEND | VCS_UNIT_TOO_MANY_ERRORS | VCS_UNIT_TOO_MANY_SUCCESSES | VCS_UNIT_TOO_MANY_TOTAL | \
     VCS_UNIT_CANCELLED | VCS_UNIT_NO_CANONICAL)

#define VCS_FIELDS_unit(X) \
    X(unit, u64, 0, id, "", VCS_U64) \
    X(unit, f64, 8, transition_time, "s", -VCS_MAX_TIME, VCS_INFINITY) \
    X(unit, f64, 16, delay_bound, "s", 0.0, VCS_INFINITY) \
    X(unit, f64, 24, delete_delay, "s", 0.0, VCS_INFINITY) \
    X(unit, f64, 32, assimilated, "s", VCS_TIME) \
    X(unit, f64, 40, quorum_weight, "", 0.0, 1e30) \
    X(unit, u64, 48, hr_class, "", VCS_U64) \
    X(unit, u64, 56, canonical, "", VCS_U64) \
    X(unit, u32, 64, min_quorum, "results", 1.0, 4294967295.0) \
    X(unit, u32, 68, target_nresults, "results", 1.0, 4294967295.0) \
    X(unit, u32, 72, max_error, "results", VCS_U32) \
    X(unit, u32, 76, max_total, "results", 1.0, 4294967295.0) \
    X(unit, u32, 80, max_success, "results", VCS_U32) \
    X(unit, choice, 84, quorum_rule, "", 0.0, VCS_QUORUM_WEIGHTED) \
    X(unit, flags, 88, error_mask, "", 0.0, VCS_UNIT_ALL_ERRORS) \
    X(unit, choice, 92, assimilate_state, "", 0.0, VCS_ASSIMILATE_DONE) \
    X(unit, choice, 96, file_delete_state, "", 0.0, VCS_FILES_ERROR) \
    X(unit, choice, 100, need_validate, "", 0.0, 1.0) \
    X(unit, f64, 104, fixed_credit, "", 0.0, VCS_MAX_CREDIT) \
    X(unit, f64, 112, max_single_claim, "", 0.0, VCS_MAX_CREDIT) \
    X(unit, choice, 120, credit_rule, "", 0.0, VCS_CREDIT_FIXED) \
    X(unit, u32, 124, max_failures, "failures", VCS_U32) \
    X(unit, f64, 128, compare_time, "s", -VCS_MAX_TIME, VCS_INFINITY) \
    X(unit, f64, 136, assimilate_time, "s", -VCS_MAX_TIME, VCS_INFINITY) \
    X(unit, f64, 144, delete_time, "s", -VCS_MAX_TIME, VCS_INFINITY) \
    X(unit, u32, 152, compare_failures, "failures", VCS_U32) \
    X(unit, u32, 156, assimilate_failures, "failures", VCS_U32) \
    X(unit, u32, 160, delete_failures, "failures", VCS_U32) \
    X(unit, zero, 164, reserved0, "", VCS_NO_RANGE) \
    X(unit, zero, 168, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_result(X) \
    X(result, u64, 0, id, "", VCS_U64) \
    X(result, f64, 8, deadline, "s", -VCS_MAX_TIME, VCS_INFINITY) \
    X(result, f64, 16, received, "s", VCS_TIME) \
    X(result, f64, 24, late_received, "s", VCS_TIME) \
    X(result, f64, 32, weight, "", 0.0, 1e30) \
    X(result, choice, 40, server_state, "", 0.0, VCS_RESULT_OVER) \
    X(result, choice, 44, outcome, "", 0.0, VCS_OUTCOME_CLIENT_DETACHED) \
    X(result, choice, 48, validate_state, "", 0.0, VCS_VALIDATE_TOO_LATE) \
    X(result, choice, 52, file_delete_state, "", 0.0, VCS_FILES_ERROR) \
    X(result, choice, 56, credited, "", 0.0, 1.0) \
    X(result, choice, 60, late_report, "", 0.0, VCS_REPORT_WITHDRAWN) \
    X(result, u64, 64, host, "", VCS_U64) \
    X(result, f64, 72, claimed, "", 0.0, VCS_MAX_CREDIT) \
    X(result, f64, 80, granted, "", 0.0, VCS_MAX_CREDIT) \
    X(result, flags, 88, revoked, "", 0.0, VCS_REVOKED_VALID | VCS_REVOKED_INVALID | VCS_REVOKED_RESULT) \
    X(result, zero, 92, reserved0, "", VCS_NO_RANGE) \
    X(result, zero, 96, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_change(X) \
    X(change, choice, 0, kind, "", 0.0, VCS_CHANGE_CREATE) \
    X(change, index, 4, result, "", VCS_U32) \
    X(change, u32, 8, field, "", VCS_U32) \
    X(change, u32, 12, reason, "", VCS_U32) \
    X(change, f64, 16, number, "", -DBL_MAX, VCS_INFINITY) \
    X(change, u64, 24, integer, "", VCS_U64) \
    X(change, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_unit_event(X) \
    X(unit_event, size, 0, struct_size, "bytes", VCS_U32) \
    X(unit_event, flags, 4, flags, "", 0.0, 0.0) \
    X(unit_event, choice, 8, kind, "", VCS_UNIT_EVENT_CREATED, VCS_UNIT_EVENT_WORK_RESUMED) \
    X(unit_event, index, 12, result, "", VCS_U32) \
    X(unit_event, choice, 16, report, "", 0.0, VCS_REPORT_REFUSED) \
    X(unit_event, choice, 20, deletion, "", 0.0, VCS_NOT_DELETED) \
    X(unit_event, u64, 24, hr_class, "", VCS_U64) \
    X(unit_event, u64, 32, host, "", VCS_U64) \
    X(unit_event, f64, 40, estimate, "s", VCS_AMOUNT) \
    X(unit_event, f64, 48, claimed, "", 0.0, VCS_MAX_CREDIT) \
    X(unit_event, f64, 56, delay, "s", VCS_AMOUNT) \
    X(unit_event, choice, 64, work, "", 0.0, VCS_UNIT_WORK_DELETE) \
    X(unit_event, zero, 68, reserved0, "", VCS_NO_RANGE)

#define VCS_FIELDS_lesson(X) \
    X(lesson, size, 0, struct_size, "bytes", VCS_U32) \
    X(lesson, flags, 4, flags, "", 0.0, VCS_LESSON_TRUST | VCS_LESSON_QUOTA) \
    X(lesson, index, 8, result, "", VCS_U32) \
    X(lesson, choice, 12, trust, "", VCS_TRUST_VALID, VCS_TRUST_WRONG) \
    X(lesson, choice, 16, valid, "", 0.0, 1.0) \
    X(lesson, u32, 20, reason, "", VCS_U32) \
    X(lesson, u64, 24, host, "", VCS_U64) \
    X(lesson, zero, 32, reserved, "", VCS_NO_RANGE)

/* One list for each source file of layouts/: a program links the layouts that it needs. */
#define VCS_UNIT_RECORDS(S) \
    S(unit, VCS_TYPE_UNIT, 184, 184, VCS_SINGLE) \
    S(result, VCS_TYPE_RESULT, 112, 112, VCS_NUMBERED)
#define VCS_CHANGE_STRUCTS(S) \
    S(change, VCS_TYPE_CHANGE, 40, 40, VCS_SINGLE)
#define VCS_UNIT_EVENT_STRUCTS(S) \
    S(unit_event, VCS_TYPE_UNIT_EVENT, 72, 48, VCS_SINGLE)
#define VCS_LESSON_STRUCTS(S) \
    S(lesson, VCS_TYPE_LESSON, 40, 40, VCS_SINGLE)

#define VCS_UNIT_STRUCTS(S) \
    VCS_UNIT_RECORDS(S) VCS_CHANGE_STRUCTS(S) VCS_UNIT_EVENT_STRUCTS(S) VCS_LESSON_STRUCTS(S)

VCS_UNIT_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
