/*
 * Figures of merit over the seeds: means, standard deviations and confidence intervals, for single policies and for the
 * difference between two policies with the same seeds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STUDY_MEAN_H
#define STUDY_MEAN_H

#include <stdio.h>

#include "point.h"

enum merit { MERIT_WASTE, MERIT_IDLENESS, MERIT_SHARE_VIOLATION, MERIT_MONOTONY, MERIT_RPCS_PER_JOB, MERIT_COUNT };

/* The figures of one run. */
struct merits {
    double of[MERIT_COUNT];
    int defined; /* something was reported */
};

struct merits merits_of(const struct point *point, const vcs_outcome *outcome);

struct mean {
    double mean[MERIT_COUNT], deviation[MERIT_COUNT];
    double margin[MERIT_COUNT]; /* half of the confidence interval of the mean, 95 %; 0 if there are not two runs */
    uint32_t runs;              /* in which something was reported; only these count */
};

/* Over the seeds of a point. */
struct mean mean_of(const struct merits *runs, size_t seeds);

/*
 * The mean of `runs` minus `baseline`. Equal seeds mean equal hosts and jobs, so chance is common to both and does not
 * hide the difference.
 */
struct mean mean_of_differences(const struct merits *runs, const struct merits *baseline, size_t seeds);

/* As CSV. */
void mean_print_header(FILE *out);
void mean_print(FILE *out, const struct point *point, const struct mean *mean);
void differences_print_header(FILE *out);
void differences_print(FILE *out, const struct point *point, const struct mean *mean);

#endif
