/*
 * Debts (rules 1.3 and 13.13).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"

#include <stdbool.h>
#include <vcsched/accounts.h>
#include <vcsched/host.h>

#define MOST 40
#define BOTH (VCS_DEBT_RUNNABLE | VCS_DEBT_POTENTIALLY_RUNNABLE)

static vcs_debt_interval interval_of(double period, double elapsed) {
    vcs_debt_interval interval = {.struct_size = sizeof interval, .period = period, .elapsed = elapsed};
    return interval;
}

static vcs_debt used(uint64_t id, double share, double used_time, uint32_t flags) {
    vcs_debt debt = {.id = id, .share = share, .used = used_time, .flags = flags};
    return debt;
}

/* Charges an hour, which must succeed. */
static void charge_hour(vcs_debt *debts, uint32_t count) {
    vcs_debt_interval interval = interval_of(3600, 3600);
    uint32_t order[MOST];
    assert_int_equal(vcs_debt_update(ARRAY(debts, count), &interval, order, NULL), VCS_OK);
    for (uint32_t i = 0; i < count; i++) {
        assert_number(debts[i].used, 0.0);
    }
}

/* ---- Worked by hand ---- */

static void owed_is_the_share_less_what_was_used(void **unused) {
    (void)unused;
    /* A = 3600, R = 4. 1: 3600 * 1/4 - 3000 = -2100; 2: 3600 * 3/4 - 600 = 2100. The mean is 0 already. */
    vcs_debt debts[] = {used(1, 1, 3000, BOTH), used(2, 3, 600, BOTH)};
    charge_hour(debts, 2);
    assert_number(debts[0].short_term, -2100.0);
    assert_number(debts[1].short_term, 2100.0);
    assert_number(debts[0].long_term, -2100.0);
    assert_number(debts[1].long_term, 2100.0);
    /* Another hour, on two CPUs: A = 7200; 1: -2100 + 1800 - 0 = -300; 2: 2100 + 5400 - 7200 = 300 */
    debts[1].used = 7200;
    charge_hour(debts, 2);
    assert_number(debts[0].short_term, -300.0);
    assert_number(debts[1].short_term, 300.0);
    assert_number(debts[0].long_term, -300.0);
    assert_number(debts[1].long_term, 300.0);
}

static void each_debt_has_its_own_set(void **unused) {
    (void)unused;
    /* 1 and 2 are runnable, 3 could be asked for work, 4 neither.
     * Short-term: A = 3600, R = 2; 1: 1800 - 3600 = -1800; 2: 1800 - 0 = 1800; 3 and 4: 0, whatever they were.
     * Long-term: A = 3600, R = 4; 1: 900 - 3600 = -2700; 2: 900; 3: 100 + 1800 = 1900; 4: 300 as before. Their sum is
     * 400, their mean 100. */
    vcs_debt debts[] = {used(1, 1, 3600, BOTH), used(2, 1, 0, BOTH), used(3, 2, 0, VCS_DEBT_POTENTIALLY_RUNNABLE),
                        used(4, 9, 0, 0)};
    debts[2].short_term = 50;
    debts[2].long_term = 100;
    debts[3].short_term = -70;
    debts[3].long_term = 300;
    charge_hour(debts, 4);
    assert_number(debts[0].short_term, -1800.0);
    assert_number(debts[1].short_term, 1800.0);
    assert_number(debts[2].short_term, 0.0);
    assert_number(debts[3].short_term, 0.0);
    assert_number(debts[0].long_term, -2800.0);
    assert_number(debts[1].long_term, 800.0);
    assert_number(debts[2].long_term, 1800.0);
    assert_number(debts[3].long_term, 200.0);
}

static void short_term_debt_has_a_limit(void **unused) {
    (void)unused;
    /* No time was used; the shift by the mean, (200000 - 100000 - 10000) / 3 = 30000, comes before the cut. */
    vcs_debt debts[] = {used(1, 1, 0, BOTH), used(2, 1, 0, BOTH), used(3, 1, 0, BOTH)};
    debts[0].short_term = 200000;
    debts[1].short_term = -100000;
    debts[2].short_term = -10000;
    charge_hour(debts, 3);
    assert_number(debts[0].short_term, 86400.0);
    assert_number(debts[1].short_term, -86400.0);
    assert_number(debts[2].short_term, -40000.0);
}

static void without_shares_all_are_owed_the_same(void **unused) {
    (void)unused;
    /* 1: -300, 2: 0, 3: -600; less the mean of -300 */
    vcs_debt debts[] = {used(1, 0, 300, BOTH), used(2, 0, 0, BOTH), used(3, 0, 600, BOTH)};
    charge_hour(debts, 3);
    assert_number(debts[0].short_term, 0.0);
    assert_number(debts[1].short_term, 300.0);
    assert_number(debts[2].short_term, -300.0);
    assert_number(debts[2].long_term, -300.0);
}

