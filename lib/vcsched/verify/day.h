/*
 * Days of quotas: they begin at multiples of 86,400 seconds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_VERIFY_DAY_H
#define VCS_VERIFY_DAY_H

#include <stdint.h>

#define VCS_DAY 86400.0

/* Whole days since the epoch. */
static inline double vcs_day_of(double now) {
    const double days = now / VCS_DAY;
    const double whole = (double)(int64_t)days; /* rounded towards 0 */
    return whole > days ? whole - 1.0 : whole;
}

#endif
