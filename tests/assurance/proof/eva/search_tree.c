/*
 * Search trees with sums: whatever 6 nodes say of each other, putting one in or taking one out leaves numbers of nodes
 * in all of them, and looks at no others.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/core/search_tree.c
// options: -eva-min-loop-unroll 0 -eva-slevel 20 -eva-ilevel 20 -eva-widening-delay 20
#include "any_tree.h"

int code;

#define NODES 6

static vcs_search_node nodes[NODES];
static int64_t weights[NODES], sums[NODES];

static void check(uint32_t root) {
    //@ assert root < NODES || root == 4294967295; // VCS_NO_NODE
    for (uint32_t i = 0; i < NODES; i++) {
        const vcs_search_node *node = &nodes[i];
        //@ assert node->up < NODES || node->up == 4294967295;
        //@ assert node->child[0] < NODES || node->child[0] == 4294967295;
        //@ assert node->child[1] < NODES || node->child[1] == 4294967295;
        //@ assert 0 <= sums[i] <= 6917529027641081853; // three quarters of INT64_MAX
    }
}

int main(void) {
    const vcs_search_tree tree = {nodes, weights, EITHER() ? sums : (int64_t *)0};
    uint32_t root;
    for (uint32_t i = 0; i < NODES; i++) {
        weights[i] = Frama_C_long_interval(0, INT64_MAX / 4);
    }
    any_tree(&(vcs_search_tree){nodes, weights, sums}, &root, NODES);
    const uint32_t node = Frama_C_unsigned_int_interval(0, NODES - 1);
    if (EITHER()) {
        vcs_search_insert(&tree, &root, any_node(NODES), Frama_C_interval(0, 1), node);
    } else {
        vcs_search_remove(&tree, &root, node);
    }
    check(root);
    uint32_t next = vcs_search_first(&tree, root);
    next = vcs_search_next(&tree, node);
    //@ assert next < NODES || next == 4294967295;
    return 0;
}
