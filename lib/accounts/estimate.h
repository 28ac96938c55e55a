/*
 * Correction factors, as estimates apply them and as work fetch doubts them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_ACCOUNTS_ESTIMATE_H
#define VCS_ACCOUNTS_ESTIMATE_H

#include <stdint.h>

/* Where a correction factor stops meaning anything (rule 2.3). */
#define VCS_LEAST_SANE_DCF 0.02
#define VCS_GREATEST_SANE_DCF 80.0

/* A factor that counts as 1 as long as it is 0. */
static inline double vcs_factor_or_one(double factor) {
    return factor > 0.0 ? factor : 1.0;
}

/* Whether a correction factor is that far off; 1 or 0. */
static inline uint32_t vcs_is_wacky(double dcf) {
    const double factor = vcs_factor_or_one(dcf);
    return factor < VCS_LEAST_SANE_DCF || factor > VCS_GREATEST_SANE_DCF;
}

#endif
