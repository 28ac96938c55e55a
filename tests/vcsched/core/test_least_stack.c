/*
 * The stack that knows its least, against a row that is searched from end to end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/least_stack.h"

#include "support/kernel.h"

#define MOST 300u

typedef struct numbered {
    int64_t number;
    uint32_t tag;
    uint32_t unused;
} numbered;

static uint32_t least_in(const numbered *row, uint32_t count) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; i++) {
        least = row[i].number < row[least].number ? i : least;
    }
    return least;
}

/* Takes one with this tag out of the row; the others keep their order. */
static numbered take(numbered *row, uint32_t *count, uint32_t tag) {
    uint32_t at = 0;
    while (at < *count && row[at].tag != tag) {
        at++;
    }
    assert_true(at < *count);
    const numbered taken = row[at];
    --*count;
    for (; at < *count; at++) {
        row[at] = row[at + 1];
    }
    return taken;
}

/*
 * As in the simulation: each of `count` tagged numbers is on the stack, or waits in order of the tags, or is gone. A
 * pop makes the last number wait again; the least is gone for good. `spread` is the number of different numbers,
 * `eager` of 10 changes are pushes.
 */
static void check(uint32_t count, uint32_t spread, uint32_t eager, uint64_t seed) {
    random_stream stream = {seed};
    numbered row[MOST];
    uint32_t waiting[MOST], on = 0, left = count;
    vcs_stack_block *blocks = malloc(vcs_stack_blocks(count) * sizeof *blocks); /* no more than it may use */
    int64_t *tree = malloc(vcs_stack_tree_size(count) * sizeof *tree);
    assert_non_null(blocks);
    assert_non_null(tree);
    vcs_least_stack stack = vcs_stack_open(blocks, tree, count);
    for (uint32_t i = 0; i < count; i++) {
        waiting[i] = count - 1 - i;
    }
    assert_true(vcs_stack_least(&stack) == VCS_TREE_EMPTY);
    while (left + on > 0) {
        const uint32_t change = random_below(&stream, 10);
        if (left > 0 && (on == 0 || change < eager)) {
            row[on] = (numbered){(int64_t)random_below(&stream, spread) - 1, waiting[--left], 0};
            vcs_stack_push(&stack, row[on].number, row[on].tag);
            on++;
        } else if (change % 2 == 0) {
            int64_t number;
            on--;
            assert_int_equal(vcs_stack_pop(&stack, &number), row[on].tag);
            assert_true(number == row[on].number);
            waiting[left++] = row[on].tag;
        } else {
            const int64_t least = row[least_in(row, on)].number;
            assert_true(take(row, &on, vcs_stack_pop_least(&stack)).number == least);
        }
        assert_true(vcs_stack_least(&stack) == (on == 0 ? VCS_TREE_EMPTY : row[least_in(row, on)].number));
    }
    free(blocks);
    free(tree);
}

static void the_least_is_known(void **unused) {
    (void)unused;
    for (uint32_t count = 1; count <= MOST; count++) {
        check(count, 1, 6, count);
        check(count, 3, 6, count);
        check(count, 1000000, 5, count);
        check(count, 1000000, 8, count);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
