/*
 * Updates the orders of tasks after some have moved.
 *
 * If few of many tasks have moved, only these are looked up, which saves half of the instructions of an emulation of a
 * host with some 4,000 tasks (examples/study/crowded.ini). Hosts with a few tasks gain nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_REORDER_H
#define VCS_HOST_REORDER_H

#include "vcsched/host/order.h"

#include <stdbool.h>

/* Tasks with other places in the orders, perhaps. */
typedef struct vcs_moved {
    uint32_t before, now; /* tasks in the orders before and afterwards: indices from `now` on are gone */
    uint32_t *others;     /* [other_count]: indices with another task than before, or a new one; lowest first */
    uint32_t *due;        /* [due_count]: indices with the same task, perhaps due earlier or later */
    uint32_t other_count, due_count;
    uint32_t is_rescaled; /* 1: the run times of all tasks have changed */
} vcs_moved;

/* If one task in this many has moved, walking all costs no more than looking up the moved ones. */
#define VCS_MANY_MOVED 8

static inline bool vcs_have_few_moved(const vcs_moved *moved) {
    const uint32_t gone = moved->before > moved->now ? moved->before - moved->now : 0;
    return (uint64_t)gone + moved->other_count + moved->due_count < moved->now / VCS_MANY_MOVED;
}

/*
 * Updates the orders after the tasks have been converted. False if it gives up, or two tasks have the same id: then the
 * orders may be wrong. O(tasks).
 */
bool vcs_move_many(vcs_state *state, const vcs_moved *moved);

/* State between the two steps for a few tasks. */
typedef struct vcs_few_moved {
    vcs_record_sort sort;
    vcs_sort_item *due_places; /* keys: the old places of vcs_moved.due in the order of deadline, ascending */
    uint32_t left;             /* tasks left in each order until vcs_moved.others are inserted */
} vcs_few_moved;

uint64_t vcs_move_scratch(uint64_t tasks);

/*
 * The same for a few tasks, in two steps: before the tasks are converted, and after. The arena has room for
 * vcs_move_scratch(). Only the moved tasks and their old and new places are read: O(moved * log(tasks)), and the moving
 * of the indices between.
 */
void vcs_begin_to_move_few(vcs_state *state, const vcs_moved *moved, vcs_arena *arena, vcs_few_moved *few);
bool vcs_move_few(vcs_state *state, const vcs_moved *moved, const vcs_few_moved *few);

#endif
