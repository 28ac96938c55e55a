/*
 * Daily quota: how many jobs a host may get in a day, depending on how its last ones went (rule 11.3).
 *
 * It stops a host that fails every job immediately from using up all of them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_QUOTA_H
#define VCSCHED_QUOTA_H

#include <vcsched/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The quota of one host. In/out. Zero it, then set `most` and `quota`. 48 bytes. Since 0.1. */
typedef struct vcs_quota {
    uint64_t id;          /* the caller's number; any value */
    double day;           /* the day that `used` refers to: whole days since the epoch */
    uint32_t most;        /* the quota never grows above this, 1 or more */
    uint32_t quota;       /* jobs that it may get in a day, 1 ... most; for a new host, what it begins with */
    uint32_t used;        /* jobs that it was given today */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_quota;

/*
 * How many jobs the host may get now. A new day begins with none used. A clock that goes back to an earlier day gives
 * none back.
 *
 * quota   its day is brought up to date
 * now     the present, a time within +-VCS_MAX_TIME
 * left    the answer; 0 = none today
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is
 * written. Thread-safe. O(1).
 */
VCS_API int vcs_quota_left(vcs_quota *quota, double now, uint32_t *left);

/*
 * Counts jobs that the host gets.
 *
 * quota   in/out
 * now     the present, a time within +-VCS_MAX_TIME
 * jobs    how many; more than are left is VCS_ERR_QUOTA, and then none is counted
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or VCS_ERR_QUOTA. On an error
 * nothing is written. Thread-safe. O(1).
 */
VCS_API int vcs_quota_take(vcs_quota *quota, double now, uint32_t jobs);

/*
 * Adjusts the quota to the outcome of a job: a valid result doubles it, up to `most`; an error or a timeout takes one
 * away, down to 1.
 *
 * quota   in/out
 * valid   1 = a valid result; 0 = an error or a timeout; anything else is VCS_ERR_FLAGS
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error
 * nothing is written. Thread-safe. O(1).
 */
VCS_API int vcs_quota_judge(vcs_quota *quota, uint32_t valid);

#ifdef __cplusplus
}
#endif

#endif