static void intervals_of_unknown_length_are_dropped(void **unused) {
    (void)unused;
    const struct {
        double elapsed;
        bool counts;
    } table[] = {
        {0, true}, {3600, true}, {7200, true}, {7200.001, false}, {1e15, false}, {-1e-9, false}, {-1e15, false},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_debt debts[] = {used(1, 1, 100, BOTH), used(2, 1, 0, BOTH)};
        vcs_debt_interval interval = interval_of(3600, table[i].elapsed);
        uint32_t order[2];
        debts[0].short_term = debts[0].long_term = 7;
        debts[1].short_term = debts[1].long_term = -7;
        assert_int_equal(vcs_debt_update(ARRAY(debts, 2), &interval, order, NULL), VCS_OK);
        /* 7 + 50 - 100 = -43, or as before */
        assert_number(debts[0].short_term, table[i].counts ? -43.0 : 7.0);
        assert_number(debts[0].long_term, table[i].counts ? -43.0 : 7.0);
        assert_number(debts[1].short_term, table[i].counts ? 43.0 : -7.0);
        assert_number(debts[0].used, 0.0);
    }
}

static void nobody_owes_nothing(void **unused) {
    (void)unused;
    vcs_debt_interval interval = interval_of(3600, 60);
    assert_int_equal(vcs_debt_update(NO_RECORDS, &interval, NULL, NULL), VCS_OK);
}

/* ---- On random input ---- */

static uint32_t random_debts(random_stream *stream, vcs_debt *debts) {
    uint32_t count = random_below(stream, MOST + 1);
    for (uint32_t i = 0; i < count; i++) {
        debts[i] = used(random_bits(stream), random_below(stream, 4) ? random_magnitude(stream, 1e-3, 1e6) : 0.0,
                        random_between(stream, 0.0, 7200.0), random_below(stream, 4));
        debts[i].short_term = random_between(stream, -9e4, 9e4);
        debts[i].long_term = random_between(stream, -1e6, 1e6);
    }
    return count;
}

typedef struct expected_debts {
    long double short_term[MOST], long_term[MOST];
} expected_debts;

/* What rule 1.3 makes of one kind of debt for the projects that have the flag. */
static void charge_in_long_double(const vcs_debt *debts, uint32_t count, uint32_t flag, long double *debt) {
    long double sum_used = 0, sum_share = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum_used += debts[i].flags & flag ? debts[i].used : 0;
        sum_share += debts[i].flags & flag ? debts[i].share : 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (debts[i].flags & flag) {
            debt[i] += (sum_share > 0 ? sum_used * debts[i].share / sum_share : 0) - debts[i].used;
        }
    }
}

static expected_debts expect(const vcs_debt *debts, uint32_t count) {
    expected_debts e;
    long double short_sum = 0, long_sum = 0;
    uint32_t runnable = 0;
    for (uint32_t i = 0; i < count; i++) {
        e.short_term[i] = debts[i].flags & VCS_DEBT_RUNNABLE ? debts[i].short_term : 0;
        e.long_term[i] = debts[i].long_term;
    }
    charge_in_long_double(debts, count, VCS_DEBT_RUNNABLE, e.short_term);
    charge_in_long_double(debts, count, VCS_DEBT_POTENTIALLY_RUNNABLE, e.long_term);
    for (uint32_t i = 0; i < count; i++) {
        runnable += debts[i].flags & VCS_DEBT_RUNNABLE;
        short_sum += e.short_term[i];
        long_sum += e.long_term[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        if (debts[i].flags & VCS_DEBT_RUNNABLE) {
            long double shifted = e.short_term[i] - short_sum / runnable;
            e.short_term[i] = fmaxl(-86400, fminl(86400, shifted));
        }
        e.long_term[i] -= long_sum / count;
    }
    return e;
}

static void follows_the_rule(void **unused) {
    (void)unused;
    random_stream stream = {1};
    for (int round = 0; round < 20000; round++) {
        vcs_debt debts[MOST];
        uint32_t count = random_debts(&stream, debts);
        expected_debts expected = expect(debts, count);
        charge_hour(debts, count);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(fabsl(debts[i].short_term - expected.short_term[i]) < 1e-8L);
            assert_true(fabsl(debts[i].long_term - expected.long_term[i]) < 1e-8L);
        }
    }
}

