/* SPDX-License-Identifier: MIT */
#include "vcsched/core/search_tree.h"

#include "vcsched/core/invariant.h"

static uint32_t height_of(const vcs_search_tree *tree, uint32_t node) {
    return node == VCS_NO_NODE ? 0 : tree->nodes[node].height;
}

static int64_t sum_of(const vcs_search_tree *tree, uint32_t node) {
    return node == VCS_NO_NODE ? 0 : tree->sums[node];
}

/* Sets the height and the sum of a node from its children. */
static void add_up(const vcs_search_tree *tree, uint32_t node) {
    vcs_search_node *at = &tree->nodes[node];
    const uint32_t left = height_of(tree, at->child[0]), right = height_of(tree, at->child[1]);
    at->height = (left > right ? left : right) + 1;
    if (tree->sums != NULL) {
        const int64_t own = tree->weights[node], before = sum_of(tree, at->child[0]),
                      behind = sum_of(tree, at->child[1]);
        /* Weights are units of one instance, at most 2^20, and nodes are numbered in 32 bits. */
        VCS_INVARIANT(own >= 0 && own <= INT64_MAX / 4 && before >= 0 && before <= INT64_MAX / 4);
        VCS_INVARIANT(behind >= 0 && behind <= INT64_MAX / 4);
        tree->sums[node] = own + before + behind;
    }
}

/* Replaces a node below its parent by another node, or by none. */
static void replace(const vcs_search_tree *tree, uint32_t *root, uint32_t node, uint32_t other) {
    const uint32_t up = tree->nodes[node].up;
    *(up == VCS_NO_NODE ? root : &tree->nodes[up].child[tree->nodes[up].child[1] == node]) = other;
    if (other != VCS_NO_NODE) {
        tree->nodes[other].up = up;
    }
}

static void adopt(const vcs_search_tree *tree, uint32_t node, int side, uint32_t child) {
    tree->nodes[node].child[side] = child;
    if (child != VCS_NO_NODE) {
        tree->nodes[child].up = node;
    }
}

/* Raises the child on `side` into the place of a node, which goes down on the other side. */
static uint32_t raise_child(const vcs_search_tree *tree, uint32_t *root, uint32_t node, int side) {
    const uint32_t child = tree->nodes[node].child[side];
    VCS_INVARIANT(child != VCS_NO_NODE); /* its side is the higher one */
    replace(tree, root, node, child);
    adopt(tree, node, side, tree->nodes[child].child[!side]);
    adopt(tree, child, !side, node);
    add_up(tree, node);
    add_up(tree, child);
    return child;
}

/* Balances a node with balanced children, `side` higher by two; returns the node that replaces it. */
static uint32_t turn(const vcs_search_tree *tree, uint32_t *root, uint32_t node, int side) {
    const uint32_t child = tree->nodes[node].child[side];
    VCS_INVARIANT(child != VCS_NO_NODE); /* its side is the higher one */
    const uint32_t *grandchild = tree->nodes[child].child;
    if (height_of(tree, grandchild[!side]) > height_of(tree, grandchild[side])) {
        raise_child(tree, root, child, !side);
    }
    return raise_child(tree, root, node, side);
}

/* Balances a node with balanced children; returns the node in its place afterwards. */
static uint32_t balance(const vcs_search_tree *tree, uint32_t *root, uint32_t node) {
    const uint32_t left = height_of(tree, tree->nodes[node].child[0]);
    const uint32_t right = height_of(tree, tree->nodes[node].child[1]);
    if (left > right + 1 || right > left + 1) {
        return turn(tree, root, node, right > left);
    }
    add_up(tree, node);
    return node;
}

/* Balances from a node with changed children upwards: heights as far as they change, sums up to the root. */
static void mend(const vcs_search_tree *tree, uint32_t *root, uint32_t node) {
    while (node != VCS_NO_NODE) {
        const uint32_t height = tree->nodes[node].height;
        node = balance(tree, root, node);
        if (tree->sums == NULL && tree->nodes[node].height == height) {
            return;
        }
        node = tree->nodes[node].up;
    }
}

void vcs_search_insert(const vcs_search_tree *tree, uint32_t *root, uint32_t parent, int side, uint32_t node) {
    vcs_search_node *at = &tree->nodes[node];
    at->up = parent;
    at->child[0] = VCS_NO_NODE;
    at->child[1] = VCS_NO_NODE;
    at->height = 0;
    *(parent == VCS_NO_NODE ? root : &tree->nodes[parent].child[side]) = node;
    mend(tree, root, node);
}

/* Unlinks a node with at most one child. The nodes above it are left to mend(). */
static void unlink_node(const vcs_search_tree *tree, uint32_t *root, uint32_t node) {
    const uint32_t *child = tree->nodes[node].child;
    replace(tree, root, node, child[child[0] == VCS_NO_NODE]);
}

/* Replaces `node` by `other`, which is in no tree. */
static void substitute(const vcs_search_tree *tree, uint32_t *root, uint32_t node, uint32_t other) {
    const vcs_search_node *at = &tree->nodes[node];
    tree->nodes[other].height = at->height;
    adopt(tree, other, 0, at->child[0]);
    adopt(tree, other, 1, at->child[1]);
    replace(tree, root, node, other);
}

void vcs_search_remove(const vcs_search_tree *tree, uint32_t *root, uint32_t node) {
    const vcs_search_node *at = &tree->nodes[node];
    if (at->child[0] == VCS_NO_NODE || at->child[1] == VCS_NO_NODE) {
        unlink_node(tree, root, node);
        mend(tree, root, at->up);
        return;
    }
    const uint32_t next = vcs_search_first(tree, at->child[1]); /* takes its place */
    /* A subtree with nodes has a first one. */
    VCS_INVARIANT(next != VCS_NO_NODE);
    const uint32_t lowest = tree->nodes[next].up == node ? next : tree->nodes[next].up;
    unlink_node(tree, root, next);
    substitute(tree, root, node, next);
    mend(tree, root, lowest);
}
