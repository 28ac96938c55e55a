/*
 * The axes of the figures: the projects of a point, by its position in the figure.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STUDY_AXES_H
#define STUDY_AXES_H

#include "point.h"

/* x projects: number i has jobs of i times the length, i times the latency bound, and i times the share. The bound is
   x2 times the length. */
void axis_job_mix(struct study_case *c, const struct point *point);

/* One project. Its latency bound is x times the length of its jobs, or x2 times if there is an x2. */
void axis_slack(struct study_case *c, const struct point *point);

/* Two projects, one with jobs ten times as long; their standard deviation is x times the mean; calls every 2 days. */
void axis_deviation(struct study_case *c, const struct point *point);

/* One project. Its jobs are x times as long as stated, and their bound is x2 times the stated length. */
void axis_error(struct study_case *c, const struct point *point);

/* x projects of equal share and with jobs of 1000 s. */
void axis_projects(struct study_case *c, const struct point *point);

/* A GPU x times as fast as a CPU; one project has jobs for both, the other for CPUs alone. */
void axis_gpu(struct study_case *c, const struct point *point);

/* The buffer of the point, in hours: minimum and additional as 2 : 5. */
void axis_buffer(struct point *point, double hours);

#endif
