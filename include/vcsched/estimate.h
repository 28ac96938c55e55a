/*
 * Estimates: how long a task will take, and how finished tasks correct that (rules 2.1 to 2.4, 13.5, 13.9).
 *
 * There are two kinds of time. Device seconds pass only while a task has its processor; vcs_task.remaining and
 * vcs_progress.elapsed are in device seconds. Wall seconds are clock time, and also pass while the host is off or busy
 * with other work: wall seconds = device seconds / vcs_resource.usable (rule 2.1).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_ESTIMATE_H
#define VCSCHED_ESTIMATE_H

#include <vcsched/parameters.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The progress of a task. Zero it, set struct_size, then what you know. 72 bytes. Since 0.1. */
typedef struct vcs_progress {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* 0 */
    double est_flops;     /* operations that the task is said to need, 0 ... 1e30 */
    double flops;         /* its expected speed on the processors it uses, FLOPS, 1e-3 ... 1e30 */
    double dcf;           /* correction factor of its project or application, 0 ... 1e6; 0 = none, counts as 1 */
    double efficiency;    /* CPU seconds it gets per device second, 0 ... 1; 0 = unknown, counts as 1 */
    double elapsed;       /* device seconds it has run, 0 ... 1e12 */
    double fraction_done; /* fraction it reports as done, >= 0; 0 = has not reported; 1 or more = all */
    uint64_t reserved[2]; /* 0 */
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
 * A correction factor outside these bounds is wacky: the estimates of such a project mean nothing (rule 2.3). For it,
 * vcs_fetch() asks for 1 s of work only. A factor of 0, which has learned nothing, counts as 1.
 */
#define VCS_LEAST_SANE_DCF 0.02
#define VCS_GREATEST_SANE_DCF 80.0

/*
 * Duration correction factor: how many times as long as their static estimate tasks take. In/out: keep it between
 * calls, for years if you like. 32 bytes. Since 0.1.
 *
 * All zero has learned nothing and counts as 1. Keep one for each application: with one for the whole project, two
 * kinds of task with different errors make it swing between them forever (rule 2.4). The published study keeps one per
 * project.
 */
typedef struct vcs_correction {
    double dcf;           /* the factor, 0 ... 1e6; 0 = has learned nothing, counts as 1; once learned, 0.01 ... 100 */
    uint64_t tasks;       /* finished tasks it has learned from */
    uint64_t reserved[2]; /* 0 */
} vcs_correction;

/*
 * Learns from a finished task (rule 2.3, source S2): an increase is taken at once, a decrease is smoothed.
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
 * and the result is clamped to 0.01 ... 100. A zero estimate leaves the factor unchanged.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the
 * correction is unchanged. Thread-safe. O(1).
 */
VCS_API int vcs_correction_update(vcs_correction *correction, const vcs_progress *finished, vcs_error *error);

/*
 * The usable fraction of a processor, learned from the time its tasks got. In/out: keep it between calls.
 * 24 bytes. Since 0.1.
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
