/*
 * Work units and their results: a server's records, what happens to them, and what a unit needs next (rule 8).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_UNIT_H
#define VCSCHED_UNIT_H

#include <vcsched/abi.h>
#include <vcsched/reason.h>
#include <vcsched/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Units and results ---- */

/*
 * Work units and their results: a server's records, and the states that they can be in (rule 8.1).
 *
 * A work unit is a computation to be done. A result is one copy of it, to be done by one host. The caller keeps both,
 * usually in a database, and applies the changes that vcs_transition(), vcs_validate() and vcs_unit_handle_event()
 * return.
 *
 * Times are seconds since any epoch, the same one in all arguments, within +-VCS_MAX_TIME.
 */

/* vcs_result.server_state: where the copy is */
#define VCS_RESULT_INACTIVE 0u    /* created but held back by the caller, who makes it unsent later; counts as unsent */
#define VCS_RESULT_UNSENT 1u      /* waiting for a host */
#define VCS_RESULT_IN_PROGRESS 2u /* a host has it */
#define VCS_RESULT_OVER 3u        /* finished, one way or another; see outcome */

/* vcs_result.outcome: how it ended */
#define VCS_OUTCOME_INIT 0u            /* not over yet */
#define VCS_OUTCOME_SUCCESS 1u         /* the host reported success */
#define VCS_OUTCOME_COULDNT_SEND 2u    /* no host could be found for it */
#define VCS_OUTCOME_CLIENT_ERROR 3u    /* the host reported failure */
#define VCS_OUTCOME_NO_REPLY 4u        /* given up: its deadline passed, or the user aborted it */
#define VCS_OUTCOME_DIDNT_NEED 5u      /* never sent, because the unit was finished first */
#define VCS_OUTCOME_VALIDATE_ERROR 6u  /* reported as a success, but its files are missing, so it cannot be compared */
#define VCS_OUTCOME_CLIENT_DETACHED 7u /* the host has left */

/* vcs_result.validate_state: the verdict on a success */
#define VCS_VALIDATE_INIT 0u         /* not judged yet */
#define VCS_VALIDATE_VALID 1u        /* equal to the canonical result */
#define VCS_VALIDATE_INVALID 2u      /* differs from it, wrong in itself, or a client error */
#define VCS_VALIDATE_NO_CHECK 3u     /* never judged, because the unit failed */
#define VCS_VALIDATE_ERROR 4u        /* could not be judged */
#define VCS_VALIDATE_INCONCLUSIVE 5u /* compared, but there is no consensus yet */
#define VCS_VALIDATE_TOO_LATE 6u     /* arrived after the canonical result's files were deleted */

/* vcs_result.file_delete_state: its output files; vcs_unit.file_delete_state: the unit's input files */
#define VCS_FILES_INIT 0u  /* still needed */
#define VCS_FILES_READY 1u /* may be deleted */
#define VCS_FILES_DONE 2u  /* deleted */
#define VCS_FILES_ERROR 3u /* could not be deleted */

/* vcs_unit.assimilate_state: the project's own handling of a finished unit */
#define VCS_ASSIMILATE_INIT 0u  /* the unit is not finished */
#define VCS_ASSIMILATE_READY 1u /* it is: handle its canonical result, or its failure */
#define VCS_ASSIMILATE_DONE 2u  /* handled */

/* vcs_unit.error_mask: why the unit failed; several bits may be set */
#define VCS_UNIT_COULDNT_SEND 0x1u       /* no host could be found for a copy */
#define VCS_UNIT_TOO_MANY_ERRORS 0x2u    /* more client errors than max_error */
#define VCS_UNIT_TOO_MANY_SUCCESSES 0x4u /* more successes than max_success, and no consensus */
#define VCS_UNIT_TOO_MANY_TOTAL 0x8u     /* the quorum cannot be reached within max_total copies */
#define VCS_UNIT_CANCELLED 0x10u         /* the project cancelled it */
#define VCS_UNIT_NO_CANONICAL 0x20u      /* the record of its canonical result was lost */

