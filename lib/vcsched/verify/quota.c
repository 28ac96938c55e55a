/*
 * How many jobs a host may get in a day.
 *
 * Rule 11.3; worked by hand in tests/vcsched/verify/test_quota.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/verify_fields.h"
#include "vcsched/verify/day.h"

#include <vcsched/verify.h>

static int check_quota(const vcs_quota *quota) {
    int code = vcs_check_record(quota, &vcs_quota_layout, NULL);
    return code == VCS_OK && quota->quota > quota->max_quota ? VCS_ERR_RANGE : code;
}

/*
 * A later day begins with none used. If the clock went back, the earlier day becomes the current one, but used jobs
 * stay used: a host neither gains by it nor waits for a day years ahead.
 */
static void bring_up_to_date(vcs_quota *quota, double now) {
    double today = vcs_day_of(now);
    if (today > quota->day) {
        quota->used = 0;
    }
    quota->day = today;
}

static uint32_t left_of(const vcs_quota *quota) {
    return quota->used < quota->quota ? quota->quota - quota->used : 0;
}

int vcs_quota_left(vcs_quota *quota, double now, uint32_t *left) {
    int code = left == NULL ? VCS_ERR_NULL : vcs_first_error(check_quota(quota), vcs_check_time(now));
    if (code == VCS_OK) {
        bring_up_to_date(quota, now);
        *left = left_of(quota);
    }
    return code;
}

int vcs_quota_take(vcs_quota *quota, double now, uint32_t jobs) {
    int code = vcs_first_error(check_quota(quota), vcs_check_time(now));
    if (code != VCS_OK) {
        return code;
    }
    vcs_quota changed = *quota;
    bring_up_to_date(&changed, now);
    if (jobs > left_of(&changed)) {
        return VCS_ERR_QUOTA;
    }
    changed.used += jobs;
    *quota = changed;
    return VCS_OK;
}

int vcs_quota_judge(vcs_quota *quota, uint32_t valid) {
    int code = vcs_first_error(check_quota(quota), valid > 1 ? VCS_ERR_FLAGS : VCS_OK);
    if (code != VCS_OK) {
        return code;
    }
    if (!valid) {
        quota->quota -= quota->quota > 1;
    } else {
        quota->quota = (uint32_t)vcs_min_u64((uint64_t)quota->quota * 2, quota->max_quota);
    }
    return VCS_OK;
}
