/*
 * The common part of timers, and the timer of a project after its record, the present and the draw were checked.
 *
 * Rule 3.2; worked by hand in tests/vcsched/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_TIMER_H
#define VCS_TIMERS_TIMER_H

#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"

#include <vcsched/timers.h>

/* Checks the arguments of a question how long to wait: a timer, memory for the answer, now. VCS_OK or the error. */
static inline int vcs_check_question(const vcs_layout *layout, const void *timer, const void *answer, double now) {
    const int code = vcs_first_error(vcs_check_record(timer, layout, NULL), vcs_check_time(now));
    return answer == NULL ? VCS_ERR_NULL : code;
}

/* ---- Times on a clock that may go back: the remaining wait stays the same ---- */

/* A time, clamped to the range of the records. */
static inline double vcs_as_time(double time) {
    return vcs_max(-VCS_MAX_TIME, vcs_min(time, VCS_MAX_TIME));
}

/* How far the clock went back since a timer was last used. */
static inline double vcs_went_back(double seen, double now) {
    return seen > now ? seen - now : 0.0;
}

/* The same moment on a clock that went back; 0 is no moment and stays 0. */
static inline double vcs_moved_back(double moment, double by) {
    return moment == 0.0 ? 0.0 : vcs_as_time(moment - by);
}

/* Seconds until a moment; 0 if it has passed. */
static inline double vcs_wait_until(double moment, double now) {
    return moment == 0.0 || moment <= now ? 0.0 : moment - now;
}

/* ---- The timer of a project ---- */

/* Brings the timer up to date: if the clock went back, its time moves back too. */
static inline void vcs_timer_see(vcs_project_timer *timer, double now) {
    const double back = vcs_went_back(timer->seen, now);
    if (back > 0.0) {
        timer->min_rpc_time = vcs_moved_back(timer->min_rpc_time, back);
    }
    timer->seen = now;
}

/* Later, never earlier. */
static inline void vcs_timer_move_later(vcs_project_timer *timer, double delay, double now) {
    const double until = vcs_as_time(now + delay);
    vcs_timer_see(timer, now);
    timer->min_rpc_time = timer->min_rpc_time == 0.0 ? until : vcs_max(timer->min_rpc_time, until);
}

/* Delays the next call by `delay` s; 0 = no delay. */
static inline void vcs_timer_delay(vcs_project_timer *timer, double delay, double now) {
    if (delay > 0.0) {
        vcs_timer_move_later(timer, delay, now);
    }
}

static inline void vcs_timer_clear(vcs_project_timer *timer) {
    timer->min_rpc_time = 0.0;
    timer->failures = 0;
}

#endif
