/*
 * Accounts and estimates: what projects have used, what they are owed, who comes first, and how long tasks take
 * (rules 1 and 2).
 *
 *   averages    work with recent work weighted most: vcs_average_add(), vcs_average_blend(), vcs_credits()
 *   debts       computing time owed to projects: vcs_debt_update()
 *   priority    the order of projects: vcs_rank()
 *   estimates   run times and their correction: vcs_estimate_remaining(), vcs_correction_update(), vcs_usable_update()
 *
 * Every record is the caller's: keep it between calls, for years if you like. It may be copied and saved.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_ACCOUNTS_H
#define VCSCHED_ACCOUNTS_H

#include <vcsched/abi.h>
#include <vcsched/parameters.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Averages ---- */

/*
 * Exponential averages of work come in two forms (rule 1.1). The plain form is a decaying sum: the CPU time that
 * resource debt divides by. The half-life form is a mean, work per day: REC, the recent estimated credit that
 * scheduling priority divides by.
 */

/*
 * One average. In/out. 32 bytes. Since 1.0.
 *
 * To start, zero it and set `time` to the present. The half-life form spreads the first work over the time since then.
 */
typedef struct vcs_average {
    double value;         /* work, in its own unit (plain form) or the same per day (half-life form); 0 ... 1e30 */
    double time;          /* when `value` was last brought up to date, a time within +-VCS_MAX_TIME */
    uint64_t reserved[2]; /* 0 */
} vcs_average;

/*
 * Plain form (rule 1.1, source S0): decays the average to the present, then adds the work.
 *
 *     value = value * exp(-dt * rate) + work        dt = now - average.time
 *
 * work   work done since the last call, 0 ... 1e30; 0 = only decay
 * rate   decay per second, 1e-12 ... 1; a factor of e per week is 1 / 604800, vcs_parameters.average_rate
 * now    the present, a time within +-VCS_MAX_TIME. If the clock went back, dt counts as 0 and the average continues
 *        from `now`
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE, or VCS_ERR_RANGE, also if the sum would leave
 * 0 ... 1e30. On an error the average is unchanged. Thread-safe. O(1).
 */
VCS_API int vcs_average_add(vcs_average *average, double work, double rate, double now);

/*
 * Half-life form (rule 1.1, source S4): moves the mean towards the rate of work since the last call.
 *
 *     value = value * w + (1 - w) * work / (dt / 86400)        w = 2^(-dt / half_life), dt = now - average.time
 *
 * 1 - w is evaluated without cancellation. As dt approaches 0, the second term approaches
 * ln(2) * work * 86400 / half_life, so a job that takes no time still counts.
 *
 * work        work done since the last call, 0 ... 1e30; for REC in credits, see vcs_credits(); 0 = only decay
 * half_life   seconds after which work counts half, 1 ... 1e12; vcs_parameters.rec_half_life
 * now         the present, a time within +-VCS_MAX_TIME. If the clock went back, dt counts as 0 and the average
 *             continues from `now`
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE, or VCS_ERR_RANGE, also if the mean would leave
 * 0 ... 1e30. On an error the average is unchanged. Thread-safe. O(1).
 */
VCS_API int vcs_average_blend(vcs_average *average, double work, double half_life, double now);

/*
 * Credits for an amount of computing, the unit of REC: a computer of 1e9 FLOPS earns 200 in a day (rule 1.1).
 *
 *     credits = operations * 200 / 86400e9
 *
 * operations   floating-point operations, peak FLOPS times device seconds; 0 ... 1e30
 * credits      the answer
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_credits(double operations, double *credits);

/* ---- Debts ---- */

/* The host owes each project computing time, in the short term and in the long term (rules 1.3 and 13.13). */

/* Short-term debt lies between minus and plus this, s. */
#define VCS_SHORT_TERM_DEBT_LIMIT 86400.0

/* vcs_debt.flags: which debts change */
#define VCS_DEBT_RUNNABLE 0x1u             /* the project has a task that could run in this interval */
#define VCS_DEBT_POTENTIALLY_RUNNABLE 0x2u /* it has one, or could be asked for one */

/*
 * The debts to one project. In/out: keep the debts between calls; set `used` and `flags` for each interval.
 * 64 bytes. Since 1.0.
 */
