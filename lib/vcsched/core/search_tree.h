/*
 * Balanced search trees (AVL) over numbered nodes: put one in, take any one out, and go from one to the next.
 *
 * Nodes are known by their number alone, and many trees may stand in one array of them. Who uses a tree knows how its
 * nodes are ordered and looks for the place of a new one; the tree keeps itself balanced. No order of what comes and
 * goes makes it deeper than 1.45 log2(n), so that nobody who chooses the numbers can make it slow.
 *
 * A tree may add up weights: with each node it then keeps the sum over all below it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_SEARCH_TREE_H
#define VCS_CORE_SEARCH_TREE_H

#include <stddef.h>
#include <stdint.h>

#define VCS_NO_NODE UINT32_MAX

typedef struct vcs_search_node {
    uint32_t up;
    uint32_t child[2]; /* those before it, and those behind it */
    uint32_t height;   /* 1: it has no child */
} vcs_search_node;

/* Where trees are kept. The root of each is kept by its user; VCS_NO_NODE = nothing is in it. */
typedef struct vcs_search_tree {
    vcs_search_node *nodes;
    int64_t *weights; /* per node; set before it is put in */
    int64_t *sums;    /* per node: its weight and those below it together; NULL = weights are not added up */
} vcs_search_tree;

/* Puts a node below `parent`, where there is none yet; as the root if `parent` is VCS_NO_NODE. O(log(n)). */
void vcs_search_insert(const vcs_search_tree *tree, uint32_t *root, uint32_t parent, int side, uint32_t node);

/* Takes a node out. O(log(n)). */
void vcs_search_remove(const vcs_search_tree *tree, uint32_t *root, uint32_t node);

/* The first node below one, or itself; VCS_NO_NODE of none. O(log(n)). */
static inline uint32_t vcs_search_first(const vcs_search_tree *tree, uint32_t node) {
    while (node != VCS_NO_NODE && tree->nodes[node].child[0] != VCS_NO_NODE) {
        node = tree->nodes[node].child[0];
    }
    return node;
}

/* The node behind one; VCS_NO_NODE behind the last. O(log(n)), but all n one after the other O(n). */
static inline uint32_t vcs_search_next(const vcs_search_tree *tree, uint32_t node) {
    if (tree->nodes[node].child[1] != VCS_NO_NODE) {
        return vcs_search_first(tree, tree->nodes[node].child[1]);
    }
    uint32_t below = node;
    do {
        below = node;
        node = tree->nodes[node].up;
    } while (node != VCS_NO_NODE && tree->nodes[node].child[1] == below);
    return node;
}

#endif
