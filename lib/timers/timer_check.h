/*
 * The arguments that the functions of all timers share, checked.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_TIMER_CHECK_H
#define VCS_TIMERS_TIMER_CHECK_H

#include "interface/argument.h"
#include "interface/check.h"
#include "timers/backoff.h"

/* A failure or a refusal: a timer of this type, the range of waits, the present and a draw. VCS_OK or the error. */
static inline int vcs_check_failure(uint32_t type, const void *timer, vcs_backoff_range *known,
                                    const vcs_backoff_range *range, double now, double u) {
    if (timer == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_fields(type, timer, 0, NULL);
    code = vcs_first_error(code, vcs_backoff_range_take(known, range));
    code = vcs_first_error(code, vcs_check_time(now));
    return vcs_first_error(code, vcs_check_draw(u));
}

/* A question how long to wait: a timer of this type, memory for the answer, and the present. VCS_OK or the error. */
static inline int vcs_check_question(uint32_t type, const void *timer, const void *answer, double now) {
    if (timer == NULL || answer == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_first_error(vcs_check_fields(type, timer, 0, NULL), vcs_check_time(now));
}

#endif