/* vcs_unit.quorum_rule: what counts as a consensus; see vcs_validate() */
#define VCS_QUORUM_MAJORITY 0u /* more than half of the successes are equal, and at least min_quorum */
#define VCS_QUORUM_EQUAL 1u    /* at least min_quorum are equal */
#define VCS_QUORUM_WEIGHTED 2u /* the weights of equal ones add up to quorum_weight */

/* vcs_unit.credit_rule: what each valid result is granted (rule 8.8) */
#define VCS_CREDIT_CLAIMS 0u /* by what the valid results claim at the consensus; see vcs_credit_granted() */
#define VCS_CREDIT_FIXED 1u  /* fixed_credit */

/* The most credit that can be claimed or granted. */
#define VCS_MAX_CREDIT 1e30

/* vcs_unit_event.work: what a project does itself with a unit, and may fail at (rules 8.4 and 8.5) */
#define VCS_UNIT_WORK_COMPARE 1u    /* comparing its results, for vcs_validate() */
#define VCS_UNIT_WORK_ASSIMILATE 2u /* handling the finished unit */
#define VCS_UNIT_WORK_DELETE 3u     /* deleting its files and those of its results */

/*
 * A work unit: how many times to compute it, and its progress. 184 bytes. Since 1.0.
 *
 * Fill it with vcs_unit_init(), set the parameters, and report VCS_UNIT_EVENT_CREATED. From then on only the changes
 * that the functions return may change its states.
 */
typedef struct vcs_unit {
    uint64_t id;                /* the caller's number for it; any value */
    double transition_time;     /* vcs_transition() is due at this time; +infinity = when an event comes */
    double delay_bound;         /* a copy must be reported within this time of being sent, s, >= 0; +infinity = it is
                                   never given up, and there is no safety net (rule 8.3g) either */
    double delete_delay;        /* how long files are kept after assimilation, s, >= 0; 0 = not at all;
                                   +infinity = for ever */
    double assimilated;         /* when it was assimilated, a time; read only once assimilate_state is done */
    double quorum_weight;       /* weighted quorum: the weight needed for a consensus, > 0, up to 1e30; else ignored */
    uint64_t hr_class;          /* homogeneous redundancy: only hosts of this class get copies; 0 = of any class */
    uint64_t canonical;         /* id of the canonical result; 0 = there is none yet */
    uint32_t min_quorum;        /* M: successes before they are compared; >= 1 */
    uint32_t target_nresults;   /* N: copies wanted that are unsent, in progress or successful, from M to B; grows
                                   when there is no consensus */
    uint32_t max_error;         /* A: the unit fails with more client errors than this; 0 = on the first */
    uint32_t max_total;         /* B: never more copies than this in total */
    uint32_t max_success;       /* C: the unit fails with more successes than this and no consensus */
    uint32_t quorum_rule;       /* VCS_QUORUM_* */
    uint32_t error_mask;        /* VCS_UNIT_COULDNT_SEND, ...: why it failed; 0 = it has not */
    uint32_t assimilate_state;  /* VCS_ASSIMILATE_* */
    uint32_t file_delete_state; /* VCS_FILES_* of its input files */
    uint32_t need_validate;     /* 1 = vcs_validate() must be called; else 0 */
    double fixed_credit;        /* fixed credit: what each valid result gets, up to VCS_MAX_CREDIT; else ignored */
    double max_single_claim;    /* credit by claims: a single claim counts up to this, at most VCS_MAX_CREDIT; 0 = no
                                   cap */
    uint32_t credit_rule;       /* VCS_CREDIT_* */
    uint32_t max_failures;      /* the unit waits for a person when the project has failed so often in a row at one kind
                                   of work on it; 0 = it is tried for ever. vcs_unit_init() sets 8 */
    double compare_time;        /* while need_validate is 1: do not compare its results before this time; 0 = at once;
                                   +infinity = it waits for a person */
    double assimilate_time;     /* while assimilate_state is ready: likewise, do not handle it before this time */
    double delete_time;         /* while files may be deleted: likewise, do not delete them before this time */
    uint32_t compare_failures;  /* failures in a row at comparing; 0 = it went well, or was not tried yet */
    uint32_t assimilate_failures; /* failures in a row at handling it, likewise */
    uint32_t delete_failures;   /* failures in a row at deleting files, likewise */
    uint32_t reserved0;         /* 0 */
    uint64_t reserved[2];       /* 0 */
} vcs_unit;

