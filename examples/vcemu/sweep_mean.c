/* SPDX-License-Identifier: MIT */
#include "sweep_mean.h"

#include <math.h>

/* Welford's method: sums of squares would lose the digits of small differences. */
void sweep_mean_add(struct sweep_mean *mean, double value) {
    const double before = value - mean->mean;
    mean->count++;
    mean->mean += before / (double)mean->count;
    mean->squares += before * (value - mean->mean);
}

double sweep_mean_error(const struct sweep_mean *mean) {
    const double count = (double)mean->count;
    return mean->count < 2 ? 0 : sqrt(mean->squares / (count - 1) / count);
}
