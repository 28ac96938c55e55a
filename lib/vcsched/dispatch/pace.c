/*
 * How fast a client and the pool reply.
 *
 * Rule 10.1; worked by hand in tests/vcsched/dispatch/test_job.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/dispatch/expected.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/dispatch_fields.h"

#include <stdbool.h>

VCS_CHECK_FIELDS(pace)

static vcs_pace updated(const vcs_pace *pace, const vcs_reply_times *times, double forget) {
    const bool is_sign_of_life = times->bytes == 0.0 && times->transfer_seconds == 0.0 && times->complexity == 0.0 &&
                                 times->compute_seconds == 0.0;
    if (is_sign_of_life) {
        return *pace; /* so that signs of life alone forget nothing */
    }
    const double keep = 1.0 - forget;
    vcs_pace next = *pace;
    next.bytes = pace->bytes * keep + times->bytes;
    next.transfer_seconds = pace->transfer_seconds * keep + times->transfer_seconds;
    next.complexity = pace->complexity * keep +
                      (times->compute_seconds > 0.0 ? vcs_complexity(times->complexity) : times->complexity);
    next.compute_seconds = pace->compute_seconds * keep + times->compute_seconds;
    next.replies += next.replies < UINT64_MAX;
    return next;
}

int vcs_client_reply(vcs_client *client, vcs_pace *pool, const vcs_reply_times *times, const vcs_dispatch_rules *rules,
                     double now, uint32_t *refused, vcs_error *error) {
    vcs_dispatch_rules known;
    vcs_reply_times brought;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_record(client, &vcs_client_layout, error) : code;
    code = code == VCS_OK ? vcs_check_record(pool, &vcs_pace_layout, error) : code;
    code = code == VCS_OK ? vcs_dispatch_rules_copy(&known, rules, error) : code;
    code = code == VCS_OK ? vcs_copy_input(&brought, times, &vcs_reply_times_layout, error) : code;
    code = code == VCS_OK ? vcs_check_place(refused, "refused is NULL", error) : code;
    code = code == VCS_OK ? vcs_check_now(now, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    if ((client->flags & VCS_BLACKLISTED) != 0) {
        *refused = 1;
        return VCS_OK;
    }
    vcs_pace of_client = updated(&client->pace, &brought, known.forget);
    vcs_pace of_pool = updated(pool, &brought, known.forget);
    code = vcs_check_pace_fields(&of_client, 0, error);
    code = code == VCS_OK ? vcs_check_pace_fields(&of_pool, 0, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    *refused = 0;
    client->last_heard = now;
    client->flags &= ~VCS_CLIENT_DEAD;
    client->pace = of_client;
    *pool = of_pool;
    return VCS_OK;
}
