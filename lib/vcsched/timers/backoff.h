/*
 * The wait after failures.
 *
 * Rule 3.1; worked by hand in tests/vcsched/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_BACKOFF_H
#define VCS_TIMERS_BACKOFF_H

#include <vcsched/timers.h>

/* The range of waits by a policy for a purpose, VCS_BACKOFF_OF_*. */
vcs_backoff_range vcs_range_of(const vcs_parameters *policy, uint32_t purpose);

/* Reads and checks a range of the caller's. VCS_OK or the error. */
int vcs_backoff_range_read(vcs_backoff_range *known, const vcs_backoff_range *callers);

/* vcs_backoff() with a checked range. */
double vcs_drawn_wait(const vcs_backoff_range *range, uint32_t failures, double u);

#endif
