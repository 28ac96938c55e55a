/*
 * One task of a queue starts, or stops before its end: time and order alone.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_SLOT_H
#define VCS_SIMULATION_SLICED_SLOT_H

#include "simulation/sliced_queues.h"

/* The leaf of a slot in the trees of its queue. */
static inline uint32_t vcs_slot_leaf(const vcs_sliced_queue *queue, uint32_t slot) {
    return slot - queue->first_slot;
}

static inline bool vcs_slot_runs(const vcs_sliced_queue *queue, uint32_t slot) {
    return queue->finishes[queue->nodes + vcs_slot_leaf(queue, slot)] != VCS_TREE_EMPTY;
}

static inline void vcs_slot_start(vcs_general *g, uint32_t queue_index, uint32_t slot) {
    vcs_sliced_queue *queue = &g->queues[queue_index];
    vcs_least_set(queue->finishes, queue->nodes, vcs_slot_leaf(queue, slot), g->sim.now + g->slots[slot].left);
    g->next_finish[queue_index] = queue->finishes[0];
}

static inline void vcs_slot_stop(vcs_general *g, uint32_t queue_index, uint32_t slot) {
    vcs_sliced_queue *queue = &g->queues[queue_index];
    const uint32_t leaf = vcs_slot_leaf(queue, slot);
    g->slots[slot].left = queue->finishes[queue->nodes + leaf] - g->sim.now;
    vcs_least_set(queue->finishes, queue->nodes, leaf, VCS_TREE_EMPTY);
    g->next_finish[queue_index] = queue->finishes[0];
}

/* The front of a queue grows by one task; returns its slot. */
static inline uint32_t vcs_front_grow(vcs_general *g, uint32_t queue_index) {
    vcs_sliced_queue *queue = &g->queues[queue_index];
    const uint32_t slot = queue->next;
    vcs_slot_start(g, queue_index, slot);
    queue->last = slot;
    queue->next = g->slots[slot].next;
    queue->running++;
    return slot;
}

/* The front of a queue shrinks by one task; returns its slot. */
static inline uint32_t vcs_front_shrink(vcs_general *g, uint32_t queue_index) {
    vcs_sliced_queue *queue = &g->queues[queue_index];
    const uint32_t slot = queue->last;
    vcs_slot_stop(g, queue_index, slot);
    queue->last = g->slots[slot].previous;
    queue->next = slot;
    queue->running--;
    return slot;
}

#endif
