/* SPDX-License-Identifier: MIT */
#include "interface/argument.h"
#include "timers/backoff.h"
#include "interface/check.h"

#include <vcsched/reply.h>

/* Everything that a reply is applied with, checked. */
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

/* The server's delay comes after the clearing, which would undo it. */
static void move_timer(const checked_reply *known, vcs_project_timer *timer) {
    const vcs_reply *reply = &known->reply;
    if ((reply->flags & VCS_REPLY_FAILED) != 0) {
        const vcs_backoff_range range = vcs_scheduler_range(&known->policy);
        vcs_timer_failed(timer, &range, reply->now, reply->u);
        return;
    }
    vcs_timer_clear(timer);
    if (reply->request_delay > 0.0) {
        vcs_timer_delay(timer, reply->now, reply->request_delay);
    }
}

static void move_backoff(const checked_reply *known, const vcs_resource_reply *pair, vcs_resource_backoff *backoff) {
    if (pair->tasks > 0) {
        vcs_resource_arrived(backoff);
    } else if (pair->seconds > 0.0 && (pair->flags & VCS_REPLY_NOT_WANTED) == 0) {
        const vcs_backoff_range range = vcs_resource_range(&known->policy);
        vcs_resource_refused(backoff, &range, known->reply.now, pair->u);
    }
}

int vcs_reply_apply(const vcs_reply *reply, const vcs_parameters *parameters, vcs_project_timer *timer,
                    const vcs_resource_reply *replies, uint32_t reply_size, vcs_resource_backoff *backoffs,
                    uint32_t backoff_size, uint32_t count, vcs_error *error) {
    checked_reply known;
    const vcs_array reply_array = {{replies}, reply_size, count};
    const vcs_array backoff_array = {{backoffs}, backoff_size, count};
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
    if (code != VCS_OK) {
        return code;
    }
    move_timer(&known, timer);
    for (uint32_t i = 0; (known.reply.flags & VCS_REPLY_FAILED) == 0 && i < count; i++) {
        const void *pair = (const unsigned char *)replies + (size_t)i * reply_size;
        void *backoff = (unsigned char *)backoffs + (size_t)i * backoff_size;
        move_backoff(&known, pair, backoff);
    }
    return VCS_OK;
}
