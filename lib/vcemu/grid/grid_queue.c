/* SPDX-License-Identifier: MIT */
#include "vcemu/grid/grid_queue.h"
#include "vcemu/host/memory.h"

#define CHILDREN 4u

bool vcs_grid_queue_reserve(vcs_emu_emulator *ground, vcs_grid_queue *queue, uint32_t count) {
    return vcs_emu_reserve(ground, &queue->entries, count, sizeof *queue->entries) &&
           vcs_emu_reserve(ground, &queue->places, count, sizeof *queue->places);
}

static bool is_before(vcs_grid_entry a, vcs_grid_entry b) {
    return a.time < b.time || (a.time == b.time && a.number < b.number);
}

static void put(vcs_grid_queue *queue, uint32_t place, vcs_grid_entry entry) {
    queue->entries[place] = entry;
    queue->places[entry.number] = place;
}

/* Lets an entry rise from a place to where it belongs. */
static uint32_t rise(vcs_grid_queue *queue, uint32_t place, vcs_grid_entry entry) {
    while (place > 0 && is_before(entry, queue->entries[(place - 1) / CHILDREN])) {
        put(queue, place, queue->entries[(place - 1) / CHILDREN]);
        place = (place - 1) / CHILDREN;
    }
    put(queue, place, entry);
    return place;
}

static void sink(vcs_grid_queue *queue, uint32_t place, vcs_grid_entry entry) {
    for (uint32_t first = place * CHILDREN + 1; first < queue->count; first = place * CHILDREN + 1) {
        uint32_t least = first;
        for (uint32_t child = first + 1; child < first + CHILDREN && child < queue->count; child++) {
            least = is_before(queue->entries[child], queue->entries[least]) ? child : least;
        }
        if (!is_before(queue->entries[least], entry)) {
            break;
        }
        put(queue, place, queue->entries[least]);
        place = least;
    }
    put(queue, place, entry);
}

void vcs_grid_queue_add(vcs_grid_queue *queue, uint32_t number, double time) {
    rise(queue, queue->count++, (vcs_grid_entry){time, number});
}

void vcs_grid_queue_move(vcs_grid_queue *queue, uint32_t number, double time) {
    const vcs_grid_entry entry = {time, number};
    const uint32_t place = queue->places[number];
    VCS_INVARIANT(place < queue->count && queue->entries[place].number == number); /* it is there */
    if (rise(queue, place, entry) == place) {
        sink(queue, place, entry);
    }
}

void vcs_grid_queue_remove(vcs_grid_queue *queue, uint32_t number) {
    const uint32_t place = queue->places[number];
    VCS_INVARIANT(place < queue->count && queue->entries[place].number == number); /* it is there */
    const vcs_grid_entry last = queue->entries[--queue->count];
    if (last.number != number) {
        queue->places[last.number] = place;
        queue->entries[place] = last;
        vcs_grid_queue_move(queue, last.number, last.time);
    }
}
