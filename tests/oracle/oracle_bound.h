/*
 * Rule 15.9: optimal stopping on a plain grid, where time goes by in steps.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_BOUND_H
#define ORACLE_BOUND_H

#include <stdbool.h>
#include <stdint.h>

/* Sizes of jobs: `count` points, or a normal distribution (sd > 0), or an exponential one. */
typedef struct oracle_sizes {
    const double *points, *chances;
    uint32_t count;
    double mean, sd;
} oracle_sizes;

/* The greatest size that matters: the greatest point within the bound, or where next to nothing is left. */
double oracle_greatest_size(const oracle_sizes *sizes, double bound);

/*
 * What part of the time used is lost, sizes not being known: of jobs that are given up where this is best, or only when
 * they are hopeless.
 *
 * `steps` are for the greatest size; points and the bound must be multiples of a step, where points there are. The
 * answers for one and for two times as many are extrapolated.
 */
double oracle_blind_loss(const oracle_sizes *sizes, double bound, double on, double off, bool optimal, uint32_t steps);

#endif
