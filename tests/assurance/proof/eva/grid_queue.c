/*
 * The queue of a grid (lib/vcemu/grid/grid_queue.c): six numbers with any times are put in, in any order among equals,
 * moved and taken out again, so that every level of the heap has all its children.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcemu/grid/grid_queue.c
#include "vcemu/grid/grid_queue.h"
#include "vcemu/host/memory.h"

#include "right.h"

int code;

#define NUMBERS 6

static vcs_grid_entry entries[NUMBERS];
static uint32_t places[NUMBERS];

/* All the memory that is asked for, or none. */
bool vcs_emu_reserve(vcs_emu_emulator *e, void *array, uint64_t count, size_t size) {
    if (count > NUMBERS || EITHER()) {
        return false;
    }
    if (size == sizeof *entries) {
        *(vcs_grid_entry **)array = entries;
    } else {
        *(uint32_t **)array = places;
    }
    return true;
}

static double any_moment(void) {
    return any_between(-VCS_INFINITY, VCS_INFINITY);
}

int main(void) {
    vcs_emu_emulator ground = {.code = VCS_OK};
    vcs_grid_queue queue = {.count = 0};
    if (!vcs_grid_queue_reserve(&ground, &queue, NUMBERS)) {
        return 0;
    }
    for (uint32_t i = 0; i < NUMBERS; i++) {
        vcs_grid_queue_add(&queue, i, any_moment());
    }
    for (uint32_t i = 0; i < NUMBERS; i++) {
        vcs_grid_queue_move(&queue, i, any_moment());
    }
    for (uint32_t i = 0; i < NUMBERS; i++) {
        vcs_grid_queue_remove(&queue, i);
    }
    MAY_PASS(VCS_OK);
    return 0;
}
