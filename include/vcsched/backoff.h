/*
 * Timers: how long to leave a server alone after it failed, refused, or asked to be left alone (rules 3.1 to 3.4).
 *
 * Every random draw u is the caller's, 0 <= u < 1. Every timer is a small record that the caller keeps and may save.
 *
 * When the clock goes back, a timer holds on to the wait that was left: its times move back with the clock. So a clock
 * that was years ahead for a moment delays nothing by years, and one that is set back a little cuts no wait short. For
 * this each timer remembers when it was last used; that is why even the functions that only ask may write to it, and
 * why `seen` has to be saved along with the rest.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_BACKOFF_H
#define VCSCHED_BACKOFF_H

#include <vcsched/parameters.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How long waits may be. 40 bytes. Since 0.1. */
typedef struct vcs_backoff_range {
    uint32_t struct_size;   /* bytes; set by the caller or vcs_backoff_range_init() */
    uint32_t flags;         /* 0 */
    uint32_t rule;          /* VCS_BACKOFF_*: how the wait is drawn */
    uint32_t most_failures; /* failures beyond this number no longer increase the wait; 0 = no such limit */
    double minimum;         /* s, 1e-3 ... 1e12 */
    double maximum;         /* s, minimum ... 1e12 */
    uint64_t reserved[1];   /* 0 */
} vcs_backoff_range;

/* What a range of waits is for: which fields of vcs_parameters it is taken from */
#define VCS_BACKOFF_OF_SCHEDULER 0u /* backoff_min, backoff_max: a project whose schedulers failed */
#define VCS_BACKOFF_OF_RESOURCE 1u      /* pair_backoff_min, pair_backoff_max: a project without work for a resource */
#define VCS_BACKOFF_OF_TRANSFER 2u  /* transfer_backoff_min, transfer_backoff_max: files that would not pass */

/*
 * Fills a range from the parameters of a policy, together with their rule and limit of failures.
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
 * Draws how long to wait after `failures` failures in a row (rule 3.1).
 *
 * range      how long waits may be
 * failures   n; any number, all beyond range.most_failures alike; 0 = nothing failed, nothing to wait for
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
VCS_API int vcs_backoff(const vcs_backoff_range *range, uint32_t failures, double u, double *wait);

/*
 * When a project's scheduler may be called again (rule 3.2, source S0). In/out. 40 bytes. Since 0.1.
 *
 * All zero is the timer of a project that may be called at once.
 */
