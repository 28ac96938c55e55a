/*
 * A tree that knows the least of many numbers while they change. Each node has eight children: a number that appears
 * seldom is the least of eight, so most changes end at the first node, without a branch that cannot be foreseen.
 *
 * The tree of n numbers is an array of vcs_least_size(n). A number that is not there is VCS_TREE_EMPTY.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_LEAST_TREE_H
#define VCS_CORE_LEAST_TREE_H

#include "core/min_tree.h"

#include <stdint.h>

#define VCS_LEAST_CHILDREN 8

/* The nodes that have children; the numbers stand behind them. Node i has the children 8 i + 1 ... 8 i + 8. */
static inline uint32_t vcs_least_nodes(uint32_t count) {
    return count < 2 ? 1 : (count - 2) / (VCS_LEAST_CHILDREN - 1) + 1;
}

/* How long the array is: all children of all nodes, and the root. */
static inline uint64_t vcs_least_size(uint32_t count) {
    return (uint64_t)vcs_least_nodes(count) * VCS_LEAST_CHILDREN + 1;
}

static inline void vcs_least_clear(int64_t *tree, uint32_t count) {
    const uint64_t size = vcs_least_size(count);
    for (uint64_t i = 0; i < size; i++) {
        tree[i] = VCS_TREE_EMPTY;
    }
}

static inline int64_t vcs_least_of_children(const int64_t *tree, uint32_t node) {
    const int64_t *child = &tree[(uint64_t)node * VCS_LEAST_CHILDREN + 1];
    int64_t least = child[0];
    for (int i = 1; i < VCS_LEAST_CHILDREN; i++) {
        least = child[i] < least ? child[i] : least;
    }
    return least;
}

/* Sets number `index`; `nodes` is vcs_least_nodes(). O(log n), mostly O(1). */
static inline void vcs_least_set(int64_t *tree, uint32_t nodes, uint32_t index, int64_t value) {
    uint32_t node = nodes + index;
    int64_t before = tree[node];
    tree[node] = value;
    while (node > 0) {
        node = (node - 1) / VCS_LEAST_CHILDREN;
        const int64_t least = tree[node];
        if (value >= least) {
            if (before != least) {
                return;
            }
            value = vcs_least_of_children(tree, node);
            if (value == least) {
                return;
            }
        }
        tree[node] = value;
        before = least;
    }
}

/* Which number is the least; one of them if there are several. There is one. */
static inline uint32_t vcs_least_index(const int64_t *tree, uint32_t nodes) {
    uint32_t node = 0;
    while (node < nodes) {
        uint32_t child = node * VCS_LEAST_CHILDREN + 1;
        while (tree[child] != tree[node]) {
            child++;
        }
        node = child;
    }
    return node - nodes;
}

#endif