/* vcs_result.revoked: what was taken back because a host was caught (rule 8.9) */
#define VCS_REVOKED_VALID 0x1u   /* it had been valid, and its unit had to choose anew */
#define VCS_REVOKED_INVALID 0x2u /* it had been invalid, likewise */
#define VCS_REVOKED_RESULT 0x4u  /* the result itself: it is its own host that was caught, so it stays invalid */

/* One copy of a work unit. Fill it with vcs_result_init(). 112 bytes. Since 1.0. */
typedef struct vcs_result {
    uint64_t id;                /* the caller's number, unique within the unit, not 0; breaks ties, lower first */
    double deadline;            /* given up at this time; read while in progress; +infinity = never given up */
    double received;            /* when the report that counted arrived, a time; 0 before */
    double late_received;       /* when the last report that did not count arrived; read if late_report is not 0 */
    double weight;              /* weighted quorum: its weight, such as its client's credibility, 0 ... 1e30; else
                                   ignored */
    uint32_t server_state;      /* VCS_RESULT_* */
    uint32_t outcome;           /* VCS_OUTCOME_* */
    uint32_t validate_state;    /* VCS_VALIDATE_* */
    uint32_t file_delete_state; /* VCS_FILES_* of its output files */
    uint32_t credited;          /* 1 = its host gets credit for it, see `granted`; else 0 */
    uint32_t late_report;       /* VCS_REPORT_* of the last report that did not count; 0 = there was none */
    uint64_t host;              /* the caller's number of the host that it was sent to; 0 = not kept */
    double claimed;             /* credit that its host claims for it, up to VCS_MAX_CREDIT, in a unit of the caller's
                                   such as FLOPs, or device seconds times a benchmark */
    double granted;             /* credit that its host gets for it; 0 unless credited is 1 */
    uint32_t revoked;           /* VCS_REVOKED_* */
    uint32_t reserved0;         /* 0 */
    uint64_t reserved[2];       /* 0 */
} vcs_result;

/*
 * Fills the record of a new work unit: one copy (M, N, B and C are 1), no error allowed (A is 0), a delay bound of a
 * week, and a person who is called after 8 failures of the project itself.
 *
 * unit   written, not read
 * id     the caller's number
 *
 * Returns VCS_OK or VCS_ERR_NULL. Thread-safe. O(1).
 */
VCS_API int vcs_unit_init(vcs_unit *unit, uint64_t id);

/*
 * Fills the record of a new result: unsent.
 *
 * result   written, not read
 * id       the caller's number, not 0
 *
 * Returns VCS_OK, VCS_ERR_NULL or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_result_init(vcs_result *result, uint64_t id);

/*
 * Checks a work unit with all its results, as vcs_transition() and vcs_validate() do.
 *
 * unit      the work unit
 * results   vcs_result[], all its results, in any order
 * error     what was refused, and where; may be NULL
 *
 * The four states of a result must be one of the 45 combinations in the table of rule 8.1. Besides:
 *   - M >= 1, N >= M, B >= N, and quorum_weight > 0 if the quorum is weighted
 *   - canonical is 0 or the id of a valid result; with it, assimilate_state is not init
 *   - a result is valid or too late only if the unit has a canonical result or VCS_UNIT_NO_CANONICAL, credited only if
 *     it is valid, and "no check" only if the unit failed
 *   - assimilate_state is ready or done only with a canonical result or a failure, and file_delete_state leaves init
 *     only after assimilation
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX if the
 * canonical result is not among the results, VCS_ERR_DUPLICATE, VCS_ERR_UNSUPPORTED for states that contradict each
 * other, or VCS_ERR_OVERFLOW. Thread-safe. O(results^2), because ids must be unique.
 */
VCS_API int vcs_unit_check(const vcs_unit *unit, const vcs_array *results, vcs_error *error);

/* ---- Changes ---- */

