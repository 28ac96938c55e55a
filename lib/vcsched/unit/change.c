/*
 * The list of changes that a call returns.
 *
 * Rule 8.6; worked by hand in tests/vcsched/unit/test_transition.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/compiler.h"
#include "vcsched/unit/unit.h"

/* Not inline: the functions below would be six copies of it. */
static VCS_NOT_INLINE void add(vcs_unit_call *call, uint32_t kind, uint32_t result, uint32_t field, uint64_t integer,
                               double number, uint32_t reason) {
    const vcs_change change = {kind, result, field, reason, number, integer, {0}};
    vcs_hand_out_element(call->changes, call->change_count++, &change, sizeof change);
}

void vcs_change_unit(vcs_unit_call *call, uint32_t field, uint64_t value, uint32_t reason) {
    add(call, VCS_CHANGE_SET, VCS_NONE, field, value, 0.0, reason);
}

void vcs_change_unit_time(vcs_unit_call *call, uint32_t field, double time, uint32_t reason) {
    add(call, VCS_CHANGE_SET, VCS_NONE, field, 0, time, reason);
}

void vcs_change_result(vcs_unit_call *call, uint32_t index, uint32_t field, uint64_t value, uint32_t reason) {
    add(call, VCS_CHANGE_SET, index, field, value, 0.0, reason);
}

void vcs_change_result_number(vcs_unit_call *call, uint32_t index, uint32_t field, double number, uint32_t reason) {
    add(call, VCS_CHANGE_SET, index, field, 0, number, reason);
}

void vcs_end_result(vcs_unit_call *call, uint32_t index, uint32_t outcome, uint32_t reason) {
    add(call, VCS_CHANGE_SET, index, VCS_FIELD_RESULT_SERVER_STATE, VCS_RESULT_OVER, 0.0, reason);
    add(call, VCS_CHANGE_SET, index, VCS_FIELD_RESULT_OUTCOME, outcome, 0.0, reason);
}

void vcs_ask_for_results(vcs_unit_call *call, uint32_t count, uint32_t reason) {
    add(call, VCS_CHANGE_CREATE, VCS_NONE, 0, count, 0.0, reason);
}
