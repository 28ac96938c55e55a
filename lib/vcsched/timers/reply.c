/*
 * Applies a scheduler's reply to the timer of its project and to the backoffs of its resources.
 *
 * Rules 3.2 and 3.3; worked by hand in tests/vcsched/timers/test_reply.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/timers.h>

#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/timers_fields.h"
#include "vcsched/timers/drawn_wait.h"
#include "vcsched/timers/timer.h"

/* ---- The backoff for one resource ---- */

/* Brings a backoff up to date: if the clock went back, its time moves back too. */
static void see(vcs_resource_backoff *backoff, double now) {
    backoff->until = vcs_moved_back(backoff->until, vcs_went_back(backoff->seen, now));
    backoff->seen = now;
}

/* Backs off after the project was asked for work for the resource and sent none. */
static void back_off(vcs_resource_backoff *backoff, const vcs_parameters *policy, double now, double u) {
    const vcs_backoff_range range = vcs_range_of(policy, VCS_BACKOFF_OF_RESOURCE);
    see(backoff, now);
    if (vcs_wait_until(backoff->until, now) == 0.0) {
        backoff->interval = vcs_max(range.minimum, vcs_min(range.maximum, 2.0 * backoff->interval));
        backoff->until = vcs_as_time(now + backoff->interval * (0.5 + u));
    }
}

static void update_backoff(vcs_resource_backoff *backoff, const vcs_resource_reply *of_resource, const vcs_reply *reply,
                           const vcs_parameters *policy) {
    if (of_resource->tasks > 0) {
        backoff->interval = 0.0;
        backoff->until = 0.0;
    } else if (of_resource->seconds > 0.0 && (of_resource->flags & VCS_RESOURCE_REPLY_NOT_WANTED) == 0) {
        back_off(backoff, policy, reply->now, of_resource->u);
    }
}

int vcs_resource_backoff_wait(vcs_resource_backoff *backoff, double now, double *wait) {
    int code = vcs_check_question(&vcs_resource_backoff_layout, backoff, wait, now);
    if (code == VCS_OK) {
        see(backoff, now);
        *wait = vcs_wait_until(backoff->until, now);
    }
    return code;
}

/* ---- The reply ---- */

static int check_arguments(const vcs_project_timer *timer, const vcs_array *backoffs, const vcs_array *replies,
                           vcs_error *error) {
    int code = vcs_check_record(timer, &vcs_project_timer_layout, error);
    code = code == VCS_OK ? vcs_check_records(replies, &vcs_resource_reply_layout, error) : code;
    code = code == VCS_OK ? vcs_check_records(backoffs, &vcs_resource_backoff_layout, error) : code;
    if (code == VCS_OK && backoffs->count != replies->count) {
        code = vcs_refuse(error, VCS_ERR_COUNT, "there is not one reply for each backoff");
    }
    return code;
}

int vcs_reply_apply(vcs_project_timer *timer, const vcs_array *backoffs, const vcs_reply *reply,
                    const vcs_array *replies, const vcs_parameters *parameters, vcs_error *error) {
    vcs_reply known;
    vcs_parameters completed;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_copy_input(&known, reply, &vcs_reply_layout, error) : code;
    code = code == VCS_OK ? vcs_parameters_read(&parameters, &completed, error) : code;
    code = code == VCS_OK ? check_arguments(timer, backoffs, replies, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    if ((known.flags & VCS_REPLY_FAILED) != 0) {
        vcs_timer_failed(timer, parameters, known.now, known.u);
        return VCS_OK;
    }
    vcs_timer_clear(timer);
    vcs_timer_delay(timer, known.request_delay, known.now); /* last, or clearing would undo it */
    for (uint32_t i = 0; i < replies->count; i++) {
        update_backoff(vcs_element_out(backoffs, i), vcs_element(replies, i), &known, parameters);
    }
    return VCS_OK;
}
