/*
 * What becomes of a unit when the host of one of its results is caught: the result does not count any more.
 *
 * Rule 8.9; the plain reference is tests/oracle/oracle_transition.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/unit/unit.h"

static void transition_now(vcs_unit_call *call) {
    vcs_change_unit_time(call, VCS_FIELD_UNIT_TRANSITION_TIME, call->now, VCS_REASON_WITHDRAWN);
}

static void revoke_credit(vcs_unit_call *call, uint32_t index, uint32_t reason) {
    const vcs_result *result = vcs_result_at(call, index);
    if (result->credited != 0) {
        vcs_change_result(call, index, VCS_FIELD_RESULT_CREDITED, 0, reason);
    }
    if (result->granted != 0.0) {
        vcs_change_result_number(call, index, VCS_FIELD_RESULT_GRANTED, 0.0, reason);
    }
}

/* ---- The others ---- */

/* A success is to be compared again. Its old verdict is remembered: the host has learned from it. */
static void compare_again(vcs_unit_call *call, uint32_t index) {
    const vcs_result *result = vcs_result_at(call, index);
    uint32_t revoked = result->revoked;
    revoked |= result->validate_state == VCS_VALIDATE_VALID ? VCS_REVOKED_VALID : 0;
    revoked |= result->validate_state == VCS_VALIDATE_INVALID ? VCS_REVOKED_INVALID : 0;
    vcs_change_result(call, index, VCS_FIELD_RESULT_VALIDATE_STATE, VCS_VALIDATE_INIT, VCS_REASON_CHOSEN_ANEW);
    if (revoked != result->revoked) {
        vcs_change_result(call, index, VCS_FIELD_RESULT_REVOKED, revoked, VCS_REASON_CHOSEN_ANEW);
    }
    revoke_credit(call, index, VCS_REASON_CHOSEN_ANEW);
}

/* A verdict that does not come from the withdrawal of the result itself. */
static bool has_verdict(const vcs_result *result) {
    return result->outcome == VCS_OUTCOME_SUCCESS && result->validate_state != VCS_VALIDATE_INIT &&
           result->validate_state != VCS_VALIDATE_NO_CHECK && (result->revoked & VCS_REVOKED_RESULT) == 0;
}

/* The canonical result was chosen with the help of a result that does not count: all verdicts since then are void. */
static void choose_anew(vcs_unit_call *call, uint32_t withdrawn) {
    vcs_change_unit(call, VCS_FIELD_UNIT_CANONICAL, 0, VCS_REASON_CHOSEN_ANEW);
    vcs_change_unit(call, VCS_FIELD_UNIT_ASSIMILATE_STATE, VCS_ASSIMILATE_INIT, VCS_REASON_CHOSEN_ANEW);
    vcs_forget_failures(call, VCS_UNIT_WORK_ASSIMILATE);
    for (uint32_t i = 0; i < call->results->count; i++) {
        if (i != withdrawn && has_verdict(vcs_result_at(call, i))) {
            compare_again(call, i);
        }
    }
}

/* There was no consensus, but there may be one without the result that is withdrawn. */
static void vote_again(vcs_unit_call *call, uint32_t withdrawn) {
    for (uint32_t i = 0; i < call->results->count; i++) {
        if (i != withdrawn && vcs_result_at(call, i)->validate_state == VCS_VALIDATE_INCONCLUSIVE) {
            compare_again(call, i);
        }
    }
}

/* ---- The result itself ---- */

static void invalidate(vcs_unit_call *call, uint32_t index) {
    const vcs_result *result = vcs_result_at(call, index);
    const uint32_t verdict = result->validate_state;
    if (verdict != VCS_VALIDATE_INVALID) {
        vcs_change_result(call, index, VCS_FIELD_RESULT_VALIDATE_STATE, VCS_VALIDATE_INVALID, VCS_REASON_WITHDRAWN);
    }
    revoke_credit(call, index, VCS_REASON_WITHDRAWN);
    vcs_change_result(call, index, VCS_FIELD_RESULT_REVOKED, result->revoked | VCS_REVOKED_RESULT,
                      VCS_REASON_WITHDRAWN);
    if (verdict == VCS_VALIDATE_VALID && call->unit->canonical != 0) {
        choose_anew(call, index);
    } else if (verdict == VCS_VALIDATE_INCONCLUSIVE) {
        vote_again(call, index);
    }
    transition_now(call);
}

void vcs_withdraw_result(vcs_unit_call *call, uint32_t index) {
    const vcs_result *result = vcs_result_at(call, index);
    const bool is_assimilated = call->unit->assimilate_state == VCS_ASSIMILATE_DONE;
    const bool counts = result->outcome == VCS_OUTCOME_SUCCESS && (result->revoked & VCS_REVOKED_RESULT) == 0;
    if (result->server_state == VCS_RESULT_IN_PROGRESS) {
        vcs_end_result(call, index, VCS_OUTCOME_CLIENT_DETACHED, VCS_REASON_WITHDRAWN);
        transition_now(call);
    } else if (result->outcome == VCS_OUTCOME_NO_REPLY && !is_assimilated) {
        vcs_change_result(call, index, VCS_FIELD_RESULT_OUTCOME, VCS_OUTCOME_CLIENT_DETACHED, VCS_REASON_WITHDRAWN);
        transition_now(call);
    } else if (counts && !is_assimilated) {
        invalidate(call, index);
    } else {
        vcs_change_result(call, index, VCS_FIELD_RESULT_LATE_REPORT, VCS_REPORT_WITHDRAWN, VCS_REASON_WITHDRAWN_NOTED);
        vcs_change_result_number(call, index, VCS_FIELD_RESULT_LATE_RECEIVED, call->now, VCS_REASON_WITHDRAWN_NOTED);
    }
}
