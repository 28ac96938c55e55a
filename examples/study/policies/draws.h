/*
 * Draws for populations: a stream of random numbers for each host.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STUDY_DRAWS_H
#define STUDY_DRAWS_H

#include <stdint.h>

struct draws {
    uint64_t state;
};

/* Uniform, 0 <= u < 1: splitmix64, its upper 53 bits. */
double draw_uniform(struct draws *draws);

/* Log-uniform between two numbers: their logarithms are. */
double draw_log_uniform(struct draws *draws, double from, double to);

/* One of several values, each as likely. */
double draw_one_of(struct draws *draws, const double *values, int count);

#endif
