/*
 * A work unit with its results as a caller hands them in: taken over and checked.
 *
 * Rule 8.1; worked by hand in tests/unit/test_unit.c. The rest of the room: change.h is the list of changes that
 * everything here answers with, event.c has rules 8.2 and 8.5, transition.c 8.3, validate.c 8.4.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_UNIT_UNIT_H
#define VCS_UNIT_UNIT_H

#include <stdbool.h>
#include <vcsched/record.h>
#include <vcsched/unit.h>

typedef struct vcs_given_unit {
    const vcs_unit *unit;
    vcs_array results;
    uint32_t canonical; /* index of the canonical result; VCS_NONE = there is none */
} vcs_given_unit;

/* Takes over a unit with all its results, everything checked; `given` may be half filled if they are refused. */
int vcs_take_unit(vcs_given_unit *given, const vcs_unit *unit, const vcs_result *results, uint32_t result_size,
                  uint32_t result_count, vcs_error *error);

/* Takes over a unit of whose results none is looked at yet. */
int vcs_take_unit_alone(vcs_given_unit *given, const vcs_unit *unit, const vcs_result *results, uint32_t result_size,
                        uint32_t result_count, vcs_error *error);

/* Checks one of its results, as far as the others do not matter. */
int vcs_check_result(const vcs_given_unit *given, uint32_t index, vcs_error *error);

/* Checks the present. */
int vcs_check_now(double now, vcs_error *error);

/* The caller's records may be longer than ours; the bytes beyond were found to be 0. */
static inline const vcs_result *vcs_result_at(const vcs_given_unit *given, uint32_t index) {
    const unsigned char *base = given->results.base;
    return (const vcs_result *)(const void *)(base + (size_t)index * given->results.element_size);
}

static inline const vcs_result *vcs_canonical_of(const vcs_given_unit *given) {
    return given->canonical == VCS_NONE ? NULL : vcs_result_at(given, given->canonical);
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

/* Whether nothing can be compared with this result any more. */
static inline bool vcs_are_files_gone(const vcs_result *result) {
    return result->file_delete_state == VCS_FILES_DONE || result->file_delete_state == VCS_FILES_ERROR;
}

#endif
