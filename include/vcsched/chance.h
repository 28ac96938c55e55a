/*
 * Chances: how likely a task is to be done in time on a host that is on and off by turns (rule 15).
 *
 * A host is on for a while, off for a while, and so on. Its *spells* are known by two means: `on`, the mean length of a
 * spell for which it is on and computes, and `off`, that of a spell for which it does not. A fraction of time says
 * less. Take jobs of ten hours that are due in 18, and hosts that are on for half of the time and on when the jobs
 * come: 36 in 100 are done in time if both means are an hour, and 94 if both are a week.
 *
 *   spells    what a client has seen of its host: vcs_spells_add(), vcs_spells_means()
 *   chances   of a task: vcs_chance_to_finish()
 *   reports   when a result must be reported: vcs_report_latest()
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

/* ---- Spells ---- */

/* The shortest mean of the spells for which a host is on, in seconds. */
#define VCS_MIN_ON 1e-3

/* Before a client has seen any, spells of being on count as two of this many seconds: 4 hours. */
#define VCS_PRIOR_ON 14400.0

/* From so many spells of being off on, their mean is what was seen; before, it follows from the fraction of time. */
#define VCS_OFF_SPELLS_NEEDED 6u

/* The whole spells that a client has seen of its host. In/out. All zero = none. 40 bytes. Since 0.1. */
typedef struct vcs_spells {
    double on_total;      /* length of all for which it was on, s, 0 ... 1e15 */
    double off_total;     /* length of all for which it was off, s, 0 ... 1e15 */
    uint32_t on_count;    /* how many times it was on */
    uint32_t off_count;   /* how many times it was off */
    uint64_t reserved[2]; /* 0 */
} vcs_spells;

/*
 * Counts a spell that has ended. The spell that still goes on does not count, however long it is.
 *
 * spells    in/out. A record that could not hold the sum, or has counted 2^32 - 1 such spells, stays as it is
 * was_on    1: the host was on; 0: it was off; anything else is VCS_ERR_FLAGS
 * seconds   how long, 0 ... 1e12
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the
 * record is unchanged. Thread-safe. O(1).
 */
VCS_API int vcs_spells_add(vcs_spells *spells, uint32_t was_on, double seconds);

/*
 * The mean spells, for the functions below (rule 15.1).
 *
 * spells     what was seen
 * fraction   of time for which the host is on, 0 ... 1, such as vcs_usable.fraction; 0 = not known, counts as 1
 * on         the answer, s: (on_total + 2 * VCS_PRIOR_ON) / (on_count + 2), VCS_MIN_ON ... 1e12
 * off        the answer, s, 0 ... 1e12: g = on * (1 - fraction) / fraction, by which the host is on for that fraction;
 *            from VCS_OFF_SPELLS_NEEDED on, (off_total + 2 * g) / (off_count + 2)
 *
 * A host of which no spell was seen and whose fraction is 1 is never off.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is written.
 * Thread-safe. O(1).
 */
VCS_API int vcs_spells_means(const vcs_spells *spells, double fraction, double *on, double *off);

/* ---- Chances ---- */

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

/* ---- Reports ---- */

/* A result is reported at least this long before its deadline, in seconds. */
#define VCS_REPORT_LEAD 60.0

/* The least risk that can be asked for: below, the answer would be lost in rounding. */
#define VCS_LEAST_RISK 1e-6

/*
 * The last moment at which a finished result must be reported, since the host might be off later and stay so until the
 * deadline has passed (rule 15.2).
 *
 * deadline   D: of the result, a time; +infinity = it has none
 * risk       e: the greatest chance that may be taken, VCS_LEAST_RISK ... 1; 0.02 is a good value
 * on         mean spell for which the host is on, s, VCS_MIN_ON ... 1e12; +infinity = it never goes off
 * off        mean spell for which it is off, s, 0 ... 1e12; 0 = it is never off
 * now        t: the present, a time within +-VCS_MAX_TIME; the host is on
 * latest     the answer, a time, not before `now`; +infinity if there is no deadline
 *
 * At h the host is off, and stays so until after D, with a chance of
 *
 *     off / (on + off) * (1 - e^(-(h - t) * (1 / on + 1 / off))) * e^(-(D - h) / off)
 *
 * which grows with h. The answer is the last h <= D - VCS_REPORT_LEAD at which it is at most e; `now` if that is past.
 * It is found by halving, 40 times: never too late, and too early by no more than a part in 10^12 of what is left.
 * Of many results the one with the earliest deadline must be reported first, so it is enough to ask for that one.
 *
 * The risk is that of one answer. A client that keeps the moment, and reports then or as soon as it is on again, is
 * late with that probability. If it asks again whenever it comes on, it reports less often, and takes the risk each
 * time: with e = 0.02, spells of 4 and 8 hours and 48 hours to the deadline, 0.043 of the results are late.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is written. Thread-safe. O(1):
 * at most 82 exponentials.
 */
VCS_API int vcs_report_latest(double deadline, double risk, double on, double off, double now, double *latest);

#ifdef __cplusplus
}
#endif

#endif
