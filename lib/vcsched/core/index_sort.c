/* SPDX-License-Identifier: MIT */
#include "vcsched/core/index_sort.h"

#include <stddef.h>

/* Sinks the index at `place` until neither child goes after it: the root of the heap goes last. */
static void sink(uint32_t *heap, size_t count, size_t place, vcs_goes_before *goes_before, const void *records) {
    uint32_t sinking = heap[place];
    for (size_t child = 2 * place + 1; child < count; child = 2 * place + 1) {
        if (child + 1 < count && goes_before(records, heap[child], heap[child + 1])) {
            child++;
        }
        if (!goes_before(records, sinking, heap[child])) {
            break;
        }
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = sinking;
}

void vcs_sort_given_indices(uint32_t *order, uint32_t count, vcs_goes_before *goes_before, const void *records) {
    for (size_t place = count / 2; place > 0; place--) {
        sink(order, count, place - 1, goes_before, records);
    }
    for (size_t end = count; end > 1; end--) {
        uint32_t last = order[0];
        order[0] = order[end - 1];
        order[end - 1] = last;
        sink(order, end - 1, 0, goes_before, records);
    }
}