/* What some are owed, the others owe: short-term as long as none is cut, long-term always. */
static void sums_stay_nothing(void **unused) {
    (void)unused;
    random_stream stream = {2};
    for (int round = 0; round < 5000; round++) {
        vcs_debt debts[MOST];
        uint32_t count = random_debts(&stream, debts);
        double short_sum = 0, long_sum = 0;
        bool cut = false;
        charge_hour(debts, count);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(fabs(debts[i].short_term) <= VCS_SHORT_TERM_DEBT_LIMIT);
            cut = cut || fabs(debts[i].short_term) == VCS_SHORT_TERM_DEBT_LIMIT;
            short_sum += debts[i].short_term;
            long_sum += debts[i].long_term;
        }
        assert_true(cut || fabs(short_sum) < 1e-6);
        assert_true(fabs(long_sum) < 1e-6);
    }
}

/* The order of the records decides nothing, not even the last bit. */
static void order_of_records_does_not_matter(void **unused) {
    (void)unused;
    random_stream stream = {3};
    for (int round = 0; round < 5000; round++) {
        vcs_debt debts[MOST], moved[MOST];
        uint32_t places[MOST];
        uint32_t count = random_debts(&stream, debts);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t other = random_below(&stream, i + 1);
            places[i] = places[other];
            places[other] = i;
        }
        for (uint32_t i = 0; i < count; i++) {
            moved[i] = debts[places[i]];
        }
        charge_hour(debts, count);
        charge_hour(moved, count);
        for (uint32_t i = 0; i < count; i++) {
            assert_memory_equal(&moved[i], &debts[places[i]], sizeof *moved);
        }
    }
}

static void hands_out_the_order_of_ids(void **unused) {
    (void)unused;
    /* Two have the same id: they go by index. */
    vcs_debt debts[] = {used(30, 1, 0, 0), used(10, 1, 0, 0), used(20, 1, 0, 0), used(10, 1, 0, 0)};
    vcs_debt_interval interval = interval_of(3600, 3600);
    uint32_t order[4];
    const uint32_t expected[4] = {1, 3, 2, 0};
    assert_int_equal(vcs_debt_update(ARRAY(debts, 4), &interval, order, NULL), VCS_OK);
    assert_memory_equal(order, expected, sizeof order);
}

/* ---- Ends of the ranges ---- */

static void extremes_stay_in_range(void **unused) {
    (void)unused;
    vcs_debt debts[] = {used(1, 1e30, 1e12, BOTH), used(2, 5e-324, 0, BOTH), used(3, 0, 1e12, BOTH)};
    debts[0].short_term = debts[0].long_term = 1e12;
    debts[1].short_term = debts[1].long_term = -1e12;
    debts[2].short_term = debts[2].long_term = -1e12;
    for (int hour = 0; hour < 10; hour++) {
        debts[2].used = 1e12;
        charge_hour(debts, 3);
    }
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(debts[i].short_term) <= 86400 && fabs(debts[i].long_term) <= 1e12);
    }
    assert_number(debts[0].long_term, 1e12);
    assert_number(debts[2].long_term, -1e12);
}

/* ---- Sizes of other versions, bad input ---- */

static void longer_records_of_a_newer_caller(void **unused) {
    (void)unused;
    typedef struct newer_debt {
        vcs_debt known;
        uint64_t added;
    } newer_debt;
    newer_debt *debts = calloc(2, sizeof *debts);
    vcs_debt_interval interval = interval_of(3600, 3600);
    uint32_t order[2] = {7, 7};
    debts[0].known = used(1, 1, 3000, BOTH);
    debts[1].known = used(2, 3, 600, BOTH);
    debts[1].added = 1;
    assert_int_equal(vcs_debt_update(ARRAY_OF(&debts[0].known, sizeof *debts, 2), &interval, order, NULL),
                     VCS_ERR_ABI_NEWER);
    assert_number(debts[0].known.used, 3000.0);
    assert_int_equal(order[0], 7);
    debts[1].added = 0;
    assert_int_equal(vcs_debt_update(ARRAY_OF(&debts[0].known, sizeof *debts, 2), &interval, order, NULL), VCS_OK);
    assert_number(debts[0].known.long_term, -2100.0);
    assert_number(debts[1].known.long_term, 2100.0);
    free(debts);
}

