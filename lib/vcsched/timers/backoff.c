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
    const int code = vcs_take_input(known, callers, &vcs_backoff_range_layout, NULL);
    return code == VCS_OK && known->minimum > known->maximum ? VCS_ERR_RANGE : code;
}

vcs_backoff_range vcs_range_of(const vcs_parameters *policy, uint32_t purpose) {
    vcs_backoff_range range = {
        .struct_size = sizeof range, .rule = policy->backoff_rule, .most_failures = policy->backoff_failures};
    switch (purpose) {
    case VCS_BACKOFF_OF_SCHEDULER:
        range.minimum = policy->backoff_min;
        range.maximum = policy->backoff_max;
        break;
    case VCS_BACKOFF_OF_RESOURCE:
        range.minimum = policy->resource_backoff_min;
        range.maximum = policy->resource_backoff_max;
        break;
    default: /* VCS_BACKOFF_OF_TRANSFER */
        range.minimum = policy->transfer_backoff_min;
        range.maximum = policy->transfer_backoff_max;
        break;
    }
    return range;
}

int vcs_backoff_range_init(vcs_backoff_range *range, uint32_t size, const vcs_parameters *parameters, uint32_t purpose,
                           vcs_error *error) {
    vcs_parameters completed;
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    code = vcs_check_output(range, size, VCS_FIRST_backoff_range, 1, 1);
    if (code != VCS_OK) {
        return vcs_fail(error, code, &vcs_backoff_range_layout, 0, VCS_WHOLE_RECORD,
                        code == VCS_ERR_NULL ? "is NULL" : "matches no known version of this struct");
    }
    code = vcs_parameters_read(&parameters, &completed, error);
    if (code == VCS_OK && purpose > VCS_BACKOFF_OF_TRANSFER) {
        return vcs_refuse(error, VCS_ERR_FLAGS, "purpose is a choice that this version of the library does not know");
    }
    if (code == VCS_OK) {
        vcs_backoff_range filled = vcs_range_of(parameters, purpose);
        filled.struct_size = size;
        vcs_hand_out(range, size, &filled, sizeof filled);
    }
    return code;
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
