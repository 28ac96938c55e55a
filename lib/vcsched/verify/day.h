/*
 * Days, as quotas have them: they begin at multiples of 86,400 seconds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_VERIFY_DAY_H
#define VCS_VERIFY_DAY_H

#include <stdint.h>

#define VCS_DAY 86400.0

/* The number of the day that a time falls on. */
static inline double vcs_day_of(double now) {
    const double days = now / VCS_DAY;
    const double whole = (double)(int64_t)days; /* cut towards 0 */
    return whole > days ? whole - 1.0 : whole;
}

#endif
