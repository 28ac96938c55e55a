/*
 * Figures of merit over the seeds: means, and standard deviations of waste and idleness.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STUDY_MEAN_H
#define STUDY_MEAN_H

#include <stdio.h>

#include "point.h"

struct mean {
    double waste, waste_squares, idleness, idleness_squares, share_violation, monotony, rpcs_per_job; /* sums */
    uint32_t runs; /* in which something was reported; only these count */
};

/* Adds the outcome of a run of a point. */
void mean_add(struct mean *mean, const struct point *point, const vcs_outcome *outcome);

void mean_print_header(FILE *out);
void mean_print(FILE *out, const struct point *point, const struct mean *mean);

#endif
