/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_chance.h"

#include <math.h>
#include <stdlib.h>

/*
 * The distribution of a Poisson count over first ... first + length - 1: in proportion to 1 at its mode, then divided
 * by the sum, so that no factorial and no power is needed.
 */
static double *distribution(double mean, long first, long length) {
    double *p = calloc((size_t)length, sizeof *p);
    const long mode = (long)mean - first;
    double sum = 1;
    p[mode] = 1;
    for (long i = mode; i + 1 < length; i++) {
        sum += p[i + 1] = p[i] * mean / (double)(first + i + 1);
    }
    for (long i = mode; i > 0; i--) {
        sum += p[i - 1] = p[i] * (double)(first + i) / mean;
    }
    for (long i = 0; i < length; i++) {
        p[i] /= sum;
    }
    return p;
}

double oracle_at_least(double mean_n, double mean_m) {
    const double lesser = fmin(mean_n, mean_m), greater = fmax(mean_n, mean_m);
    const double apart = sqrt(greater) - sqrt(lesser);
    if (apart > 26) { /* e^(-26^2) is 1e-294 */
        return mean_n > mean_m;
    }
    const long first = (long)fmax(0, floor(lesser - 40 * sqrt(lesser) - 10));
    const long length = (long)(greater + 40 * sqrt(greater) + 200) - first;
    double *n = distribution(mean_n, first, length), *m = distribution(mean_m, first, length);
    double chance = 0, m_is_at_most_i = 0;
    for (long i = 0; i < length; i++) {
        m_is_at_most_i += m[i];
        chance += n[i] * m_is_at_most_i;
    }
    free(n);
    free(m);
    return chance;
}

double oracle_chance(double remaining, double window, double on, double off) {
    if (off == 0 && window == remaining) {
        return 1;
    }
    if (window <= remaining) {
        return 0;
    }
    if (off == 0 || on == (double)INFINITY || window == (double)INFINITY) {
        return 1;
    }
    return oracle_at_least((window - remaining) / off, remaining / on);
}

double oracle_spread_chance(double wait, double remaining, double spread, double window, double on, double off) {
    static const double z[5] = {-1.4, -0.53, 0, 0.53, 1.4};
    double done = 0, offered = 0;
    for (int i = 0; i < 5; i++) {
        const double size = fmax(0, 1 + spread * z[i]);
        offered += size;
        done += size * oracle_chance(wait + size * remaining, window, on, off);
    }
    return done / offered;
}

double oracle_report_risk(double deadline, double on, double off, double now, double h) {
    if (off == 0) {
        return 0;
    }
    const double is_off = off / (on + off) * (1 - exp(-(h - now) * (1 / on + 1 / off)));
    return is_off * exp(-(deadline - h) / off);
}

static int is_hopeless(const vcs_give_up_terms *t, double window, double new_on, double new_off, uint32_t *reason) {
    const double p = oracle_chance(t->remaining, window, t->on, t->off);
    if (window <= 0) {
        *reason = VCS_REASON_DEADLINE_OVER;
        return 1;
    }
    if (t->remaining > window) {
        *reason = VCS_REASON_TIME_TOO_SHORT;
        return 1;
    }
    if (t->rule == VCS_GIVE_UP_BY_CHANCE && p < t->threshold) {
        *reason = VCS_REASON_UNLIKELY;
        return 1;
    }
    if (t->rule == VCS_GIVE_UP_BY_SIZE && t->remaining > 0) {
        const double total = fmax(t->total, t->remaining);
        const double new_job = oracle_chance(total, t->bound, new_on, new_off);
        if (p < t->threshold * (t->remaining / total) * new_job) {
            *reason = VCS_REASON_NEW_JOB_BETTER;
            return 1;
        }
    }
    return 0;
}

uint32_t oracle_give_up(const vcs_give_up_terms *terms, double now) {
    return oracle_give_up_within(terms, now, terms->on, terms->off);
}

uint32_t oracle_give_up_within(const vcs_give_up_terms *terms, double now, double new_on, double new_off) {
    uint32_t reason;
    if (!is_hopeless(terms, terms->deadline - now, new_on, new_off, &reason)) {
        return VCS_REASON_KEPT;
    }
    return terms->flags == VCS_GIVE_UP_FORBIDDEN ? VCS_REASON_KEPT_FOR_PROJECT : reason;
}

uint32_t oracle_admit_by_chance(const vcs_admit_terms *t) {
    const double p = oracle_spread_chance(0, t->remaining, t->spread, t->window, t->on, t->off);
    const double as_estimated = oracle_chance(t->remaining, t->window, t->on, t->off);
    const double waiting = oracle_spread_chance(t->wait, t->remaining, t->spread, t->window, t->on, t->off);
    const double floor = fmin(1, t->give_up_below + t->floor_above);
    const int has_some = fmin(p, as_estimated) >= floor, good_enough = has_some && p >= t->best - t->below_best;
    const int can_wait = waiting >= p - t->max_loss, harmless = t->added <= t->least_margin;
    if (good_enough && can_wait && harmless) {
        return VCS_REASON_LIKELY;
    }
    if (!has_some) {
        return VCS_REASON_SMALL_CHANCE;
    }
    if (t->flags == VCS_ADMIT_IDLE) {
        return VCS_REASON_FOR_IDLE;
    }
    if (!good_enough) {
        return VCS_REASON_SMALLER_CHANCE;
    }
    return !can_wait ? VCS_REASON_WAIT_COSTS : VCS_REASON_TAKES_MARGIN;
}

double oracle_margin(double window, double finish, double on, double off) {
    if (window == (double)INFINITY) {
        return window;
    }
    const double a = on == (double)INFINITY ? 1 : on / (on + off);
    const double deviation = window > 0 && off > 0 ? a * off * sqrt(2 * a * window / on) : 0;
    return a * window - deviation - finish;
}
