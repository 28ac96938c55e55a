/*
 * The timer of a project, where its record, the present and the draw have been checked.
 *
 * Rule 3.2; worked by hand in tests/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_PROJECT_TIMER_H
#define VCS_TIMERS_PROJECT_TIMER_H

#include "timers/timer_clock.h"

#include <vcsched/backoff.h>

/* The timer takes note of the present: if the clock went back, so does the time it waits for. */
static inline void vcs_timer_see(vcs_project_timer *timer, double now) {
    const double back = vcs_went_back(timer->seen, now);
    if (back > 0.0) {
        timer->min_rpc_time = vcs_moved_back(timer->min_rpc_time, back);
    }
    timer->seen = now;
}

/* The wait of a timer that has taken note of the present, s. */
static inline double vcs_timer_wait(const vcs_project_timer *timer, double now) {
    return vcs_wait_until(timer->min_rpc_time, now);
}

void vcs_timer_delay(vcs_project_timer *timer, double delay, double now);
void vcs_timer_failed(vcs_project_timer *timer, const vcs_backoff_range *range, double now, double u);
void vcs_timer_clear(vcs_project_timer *timer);

#endif
