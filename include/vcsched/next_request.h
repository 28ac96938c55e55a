/*
 * When a host may ask again: the delay that a server puts into its reply (rule 8.9).
 *
 * A host that is told nothing asks every minute for what is not there.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_NEXT_REQUEST_H
#define VCSCHED_NEXT_REQUEST_H

#include <vcsched/reason.h>

#ifdef __cplusplus
extern "C" {
#endif

/* vcs_next_request.flags */
#define VCS_REQUEST_WITHOUT_WORK 0x1u /* the host asked for no work, or has as much as it may have (its limit of jobs in
                                         progress): nothing should keep it from reporting */

/* What the reply was, and how long to wait after it. Fill it with vcs_next_request_init(). 80 bytes. Since 0.1. */
typedef struct vcs_next_request {
    uint32_t struct_size;  /* bytes; set by vcs_next_request_init() */
    uint32_t flags;        /* VCS_REQUEST_WITHOUT_WORK or 0 */
    uint32_t sent;         /* jobs in the reply: vcs_send_summary.sent */
    uint32_t late;         /* jobs refused only for deadlines: vcs_send_summary.late */
    uint32_t quota_left;   /* jobs that it may still get today after this reply, vcs_quota_left(); default UINT32_MAX */
    uint32_t reserved0;    /* 0 */
    double report_by;      /* until when it must be able to call, to report what it has: a time, as `now` is, such as
                              the earliest deadline of its jobs less some reserve. +infinity, the default, if none */
    double least_delay;    /* between any two requests, s, 0 ... VCS_MAX_SECONDS; default 60 */
    double no_work_delay;  /* if there was no work for it, s, likewise; default 600 */
    double deadline_delay; /* if all that there was would have been late on it, s, likewise; default 3600 */
    double quota_spread;   /* hosts at their quota come within this time of a new day, s, likewise; default 3600 */
    uint64_t reserved[2];  /* 0 */
} vcs_next_request;

/*
 * A reply with nothing in it, to a host without jobs and quota, and the default delays.
 *
 * request   written up to `size` bytes; untouched on an error
 * size      sizeof(vcs_next_request) of the caller
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE or VCS_ERR_ABI_OLDER. Thread-safe. O(1).
 */
VCS_API int vcs_next_request_init(vcs_next_request *request, uint32_t size);

/*
 * How long a host has to wait before its next request. The first of these that holds:
 *
 *   VCS_REQUEST_WITHOUT_WORK        least_delay (VCS_REASON_LEAST_DELAY)
 *   nothing is left of its quota    until the next day begins, as vcs_quota has days, a second, and u * quota_spread
 *                                   more, so that not all hosts come at midnight (VCS_REASON_QUOTA)
 *   something was sent              least_delay (VCS_REASON_LEAST_DELAY)
 *   some jobs would have been late  deadline_delay (VCS_REASON_DEADLINES_NOT_MET)
 *   else                            no_work_delay (VCS_REASON_NO_WORK)
 *
 * A delay that goes beyond report_by ends then, so that a host at its quota can report in time (which may raise it);
 * but none is below least_delay.
 *
 * request   what the reply was
 * now       the present, a time within +-VCS_MAX_TIME
 * u         the draw, 0 <= u < 1
 * seconds   the answer, s
 * reason    VCS_REASON_*; may be NULL
 * error     what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error
 * nothing is written. Thread-safe. O(1).
 */
VCS_API int vcs_next_request_delay(const vcs_next_request *request, double now, double u, double *seconds,
                                   uint32_t *reason, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
