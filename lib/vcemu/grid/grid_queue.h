/*
 * A queue of numbered things, each with a time: the earliest is at hand, of equal ones the one with the lowest number.
 *
 * A heap of four children, in which each thing knows its place, so that its time can be changed in O(log n).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_GRID_QUEUE_H
#define VCS_EMU_GRID_GRID_QUEUE_H

#include "vcemu/host/emulator.h"

typedef struct vcs_grid_entry {
    double time;
    uint32_t number;
} vcs_grid_entry;

typedef struct vcs_grid_queue {
    vcs_grid_entry *entries;
    uint32_t *places; /* of each number in the heap; only those that are in it */
    uint32_t count;
} vcs_grid_queue;

/* Makes room for the numbers below `count`. Whether there is memory. */
bool vcs_grid_queue_reserve(vcs_emu_emulator *ground, vcs_grid_queue *queue, uint32_t count);

/* Puts a number in that is not there. */
void vcs_grid_queue_add(vcs_grid_queue *queue, uint32_t number, double time);

/* Changes the time of one that is there. */
void vcs_grid_queue_move(vcs_grid_queue *queue, uint32_t number, double time);

/* Takes one out that is there. */
void vcs_grid_queue_remove(vcs_grid_queue *queue, uint32_t number);

#endif
