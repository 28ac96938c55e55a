/*
 * A tree of minima over a row of numbers: reads the least in O(1), changes a number in O(log n), usually less, and
 * finds the first number below a bound in O(log n).
 *
 * The tree of n leaves is an array of 2 * vcs_tree_width(n) numbers; the leaves are its second half. An empty leaf is
 * VCS_TREE_EMPTY.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_MIN_TREE_H
#define VCS_CORE_MIN_TREE_H

#include <stddef.h>
#include <stdint.h>

#define VCS_TREE_EMPTY INT64_MAX

/* Leaves with padding: the least power of two not below `count`. */
static inline uint32_t vcs_tree_width(uint32_t count) {
    uint32_t width = 1;
    while (width < count) {
        width *= 2;
    }
    return width;
}

static inline void vcs_tree_clear(int64_t *tree, uint32_t width) {
    for (uint32_t i = 0; i < 2 * width; i++) {
        tree[i] = VCS_TREE_EMPTY;
    }
}

static inline int64_t vcs_tree_least(const int64_t *tree) {
    return tree[1];
}

static inline int64_t vcs_tree_get(const int64_t *tree, uint32_t width, uint32_t leaf) {
    return tree[width + leaf];
}

static inline void vcs_tree_set(int64_t *tree, uint32_t width, uint32_t leaf, int64_t value) {
    uint32_t node = width + leaf;
    tree[node] = value;
    while (node > 1) {
        int64_t sibling = tree[node ^ 1];
        node /= 2;
        value = sibling < value ? sibling : value;
        if (tree[node] == value) {
            return; /* nothing changes further up */
        }
        tree[node] = value;
    }
}

/* Sets all inner nodes from the leaves. */
static inline void vcs_tree_build(int64_t *tree, uint32_t width) {
    const int64_t *leaves = tree + 2 * (size_t)width;
    for (int64_t *node = tree + width - 1; node > tree; node--) {
        leaves -= 2; /* the two children */
        *node = leaves[0] < leaves[1] ? leaves[0] : leaves[1];
    }
}

/* The first leaf from `leaf` on below `bound`; UINT32_MAX if there is none. */
static inline uint32_t vcs_tree_first_below(const int64_t *tree, uint32_t width, uint32_t leaf, int64_t bound) {
    uint32_t node = width + leaf;
    while (tree[node] >= bound) {
        while (node & 1) {
            node /= 2;
        }
        if (node == 0) {
            return UINT32_MAX;
        }
        node++;
    }
    while (node < width) {
        node = tree[2 * node] < bound ? 2 * node : 2 * node + 1;
    }
    return node - width;
}

#endif
