/*
 * What a work unit needs next: events, the transition, and the changes that they answer with (rules 8.2, 8.3, 8.5).
 *
 * Every function here is pure: it reads a unit and its results and answers with a list of changes. Nothing else is
 * touched, so that the caller can apply the list in one database transaction, or with vcs_change_apply().
 *
 * The life of a unit: vcs_unit_created(), then vcs_transition() whenever now > transition_time, which asks for copies,
 * gives up those that are overdue, and says when to validate, to assimilate and to delete; meanwhile an event for
 * whatever happens.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_TRANSITION_H
#define VCSCHED_TRANSITION_H

#include <vcsched/reason.h>
#include <vcsched/unit.h>

#ifdef __cplusplus
extern "C" {
#endif

/* vcs_change.kind */
#define VCS_CHANGE_SET 0u    /* a field gets a value */
#define VCS_CHANGE_CREATE 1u /* make `integer` new results, see vcs_result_init(), and offer them to hosts */

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
#define VCS_FIELD_RESULT_SERVER_STATE 23u   /* integer, as all that follow */
#define VCS_FIELD_RESULT_OUTCOME 24u
#define VCS_FIELD_RESULT_VALIDATE_STATE 25u
#define VCS_FIELD_RESULT_FILE_DELETE_STATE 26u
#define VCS_FIELD_RESULT_CREDITED 27u
#define VCS_FIELD_RESULT_LATE_REPORT 28u

/* One change to a unit or to one of its results. 40 bytes. Since 0.1. */
typedef struct vcs_change {
    uint32_t kind;        /* VCS_CHANGE_* */
    uint32_t result;      /* index of the result; VCS_NONE = the unit */
    uint32_t field;       /* set: VCS_FIELD_*; create: 0 */
    uint32_t reason;      /* VCS_REASON_* */
    double number;        /* set: the new value of a field that is a double, maybe +infinity; else 0 */
    uint64_t integer;     /* set: the new value of any other field; create: how many; else 0 */
    uint64_t reserved[1]; /* 0 */
} vcs_change;

/*
 * Room for so many changes is enough for any function of this header and of validate.h: 10 + 3 * count.
 *
 * count   results of the unit; 1 is enough for the events
 *
 * Thread-safe. O(1).
 */
VCS_API uint64_t vcs_change_capacity(uint32_t count);

/* The name of a VCS_FIELD_* in its record, such as "outcome"; "" if there is none. Thread-safe. O(fields). */
VCS_API const char *vcs_change_field_name(uint32_t field);

/*
 * Applies one change to the records. One that asks for new results changes none: making them is the caller's.
 *
 * change        a change that was answered for these records
 * unit          in/out
 * results       in/out; aligned to 8 bytes; may be NULL if count is 0
 * result_size   sizeof(vcs_result) of the caller
 * count         results
 * error         what was refused; may be NULL
 *
 * The new value is checked against the range of its field, but not whether it goes with the rest: halfway through a
 * list it may not.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS for an unknown kind, field or state, VCS_ERR_INDEX,
 * VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is changed. Thread-safe. O(fields).
 */
VCS_API int vcs_change_apply(const vcs_change *change, vcs_unit *unit, vcs_result *results, uint32_t result_size,
                             uint32_t count, vcs_error *error);

/*
 * Decides what a unit needs now. Nothing if it is not due: unless now > unit.transition_time, no change is answered.
 *
 * unit          the work unit
 * results       all results that it has, in any order, aligned to 8 bytes; may be NULL if count is 0
 * result_size   sizeof(vcs_result) of the caller
 * count         results
 * now           the present, a time; the clock may go back
 * changes       out: `*count_out` changes
 * change_size   sizeof(vcs_change) of the caller
 * capacity      changes that there is room for; vcs_change_capacity(count) or more
 * count_out     out: how many changes there are
 * error         what was refused, and where; may be NULL
 *
 * In this order, each on what the ones before have decided (rule 8.3):
 *   a. copies in progress after their deadline are given up
 *   b. validation is asked for when there are M successes and some were not compared yet
 *   c. the unit fails if a copy could not be sent, or there are too many errors or copies
 *   d. if it has neither failed nor a canonical result, as many copies are asked for as are missing
 *   e. if it failed, what was not sent is withdrawn, and it is ready to be assimilated
 *   f. once it is assimilated, and delete_delay later, files that nothing needs any more may be deleted
 *   g. transition_time becomes the time of the next thing that is known to happen
 *
 * A second transition at the same time has nothing to change. The order of the results does not matter.
 *
 * Returns VCS_OK, what vcs_unit_check() returns, or VCS_ERR_COUNT if there is room for too few changes; the message
 * says how many are needed. On an error nothing is written. Thread-safe. O(count^2).
 */
VCS_API int vcs_transition(const vcs_unit *unit, const vcs_result *results, uint32_t result_size, uint32_t count,
                           double now, vcs_change *changes, uint32_t change_size, uint32_t capacity,
                           uint32_t *count_out, vcs_error *error);

/*
 * Event: a new unit. It has no results yet, and its transition is due.
 *
 * The arguments that events share:
 * unit          the work unit
 * result        the result that the event is about; the others are not looked at
 * index         its index, which comes back in vcs_change.result; any
 * now           the present, a time
 * and from changes on as for vcs_transition(). vcs_change_capacity(1) is enough.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_UNSUPPORTED
 * for states that contradict each other, VCS_ERR_COUNT if there is room for too few changes, or VCS_ERR_SEQUENCE if the
 * event cannot happen in this state. On an error nothing is written. Thread-safe. O(1). So do all events.
 */
