/*
 * Trust: what is remembered about a client, and what follows from it (rules 11.1 to 11.3).
 *
 * Trust grows with each result that proves right, and is lost with the first error. No error ever increases it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_TRUST_H
#define VCSCHED_TRUST_H

#include <vcsched/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The blacklist is one flag: vcs_trust.flags, vcs_client.flags, vcs_ballot.flags, vcs_check.flags and
 * vcs_send_limits.flags have it. The record of trust decides; copy `trust.flags & VCS_BLACKLISTED` to the others.
 */
#define VCS_BLACKLISTED 0x1u /* the client is on the blacklist: it gets no work, and what it still sends is refused */

/*
 * What is remembered of one client. In/out. All zero = nothing is known. To take a client off the blacklist, zero all
 * but its id. 48 bytes. Since 0.1.
 */
typedef struct vcs_trust {
    uint64_t id;           /* the caller's number; any value */
    uint64_t passed;       /* checks passed since it was last wrong: direct, inverse and spot checks */
    uint64_t valid_in_row; /* valid results since its last error */
    uint32_t flags;        /* VCS_BLACKLISTED or 0 */
    uint32_t reason;       /* VCS_REASON_*: why it is on the blacklist; 0 if it is not */
    uint64_t reserved[2];  /* 0 */
} vcs_trust;

/* The outcome of a job: what a client did */
#define VCS_TRUST_VALID 0u  /* a vote found the result valid: one more in a row */
#define VCS_TRUST_PASSED 1u /* the result passed a check: one more in a row, and one more check passed */
#define VCS_TRUST_ERROR 2u  /* the job failed or was late: valid_in_row becomes 0 */
#define VCS_TRUST_WRONG 3u  /* the result was wrong: both counts become 0, and the client goes on the blacklist */

/*
 * Counts the outcome of a client's job. For a client on the blacklist only errors count.
 *
 * trust     in/out
 * outcome   VCS_TRUST_VALID, VCS_TRUST_PASSED, VCS_TRUST_ERROR or VCS_TRUST_WRONG
 * reason    VCS_REASON_*: why the client goes on the blacklist if it was wrong and is not on it yet; otherwise ignored
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER or VCS_ERR_FLAGS. On an error the record is as it was. Thread-safe.
 * O(1).
 */
VCS_API int vcs_trust_update(vcs_trust *trust, uint32_t outcome, uint32_t reason);

/* With this many valid results in a row, some results of a client are trusted without a copy. */
#define VCS_TRUSTED_FROM 10u

/*
 * Whether a job of this client must also go to another client (adaptive replication). With n valid results in a row,
 * n >= VCS_TRUSTED_FROM, it must with probability 1 / n; with fewer, always.
 *
 * trust    the client's
 * u        the draw, 0 <= u < 1
 * needed   set to 1 if it must, else to 0
 * reason   VCS_REASON_*; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe.
 * O(1).
 */
VCS_API int vcs_trust_needs_copy(const vcs_trust *trust, double u, uint32_t *needed, uint32_t *reason);

/* The greatest credibility: nobody is beyond all doubt. */
#define VCS_MAX_CREDIBILITY (1.0 - 1.0 / 9007199254740992.0)

/*
 * Credibility: how likely a client is to be right, given the checks that it passed.
 *
 * passed        checks passed, vcs_trust.passed; 0 = never checked, which counts as 1
 * error_bound   f: the largest fraction of all results that may be wrong, 0 ... 1
 * credibility   1 - f / passed, but at most VCS_MAX_CREDIBILITY
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_credibility(uint64_t passed, double error_bound, double *credibility);

#ifdef __cplusplus
}
#endif

#endif
