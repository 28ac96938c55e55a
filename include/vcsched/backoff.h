/*
 * Timers: how long to leave a server alone after it failed, refused, or asked for a pause (rules 3.1 to 3.4).
 *
 * Every random draw u is the caller's, 0 <= u < 1. Every timer is a small record that the caller keeps and may save.
 * Zero one to clear it.
 *
 * When the clock goes back, a timer keeps the wait that was left: its times move back with the clock. So a clock that
 * is years ahead for a moment does not delay anything by years, and setting it back a little does not cut a wait short.
 * For this each timer remembers when it was last used. That is why even functions that only query it may write to it,
 * and why `seen` must be saved with the rest.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_BACKOFF_H
#define VCSCHED_BACKOFF_H

#include <vcsched/parameters.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The range of a wait. 40 bytes. Since 0.1. */
typedef struct vcs_backoff_range {
    uint32_t struct_size;   /* bytes; set by the caller or vcs_backoff_range_init() */
    uint32_t flags;         /* 0 */
    uint32_t rule;          /* VCS_BACKOFF_*: how the wait is drawn */
    uint32_t most_failures; /* failures beyond this number no longer increase the wait; 0 = no such limit */
    double minimum;         /* s, 1e-3 ... 1e12 */
    double maximum;         /* s, minimum ... 1e12 */
    uint64_t reserved[1];   /* 0 */
} vcs_backoff_range;

/* What a wait is for, and the fields of vcs_parameters that its range comes from */
#define VCS_BACKOFF_OF_SCHEDULER 0u /* backoff_min, backoff_max: a project whose schedulers failed */
#define VCS_BACKOFF_OF_RESOURCE 1u  /* pair_backoff_min, pair_backoff_max: a project without work for a resource */
#define VCS_BACKOFF_OF_TRANSFER 2u  /* transfer_backoff_min, transfer_backoff_max: file transfers that failed */

/*
 * Fills a range from the parameters of a policy, with its rule and limit of failures.
 *
 * range        written up to `size` bytes; untouched on an error
 * size         sizeof(vcs_backoff_range) of the caller
 * parameters   the policy
 * purpose      VCS_BACKOFF_OF_*
 * error        what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS for an unknown purpose, or what vcs_parameters_check()
 * finds. Thread-safe. O(1).
 */
VCS_API int vcs_backoff_range_init(vcs_backoff_range *range, uint32_t size, const vcs_parameters *parameters,
                                   uint32_t purpose, vcs_error *error);

/*
 * Draws the wait after `failures` failures in a row (rule 3.1).
 *
 * failures   n; any number; those beyond range.most_failures do not count; 0 = nothing failed, no wait
 * range      of the wait
 * u          the draw, 0 <= u < 1
 * wait       the answer, s
 *
 * VCS_BACKOFF_EXPONENT   max(minimum, min(maximum, e^(u * n)))
 * VCS_BACKOFF_UNIFORM    uniform between minimum and min(maximum, e^n); minimum if e^n is not above it
 * VCS_BACKOFF_DOUBLING   min(maximum, minimum * 2^n) * (0.5 + 0.5 * u); below `minimum` if maximum < 2 * minimum
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_* of the range, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE.
 * Thread-safe. O(1).
 */
VCS_API int vcs_backoff(uint32_t failures, const vcs_backoff_range *range, double u, double *wait);

/*
 * When a project's scheduler may be called again (rule 3.2, source S0). In/out. 40 bytes. Since 0.1.
 *
 * All zero: it may be called now. vcs_reply_apply() counts failures, and clears the record when a call succeeded; zero
 * it when a new scheduler URL was found, or the user says so. Nothing else clears it.
 */
