/*
 * The order in which the tasks of a project end, against a table of workers of which the first to be done takes the
 * next task.
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel.h"

#include "client/fluid_order.h"

#define MOST 300u

static vcs_fluid_task tasks[MOST];
static double run_times[MOST], done[MOST];

static size_t index_of(const vcs_fluid_task *task) {
    return (size_t)(task - tasks);
}

/* Links the tasks by arrival. */
static void queue_up(uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        tasks[i] = (vcs_fluid_task){.end = run_times[i], .behind = i + 1 < count ? &tasks[i + 1] : NULL};
    }
}

/* Puts the tasks in order; the memory of the overtakers is exactly as long as it has to be. Returns the first. */
static const vcs_fluid_task *put_in_order(uint32_t count, uint32_t workers) {
    vcs_overtaker *overtakers = malloc(workers * sizeof *overtakers);
    assert_non_null(overtakers);
    queue_up(count);
    const vcs_fluid_task *first = vcs_order_ends(&tasks[0], workers, overtakers);
    free(overtakers);
    return first;
}

/* Two workers: A 5 and B 1 begin; C 1 takes the place of B, D 2 that of C, E 2 that of D at 4, and A ends at 5. */
static void two_workers(void **unused) {
    (void)unused;
    static const double example[] = {5, 1, 1, 2, 2};
    static const struct {
        uint32_t task;
        double end;
    } expected[] = {{1, 1}, {2, 2}, {3, 4}, {0, 5}, {4, 6}};
    memcpy(run_times, example, sizeof example);
    const vcs_fluid_task *task = put_in_order(COUNT_OF(example), 2);
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_int_equal(index_of(task), expected[i].task);
        assert_true(task->end == expected[i].end);
        task = task->behind;
    }
    assert_null(task);
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

/* Every task ends when the table says, and stands behind those that end before it. */
static void check_order(uint32_t count, uint32_t workers) {
    work_off(done, count, workers);
    uint32_t seen = 0;
    double before = 0.0;
    for (const vcs_fluid_task *task = put_in_order(count, workers); task != NULL; task = task->behind) {
        assert_true(task->end == done[index_of(task)]);
        assert_true(task->end >= before);
        before = task->end;
        seen++;
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
            check_order(counts[c], workers[w]);
        }
    }
}

#define SIZES(name, expression)                                                                                        \
    static double size_##name(random_stream *r, uint32_t i) {                                                          \
        (void)r;                                                                                                       \
        (void)i;                                                                                                       \
        return expression;                                                                                             \
    }                                                                                                                  \
    static void name(void **unused) {                                                                                  \
        (void)unused;                                                                                                  \
        check_sizes(size_##name);                                                                                      \
    }

SIZES(all_alike, 7.0)
SIZES(nothing_to_do, 0.0)
SIZES(random_sizes, random_between(r, 0.0, 1e5))
SIZES(few_sizes_with_draws, random_below(r, 4))
SIZES(shorter_and_shorter, MOST - i)
SIZES(longer_and_longer, i)
SIZES(one_that_all_overtake, i == 0 ? 1e6 : 1.0)
SIZES(short_and_long, i % 7 == 3 ? 1000.0 : 1.0)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_workers),          cmocka_unit_test(all_alike),
        cmocka_unit_test(nothing_to_do),        cmocka_unit_test(random_sizes),
        cmocka_unit_test(few_sizes_with_draws), cmocka_unit_test(shorter_and_shorter),
        cmocka_unit_test(longer_and_longer),    cmocka_unit_test(one_that_all_overtake),
        cmocka_unit_test(short_and_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
