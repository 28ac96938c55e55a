/*
 * Search trees that are left to a proof of their own (search_tree.c): here, putting a node in or taking one out leaves
 * any places in all nodes, whatever was there, and any sums.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_ANY_TREE_H
#define VCS_PROOF_ANY_TREE_H

#include "any.h"
#include "vcsched/core/search_tree.h"

/* The number of one of so many nodes, or none. */
static uint32_t any_node(uint32_t count) {
    uint32_t node = VCS_NO_NODE;
    if (EITHER()) {
        node = Frama_C_unsigned_int_interval(0, count - 1);
    }
    return node;
}

/* What may be in so many nodes, and a root. */
static void any_tree(const vcs_search_tree *tree, uint32_t *root, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        vcs_search_node *node = &tree->nodes[i];
        node->up = any_node(count);
        node->child[0] = any_node(count);
        node->child[1] = any_node(count);
        node->height = ANY_U32();
        tree->sums[i] = Frama_C_long_interval(0, INT64_MAX / 4 * 3);
    }
    *root = any_node(count);
}

/* A harness that leaves the trees away says how many nodes there are. */
#ifdef TREE_NODES
void vcs_search_insert(const vcs_search_tree *tree, uint32_t *root, uint32_t parent, int side, uint32_t node) {
    //@ assert node < TREE_NODES && (parent < TREE_NODES || parent == 4294967295) && 0 <= side <= 1; // VCS_NO_NODE
    any_tree(tree, root, TREE_NODES);
}

void vcs_search_remove(const vcs_search_tree *tree, uint32_t *root, uint32_t node) {
    //@ assert node < TREE_NODES;
    any_tree(tree, root, TREE_NODES);
}
#endif

#endif
