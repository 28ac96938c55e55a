/*
 * When a result must be reported.
 *
 * Rule 15.2; the plain reference is tests/oracle/oracle_chance.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/chance/report_latest.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"

#include <vcsched/chance.h>

#define HALVINGS 40

int vcs_check_waiting(const vcs_waiting_result *result, const double *latest) {
    int code = latest == NULL ? VCS_ERR_NULL : VCS_OK;
    code = vcs_first_error(code, result->deadline == VCS_INFINITY ? VCS_OK : vcs_check_time(result->deadline));
    code = vcs_first_error(code, vcs_check_number(result->risk, VCS_MIN_RISK, 1.0));
    code = vcs_first_error(code, vcs_check_spells(result->spells));
    return vcs_first_error(code, vcs_check_time(result->now));
}

double vcs_latest_report(const vcs_waiting_result *result, double (*risk_at)(const void *host, double wait),
                         const void *host) {
    const double left = result->deadline - result->now, most = left - VCS_REPORT_LEAD;
    if (left == VCS_INFINITY) {
        return VCS_INFINITY;
    }
    if (!(most > 0.0)) {
        return result->now;
    }
    if (risk_at(host, most) <= result->risk) {
        return result->now + most;
    }
    double low = 0.0, high = most;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = low + (high - low) / 2.0;
        if (risk_at(host, middle) <= result->risk) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return result->now + low;
}

/* The chance to be off after `wait` seconds, and until the deadline. */
static double risk_of(const void *host, double wait) {
    const vcs_waiting_result *result = host;
    const vcs_mean_spells spells = result->spells;
    if (spells.off == 0.0) {
        return 0.0;
    }
    const double left = result->deadline - result->now - wait, often = spells.off / (spells.on + spells.off);
    const double has_begun = -vcs_exp2m1(-(wait / spells.on + wait / spells.off) * VCS_LOG2_E);
    return often * has_begun * vcs_exp2(-left / spells.off * VCS_LOG2_E);
}

int vcs_report_latest(double deadline, double risk, double on, double off, double now, double *latest) {
    const vcs_waiting_result result = {deadline, risk, now, {on, off}};
    const int code = vcs_check_waiting(&result, latest);
    if (code == VCS_OK) {
        *latest = vcs_latest_report(&result, risk_of, &result);
    }
    return code;
}
