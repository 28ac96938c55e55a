/*
 * The heap of times, against a row of times that is searched from end to end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/heap.h"

#include "support/kernel.h"

#define MOST 70u

static uint32_t least_of(const int64_t *row, uint32_t count) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; i++) {
        least = row[i] < row[least] ? i : least;
    }
    return least;
}

/* The heap says the same as the row, and INT64_MAX where it holds nothing. */
static void check_heap(const int64_t *heap, const int64_t *row, uint32_t count, uint32_t most) {
    assert_true(vcs_heap_least(heap) == (count > 0 ? row[least_of(row, count)] : INT64_MAX));
    for (uint32_t i = count; i <= most; i++) {
        assert_true(heap[i] == INT64_MAX);
    }
}

/* Fills the heap and empties it again, a few times over; `spread` is the number of different times that are put in. */
static void check(uint32_t most, uint32_t spread, uint64_t seed) {
    random_stream stream = {seed};
    int64_t *heap = malloc((most + 1) * sizeof *heap); /* no more than it may use */
    int64_t row[MOST];
    uint32_t count = 0;
    assert_non_null(heap);
    vcs_heap_clear(heap, most);
    for (uint32_t round = 0; round < 30 * most; round++) {
        const uint64_t is_growing = round / (3 * most) % 2 == 0, choice = random_below(&stream, 4);
        const int64_t time = random_below(&stream, spread);
        check_heap(heap, row, count, most);
        if (count > 0 && choice == 0) {
            row[least_of(row, count)] = time;
            vcs_heap_replace_least(heap, count, time);
        } else if (count < most && (choice == 1 || is_growing)) {
            vcs_heap_add(heap, count, time);
            row[count++] = time;
        } else if (count > 0) {
            vcs_heap_pop_least(heap, count);
            const uint32_t least = least_of(row, count);
            row[least] = row[--count];
        }
    }
    free(heap);
}

static void the_least_is_at_hand(void **unused) {
    (void)unused;
    for (uint32_t most = 1; most <= MOST; most++) {
        check(most, 1, most);
        check(most, 3, most);
        check(most, 1000000, most);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_is_at_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
