/*
 * The mean of a value over several runs, and its confidence interval.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STUDY_CONFIDENCE_H
#define STUDY_CONFIDENCE_H

#include <stddef.h>
#include <stdint.h>

struct confidence {
    double mean, deviation;
    double margin; /* half of the confidence interval of the mean, 95 %; 0 if there are not two runs */
    uint32_t runs; /* with a value; the others do not count */
};

/* The value of a run; NaN = it has none. */
typedef double (*value_function)(const void *context, size_t run);

struct confidence confidence_of(value_function value, const void *context, size_t runs);

#endif