/*
 * Changes: what a function says is to be modified in a work unit and its results (rule 8.6).
 *
 * vcs_transition(), vcs_validate() and vcs_unit_handle_event() return a list of changes and modify nothing themselves.
 * The caller applies the list in one database transaction, or with vcs_change_apply().
 */

/* vcs_change.kind */
#define VCS_CHANGE_SET 0u    /* a field gets a value */
#define VCS_CHANGE_CREATE 1u /* create `integer` new results with vcs_result_init() and offer them to hosts */

/* vcs_change.field: of the unit */
#define VCS_FIELD_UNIT_TRANSITION_TIME 1u   /* number */
#define VCS_FIELD_UNIT_ASSIMILATED 2u       /* number */
#define VCS_FIELD_UNIT_HR_CLASS 3u          /* integer, as are all below */
#define VCS_FIELD_UNIT_CANONICAL 4u
#define VCS_FIELD_UNIT_TARGET_NRESULTS 5u
#define VCS_FIELD_UNIT_ERROR_MASK 6u
#define VCS_FIELD_UNIT_ASSIMILATE_STATE 7u
#define VCS_FIELD_UNIT_FILE_DELETE_STATE 8u
#define VCS_FIELD_UNIT_NEED_VALIDATE 9u
#define VCS_FIELD_UNIT_COMPARE_FAILURES 10u
#define VCS_FIELD_UNIT_ASSIMILATE_FAILURES 11u
#define VCS_FIELD_UNIT_DELETE_FAILURES 12u
#define VCS_FIELD_UNIT_COMPARE_TIME 13u    /* number */
#define VCS_FIELD_UNIT_ASSIMILATE_TIME 14u /* number */
#define VCS_FIELD_UNIT_DELETE_TIME 15u     /* number */
/* of a result */
#define VCS_FIELD_RESULT_DEADLINE 20u       /* number */
#define VCS_FIELD_RESULT_RECEIVED 21u       /* number */
#define VCS_FIELD_RESULT_LATE_RECEIVED 22u  /* number */
#define VCS_FIELD_RESULT_SERVER_STATE 23u   /* integer, as are all below down to revoked */
#define VCS_FIELD_RESULT_OUTCOME 24u
#define VCS_FIELD_RESULT_VALIDATE_STATE 25u
#define VCS_FIELD_RESULT_FILE_DELETE_STATE 26u
#define VCS_FIELD_RESULT_CREDITED 27u
#define VCS_FIELD_RESULT_LATE_REPORT 28u
#define VCS_FIELD_RESULT_HOST 29u
#define VCS_FIELD_RESULT_REVOKED 30u
#define VCS_FIELD_RESULT_CLAIMED 31u        /* number */
#define VCS_FIELD_RESULT_GRANTED 32u        /* number */

/* One change to a unit or to one of its results. 40 bytes. Since 1.0. */
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
 * How many changes to provide space for: VCS_CHANGES_PER_UNIT + VCS_CHANGES_PER_RESULT * results are enough for
 * every function that returns changes, also in later versions with the same VCS_ABI_VERSION.
 */
#define VCS_CHANGES_PER_UNIT 16u

/* See VCS_CHANGES_PER_UNIT. */
#define VCS_CHANGES_PER_RESULT 4u

/* The name of a VCS_FIELD_* in its record, such as "outcome"; "" for an unknown field. Thread-safe. O(fields). */
VCS_API const char *vcs_change_field_name(uint32_t field);

/*
 * Applies one change to the records. A change that asks for new results modifies nothing: the caller creates them.
 *
 * change    a change that was returned for these records
 * unit      in/out
 * results   in/out: vcs_result[], all results of the unit
 * error     what was refused; may be NULL
 *
 * The new value is checked against the range of its field, but not for consistency with the other fields: halfway
 * through a list of changes they need not be consistent.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS for an unknown kind, field or state, VCS_ERR_INDEX,
 * VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is changed. Thread-safe. O(fields).
 */
VCS_API int vcs_change_apply(const vcs_change *change, vcs_unit *unit, const vcs_array *results, vcs_error *error);

/* ---- Events ---- */

