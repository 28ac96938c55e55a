/*
 * Balanced search trees, against a row in order that is searched from end to end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/search_tree.h"

#include "support/kernel.h"

#include <stdbool.h>

#define MOST 400u

typedef struct row {
    int64_t keys[MOST];
    uint32_t nodes[MOST]; /* nodes in the tree, in order */
    uint32_t count;
} row;

/* Inserts a node behind the nodes that are not greater. */
static void put_in(row *r, const vcs_search_tree *tree, uint32_t *root, uint32_t node) {
    uint32_t parent = VCS_NO_NODE, place = r->count++;
    int side = 0;
    for (uint32_t at = *root; at != VCS_NO_NODE; at = tree->nodes[at].child[side]) {
        parent = at;
        side = r->keys[at] <= r->keys[node];
    }
    vcs_search_insert(tree, root, parent, side, node);
    for (; place > 0 && r->keys[r->nodes[place - 1]] > r->keys[node]; place--) {
        r->nodes[place] = r->nodes[place - 1];
    }
    r->nodes[place] = node;
}

static void take_out(row *r, const vcs_search_tree *tree, uint32_t *root, uint32_t place) {
    vcs_search_remove(tree, root, r->nodes[place]);
    r->count--;
    for (uint32_t i = place; i < r->count; i++) {
        r->nodes[i] = r->nodes[i + 1];
    }
}

/* What a node says of its subtree is right; returns the height. Balanced: no two sides differ by more than one. */
static uint32_t check_node(const vcs_search_tree *tree, uint32_t node, uint32_t up) {
    if (node == VCS_NO_NODE) {
        return 0;
    }
    const vcs_search_node *at = &tree->nodes[node];
    const uint32_t left = check_node(tree, at->child[0], node), right = check_node(tree, at->child[1], node);
    assert_int_equal(at->up, up);
    assert_int_equal(at->height, 1 + (left > right ? left : right));
    assert_true(left <= right + 1 && right <= left + 1);
    if (tree->sums != NULL) {
        int64_t sum = tree->weights[node];
        for (int side = 0; side <= 1; side++) {
            sum += at->child[side] == VCS_NO_NODE ? 0 : tree->sums[at->child[side]];
        }
        assert_true(tree->sums[node] == sum);
    }
    return at->height;
}

static void check_tree(const row *r, const vcs_search_tree *tree, uint32_t root) {
    check_node(tree, root, VCS_NO_NODE);
    uint32_t node = vcs_search_first(tree, root);
    for (uint32_t i = 0; i < r->count; i++) {
        assert_int_equal(node, r->nodes[i]);
        node = vcs_search_next(tree, node);
    }
    assert_int_equal(node, VCS_NO_NODE);
}

/* Of 10 changes `eager` put a node in, while there is one; `spread` is the number of different keys. */
static void check(uint32_t most, uint32_t spread, uint32_t eager, bool adds_up, uint64_t seed) {
    static vcs_search_node nodes[MOST];
    static int64_t weights[MOST], sums[MOST];
    static row r;
    const vcs_search_tree tree = {nodes, weights, adds_up ? sums : NULL};
    random_stream stream = {seed};
    uint32_t root = VCS_NO_NODE, unused[MOST], left = most;
    r.count = 0;
    for (uint32_t i = 0; i < most; i++) {
        unused[i] = i;
    }
    for (uint32_t change = 0; change < 6 * most; change++) {
        if (left > 0 && (r.count == 0 || random_below(&stream, 10) < eager)) {
            const uint32_t chosen = random_below(&stream, left), node = unused[chosen];
            unused[chosen] = unused[--left];
            r.keys[node] = random_below(&stream, spread);
            weights[node] = 1 + random_below(&stream, 9);
            put_in(&r, &tree, &root, node);
        } else {
            const uint32_t place = random_below(&stream, r.count);
            unused[left++] = r.nodes[place];
            take_out(&r, &tree, &root, place);
        }
        check_tree(&r, &tree, root);
    }
}

static void like_a_row(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        for (uint32_t most = 1; most <= 9; most++) {
            check(most, 1 + (uint32_t)seed % 4, 5 + (uint32_t)seed % 3, seed % 2 != 0, seed);
        }
        check(60, 1000, 5 + (uint32_t)seed % 4, seed % 2 != 0, seed);
    }
    check(MOST, 1u << 30, 8, true, 99);
}

/* In order, it does not become a list: 400 nodes are no deeper than 1.45 log2(400) = 12.5. */
static void in_order(void **state) {
    (void)state;
    static vcs_search_node nodes[MOST];
    static row r;
    for (int descending = 0; descending <= 1; descending++) {
        const vcs_search_tree tree = {.nodes = nodes};
        uint32_t root = VCS_NO_NODE;
        r.count = 0;
        for (uint32_t i = 0; i < MOST; i++) {
            r.keys[i] = descending ? -(int64_t)i : i;
            put_in(&r, &tree, &root, i);
        }
        check_tree(&r, &tree, root);
        assert_true(nodes[root].height <= 12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_a_row),
        cmocka_unit_test(in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
