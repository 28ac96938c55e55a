/*
 * Trust: what is remembered of a client, and what it may do by it (rules 11.1 to 11.3).
 *
 * Trust grows by results that were found to be right, one at a time, and falls at once: an error never raises any of
 * it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_TRUST_H
#define VCSCHED_TRUST_H

#include <vcsched/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* vcs_trust.flags */
#define VCS_TRUST_BLACKLISTED 0x1u /* it gets no work, and what it still sends is refused */

/* What is remembered of one client. In/out. All zero is a client of which nothing is known. 48 bytes. Since 0.1. */
typedef struct vcs_trust {
    uint64_t id;           /* the caller's number; any */
    uint64_t passed;       /* checks passed since it last was wrong: direct, inverse and spot checks */
    uint64_t valid_in_row; /* valid results since its last error */
    uint32_t flags;        /* VCS_TRUST_* */
    uint32_t reason;       /* VCS_REASON_*: why it is on the blacklist; 0 if it is not */
    uint64_t reserved[2];  /* 0 */
} vcs_trust;

/* What a client did */
#define VCS_TRUST_VALID 0u  /* a result was found valid by a vote: one more in a row */
#define VCS_TRUST_PASSED 1u /* a result passed a check: one more in a row, and one more check */
#define VCS_TRUST_ERROR 2u  /* a job failed or came too late: none in a row */
#define VCS_TRUST_WRONG 3u  /* a result was wrong: none in a row, no check, and on the blacklist */

/*
 * Counts what a client did. What a client on the blacklist does counts for nothing but its errors.
 *
 * trust    in/out
 * deed     VCS_TRUST_*
 * reason   VCS_REASON_*, kept as the reason of the blacklist if the client was wrong and is not on it yet; else not
 *          looked at
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER or VCS_ERR_FLAGS. On an error the record is as it was. Thread-safe.
 * O(1).
 */
VCS_API int vcs_trust_update(vcs_trust *trust, uint32_t deed, uint32_t reason);

/*
 * Takes a client off the blacklist: someone decided so. It begins as one of which nothing is known.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER or VCS_ERR_FLAGS. Thread-safe. O(1).
 */
VCS_API int vcs_trust_forgive(vcs_trust *trust);

/* Valid results in a row from which on a client is trusted now and then. */
#define VCS_TRUSTED_FROM 10u

/*
 * Whether a result of this client needs a copy at another client (adaptive replication). With n valid results in a row,
 * n >= VCS_TRUSTED_FROM, it needs one with a probability of 1 / n, else always.
 *
 * trust    of the client
 * u        the draw, 0 <= u < 1
 * needed   set to 1 if it does, else to 0
 * reason   VCS_REASON_*; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe.
 * O(1).
 */
VCS_API int vcs_trust_needs_copy(const vcs_trust *trust, double u, uint32_t *needed, uint32_t *reason);

/*
 * Draws whether to give a client a job whose result is known, to see whether it can be relied upon (spot check).
 *
 * probability   of a check, 0 ... 1
 * u             the draw, 0 <= u < 1
 * check         set to 1 for a check, else to 0
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_spot_check(double probability, double u, uint32_t *check);

#ifdef __cplusplus
}
#endif

#endif