/*
 * What happens to a work unit: it is created, a copy is sent, a report comes in (rules 8.2, 8.5 and 8.9).
 */

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
#define VCS_UNIT_EVENT_WORK_FAILED 12u    /* the project failed at its own work on the unit, see `work`, and nothing of
                                             it was done: it is tried again after `delay`, or waits for a person */
#define VCS_UNIT_EVENT_WORK_RESUMED 13u   /* a person has put right why the work failed: it is tried again at once. May
                                             be repeated */

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
 * that the kind does not use must be 0. 72 bytes. Since 1.0.
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
    uint64_t host;        /* sent: the caller's number of the host, kept in vcs_result.host. VCS_ERR_UNSUPPORTED if
                             another result of the unit has this host already, unless that result is detached.
                             0 = not kept, nor looked for */
    double estimate;      /* resent: when the copy would be finished, s from now, >= 0; 0 = unknown */
    double claimed;       /* received: credit that the host claims for a success, up to VCS_MAX_CREDIT; ignored with
                             any other report */
    double delay;         /* work failed: try again after this time, s, >= 0, such as vcs_backoff() draws for
                             one failure more than the unit has */
    uint32_t work;        /* work failed or resumed: VCS_UNIT_WORK_* */
    uint32_t reserved0;   /* 0 */
} vcs_unit_event;

/*
 * Returns the changes that an event makes to a unit (rules 8.2, 8.5 and 8.9).
 *
 * unit           the work unit
 * results        vcs_result[], all its results. Only the result of the event is checked; when a copy is sent, the
 *                hosts of the others are read, and when a result is withdrawn, all are checked
 * event          what happened
 * now            when it happened, a time
 * changes        out: vcs_change[], the changes, to be applied in this order; it must hold
 *                VCS_CHANGES_PER_UNIT + VCS_CHANGES_PER_RESULT * results
 * change_count   out: how many changes there are
 * error          what was refused, and where; may be NULL
 *
 * A report ends a result in progress. A result that was given up as no reply still becomes a success if success is
 * reported, the unit has neither failed nor a canonical result, and the files were not deleted meanwhile. Any other
 * report for a result that is over, late or repeated, is recorded in late_report and late_received and has no further
 * effect. VCS_ERR_SEQUENCE if the result was never sent.
 *
 * A copy in progress is sent again after its reply was lost if the unit has neither failed nor a canonical result and
 * now + estimate <= deadline: the only change sets the deadline to its old value, with VCS_REASON_RESENT. Otherwise the
 * copy is over, as no reply, with VCS_REASON_RESEND_NOT_NEEDED or VCS_REASON_RESEND_TOO_LATE: the host is not to blame.
 * VCS_ERR_SEQUENCE if the copy is not in progress.
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
 * Each failure of the project's own work adds 1 to compare_failures, assimilate_failures or delete_failures, and sets
 * compare_time, assimilate_time or delete_time to now + delay; the max_failures-th failure in a row sets it to
 * +infinity: the unit waits for a person. Both become 0 when the work succeeds (vcs_validate() leaves nothing to be
 * compared later, the unit is assimilated, a file is deleted), and by VCS_UNIT_EVENT_WORK_RESUMED. VCS_ERR_SEQUENCE if
 * nothing is to be compared or assimilated, or if files are to be deleted before the unit is assimilated.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS for an unknown kind, report or deletion, VCS_ERR_INDEX
 * if event.result is not the index of a result, or is given although the event is about the unit, VCS_ERR_NOT_FINITE,
 * VCS_ERR_RANGE, VCS_ERR_UNSUPPORTED for states that contradict each other, another class of hosts, or a field that the
 * kind does not use, VCS_ERR_OVERFLOW, VCS_ERR_COUNT if too few changes fit, or VCS_ERR_SEQUENCE. On an error nothing
 * is written. Thread-safe. O(1), or O(results) when a copy is sent or withdrawn.
 */
VCS_API int vcs_unit_handle_event(const vcs_unit *unit, const vcs_array *results, const vcs_unit_event *event,
                                  double now, const vcs_array *changes, uint32_t *change_count, vcs_error *error);

/* ---- Transition ---- */

