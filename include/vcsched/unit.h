/*
 * Work units and their results: the records of a server, and which states of them there are (rule 8.1).
 *
 * A work unit is a computation to be done. A result is one copy of it, to be done by one host. The caller keeps both,
 * usually in a database, and changes them by what vcs_transition(), vcs_validate() and the events answer.
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
#define VCS_RESULT_INACTIVE 0u    /* made, but held back by the caller, who makes it unsent later; counts as unsent */
#define VCS_RESULT_UNSENT 1u      /* waits for a host */
#define VCS_RESULT_IN_PROGRESS 2u /* a host has it */
#define VCS_RESULT_OVER 3u        /* nothing will come of it any more, or has come already; see outcome */

/* vcs_result.outcome: how it ended */
#define VCS_OUTCOME_INIT 0u            /* it has not */
#define VCS_OUTCOME_SUCCESS 1u         /* the host reported success */
#define VCS_OUTCOME_COULDNT_SEND 2u    /* no host could be found for it */
#define VCS_OUTCOME_CLIENT_ERROR 3u    /* the host reported failure */
#define VCS_OUTCOME_NO_REPLY 4u        /* given up: its deadline passed, or the user cancelled it */
#define VCS_OUTCOME_DIDNT_NEED 5u      /* never sent, since the unit ended before */
#define VCS_OUTCOME_VALIDATE_ERROR 6u  /* success was reported, but it cannot be compared: its files are missing */
#define VCS_OUTCOME_CLIENT_DETACHED 7u /* the host has left */

/* vcs_result.validate_state: what became of a success */
#define VCS_VALIDATE_INIT 0u         /* not looked at yet */
#define VCS_VALIDATE_VALID 1u        /* equal to the canonical result */
#define VCS_VALIDATE_INVALID 2u      /* not equal to it, wrong by itself, or a client error */
#define VCS_VALIDATE_NO_CHECK 3u     /* never judged, since the unit failed */
#define VCS_VALIDATE_ERROR 4u        /* could not be judged */
#define VCS_VALIDATE_INCONCLUSIVE 5u /* compared, but without a consensus so far */
#define VCS_VALIDATE_TOO_LATE 6u     /* came when the files of the canonical result were gone */

/* vcs_result.file_delete_state: its output files; vcs_unit.file_delete_state: the unit's input files */
#define VCS_FILES_INIT 0u  /* still needed */
#define VCS_FILES_READY 1u /* may be deleted */
#define VCS_FILES_DONE 2u  /* are deleted */
#define VCS_FILES_ERROR 3u /* could not be deleted */

/* vcs_unit.assimilate_state: the project's own handling of what the unit came to */
#define VCS_ASSIMILATE_INIT 0u  /* the unit has not come to an end */
#define VCS_ASSIMILATE_READY 1u /* it has: handle its canonical result, or its failure */
#define VCS_ASSIMILATE_DONE 2u  /* handled */

/* vcs_unit.error_mask: why the unit failed; several may be set */
#define VCS_UNIT_COULDNT_SEND 0x1u       /* no host could be found for a copy */
#define VCS_UNIT_TOO_MANY_ERRORS 0x2u    /* more client errors than max_error */
#define VCS_UNIT_TOO_MANY_SUCCESSES 0x4u /* more successes than max_success, and no consensus */
#define VCS_UNIT_TOO_MANY_TOTAL 0x8u     /* the quorum cannot be reached within max_total copies */
#define VCS_UNIT_CANCELLED 0x10u         /* the project cancelled it */
#define VCS_UNIT_NO_CANONICAL 0x20u      /* the record of its canonical result was lost */

/* vcs_unit.quorum_rule: what a consensus is; see vcs_validate() */
#define VCS_QUORUM_MAJORITY 0u /* more than half of the successes are equal, and at least min_quorum */
#define VCS_QUORUM_EQUAL 1u    /* min_quorum are equal */
#define VCS_QUORUM_WEIGHTED 2u /* the weights of equal ones add up to quorum_weight */

/*
 * A work unit: how often it is to be done, and how far it is. 128 bytes. Since 0.1.
 *
 * Fill it with vcs_unit_init(), set the parameters, and hand it to vcs_unit_created(). The states are changed by what
 * the functions answer, and by nothing else.
 */