typedef struct vcs_debt {
    uint64_t id;          /* the caller's number, distinct; fixes the order of sums */
    double share;         /* resource share, any unit, 0 ... 1e30 */
    double used;          /* time its tasks used in this interval, instance-seconds of wall time, 0 ... 1e12; set to
                             0 once it has been charged */
    double short_term;    /* short-term debt, s, -1e12 ... 1e12 */
    double long_term;     /* long-term debt, s, -1e12 ... 1e12; below minus one scheduling period the project is
                             overworked (rule 1.3) */
    uint32_t flags;       /* VCS_DEBT_* */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_debt;

/* The interval of an update. 32 bytes. Since 1.0. */
typedef struct vcs_debt_interval {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* 0 */
    double period;        /* scheduling period, s, 1e-3 ... 1e12 */
    double elapsed;       /* wall time since the last update, off time included, s, within +-1e15 */
    uint64_t reserved[1]; /* 0 */
} vcs_debt_interval;

/*
 * Charges an interval (rules 1.3 and 13.13, source S2).
 *
 * debts      in/out: vcs_debt[], one for each project
 * interval   its length and the scheduling period
 * order      out: as many numbers as debts: the indices of the projects by id, which the sums need; may be NULL if
 *            there is none
 * error      what was refused, and where; may be NULL
 *
 * If the projects of a set together used the time A and have the shares R, then debt += A * share / R - used.
 *
 * Short-term debt: the set is the runnable projects. Their debts are then shifted to a mean of 0 and clamped to
 * +-VCS_SHORT_TERM_DEBT_LIMIT. The short-term debt of any other project becomes 0.
 *
 * Long-term debt: the set is the potentially runnable projects. The debts of all projects are then shifted to a mean
 * of 0. If all shares are 0, the time is owed in equal parts.
 *
 * An interval longer than two periods is dropped: the host was asleep or the program was not running, and no project is
 * owed for that. A negative interval is dropped too: the clock went back and the length is unknown. The debts then stay
 * as they are, but `used` becomes 0.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or VCS_ERR_OVERFLOW.
 * On an error nothing is changed. Thread-safe. O(n * log(n)) for n projects.
 */
VCS_API int vcs_debt_update(const vcs_array *debts, const vcs_debt_interval *interval, uint32_t *order,
                            vcs_error *error);

/* ---- Priority ---- */

/* The order of projects says whose turn it is to run, or to be asked for work (rules 1.2, 1.4, 1.5, 6.8). */

/* How to rank. Zero it, set struct_size, then the fields you need. 48 bytes. Since 1.0. */
typedef struct vcs_ranking {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* 0 */
    uint32_t rule;        /* VCS_RANK_*: what projects are compared by; see vcs_parameters.ranking */
    uint32_t reserved0;   /* 0 */
    double bump;          /* priority only: how long a picked task counts as having run, s, 0 ... 1e12 */
    double host_total;    /* priority only: the load at which the whole host is in use, in the unit of
                             vcs_rank_entry.load, 0 ... 1e30; 0 = loads do not count; less than 1e-12 counts
                             as 1e-12 */
    uint64_t reserved[2]; /* 0 */
} vcs_ranking;

/* vcs_rank_entry.flags */
#define VCS_RANK_ENTRY_INACTIVE 0x1u /* does not take part: counts in no sum, comes after all others */

/* A project to be ranked. All fields are checked; the rule decides which are used. 72 bytes. Since 1.0. */
typedef struct vcs_rank_entry {
    uint64_t id;            /* the caller's number, distinct; breaks ties, lower first, and fixes the order of sums */
    double share;           /* resource share, any unit, 0 ... 1e30; 0 = backup project, after projects with a share */
    double rec;             /* priority: recent work (REC), credits per day, 0 ... 1e30: of the project with global
                               accounting, of the project on the resource with local accounting */
    double exp_avg_cpu;     /* resource debt: decayed CPU time, s, 0 ... 1e30 */
    double debt;            /* debt: short-term or long-term, s, -1e12 ... 1e12 */
    double load;            /* priority: the tasks picked for it so far, each as CPUs + GPUs * (GPU FLOPS / CPU
                               FLOPS), 0 ... 1e12; 0 = none */
    int32_t priority_class; /* the caller's class: a higher one goes first, whatever the shares; may be negative */
    uint32_t flags;         /* VCS_RANK_ENTRY_* */
    uint64_t reserved[2];   /* 0 */
} vcs_rank_entry;

/*
 * Puts projects in order, best first.
 *
 * entries      vcs_rank_entry[], one for each project
 * ranking      how to rank
 * order        out: as many numbers as entries: the index of the best project, of the next, and so on; may be NULL if
 *              there is none
 * priorities   out: as many numbers as entries: what project i is compared by, greater = better; -infinity for an
 *              inactive one. May be NULL
 * error        what was refused, and where; may be NULL
 *
 * Projects are compared by, in this order: active before inactive; class, higher first; share > 0; the rule; id, lower
 * first.
 *
 * VCS_RANK_PRIORITY. The sums run over the active projects; a sum of 0 counts as 1:
 *     x        = rec + load * (sum of rec * (bump / 86400) / host_total)
 *     priority = -(x / sum of rec) / (share / sum of shares), or -(x / sum of rec) for a share of 0
 * So a task that was picked counts as if it had run for `bump` seconds more, and other projects go before its own.
 *
 * VCS_RANK_RESOURCE_DEBT: share / max(exp_avg_cpu, 1 s). Projects that never ran (exp_avg_cpu = 0) go before projects
 * that did, greatest share first. Projects with a share of 0 are compared by -max(exp_avg_cpu, 1 s).
 *
 * VCS_RANK_DEBT: the debt itself.
 *
 * A share below 1e-200 of the sum counts as 1e-200 of it. Between projects with the same id the lower index goes first;
 * only then does the order depend on the order of the records.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or VCS_ERR_OVERFLOW.
 * On an error neither `order` nor `priorities` is touched. Thread-safe. O(n * log(n)) for n projects.
 */
VCS_API int vcs_rank(const vcs_array *entries, const vcs_ranking *ranking, uint32_t *order, double *priorities,
                     vcs_error *error);

/* ---- Estimates ---- */

/*
 * Finished tasks correct the estimates of later ones (rules 2.1 to 2.4, 13.5, 13.9).
 *
 * Estimates are in device seconds, which pass only while a task has its processor, like vcs_task.remaining and
 * vcs_progress.elapsed. Wall seconds are clock time, and also pass while the host is off or busy with other work:
 * wall seconds = device seconds / vcs_resource.usable (rule 2.1).
 */

/* vcs_progress.flags */
#define VCS_PROGRESS_EXACT 0x1u /* its fraction done is exact, so what is left follows from its own speed so far */

/* The progress of a task. Zero it, set struct_size, then what you know. 72 bytes. Since 1.0. */
typedef struct vcs_progress {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_PROGRESS_* */
    double est_flops;     /* operations that the task is said to need, 0 ... 1e30 */
    double flops;         /* its expected speed on the processors it uses, FLOPS, 1e-3 ... 1e30 */
    double dcf;           /* correction factor of its project or application, 0 ... 1e6; 0 = none, counts as 1 */
    double efficiency;    /* CPU seconds it gets per device second, 0 ... 1; 0 = unknown, counts as 1 */
    double elapsed;       /* device seconds it has run, 0 ... 1e12 */
    double fraction_done; /* fraction it reports as done, >= 0; 0 = has not reported; 1 or more = all */
    uint32_t project;     /* which project, any number: for a function of the caller's, such as an emulator's hook; no
                             rule of this library reads it */
    uint32_t app;         /* which application, likewise */
    uint64_t reserved[1]; /* 0 */
} vcs_progress;

/*
 * Estimates the remaining time of a task, for vcs_task.remaining.
 *
 * progress         of the task
 * rule             VCS_ESTIMATE_*
 * device_seconds   the answer, clamped to 0 ... VCS_MAX_SECONDS
 * error            what was refused; may be NULL
 *
 * With F the fraction done, E the elapsed time and S the static estimate of the whole task (rule 2.1),
 *
 *     S = est_flops / flops * dcf / efficiency    device seconds
 *
 * the remaining time is:
 *
 * F >= 1                 0, whatever the rule
 * VCS_ESTIMATE_STATIC    (1 - F) * S; so with fraction_done = 0 it is S itself
 * VCS_ESTIMATE_BLEND     F * A + (1 - F) * B with A = E / F - E, the time by the task's own speed so far, and
 *                        B = (1 - F) * S: the more is done, the more its own speed counts (rule 2.2, source S2).
 *                        Exceptions:
 *                        - A alone if F > 0 and E > S: the static estimate has proved wrong;
 *                        - A alone if F > 0 and E > 0 with VCS_PROGRESS_EXACT;
 *                        - E / (exp(E / S) - 1) if F = 0 and E > 0: it does not report, and all that is known is that
 *                          it has not finished; the whole is then E / (1 - exp(-E / S)). 0 if S = 0
 * VCS_ESTIMATE_STUDY     (1 - F) * T with T = F * (E / F) + (1 - F) * S, without either exception (rule 13.5);
 *                        (1 - F) * S if F = 0
 * VCS_ESTIMATE_DEPLOYED  (1 - F) * S, with the exceptions of VCS_ESTIMATE_BLEND. For a plan that is to agree with the
 *                        deployed client (rule 2.2)
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS (an unknown rule too), VCS_ERR_NOT_FINITE or
 * VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_estimate_remaining(const vcs_progress *progress, uint32_t rule, double *device_seconds,
                                   vcs_error *error);

/*
 * Outside these bounds a correction factor is implausible: the estimates of such a project mean nothing (rule 2.3), and
 * vcs_fetch() asks it for 1 s of work only. A factor of 0, which has learned nothing, counts as 1.
 */
#define VCS_MIN_SANE_DCF 0.02
#define VCS_MAX_SANE_DCF 80.0

/* vcs_correction.rule: how a factor learns */
#define VCS_CORRECTION_DEPLOYED 0u /* an increase is taken at once, a decrease is smoothed (source S2) */
#define VCS_CORRECTION_MEAN 1u     /* both are smoothed, so that it is right on average (ours) */

/*
 * Duration correction factor: how many times as long as their static estimate tasks take. In/out. 32 bytes. Since 1.0.
 *
 * All zero has learned nothing and counts as 1. Keep one for each application: with one for the whole project, two
 * kinds of task with different errors make it swing between them forever (rule 2.4). The published study keeps one per
 * project.
 */
typedef struct vcs_correction {
    double dcf;           /* the factor, 0 ... 1e6; 0 = has learned nothing, counts as 1; once learned, 0.01 ... 100 */
    uint64_t tasks;       /* finished tasks it has learned from */
    uint32_t rule;        /* VCS_CORRECTION_*; 0 = as deployed */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved;    /* 0 */
} vcs_correction;

/*
 * Learns from a finished task (rule 2.3, source S2).
 *
 * correction   in/out
 * finished     the task: `elapsed` is the time it took in total; est_flops, flops and efficiency give the estimate. dcf
 *              and fraction_done are checked but not used
 * error        what was refused; may be NULL
 *
 * With raw = elapsed / static estimate at a factor of 1, and adj = raw / dcf, where a dcf of 0 counts as 1:
 *     adj > 1.1   dcf = raw
 *     adj < 0.1   dcf = 0.99 * dcf + 0.01 * raw
 *     else        dcf = 0.9 * dcf + 0.1 * raw
 * or by VCS_CORRECTION_MEAN, whatever adj is,
 *     dcf = (1 - w) * dcf + w * raw        w = max(1 / (tasks + 5), 0.03)
 * that is, the mean of all tasks and of four more that took what was estimated, and later an exponential average;
 * and the result is clamped to 0.01 ... 100. A zero estimate leaves the factor unchanged.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the
 * correction is unchanged. Thread-safe. O(1).
 */
VCS_API int vcs_correction_update(vcs_correction *correction, const vcs_progress *finished, vcs_error *error);

/*
 * The usable fraction of a processor, learned from the time its tasks got. In/out. 24 bytes. Since 1.0.
 */
typedef struct vcs_usable {
    double fraction;      /* device seconds per wall second, 0 ... 1; 0 = has learned nothing, counts as 1 */
    uint64_t reserved[2]; /* 0 */
} vcs_usable;

/*
 * Learns from an interval in which tasks were scheduled (rule 13.9, source S2):
 *
 *     fraction = fraction * w + (1 - w) * ran / scheduled        w = exp(-scheduled / 86400)
 *
 * usable      in/out
 * scheduled   wall seconds for which tasks were scheduled, of all tasks together, 0 ... 1e12; 0 = nothing to learn
 * ran         device seconds they got in that time, 0 ... 1e12; more than `scheduled` counts as `scheduled`
 *
 * The fraction never falls below 0.001, so it is always valid as vcs_resource.usable.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the fraction is
 * unchanged. Thread-safe. O(1).
 */
VCS_API int vcs_usable_update(vcs_usable *usable, double scheduled, double ran);

#ifdef __cplusplus
}
#endif

#endif
