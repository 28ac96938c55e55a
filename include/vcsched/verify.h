/*
 * Verification: what happens to a result before it is accepted (rules 11.1 and 11.2, source S3).
 *
 * A project chooses one of four methods for its jobs. This header covers what follows from each; the vote of the last
 * one is in vote.h, and what is remembered about clients in trust.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_VERIFY_H
#define VCSCHED_VERIFY_H

#include <vcsched/trust.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The methods of verification */
#define VCS_VERIFY_NONE 0u          /* results are accepted unchecked */
#define VCS_VERIFY_DIRECT 1u        /* the application on the server examines job and result */
#define VCS_VERIFY_INVERSE 2u       /* another client solves the inverse problem: it must lead back to the job */
#define VCS_VERIFY_RECOMPUTATION 3u /* several clients compute the same, and their results are voted on */

/* The state of a check */
#define VCS_CHECK_NOT_MADE 0u /* the result has just arrived */
#define VCS_CHECK_PASSED 1u   /* the check found the result right */
#define VCS_CHECK_FAILED 2u   /* the check found the result wrong */

/* A result and the state of its check. Zero it, set struct_size, then what you know. 32 bytes. Since 0.1. */
typedef struct vcs_check {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_BLACKLISTED: the client that sent the result is on the blacklist; else 0 */
    uint32_t method;      /* VCS_VERIFY_* */
    uint32_t outcome;     /* VCS_CHECK_NOT_MADE, VCS_CHECK_PASSED or VCS_CHECK_FAILED */
    uint64_t reserved[2]; /* 0 */
} vcs_check;

/* What to do with a result */
#define VCS_ACTION_ACCEPT 0u     /* it is the job's result: hand it to the application */
#define VCS_ACTION_EXAMINE 1u    /* ask the application on the server whether it is right */
#define VCS_ACTION_SEND_CHECK 2u /* put the inverse job at the head of the queue, for another client */
#define VCS_ACTION_VOTE 3u       /* vote on it together with the results of the other copies */
#define VCS_ACTION_LOSE 4u       /* discard it as if never received: the job goes back to the queue */

/* vcs_verdict.flags */
#define VCS_BLACKLIST_CLIENT 0x1u  /* the client that sent the result goes on the blacklist */
#define VCS_BLACKLIST_CHECKER 0x2u /* so does the client that made the check */
#define VCS_QUEUE_HEAD 0x4u        /* what goes to the queue goes to its head */

/* What follows from a check. 32 bytes. Since 0.1. */
typedef struct vcs_verdict {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_BLACKLIST_*, VCS_QUEUE_HEAD */
    uint32_t action;      /* VCS_ACTION_* */
    uint32_t reason;      /* VCS_REASON_* */
    uint64_t reserved[2]; /* 0 */
} vcs_verdict;

/*
 * What becomes of a result (rule 11.1).
 *
 * check     the result and the state of its check. VCS_VERIFY_NONE and VCS_VERIFY_RECOMPUTATION have no check of their
 *           own: any outcome but VCS_CHECK_NOT_MADE is VCS_ERR_UNSUPPORTED
 * verdict   the answer
 * error     what was refused; may be NULL
 *
 * What a client on the blacklist sends is discarded, whatever its check says. If an inverse check fails, nobody knows
 * who was wrong, so both clients go on the blacklist.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS or VCS_ERR_UNSUPPORTED. Thread-safe. O(1).
 */
VCS_API int vcs_verify(const vcs_check *check, vcs_verdict *verdict, vcs_error *error);

/* The largest recomputation factor. */
#define VCS_MAX_COPIES 1000u

/*
 * Draws how many clients a job goes to (rule 11.2): ceil(factor) with a probability of the factor's fractional part,
 * else floor(factor). With a factor of 1.25 a quarter of the jobs are computed twice; with 3 all are computed three
 * times.
 *
 * factor   recomputation factor, 1 ... VCS_MAX_COPIES: the mean number of copies
 * u        the draw, 0 <= u < 1
 * copies   the answer
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_copies(double factor, double u, uint32_t *copies);

#ifdef __cplusplus
}
#endif

#endif
