/*
 * The order in which the tasks of a project end, if a number of tasks run at a time, all at the same rate, and the
 * others wait in a queue.
 *
 * Rule 4.2; the plain reference is tests/oracle/oracle_fluid.c.
 *
 * A server sends many like tasks at a time. Like tasks that begin together end together, so they form a batch.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_FLUID_FLUID_ORDER_H
#define VCS_SIMULATION_FLUID_FLUID_ORDER_H

#include <stdint.h>

/* Like tasks of a project that arrived one after the other. */
typedef struct vcs_fluid_batch {
    double end; /* at first the run time of each task on a whole CPU, s; in order of ends, the project's progress when
                   the batch ends, s; once it has ended, its finish, s from now */
    double all_in_time;             /* latest finish with all tasks in time, s from now */
    double some_in_time;            /* latest finish with some task in time, s from now */
    struct vcs_fluid_batch *behind; /* the next batch of the project: by arrival, later by end; NULL = the last */
    uint32_t first;                 /* index of its first task in the order of arrival; the others follow */
    uint32_t count;                 /* tasks, at least 1 */
} vcs_fluid_batch;

/* A running batch that overtakes others. */
typedef struct vcs_fluid_overtaker {
    double end;
    vcs_fluid_batch *batch;
} vcs_fluid_overtaker;

/*
 * Puts the batches from `first` on into the order in which they end, and returns the first to end.
 *
 * workers      tasks that run at a time, at least 1 and at most the number of tasks
 * overtakers   scratch for as many as workers
 * unused       memory for more batches, since a batch is split if its tasks do not all begin together; the project ends
 *              up with at most as many batches as tasks
 *
 * O(tasks) where they end as they start; O(log(workers)) more for each batch that overtakes.
 */
vcs_fluid_batch *vcs_fluid_order_ends(vcs_fluid_batch *first, uint32_t workers, vcs_fluid_overtaker *overtakers,
                                      vcs_fluid_batch **unused);

#endif
