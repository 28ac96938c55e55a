/*
 * In which order the tasks of a project end, if it runs some at a time, all at the same rate, and takes the others from
 * a queue.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CLIENT_FLUID_ORDER_H
#define VCS_CLIENT_FLUID_ORDER_H

#include <stdint.h>
#include <vcsched/wrr.h>

/* A task of a project. */
typedef struct vcs_fluid_task {
    double end; /* its run time on a whole CPU; in order, what those that run have behind them when it ends */
    struct vcs_fluid_task *behind; /* the next task of the project, by arrival; in order, by end; NULL */
    double latest;                 /* the latest finish in time, s from now */
    vcs_task_forecast *forecast;   /* where its outcome goes */
} vcs_fluid_task;

/* A running task that overtakes others. */
typedef struct vcs_overtaker {
    double end;
    vcs_fluid_task *task;
} vcs_overtaker;

/*
 * Puts the tasks from `first` on into the order in which they end, `workers` of them at a time; returns the one that
 * ends first. There are as many tasks as workers at least, and one worker; `overtakers` is scratch for as many.
 * O(tasks) where they end as they start; O(log(workers)) more for each task that overtakes.
 */
vcs_fluid_task *vcs_order_ends(vcs_fluid_task *first, uint32_t workers, vcs_overtaker *overtakers);

#endif