typedef struct vcs_project_timer {
    double min_rpc_time;  /* not before this time, within +-VCS_MAX_TIME; 0 = at once; for vcs_project.min_rpc_time */
    double seen;          /* when the timer was last used, a time; kept by the functions */
    uint32_t failures;    /* scheduler calls that failed in a row; for vcs_project.rpc_failures */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_project_timer;

/*
 * Not for so long: because the server asked for a delay, or a computation failed. It moves the time later, never
 * earlier.
 *
 * now     the present, a time within +-VCS_MAX_TIME
 * delay   s, 0 ... 1e12
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the timer is as it
 * was. Thread-safe. O(1).
 */
VCS_API int vcs_project_timer_delay(vcs_project_timer *timer, double now, double delay);

/*
 * All schedulers of the project failed, or its master file: one failure more, and the wait that follows from it. It
 * moves the time later, never earlier.
 *
 * range   VCS_BACKOFF_OF_SCHEDULER
 * now     the present, a time within +-VCS_MAX_TIME
 * u       the draw, 0 <= u < 1
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the
 * timer is as it was. Thread-safe. O(1).
 */
VCS_API int vcs_project_timer_failed(vcs_project_timer *timer, const vcs_backoff_range *range, double now, double u);

/*
 * A call succeeded, a new scheduler URL was found, or the user says so: no failures, no wait. Nothing else clears the
 * timer. A delay that the server asks for in the reply comes after this.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_project_timer_clear(vcs_project_timer *timer);

/*
 * How long the project still has to be left alone.
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
 * All zero is that of a project that may be asked at once. It is independent of the project's own timer. When a
 * project is asked for another resource, it may be asked for this one too, even if backed off.
 */
typedef struct vcs_resource_backoff {
    double interval;      /* s, 0 ... 1e12; 0 = no refusal since work last arrived; for
                             vcs_project_resource.backoff_interval */
    double until;         /* not before this time, within +-VCS_MAX_TIME; 0 = at once; for
                             vcs_project_resource.backoff_until */
    double seen;          /* when it was last used, a time; kept by the functions */
    uint64_t reserved[2]; /* 0 */
} vcs_resource_backoff;

/*
 * The project was asked for work for the resource and sent none: the interval doubles, from range.minimum up to
 * range.maximum, and until = now + interval * (0.5 + u). While it is backed off already, nothing changes.
 *
 * range   VCS_BACKOFF_OF_RESOURCE; its rule and limit of failures are checked, but not used
 * now     the present, a time within +-VCS_MAX_TIME
 * u       the draw, 0 <= u < 1
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the
 * backoff is as it was. Thread-safe. O(1).
 */
VCS_API int vcs_resource_backoff_refused(vcs_resource_backoff *backoff, const vcs_backoff_range *range, double now,
                                         double u);

/*
 * A task for the resource arrived: no backoff, and the next one starts at the minimum.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_resource_backoff_arrived(vcs_resource_backoff *backoff);

/* How long the project is still backed off for the resource; see vcs_project_timer_wait(). */
VCS_API int vcs_resource_backoff_wait(vcs_resource_backoff *backoff, double now, double *wait);

/* The failure of transfers at which backoff starts; fewer in a row are no reason to wait. */
#define VCS_TRANSFER_FAILURES 3u

/*
 * When files may be transferred again (rule 3.4). In/out. 56 bytes. Since 0.1.
 *
 * Keep one for each project and direction to hold its transfers back together. Keep one for each file too if you want
 * to give up single files. All zero is that of files that have not failed.
 */
typedef struct vcs_transfer_backoff {
    double until;         /* not before this time, within +-VCS_MAX_TIME; 0 = at once */
    double seen;          /* when it was last used, a time; kept by the functions */
    double failing_since; /* the first failure since the last success, a time; of meaning while failures > 0 */
    double failed_at;     /* the last failure that counted, a time; of meaning while failures > 0 */
    uint32_t failures;    /* failures in a row that counted */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_transfer_backoff;

/*
 * A transfer failed. It does not count while backed off, nor at the same `now` as the one before: six files that fail
 * together are one failure. Else it is one failure more, and from VCS_TRANSFER_FAILURES on, until = now +
 * vcs_backoff() of all failures in a row.
 *
 * range   VCS_BACKOFF_OF_TRANSFER
 * now     the present, a time within +-VCS_MAX_TIME
 * u       the draw, 0 <= u < 1
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the
 * backoff is as it was. Thread-safe. O(1).
 */
VCS_API int vcs_transfer_backoff_failed(vcs_transfer_backoff *backoff, const vcs_backoff_range *range, double now,
                                        double u);

/*
 * A transfer succeeded: no failures, no wait.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_transfer_backoff_succeeded(vcs_transfer_backoff *backoff);

/* How long transfers are still held back; see vcs_project_timer_wait(). */
VCS_API int vcs_transfer_backoff_wait(vcs_transfer_backoff *backoff, double now, double *wait);

/*
 * Whether to give up: failures for `give_up` seconds, without a success in between (rule 3.4).
 *
 * backoff   its times move back if the clock did
 * now       the present, a time within +-VCS_MAX_TIME
 * give_up   s, 1e-3 ... 1e12; vcs_parameters.transfer_give_up
 * hopeless  set to 1 to give up, else to 0
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is
 * written. Thread-safe. O(1).
 */
VCS_API int vcs_transfer_backoff_is_hopeless(vcs_transfer_backoff *backoff, double now, double give_up,
                                             uint32_t *hopeless);

#ifdef __cplusplus
}
#endif

#endif
