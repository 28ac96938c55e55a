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

#include <stdbool.h>

VCS_READ_INPUT(progress)

/* The bounds of a factor that has learned something. */
#define LEAST_DCF 0.01
#define GREATEST_DCF 100.0

/*
 * At first the mean of all tasks and of as many more that took what was estimated, then an exponential average. With
 * fewer of those, or a greater least weight, chance makes jobs with little time look hopeless; then none comes that
 * could teach better.
 */
#define TASKS_AS_ESTIMATED 4.0
#define LEAST_WEIGHT 0.03

static double mean_with(double dcf, double raw, uint64_t tasks) {
    const double weight = vcs_max(1.0 / ((double)tasks + TASKS_AS_ESTIMATED + 1.0), LEAST_WEIGHT);
    return (1.0 - weight) * dcf + weight * raw;
}

/* The factor after a task that took `raw` times its uncorrected estimate, as deployed (rule 2.3). */
static double surprised_by(double dcf, double raw) {
    const double surprise = raw / dcf;
    if (surprise > 1.1) {
        return raw;
    }
    return surprise < 0.1 ? 0.99 * dcf + 0.01 * raw : 0.9 * dcf + 0.1 * raw;
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
        const double dcf = vcs_factor_or_one(correction->dcf), raw = finished->elapsed / estimate;
        const bool by_mean = correction->rule == VCS_CORRECTION_MEAN;
        const double learned = by_mean ? mean_with(dcf, raw, correction->tasks) : surprised_by(dcf, raw);
        correction->dcf = vcs_max(LEAST_DCF, vcs_min(learned, GREATEST_DCF));
        correction->tasks += correction->tasks < UINT64_MAX;
    }
    return VCS_OK;
}