typedef struct vcs_unit {
    uint64_t id;                /* the caller's number for it; any */
    double transition_time;     /* vcs_transition() is due after this time; +infinity = when an event comes */
    double delay_bound;         /* a copy is to be reported within so many seconds of being sent, >= 0; +infinity = it
                                   is never given up, and there is no safety net (rule 8.3g) either */
    double delete_delay;        /* files are kept for so many seconds after assimilation, >= 0; 0 = not kept;
                                   +infinity = kept for ever */
    double assimilated;         /* when it was assimilated, a time; read once assimilate_state is done */
    double quorum_weight;       /* weighted quorum: the weight that makes a consensus, > 0; else ignored; up to 1e30 */
    uint64_t hr_class;          /* homogeneous redundancy: only hosts of this class get copies; 0 = of any class */
    uint64_t canonical;         /* id of the canonical result; 0 = there is none yet */
    uint32_t min_quorum;        /* M: successes before they are compared; >= 1 */
    uint32_t target_nresults;   /* N: copies that are unsent, in progress or successful; M ... B; grows when there is no
                                   consensus */
    uint32_t max_error;         /* A: the unit fails with more client errors than this; 0 = with the first */
    uint32_t max_total;         /* B: never more copies than this, of all kinds */
    uint32_t max_success;       /* C: the unit fails without a consensus of more successes than this; 0 = of any */
    uint32_t quorum_rule;       /* VCS_QUORUM_* */
    uint32_t error_mask;        /* VCS_UNIT_*: why it failed; 0 = it has not */
    uint32_t assimilate_state;  /* VCS_ASSIMILATE_* */
    uint32_t file_delete_state; /* VCS_FILES_* of its input files */
    uint32_t need_validate;     /* 1 = vcs_validate() is to be called; else 0 */
    uint64_t reserved[3];       /* 0 */
} vcs_unit;

/* One copy of a work unit. Fill it with vcs_result_init(). 80 bytes. Since 0.1. */
typedef struct vcs_result {
    uint64_t id;                /* the caller's number, distinct within the unit, not 0; breaks ties, lower first */
    double deadline;            /* to be reported by this time; read while in progress; +infinity = never given up */
    double received;            /* when the report came that counted, a time; 0 before */
    double late_received;       /* when the last report came that counted for nothing; read if late_report is not 0 */
    double weight;              /* weighted quorum: what its word is worth, such as its client's credibility,
                                   0 ... 1e30; else ignored */
    uint32_t server_state;      /* VCS_RESULT_* */
    uint32_t outcome;           /* VCS_OUTCOME_* */
    uint32_t validate_state;    /* VCS_VALIDATE_* */
    uint32_t file_delete_state; /* VCS_FILES_* of its output files */
    uint32_t credited;          /* 1 = its host gets credit for it; else 0 */
    uint32_t late_report;       /* VCS_REPORT_* of the last report that counted for nothing; 0 = there was none */
    uint64_t reserved[2];       /* 0 */
} vcs_result;

/*
 * Fills the record of a new work unit: M, N, A, B and C of 1, 1, 0, 1 and 1, and a delay bound of a week.
 *
 * unit   written; nothing of it is read
 * id     the caller's number
 *
 * Returns VCS_OK or VCS_ERR_NULL. Thread-safe. O(1).
 */
VCS_API int vcs_unit_init(vcs_unit *unit, uint64_t id);

/*
 * Fills the record of a new result: unsent.
 *
 * result   written; nothing of it is read
 * id       the caller's number, not 0
 *
 * Returns VCS_OK, VCS_ERR_NULL or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_result_init(vcs_result *result, uint64_t id);

/*
 * Checks a work unit with all its results, as vcs_transition() and vcs_validate() do.
 *
 * unit          the work unit
 * results       all results that it has, in any order, aligned to 8 bytes; may be NULL if count is 0
 * result_size   sizeof(vcs_result) of the caller
 * count         results
 * error         what was refused, and where; may be NULL
 *
 * The states of a result must be one of the combinations that vcs_result_state_at() lists. Besides:
 *   - M >= 1, N >= M, B >= N, and quorum_weight > 0 if the quorum is weighted
 *   - canonical is 0 or the id of a valid result; with it, assimilate_state is not init
 *   - a result is valid or too late only beside a canonical result (or VCS_UNIT_NO_CANONICAL), and credited only if it
 *     is valid; it is no check only if the unit failed
 *   - assimilate_state is ready or done only with a canonical result or a failure, and file_delete_state is other than
 *     init only when assimilated
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX if the
 * canonical result is not among the results, VCS_ERR_DUPLICATE, VCS_ERR_UNSUPPORTED for states that contradict each
 * other, or VCS_ERR_OVERFLOW. Thread-safe. O(count^2), for ids must be distinct.
 */
VCS_API int vcs_unit_check(const vcs_unit *unit, const vcs_result *results, uint32_t result_size, uint32_t count,
                           vcs_error *error);

/* How many legal combinations of a result's four states there are. Thread-safe. O(1). */
VCS_API uint32_t vcs_result_state_count(void);

/*
 * The legal combinations, one by one: sets server_state, outcome, validate_state and file_delete_state of a result.
 *
 * index    0 ... vcs_result_state_count() - 1
 * result   only those four fields are written
 *
 * Returns VCS_OK, VCS_ERR_NULL or VCS_ERR_INDEX. Thread-safe. O(1).
 */
VCS_API int vcs_result_state_at(uint32_t index, vcs_result *result);

#ifdef __cplusplus
}
#endif

#endif
