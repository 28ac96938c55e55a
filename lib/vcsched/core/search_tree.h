/*
 * Balanced search trees (AVL) over numbered nodes: insert a node, remove any node, and go from node to node.
 *
 * A node is an index; many trees may share one array of nodes. The caller knows the order of nodes and finds the parent
 * of a new node; the tree keeps itself balanced. No sequence of insertions and removals makes it deeper than
 * 1.45 log2(n), so that no choice of numbers makes it slow.
 *
 * A tree may add up weights: each node then keeps the sum of its subtree.
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
    uint32_t child[2]; /* subtrees before and behind it; VCS_NO_NODE = empty */
    uint32_t height;   /* 1 without a child */
} vcs_search_node;

/* Memory of trees. The caller keeps the root of each tree; VCS_NO_NODE = empty. */
typedef struct vcs_search_tree {
    vcs_search_node *nodes;
    int64_t *weights; /* per node; set before insertion */
    int64_t *sums;    /* per node: sum of weights of its subtree; NULL = weights are not added up */
} vcs_search_tree;

/* Inserts a node as the missing child `side` of `parent`; as the root if `parent` is VCS_NO_NODE. O(log(n)). */
void vcs_search_insert(const vcs_search_tree *tree, uint32_t *root, uint32_t parent, int side, uint32_t node);

/* Removes a node. O(log(n)). */
void vcs_search_remove(const vcs_search_tree *tree, uint32_t *root, uint32_t node);

/* The first node of a subtree; VCS_NO_NODE if it is empty. O(log(n)). */
static inline uint32_t vcs_search_first(const vcs_search_tree *tree, uint32_t node) {
    while (node != VCS_NO_NODE && tree->nodes[node].child[0] != VCS_NO_NODE) {
        node = tree->nodes[node].child[0];
    }
    return node;
}

/* The next node; VCS_NO_NODE behind the last. O(log(n)), but O(n) for a whole tree. */
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
