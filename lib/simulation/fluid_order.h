/*
 * In which order the tasks of a project end, if it runs some at a time, all at the same rate, and takes the others from
 * a queue.
 *
 * A server sends many tasks at a time that are alike. As many of them as begin together end together, so they are
 * dealt with as one: a batch.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_FLUID_ORDER_H
#define VCS_SIMULATION_FLUID_ORDER_H

#include <stdint.h>

/* Tasks of a project that are alike, and arrived one after the other. */
typedef struct vcs_fluid_batch {
    double end; /* run time of each on a whole CPU; in order, what those that run have behind them when these end; once
                   they have ended, when that was, s from now */
    double all_in_time;             /* a finish up to which all of them are in time, s from now */
    double some_in_time;            /* and one after which none of them is */
    struct vcs_fluid_batch *behind; /* the next batch of the project, by arrival; in order, by end; NULL */
    uint32_t first;                 /* where its first task stands in the order of arrival; the others follow */
    uint32_t count;                 /* of its tasks, one at least */
} vcs_fluid_batch;

/* A running batch that overtakes others. */
typedef struct vcs_overtaker {
    double end;
    vcs_fluid_batch *batch;
} vcs_overtaker;

/*
 * Puts the batches from `first` on into the order in which they end, `workers` tasks at a time; returns the one that
 * ends first. If not all tasks of a batch begin together, those that are left become another one, in memory from
 * `*unused` on: so the project has as many batches as tasks at most. There are as many tasks as workers at least, and
 * one worker; `overtakers` is scratch for as many.
 * O(tasks) where they end as they start; O(log(workers)) more for each batch that overtakes.
 */
vcs_fluid_batch *vcs_order_ends(vcs_fluid_batch *first, uint32_t workers, vcs_overtaker *overtakers,
                                vcs_fluid_batch **unused);

#endif
