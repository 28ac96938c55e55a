/*
 * A call about a work unit: the caller's records, checked, and the list of changes that answers it.
 *
 * Rules 8.1 and 8.6; worked by hand in tests/vcsched/unit/test_unit.c. The rest of the room: unit_check.c checks
 * arguments, change.c writes changes, change_apply.c applies them; unit_event.c has rules 8.2 and 8.5, transition.c
 * 8.3, validate.c 8.4, work.c what a project fails at itself, credit.c 8.8; withdraw.c, needed.c and lesson.c have 8.9.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_UNIT_UNIT_H
#define VCS_UNIT_UNIT_H

#include "vcsched/interface/check/check.h"

#include <stdbool.h>
#include <vcsched/unit.h>

typedef struct vcs_unit_call {
    const vcs_unit *unit;
    const vcs_array *results;
    double now;
    const vcs_array *changes; /* the answer, in the caller's memory */
    uint32_t change_count;    /* so far */
    uint32_t canonical;       /* index of the canonical result; VCS_NONE = there is none, or it was not looked for */
} vcs_unit_call;

/* ---- Arguments (unit_check.c); VCS_OK or the error ---- */

/* The unit alone. */
int vcs_check_unit(const vcs_unit *unit, vcs_error *error);

/* One of the results, without a look at the others. The unit and the array have passed. */
int vcs_check_result(const vcs_unit *unit, const vcs_array *results, uint32_t index, vcs_error *error);

/* The unit with all its results. Finds the index of the canonical result; VCS_NONE = there is none. */
int vcs_check_unit_and_results(const vcs_unit *unit, const vcs_array *results, uint32_t *canonical, vcs_error *error);

/*
 * The present, and the memory for changes: room for as many as a unit with so many results can need, so that nothing
 * fails halfway.
 */
int vcs_check_changes(const vcs_array *results, double now, const vcs_array *changes, const uint32_t *change_count,
                      vcs_error *error);

/* Begins a call that looks at all results: checks every argument, then fills `call`. */
int vcs_begin_call(vcs_unit_call *call, const vcs_unit *unit, const vcs_array *results, double now,
                   const vcs_array *changes, const uint32_t *change_count, vcs_error *error);

/* ---- Changes (change.c) ---- */

void vcs_change_unit(vcs_unit_call *call, uint32_t field, uint64_t value, uint32_t reason);
void vcs_change_unit_time(vcs_unit_call *call, uint32_t field, double time, uint32_t reason);
void vcs_change_result(vcs_unit_call *call, uint32_t index, uint32_t field, uint64_t value, uint32_t reason);
void vcs_change_result_number(vcs_unit_call *call, uint32_t index, uint32_t field, double number, uint32_t reason);

/* A result is over, with this outcome. */
void vcs_end_result(vcs_unit_call *call, uint32_t index, uint32_t outcome, uint32_t reason);

/* New results are to be created. */
void vcs_ask_for_results(vcs_unit_call *call, uint32_t count, uint32_t reason);

/* ---- The project's own work on a unit: VCS_UNIT_WORK_* (work.c) ---- */

/* It is tried again after a delay, or waits for a person. */
void vcs_count_failure(vcs_unit_call *call, uint32_t work, double delay);

/* It went well, or a person says that it will. */
void vcs_forget_failures(vcs_unit_call *call, uint32_t work);

/* Whether a change can set the field: VCS_FIELD_UNIT_* or VCS_FIELD_RESULT_* (change_apply.c). */
bool vcs_is_field_of_change(uint32_t field);

/* ---- A host that was caught (withdraw.c) ---- */

/* The result was sent, and does not count any more. All results have passed. */
void vcs_withdraw_result(vcs_unit_call *call, uint32_t index);

/* ---- Credit (credit.c) ---- */

/* The claims that count: of the successes of one class that are not judged yet; of all results if `classes` is NULL. */
typedef struct vcs_claims {
    const vcs_array *results;
    const uint32_t *classes;
    uint32_t class_number;
} vcs_claims;

/* The credit of each result; 0 if no claim counts. */
double vcs_credit_of_claims(const vcs_claims *claims, double max_single_claim);

/* ---- What the records say ---- */

static inline const vcs_result *vcs_result_at(const vcs_unit_call *call, uint32_t index) {
    return vcs_element(call->results, index);
}

/* Not sent yet, and never will be if the unit ends now. */
static inline bool vcs_is_waiting(const vcs_result *result) {
    return result->server_state == VCS_RESULT_INACTIVE || result->server_state == VCS_RESULT_UNSENT;
}

/* Counts for the quorum, judged or not. */
static inline bool vcs_is_success(const vcs_result *result) {
    return result->outcome == VCS_OUTCOME_SUCCESS && result->validate_state != VCS_VALIDATE_INVALID;
}

/* A success without a verdict so far. */
static inline bool vcs_is_pending(const vcs_result *result) {
    return result->outcome == VCS_OUTCOME_SUCCESS &&
           (result->validate_state == VCS_VALIDATE_INIT || result->validate_state == VCS_VALIDATE_INCONCLUSIVE);
}

/* Whether there is a canonical result without files, so that nothing can be compared with it any more. */
static inline bool vcs_is_canonical_gone(const vcs_unit_call *call) {
    if (call->canonical == VCS_NONE) {
        return false;
    }
    const uint32_t files = vcs_result_at(call, call->canonical)->file_delete_state;
    return files == VCS_FILES_DONE || files == VCS_FILES_ERROR;
}

#endif
