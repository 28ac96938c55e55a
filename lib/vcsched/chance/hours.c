/*
 * The mean spells of a host within a window, where it is on at some hours rather than at others.
 *
 * Rule 15.8; the plain reference is tests/oracle/oracle_hours.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/chance/hours.h"
#include "vcsched/chance/hours_seen.h"
#include "vcsched/chance/stretch.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"

#include <vcsched/chance.h>

/* The host is on for at least this part of a window, so that no spell is without end. */
#define LEAST_FRACTION 1e-9
/* Below this part of the turnover the host will hardly be switched, and step 4 would cancel. */
#define LEAST_PART 0x1p-10

/* T': the turnover of spells whose on time varies as much as that of the hours. */
static double turnover_of(double variance, double fraction, double turnover, double window) {
    const double plain = fraction * (1.0 - fraction) * vcs_plain_variance(window, turnover);
    return plain > 0.0 ? vcs_min(vcs_max(turnover * (variance / plain), VCS_MIN_ON), VCS_MAX_SECONDS) : VCS_MIN_ON;
}

vcs_mean_spells vcs_spells_by_hours(const vcs_hourly *host, double now, double window) {
    const double until = now + vcs_min(window, VCS_MAX_SECONDS);
    const double seconds = until - now, past = vcs_turnover(host->spells); /* as rounded as the hours are */
    if (!(seconds > 0.0) || window == VCS_INFINITY) {
        return host->spells;
    }
    const vcs_stretch hours = vcs_stretch_between(host, past, now, until);
    const double plain = vcs_min(hours.on / seconds, 1.0);
    const double turnover = turnover_of(hours.variance, plain, past, seconds);
    double fraction = plain;
    if (seconds > turnover * LEAST_PART) {
        const double mean = hours.on + (1.0 - vcs_fraction_at(host, now)) * hours.before;
        const double longer = vcs_plain_sum(seconds, turnover);
        fraction = (mean - longer) / (seconds - longer);
    }
    fraction = vcs_max(fraction, LEAST_FRACTION);
    if (!(fraction < 1.0)) {
        return (vcs_mean_spells){VCS_INFINITY, 0.0};
    }
    return (vcs_mean_spells){vcs_min(turnover / (1.0 - fraction), VCS_MAX_SECONDS),
                             vcs_min(turnover / fraction, VCS_MAX_SECONDS)};
}

int vcs_hours_spells(const vcs_array *hours, double on, double off, double now, double window, double *on_within,
                     double *off_within) {
    double fractions[VCS_HOURS_OF_WEEK];
    vcs_hourly host = {.spells = {on, off}, .fractions = fractions};
    int code = vcs_first_error(vcs_check_hours(hours), vcs_check_spells(host.spells));
    code = vcs_first_error(code, vcs_check_time(now));
    code = vcs_first_error(code, window == window ? VCS_OK : VCS_ERR_NOT_FINITE);
    code = vcs_first_error(code, on_within == NULL || off_within == NULL ? VCS_ERR_NULL : VCS_OK);
    if (code == VCS_OK) {
        vcs_fractions_of_hours(hours, host.spells, fractions);
        host.count = hours->count;
        const vcs_mean_spells within = vcs_spells_by_hours(&host, now, window);
        *on_within = within.on;
        *off_within = within.off;
    }
    return code;
}
