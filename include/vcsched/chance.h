/*
 * Chances: how likely a task is to be done in time on a host that is on and off by turns (rule 15).
 *
 * A host is on for a while, off for a while, and so on. Its *spells* are known by two means: `on`, the mean length of a
 * spell for which it is on and computes, and `off`, that of a spell for which it does not. A fraction of time says
 * less. Take jobs of ten hours that are due in 18, and hosts that are on for half of the time and on when the jobs come:
 * 36 in 100 are done in time if both means are an hour, and 94 if both are a week.
 *
 * The functions decide nothing for others: no simulation and no decision of another header asks them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_CHANCE_H
#define VCSCHED_CHANCE_H

#include <vcsched/abi.h>
#include <vcsched/reason.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The shortest mean of the spells for which a host is on, in seconds. */
#define VCS_MIN_ON 1e-3

/*
 * The chance that a task is done in time, if it runs whenever the host is on (rule 15.1).
 *
 * remaining   r: how long it has to compute, device seconds on its processor, 0 ... 1e12
 * window      W: wall seconds from now to its deadline; at most 0 = the deadline has passed; +infinity = it has none.
 *             Any number but NaN
 * spread      of `remaining`: standard deviation / mean, 0 ... 1000; 0 = it is exact
 * on          mean spell for which the host is on, s, VCS_MIN_ON ... 1e12; +infinity = it never goes off
 * off         mean spell for which it is off, s, 0 ... 1e12; 0 = it is never off, whatever `on` says
 * chance      the answer, 0 ... 1
 *
 * P(r, W) = P[N >= M], where N and M are independent Poisson counts with means (W - r) / off and r / on. This is exact
 * if the host is on now, and spells are independent and exponential: M is how often it goes off while the task runs,
 * and only if fewer than M spells of being off end within the W - r seconds that it can spare is the task late. P = 0
 * for W <= r, except that a host that is never off has P = 1 for W >= r.
 *
 * With a spread c, five sizes stand for all: r * (1 + c * z) for z = -1.4, -0.53, 0, 0.53 and 1.4, the means of the
 * fifths of a normal distribution, rounded. Sizes that are not above 0 are left out. Of the five chances the mean is
 * taken, each weighted by its size: it is the fraction of such work that is done in time.
 *
 * P is off by less than 1e-14 + 4e-16 * sqrt(r / on) from the formula, as measured; chances below 1e-250 may be 0. So
 * where it should rise with W or fall with r it does, within twice that.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is written. Thread-safe. O(1):
 * at most 80 steps of a sum for each size, without a spread less than a microsecond.
 */
VCS_API int vcs_chance_to_finish(double remaining, double window, double spread, double on, double off,
                                 double *chance);

#ifdef __cplusplus
}
#endif

#endif
