/*
 * The heap of times, against a row of times that is searched from end to end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "core/heap.h"

#include "kernel.h"

#define MOST 70u

static uint32_t least_of(const int64_t *row, uint32_t count) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; i++) {
        least = row[i] < row[least] ? i : least;
    }
    return least;
}

/* `spread` is the number of different times that are put in. */
static void check(uint32_t count, uint32_t spread, uint64_t seed) {
    random_stream stream = {seed};
    int64_t *heap = malloc((count + 1) * sizeof *heap); /* no more than it may use */
    int64_t row[MOST];
    assert_non_null(heap);
    vcs_heap_fill(heap, count, -5);
    for (uint32_t i = 0; i < count; i++) {
        row[i] = -5;
    }
    for (uint32_t round = 0; round < 8 * count; round++) {
        uint32_t least = least_of(row, count);
        assert_true(vcs_heap_least(heap) == row[least]);
        row[least] = random_below(&stream, spread);
        vcs_heap_replace_least(heap, count, row[least]);
    }
    assert_true(heap[count] == INT64_MAX); /* what stands in for a missing child stays there */
    free(heap);
}

static void the_least_is_at_hand(void **unused) {
    (void)unused;
    for (uint32_t count = 1; count <= MOST; count++) {
        check(count, 1, count);
        check(count, 3, count);
        check(count, 1000000, count);
    }
}

/* Times that only grow, as in a simulation: each goes in behind the one that it replaces. */
static void times_may_only_grow(void **unused) {
    (void)unused;
    random_stream stream = {1};
    int64_t heap[MOST + 1], last = 0, sum = 0;
    vcs_heap_fill(heap, MOST, 0);
    for (uint32_t i = 0; i < 10000; i++) {
        int64_t least = vcs_heap_least(heap);
        int64_t length = random_below(&stream, 1000);
        assert_true(least >= last);
        last = least;
        sum += length;
        vcs_heap_replace_least(heap, MOST, least + length);
    }
    for (uint32_t i = 0; i < MOST; i++) {
        sum -= heap[i];
    }
    assert_true(sum == 0); /* no time was lost, and none was made up */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_is_at_hand),
        cmocka_unit_test(times_may_only_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
