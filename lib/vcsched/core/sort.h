/*
 * A stable radix sort, linear whatever the keys are.
 *
 * To sort by several keys, sort by the least significant one first, then put the next key into the items and sort
 * again.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_SORT_H
#define VCS_CORE_SORT_H

#include <stdint.h>

typedef struct vcs_sort_item {
    uint64_t key;
    uint32_t index; /* the record */
    uint32_t unused;
} vcs_sort_item;

/* Sorts by key, lowest first; `spare` is scratch of the same length. O(count), at most 8 passes. */
void vcs_sort(vcs_sort_item *items, vcs_sort_item *spare, uint32_t count);

#endif
