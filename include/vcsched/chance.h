/*
 * Chances: how likely a task is to be done in time on a host that is on and off by turns (rule 15).
 *
 * A host is on for a while, off for a while, and so on. Its *spells* are known by two means: `on`, the mean length of a
 * spell for which it is on and computes, and `off`, that of a spell for which it does not. A fraction of time says
 * less. Take jobs of ten hours that are due in 18, and hosts that are on for half of the time and on when the jobs
 * come: 36 in 100 are done in time if both means are an hour, and 94 if both are a week.
 *
 *   spells         what a client has seen of its host: vcs_spells_add(), vcs_spells_means()
 *   hours          where it is on at some hours rather than at others: vcs_hours_add(), vcs_hours_spells()
 *   chances        of a task: vcs_chance_to_finish()
 *   reports        when a result must be reported: vcs_report_latest(), vcs_hours_report_latest()
 *   giving up      whether a task is stopped for good: vcs_give_up()
 *   admission      whether a job is taken: vcs_admit_by_chance(), vcs_chance_margin()
 *
 * On a whole host, vcs_admit(), vcs_send() and vcs_fetch() decide by chances if vcs_parameters.work_send or work_fetch
 * says so, and vcs_schedule() gives tasks up by them if give_up says so. No other function uses them.
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

/* The fewest spells of being off whose mean counts; with fewer, it follows from the fraction of time. */
#define VCS_OFF_SPELLS_NEEDED 6u

/* The whole spells that a client has seen of its host. In/out. All zero = none. 40 bytes. Since 1.0. */
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
 * off        the answer, s, 0 ... 1e12: g = on * (1 - fraction) / fraction, with which the host is on for that
 *            fraction; with VCS_OFF_SPELLS_NEEDED spells or more, (off_total + 2 * g) / (off_count + 2)
 *
 * A host of which no spell was seen and whose fraction is 1 is never off.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is written.
 * Thread-safe. O(1).
 */
VCS_API int vcs_spells_means(const vcs_spells *spells, double fraction, double *on, double *off);

/* ---- Hours ---- */

/* How many hours a host has by the hours of a day */
#define VCS_HOURS_OF_DAY 24u

/* How many it has by the hours of a week */
#define VCS_HOURS_OF_WEEK 168u

/* How much of what was seen in it an hour remembers, in seconds: 30 hours, from 30 days or 30 weeks. */
#define VCS_HOUR_MEMORY 108000.0

/*
 * For how long a client has seen its host on, and off, in one hour of the day or of the week. In/out. All zero = not
 * seen. 24 bytes. Since 1.0.
 *
 * A host has an array of 24 or 168. Hour k of n is the time from 3600 * k to 3600 * (k + 1), and again after each
 * 3600 * n seconds, on the clock of `now`: with Unix time, hour 0 begins at midnight UTC, of a Thursday if n is 168.
 */
typedef struct vcs_hour {
    double on;            /* s, 0 ... VCS_MAX_SECONDS */
    double off;           /* s, likewise */
    uint64_t reserved[1]; /* 0 */
} vcs_hour;

/*
 * Counts a time for which the host was on, or off, in the hours that it covers. It need not be a whole spell. What an
 * hour has seen is scaled down to VCS_HOUR_MEMORY, so that it forgets old habits.
 *
 * hours     in/out: vcs_hour[], 24 or 168 of them
 * was_on    1: the host was on; 0: it was off; anything else is VCS_ERR_FLAGS
 * began     a time within +-VCS_MAX_TIME
 * ended     a time, from 0 to 1e12 s after `began`
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_COUNT for another number of hours, VCS_ERR_FLAGS,
 * VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the hours are unchanged. Thread-safe. O(hours), however long it was.
 */
VCS_API int vcs_hours_add(const vcs_array *hours, uint32_t was_on, double began, double ended);