static void check_refused(const vcs_debt_interval *interval, const vcs_debt *second, int code, uint32_t type,
                          uint32_t offset) {
    vcs_debt debts[2] = {used(1, 1, 100, BOTH), *second}, before[2];
    uint32_t order[2] = {7, 7};
    vcs_error error = {.struct_size = sizeof error};
    memcpy(before, debts, sizeof before);
    assert_int_equal(vcs_debt_update(ARRAY(debts, 2), interval, order, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, type);
    assert_int_equal(error.offset, offset);
    assert_int_equal(error.index, type == VCS_TYPE_DEBT);
    assert_memory_equal(debts, before, sizeof debts);
    assert_int_equal(order[0], 7);
    assert_int_equal(order[1], 7);
}

static void refuses_bad_debts(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_debt, share),
        BAD_NUMBER(vcs_debt, share, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_debt, share, 1.1e30, VCS_ERR_RANGE),
        NOT_FINITE(vcs_debt, used),
        BAD_NUMBER(vcs_debt, used, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_debt, used, 1.1e12, VCS_ERR_RANGE),
        NOT_FINITE(vcs_debt, short_term),
        BAD_NUMBER(vcs_debt, short_term, 1.1e12, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_debt, short_term, -1.1e12, VCS_ERR_RANGE),
        NOT_FINITE(vcs_debt, long_term),
        BAD_NUMBER(vcs_debt, long_term, 1.1e12, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_debt, long_term, -1.1e12, VCS_ERR_RANGE),
        BAD_WORD(vcs_debt, flags, 4, VCS_ERR_FLAGS),
        BAD_WORD(vcs_debt, reserved0, 1, VCS_ERR_ABI_NEWER),
        BAD_WORD(vcs_debt, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    vcs_debt_interval interval = interval_of(3600, 3600);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_debt debt = used(2, 1, 0, BOTH);
        spoil(&debt, &table[i]);
        check_refused(&interval, &debt, table[i].code, VCS_TYPE_DEBT, (uint32_t)table[i].offset);
    }
}

static void refuses_bad_intervals(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_debt_interval, struct_size, 0, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_debt_interval, struct_size, sizeof(vcs_debt_interval) - 8, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_debt_interval, flags, 1, VCS_ERR_FLAGS),
        NOT_FINITE(vcs_debt_interval, period),
        BAD_NUMBER(vcs_debt_interval, period, 0.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_debt_interval, period, -3600.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_debt_interval, period, 1.1e12, VCS_ERR_RANGE),
        NOT_FINITE(vcs_debt_interval, elapsed),
        BAD_NUMBER(vcs_debt_interval, elapsed, 1.1e15, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_debt_interval, elapsed, -1.1e15, VCS_ERR_RANGE),
        BAD_WORD(vcs_debt_interval, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    vcs_debt debt = used(2, 1, 0, BOTH);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_debt_interval interval = interval_of(3600, 3600);
        spoil(&interval, &table[i]);
        check_refused(&interval, &debt, table[i].code, VCS_TYPE_DEBT_INTERVAL, (uint32_t)table[i].offset);
    }
}

static void refuses_bad_arguments(void **unused) {
    (void)unused;
    vcs_debt_interval interval = interval_of(3600, 3600);
    vcs_debt debt = used(1, 1, 100, BOTH), before = debt;
    uint32_t order = 7;
    vcs_error error = {.struct_size = 8};
    assert_int_equal(vcs_debt_update(ARRAY(&debt, 1), NULL, &order, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_debt_update(NULL, &interval, &order, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_debt_update(ARRAY_OF(NULL, sizeof debt, 1), &interval, &order, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_debt_update(ARRAY(&debt, 1), &interval, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_debt_update(ARRAY_OF(&debt, 0, 1), &interval, &order, NULL), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_debt_update(ARRAY_OF(&debt, sizeof debt - 8, 1), &interval, &order, NULL), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_debt_update(ARRAY(&debt, 1), &interval, &order, &error), VCS_ERR_ABI_OLDER);
    assert_memory_equal(&debt, &before, sizeof debt);
    assert_int_equal(order, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owed_is_the_share_less_what_was_used),
        cmocka_unit_test(each_debt_has_its_own_set),
        cmocka_unit_test(short_term_debt_has_a_limit),
        cmocka_unit_test(without_shares_all_are_owed_the_same),
        cmocka_unit_test(intervals_of_unknown_length_are_dropped),
        cmocka_unit_test(nobody_owes_nothing),
        cmocka_unit_test(follows_the_rule),
        cmocka_unit_test(sums_stay_nothing),
        cmocka_unit_test(order_of_records_does_not_matter),
        cmocka_unit_test(hands_out_the_order_of_ids),
        cmocka_unit_test(extremes_stay_in_range),
        cmocka_unit_test(longer_records_of_a_newer_caller),
        cmocka_unit_test(refuses_bad_debts),
        cmocka_unit_test(refuses_bad_intervals),
        cmocka_unit_test(refuses_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
