/*
 * What a client learns of its host's spells (rule 15.1).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include <vcsched/chance.h>

#define HOUR 3600.0

typedef struct means {
    double on, off;
} means;

static means means_of(const vcs_spells *spells, double fraction) {
    means found = {-1, -1};
    assert_int_equal(vcs_spells_means(spells, fraction, &found.on, &found.off), VCS_OK);
    return found;
}

static void see(vcs_spells *spells, uint32_t was_on, double seconds) {
    assert_int_equal(vcs_spells_add(spells, was_on, seconds), VCS_OK);
}

/* ---- By hand ---- */

static void before_any_spell(void **unused) {
    (void)unused;
    const vcs_spells none = {0};
    const means always = means_of(&none, 1), unknown = means_of(&none, 0), fifth = means_of(&none, 0.2);
    assert_number(always.on, 4 * HOUR);
    assert_number(always.off, 0);
    assert_number(unknown.on, 4 * HOUR);
    assert_number(unknown.off, 0);
    assert_number(fifth.on, 4 * HOUR);
    assert_close(fifth.off, 16 * HOUR, 1e-14); /* on for 4 of 20 hours */
}

/*
 * On for 1, 2 and 7 hours, with the prior (10 + 8) / 5 = 3.6 hours. At a fraction of 0.6 that makes 2.4 hours off,
 * until six spells of 4 hours were seen: (24 + 2 * 2.4) / 8 = 3.6 hours.
 */
static void some_spells(void **unused) {
    (void)unused;
    vcs_spells spells = {0};
    see(&spells, 1, HOUR);
    see(&spells, 1, 2 * HOUR);
    see(&spells, 1, 7 * HOUR);
    for (int i = 0; i < 5; i++) {
        see(&spells, 0, 4 * HOUR);
        assert_close(means_of(&spells, 0.6).on, 3.6 * HOUR, 1e-14);
        assert_close(means_of(&spells, 0.6).off, 2.4 * HOUR, 1e-14);
    }
    see(&spells, 0, 4 * HOUR);
    assert_close(means_of(&spells, 0.6).on, 3.6 * HOUR, 1e-14);
    assert_close(means_of(&spells, 0.6).off, 3.6 * HOUR, 1e-14);
    assert_close(means_of(&spells, 0).off, 3 * HOUR, 1e-14);
    assert_int_equal(spells.on_count, 3);
    assert_int_equal(spells.off_count, 6);
    assert_number(spells.on_total, 10 * HOUR);
    assert_number(spells.off_total, 24 * HOUR);
}

static void means_stay_in_their_ranges(void **unused) {
    (void)unused;
    vcs_spells spells = {.on_total = 1e15, .off_total = 1e15};
    assert_number(means_of(&spells, 0.5).on, 1e12);
    assert_number(means_of(&spells, 1e-300).off, 1e12);
    spells.off_count = 6;
    assert_number(means_of(&spells, 0.5).off, 1e12);
    spells = (vcs_spells){.on_count = UINT32_MAX, .off_count = UINT32_MAX};
    assert_number(means_of(&spells, 1).on, VCS_MIN_ON);
    assert_number(means_of(&spells, 1).off, 0);
}

static void a_full_record_stays_as_it_is(void **unused) {
    (void)unused;
    vcs_spells spells = {.on_total = 5, .on_count = UINT32_MAX, .off_total = 1e15 - 1};
    const vcs_spells before = spells;
    see(&spells, 1, 1);
    see(&spells, 0, 2);
    assert_memory_equal(&spells, &before, sizeof spells);
    see(&spells, 0, 1);
    assert_number(spells.off_total, 1e15);
    assert_int_equal(spells.off_count, 1);
}

/* ---- In the loop ---- */

/* A host with exponential spells of 3 and 9 hours: from 400 of each the means are known within a fifth. */
static void the_means_are_learned(void **unused) {
    (void)unused;
    random_stream stream = {1};
    for (int host = 0; host < 50; host++) {
        vcs_spells spells = {0};
        for (int i = 0; i < 400; i++) {
            see(&spells, 1, -3 * HOUR * log(1 - random_draw(&stream)));
            see(&spells, 0, -9 * HOUR * log(1 - random_draw(&stream)));
        }
        const means found = means_of(&spells, 0.9); /* the fraction hardly counts any more */
        assert_true(fabs(found.on / (3 * HOUR) - 1) < 0.2);
        assert_true(fabs(found.off / (9 * HOUR) - 1) < 0.2);
    }
}

/* ---- Bad input ---- */

static void refuses_bad_input(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_spells, on_total),
        NOT_FINITE(vcs_spells, off_total),
        BAD_NUMBER(vcs_spells, on_total, -1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_spells, off_total, 1.1e15, VCS_ERR_RANGE),
        BAD_WORD(vcs_spells, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    double on = 77, off = 77;
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_spells spells = {0};
        spoil(&spells, &table[i]);
        const vcs_spells before = spells;
        assert_int_equal(vcs_spells_add(&spells, 1, 1), table[i].code);
        assert_memory_equal(&spells, &before, sizeof spells);
        assert_int_equal(vcs_spells_means(&spells, 1, &on, &off), table[i].code);
    }
    vcs_spells spells = {0};
    const vcs_spells before = {0};
    assert_int_equal(vcs_spells_add(NULL, 1, 1), VCS_ERR_NULL);
    assert_int_equal(vcs_spells_add(&spells, 2, 1), VCS_ERR_FLAGS);
    assert_int_equal(vcs_spells_add(&spells, 1, -1), VCS_ERR_RANGE);
    assert_int_equal(vcs_spells_add(&spells, 1, 1.1e12), VCS_ERR_RANGE);
    assert_int_equal(vcs_spells_add(&spells, 0, (double)NAN), VCS_ERR_NOT_FINITE);
    assert_memory_equal(&spells, &before, sizeof spells);
    assert_int_equal(vcs_spells_means(NULL, 1, &on, &off), VCS_ERR_NULL);
    assert_int_equal(vcs_spells_means(&spells, 1, NULL, &off), VCS_ERR_NULL);
    assert_int_equal(vcs_spells_means(&spells, 1, &on, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_spells_means(&spells, 1.1, &on, &off), VCS_ERR_RANGE);
    assert_int_equal(vcs_spells_means(&spells, -0.1, &on, &off), VCS_ERR_RANGE);
    assert_int_equal(vcs_spells_means(&spells, (double)NAN, &on, &off), VCS_ERR_NOT_FINITE);
    assert_true(on == 77 && off == 77);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_any_spell),           cmocka_unit_test(some_spells),
        cmocka_unit_test(means_stay_in_their_ranges), cmocka_unit_test(a_full_record_stays_as_it_is),
        cmocka_unit_test(the_means_are_learned),      cmocka_unit_test(refuses_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
