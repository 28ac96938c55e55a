/*
 * How many hosts in a row were unable to run a job.
 *
 * Rule 9.3; worked by hand in tests/vcsched/send/test_refusals.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/send.h>

#include <stdbool.h>

/* Whether the host is too small, too slow or too busy, which another host need not be. */
static bool is_about_host(uint32_t reason) {
    return reason == VCS_REASON_HOST_MEMORY || reason == VCS_REASON_HOST_DISK || reason == VCS_REASON_CANNOT_RUN ||
           reason == VCS_REASON_BOUND_TOO_SHORT || reason == VCS_REASON_BUSY_PAST_DEADLINE ||
           reason == VCS_REASON_OWN_DEADLINE || reason == VCS_REASON_SMALL_CHANCE;
}

int vcs_send_refusals(uint32_t reason, uint32_t limit, uint32_t before, uint32_t *refusals, uint32_t *unsendable) {
    if (refusals == NULL || unsendable == NULL) {
        return VCS_ERR_NULL;
    }
    const bool is_one_more = is_about_host(reason) && before < UINT32_MAX;
    *refusals = reason == VCS_REASON_JOB_SENT ? 0 : before + is_one_more;
    *unsendable = limit > 0 && *refusals >= limit;
    return VCS_OK;
}
