/*
 * When files may be transferred again.
 *
 * Rule 3.4; worked by hand in tests/vcsched/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/timers/backoff.h"
#include "vcsched/timers/drawn_wait.h"
#include "vcsched/timers/timer.h"
#include "vcsched/interface/fields/timers_fields.h"

static void bring_up_to_date(vcs_transfer_backoff *backoff, double now) {
    double back = vcs_went_back(backoff->seen, now);
    backoff->until = vcs_moved_back(backoff->until, back);
    backoff->failing_since = vcs_as_time(backoff->failing_since - back);
    backoff->failed_at = vcs_as_time(backoff->failed_at - back);
    backoff->seen = now;
}

int vcs_transfer_backoff_failed(vcs_transfer_backoff *backoff, const vcs_backoff_range *range, double now, double u) {
    vcs_backoff_range known;
    int code = vcs_check_question(&vcs_transfer_backoff_layout, backoff, backoff, now);
    code = vcs_first_error(code, vcs_backoff_range_copy(&known, range));
    code = vcs_first_error(code, vcs_check_draw(u));
    if (code != VCS_OK) {
        return code;
    }
    bring_up_to_date(backoff, now);
    if (vcs_wait_until(backoff->until, now) > 0.0 || (backoff->failures > 0 && backoff->failed_at == now)) {
        return VCS_OK; /* counted already, with an earlier failure */
    }
    if (backoff->failures == 0) {
        backoff->failing_since = now;
    }
    backoff->failed_at = now;
    backoff->failures += backoff->failures < UINT32_MAX;
    if (backoff->failures >= VCS_TRANSFER_FAILURES) {
        backoff->until = vcs_as_time(now + vcs_drawn_wait(&known, backoff->failures, u));
    }
    return VCS_OK;
}

int vcs_transfer_backoff_wait(vcs_transfer_backoff *backoff, double now, double *wait) {
    int code = vcs_check_question(&vcs_transfer_backoff_layout, backoff, wait, now);
    if (code == VCS_OK) {
        bring_up_to_date(backoff, now);
        *wait = vcs_wait_until(backoff->until, now);
    }
    return code;
}
