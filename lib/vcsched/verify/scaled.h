/*
 * Products and sums of positive numbers far beyond the range of doubles.
 *
 * A scaled number is m * 2^(64 * e). Scaling by 2^64 is exact, so a product rounds as a product of doubles does, but
 * neither overflows nor vanishes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_VERIFY_SCALED_H
#define VCS_VERIFY_SCALED_H

#include <stdbool.h>
#include <stdint.h>

typedef struct vcs_scaled {
    double m;  /* 1 <= m < 2^64, or 0 */
    int64_t e; /* 0 if m is 0 */
} vcs_scaled;

/* Of a double that is 0 or greater. */
vcs_scaled vcs_scaled_of(double x);

vcs_scaled vcs_scaled_times(vcs_scaled a, vcs_scaled b);
vcs_scaled vcs_scaled_plus(vcs_scaled a, vcs_scaled b);

/* a / b, which is 0 if it is below all doubles; b > 0, a <= b. */
double vcs_scaled_ratio(vcs_scaled a, vcs_scaled b);

bool vcs_scaled_is_less(vcs_scaled a, vcs_scaled b);

#endif
