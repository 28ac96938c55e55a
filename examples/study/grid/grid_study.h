/*
 * The studies of grids: what each varies and measures.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STUDY_GRID_STUDY_H
#define STUDY_GRID_STUDY_H

#include "grid_case.h"

#define MOST_GRID_POINTS 512
#define MOST_VALUES 64 /* of one run */

/* One grid, which is run with several seeds. */
struct grid_point {
    const char *part;          /* of the study: the meaning of x and of the variants */
    const char *variant;       /* the curve */
    const char *baseline;      /* the variant to compare with at the same x; NULL = none */
    double x;                  /* where on the curve */
    vcs_parameters parameters; /* of the hosts */
    vcs_grid_project project;
    vcs_host_model hosts;
    const vcs_host_row *rows; /* kinds of hosts, where the study takes them from a table */
    uint32_t row_count;

    /* Makes the grid from the fields above. */
    void (*build)(struct grid_case *g, const struct grid_point *point, uint64_t seed);
    const void *more; /* what the study wants to know besides; may be NULL */
};

struct grid_points {
    struct grid_point at[MOST_GRID_POINTS];
    size_t count;
    int is_quick;      /* a few points of small grids are enough */
    const char *table; /* a file of hosts; NULL = none */
};

struct grid_study {
    const char *name;
    const char *const *figures; /* names of the measured figures */
    size_t figure_count;
    const double *rows; /* each run gives one line of figures for each of these, in the place of x; NaN = of all */
    size_t row_count;   /* 0 = one line */
    int is_paired;      /* `baseline` is wanted */
    uint32_t seeds;     /* how many make the margins narrow */

    /* Returns 0, or -1 if the file of hosts cannot be read. */
    int (*add)(struct grid_points *points);

    /* Writes the figures of a run, row by row. `baseline` is the baseline's run with the same seed; NULL =
       none. */
    void (*measure)(const struct grid_point *point, const struct grid_run *run, const struct grid_run *baseline,
                    double *values);
};

extern const struct grid_study study_quorum, study_verification, study_policies, study_dispatch, study_past;

/* Adds a copy of the point. */
void grid_points_add(struct grid_points *points, const struct grid_point *point);

/* The index of the point's baseline; points->count if there is none. */
size_t grid_points_baseline(const struct grid_points *points, const struct grid_point *point);

/* A point with default project and parameters, and units of `seconds` at 1 GFLOPS. */
struct grid_point grid_point_of(const char *part, double seconds, double delay_bound);

/* Operations of all kinds that hosts did for copies of a project that are over. */
double grid_flops(const vcs_grid_project_outcome *outcome);

#endif
