/*
 * When a result must be reported.
 *
 * Rule 15.2; the plain reference is tests/oracle/oracle_chance.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/chance/finish.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"

#include <vcsched/chance.h>

#define HALVINGS 40

/* The chance to be off after `wait` seconds, and for `left` more. */
static double risk_at(double wait, double left, vcs_mean_spells spells) {
    const double often = spells.off / (spells.on + spells.off);
    const double has_begun = -vcs_exp2m1(-(wait / spells.on + wait / spells.off) * VCS_LOG2_E);
    return often * has_begun * vcs_exp2(-left / spells.off * VCS_LOG2_E);
}

/* The longest wait within `most` seconds that risks no more than `risk`; `left` is until the deadline. */
static double longest_wait(double most, double left, double risk, vcs_mean_spells spells) {
    if (spells.off == 0.0 || risk_at(most, left - most, spells) <= risk) {
        return most;
    }
    double low = 0.0, high = most;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = low + (high - low) / 2.0;
        if (risk_at(middle, left - middle, spells) <= risk) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

int vcs_report_latest(double deadline, double risk, double on, double off, double now, double *latest) {
    const vcs_mean_spells spells = {on, off};
    int code = latest == NULL ? VCS_ERR_NULL : VCS_OK;
    code = vcs_first_error(code, deadline == VCS_INFINITY ? VCS_OK : vcs_check_time(deadline));
    code = vcs_first_error(code, vcs_check_number(risk, VCS_LEAST_RISK, 1.0));
    code = vcs_first_error(code, vcs_check_spells(spells));
    code = vcs_first_error(code, vcs_check_time(now));
    if (code != VCS_OK) {
        return code;
    }
    const double left = deadline - now, most = left - VCS_REPORT_LEAD;
    if (left == VCS_INFINITY) {
        *latest = VCS_INFINITY;
    } else {
        *latest = most > 0.0 ? now + longest_wait(most, left, risk, spells) : now;
    }
    return VCS_OK;
}
