/*
 * The mean of values that come one by one, and its standard error.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_SWEEP_MEAN_H
#define VCEMU_SWEEP_MEAN_H

#include <stdint.h>

struct sweep_mean {
    uint64_t count;
    double mean;
    double squares; /* sum of the squares of the distances from the mean */
};

void sweep_mean_add(struct sweep_mean *mean, double value);

/* The standard error of the mean; 0 of fewer than two values, which have none. */
double sweep_mean_error(const struct sweep_mean *mean);

#endif
