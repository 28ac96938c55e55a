/*
 * The wait after failures in a range that the caller gives.
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
#include "vcsched/timers/drawn_wait.h"

int vcs_backoff_range_copy(vcs_backoff_range *known, const vcs_backoff_range *callers) {
    const int code = vcs_copy_input(known, callers, &vcs_backoff_range_layout, NULL);
    return code == VCS_OK && known->minimum > known->maximum ? VCS_ERR_RANGE : code;
}

int vcs_backoff(uint32_t failures, const vcs_backoff_range *range, double u, double *wait) {
    if (wait == NULL) {
        return VCS_ERR_NULL;
    }
    vcs_backoff_range known;
    const int code = vcs_first_error(vcs_backoff_range_copy(&known, range), vcs_check_draw(u));
    if (code == VCS_OK) {
        *wait = vcs_drawn_wait(&known, failures, u);
    }
    return code;
}
