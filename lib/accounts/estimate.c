/* SPDX-License-Identifier: MIT */
#include "accounts/estimate.h"

#include "interface/argument.h"
#include "interface/check.h"
#include "core/number.h"

#include <vcsched/estimate.h>

/* Below this, elapsed / (exp(elapsed / total) - 1) is the total to the last bit. */
#define BARELY_STARTED 0x1p-54

/* What a correction factor is kept in. */
#define LEAST_DCF 0.01
#define GREATEST_DCF 100.0

#define LEAST_USABLE 0.001

static double at_most(double value, double most) {
    return value < most ? value : most;
}

/* What the task's size alone says, before any correction (rule 2.1). */
static double uncorrected_total(const vcs_progress *progress) {
    return progress->est_flops / progress->flops / vcs_factor_or_one(progress->efficiency);
}

static double static_total(const vcs_progress *progress) {
    return at_most(uncorrected_total(progress) * vcs_factor_or_one(progress->dcf), VCS_MAX_SECONDS);
}

/* What is left of a task that has run without reporting: total - elapsed = elapsed / (exp(elapsed / total) - 1). */
static double remaining_of_silent_task(double elapsed, double total) {
    double part = elapsed / total;
    return part < BARELY_STARTED ? total : elapsed / vcs_exp2m1(part * VCS_LOG2_E);
}

/*
 * F * (E / F - E) + (1 - F) * (1 - F) * S, the weighted mean of rule 2.2, and at the same time (1 - F) * (F * (E / F) +
 * (1 - F) * S) of rule 13.5: the two differ in their exceptions alone.
 */
static double weighted_remaining(double done, double elapsed, double total) {
    double left = 1.0 - done;
    return left * (elapsed + left * total);
}

static double blended_remaining(double done, double elapsed, double total) {
    if (done > 0.0 && elapsed > total) {
        return elapsed * ((1.0 - done) / done);
    }
    if (done > 0.0 || elapsed == 0.0) {
        return weighted_remaining(done, elapsed, total);
    }
    return remaining_of_silent_task(elapsed, total);
}

static double remaining_by(uint32_t rule, double done, double elapsed, double total) {
    if (done >= 1.0) {
        return 0.0;
    }
    if (rule == VCS_ESTIMATE_BLEND) {
        return blended_remaining(done, elapsed, total);
    }
    if (rule == VCS_ESTIMATE_STUDY && done > 0.0) {
        return weighted_remaining(done, elapsed, total);
    }
    return (1.0 - done) * total;
}

/* What both estimates check; `room` is for a progress of another version. */
static int begin_estimate(const vcs_progress **progress, vcs_progress *room, const double *answer, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (answer == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD, "device_seconds is NULL");
    }
    return vcs_read_progress(progress, room, error);
}

int vcs_estimate_total(const vcs_progress *progress, double *device_seconds, vcs_error *error) {
    vcs_progress room;
    int code = begin_estimate(&progress, &room, device_seconds, error);
    if (code == VCS_OK) {
        *device_seconds = static_total(progress);
    }
    return code;
}

int vcs_estimate_remaining(const vcs_progress *progress, uint32_t rule, double *device_seconds, vcs_error *error) {
    vcs_progress room;
    int code = begin_estimate(&progress, &room, device_seconds, error);
    if (code != VCS_OK) {
        return code;
    }
    if (rule > VCS_ESTIMATE_STUDY) {
        return vcs_fail(error, VCS_ERR_FLAGS, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD,
                        "rule is a choice that this version of the library does not know");
    }
    double remaining = remaining_by(rule, progress->fraction_done, progress->elapsed, static_total(progress));
    *device_seconds = at_most(remaining, VCS_MAX_SECONDS);
    return VCS_OK;
}

int vcs_wall_seconds(double device_seconds, double usable, double *wall_seconds) {
    if (wall_seconds == NULL) {
        return VCS_ERR_NULL;
    }
    int code =
        vcs_first_error(vcs_check_number(device_seconds, 0.0, VCS_MAX_SECONDS), vcs_check_number(usable, 1e-9, 1.0));
    if (code == VCS_OK) {
        *wall_seconds = device_seconds / usable;
    }
    return code;
}

/* The factor after a task that took `raw` times what an uncorrected estimate had said (rule 2.3). */
static double learned_dcf(double dcf, double raw) {
    double surprise = raw / vcs_factor_or_one(dcf);
    double learned;
    if (dcf == 0.0 || surprise > 1.1) {
        learned = raw;
    } else if (surprise < 0.1) {
        learned = 0.99 * dcf + 0.01 * raw;
    } else {
        learned = 0.9 * dcf + 0.1 * raw;
    }
    return learned < LEAST_DCF ? LEAST_DCF : at_most(learned, GREATEST_DCF);
}

int vcs_correction_update(vcs_correction *correction, const vcs_progress *finished, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (correction == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_CORRECTION, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    vcs_progress room;
    code = vcs_check_correction_fields(correction, 0, error);
    if (code == VCS_OK) {
        code = vcs_read_progress(&finished, &room, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    double foretold = uncorrected_total(finished);
    if (foretold > 0.0) {
        correction->dcf = learned_dcf(correction->dcf, finished->elapsed / foretold);
        correction->tasks += correction->tasks < UINT64_MAX;
    }
    return VCS_OK;
}

int vcs_correction_is_wacky(const vcs_correction *correction, uint32_t *wacky) {
    if (correction == NULL || wacky == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_correction_fields(correction, 0, NULL);
    if (code == VCS_OK) {
        *wacky = vcs_is_wacky(correction->dcf);
    }
    return code;
}

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
    double observed = at_most(ran, scheduled) / scheduled;
    double days = scheduled / VCS_SECONDS_PER_DAY * VCS_LOG2_E;
    const vcs_power kept = vcs_exp2_both(-days);
    double learned = vcs_factor_or_one(usable->fraction) * kept.value - kept.less_one * observed;
    usable->fraction = learned < LEAST_USABLE ? LEAST_USABLE : at_most(learned, 1.0);
    return VCS_OK;
}
