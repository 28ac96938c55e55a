/*
 * Sorts indices of records in place by a comparison, where there is no memory for keys.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_INDEX_SORT_H
#define VCS_CORE_INDEX_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether record a goes before record b: a strict total order. */
typedef bool vcs_goes_before(const void *records, uint32_t a, uint32_t b);

/* Sorts the indices in `order`. O(count * log(count)) comparisons, whatever the records are. */
void vcs_sort_given_indices(uint32_t *order, uint32_t count, vcs_goes_before *goes_before, const void *records);

/* Fills `order` with 0 ... count - 1, sorted. Usually records arrive in order, and one pass is enough. */
static inline void vcs_sort_indices(uint32_t *order, uint32_t count, vcs_goes_before *goes_before,
                                    const void *records) {
    bool is_sorted = true;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
        is_sorted = is_sorted && (i == 0 || goes_before(records, i - 1, i));
    }
    if (!is_sorted) {
        vcs_sort_given_indices(order, count, goes_before, records);
    }
}

#endif