/*
 * The mean spells within a window, to put in the place of those of all the time: in vcs_chance_to_finish(), in the
 * terms of vcs_give_up() and vcs_admit_by_chance(), and in vcs_chance_margin() (rule 15.8).
 *
 * hours        vcs_hour[], 24 or 168 of them
 * on           m: mean spell for which the host is on, s, VCS_MIN_ON ... 1e12; +infinity = it never goes off
 * off          f: mean spell for which it is off, s, 0 ... 1e12
 * now          t: the present, a time within +-VCS_MAX_TIME; the host is on
 * window       W: from now to the deadline, s; any number but NaN. At most 0, and +infinity, leave m and f as they are
 * on_within    the answer, s, VCS_MIN_ON ... 1e12 or +infinity
 * off_within   the answer, s, 0 ... 1e12
 *
 * With a = m / (m + f) and the turnover T = m * f / (m + f):
 *
 *   1. Of each hour of the day r = (on + 1800 * a) / (on + off + 1800) was seen, as though half an hour of all the time
 *      had been seen besides. The host is on for the fraction p = a + w * (r - a) of it. Of the squares of r - a,
 *      chance makes about r * (1 - r) * 3600 / (on + off + 1800) * (1 + d) / (1 - d), with d = e^(-24 h / T) from day
 *      to day; w is the part of the sum of all squares that is above the sum of these, or 0. So a host without habits
 *      goes by its spells. An hour of the week is learned likewise, with the p of the same hour of all seven days
 *      together in the place of a, and d = e^(-168 h / T).
 *   2. Between two moments s < u, its being on depends on itself as D(s, u) = e^(-(u - s) / T), times (1 - q) / (1 - p)
 *      wherever p rises to q at the border of an hour between them, and q / p wherever it falls to q. So it is the host
 *      that comes on and goes off as seldom as the hours allow, and besides as it does by its spells.
 *   3. From t on, the time for which it is on within W has the mean M = the sum of p over W + (1 - p(t)) * the sum of
 *      D(t, s); without the knowledge that it is on at t, it has the variance V = twice the sum of
 *      p(s) * (1 - p(s)) * D(s, u) over all s < u. Sums are integrals, cut at the borders of hours.
 *   4. Spells whose on time has that mean, and its variance: T' = T * V / V0, where V0 is the variance of a host with
 *      T that is on for the same fraction of W at all hours; B = T' * (1 - e^(-W / T')), by which such a host that is
 *      on at t is on for longer; a' = (M - B) / (W - B), at least 1e-9, or the sum of p / W where W < T' / 1024; then
 *      the answers are T' / (1 - a') and T' / a'. T' is 0.001 ... 1e12.
 *
 * If all hours are alike, these are the spells as given. Where p is 0 or 1 for whole hours, they are short, so that the
 * on time is certain. As measured against the process of step 2, computed minute by minute, the chance to finish is off
 * by 0.02 on average and by 0.15 at most where p varies smoothly over the day. Where it changes by half within an hour,
 * it is off by 0.05 on average, but that of a job that would end just then by up to 0.7: only two moments are kept.
 *
 * Rounding changes the chance to finish by less than 1e-8, as measured. Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*,
 * VCS_ERR_COUNT, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is written. Thread-safe. O(hours): windows of
 * more than a day or week take no more than 80 steps longer, of 20 operations.
 */
VCS_API int vcs_hours_spells(const vcs_array *hours, double on, double off, double now, double window,
                             double *on_within, double *off_within);

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
 * As measured, P differs from the formula by less than 1e-14 + 4e-16 * sqrt(r / on), and chances below 1e-250 may be 0.
 * So it may fall where it should rise with W, or rise where it should fall with r, but by no more than twice that.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is written. Thread-safe. O(1):
 * at most 80 steps of a sum for each size, without a spread less than a microsecond.
 */
VCS_API int vcs_chance_to_finish(double remaining, double window, double spread, double on, double off,
                                 double *chance);

/* ---- Reports ---- */

/* A result is reported at least this long before its deadline, in seconds. */
#define VCS_REPORT_LEAD 60.0

/* The least risk that can be asked for: with less, the answer would be lost in rounding. */
#define VCS_MIN_RISK 1e-6

/*
 * The last moment at which a finished result must be reported, since the host might be off later and stay so until the
 * deadline has passed (rule 15.2).
 *
 * deadline   D: of the result, a time; +infinity = it has none
 * risk       e: the greatest chance that may be taken, VCS_MIN_RISK ... 1; 0.02 is a good value
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

/*
 * The same for a host that is on at some hours rather than at others (rule 15.8). At h it is off, and stays so until
 * after the deadline, with a chance of
 *
 *     (1 - p(h) - (1 - p(t)) * D(t, h)) * e^(-(sum of p from h to the deadline) / T) * R
 *
 * where p, D and T are those of vcs_hours_spells(), and R is the product of (1 - q) / (1 - p) over all borders of hours
 * between h and the deadline at which p rises to q. Before an evening after which the host is off until the deadline,
 * this says to report in the evening.
 *
 * hours   vcs_hour[], 24 or 168 of them; the other arguments are those of vcs_report_latest()
 *
 * Returns what vcs_report_latest() returns, a VCS_ERR_ABI_*, or VCS_ERR_COUNT for another number of hours. On an error
 * nothing is written. Thread-safe. O(hours): 82 passes.
 */
