/*
 * The duration correction factor, learned from finished tasks.
 *
 * Rules 2.3 and 2.4; worked by hand in tests/vcsched/accounts/test_estimate.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/accounts/correction.h"

#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/accounts_fields.h"

VCS_READ_INPUT(progress)

/* The bounds of a factor that has learned something. */
#define LEAST_DCF 0.01
#define GREATEST_DCF 100.0

/* The factor after a task that took `raw` times its uncorrected estimate (rule 2.3). */
static double learned_dcf(double dcf, double raw) {
    const double surprise = raw / dcf;
    double learned;
    if (surprise > 1.1) {
        learned = raw;
    } else if (surprise < 0.1) {
        learned = 0.99 * dcf + 0.01 * raw;
    } else {
        learned = 0.9 * dcf + 0.1 * raw;
    }
    return vcs_max(LEAST_DCF, vcs_min(learned, GREATEST_DCF));
}

int vcs_correction_update(vcs_correction *correction, const vcs_progress *finished, vcs_error *error) {
    vcs_progress completed;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_record(correction, &vcs_correction_layout, error) : code;
    code = code == VCS_OK ? vcs_read_progress(&finished, &completed, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    const double estimate = vcs_uncorrected_total(finished);
    if (estimate > 0.0) {
        correction->dcf = learned_dcf(vcs_factor_or_one(correction->dcf), finished->elapsed / estimate);
        correction->tasks += correction->tasks < UINT64_MAX;
    }
    return VCS_OK;
}
