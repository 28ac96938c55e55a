/*
 * These orders after some tasks have moved.
 *
 * Where few of many tasks have moved, only those are looked for. Without that, an emulation of a host with some 4,000
 * tasks (examples/study/crowded.ini) takes 2.1 times as many instructions; hosts with a few tasks gain nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_REORDER_H
#define VCS_HOST_REORDER_H

#include "vcsched/host/order.h"

#include <stdbool.h>

/* Which tasks may have other places in the orders. */
typedef struct vcs_moved {
    uint32_t before, now; /* how many tasks the orders held, and are to hold: those from `now` on are gone */
    uint32_t *others;     /* [other_count]: not the tasks that stood there before, or new; lowest first */
    uint32_t *due;        /* [due_count]: the same tasks, which may have another place by deadline */
    uint32_t other_count, due_count;
    uint32_t is_rescaled; /* 1: the run times of all tasks have changed */
} vcs_moved;

/* If one task in this many has moved, looking at all costs no more than finding the places of those. */
#define VCS_MANY_MOVED 8

static inline bool vcs_have_few_moved(const vcs_moved *moved) {
    const uint32_t gone = moved->before > moved->now ? moved->before - moved->now : 0;
    return (uint64_t)gone + moved->other_count + moved->due_count < moved->now / VCS_MANY_MOVED;
}

/*
 * Puts the orders right after the tasks have been converted. False if that is given up, or two tasks have the same id:
 * then the orders may not be right. O(tasks).
 */
bool vcs_move_many(vcs_state *state, const vcs_moved *moved);

/* What is found of a few tasks before they are converted. */
typedef struct vcs_few_moved {
    vcs_record_sort sort;
    vcs_sort_item *due_places; /* by deadline, of those in vcs_moved.due, the first to the last: the keys */
    uint32_t left;             /* tasks that are left in each order until the others are put in */
} vcs_few_moved;

uint64_t vcs_move_scratch(uint64_t tasks);

/*
 * The same if they are few, in two steps: before the tasks are converted, and after. The arena has room for
 * vcs_move_scratch(). Nothing is looked at but those tasks and the places where they belong: O(moved * log(tasks)), and
 * the moving of what lies between.
 */
void vcs_begin_to_move_few(vcs_state *state, const vcs_moved *moved, vcs_arena *arena, vcs_few_moved *few);
bool vcs_move_few(vcs_state *state, const vcs_moved *moved, const vcs_few_moved *few);

#endif
