/*
 * How long a host has to wait before its next request.
 *
 * Rule 8.9; worked by hand in tests/vcsched/verify/test_next_request.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/verify_fields.h"
#include "vcsched/verify/day.h"

#include <vcsched/verify.h>

int vcs_next_request_init(vcs_next_request *request, uint32_t size) {
    const vcs_next_request filled = {
        .struct_size = size,
        .quota_left = UINT32_MAX,
        .report_by = VCS_INFINITY,
        .least_delay = 60.0,
        .no_work_delay = 600.0,
        .deadline_delay = 3600.0,
        .quota_spread = 3600.0,
    };
    return vcs_hand_out_new(request, size, VCS_FIRST_next_request, &filled, sizeof filled);
}

typedef struct delay {
    double seconds;
    uint32_t reason;
} delay;

static delay delay_by_reply(const vcs_next_request *request, double now, double u) {
    if ((request->flags & VCS_REQUEST_WITHOUT_WORK) != 0) {
        return (delay){request->least_delay, VCS_REASON_LEAST_DELAY};
    }
    if (request->quota_left == 0) {
        /* A second more than until the next day, so that rounding by the caller cannot end the delay too early. */
        const double until_next_day = (vcs_day_of(now) + 1.0) * VCS_DAY - now + 1.0;
        return (delay){until_next_day + u * request->quota_spread, VCS_REASON_QUOTA};
    }
    if (request->sent > 0) {
        return (delay){request->least_delay, VCS_REASON_LEAST_DELAY};
    }
    return request->late > 0 ? (delay){request->deadline_delay, VCS_REASON_DEADLINES_NOT_MET}
                             : (delay){request->no_work_delay, VCS_REASON_NO_WORK};
}

int vcs_next_request_delay(const vcs_next_request *request, double now, double u, double *seconds, uint32_t *reason,
                           vcs_error *error) {
    vcs_next_request known;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_copy_input(&known, request, &vcs_next_request_layout, error) : code;
    code = code == VCS_OK ? vcs_check_place(seconds, "seconds is NULL", error) : code;
    code = code == VCS_OK ? vcs_check_now(now, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    code = vcs_check_draw(u);
    if (code != VCS_OK) {
        return vcs_fail_at(error, code, 0, "u", "is not a number from 0 up to 1");
    }
    const delay wait = delay_by_reply(&known, now, u);
    *seconds = vcs_max(vcs_min(wait.seconds, known.report_by - now), known.least_delay);
    if (reason != NULL) {
        *reason = wait.reason;
    }
    return VCS_OK;
}
