/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_hours.h"

#include <math.h>
#include <string.h>

/* A part of an hour, and what is left of the past when it begins. */
typedef struct part {
    double seconds, p, border;
} part;

static double turnover(double on, double off) {
    return fmax(on == (double)INFINITY ? off : on * off / (on + off), VCS_MIN_ON);
}

/* The fractions of the hours of a day or of a week: p of the period, from those that are expected. */
static void learn(const vcs_hour *hours, uint32_t count, uint32_t period, double turn, const double *before,
                  double *p) {
    const double d = exp(-3600.0 * period / turn);
    double squares = 0, by_chance = 0;
    for (uint32_t k = 0; k < period; k++) {
        double on = 0, seen = 0;
        for (uint32_t i = k; i < count; i += period) {
            on += hours[i].on;
            seen += hours[i].on + hours[i].off;
        }
        p[k] = (on + 1800 * before[k % 24]) / (seen + 1800);
        squares += pow(p[k] - before[k % 24], 2);
        by_chance += p[k] * (1 - p[k]) * 3600 / (seen + 1800) * (1 + d) / (1 - d);
    }
    for (uint32_t k = 0; k < period; k++) {
        const double w = squares > by_chance ? (squares - by_chance) / squares : 0;
        p[k] = before[k % 24] + w * (p[k] - before[k % 24]);
    }
}

void oracle_hour_fractions(const vcs_hour *hours, uint32_t count, double on, double off, double *p) {
    double always[24], daily[24];
    for (int k = 0; k < 24; k++) {
        always[k] = on == (double)INFINITY ? 1 : on / (on + off);
    }
    learn(hours, count, 24, turnover(on, off), always, daily);
    if (count == 24) {
        memcpy(p, daily, sizeof daily);
    } else {
        learn(hours, count, 168, turnover(on, off), daily, p);
    }
}

double oracle_fraction_at(const double *p, uint32_t count, double moment) {
    const double period = 3600.0 * count, since = fmod(fmod(floor(moment / 3600) * 3600, period) + period, period);
    return p[(int)(since / 3600)];
}

/* Cuts the time up to and with `until`; returns how many parts there are. */
static int cut(const double *p_of, uint32_t count, double from, double until, part *parts) {
    int n = 0;
    for (double t = from; t <= until; n++) {
        const double next = floor(t / 3600) * 3600 + 3600, p = oracle_fraction_at(p_of, count, t);
        const double before = n > 0 ? parts[n - 1].p : p;
        parts[n] = (part){fmin(next, until) - t, p, p > before ? (1 - p) / (1 - before) : p < before ? p / before : 1};
        t = next;
    }
    return n;
}

static double sum_of_d(double seconds, double t) {
    return -t * expm1(-seconds / t);
}

/* In long double, so that nothing cancels for the turnovers that tests have. */
static double plain_variance(double seconds, double t) {
    const long double x = (long double)seconds / t;
    return x < 1e-3L ? (double)((long double)seconds * seconds * (1 - x / 3 + x * x / 12 - x * x * x / 60))
                     : (double)(2.0L * t * t * (x + expm1l(-x)));
}

static double variance(const part *parts, int n, double t) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const double d = parts[i].p * (1 - parts[i].p);
        double between = 1;
        sum += d * plain_variance(parts[i].seconds, t);
        for (int j = i + 1; j < n; j++) {
            between *= parts[j].border;
            sum += 2 * d * sum_of_d(parts[i].seconds, t) * between * sum_of_d(parts[j].seconds, t);
            between *= exp(-parts[j].seconds / t);
        }
    }
    return sum;
}

void oracle_hours_spells(const vcs_hour *hours, uint32_t count, double now, double window, double *on, double *off) {
    static part parts[ORACLE_MOST_HOURS + 2];
    if (window <= 0 || window == (double)INFINITY) {
        return;
    }
    window = now + window - now; /* times are rounded */
    double p_of[168];
    oracle_hour_fractions(hours, count, *on, *off, p_of);
    const int n = cut(p_of, count, now, now + window, parts);
    const double t = turnover(*on, *off);
    double sum = 0, left = 1, surplus = 0;
    for (int i = 0; i < n; i++) {
        sum += parts[i].p * parts[i].seconds;
        left *= parts[i].border;
        surplus += left * sum_of_d(parts[i].seconds, t);
        left *= exp(-parts[i].seconds / t);
    }
    const double plain = sum / window, v0 = plain * (1 - plain) * plain_variance(window, t);
    const double other = v0 > 0 ? fmin(fmax(t * variance(parts, n, t) / v0, VCS_MIN_ON), 1e12) : VCS_MIN_ON;
    const double m = sum + (1 - parts[0].p) * surplus, b = sum_of_d(window, other);
    const double a = fmax(window > other * 0x1p-10 ? (m - b) / (window - b) : plain, 1e-9);
    *on = a < 1 ? fmin(other / (1 - a), 1e12) : (double)INFINITY;
    *off = a < 1 ? fmin(other / a, 1e12) : 0;
}

double oracle_hours_risk(const vcs_hour *hours, uint32_t count, double on, double off, double now, double h,
                         double deadline) {
    static part parts[ORACLE_MOST_HOURS + 2];
    const double t = turnover(on, off);
    double p_of[168];
    oracle_hour_fractions(hours, count, on, off, p_of);
    double left = 1 - oracle_fraction_at(p_of, count, now), stays = 1;
    int n = cut(p_of, count, now, h, parts);
    for (int i = 0; i < n; i++) {
        left *= parts[i].border * exp(-parts[i].seconds / t);
    }
    n = cut(p_of, count, h, deadline, parts);
    for (int i = 0; i < n; i++) {
        const double rises = i > 0 && parts[i].p > parts[i - 1].p ? parts[i].border : 1;
        stays *= rises * exp(-parts[i].p * parts[i].seconds / t);
    }
    return fmax(0, 1 - oracle_fraction_at(p_of, count, h) - left) * stays;
}
