/*
 * Work units and their results: a server's records, and the states they can be in (rule 8.1).
 *
 * A work unit is a computation to be done. A result is one copy of it, to be done by one host. The caller keeps both,
 * usually in a database, and applies the changes that vcs_transition(), vcs_validate() and vcs_unit_handle_event()
 * return.
 *
 * Times are seconds since any epoch, the same one in all arguments, within +-VCS_MAX_TIME.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_UNIT_H
#define VCSCHED_UNIT_H

#include <vcsched/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/*
 * A work unit: how many times to compute it, and its progress. 144 bytes. Since 0.1.
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
    uint32_t target_nresults;   /* N: copies wanted that are unsent, in progress or successful; M ... B; grows when
                                   there is no consensus */
    uint32_t max_error;         /* A: the unit fails with more client errors than this; 0 = on the first */
    uint32_t max_total;         /* B: never more copies than this in total */
    uint32_t max_success;       /* C: the unit fails with more successes than this and no consensus */
    uint32_t quorum_rule;       /* VCS_QUORUM_* */
    uint32_t error_mask;        /* VCS_UNIT_COULDNT_SEND, ...: why it failed; 0 = it has not */
    uint32_t assimilate_state;  /* VCS_ASSIMILATE_* */
    uint32_t file_delete_state; /* VCS_FILES_* of its input files */
    uint32_t need_validate;     /* 1 = vcs_validate() must be called; else 0 */
    double fixed_credit;        /* fixed credit: what each valid result gets, up to VCS_MAX_CREDIT; else ignored */
    double max_single_claim;    /* credit by claims: the only claim counts up to this, at most VCS_MAX_CREDIT; 0 = it is
                                   not capped */
    uint32_t credit_rule;       /* VCS_CREDIT_* */
    uint32_t reserved0;         /* 0 */
    uint64_t reserved[2];       /* 0 */
} vcs_unit;

/* vcs_result.revoked: what was taken back because a host was caught (rule 8.9) */
#define VCS_REVOKED_VALID 0x1u   /* it had been valid, and its unit had to choose anew */
#define VCS_REVOKED_INVALID 0x2u /* it had been invalid, likewise */
#define VCS_REVOKED_RESULT 0x4u  /* the result itself: it is its own host that was caught, so it stays invalid */

/* One copy of a work unit. Fill it with vcs_result_init(). 112 bytes. Since 0.1. */
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
    uint64_t host;              /* the caller's number of the host that it was sent to; 0 = it is not kept here */
    double claimed;             /* credit that its host claims for it, up to VCS_MAX_CREDIT, in a unit of the caller's
                                   such as FLOPs, or device seconds times a benchmark */
    double granted;             /* credit that its host gets for it; 0 unless credited is 1 */
    uint32_t revoked;           /* VCS_REVOKED_* */
    uint32_t reserved0;         /* 0 */
    uint64_t reserved[2];       /* 0 */
} vcs_result;

/*
 * Fills the record of a new work unit: M, N, A, B and C of 1, 1, 0, 1 and 1, and a delay bound of a week.
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
 * unit           the work unit
 * results        all its results, in any order, aligned to 8 bytes; may be NULL if result_count is 0
 * result_size    sizeof(vcs_result) of the caller
 * result_count   how many results
 * error          what was refused, and where; may be NULL
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
 * other, or VCS_ERR_OVERFLOW. Thread-safe. O(result_count^2), because ids must be unique.
 */
VCS_API int vcs_unit_check(const vcs_unit *unit, const vcs_result *results, uint32_t result_size, uint32_t result_count,
                           vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
