/*
 * The points of the figures: the projects and the policy of each run.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STUDY_POINT_H
#define STUDY_POINT_H

#include <stddef.h>

#include "case.h"

#define MOST_POINTS 1024

struct point;

/* Adds the projects of a point to its case. */
typedef void (*axis_function)(struct study_case *c, const struct point *point);

struct point {
    const char *figure;
    char policy[24];
    char baseline[24];           /* the policy to compare with at the same x; empty = none */
    const char *baseline_figure; /* its figure */
    double x, x2;                /* position in the figure; x2 chooses the curve, 0 = only one curve */
    axis_function axis;
    double available_step; /* s; how often the client looks whether the host is on; 0 = it knows at once */
    vcs_parameters parameters;
};

/* The points of the requested figures. */
struct points {
    const char *const *wanted; /* names of figures; NULL = all */
    size_t wanted_count;
    struct point at[MOST_POINTS];
    size_t count;
};

/* Adds a point if its figure is wanted. */
void points_add(struct points *points, const struct point *point);

/* Whether there is a point of this figure. */
int points_has(const struct points *points, const char *figure);

/* The index of the point's baseline; points->count if there is none. */
size_t points_baseline(const struct points *points, const struct point *point);

/* The six figures of the study, and "5now", the fifth with finish times counted from now (rule 13.1). */
void points_add_study(struct points *points);

/* The profiles compared on the study's axes, and single choices of the profile `current`; with each other profile and
   the first choice as baselines. */
void points_add_profiles(struct points *points);

#endif
