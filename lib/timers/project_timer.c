/*
 * When a project's scheduler may be called again.
 *
 * Rule 3.2; worked by hand in tests/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "timers/project_timer.h"

#include "core/number.h"
#include "interface/argument.h"
#include "interface/check.h"
#include "timers/backoff.h"
#include "timers/timer_check.h"

/* Later, never earlier. */
void vcs_timer_delay(vcs_project_timer *timer, double delay, double now) {
    const double until = vcs_as_time(now + delay);
    vcs_timer_see(timer, now);
    timer->min_rpc_time = timer->min_rpc_time == 0.0 ? until : vcs_max(timer->min_rpc_time, until);
}

void vcs_timer_failed(vcs_project_timer *timer, const vcs_backoff_range *range, double now, double u) {
    timer->failures += timer->failures < UINT32_MAX;
    vcs_timer_delay(timer, vcs_drawn_wait(range, timer->failures, u), now);
}

void vcs_timer_clear(vcs_project_timer *timer) {
    timer->min_rpc_time = 0.0;
    timer->failures = 0;
}

int vcs_project_timer_delay(vcs_project_timer *timer, double delay, double now) {
    if (timer == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_project_timer_fields(timer, 0, NULL);
    code = vcs_first_error(code, vcs_check_time(now));
    code = vcs_first_error(code, vcs_check_number(delay, 0.0, VCS_MAX_SECONDS));
    if (code == VCS_OK) {
        vcs_timer_delay(timer, delay, now);
    }
    return code;
}

int vcs_project_timer_failed(vcs_project_timer *timer, const vcs_backoff_range *range, double now, double u) {
    vcs_backoff_range known;
    int code = vcs_check_failure(VCS_TYPE_PROJECT_TIMER, timer, &known, range, now, u);
    if (code == VCS_OK) {
        vcs_timer_failed(timer, &known, now, u);
    }
    return code;
}

int vcs_project_timer_wait(vcs_project_timer *timer, double now, double *wait) {
    int code = vcs_check_question(VCS_TYPE_PROJECT_TIMER, timer, wait, now);
    if (code == VCS_OK) {
        vcs_timer_see(timer, now);
        *wait = vcs_timer_wait(timer, now);
    }
    return code;
}