VCS_API int vcs_hours_report_latest(const vcs_array *hours, double deadline, double risk, double on, double off,
                                    double now, double *latest);

/* ---- Giving up ---- */

/* vcs_give_up_terms.flags */
#define VCS_GIVE_UP_FORBIDDEN 0x1u /* the project forbids it: the task is kept, and the reason says so */

/* vcs_give_up_terms.rule: which tasks are given up, by their chance P(remaining, window) */
#define VCS_GIVE_UP_BY_CHANCE 1u /* it is below `threshold`. The work already done counts for nothing, so long jobs are
                                    given up more often than short ones */
#define VCS_GIVE_UP_BY_SIZE 2u   /* it is below `threshold` times what the same time would be worth for a new job of the
                                    kind. Long jobs are given up no more often than short ones */

/* A task and the terms on which it is given up. Fill it with vcs_give_up_init(). 88 bytes. Since 1.0. */
typedef struct vcs_give_up_terms {
    uint32_t struct_size; /* bytes; set by vcs_give_up_init() */
    uint32_t flags;       /* VCS_GIVE_UP_FORBIDDEN or 0 */
    uint32_t rule;        /* VCS_GIVE_UP_BY_* */
    uint32_t reserved0;   /* 0 */
    double deadline;      /* a time; +infinity = none, default */
    double remaining;     /* r: device seconds that it has still to compute, 0 ... VCS_MAX_SECONDS */
    double total;         /* by size: device seconds of the whole job, 0 ... VCS_MAX_SECONDS; less than `remaining`
                             counts as `remaining`. By chance: ignored */
    double bound;         /* by size: from receipt to deadline, s, 0 or more; +infinity = no deadline, default. By
                             chance: ignored */
    double on;            /* mean spell for which the host is on, s, VCS_MIN_ON or more; +infinity = default */
    double off;           /* mean spell for which it is off, s, 0 ... VCS_MAX_SECONDS; 0 = it is never off, default */
    double threshold;     /* 0 ... 1; default 0.1 by chance, 0.9 by size; 0 = only what cannot be done in time at all */
    uint64_t reserved[2]; /* 0 */
} vcs_give_up_terms;

/*
 * A task without a deadline on a host that is never off, and the default threshold of a rule.
 *
 * terms   written up to `size` bytes; untouched on an error
 * size    sizeof(vcs_give_up_terms) of the caller
 * rule    VCS_GIVE_UP_BY_*
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER, or VCS_ERR_FLAGS for an unknown rule. Thread-safe.
 * O(1).
 */
VCS_API int vcs_give_up_init(vcs_give_up_terms *terms, uint32_t size, uint32_t rule);

/*
 * Whether a task should be stopped for good, because it will not be done in time (rule 15.3). With W = deadline - now
 * and P as in vcs_chance_to_finish(), the first that holds:
 *
 *   W <= 0                                      VCS_REASON_DEADLINE_OVER
 *   remaining > W                               VCS_REASON_TIME_TOO_SHORT
 *   by chance: P(remaining, W) < threshold      VCS_REASON_UNLIKELY
 *   by size: P(remaining, W) < threshold * remaining / total * P(total, bound)
 *                                               VCS_REASON_NEW_JOB_BETTER
 *   else it is kept                             VCS_REASON_KEPT
 *
 * With VCS_GIVE_UP_FORBIDDEN it is kept in any case: VCS_REASON_KEPT_FOR_PROJECT where it would be given up otherwise.
 *
 * terms     the task and the terms
 * now       the present, a time within +-VCS_MAX_TIME
 * give_up   set to 1 if it should be given up, else to 0
 * reason    VCS_REASON_*; may be NULL
 * chance    P(remaining, W); may be NULL
 * error     what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error
 * nothing is written. Thread-safe. O(1).
 */
VCS_API int vcs_give_up(const vcs_give_up_terms *terms, double now, uint32_t *give_up, uint32_t *reason,
                        double *chance, vcs_error *error);

/* ---- Admission ---- */

/* vcs_admit_terms.flags */
#define VCS_ADMIT_IDLE 0x1u /* a processor that could run the job has nothing to do */

