/*
 * Arenas: pieces lie one behind the other, aligned; a layout that measures finds the same; what no memory holds shows,
 * however large the numbers are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include "vcsched/core/arena.h"

/* Words between two pieces; none but for a sanitizer. */
#define GAP (VCS_GAP / 8)

static void pieces_lie_one_behind_the_other(void **unused) {
    (void)unused;
    static uint64_t memory[5 + 4 * GAP];
    vcs_arena arena = {(unsigned char *)memory, 0};
    assert_ptr_equal(vcs_arena_allocate(&arena, 3, 1), memory);
    assert_ptr_equal(vcs_arena_allocate(&arena, 2, 8), memory + 1 + GAP); /* aligned to 8 */
    assert_ptr_equal(vcs_arena_allocate(&arena, 0, 8), memory + 3 + 2 * GAP);
    assert_ptr_equal(vcs_arena_allocate(&arena, 3, 4), memory + 3 + 3 * GAP);
    assert_int_equal(arena.used, sizeof memory);
    assert_int_equal(vcs_arena_size(&arena), sizeof memory);
}

/* Pieces of 3, 2 * 8, 0 and 3 * 4 bytes take 8, 16, 0 and 16. */
static void without_memory_it_measures(void **unused) {
    (void)unused;
    vcs_arena measure = {NULL, 0};
    assert_null(vcs_arena_allocate(&measure, 3, 1));
    assert_null(vcs_arena_allocate(&measure, 2, 8));
    assert_null(vcs_arena_allocate(&measure, 0, 8));
    assert_null(vcs_arena_allocate(&measure, 3, 4));
    assert_int_equal(vcs_arena_size(&measure), 40 + 4 * VCS_GAP);
}

static void too_much_for_any_memory_shows(void **unused) {
    (void)unused;
    static const struct {
        uint64_t count, size;
    } too_much[] = {
        {UINT64_MAX, 1},           {UINT64_MAX, 8},         {UINT64_MAX / 2, 2},
        {UINT64_MAX - 6, 1},       {UINT64_MAX, 1024},      {UINT64_C(1) << 60, 16},
        {UINT64_C(1) << 54, 1024}, {VCS_ARENA_MOST + 1, 1}, {VCS_ARENA_MOST, 1}, /* of which a multiple of 8 is taken */
        {UINT64_C(1) << 44, 8},
    };
    for (size_t i = 0; i < COUNT_OF(too_much); i++) {
        vcs_arena measure = {NULL, 0};
        for (int pieces = 1; pieces <= 100; pieces++) { /* and so it stays */
            vcs_arena_allocate(&measure, too_much[i].count, too_much[i].size);
            assert_true(vcs_arena_size(&measure) == UINT64_MAX);
        }
    }
}

/* A layout inside another one: what does not fit there does not fit here. */
static void too_much_stays_too_much_in_another_arena(void **unused) {
    (void)unused;
    vcs_arena inner = {NULL, 0}, outer = {NULL, 0};
    vcs_arena_allocate(&inner, UINT64_MAX, 24);
    vcs_arena_allocate(&outer, vcs_arena_size(&inner), 1);
    assert_true(vcs_arena_size(&outer) == UINT64_MAX);
}

/* Each piece fits by itself, all together do not. */
static void the_sum_counts(void **unused) {
    (void)unused;
    vcs_arena measure = {NULL, 0};
    vcs_arena_allocate(&measure, VCS_ARENA_MOST / 8 - GAP, 8);
    assert_true(vcs_arena_size(&measure) == (SIZE_MAX < VCS_ARENA_MOST ? UINT64_MAX : VCS_ARENA_MOST - 7));
    vcs_arena_allocate(&measure, 1, 1);
    assert_true(vcs_arena_size(&measure) == UINT64_MAX);
}

/* What an address can tell: 4 GiB are one byte too much for 32 bits. */
static void the_address_space_counts(void **unused) {
    (void)unused;
    vcs_arena measure = {NULL, 0};
    vcs_arena_allocate(&measure, UINT64_C(1) << 29, 8);
    assert_true(vcs_arena_size(&measure) == (SIZE_MAX == UINT32_MAX ? UINT64_MAX : (UINT64_C(1) << 32) + VCS_GAP));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_lie_one_behind_the_other),
        cmocka_unit_test(without_memory_it_measures),
        cmocka_unit_test(too_much_for_any_memory_shows),
        cmocka_unit_test(too_much_stays_too_much_in_another_arena),
        cmocka_unit_test(the_sum_counts),
        cmocka_unit_test(the_address_space_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
