/*
 * How the wait after failures is drawn, and a project that waits it out.
 *
 * Rules 3.1 and 3.2; worked by hand in tests/vcsched/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/timers/drawn_wait.h"

#include "vcsched/core/number.h"
#include "vcsched/timers/timer.h"

/* e^x; infinity if that is too large for a double. */
static double exponential(double x) {
    return vcs_exp2(x * VCS_LOG2_E);
}

double vcs_drawn_wait(const vcs_backoff_range *range, uint32_t failures, double u) {
    if (failures == 0) {
        return 0.0;
    }
    double n = failures;
    if (range->max_failures > 0 && failures > range->max_failures) {
        n = range->max_failures;
    }
    if (range->rule == VCS_BACKOFF_EXPONENT) {
        return vcs_max(range->minimum, vcs_min(range->maximum, exponential(u * n)));
    }
    if (range->rule == VCS_BACKOFF_UNIFORM) {
        const double span = vcs_min(range->maximum, exponential(n)) - range->minimum;
        return range->minimum + u * vcs_max(span, 0.0);
    }
    return vcs_min(range->maximum, range->minimum * vcs_exp2(n)) * (0.5 + 0.5 * u);
}

void vcs_timer_failed(vcs_project_timer *timer, const vcs_parameters *policy, double now, double u) {
    const vcs_backoff_range range = vcs_range_of(policy, VCS_BACKOFF_OF_SCHEDULER);
    timer->failures += timer->failures < UINT32_MAX;
    vcs_timer_move_later(timer, vcs_drawn_wait(&range, timer->failures, u), now);
}
