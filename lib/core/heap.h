/*
 * A heap of times: the least is at hand, and replacing it costs O(log n).
 *
 * The heap of n times is an array of n + 1 of them; the last one stands in for the missing child of a parent that has
 * only one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_HEAP_H
#define VCS_CORE_HEAP_H

#include <stdint.h>

/* Makes a heap of `count` equal times. */
static inline void vcs_heap_fill(int64_t *heap, uint32_t count, int64_t time) {
    for (uint32_t i = 0; i < count; i++) {
        heap[i] = time;
    }
    heap[count] = INT64_MAX;
}

static inline int64_t vcs_heap_least(const int64_t *heap) {
    return heap[0];
}

/*
 * Takes the least of the times away and puts `time` in.
 *
 * On the way down the lesser of two times stays and the greater goes on, to the bottom even if it has found its place:
 * where that is cannot be foretold, and a wrong guess of the processor costs more than the way.
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

#endif
