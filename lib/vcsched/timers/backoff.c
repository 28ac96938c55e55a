/*
 * The wait after failures, and its range.
 *
 * Rule 3.1; worked by hand in tests/vcsched/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/timers/backoff.h"

#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/timers_fields.h"

/* ---- The wait ---- */

/* e^x; infinity if that is too large for a double. */
static double exponential(double x) {
    return vcs_exp2(x * VCS_LOG2_E);
}

double vcs_drawn_wait(const vcs_backoff_range *range, uint32_t failures, double u) {
    if (failures == 0) {
        return 0.0;
    }
    double n = failures;
    if (range->most_failures > 0 && failures > range->most_failures) {
        n = range->most_failures;
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

/* ---- The range ---- */

int vcs_backoff_range_read(vcs_backoff_range *known, const vcs_backoff_range *callers) {
    const int code = vcs_copy_input(known, callers, &vcs_backoff_range_layout, NULL);
    return code == VCS_OK && known->minimum > known->maximum ? VCS_ERR_RANGE : code;
}

int vcs_backoff(uint32_t failures, const vcs_backoff_range *range, double u, double *wait) {
    if (wait == NULL) {
        return VCS_ERR_NULL;
    }
    vcs_backoff_range known;
    const int code = vcs_first_error(vcs_backoff_range_read(&known, range), vcs_check_draw(u));
    if (code == VCS_OK) {
        *wait = vcs_drawn_wait(&known, failures, u);
    }
    return code;
}
