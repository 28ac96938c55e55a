/*
 * Sorting numbers of records in place by a comparison, where there is no memory for keys.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_INDEX_SORT_H
#define VCS_CORE_INDEX_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether record a goes before record b: a strict total order. */
typedef bool vcs_goes_before(const void *records, uint32_t a, uint32_t b);

/* Fills `order` with 0 ... count - 1, sorted. O(count * log(count)) comparisons whatever the records are. */
void vcs_sort_indices(uint32_t *order, uint32_t count, vcs_goes_before *goes_before, const void *records);

#endif
