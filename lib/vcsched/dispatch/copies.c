/*
 * Which clients were sent a job or a copy of it.
 *
 * Rule 10.3; the plain reference is tests/oracle/oracle_dispatch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/dispatch/copies.h"

static vcs_search_tree tree_of(const vcs_dispatch *index) {
    return (vcs_search_tree){.nodes = vcs_dispatch_piece(index, index->among_sent)};
}

/* The root of the tree of a job and its copies. */
static uint32_t *root_of(const vcs_dispatch *index, uint32_t number) {
    const uint32_t copy_of = vcs_job_at(index, number)->copy_of;
    return &vcs_job_at(index, copy_of == VCS_NONE ? number : copy_of)->sent_copies;
}

void vcs_copies_insert(vcs_dispatch *index, uint32_t number) {
    const vcs_search_tree tree = tree_of(index);
    const uint32_t client = vcs_job_at(index, number)->client;
    uint32_t *root = root_of(index, number), parent = VCS_NO_NODE, node = *root;
    int side = 0;
    while (node != VCS_NO_NODE) {
        parent = node;
        side = vcs_job_at(index, node)->client < client; /* the order of one client's copies does not matter */
        node = tree.nodes[node].child[side];
    }
    vcs_search_insert(&tree, root, parent, side, number);
}

void vcs_copies_remove(vcs_dispatch *index, uint32_t number) {
    const vcs_search_tree tree = tree_of(index);
    vcs_search_remove(&tree, root_of(index, number), number);
}

bool vcs_copies_have(const vcs_dispatch *index, uint32_t number, uint32_t client) {
    const vcs_search_tree tree = tree_of(index);
    uint32_t node = *root_of(index, number);
    while (node != VCS_NO_NODE && vcs_job_at(index, node)->client != client) {
        node = tree.nodes[node].child[vcs_job_at(index, node)->client < client];
    }
    return node != VCS_NO_NODE;
}
