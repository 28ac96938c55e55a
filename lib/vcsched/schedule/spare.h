/*
 * Late CPU tasks that leave GPU tasks their CPUs.
 *
 * Rule 5.7; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_SPARE_H
#define VCS_SCHEDULE_SPARE_H

#include "vcsched/schedule/place.h"

/* CPU shares of the GPU tasks that would run if no late CPU task went first. */
typedef struct vcs_gpu_shares {
    int64_t units; /* of the CPUs */
    int64_t until; /* microseconds until the last of these tasks ends */
} vcs_gpu_shares;

/* Finds them once late GPU tasks have been placed: running tasks first, then by arrival. O(tasks * resources). */
vcs_gpu_shares vcs_find_gpu_shares(const vcs_placement *placement, const vcs_offer *offers);

/*
 * Whether a late CPU task lets these go first: with it, a GPU would idle for want of CPUs, and its deadline would gain
 * nothing, since it can wait until they end or cannot be met anyway.
 */
bool vcs_spares_gpus(const vcs_placement *placement, const vcs_gpu_shares *shares, const vcs_prepared_task *task);

#endif
