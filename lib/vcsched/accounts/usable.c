/*
 * The usable fraction of a processor, learned from the time its tasks got.
 *
 * Rule 13.9; worked by hand in tests/vcsched/accounts/test_estimate.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/accounts.h>

#include "vcsched/accounts/correction.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/accounts_fields.h"

VCS_CHECK_FIELDS(usable)

/* The fraction stays above 0, so that no run time becomes infinite. */
#define LEAST_USABLE 0.001

int vcs_usable_update(vcs_usable *usable, double scheduled, double ran) {
    if (usable == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_usable_fields(usable, 0, NULL);
    code = vcs_first_error(code, vcs_check_number(scheduled, 0.0, VCS_MAX_SECONDS));
    code = vcs_first_error(code, vcs_check_number(ran, 0.0, VCS_MAX_SECONDS));
    if (code != VCS_OK || scheduled == 0.0) {
        return code;
    }
    double observed = vcs_min(ran, scheduled) / scheduled;
    double days = scheduled / VCS_SECONDS_PER_DAY * VCS_LOG2_E;
    const vcs_power kept = vcs_exp2_both(-days);
    double learned = vcs_factor_or_one(usable->fraction) * kept.value - kept.less_one * observed;
    usable->fraction = vcs_max(LEAST_USABLE, vcs_min(learned, 1.0));
    return VCS_OK;
}