VCS_API int vcs_unit_created(const vcs_unit *unit, double now, vcs_change *changes, uint32_t change_size,
                             uint32_t capacity, uint32_t *count_out, vcs_error *error);

/*
 * Event: the project cancels a unit. Nothing more will be sent; copies in progress are waited for. The second time, and
 * beside another failure, it changes no more than it must. For the rest see vcs_unit_created().
 */
VCS_API int vcs_unit_cancelled(const vcs_unit *unit, double now, vcs_change *changes, uint32_t change_size,
                               uint32_t capacity, uint32_t *count_out, vcs_error *error);

/*
 * Event: the record of the canonical result is lost, of which vcs_transition() says VCS_ERR_INDEX. The unit fails.
 * VCS_ERR_SEQUENCE if it has no canonical result. For the rest see vcs_unit_created().
 */
VCS_API int vcs_unit_canonical_lost(const vcs_unit *unit, double now, vcs_change *changes, uint32_t change_size,
                                    uint32_t capacity, uint32_t *count_out, vcs_error *error);

/*
 * Event: the project has handled what the unit came to. VCS_ERR_SEQUENCE unless it is ready to be, so that it happens
 * exactly once. For the rest see vcs_unit_created().
 */
VCS_API int vcs_unit_assimilated(const vcs_unit *unit, double now, vcs_change *changes, uint32_t change_size,
                                 uint32_t capacity, uint32_t *count_out, vcs_error *error);

/* vcs_unit_files_deleted() and vcs_result_files_deleted(): what came of it */
#define VCS_DELETED 1u     /* the files are gone */
#define VCS_NOT_DELETED 2u /* they could not be deleted; a later attempt may be told by the same event */

/*
 * Event: the input files of a unit were deleted, or could not be. VCS_ERR_SEQUENCE if they were still needed, or are
 * deleted already. For the rest see vcs_unit_created().
 *
 * what   VCS_DELETED or VCS_NOT_DELETED; VCS_ERR_FLAGS if it is neither
 */
VCS_API int vcs_unit_files_deleted(const vcs_unit *unit, uint32_t what, double now, vcs_change *changes,
                                   uint32_t change_size, uint32_t capacity, uint32_t *count_out, vcs_error *error);

/* Event: the output files of a result were deleted, or could not be. The rest is as for vcs_unit_files_deleted(). */
VCS_API int vcs_result_files_deleted(const vcs_unit *unit, const vcs_result *result, uint32_t index, uint32_t what,
                                     double now, vcs_change *changes, uint32_t change_size, uint32_t capacity,
                                     uint32_t *count_out, vcs_error *error);

/*
 * Event: a result is sent to a host. Its deadline is now + delay_bound. VCS_ERR_SEQUENCE unless it is unsent. For the
 * rest see vcs_unit_created().
 *
 * hr_class   homogeneous redundancy: the class of the host; 0 = classes do not matter. The first copy that is sent
 *            fixes the class of the unit; VCS_ERR_UNSUPPORTED if that is another
 */
VCS_API int vcs_result_sent(const vcs_unit *unit, const vcs_result *result, uint32_t index, uint64_t hr_class,
                            double now, vcs_change *changes, uint32_t change_size, uint32_t capacity,
                            uint32_t *count_out, vcs_error *error);

/* vcs_result_received(): what the host reports; vcs_result.late_report. 0 = nothing */
#define VCS_REPORT_SUCCESS 1u      /* the computation is done and its files are there */
#define VCS_REPORT_CLIENT_ERROR 2u /* the computation failed */
#define VCS_REPORT_CANCELLED 3u    /* the user cancelled it: the same as no reply, and no client error */
#define VCS_REPORT_DETACHED 4u     /* the host has left the project */
#define VCS_REPORT_REFUSED 5u      /* a report that the caller refuses, such as one from a blacklisted client: the same
                                      as no reply */

/*
 * Event: a host reports a result.
 *
 * report   VCS_REPORT_*; VCS_ERR_FLAGS if it is none
 *
 * A result in progress is over then. One that was given up as no reply still becomes a success, if that is reported
 * and the unit has neither a canonical result nor failed; its files must not have been deleted meanwhile. Any other
 * report for a result that is over (late, twice) is noted in late_report and late_received, and changes nothing.
 * VCS_ERR_SEQUENCE if the result was never sent. For the rest see vcs_unit_created().
 */
VCS_API int vcs_result_received(const vcs_unit *unit, const vcs_result *result, uint32_t index, uint32_t report,
                                double now, vcs_change *changes, uint32_t change_size, uint32_t capacity,
                                uint32_t *count_out, vcs_error *error);

/*
 * Event: no host can be found for a result, and the caller gives up looking for one. VCS_ERR_SEQUENCE unless it is
 * unsent. For the rest see vcs_unit_created().
 */
VCS_API int vcs_result_unsendable(const vcs_unit *unit, const vcs_result *result, uint32_t index, double now,
                                  vcs_change *changes, uint32_t change_size, uint32_t capacity, uint32_t *count_out,
                                  vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
