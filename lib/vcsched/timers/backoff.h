/*
 * How long to wait after failures.
 *
 * Rule 3.1; worked by hand in tests/vcsched/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_BACKOFF_H
#define VCS_TIMERS_BACKOFF_H

#include <vcsched/timers.h>

/* The range of waits of a policy for a purpose, VCS_BACKOFF_OF_*. */
vcs_backoff_range vcs_range_of(const vcs_parameters *policy, uint32_t purpose);

/* Takes over a range of the caller's, all fields checked. VCS_OK or the error. */
int vcs_backoff_range_read(vcs_backoff_range *known, const vcs_backoff_range *callers);

/* vcs_backoff() of a range that has been checked. */
double vcs_drawn_wait(const vcs_backoff_range *range, uint32_t failures, double u);

#endif