/*
 * What a work unit needs next (rule 8.3).
 *
 * The life of a unit: VCS_UNIT_EVENT_CREATED, then vcs_transition() whenever now >= transition_time. It asks for
 * copies, gives up overdue ones, and says when to validate, to assimilate and to delete files. Meanwhile the caller
 * reports everything that happens to the unit with vcs_unit_handle_event(). An event and the transition that it makes
 * due may share one clock reading, and so one database transaction.
 */

/*
 * Decides what a unit needs now. It returns no changes unless the unit is due: now >= unit.transition_time.
 *
 * unit           the work unit
 * results        vcs_result[], all its results, in any order
 * now            the present, a time; the clock may go back
 * changes        out: vcs_change[], the changes, to be applied in this order; it must hold
 *                VCS_CHANGES_PER_UNIT + VCS_CHANGES_PER_RESULT * results
 * change_count   out: how many changes there are
 * error          what was refused, and where; may be NULL
 *
 * These steps are taken in order, each based on the results of the previous ones (rule 8.3). M is min_quorum:
 *   a. copies in progress with a deadline <= now are given up. A report of that very instant is in time if it is
 *      handled before the transition
 *   b. validation is asked for when there are M successes and some were not compared yet
 *   c. the unit fails if a copy could not be sent, or if there are too many errors or copies
 *   d. if it has neither failed nor a canonical result, the missing copies are asked for
 *   e. if it has failed, unsent copies are withdrawn, and it is ready to be assimilated
 *   f. once it is assimilated, and delete_delay later, files that nothing needs any more may be deleted
 *   g. transition_time becomes the time of the next known event, which is after now. Only if this transition is more
 *      than a minute late is the unit left alone for twice that time, a day at most
 *
 * A second transition at the same time changes nothing. The order of the results does not matter.
 *
 * Returns VCS_OK, what vcs_unit_check() returns, or VCS_ERR_COUNT if too few changes fit; the message says how many are
 * needed. On an error nothing is written. Thread-safe. O(results^2).
 */
VCS_API int vcs_transition(const vcs_unit *unit, const vcs_array *results, double now, const vcs_array *changes,
                           uint32_t *change_count, vcs_error *error);

/* ---- Validation ---- */

/*
 * Validation: which results of a work unit are right (rule 8.4).
 *
 * Only the application knows when two results are equal, so comparing them is up to the caller, who sorts them into
 * classes of equal results. The library decides what follows from the classes.
 */

/* Classes with a meaning of their own. A result without files has the class VCS_NONE. */
#define VCS_CLASS_WRONG 0xfffffffeu  /* wrong in itself, whatever the others say */
#define VCS_CLASS_FAILED 0xfffffffdu /* the comparison fails on it, as on a file that cannot be parsed */
#define VCS_CLASS_LATER 0xfffffffcu  /* it cannot be judged now, for a reason that will pass, such as a disk that is
                                        away. Report VCS_UNIT_EVENT_WORK_FAILED, too: it says when to try again */

