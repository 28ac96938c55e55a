/*
 * The wait after failures: the range that a policy sets, how the wait is drawn, and a project that waits it out.
 *
 * Rules 3.1 and 3.2; worked by hand in tests/vcsched/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_DRAWN_WAIT_H
#define VCS_TIMERS_DRAWN_WAIT_H

#include <vcsched/timers.h>

/* The range of waits that a policy sets for a purpose, VCS_BACKOFF_OF_*. */
static inline vcs_backoff_range vcs_range_of(const vcs_parameters *policy, uint32_t purpose) {
    vcs_backoff_range range = {
        .struct_size = sizeof range, .rule = policy->backoff_rule, .max_failures = policy->backoff_failures};
    switch (purpose) {
    case VCS_BACKOFF_OF_SCHEDULER:
        range.minimum = policy->backoff_min;
        range.maximum = policy->backoff_max;
        break;
    case VCS_BACKOFF_OF_RESOURCE:
        range.minimum = policy->resource_backoff_min;
        range.maximum = policy->resource_backoff_max;
        break;
    default: /* VCS_BACKOFF_OF_TRANSFER */
        range.minimum = policy->transfer_backoff_min;
        range.maximum = policy->transfer_backoff_max;
        break;
    }
    return range;
}

/* vcs_backoff() with a checked range. */
double vcs_drawn_wait(const vcs_backoff_range *range, uint32_t failures, double u);

/* Counts a failure of all schedulers, or of the master file, and backs off. */
void vcs_timer_failed(vcs_project_timer *timer, const vcs_parameters *policy, double now, double u);

#endif
