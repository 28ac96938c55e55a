/*
 * A stretch of time of a host that is on at some hours rather than at others: what it adds to the mean and the variance
 * of the time for which the host is on, and what is left of a past beyond it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHANCE_STRETCH_H
#define VCS_CHANCE_STRETCH_H

#include "vcsched/chance/hourly.h"

/*
 * With p(s), the fraction of its hour, and D(s, u), by how much being on at u depends on being so at s, for s and u in
 * the stretch. Sums are integrals.
 */
typedef struct vcs_stretch {
    double on;       /* sum of p, s */
    double variance; /* twice the sum of p(s) * (1 - p(s)) * D(s, u) over s < u, s^2 */
    double before;   /* sum of D(beginning, u), s */
    double after;    /* sum of p(s) * (1 - p(s)) * D(s, end), s */
    double kept;     /* D(beginning, end) */
    double rises;    /* product of (1 - q) / (1 - p) over the borders of hours at which p rises to q */
} vcs_stretch;

/* T: how long the past counts, s; never 0. */
double vcs_turnover(vcs_mean_spells spells);

/* The stretch between two moments, from < until, of which the border of an hour at its end is part. O(hours). */
vcs_stretch vcs_stretch_between(const vcs_hourly *host, double turnover, double from, double until);

/* The variance of the time for which a host is on within so many seconds, / (p * (1 - p)), if p is always the same. */
double vcs_plain_variance(double seconds, double turnover);

/* The sum of D over so many seconds, if p is always the same. */
double vcs_plain_sum(double seconds, double turnover);

/* The fraction of the hour that a moment is in. */
double vcs_fraction_at(const vcs_hourly *host, double moment);

#endif
