/*
 * Slices that are under way when a simulation begins: their tasks keep their places until they end.
 *
 * A task of several CPUs, or of a whole device, may have to wait for them. Without them the simulation would let it run
 * at once, while the choice of tasks keeps it waiting. They count for the CPUs where a wide task may run, and for a GPU
 * type where one of them has a part of a device. Elsewhere they decide who runs, but not how many, and do not count.
 *
 * Rules 4.3, 4.7 and 5.7; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_SLICED_SLICES_H
#define VCS_SIMULATION_SLICED_SLICED_SLICES_H

#include "vcsched/simulation/sliced/sliced_classes.h"

/*
 * Finds the slices that count, and orders the tasks: slices first, the longest first, then the others by arrival. With
 * that the first unfinished tasks of a class are those with slices.
 */
void vcs_find_slices(vcs_general *g);

/* Notes the class of each task with a slice, once the tasks are laid out. */
void vcs_classify_slices(vcs_general *g);

/* Forgets slices that have ended. Returns when the next one ends; VCS_NEVER if there is none. */
int64_t vcs_end_slices(vcs_general *g);

/* Picks the tasks with slices on a resource. Their devices, if it is a GPU type, are free. */
void vcs_pick_slices(vcs_general *g, uint32_t resource, bool exact);

/* Whether parts of a GPU type idle beside slices, while a task waits until these end. */
bool vcs_waits_for_slices(const vcs_general *g, uint32_t resource);

/*
 * Whether slices yield to a wide task that the pick has refused, because CPUs would idle. They are gone then, and the
 * pick is to be repeated.
 */
bool vcs_slices_yield(vcs_general *g);

#endif
