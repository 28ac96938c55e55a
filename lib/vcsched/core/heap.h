/*
 * A heap of times: reads the least in O(1); adds, pops and replaces it in O(log n).
 *
 * A heap of at most n times is an array of n + 1, filled up with INT64_MAX. This stands for the missing child of a
 * parent with only one, and for the least time of an empty heap.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_HEAP_H
#define VCS_CORE_HEAP_H

#include <stdint.h>

/* Makes an empty heap for `most` times. */
static inline void vcs_heap_clear(int64_t *heap, uint32_t most) {
    for (uint32_t i = 0; i <= most; i++) {
        heap[i] = INT64_MAX;
    }
}

static inline int64_t vcs_heap_least(const int64_t *heap) {
    return heap[0];
}

/* Adds a time to a heap of `count`. */
static inline void vcs_heap_add(int64_t *heap, uint32_t count, int64_t time) {
    uint32_t place = count;
    while (place > 0 && heap[(place - 1) / 2] > time) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = time;
}

/*
 * Replaces the least of the times by `time`.
 *
 * On the way down the lesser of two times stays and the greater goes on, always to the bottom. Stopping early would
 * take a branch that cannot be predicted, and a wrong prediction costs more than the longer way.
 */
static inline void vcs_heap_replace_least(int64_t *heap, uint32_t count, int64_t time) {
    uint32_t place = 0;
    for (uint32_t child = 1; child < count; child = 2 * place + 1) {
        int64_t left = heap[child], right = heap[child + 1];
        int64_t least = right < left ? right : left;
        heap[place] = least < time ? least : time;
        place = child + (right < left);
        time = least < time ? time : least;
    }
    heap[place] = time;
}

/* Removes the least from a heap of `count`, at least 1. */
static inline void vcs_heap_pop_least(int64_t *heap, uint32_t count) {
    const int64_t last = heap[count - 1];
    heap[count - 1] = INT64_MAX;
    if (count > 1) {
        vcs_heap_replace_least(heap, count - 1, last);
    }
}

#endif
