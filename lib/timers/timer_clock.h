/*
 * Times by which a timer waits, on a clock that may go back: the wait that was left is kept.
 *
 * Rule 3.2; worked by hand in tests/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_TIMER_CLOCK_H
#define VCS_TIMERS_TIMER_CLOCK_H

#include "core/number.h"

#include <vcsched/abi.h>

/* A time within what the records of timers take. */
static inline double vcs_as_time(double time) {
    return vcs_max(-VCS_MAX_TIME, vcs_min(time, VCS_MAX_TIME));
}

/* How far the clock went back since a timer was last used. */
static inline double vcs_went_back(double seen, double now) {
    return seen > now ? seen - now : 0.0;
}

/* The same moment on a clock that went back; 0, which stands for no moment, stays 0. */
static inline double vcs_moved_back(double moment, double by) {
    return moment == 0.0 ? 0.0 : vcs_as_time(moment - by);
}

/* Seconds until a moment; 0 if it has passed. */
static inline double vcs_wait_until(double moment, double now) {
    return moment == 0.0 || moment <= now ? 0.0 : moment - now;
}

#endif
