/*
 * A heap of times: the least is at hand, and putting in, taking away and replacing it cost O(log n).
 *
 * A heap that holds n times at most is an array of n + 1; where it holds none, it says INT64_MAX. That stands in for
 * the missing child of a parent that has only one, and for the least of none.
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

/* Puts one more time into a heap of `count`. */
static inline void vcs_heap_add(int64_t *heap, uint32_t count, int64_t time) {
    uint32_t place = count;
    while (place > 0 && heap[(place - 1) / 2] > time) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = time;
}

/*
 * Takes the least of the times away and puts `time` in.
 *
 * On the way down the lesser of two times stays and the greater goes on, to the bottom even if it has found its place:
 * where that is cannot be predicted, and a wrong branch prediction costs more than the longer way.
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

/* Takes the least away from a heap of `count`, which is one at least. */
static inline void vcs_heap_pop_least(int64_t *heap, uint32_t count) {
    const int64_t last = heap[count - 1];
    heap[count - 1] = INT64_MAX;
    if (count > 1) {
        vcs_heap_replace_least(heap, count - 1, last);
    }
}

#endif
