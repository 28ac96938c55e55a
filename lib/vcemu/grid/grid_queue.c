/* SPDX-License-Identifier: MIT */
#include "vcemu/grid/grid_queue.h"
#include "vcemu/host/memory.h"

#define CHILDREN 4u

bool vcs_grid_queue_reserve(vcs_emu_emulator *ground, vcs_grid_queue *queue, uint32_t count) {
    return vcs_emu_reserve(ground, &queue->entries, count, sizeof *queue->entries) &&
           vcs_emu_reserve(ground, &queue->positions, count, sizeof *queue->positions);
}

static bool is_before(vcs_grid_entry a, vcs_grid_entry b) {
    return a.time < b.time || (a.time == b.time && a.number < b.number);
}

static void put(vcs_grid_queue *queue, uint32_t position, vcs_grid_entry entry) {
    queue->entries[position] = entry;
    queue->positions[entry.number] = position;
}

/* Lets an entry rise from a position to its final one, which is returned. */
static uint32_t rise(vcs_grid_queue *queue, uint32_t position, vcs_grid_entry entry) {
    while (position > 0 && is_before(entry, queue->entries[(position - 1) / CHILDREN])) {
        put(queue, position, queue->entries[(position - 1) / CHILDREN]);
        position = (position - 1) / CHILDREN;
    }
    put(queue, position, entry);
    return position;
}

static void sink(vcs_grid_queue *queue, uint32_t position, vcs_grid_entry entry) {
    for (uint32_t first = position * CHILDREN + 1; first < queue->count; first = position * CHILDREN + 1) {
        uint32_t least = first;
        for (uint32_t child = first + 1; child < first + CHILDREN && child < queue->count; child++) {
            least = is_before(queue->entries[child], queue->entries[least]) ? child : least;
        }
        if (!is_before(queue->entries[least], entry)) {
            break;
        }
        put(queue, position, queue->entries[least]);
        position = least;
    }
    put(queue, position, entry);
}

void vcs_grid_queue_add(vcs_grid_queue *queue, uint32_t number, double time) {
    rise(queue, queue->count++, (vcs_grid_entry){time, number});
}

void vcs_grid_queue_move(vcs_grid_queue *queue, uint32_t number, double time) {
    const vcs_grid_entry entry = {time, number};
    const uint32_t position = queue->positions[number];
    VCS_INVARIANT(position < queue->count && queue->entries[position].number == number); /* it is there */
    if (rise(queue, position, entry) == position) {
        sink(queue, position, entry);
    }
}

void vcs_grid_queue_remove(vcs_grid_queue *queue, uint32_t number) {
    const uint32_t position = queue->positions[number];
    VCS_INVARIANT(position < queue->count && queue->entries[position].number == number); /* it is there */
    const vcs_grid_entry last = queue->entries[--queue->count];
    if (last.number != number) {
        queue->positions[last.number] = position;
        queue->entries[position] = last;
        vcs_grid_queue_move(queue, last.number, last.time);
    }
}
