/*
 * A heap of jobs: the first one is at hand, and any one can be removed.
 *
 * Four children per parent: half as deep as with two, and the children of one parent lie side by side. The heap of
 * core/heap.h cannot serve here: it holds bare times, and only the least of them can be removed, and it is cheap in the
 * simulations because it keeps no places.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DISPATCH_JOB_HEAP_H
#define VCS_DISPATCH_JOB_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/* Jobs are ordered by rank, key, id and number, the lowest first. */
typedef struct vcs_job_heap_item {
    uint64_t key; /* a time, as vcs_order_key() makes it comparable */
    uint64_t id;
    uint32_t rank;
    uint32_t job; /* its number */
} vcs_job_heap_item;

/* Where a heap is kept. The places of jobs that are not in it are undefined. */
typedef struct vcs_job_heap {
    vcs_job_heap_item *items;
    uint32_t *places; /* for each job its place among the items */
    uint32_t *count;
} vcs_job_heap;

/* Inserts a job. O(log(n)). */
void vcs_job_heap_insert(vcs_job_heap heap, vcs_job_heap_item item);

/* Removes the item at `place`. It then lies right behind the last one, until something is inserted. O(log(n)). */
void vcs_job_heap_remove(vcs_job_heap heap, uint32_t place);

/* Puts back the item that lies right behind the last one. O(log(n)). */
void vcs_job_heap_restore(vcs_job_heap heap);

#endif
