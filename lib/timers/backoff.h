/*
 * Timers and backoffs (rules 3.2 and 3.3) where their records, the present and the draws have been checked: the
 * functions of <vcsched/backoff.h> without their checks, which cannot fail.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_BACKOFF_H
#define VCS_TIMERS_BACKOFF_H

#include <vcsched/backoff.h>
#include <vcsched/parameters.h>

/* The range of waits that a policy has for scheduler calls, and for a project and resource. */
vcs_backoff_range vcs_scheduler_range(const vcs_parameters *policy);
vcs_backoff_range vcs_resource_range(const vcs_parameters *policy);

/* The moment that is waited for, by a clock that went back. */
void vcs_timer_move_back(vcs_project_timer *timer, double by);

/* How far the clock went back since a timer was last used. */
static inline double vcs_went_back(double seen, double now) {
    return seen > now ? seen - now : 0.0;
}

/* The timer takes note of the present: if the clock went back, so does the moment that is waited for. */
static inline void vcs_timer_see(vcs_project_timer *timer, double now) {
    const double back = vcs_went_back(timer->seen, now);
    if (back > 0.0) {
        vcs_timer_move_back(timer, back);
    }
    timer->seen = now;
}

/* Seconds until a moment; 0 stands for one that has passed. */
static inline double vcs_wait_until(double moment, double now) {
    return moment == 0.0 || moment <= now ? 0.0 : moment - now;
}

/* How long to wait by a timer that has taken note of the present, s. */
static inline double vcs_timer_wait(const vcs_project_timer *timer, double now) {
    return vcs_wait_until(timer->min_rpc_time, now);
}

void vcs_timer_delay(vcs_project_timer *timer, double now, double delay);
void vcs_timer_failed(vcs_project_timer *timer, const vcs_backoff_range *range, double now, double u);
void vcs_timer_clear(vcs_project_timer *timer);

void vcs_resource_refused(vcs_resource_backoff *backoff, const vcs_backoff_range *range, double now, double u);
void vcs_resource_arrived(vcs_resource_backoff *backoff);

#endif
