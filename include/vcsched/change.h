/*
 * Changes: what a function says is to be modified in a work unit and its results (rule 8.6).
 *
 * vcs_transition(), vcs_validate() and vcs_unit_handle_event() return a list of changes and modify nothing themselves.
 * The caller applies the list in one database transaction, or with vcs_change_apply().
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_CHANGE_H
#define VCSCHED_CHANGE_H

#include <vcsched/reason.h>
#include <vcsched/unit.h>

#ifdef __cplusplus
extern "C" {
#endif

/* vcs_change.kind */
#define VCS_CHANGE_SET 0u    /* a field gets a value */
#define VCS_CHANGE_CREATE 1u /* create `integer` new results with vcs_result_init() and offer them to hosts */

/* vcs_change.field: of the unit */
#define VCS_FIELD_UNIT_TRANSITION_TIME 1u   /* number */
#define VCS_FIELD_UNIT_ASSIMILATED 2u       /* number */
#define VCS_FIELD_UNIT_HR_CLASS 3u          /* integer, as all that follow */
#define VCS_FIELD_UNIT_CANONICAL 4u
#define VCS_FIELD_UNIT_TARGET_NRESULTS 5u
#define VCS_FIELD_UNIT_ERROR_MASK 6u
#define VCS_FIELD_UNIT_ASSIMILATE_STATE 7u
#define VCS_FIELD_UNIT_FILE_DELETE_STATE 8u
#define VCS_FIELD_UNIT_NEED_VALIDATE 9u
/* of a result */
#define VCS_FIELD_RESULT_DEADLINE 20u       /* number */
#define VCS_FIELD_RESULT_RECEIVED 21u       /* number */
#define VCS_FIELD_RESULT_LATE_RECEIVED 22u  /* number */
#define VCS_FIELD_RESULT_SERVER_STATE 23u   /* integer, as all that follow up to revoked */
#define VCS_FIELD_RESULT_OUTCOME 24u
#define VCS_FIELD_RESULT_VALIDATE_STATE 25u
#define VCS_FIELD_RESULT_FILE_DELETE_STATE 26u
#define VCS_FIELD_RESULT_CREDITED 27u
#define VCS_FIELD_RESULT_LATE_REPORT 28u
#define VCS_FIELD_RESULT_HOST 29u
#define VCS_FIELD_RESULT_REVOKED 30u
#define VCS_FIELD_RESULT_CLAIMED 31u        /* number */
#define VCS_FIELD_RESULT_GRANTED 32u        /* number */

/* One change to a unit or to one of its results. 40 bytes. Since 0.1. */
typedef struct vcs_change {
    uint32_t kind;        /* VCS_CHANGE_* */
    uint32_t result;      /* index of the result; VCS_NONE = the unit */
    uint32_t field;       /* set: VCS_FIELD_*; create: 0 */
    uint32_t reason;      /* VCS_REASON_* */
    double number;        /* set: the new value of a field that is a double; may be +infinity; else 0 */
    uint64_t integer;     /* set: the new value of any other field; create: how many; else 0 */
    uint64_t reserved[1]; /* 0 */
} vcs_change;

/*
 * How many changes to provide space for: VCS_CHANGES_PER_UNIT + VCS_CHANGES_PER_RESULT * result_count are enough for
 * every function that returns changes, also in later versions with the same VCS_ABI_VERSION.
 */
#define VCS_CHANGES_PER_UNIT 16u
#define VCS_CHANGES_PER_RESULT 4u

/* The name of a VCS_FIELD_* in its record, such as "outcome"; "" for an unknown field. Thread-safe. O(fields). */
VCS_API const char *vcs_change_field_name(uint32_t field);

/*
 * Applies one change to the records. A change that asks for new results modifies nothing: creating them is up to the
 * caller.
 *
 * change         a change that was returned for these records
 * unit           in/out
 * results        in/out; aligned to 8 bytes; may be NULL if result_count is 0
 * result_size    sizeof(vcs_result) of the caller
 * result_count   how many results
 * error          what was refused; may be NULL
 *
 * The new value is checked against the range of its field, but not for consistency with the other fields: halfway
 * through a list of changes they need not be consistent.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS for an unknown kind, field or state, VCS_ERR_INDEX,
 * VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is changed. Thread-safe. O(fields).
 */
VCS_API int vcs_change_apply(const vcs_change *change, vcs_unit *unit, vcs_result *results, uint32_t result_size,
                             uint32_t result_count, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