/* A job, the host's state, and the terms of admission. Fill it with vcs_admit_init(). 128 bytes. Since 1.0. */
typedef struct vcs_admit_terms {
    uint32_t struct_size; /* bytes; set by vcs_admit_init() */
    uint32_t flags;       /* VCS_ADMIT_IDLE or 0 */
    double remaining;     /* r: device seconds that the job takes, 0 ... VCS_MAX_SECONDS */
    double window;        /* W: from now to its deadline, s; +infinity = it has none, default */
    double wait;          /* device seconds for which a processor is busy with work due earlier: that work / processors;
                             0 if one is free; 0 ... VCS_MAX_SECONDS */
    double spread;        /* of `remaining`: standard deviation / mean, 0 ... 1000; 0 = exact */
    double on;            /* mean spell for which the host is on, s, VCS_MIN_ON or more; +infinity = default */
    double off;           /* mean spell for which it is off, s, 0 ... VCS_MAX_SECONDS; 0 = it is never off, default */
    double best;          /* greatest chance, P(r, W) without a wait, of the kinds of job that the host can get,
                             0 ... 1; 0 = no other kind is known */
    double least_margin;  /* least margin of the waiting tasks that would be behind the job and have one,
                             see vcs_chance_margin(), 0 or more; +infinity = no such task, default */
    double added;         /* device seconds by which these finish later: r / processors, 0 ... VCS_MAX_SECONDS */
    double below_best;    /* how much worse than `best` it may be, 0 ... 1; default 0.2 */
    double max_loss;      /* how much of its chance the wait may cost, 0 ... 1; default 0.05 */
    double give_up_below; /* chance below which tasks are given up, as in vcs_parameters, 0 ... 1; default 0.1 */
    double floor_above;   /* how much more chance a job must have to be admitted at all, 0.01 ... 1; default 0.05, so
                             that the floor is 0.15 */
    uint64_t reserved[2]; /* 0 */
} vcs_admit_terms;

/*
 * A job without a deadline on a host that is never off, and the default terms.
 *
 * terms   written up to `size` bytes; untouched on an error
 * size    sizeof(vcs_admit_terms) of the caller
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE or VCS_ERR_ABI_OLDER. Thread-safe. O(1).
 */
VCS_API int vcs_admit_init(vcs_admit_terms *terms, uint32_t size);

/*
 * Whether a job should be taken, by its chance to be done in time (rule 15.5). With P as in vcs_chance_to_finish(), the
 * chance p = P(r, W) and p' = P(wait + r, W), and floor = min(1, give_up_below + floor_above), the first that holds:
 *
 *   p < floor, or with a spread
 *   the chance of the estimate
 *   itself < floor              refused        VCS_REASON_SMALL_CHANCE
 *   p < best - below_best       not by right   VCS_REASON_SMALLER_CHANCE
 *   p' < p - max_loss           not by right   VCS_REASON_WAIT_COSTS
 *   added > least_margin        not by right   VCS_REASON_TAKES_MARGIN
 *   else it is admitted                        VCS_REASON_LIKELY
 *
 * With VCS_ADMIT_IDLE a job that is not admitted by right is admitted all the same: VCS_REASON_FOR_IDLE.
 *
 * The floor is always above the chance below which tasks are given up. So no job is admitted, given up at once, and
 * asked for anew, for ever. A task is given up by its estimate, whatever the spread of sizes; so the chance of the
 * estimate must not be below the floor either.
 *
 * terms      the job, the host's state and the terms
 * admitted   set to 1 if it is admitted, else to 0
 * reason     VCS_REASON_*; may be NULL
 * chance     p; may be NULL
 * waiting    p'; may be NULL
 * error      what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error
 * nothing is written. Thread-safe. O(1).
 */
VCS_API int vcs_admit_by_chance(const vcs_admit_terms *terms, uint32_t *admitted, uint32_t *reason, double *chance,
                                double *waiting, vcs_error *error);

/*
 * How much later a waiting task could finish without much risk (rule 15.5): device seconds that the host computes until
 * the deadline, less a standard deviation of them, less those after which the task is done. With a = on / (on + off):
 *
 *     margin = a * W - a * off * sqrt(2 * a * W / on) - finish        the root is 0 for W <= 0
 *
 * window   W: from now to its deadline, s, within +-VCS_MAX_TIME, or +infinity: the margin is infinite, too
 * finish   device seconds after which it is done, of the work before it and its own, 0 ... VCS_MAX_SECONDS
 * on       mean spell for which the host is on, s, VCS_MIN_ON ... 1e12; +infinity = it never goes off
 * off      mean spell for which it is off, s, 0 ... 1e12; 0 = it is never off
 * margin   the answer, s; below 0 = it has none
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is written. Thread-safe. O(1).
 */
VCS_API int vcs_chance_margin(double window, double finish, double on, double off, double *margin);

#ifdef __cplusplus
}
#endif

#endif
