/*
 * The radix sort against qsort: the same order, and stable, whatever the keys are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include "vcsched/core/number.h"
#include "vcsched/core/sort.h"

#define MOST 5000u

/* Items to be sorted; `index` numbers them as they come. */
static vcs_sort_item items[MOST], expected[MOST];

/* By key, then as they came: what a stable sort does. */
static int compare(const void *a, const void *b) {
    const vcs_sort_item *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->index < y->index ? -1 : 1;
}

/* The memory is exactly as long as it has to be, so that a step beyond it shows. */
static void check_sort(uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        items[i].index = i;
        items[i].unused = 0;
    }
    memcpy(expected, items, count * sizeof *items);
    qsort(expected, count, sizeof *expected, compare);
    vcs_sort_item *exact = malloc(count * sizeof *exact + 1), *spare = malloc(count * sizeof *spare + 1);
    assert_non_null(exact);
    assert_non_null(spare);
    memcpy(exact, items, count * sizeof *items);
    vcs_sort(exact, spare, count);
    assert_memory_equal(exact, expected, count * sizeof *exact);
    free(exact);
    free(spare);
}

/* Lengths on both sides of where the method changes. */
static const uint32_t counts[] = {0, 1, 2, 3, 39, 63, 64, 65, 66, 255, 256, 257, 1000, MOST};

typedef uint64_t (*key_rule)(random_stream *r, uint32_t i);

static void check_keys(key_rule key) {
    random_stream r = {1};
    for (size_t c = 0; c < COUNT_OF(counts); c++) {
        for (uint32_t i = 0; i < counts[c]; i++) {
            items[i].key = key(&r, i);
        }
        check_sort(counts[c]);
    }
}

#define KEYS(name, expression) RULE_TEST(uint64_t, check_keys, name, expression)

KEYS(random_keys, random_bits(r))
KEYS(random_doubles, vcs_order_key(random_between(r, -1e6, 1e6)))
KEYS(one_key, 42)
KEYS(two_keys, random_bits(r) & 1)
KEYS(few_keys_far_apart, UINT64_MAX / (1 + random_below(r, 5)))
KEYS(ascending_keys, i)
KEYS(descending_keys, UINT64_MAX - i)
KEYS(ascending_but_for_one, i == 7 ? UINT64_MAX : i)
KEYS(saw_teeth, i % 17 * UINT64_C(0x0101010101010101))
KEYS(organ_pipes, i % 2 ? i : MOST - i)
KEYS(only_the_first_digit, random_bits(r) << 56)
KEYS(only_the_last_digit, random_bits(r) >> 56)
KEYS(only_a_digit_in_the_middle, random_bits(r) >> 56 << 24)
KEYS(outer_digits, random_bits(r) & UINT64_C(0xff000000000000ff))
/* Alike in what sorts by the first digits look at, and different at the very end. */
KEYS(alike_but_for_the_end, UINT64_C(0x3ff0000000000000) | (random_bits(r) & 3))
KEYS(times_of_day, vcs_order_key(1.7e9 + (double)random_below(r, 86400)))

/* Sorting by a second key first, then by the first key, sorts by both. */
static void keys_of_two_ranks(void **unused) {
    (void)unused;
    static uint32_t first[MOST], second[MOST];
    static vcs_sort_item sorted[MOST], spare[MOST];
    random_stream r = {2};
    for (uint32_t i = 0; i < MOST; i++) {
        first[i] = random_below(&r, 20);
        second[i] = random_below(&r, 100);
        sorted[i] = (vcs_sort_item){.key = second[i], .index = i};
    }
    vcs_sort(sorted, spare, MOST);
    for (uint32_t i = 0; i < MOST; i++) {
        sorted[i].key = first[sorted[i].index];
    }
    vcs_sort(sorted, spare, MOST);
    for (uint32_t i = 1; i < MOST; i++) {
        uint32_t a = sorted[i - 1].index, b = sorted[i].index;
        assert_true(first[a] < first[b] || (first[a] == first[b] && second[a] < second[b]) ||
                    (first[a] == first[b] && second[a] == second[b] && a < b));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_keys),
        cmocka_unit_test(random_doubles),
        cmocka_unit_test(one_key),
        cmocka_unit_test(two_keys),
        cmocka_unit_test(few_keys_far_apart),
        cmocka_unit_test(ascending_keys),
        cmocka_unit_test(descending_keys),
        cmocka_unit_test(ascending_but_for_one),
        cmocka_unit_test(saw_teeth),
        cmocka_unit_test(organ_pipes),
        cmocka_unit_test(only_the_first_digit),
        cmocka_unit_test(only_the_last_digit),
        cmocka_unit_test(only_a_digit_in_the_middle),
        cmocka_unit_test(outer_digits),
        cmocka_unit_test(alike_but_for_the_end),
        cmocka_unit_test(times_of_day),
        cmocka_unit_test(keys_of_two_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
