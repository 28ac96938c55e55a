/*
 * Exponential averages of work, in which recent work counts most (rule 1.1).
 *
 * There are two forms. The plain form is a sum that decays: the CPU time that resource debt divides by. The half-life
 * form is a mean, work per day: REC, the recent estimated credit that scheduling priority divides by.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_AVERAGE_H
#define VCSCHED_AVERAGE_H

#include <vcsched/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One average. In/out: keep it between calls, for years if you like. It may be copied and saved. 32 bytes. Since 0.1.
 *
 * To start one, zero it and set `time` to the present. The half-life form spreads the first work over the time since
 * then.
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

#ifdef __cplusplus
}
#endif

#endif
