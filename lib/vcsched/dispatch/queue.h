/*
 * The queues of jobs: search trees, so that any job can be taken out, and that looking at one after the other, as is
 * done where a client must not get the first, changes nothing. (A heap would be filled faster, but what is passed over
 * has to be taken out of it and put back.)
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DISPATCH_QUEUE_H
#define VCS_DISPATCH_QUEUE_H

#include "vcsched/core/sort.h"
#include "vcsched/dispatch/index.h"

/* Jobs stand by rank, key, id and number, the lowest first. */
static inline vcs_search_tree vcs_queue_tree(const vcs_dispatch *index) {
    return (vcs_search_tree){.nodes = vcs_dispatch_piece(index, index->in_queue)};
}

/*
 * Fills both queues, which are empty, with the jobs of the items: each job in the queue of its rank. The items and the
 * spare ones lie where the nodes of the jobs will be: those of the trees of copies, and those of the queues. O(n).
 */
void vcs_queues_fill(vcs_dispatch *index, vcs_sort_item *items, vcs_sort_item *spare, uint32_t count);

/* Puts a job into a queue. O(log(n)). */
void vcs_queue_insert(vcs_dispatch *index, uint32_t queue, uint32_t number);

/* Takes it out. O(log(n)). */
void vcs_queue_remove(vcs_dispatch *index, uint32_t queue, uint32_t number);

#endif
