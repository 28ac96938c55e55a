/*
 * The wait after failures: its range by a policy, and how it is drawn.
 *
 * Rule 3.1; worked by hand in tests/vcsched/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_BACKOFF_H
#define VCS_TIMERS_BACKOFF_H

#include <vcsched/timers.h>

/* The range of waits that a policy sets for a purpose, VCS_BACKOFF_OF_*. */
static inline vcs_backoff_range vcs_range_of(const vcs_parameters *policy, uint32_t purpose) {
    vcs_backoff_range range = {
        .struct_size = sizeof range, .rule = policy->backoff_rule, .most_failures = policy->backoff_failures};
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

/* Copies a caller's range in and checks it (backoff.c). VCS_OK or the error. */
int vcs_backoff_range_copy(vcs_backoff_range *known, const vcs_backoff_range *callers);

/* vcs_backoff() with a checked range (drawn_wait.c). */
double vcs_drawn_wait(const vcs_backoff_range *range, uint32_t failures, double u);

#endif
