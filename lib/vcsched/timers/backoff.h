/*
 * The range of a wait, as a caller gives it.
 *
 * Rule 3.1; worked by hand in tests/vcsched/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_BACKOFF_H
#define VCS_TIMERS_BACKOFF_H

#include <vcsched/timers.h>

/* Copies a caller's range in and checks it. VCS_OK or the error. */
int vcs_backoff_range_copy(vcs_backoff_range *known, const vcs_backoff_range *callers);

#endif
