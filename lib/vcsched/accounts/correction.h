/*
 * The correction factor, for estimates and for work fetch, which distrusts a wacky one.
 *
 * Rules 2.1 and 2.3; worked by hand in tests/vcsched/accounts/test_estimate.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_ACCOUNTS_CORRECTION_H
#define VCS_ACCOUNTS_CORRECTION_H

#include <stdint.h>
#include <vcsched/accounts.h>

/* A factor, or 1 for 0. */
static inline double vcs_factor_or_one(double factor) {
    return factor > 0.0 ? factor : 1.0;
}

/* Whether estimates with this factor mean nothing (rule 2.3); 1 or 0. */
static inline uint32_t vcs_is_wacky(double dcf) {
    const double factor = vcs_factor_or_one(dcf);
    return factor < VCS_MIN_SANE_DCF || factor > VCS_MAX_SANE_DCF;
}

/* Static estimate of the whole task at a factor of 1, device seconds (rule 2.1). */
static inline double vcs_uncorrected_total(const vcs_progress *progress) {
    return progress->est_flops / progress->flops / vcs_factor_or_one(progress->efficiency);
}

#endif
