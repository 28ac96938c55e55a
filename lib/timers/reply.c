/*
 * What a scheduler's reply means for the timers of its project.
 *
 * Rules 3.2 and 3.3; worked by hand in tests/timers/test_reply.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/reply.h>

#include "interface/argument.h"
#include "interface/check.h"
#include "timers/backoff.h"
#include "timers/project_timer.h"
#include "timers/resource_backoff.h"

/* The reply and the policy, checked. */
typedef struct checked_reply {
    vcs_reply reply;
    vcs_parameters policy;
} checked_reply;

static int take_policy(vcs_parameters *known, const vcs_parameters *parameters, vcs_error *error) {
    if (parameters == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_PARAMETERS, 0, VCS_WHOLE_RECORD, "are NULL");
    }
    return vcs_parameters_take(known, parameters, error);
}

static int check_timer(const vcs_project_timer *timer, vcs_error *error) {
    if (timer == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_PROJECT_TIMER, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    return vcs_check_project_timer_fields(timer, 0, error);
}

/* The server's delay comes last, or clearing the timer would undo it. */
static void update_timer(const checked_reply *known, vcs_project_timer *timer) {
    const vcs_reply *reply = &known->reply;
    if ((reply->flags & VCS_REPLY_FAILED) != 0) {
        const vcs_backoff_range range = vcs_scheduler_range(&known->policy);
        vcs_timer_failed(timer, &range, reply->now, reply->u);
        return;
    }
    vcs_timer_clear(timer);
    if (reply->request_delay > 0.0) {
        vcs_timer_delay(timer, reply->request_delay, reply->now);
    }
}

static void update_backoff(const checked_reply *known, const vcs_resource_reply *reply, vcs_resource_backoff *backoff) {
    if (reply->tasks > 0) {
        vcs_resource_arrived(backoff);
    } else if (reply->seconds > 0.0 && (reply->flags & VCS_REPLY_NOT_WANTED) == 0) {
        const vcs_backoff_range range = vcs_resource_range(&known->policy);
        vcs_resource_refused(backoff, &range, known->reply.now, reply->u);
    }
}

int vcs_reply_apply(vcs_project_timer *timer, vcs_resource_backoff *backoffs, uint32_t backoff_size,
                    uint32_t backoff_count, const vcs_reply *reply, const vcs_resource_reply *replies,
                    uint32_t reply_size, uint32_t reply_count, const vcs_parameters *parameters, vcs_error *error) {
    checked_reply known;
    const vcs_array backoff_array = {{backoffs}, backoff_size, backoff_count};
    const vcs_array reply_array = {{replies}, reply_size, reply_count};
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    code = vcs_take_input(&known.reply, reply, VCS_TYPE_REPLY, error);
    if (code == VCS_OK) {
        code = take_policy(&known.policy, parameters, error);
    }
    if (code == VCS_OK) {
        code = check_timer(timer, error);
    }
    if (code == VCS_OK) {
        code = vcs_check_records(&reply_array, VCS_TYPE_RESOURCE_REPLY, error);
    }
    if (code == VCS_OK) {
        code = vcs_check_records(&backoff_array, VCS_TYPE_RESOURCE_BACKOFF, error);
    }
    if (code == VCS_OK && backoff_count != reply_count) {
        code = vcs_fail(error, VCS_ERR_COUNT, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD,
                        "there is not one reply for each backoff");
    }
    if (code != VCS_OK) {
        return code;
    }
    update_timer(&known, timer);
    for (uint32_t i = 0; (known.reply.flags & VCS_REPLY_FAILED) == 0 && i < reply_count; i++) {
        const void *of_resource = (const unsigned char *)replies + (size_t)i * reply_size;
        void *backoff = (unsigned char *)backoffs + (size_t)i * backoff_size;
        update_backoff(&known, of_resource, backoff);
    }
    return VCS_OK;
}
