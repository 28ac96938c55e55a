/*
 * The timers of a project, where their records, the present and the draw have been checked.
 *
 * Rules 3.2 and 3.3; worked by hand in tests/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_TIMER_H
#define VCS_TIMERS_TIMER_H

#include "interface/argument.h"
#include "timers/timer_clock.h"

#include <vcsched/backoff.h>

/* A question how long to wait: a timer of this type, memory for the answer, and the present. VCS_OK or the error. */
static inline int vcs_check_question(uint32_t type, const void *timer, const void *answer, double now) {
    if (timer == NULL || answer == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_first_error(vcs_check_fields(type, timer, 0, NULL), vcs_check_time(now));
}

/* ---- Of a project's scheduler (project_timer.c) ---- */

/* The timer takes note of the present: if the clock went back, so does the time it waits for. */
static inline void vcs_timer_see(vcs_project_timer *timer, double now) {
    const double back = vcs_went_back(timer->seen, now);
    if (back > 0.0) {
        timer->min_rpc_time = vcs_moved_back(timer->min_rpc_time, back);
    }
    timer->seen = now;
}

/* A server, or what was to be done, asks for a delay, s; 0 = none. */
void vcs_timer_delay(vcs_project_timer *timer, double delay, double now);

/* All schedulers failed, or the master file. */
void vcs_timer_failed(vcs_project_timer *timer, const vcs_parameters *policy, double now, double u);

static inline void vcs_timer_clear(vcs_project_timer *timer) {
    timer->min_rpc_time = 0.0;
    timer->failures = 0;
}

/* ---- Of its work for one resource (resource_backoff.c) ---- */

/* It was asked for work and sent none. */
void vcs_resource_refused(vcs_resource_backoff *backoff, const vcs_parameters *policy, double now, double u);

#endif
