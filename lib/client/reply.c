/* SPDX-License-Identifier: MIT */
#include "client/argument.h"
#include "core/check.h"

#include <vcsched/reply.h>

/* Everything that a reply is applied with, checked. */
typedef struct checked_reply {
    vcs_reply reply;
    vcs_backoff_range scheduler_range, pair_range;
} checked_reply;

static int take_ranges(checked_reply *known, const vcs_parameters *parameters, vcs_error *error) {
    int code = vcs_backoff_range_init(&known->scheduler_range, sizeof known->scheduler_range, parameters,
                                      VCS_BACKOFF_OF_SCHEDULER, error);
    if (code == VCS_OK) {
        code = vcs_backoff_range_init(&known->pair_range, sizeof known->pair_range, parameters, VCS_BACKOFF_OF_PAIR,
                                      error);
    }
    return code;
}

static int check_timer(const vcs_project_timer *timer, vcs_error *error) {
    if (timer == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_PROJECT_TIMER, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    return vcs_check_fields(VCS_TYPE_PROJECT_TIMER, timer, 0, error);
}

/* The server's delay comes after the clearing, which would undo it. */
static int move_timer(const checked_reply *known, vcs_project_timer *timer) {
    const vcs_reply *reply = &known->reply;
    if ((reply->flags & VCS_REPLY_FAILED) != 0) {
        return vcs_project_timer_failed(timer, &known->scheduler_range, reply->now, reply->u);
    }
    int code = vcs_project_timer_clear(timer);
    if (code == VCS_OK && reply->request_delay > 0.0) {
        code = vcs_project_timer_delay(timer, reply->now, reply->request_delay);
    }
    return code;
}

static int move_backoff(const checked_reply *known, const vcs_reply_pair *pair, vcs_pair_backoff *backoff) {
    if (pair->tasks > 0) {
        return vcs_pair_backoff_arrived(backoff);
    }
    if (pair->seconds > 0.0 && (pair->flags & VCS_REPLY_NOT_WANTED) == 0) {
        return vcs_pair_backoff_refused(backoff, &known->pair_range, known->reply.now, pair->u);
    }
    return VCS_OK;
}

int vcs_reply_apply(const vcs_reply *reply, const vcs_parameters *parameters, vcs_project_timer *timer,
                    const vcs_reply_pair *pairs, uint32_t pair_size, vcs_pair_backoff *backoffs, uint32_t backoff_size,
                    uint32_t count, vcs_error *error) {
    checked_reply known;
    const vcs_array pair_array = {{pairs}, pair_size, count};
    const vcs_array backoff_array = {{backoffs}, backoff_size, count};
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    code = vcs_take_input(&known.reply, reply, VCS_TYPE_REPLY, error);
    if (code == VCS_OK) {
        code = take_ranges(&known, parameters, error);
    }
    if (code == VCS_OK) {
        code = check_timer(timer, error);
    }
    if (code == VCS_OK) {
        code = vcs_check_records(&pair_array, VCS_TYPE_REPLY_PAIR, error);
    }
    if (code == VCS_OK) {
        code = vcs_check_records(&backoff_array, VCS_TYPE_PAIR_BACKOFF, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    /* All that the timers could refuse has been checked, so nothing stops half way. */
    code = move_timer(&known, timer);
    for (uint32_t i = 0; code == VCS_OK && (known.reply.flags & VCS_REPLY_FAILED) == 0 && i < count; i++) {
        const void *pair = (const unsigned char *)pairs + (size_t)i * pair_size;
        void *backoff = (unsigned char *)backoffs + (size_t)i * backoff_size;
        code = move_backoff(&known, pair, backoff);
    }
    return code;
}
