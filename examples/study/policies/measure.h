/*
 * One host under one policy: what comes out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STUDY_MEASURE_H
#define STUDY_MEASURE_H

#include <stdio.h>

#include "policy.h"
#include "population.h"

/* At most 512 bytes. */
struct measured {
    double lost;            /* device time of jobs that were not done in time / device time */
    double idle;            /* idle part of the device time; 1 if no job was reported */
    double share_violation; /* -1 = undefined */
    double reported_late;   /* device time of jobs done in time and reported late / device time */
    double size; /* mean size of the jobs done in time / mean size of the same projects' jobs; -1 = undefined */
    double jobs; /* reported */
    double calls, stops, late, unreported, refused, received, given_up;
    double seconds; /* processor time for the emulation, s */
};

/* Emulates a host under a policy. Returns what vcs_emulate() returns. */
int measure(const struct drawn_host *h, const struct policy *policy, struct measured *measured, vcs_error *error);

void measure_print_header(FILE *out);
void measure_print_host(FILE *out, const struct drawn_host *h);
void measure_print(FILE *out, const struct measured *measured);

#endif
