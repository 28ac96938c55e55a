/*
 * In which order the tasks of a project end, if some run at a time, all at the same rate, and the others wait in a
 * queue.
 *
 * Rule 4.2; the plain reference is tests/oracle/oracle_fluid.c.
 *
 * A server sends many like tasks at a time. Those that begin together end together, so they are treated as one: a
 * batch.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_FLUID_FLUID_ORDER_H
#define VCS_SIMULATION_FLUID_FLUID_ORDER_H

#include <stdint.h>

/* Like tasks of a project that arrived one after the other. */
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
typedef struct vcs_fluid_overtaker {
    double end;
    vcs_fluid_batch *batch;
} vcs_fluid_overtaker;

/*
 * Puts the batches from `first` on into the order in which they end, `workers` tasks at a time; returns the one that
 * ends first. If not all tasks of a batch begin together, those that are left become another one, in memory from
 * `*unused` on: so the project has as many batches as tasks at most. There are as many tasks as workers at least, and
 * one worker; `overtakers` is scratch for as many.
 * O(tasks) where they end as they start; O(log(workers)) more for each batch that overtakes.
 */
vcs_fluid_batch *vcs_fluid_order_ends(vcs_fluid_batch *first, uint32_t workers, vcs_fluid_overtaker *overtakers,
                                      vcs_fluid_batch **unused);

#endif
