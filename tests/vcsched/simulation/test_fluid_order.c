/*
 * The order in which the tasks of a project end, against a table of workers; the first to be done takes the
 * next task.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include "vcsched/simulation/fluid/fluid_order.h"

#define MOST 300u

static vcs_fluid_batch batches[MOST];
static double run_times[MOST], done[MOST];

/* Puts tasks of one run time that follow each other into a batch, of at most `most`. Returns how many there are. */
static uint32_t queue_up(uint32_t count, uint32_t most) {
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i++) {
        vcs_fluid_batch *last = &batches[made - (made > 0)];
        if (made > 0 && last->end == run_times[i] && last->count < most) {
            last->count++;
            continue;
        }
        last->behind = &batches[made];
        batches[made++] = (vcs_fluid_batch){.end = run_times[i], .first = i, .count = 1};
    }
    return made;
}

/* Puts the tasks in order; the memory of the overtakers is exactly as long as it has to be. Returns the first batch. */
static const vcs_fluid_batch *put_in_order(uint32_t count, uint32_t workers, uint32_t most) {
    vcs_fluid_overtaker *overtakers = malloc(workers * sizeof *overtakers);
    assert_non_null(overtakers);
    vcs_fluid_batch *unused = batches + queue_up(count, most);
    const vcs_fluid_batch *first = vcs_fluid_order_ends(&batches[0], workers, overtakers, &unused);
    assert_true(unused <= batches + count);
    free(overtakers);
    return first;
}

typedef struct expected_end {
    uint32_t first, count;
    double end;
} expected_end;

static void check_example(const vcs_fluid_batch *batch, const expected_end *expected, size_t count) {
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(batch->first, expected[i].first);
        assert_int_equal(batch->count, expected[i].count);
        assert_true(batch->end == expected[i].end);
        batch = batch->behind;
    }
    assert_null(batch);
}

/* Two workers: A 5 and B 1 begin; C 1 replaces B, D 2 replaces C, E 2 replaces D at 4, and A ends at 5. */
static void two_workers(void **unused) {
    (void)unused;
    static const double example[] = {5, 1, 1, 2, 2};
    static const expected_end expected[] = {{1, 1, 1}, {2, 1, 2}, {3, 1, 4}, {0, 1, 5}, {4, 1, 6}};
    memcpy(run_times, example, sizeof example);
    check_example(put_in_order(COUNT_OF(example), 2, 1), expected, COUNT_OF(expected));
}

/*
 * Three workers: A 1 and two of B 4 begin, and end at 1 and 4. At 1, one of the three left of B replaces A, and ends at
 * 5; at 4, the other two replace the first two, and end at 8. At 5, C 1 begins.
 */
static void batches_that_begin_in_parts(void **unused) {
    (void)unused;
    static const double example[] = {1, 4, 4, 4, 4, 4, 1};
    static const expected_end expected[] = {{0, 1, 1}, {1, 2, 4}, {3, 1, 5}, {6, 1, 6}, {4, 2, 8}};
    memcpy(run_times, example, sizeof example);
    check_example(put_in_order(COUNT_OF(example), 3, MOST), expected, COUNT_OF(expected));
}

/* When each task ends, by the table: worker w has its hands free at free_at[w]. */
static void work_off(double *ends, uint32_t count, uint32_t workers) {
    static double free_at[MOST];
    memset(free_at, 0, sizeof free_at);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = 0;
        for (uint32_t w = 1; w < workers; w++) {
            first = free_at[w] < free_at[first] ? w : first;
        }
        free_at[first] += run_times[i];
        ends[i] = free_at[first];
    }
}

/* Every task ends when the table says, and stands behind the tasks that end before it. */
static void check_order(uint32_t count, uint32_t workers, uint32_t most) {
    work_off(done, count, workers);
    uint32_t seen = 0;
    double before = 0.0;
    for (const vcs_fluid_batch *batch = put_in_order(count, workers, most); batch != NULL; batch = batch->behind) {
        assert_true(batch->count > 0 && batch->first + batch->count <= count);
        for (uint32_t i = 0; i < batch->count; i++) {
            assert_true(batch->end == done[batch->first + i]);
        }
        assert_true(batch->end >= before);
        before = batch->end;
        seen += batch->count;
        assert_true(seen <= count);
    }
    assert_int_equal(seen, count);
}

typedef double (*size_rule)(random_stream *r, uint32_t i);

static void check_sizes(size_rule size) {
    static const uint32_t counts[] = {1, 2, 3, 7, 64, 65, MOST};
    static const uint32_t workers[] = {1, 2, 3, 5, 16, 64, MOST};
    random_stream r = {1};
    for (size_t c = 0; c < COUNT_OF(counts); c++) {
        for (size_t w = 0; w < COUNT_OF(workers) && workers[w] <= counts[c]; w++) {
            for (uint32_t i = 0; i < counts[c]; i++) {
                run_times[i] = size(&r, i);
            }
            check_order(counts[c], workers[w], 1);
            check_order(counts[c], workers[w], 5);
            check_order(counts[c], workers[w], MOST);
        }
    }
}

#define SIZES(name, expression) RULE_TEST(double, check_sizes, name, expression)

SIZES(all_alike, 7.0)
SIZES(nothing_to_do, 0.0)
SIZES(random_sizes, random_between(r, 0.0, 1e5))
SIZES(few_sizes_with_draws, random_below(r, 4))
SIZES(shorter_and_shorter, MOST - i)
SIZES(longer_and_longer, i)
SIZES(one_that_all_overtake, i == 0 ? 1e6 : 1.0)
SIZES(short_and_long, i % 7 == 3 ? 1000.0 : 1.0)
SIZES(alike_in_parts, 1000.0 - 100.0 * (i / 40))

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_workers),
        cmocka_unit_test(batches_that_begin_in_parts),
        cmocka_unit_test(all_alike),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(random_sizes),
        cmocka_unit_test(few_sizes_with_draws),
        cmocka_unit_test(shorter_and_shorter),
        cmocka_unit_test(longer_and_longer),
        cmocka_unit_test(one_that_all_overtake),
        cmocka_unit_test(short_and_long),
        cmocka_unit_test(alike_in_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
