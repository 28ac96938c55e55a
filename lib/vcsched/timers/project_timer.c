/*
 * When a project's scheduler may be called again.
 *
 * Rule 3.2; worked by hand in tests/vcsched/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/number.h"
#include "vcsched/timers/timer.h"
#include "vcsched/interface/fields/timers_fields.h"

int vcs_project_timer_delay(vcs_project_timer *timer, double delay, double now) {
    int code = vcs_check_question(&vcs_project_timer_layout, timer, timer, now);
    code = vcs_first_error(code, vcs_check_number(delay, 0.0, VCS_MAX_SECONDS));
    if (code == VCS_OK) {
        vcs_timer_move_later(timer, delay, now);
    }
    return code;
}

int vcs_project_timer_wait(vcs_project_timer *timer, double now, double *wait) {
    int code = vcs_check_question(&vcs_project_timer_layout, timer, wait, now);
    if (code == VCS_OK) {
        vcs_timer_see(timer, now);
        *wait = vcs_wait_until(timer->min_rpc_time, now);
    }
    return code;
}
