/*
 * Estimates of the remaining time of a task.
 *
 * Rules 2.1, 2.2 and 13.5; worked by hand in tests/vcsched/accounts/test_estimate.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/accounts.h>

#include "vcsched/accounts/correction.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/accounts_fields.h"

#include <stdbool.h>

VCS_READ_INPUT(progress)

/* Below this, elapsed / (exp(elapsed / total) - 1) is the total to the last bit. */
#define BARELY_STARTED 0x1p-54

/* For a task that has run but not reported, total - elapsed = elapsed / (exp(elapsed / total) - 1). */
static double remaining_of_silent_task(double elapsed, double total) {
    double part = elapsed / total;
    return part < BARELY_STARTED ? total : elapsed / vcs_exp2m1(part * VCS_LOG2_E);
}

/*
 * F * (E / F - E) + (1 - F) * (1 - F) * S of rule 2.2, which equals (1 - F) * (F * (E / F) + (1 - F) * S) of rule 13.5.
 * The rules differ only in their exceptions.
 */
static double weighted_remaining(double done, double elapsed, double total) {
    double left = 1.0 - done;
    return left * (elapsed + left * total);
}

static double remaining_by(uint32_t rule, bool is_exact, double done, double elapsed, double total) {
    const bool has_exceptions = rule == VCS_ESTIMATE_BLEND || rule == VCS_ESTIMATE_DEPLOYED;
    const bool is_weighted = rule == VCS_ESTIMATE_BLEND || rule == VCS_ESTIMATE_STUDY;
    if (done >= 1.0) {
        return 0.0;
    }
    if (has_exceptions && done == 0.0 && elapsed > 0.0) {
        return remaining_of_silent_task(elapsed, total);
    }
    if (has_exceptions && (elapsed > total || (is_exact && elapsed > 0.0))) {
        return elapsed * ((1.0 - done) / done);
    }
    return is_weighted && done > 0.0 ? weighted_remaining(done, elapsed, total) : (1.0 - done) * total;
}

int vcs_estimate_remaining(const vcs_progress *progress, uint32_t rule, double *device_seconds, vcs_error *error) {
    vcs_progress completed;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_place(device_seconds, "device_seconds is NULL", error) : code;
    code = code == VCS_OK ? vcs_read_progress(&progress, &completed, error) : code;
    if (code == VCS_OK && rule > VCS_ESTIMATE_DEPLOYED) {
        code = vcs_refuse(error, VCS_ERR_FLAGS, "rule is a choice that this version of the library does not know");
    }
    if (code != VCS_OK) {
        return code;
    }
    /* the static estimate of rule 2.1 */
    const double total = vcs_min(vcs_uncorrected_total(progress) * vcs_factor_or_one(progress->dcf), VCS_MAX_SECONDS);
    const bool is_exact = (progress->flags & VCS_PROGRESS_EXACT) != 0;
    const double remaining = remaining_by(rule, is_exact, progress->fraction_done, progress->elapsed, total);
    *device_seconds = vcs_min(remaining, VCS_MAX_SECONDS);
    return VCS_OK;
}
