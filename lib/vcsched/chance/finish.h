/*
 * The chance to be done in time, for the kernels of this room.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHANCE_FINISH_H
#define VCS_CHANCE_FINISH_H

#include <stdbool.h>

/* The mean spells of a host, s: on > 0, may be infinite; off >= 0. */
typedef struct vcs_mean_spells {
    double on, off;
} vcs_mean_spells;

/* What a task has to compute: it begins after `wait` device seconds; the spread is of `remaining` alone. */
typedef struct vcs_workload {
    double wait, remaining, spread;
} vcs_workload;

/* Whether the means of spells are in their ranges. VCS_OK or the error. */
int vcs_check_spells(vcs_mean_spells spells);

/* What vcs_chance_to_finish() says of a task that waits first. */
double vcs_chance_of_workload(vcs_workload task, double window, vcs_mean_spells spells);

/*
 * Whether the chance is surely at least `least`. A few operations, where the chance itself takes hundreds; false says
 * nothing.
 */
bool vcs_is_surely_as_likely(vcs_workload task, double window, vcs_mean_spells spells, double least);

/* What vcs_chance_margin() says of a task that is done after `finish` device seconds. */
double vcs_margin_of(double window, double finish, vcs_mean_spells spells);

#endif