/*
 * Judges the successes of a unit. Call it when need_validate is 1.
 *
 * unit           the work unit
 * results        vcs_result[], all its results, in any order
 * classes        for each result a number: equal results have equal numbers; any number below VCS_CLASS_LATER. Only
 *                the numbers of the canonical result and of successes that are not judged yet (validate_state init or
 *                inconclusive) are read. May be NULL if there is no result
 * now            the present, a time
 * changes        out: vcs_change[], the changes, to be applied in this order; it must hold
 *                VCS_CHANGES_PER_UNIT + VCS_CHANGES_PER_RESULT * results
 * change_count   out: how many changes there are
 * error          what was refused, and where; may be NULL
 *
 * With a canonical result, each success that is not judged yet is compared with it: it is valid, and credited, if it is
 * of the same class, and granted the same as the canonical result; otherwise it is invalid. It is too late if the files
 * of the canonical result are gone, or its class is VCS_NONE or VCS_CLASS_FAILED.
 *
 * Without one, and with at least M successes to compare, a consensus is looked for by unit.quorum_rule:
 *   VCS_QUORUM_MAJORITY   a class of more than half of the successes, and at least M
 *   VCS_QUORUM_EQUAL      a class of at least M
 *   VCS_QUORUM_WEIGHTED   a class with a total weight of at least quorum_weight
 * If several classes qualify, the largest (or heaviest) counts; if two are equally large, there is no consensus. The
 * result with the lowest id in that class becomes canonical. The class is valid and credited by unit.credit_rule (see
 * vcs_credit_granted()), all others are invalid, unsent copies are not needed any more, and the unit is ready to be
 * assimilated. Without a consensus the successes are inconclusive. If there are more than C of them, the unit fails;
 * otherwise N is raised to one more than the number of successes, up to B.
 *
 * Results of class VCS_NONE (validate error), VCS_CLASS_WRONG and VCS_CLASS_FAILED (both invalid, each for a reason of
 * its own) are judged first and take no further part. A result of class VCS_CLASS_LATER stays as it is. While there is
 * one, no consensus is looked for; if it is the canonical result, nothing is compared; and need_validate stays 1. In
 * all other cases need_validate becomes 0, and the failures at comparing are forgotten. A unit that has failed and has
 * no canonical result is left alone but for that. The unit's transition is due in every case.
 *
 * Returns VCS_OK, what vcs_unit_check() returns, or VCS_ERR_COUNT if too few changes fit; the message says how many are
 * needed. On an error nothing is written. Thread-safe. O(results^2).
 */
VCS_API int vcs_validate(const vcs_unit *unit, const vcs_array *results, const uint32_t *classes, double now,
                         const vcs_array *changes, uint32_t *change_count, vcs_error *error);

/* ---- Results still needed ---- */

/*
 * Is a copy that a host has still needed, and is a unit finished in every respect (rule 8.9)?
 */

/* Whether a host should go on with a copy */
#define VCS_NEEDED_KEEP 0u              /* it should: the unit still needs it */
#define VCS_NEEDED_ABORT_NOT_STARTED 1u /* only if it has started: there is a canonical result, but work already begun
                                           still earns credit */
#define VCS_NEEDED_ABORT 2u             /* it should not: nothing would come of it */

/*
 * Decides whether a host should go on with a copy. A server asks this for each task that a client lists.
 *
 * unit      the work unit
 * results   vcs_result[], all its results; only result `index` is checked
 * index     index of the result
 * needed    the answer: VCS_NEEDED_*
 * reason    VCS_REASON_*: why; may be NULL
 * error     what was refused, and where; may be NULL
 *
 *                                     unit open   it has a canonical result   it has failed
 *   in progress                       keep        abort if not started        abort
 *   no reply: given up                keep        abort                       abort
 *   unsent, or over in another way    abort       abort                       abort
 *
 * A copy that was given up is kept: its success still counts while the unit is open.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_INDEX if there is no such result,
 * VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_UNSUPPORTED for states that contradict each other, or VCS_ERR_OVERFLOW. On
 * an error nothing is written. Thread-safe. O(1).
 */
VCS_API int vcs_result_needed(const vcs_unit *unit, const vcs_array *results, uint32_t index, uint32_t *needed,
                              uint32_t *reason, vcs_error *error);

/*
 * Whether a unit has come to its end in every respect, so that its rows may be removed from a database.
 *
 * unit       the work unit
 * results    vcs_result[], all its results, in any order
 * finished   set to 1 if it is assimilated, all results are over and judged, and all files are deleted; else to 0. A
 *            file that could not be deleted keeps the unit: else nobody would know of it
 * error      what was refused, and where; may be NULL
 *
 * Reports may still come for a finished unit, but change nothing. Acknowledge them like reports of unknown results.
 *
 * Returns VCS_OK or what vcs_unit_check() returns. On an error nothing is written. Thread-safe. O(results^2).
 */
VCS_API int vcs_unit_finished(const vcs_unit *unit, const vcs_array *results, uint32_t *finished, vcs_error *error);

/* ---- What a change teaches ---- */

