/*
 * A queue of numbers, each with a time: the earliest is at hand; at equal times the lowest number is.
 *
 * A heap of four children. The position of each number in it is known, so its time can be changed in O(log n).
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
    uint32_t *positions; /* in the heap, of each number that is in it */
    uint32_t count;
} vcs_grid_queue;

/* Makes room for the numbers below `count`. Whether there is memory. */
bool vcs_grid_queue_reserve(vcs_emu_emulator *ground, vcs_grid_queue *queue, uint32_t count);

/* Adds a number that is not there. */
void vcs_grid_queue_add(vcs_grid_queue *queue, uint32_t number, double time);

/* Changes the time of a number that is there. */
void vcs_grid_queue_move(vcs_grid_queue *queue, uint32_t number, double time);

/* Removes a number that is there. */
void vcs_grid_queue_remove(vcs_grid_queue *queue, uint32_t number);

#endif
