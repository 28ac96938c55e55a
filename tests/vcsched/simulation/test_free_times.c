/*
 * When CPUs become free, against a row of times that is searched from end to end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/deadline/free_times.h"

#include "support/kernel.h"

#define MOST 70u

typedef struct memory {
    vcs_free_times times;
    int64_t line[MOST], heap[MOST + 1];
} memory;

static void begin(memory *m, uint32_t cpus) {
    memset(m, 0x55, sizeof *m); /* what was there before does not matter */
    m->times.line = m->line;
    m->times.heap = m->heap;
    vcs_free_times_clear(&m->times, cpus);
}

/* Takes the time that is least in the row, and puts a later one in its place. */
static void take_task(memory *m, int64_t *row, int64_t length) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < m->times.cpus; i++) {
        least = row[i] < row[least] ? i : least;
    }
    assert_true(vcs_free_times_least(&m->times) == row[least]);
    row[least] += length;
    vcs_free_times_occupy(&m->times, row[least]);
}

/* Two CPUs: 5 and 3 begin at 0, 1 at 3 and 6 at 4; then they are free at 5 and 10. */
static void two_cpus(void **unused) {
    (void)unused;
    static const int64_t lengths[] = {5, 3, 1, 6}, starts[] = {0, 0, 3, 4};
    memory m;
    begin(&m, 2);
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        assert_true(vcs_free_times_least(&m.times) == starts[i]);
        vcs_free_times_occupy(&m.times, starts[i] + lengths[i]);
    }
    assert_true(vcs_free_times_least(&m.times) == 5);
    vcs_free_times_occupy(&m.times, 100);
    assert_true(vcs_free_times_least(&m.times) == 10);
}

typedef int64_t (*length_rule)(random_stream *r, uint32_t i);

/* Now and then all times are kept and restored somewhere else, by way of a row that is as long as it must be. */
static void check_lengths(length_rule length) {
    for (uint32_t cpus = 1; cpus <= MOST; cpus++) {
        random_stream stream = {cpus};
        memory one, other, *now = &one, *then = &other;
        int64_t row[MOST] = {0};
        int64_t *kept = malloc(vcs_free_times_row(cpus) * sizeof *kept);
        assert_non_null(kept);
        begin(now, cpus);
        for (uint32_t i = 0; i < 20 * cpus; i++) {
            take_task(now, row, length(&stream, i));
            if (random_below(&stream, 10) == 0) {
                memory *free_one = then;
                vcs_free_times_keep(&now->times, kept);
                begin(then, cpus);
                vcs_free_times_restore(&then->times, kept);
                then = now;
                now = free_one;
            }
        }
        free(kept);
    }
}

#define LENGTHS(name, expression) RULE_TEST(int64_t, check_lengths, name, expression)

LENGTHS(all_alike, 7)
LENGTHS(nothing_to_do, 0)
LENGTHS(random_lengths, random_below(r, 1000000))
LENGTHS(few_lengths, random_below(r, 3))
LENGTHS(shorter_and_shorter, 20 * MOST - i)
LENGTHS(one_that_all_overtake, i == 0 ? 1000000 : 1)
LENGTHS(short_and_long, i % 7 == 3 ? 1000 : 1)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_cpus),
        cmocka_unit_test(all_alike),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(random_lengths),
        cmocka_unit_test(few_lengths),
        cmocka_unit_test(shorter_and_shorter),
        cmocka_unit_test(one_that_all_overtake),
        cmocka_unit_test(short_and_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
