/*
 * Estimates: how long a task will take, and what experience corrects about that (rules 2.1 to 2.4, 13.5, 13.9).
 *
 * Two kinds of time are told apart. Device seconds are the time that a task has its processor; vcs_task.remaining and
 * vcs_progress.elapsed are such. Wall seconds are those of the clock on the wall; they run on while the host is off or
 * in use by others. vcs_wall_seconds() leads from one to the other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_ESTIMATE_H
#define VCSCHED_ESTIMATE_H

#include <vcsched/parameters.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How far a task is. Zero it, set struct_size, then what you know. 72 bytes. Since 0.1. */
typedef struct vcs_progress {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* 0 */
    double est_flops;     /* operations that the task is said to need, 0 ... 1e30 */
    double flops;         /* speed at which it is thought to run on what it uses, FLOPS, 1e-3 ... 1e30 */
    double dcf;           /* factor learned by its project or application, 0 ... 1e6; 0 = none, counts as 1 */
    double efficiency;    /* CPU seconds it gets per device second, 0 ... 1; 0 = not known, counts as 1 */
    double elapsed;       /* device seconds it has run, 0 ... 1e12 */
    double fraction_done; /* what it reports to have done, >= 0; 0 = has not reported; 1 or more = all */
    uint64_t reserved[2]; /* 0 */
} vcs_progress;

/*
 * Static estimate of the whole task, from its size alone (rule 2.1):
 *
 *     device seconds = est_flops / flops * dcf / efficiency
 *
 * progress         elapsed and fraction_done are checked, but not used
 * device_seconds   the answer, 0 ... VCS_MAX_SECONDS; what is above is cut
 * error            what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe.
 * O(1).
 */
VCS_API int vcs_estimate_total(const vcs_progress *progress, double *device_seconds, vcs_error *error);

/*
 * Estimates what is left of a task, for vcs_task.remaining.
 *
 * progress         how far it is
 * rule             VCS_ESTIMATE_*
 * device_seconds   the answer, 0 ... VCS_MAX_SECONDS; what is above is cut
 * error            what was refused; may be NULL
 *
 * With F the fraction done, E the time elapsed and S the static estimate of the whole task:
 *
 * F >= 1                 0, whatever the rule
 * VCS_ESTIMATE_STATIC    (1 - F) * S
 * VCS_ESTIMATE_BLEND     F * A + (1 - F) * B with A = E / F - E, what the progress so far foretells, and
 *                        B = (1 - F) * S: the more is done, the more its own speed counts (rule 2.2, source S2). But
 *                        - A alone if F > 0 and E > S: the static estimate has proved wrong;
 *                        - E / (exp(E / S) - 1) if F = 0 and E > 0: it does not report, and all that is known is that
 *                          it is not done yet; the whole is E / (1 - exp(-E / S)) then. 0 if S = 0
 * VCS_ESTIMATE_STUDY     (1 - F) * T with T = F * (E / F) + (1 - F) * S, without either exception (rule 13.5);
 *                        (1 - F) * S if F = 0
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS (an unknown rule too), VCS_ERR_NOT_FINITE or
 * VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_estimate_remaining(const vcs_progress *progress, uint32_t rule, double *device_seconds,
                                   vcs_error *error);

/*
 * How long device seconds last on the clock on the wall (rule 2.1): device seconds / usable.
 *
 * device_seconds   0 ... VCS_MAX_SECONDS
 * usable           fraction of wall time in which the device computes, 1e-9 ... 1; vcs_resource.usable
 * wall_seconds     the answer
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_wall_seconds(double device_seconds, double usable, double *wall_seconds);

/*
 * Duration correction factor: by how much tasks take longer than their static estimate. In/out: keep it between calls,
 * for years if you like. 32 bytes. Since 0.1.
 *
 * All zero has learned nothing, and the first task settles it. Keep one for each application: with one per project,
 * two kinds of task with different errors make it swing between them for ever (rule 2.4). The published study keeps
 * one per project and starts it at 1.
 */
typedef struct vcs_correction {
    double dcf;           /* the factor, 0 ... 1e6; 0 = never learned, counts as 1; once learned, 0.01 ... 100 */
    uint64_t tasks;       /* finished tasks it has learned from */
    uint64_t reserved[2]; /* 0 */
} vcs_correction;

/*
 * Learns from a task that has finished (rule 2.3, source S2): raises are taken at once, falls are smoothed.
 *
 * correction   in/out
 * finished     the task: `elapsed` is the time that it took in the end; est_flops, flops and efficiency say what had
 *              been foretold. dcf and fraction_done are checked, but not used
 * error        what was refused; may be NULL
 *
 * With raw = time taken / static estimate at a factor of 1, and adj = raw / dcf:
 *     never learned   dcf = raw
 *     adj > 1.1       dcf = raw
 *     adj < 0.1       dcf = 0.99 * dcf + 0.01 * raw
 *     else            dcf = 0.9 * dcf + 0.1 * raw
 * and dcf is kept in 0.01 ... 100. A task that was foretold to take no time teaches nothing: nothing is changed.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the
 * correction is as it was. Thread-safe. O(1).
 */
VCS_API int vcs_correction_update(vcs_correction *correction, const vcs_progress *finished, vcs_error *error);

/*
 * Whether a correction factor is wacky: outside 0.02 ... 80. The estimates of such a project mean nothing; ask it for
 * 1 s of work only (rule 2.3). A factor that was never learned is not wacky.
 *
 * wacky   set to 1 if it is, else to 0
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_correction_is_wacky(const vcs_correction *correction, uint32_t *wacky);

/*
 * The usable fraction of a processor, learned from what its tasks got. In/out: keep it between calls.
 * 24 bytes. Since 0.1.
 */
typedef struct vcs_usable {
    double fraction;      /* device seconds per wall second, 0 ... 1; 0 = never learned, counts as 1 */
    uint64_t reserved[2]; /* 0 */
} vcs_usable;

/*
 * Learns from an interval in which tasks were scheduled (rule 13.9, source S2):
 *
 *     fraction = fraction * w + (1 - w) * ran / scheduled        w = exp(-scheduled / 86400)
 *
 * usable      in/out
 * scheduled   wall seconds for which tasks were scheduled, of all tasks together, 0 ... 1e12; 0 = nothing to learn
 * ran         device seconds that they got in that time, 0 ... 1e12; more than `scheduled` counts as `scheduled`
 *
 * The fraction never falls below 0.001, so that vcs_resource.usable can take it.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the fraction is as
 * it was. Thread-safe. O(1).
 */
VCS_API int vcs_usable_update(vcs_usable *usable, double scheduled, double ran);

#ifdef __cplusplus
}
#endif

#endif
