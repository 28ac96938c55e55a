/*
 * What happens to a work unit: it is created, a copy is sent, a report comes in (rules 8.2, 8.5 and 8.9).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_UNIT_EVENT_H
#define VCSCHED_UNIT_EVENT_H

#include <vcsched/change.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * vcs_unit_event.kind: what happened. VCS_ERR_SEQUENCE if it cannot happen in the present state. More kinds may be
 * added; a library that does not know a kind refuses it with VCS_ERR_FLAGS.
 */
#define VCS_UNIT_EVENT_CREATED 1u         /* the unit is new: it has no results yet, and its transition is due */
#define VCS_UNIT_EVENT_CANCELLED 2u       /* the project cancels the unit: nothing more is sent, but copies in progress
                                             are still waited for. May be repeated, and may follow another failure */
#define VCS_UNIT_EVENT_CANONICAL_LOST 3u  /* the record of the canonical result was lost, which vcs_transition() reports
                                             as VCS_ERR_INDEX: the unit fails */
#define VCS_UNIT_EVENT_ASSIMILATED 4u     /* the project has handled the finished unit. Accepted exactly once, when
                                             assimilate_state is ready */
#define VCS_UNIT_EVENT_INPUTS_DELETED 5u  /* the unit's input files were deleted, or could not be: see `deletion` */
#define VCS_UNIT_EVENT_SENT 6u            /* an unsent result was sent to a host; its deadline is now + delay_bound */
#define VCS_UNIT_EVENT_RECEIVED 7u        /* a host reported a result: see `report` */
#define VCS_UNIT_EVENT_UNSENDABLE 8u      /* no host can be found for an unsent result, and the caller gives up */
#define VCS_UNIT_EVENT_OUTPUTS_DELETED 9u /* a result's output files were deleted, or could not be: see `deletion` */
#define VCS_UNIT_EVENT_RESENT 10u         /* a host does not have a copy in progress: the reply with it was lost. It is
                                             sent again with its old deadline, or given up; see `estimate` */
#define VCS_UNIT_EVENT_WITHDRAWN 11u      /* the host of a result was caught returning wrong results, and none of its
                                             results counts any more */

/* vcs_unit_event.report and vcs_result.late_report: what a host reported. 0 = nothing */
#define VCS_REPORT_SUCCESS 1u      /* the computation is done and its files are there */
#define VCS_REPORT_CLIENT_ERROR 2u /* the computation failed */
#define VCS_REPORT_CANCELLED 3u    /* the user aborted it: treated as no reply, not as a client error */
#define VCS_REPORT_DETACHED 4u     /* the host has left the project */
#define VCS_REPORT_REFUSED 5u      /* a report that the caller refuses, such as one from a blacklisted client: treated
                                      as no reply */
#define VCS_REPORT_WITHDRAWN 6u    /* late_report alone: VCS_UNIT_EVENT_WITHDRAWN came when nothing could be changed */

/* vcs_unit_event.deletion: the outcome of an attempt to delete files. 0 = none */
#define VCS_DELETED 1u     /* the files are gone */
#define VCS_NOT_DELETED 2u /* they could not be deleted; a later attempt may be reported with the same event */

/*
 * Something that happened to a work unit. Zero it, set struct_size, kind and result, then what the kind uses. A field
 * that the kind does not use must be 0. 72 bytes. Since 0.1.
 */
typedef struct vcs_unit_event {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* 0 */
    uint32_t kind;        /* VCS_UNIT_EVENT_* */
    uint32_t result;      /* sent, received, unsendable, outputs deleted, resent, withdrawn: index of the result.
                             Otherwise VCS_NONE */
    uint32_t report;      /* received: VCS_REPORT_* */
    uint32_t deletion;    /* inputs or outputs deleted: VCS_DELETED or VCS_NOT_DELETED */
    uint64_t hr_class;    /* sent: the host's class for homogeneous redundancy, 0 = classes do not matter. The first
                             copy sent fixes the class of the unit, and any other is VCS_ERR_UNSUPPORTED */
    uint64_t host;        /* sent: the caller's number of the host, to be kept in vcs_result.host; one that any result
                             of the unit has already is VCS_ERR_UNSUPPORTED, unless it detached with that. 0 = it is
                             not kept, nor looked for */
    double estimate;      /* resent: when the copy would be finished, s from now, >= 0; 0 = unknown */
    double claimed;       /* received: credit that the host claims for a success, up to VCS_MAX_CREDIT; ignored with
                             any other report */
    uint64_t reserved[2]; /* 0 */
} vcs_unit_event;

/*
 * Returns the changes that an event makes to a unit (rules 8.2, 8.5 and 8.9).
 *
 * unit              the work unit
 * results           all its results, aligned to 8 bytes; only the one that the event is about is looked at, of the
 *                   others the host when a copy is sent, and all when one is withdrawn. May be NULL if result_count
 *                   is 0
 * result_size       sizeof(vcs_result) of the caller
 * result_count      how many results
 * event             what happened
 * now               when it happened, a time
 * changes           out: the changes, to be applied in this order
 * change_size       sizeof(vcs_change) of the caller
 * change_capacity   how many changes fit; see VCS_CHANGES_PER_UNIT
 * change_count      out: how many changes there are
 * error             what was refused, and where; may be NULL
 *
 * A report ends a result in progress. A result that was given up as no reply still becomes a success if success is
 * reported, the unit has neither failed nor a canonical result, and the files were not deleted meanwhile. Any other
 * report for a result that is over, late or repeated, is recorded in late_report and late_received and has no further
 * effect. VCS_ERR_SEQUENCE if the result was never sent.
 *
 * A copy in progress whose reply was lost is sent again if the unit has neither failed nor a canonical result and
 * now + estimate <= deadline: the one change is that the deadline becomes what it was, for VCS_REASON_RESENT. Otherwise
 * it is over, no reply, for a reason of its own: the host is not to blame. VCS_ERR_SEQUENCE if it is not in progress.
 *
 * What a withdrawn result becomes:
 *   in progress                        over, client detached, so that no later report counts
 *   no reply, unit not assimilated     client detached, so that a late success does not count
 *   success, unit not assimilated      invalid for good, without credit. If it was valid, and the unit has a canonical
 *                                      result, it chooses anew: it has none, all other verdicts are taken back, with
 *                                      the credit for them, and noted in `revoked`, and the unit is not ready to be
 *                                      assimilated any more. If it was inconclusive, the others are compared again
 *   anything else                      nothing; the event is noted in late_report and late_received
 * A unit that has failed stays so. VCS_ERR_SEQUENCE if the result was never sent.
 *
 * Files can be reported as deleted once they may be (VCS_FILES_READY), and again after a failed attempt.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS for an unknown kind, report or deletion, VCS_ERR_INDEX
 * if event.result is not the index of a result, or is given although the event is about the unit, VCS_ERR_NOT_FINITE,
 * VCS_ERR_RANGE, VCS_ERR_UNSUPPORTED for states that contradict each other, another class of hosts, or a field that the
 * kind does not use, VCS_ERR_OVERFLOW, VCS_ERR_COUNT if too few changes fit, or VCS_ERR_SEQUENCE. On an error nothing
 * is written. Thread-safe. O(1); of a copy that is sent or withdrawn, O(result_count).
 */
VCS_API int vcs_unit_handle_event(const vcs_unit *unit, const vcs_result *results, uint32_t result_size,
                                  uint32_t result_count, const vcs_unit_event *event, double now, vcs_change *changes,
                                  uint32_t change_size, uint32_t change_capacity, uint32_t *change_count,
                                  vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
