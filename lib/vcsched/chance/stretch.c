/*
 * Stretches of time of a host that is on at some hours rather than at others.
 *
 * Rule 15.8; the plain reference is tests/oracle/oracle_hours.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/chance/stretch.h"

#include "vcsched/chance/hour_of.h"
#include "vcsched/core/number.h"

#include <vcsched/chance.h>

/* ---- Hours that are all alike ---- */

double vcs_turnover(vcs_mean_spells spells) {
    const double on = spells.on == VCS_INFINITY ? 1.0 : spells.on / (spells.on + spells.off);
    return vcs_max(on * spells.off, VCS_MIN_ON);
}

double vcs_plain_sum(double seconds, double turnover) {
    return -turnover * vcs_exp2m1(-seconds / turnover * VCS_LOG2_E);
}

/* 2 * (x - 1 + e^-x) / x^2 for small x, where the terms would cancel. */
static double part_of_square(double x) {
    return 1.0 - x / 3.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0 * (1.0 - x / 6.0 * (1.0 - x / 7.0 * (1.0 - x / 8.0)))));
}

double vcs_plain_variance(double seconds, double turnover) {
    const double x = seconds / turnover;
    return x < 0.0625 ? seconds * seconds * part_of_square(x)
                      : 2.0 * turnover * (seconds - vcs_plain_sum(seconds, turnover));
}

/* ---- One after the other ---- */

/* What stretches have in common that are equally long, whatever the fraction. */
typedef struct pace {
    double seconds, sum, variance, kept;
} pace;

static pace pace_of(double seconds, double turnover) {
    const double sum = vcs_plain_sum(seconds, turnover);
    return (pace){seconds, sum, vcs_plain_variance(seconds, turnover), 1.0 - sum / turnover};
}

static vcs_stretch join(vcs_stretch first, vcs_stretch second) {
    return (vcs_stretch){
        .on = first.on + second.on,
        .variance = first.variance + second.variance + 2.0 * first.after * second.before,
        .before = first.before + first.kept * second.before,
        .after = first.after * second.kept + second.after,
        .kept = first.kept * second.kept,
        .rises = first.rises * second.rises,
    };
}

/* So many times the same, one after the other; at least once. */
static vcs_stretch repeat(vcs_stretch one, uint64_t times) {
    vcs_stretch all = one;
    for (times--; times > 0; times >>= 1) {
        if (times & 1) {
            all = join(all, one); /* all are the same, so their order does not matter */
        }
        one = join(one, one);
    }
    return all;
}

static vcs_stretch within_hour(double fraction, pace p) {
    const double deviation = fraction * (1.0 - fraction);
    return (vcs_stretch){fraction * p.seconds, deviation * p.variance, p.sum, deviation * p.sum, p.kept, 1.0};
}

/* An hour, or its beginning, and the border before it. */
static vcs_stretch enter(const vcs_hourly *host, int64_t hour, pace p) {
    const double before = host->fractions[vcs_hour_of(hour - 1, host->count)];
    const double now = host->fractions[vcs_hour_of(hour, host->count)];
    vcs_stretch border = {0.0, 0.0, 0.0, 0.0, 1.0, 1.0};
    if (now > before) {
        border.kept = border.rises = (1.0 - now) / (1.0 - before);
    } else if (now < before) {
        border.kept = now / before;
    }
    return join(border, within_hour(now, p));
}

static vcs_stretch whole_hours(const vcs_hourly *host, int64_t first, uint32_t count, pace hour) {
    vcs_stretch all = enter(host, first, hour);
    for (uint32_t i = 1; i < count; i++) {
        all = join(all, enter(host, first + i, hour));
    }
    return all;
}

double vcs_fraction_at(const vcs_hourly *host, double moment) {
    return host->fractions[vcs_hour_of(vcs_hour_at(moment), host->count)];
}

vcs_stretch vcs_stretch_between(const vcs_hourly *host, double turnover, double from, double until) {
    int64_t hour = vcs_hour_at(from) + 1;
    const double fraction = vcs_fraction_at(host, from), border = vcs_hour_begins(hour);
    vcs_stretch all = within_hour(fraction, pace_of(vcs_min(border, until) - from, turnover));
    if (!(border <= until)) {
        return all;
    }
    const pace whole = pace_of(VCS_HOUR, turnover);
    const uint64_t periods = vcs_periods_between(border, until, host->count);
    if (periods > 0) {
        all = join(all, repeat(whole_hours(host, hour, host->count, whole), periods));
        hour += (int64_t)(periods * host->count);
    }
    for (; vcs_hour_begins(hour + 1) <= until; hour++) {
        all = join(all, enter(host, hour, whole));
    }
    return join(all, enter(host, hour, pace_of(vcs_max(until - vcs_hour_begins(hour), 0.0), turnover)));
}
