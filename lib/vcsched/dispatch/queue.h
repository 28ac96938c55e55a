/*
 * The queues of jobs.
 *
 * Queues are search trees: any job can be removed, and passing over jobs that a client must not get changes nothing. (A
 * heap would fill faster, but every job passed over would have to be popped and put back.)
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DISPATCH_QUEUE_H
#define VCS_DISPATCH_QUEUE_H

#include "vcsched/core/sort.h"
#include "vcsched/dispatch/index.h"

/* Jobs are ordered by rank, key, id and number, the lowest first. */
static inline vcs_search_tree vcs_queue_tree(const vcs_dispatch *index) {
    return (vcs_search_tree){.nodes = vcs_dispatch_piece(index, index->in_queue)};
}

/*
 * Fills both queues, which are empty, with the jobs of the items: each goes to the queue of its rank. `items` lie where
 * the nodes of the trees of copies will be, `spare` where the nodes of the queues will be. O(n).
 */
void vcs_queues_fill(vcs_dispatch *index, vcs_sort_item *items, vcs_sort_item *spare, uint32_t count);

/* Puts a job into a queue, or removes it. O(log(n)). */
void vcs_queue_insert(vcs_dispatch *index, uint32_t queue, uint32_t number);
void vcs_queue_remove(vcs_dispatch *index, uint32_t queue, uint32_t number);

#endif
