/* SPDX-License-Identifier: MIT */
#include "core/number.h"
#include "dispatch/job_heap.h"

#define CHILDREN 4u

static bool goes_before(const vcs_job_heap_item *a, const vcs_job_heap_item *b) {
    if (a->rank != b->rank) {
        return a->rank < b->rank;
    }
    if (a->key != b->key) {
        return a->key < b->key;
    }
    return a->id != b->id ? a->id < b->id : a->job < b->job;
}

static void put(vcs_job_heap *heap, uint32_t place, vcs_job_heap_item item) {
    heap->items[place] = item;
    heap->places[item.job] = place;
}

/* Moves an item up from `place`, which is free, to where it belongs. */
static void rise(vcs_job_heap *heap, uint32_t place, vcs_job_heap_item item) {
    while (place > 0) {
        uint32_t parent = (place - 1) / CHILDREN;
        if (!goes_before(&item, &heap->items[parent])) {
            break;
        }
        put(heap, place, heap->items[parent]);
        place = parent;
    }
    put(heap, place, item);
}

/* The child of `place` that goes first; `count` or more if it has none. In 64 bits, where four children always fit. */
static uint64_t first_child(const vcs_job_heap *heap, uint32_t place) {
    uint64_t first = (uint64_t)CHILDREN * place + 1, end = first + CHILDREN;
    uint64_t best = first;
    end = vcs_min_u64(end, heap->count);
    for (uint64_t child = first + 1; child < end; child++) {
        best = goes_before(&heap->items[child], &heap->items[best]) ? child : best;
    }
    return best;
}

/* Moves an item down from `place`, which is free, to where it belongs. */
static void sink(vcs_job_heap *heap, uint32_t place, vcs_job_heap_item item) {
    for (uint64_t child = first_child(heap, place); child < heap->count; child = first_child(heap, place)) {
        if (!goes_before(&heap->items[child], &item)) {
            break;
        }
        put(heap, place, heap->items[child]);
        place = (uint32_t)child;
    }
    put(heap, place, item);
}

void vcs_job_heap_insert(vcs_job_heap *heap, vcs_job_heap_item item) {
    rise(heap, heap->count++, item);
}

void vcs_job_heap_remove(vcs_job_heap *heap, uint32_t place) {
    const vcs_job_heap_item removed = heap->items[place], last = heap->items[--heap->count];
    if (place != heap->count) {
        if (place > 0 && goes_before(&last, &heap->items[(place - 1) / CHILDREN])) {
            rise(heap, place, last);
        } else {
            sink(heap, place, last);
        }
    }
    put(heap, heap->count, removed);
}

void vcs_job_heap_restore(vcs_job_heap *heap) {
    uint32_t place = heap->count++;
    rise(heap, place, heap->items[place]);
}
