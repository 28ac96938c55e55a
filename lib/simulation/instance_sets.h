/*
 * What is free on a resource from whose instances some projects are excluded.
 *
 * Rules 4.3 and 5.4; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * Which instance a task gets is not decided here. A set of instances to which some project is confined limits all
 * projects that may use nothing outside it: together they cannot use more than it has. So each such set, and the set of
 * all instances, has a number of free units, and a task fits if it fits into every set that holds its project's own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_INSTANCE_SETS_H
#define VCS_SIMULATION_INSTANCE_SETS_H

#include <stdint.h>

typedef struct vcs_instance_sets {
    uint64_t *maps; /* the sets, all different; the first one holds all instances */
    int64_t *free;  /* units free in each */
    uint64_t all;   /* the instances that there are; all ones from 64 on */
    uint32_t count;
    uint32_t unused;
} vcs_instance_sets;

/*
 * Begins with the set of all instances, with `free` units free. `maps` and `frees` have one element more than there are
 * projects.
 */
void vcs_instance_sets_begin(vcs_instance_sets *sets, uint64_t *maps, int64_t *frees, uint32_t instances, int64_t free);

/* A project may use these instances and no others: bit i is instance i. O(sets). */
void vcs_instance_sets_confine(vcs_instance_sets *sets, uint64_t allowed);

/* Units free for a project that may use these instances; with overcommitment less than 0. O(sets). */
int64_t vcs_instance_sets_free(const vcs_instance_sets *sets, uint64_t allowed);

/* A task of such a project takes `units`. O(sets). */
void vcs_instance_sets_use(vcs_instance_sets *sets, uint64_t allowed, int64_t units);

/* How many of these instances there are. */
uint32_t vcs_count_instances(uint64_t map);

#endif