/*
 * Lessons: what a change to a result says about its host (rule 8.9).
 *
 * A server that keeps trust and a daily quota for each host (vcs_trust and vcs_quota of verify.h) asks this of every
 * change that it applies, in the same transaction, and so counts each outcome once:
 *
 *     if (lesson.flags & VCS_LESSON_TRUST) vcs_trust_update(&trust_of_host, lesson.trust, lesson.reason);
 *     if (lesson.flags & VCS_LESSON_QUOTA) vcs_quota_judge(&quota_of_host, lesson.valid);
 */

/* vcs_lesson.flags: what learns from it. 0 = nothing */
#define VCS_LESSON_TRUST 0x1u /* the host's trust, see `trust` */
#define VCS_LESSON_QUOTA 0x2u /* the host's quota, see `valid` */

/* What follows from one change for the host of a result. 40 bytes. Since 1.0. */
typedef struct vcs_lesson {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* out: VCS_LESSON_TRUST, VCS_LESSON_QUOTA */
    uint32_t result;      /* out: index of the result that was changed; VCS_NONE = the change is about the unit */
    uint32_t trust;       /* out: VCS_TRUST_VALID or VCS_TRUST_ERROR, for vcs_trust_update(); 0 if it learns nothing */
    uint32_t valid;       /* out: 1 = the job was valid, for vcs_quota_judge(); 0 = it failed, or nothing is learned */
    uint32_t reason;      /* out: VCS_REASON_*: the reason of the change, or why nothing is learned from it */
    uint64_t host;        /* out: vcs_result.host; 0 if it is not kept, or the change is about the unit */
    uint64_t reserved[1]; /* out: 0 */
} vcs_lesson;

/*
 * Decides whether the trust and the quota of a host learn from a change to one of its results, and what they learn.
 *
 * change    a change returned for these records, applied already or not
 * results   vcs_result[], all results of the unit; only the changed result is checked
 * lesson    the answer
 * error     what was refused, and where; may be NULL
 *
 *   what the change says                            trust     quota
 *   valid                                           valid     valid
 *   client error, validate error                    error     failed
 *   invalid: outvoted, wrong in itself, or the
 *   comparison failed on it                         error     failed
 *   no reply by the deadline                        error     failed
 *   aborted by the user                             -         failed: it used up a job
 *   lost reply, host detached or caught, report refused, not sent, not needed, success not judged yet, inconclusive,
 *   no check, too late, and all other changes       -         -
 *
 * So only changes of VCS_FIELD_RESULT_OUTCOME and VCS_FIELD_RESULT_VALIDATE_STATE teach anything, and a caller may skip
 * all others.
 *
 * Each outcome of a result teaches once, whatever happens to its unit. A verdict that was taken back because another
 * host was caught (vcs_result.revoked) has taught already: the same verdict again teaches nothing, the opposite verdict
 * teaches. A copy that was given up, and is reported after all, teaches twice: that it was late, and its verdict.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS for an unknown kind, field or state, VCS_ERR_INDEX if
 * the result is not there, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is written. Thread-safe. O(fields).
 */
VCS_API int vcs_change_lesson(const vcs_change *change, const vcs_array *results, vcs_lesson *lesson, vcs_error *error);

/* ---- Credit ---- */

/*
 * Credit: what the hosts of valid results get for them (rule 8.8).
 *
 * vcs_validate() grants it to the results of a unit. vcs_credit_granted() applies the rule alone, for servers without
 * units.
 */

/*
 * Decides the credit of each valid result of a computation by the claims of their hosts: with one result, its claim;
 * with two, the lesser claim; with three or more, the mean without the highest and the lowest claim. So no host can
 * raise its credit above the claims of others. A single claim has no other beside it, and is capped.
 *
 * results            vcs_result[], the valid ones, in any order; only `claimed` is read
 * max_single_claim   a single claim counts up to this, 0 ... VCS_MAX_CREDIT; 0 = it is not capped
 * granted            the answer, in the unit of the claims; 0 if there is no result
 * error              what was refused, and where; may be NULL
 *
 * The order of the results does not change the answer, not even in its last bit.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is written.
 * Thread-safe. O(results^2).
 */
VCS_API int vcs_credit_granted(const vcs_array *results, double max_single_claim, double *granted, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
