/*
 * Whether a job is taken, for rooms that know all terms.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHANCE_ADMIT_BY_CHANCE_H
#define VCS_CHANCE_ADMIT_BY_CHANCE_H

#include <stdbool.h>
#include <vcsched/chance.h>

/* The chances of a job: P(r, W) and P(wait + r, W). */
typedef struct vcs_job_chances {
    double at_once, after_wait;
} vcs_job_chances;

/* Why a job is taken or not. */
uint32_t vcs_admit_reason(const vcs_admit_terms *terms, vcs_job_chances *chances);

/* Whether that is a reason to take it. */
static inline bool vcs_is_taken(uint32_t reason) {
    return reason == VCS_REASON_LIKELY || reason == VCS_REASON_FOR_IDLE;
}

#endif
