/*
 * What a project does itself with a unit, and failed at: when it is tried again, and when a person has to see to it.
 *
 * Rules 8.4 and 8.5; worked by hand in tests/vcsched/unit/test_work.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/unit/unit.h"

/* How the work stands with a unit, and the fields that say so. */
typedef struct standing {
    uint32_t failures_field, time_field;
    uint32_t failures; /* in a row */
    double time;       /* not to be tried before */
} standing;

static standing standing_of(const vcs_unit *unit, uint32_t work) {
    switch (work) {
    case VCS_UNIT_WORK_COMPARE:
        return (standing){VCS_FIELD_UNIT_COMPARE_FAILURES, VCS_FIELD_UNIT_COMPARE_TIME, unit->compare_failures,
                          unit->compare_time};
    case VCS_UNIT_WORK_ASSIMILATE:
        return (standing){VCS_FIELD_UNIT_ASSIMILATE_FAILURES, VCS_FIELD_UNIT_ASSIMILATE_TIME,
                          unit->assimilate_failures, unit->assimilate_time};
    default:
        return (standing){VCS_FIELD_UNIT_DELETE_FAILURES, VCS_FIELD_UNIT_DELETE_TIME, unit->delete_failures,
                          unit->delete_time};
    }
}

void vcs_count_failure(vcs_unit_call *call, uint32_t work, double delay) {
    const standing now = standing_of(call->unit, work);
    const uint32_t failures = now.failures < UINT32_MAX ? now.failures + 1 : now.failures;
    const bool is_too_often = call->unit->max_failures != 0 && failures >= call->unit->max_failures;
    const uint32_t reason = is_too_often ? VCS_REASON_WAITS_FOR_PERSON : VCS_REASON_TRIED_AGAIN;
    vcs_change_unit(call, now.failures_field, failures, reason);
    vcs_change_unit_time(call, now.time_field, is_too_often ? VCS_INFINITY : call->now + delay, reason);
}

void vcs_forget_failures(vcs_unit_call *call, uint32_t work) {
    const standing now = standing_of(call->unit, work);
    if (now.failures != 0) {
        vcs_change_unit(call, now.failures_field, 0, VCS_REASON_WORK_GOES_ON);
    }
    if (now.time != 0.0) {
        vcs_change_unit_time(call, now.time_field, 0.0, VCS_REASON_WORK_GOES_ON);
    }
}
