/*
 * When a project may be asked again for work for one resource.
 *
 * Rule 3.3; worked by hand in tests/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "core/number.h"
#include "timers/backoff.h"
#include "timers/timer.h"

static void bring_up_to_date(vcs_resource_backoff *backoff, double now) {
    backoff->until = vcs_moved_back(backoff->until, vcs_went_back(backoff->seen, now));
    backoff->seen = now;
}

void vcs_resource_refused(vcs_resource_backoff *backoff, const vcs_parameters *policy, double now, double u) {
    const vcs_backoff_range range = vcs_range_of(policy, VCS_BACKOFF_OF_RESOURCE);
    bring_up_to_date(backoff, now);
    if (vcs_wait_until(backoff->until, now) == 0.0) {
        backoff->interval = vcs_max(range.minimum, vcs_min(range.maximum, 2.0 * backoff->interval));
        backoff->until = vcs_as_time(now + backoff->interval * (0.5 + u));
    }
}

int vcs_resource_backoff_wait(vcs_resource_backoff *backoff, double now, double *wait) {
    int code = vcs_check_question(VCS_TYPE_RESOURCE_BACKOFF, backoff, wait, now);
    if (code == VCS_OK) {
        bring_up_to_date(backoff, now);
        *wait = vcs_wait_until(backoff->until, now);
    }
    return code;
}
