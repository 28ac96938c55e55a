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

static void put(vcs_job_heap heap, uint32_t place, vcs_job_heap_item item) {
    heap.items[place] = item;
    heap.places[item.job] = place;
}

/* Moves an item up from `place`, which is free, to where it belongs. */
static void rise(vcs_job_heap heap, uint32_t place, vcs_job_heap_item item) {
    while (place > 0 && goes_before(&item, &heap.items[(place - 1) / CHILDREN])) {
        uint32_t parent = (place - 1) / CHILDREN;
        put(heap, place, heap.items[parent]);
        place = parent;
    }
    put(heap, place, item);
}

/* Moves an item down from `place`, which is free, to where it belongs. */
static void sink(vcs_job_heap heap, uint32_t place, vcs_job_heap_item item) {
    const uint64_t count = *heap.count; /* in 64 bits, where four children always fit */
    for (;;) {
        const uint64_t first = (uint64_t)CHILDREN * place + 1, end = vcs_min_u64(first + CHILDREN, count);
        uint64_t best = first;
        for (uint64_t child = first + 1; child < end; child++) {
            best = goes_before(&heap.items[child], &heap.items[best]) ? child : best;
        }
        if (first >= count || !goes_before(&heap.items[best], &item)) {
            break;
        }
        put(heap, place, heap.items[best]);
        place = (uint32_t)best;
    }
    put(heap, place, item);
}

void vcs_job_heap_insert(vcs_job_heap heap, vcs_job_heap_item item) {
    rise(heap, (*heap.count)++, item);
}

void vcs_job_heap_remove(vcs_job_heap heap, uint32_t place) {
    const uint32_t end = --*heap.count;
    const vcs_job_heap_item removed = heap.items[place], last = heap.items[end];
    if (place != end) {
        if (place > 0 && goes_before(&last, &heap.items[(place - 1) / CHILDREN])) {
            rise(heap, place, last);
        } else {
            sink(heap, place, last);
        }
    }
    put(heap, end, removed);
}

void vcs_job_heap_restore(vcs_job_heap heap) {
    vcs_job_heap_insert(heap, heap.items[*heap.count]);
}
