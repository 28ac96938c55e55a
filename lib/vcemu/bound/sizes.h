/*
 * How long the jobs of one kind take on their processor: a distribution, with points or with a density.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_BOUND_SIZES_H
#define VCS_EMU_BOUND_SIZES_H

#include <stdbool.h>
#include <stdint.h>
#include <vcemu/emulator.h>

/* The most points: of a longer list, neighbours in order of size count as one. */
#define VCS_EMU_MOST_POINTS 64u

typedef struct vcs_emu_sizes {
    double least, most;                  /* only a billionth of the jobs is shorter, and of the work in longer ones */
    double mean, sd;                     /* with a density: of the distribution; sd = 0: exponential */
    double log_sd;                       /* above 0: log-normal; the standard deviation of the logarithm */
    double points[VCS_EMU_MOST_POINTS];  /* sizes above 0, ascending */
    double chances[VCS_EMU_MOST_POINTS]; /* of each point; the rest takes no time */
    uint32_t point_count;                /* 0 = with a density */
} vcs_emu_sizes;

/* The sizes that a model describes, at this speed (operations per second). `list` has a copy of its sizes, if it has a
   list; it is sorted. */
void vcs_emu_sizes_read(vcs_emu_sizes *sizes, const vcs_job_model *model, double *list, double speed);

/* Whether any job that takes time can be done within `bound`. */
bool vcs_emu_sizes_fit(const vcs_emu_sizes *sizes, double bound);

/* With a density: the chance that a job takes longer than x, and the mean of what takes at most x, x >= 0. */
double vcs_emu_sizes_above(const vcs_emu_sizes *sizes, double x);
double vcs_emu_sizes_work(const vcs_emu_sizes *sizes, double x);

/* The sizes that stand for all of at most `bound`, ascending: points, or nodes by which to integrate. */
typedef struct vcs_emu_size_nodes {
    double sizes[VCS_EMU_MOST_POINTS], chances[VCS_EMU_MOST_POINTS];
    uint32_t count;
} vcs_emu_size_nodes;

void vcs_emu_sizes_divide(const vcs_emu_sizes *sizes, double bound, vcs_emu_size_nodes *nodes);

#endif
