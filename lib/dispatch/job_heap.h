/*
 * A heap of jobs: the first one is at hand, and any one can be taken out.
 *
 * Four children a parent: half as deep as with two, and the children of one parent lie side by side.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DISPATCH_JOB_HEAP_H
#define VCS_DISPATCH_JOB_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/* Jobs go by rank, key, id and number, the lowest first. */
typedef struct vcs_heap_item {
    uint64_t key; /* a time, as vcs_order_key() makes it comparable */
    uint64_t id;
    uint32_t rank;
    uint32_t job; /* its number */
} vcs_heap_item;

/* The items, and for each job its place among them; places of jobs that are not in the heap mean nothing. */
typedef struct vcs_job_heap {
    vcs_heap_item *items;
    uint32_t *places;
    uint32_t count;
} vcs_job_heap;

/* Puts a job in. O(log(n)). */
void vcs_job_heap_insert(vcs_job_heap *heap, vcs_heap_item item);

/* Takes the item at `place` out. It lies right behind the last one then, until something is put in. O(log(n)). */
void vcs_job_heap_remove(vcs_job_heap *heap, uint32_t place);

/* Puts the item back that lies right behind the last one. O(log(n)). */
void vcs_job_heap_restore(vcs_job_heap *heap);

#endif
