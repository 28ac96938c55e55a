/*
 * The record of a client's results: how it changes, whether the next result needs a copy, and credibility.
 *
 * Rule 11.3; worked by hand in tests/vcsched/verify/test_trust.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/verify_fields.h"

#include <stdbool.h>

static void count_up(uint64_t *number, bool by_one) {
    *number += by_one && *number < UINT64_MAX;
}

static bool is_blacklisted(const vcs_trust *trust) {
    return (trust->flags & VCS_BLACKLISTED) != 0;
}

int vcs_trust_update(vcs_trust *trust, uint32_t outcome, uint32_t reason) {
    int code = vcs_check_record(trust, &vcs_trust_layout, NULL);
    if (code != VCS_OK) {
        return code;
    }
    switch (outcome) {
    case VCS_TRUST_VALID:
    case VCS_TRUST_PASSED:
        if (!is_blacklisted(trust)) {
            count_up(&trust->valid_in_row, true);
            count_up(&trust->passed, outcome == VCS_TRUST_PASSED);
        }
        return VCS_OK;
    case VCS_TRUST_ERROR:
        trust->valid_in_row = 0;
        return VCS_OK;
    case VCS_TRUST_WRONG:
        trust->valid_in_row = 0;
        trust->passed = 0;
        trust->reason = is_blacklisted(trust) ? trust->reason : reason;
        trust->flags |= VCS_BLACKLISTED;
        return VCS_OK;
    default:
        return VCS_ERR_FLAGS;
    }
}

/* Why the next result needs a copy; VCS_REASON_TRUSTED if it does not. */
static uint32_t reason_for_copy(const vcs_trust *trust, double u) {
    if (is_blacklisted(trust)) {
        return VCS_REASON_BLACKLISTED;
    }
    if (trust->valid_in_row < VCS_TRUSTED_FROM) {
        return VCS_REASON_NOT_TRUSTED_YET;
    }
    return u < 1.0 / (double)trust->valid_in_row ? VCS_REASON_DRAWN : VCS_REASON_TRUSTED;
}

int vcs_trust_needs_copy(const vcs_trust *trust, double u, uint32_t *needed, uint32_t *reason) {
    int code = needed == NULL ? VCS_ERR_NULL
                              : vcs_first_error(vcs_check_record(trust, &vcs_trust_layout, NULL), vcs_check_draw(u));
    if (code != VCS_OK) {
        return code;
    }
    uint32_t why = reason_for_copy(trust, u);
    *needed = why != VCS_REASON_TRUSTED;
    if (reason != NULL) {
        *reason = why;
    }
    return VCS_OK;
}

int vcs_credibility(uint64_t passed, double error_bound, double *credibility) {
    if (credibility == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_number(error_bound, 0.0, 1.0);
    if (code == VCS_OK) {
        double sure = 1.0 - error_bound / (double)vcs_max_u64(passed, 1);
        *credibility = vcs_min(sure, VCS_MAX_CREDIBILITY);
    }
    return code;
}
