/*
 * Sorting of indices in place.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include "vcsched/core/index_sort.h"

#define MOST 1000

static bool lower_value_first(const void *records, uint32_t a, uint32_t b) {
    const uint32_t *values = records;
    return values[a] != values[b] ? values[a] < values[b] : a < b;
}

/* Ascending values, equal ones by index; every index once. */
static void check_sorted(const uint32_t *values, uint32_t count) {
    uint32_t order[MOST];
    unsigned char seen[MOST] = {0};
    vcs_sort_indices(order, count, lower_value_first, values);
    for (uint32_t i = 0; i < count; i++) {
        assert_in_range(order[i], 0, count - 1);
        assert_int_equal(seen[order[i]]++, 0);
        assert_true(i == 0 || lower_value_first(values, order[i - 1], order[i]));
    }
}

static void sorts_random_values(void **unused) {
    (void)unused;
    random_stream stream = {1};
    for (uint32_t round = 0; round < 2000; round++) {
        uint32_t values[MOST];
        uint32_t count = random_below(&stream, round < 1900 ? 40 : MOST);
        uint32_t distinct = 1 + random_below(&stream, 2 * count + 1);
        for (uint32_t i = 0; i < count; i++) {
            values[i] = random_below(&stream, distinct);
        }
        check_sorted(values, count);
    }
}

static void sorts_ordered_values(void **unused) {
    (void)unused;
    uint32_t rising[MOST], falling[MOST], organ_pipe[MOST], equal[MOST] = {0};
    for (uint32_t i = 0; i < MOST; i++) {
        rising[i] = i;
        falling[i] = MOST - i;
        organ_pipe[i] = i < MOST / 2 ? i : MOST - i;
    }
    check_sorted(rising, MOST);
    check_sorted(falling, MOST);
    check_sorted(organ_pipe, MOST);
    check_sorted(equal, MOST);
}

static void sorts_nothing(void **unused) {
    (void)unused;
    uint32_t untouched = 17;
    vcs_sort_indices(&untouched, 0, lower_value_first, NULL);
    assert_int_equal(untouched, 17);
    vcs_sort_indices(NULL, 0, lower_value_first, NULL);
}

static uint32_t comparisons;

static bool counted(const void *records, uint32_t a, uint32_t b) {
    comparisons++;
    return lower_value_first(records, a, b);
}

static void needs_few_comparisons(void **unused) {
    (void)unused;
    random_stream stream = {2};
    uint32_t values[MOST], order[MOST];
    for (uint32_t round = 0; round < 100; round++) {
        for (uint32_t i = 0; i < MOST; i++) {
            values[i] = round % 2 == 0 ? random_below(&stream, MOST) : MOST - i;
        }
        comparisons = 0;
        vcs_sort_indices(order, MOST, counted, values);
        /* is_sorted: at most n; the heap: at most 2 n to build it and 2 n log2(n) to take it down */
        assert_in_range(comparisons, 1, MOST + 2 * MOST + 2 * MOST * 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_random_values),
        cmocka_unit_test(sorts_ordered_values),
        cmocka_unit_test(sorts_nothing),
        cmocka_unit_test(needs_few_comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