typedef struct vcs_project_timer {
    double min_rpc_time;  /* not before this time, within +-VCS_MAX_TIME; 0 = now; for vcs_project.min_rpc_time */
    double seen;          /* when the timer was last used, a time; kept by the functions */
    uint32_t failures;    /* failures in a row; for vcs_project.rpc_failures */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_project_timer;

/*
 * Delays the next call, because the server asked for it or a computation failed. It moves the time later, never
 * earlier.
 *
 * delay   s, 0 ... 1e12
 * now     the present, a time within +-VCS_MAX_TIME
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the timer is
 * unchanged. Thread-safe. O(1).
 */
VCS_API int vcs_project_timer_delay(vcs_project_timer *timer, double delay, double now);

/*
 * How long the project must still be left alone.
 *
 * timer   its times move back if the clock did
 * now     the present, a time within +-VCS_MAX_TIME
 * wait    s; 0 = it may be called now
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is
 * written. Thread-safe. O(1).
 */
VCS_API int vcs_project_timer_wait(vcs_project_timer *timer, double now, double *wait);

/*
 * When a project may be asked again for work for one resource (rule 3.3, source S4). In/out. 40 bytes. Since 0.1.
 *
 * All zero: it may be asked now. vcs_reply_apply() keeps it: a refusal doubles the interval, from pair_backoff_min up
 * to pair_backoff_max, and until = now + interval * (0.5 + u), unless it is already backed off; a task for the
 * resource, asked for or not, clears it. It is independent of the project's own timer. A project that is asked for
 * another resource may be asked for this one too, even while backed off.
 */
typedef struct vcs_resource_backoff {
    double interval;      /* s, 0 ... 1e12; 0 = no refusal since work last arrived; for
                             vcs_project_resource.backoff_interval */
    double until;         /* not before this time, within +-VCS_MAX_TIME; 0 = now; for
                             vcs_project_resource.backoff_until */
    double seen;          /* when it was last used, a time; kept by the functions */
    uint64_t reserved[2]; /* 0 */
} vcs_resource_backoff;

/* How long the project is still backed off for the resource; see vcs_project_timer_wait(). */
VCS_API int vcs_resource_backoff_wait(vcs_resource_backoff *backoff, double now, double *wait);

/* Backoff starts at this failure of transfers in a row; fewer are no reason to wait. */
#define VCS_TRANSFER_FAILURES 3u

/*
 * When files may be transferred again (rule 3.4). In/out. 56 bytes. Since 0.1.
 *
 * Keep one for each project and direction, to hold back its transfers together, and one for each file if single files
 * are to be given up. All zero: nothing has failed. Zero the record when a transfer succeeds.
 *
 * Give up when `failures` > 0 and now - failing_since >= vcs_parameters.transfer_give_up. Call
 * vcs_transfer_backoff_wait() first: it moves failing_since back if the clock went back.
 */
typedef struct vcs_transfer_backoff {
    double until;         /* not before this time, within +-VCS_MAX_TIME; 0 = now */
    double seen;          /* when it was last used, a time; kept by the functions */
    double failing_since; /* the first failure since the last success, a time; meaningful while failures > 0 */
    double failed_at;     /* the last failure that counted, a time; meaningful while failures > 0 */
    uint32_t failures;    /* failures in a row that counted */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_transfer_backoff;

/*
 * A transfer failed. It does not count while backed off, nor at the same `now` as the one before: six files that fail
 * together are one failure. Otherwise the number of failures grows by one, and from VCS_TRANSFER_FAILURES on,
 * until = now + vcs_backoff() of all failures in a row.
 *
 * range   VCS_BACKOFF_OF_TRANSFER
 * now     the present, a time within +-VCS_MAX_TIME
 * u       the draw, 0 <= u < 1
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the
 * backoff is unchanged. Thread-safe. O(1).
 */
VCS_API int vcs_transfer_backoff_failed(vcs_transfer_backoff *backoff, const vcs_backoff_range *range, double now,
                                        double u);

/* How long transfers are still held back; see vcs_project_timer_wait(). */
VCS_API int vcs_transfer_backoff_wait(vcs_transfer_backoff *backoff, double now, double *wait);

#ifdef __cplusplus
}
#endif

#endif
