/*
 * What a scheduler's reply means for the timers of its project (rules 3.2 and 3.3).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_REPLY_H
#define VCSCHED_REPLY_H

#include <vcsched/backoff.h>

#ifdef __cplusplus
extern "C" {
#endif

/* vcs_reply.flags */
#define VCS_REPLY_FAILED 0x1u /* no scheduler of the project answered */

/* The reply as a whole. Zero it, set struct_size, then what you know. 48 bytes. Since 0.1. */
typedef struct vcs_reply {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_REPLY_* */
    double now;           /* the present, a time within +-VCS_MAX_TIME */
    double request_delay; /* how long the server wants no call, s, 0 ... 1e12; 0 = no such wish */
    double u;             /* draw for the wait after a failure, 0 <= u < 1 */
    uint64_t reserved[2]; /* 0 */
} vcs_reply;

/* vcs_resource_reply.flags */
#define VCS_REPLY_NOT_WANTED 0x1u /* the user has switched off work for this resource at the project, so its absence
                                     means nothing */

/* What was asked for one resource, and what arrived. 48 bytes. Since 0.1. */
typedef struct vcs_resource_reply {
    double seconds;       /* instance-seconds asked for, 0 ... 1e30; 0 = not asked */
    double u;             /* draw for the backoff, 0 <= u < 1 */
    uint32_t tasks;       /* tasks for this resource that arrived */
    uint32_t flags;       /* VCS_REPLY_* of resources */
    uint64_t reserved[3]; /* 0 */
} vcs_resource_reply;

/*
 * Updates the timers of a project after a call of its scheduler, answered or not.
 *
 * timer           of the project; in/out
 * backoffs        of the project, one for each resource, aligned to 8 bytes; in/out; may be NULL if backoff_count is 0
 * backoff_size    sizeof(vcs_resource_backoff) of the caller
 * backoff_count   resources
 * reply           the reply as a whole
 * replies         one for each resource in the same order, aligned to 8 bytes; may be NULL if reply_count is 0
 * reply_size      sizeof(vcs_resource_reply) of the caller
 * reply_count     resources; the same number as backoff_count
 * parameters      the policy: ranges and rule of the waits
 * error           what was refused, and where; may be NULL
 *
 * An answer clears the project's failures and its wait; then the server's delay applies. For each resource: if tasks
 * arrived, asked for or not, its backoff is cleared; if some were asked for, wanted, and none arrived, it backs off.
 * No answer counts as a failure of the project, whatever else the reply says, and changes nothing for its resources.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_OVERFLOW, or
 * VCS_ERR_COUNT if the two counts differ. On an error nothing is changed. Thread-safe. O(reply_count).
 */
VCS_API int vcs_reply_apply(vcs_project_timer *timer, vcs_resource_backoff *backoffs, uint32_t backoff_size,
                            uint32_t backoff_count, const vcs_reply *reply, const vcs_resource_reply *replies,
                            uint32_t reply_size, uint32_t reply_count, const vcs_parameters *parameters,
                            vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
