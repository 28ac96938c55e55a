/*
 * The order of projects (rules 1.2, 1.4, 1.5, 6.8).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"

#include <stdbool.h>
#include <vcsched/accounts.h>

#define MOST 60

static vcs_ranking ranking_by(uint32_t rule) {
    vcs_ranking ranking = {.struct_size = sizeof ranking, .rule = rule};
    return ranking;
}

static vcs_rank_entry worked(uint64_t id, double share, double rec) {
    vcs_rank_entry entry = {.id = id, .share = share, .rec = rec};
    return entry;
}

static vcs_rank_entry has_run(uint64_t id, double share, double exp_avg_cpu) {
    vcs_rank_entry entry = {.id = id, .share = share, .exp_avg_cpu = exp_avg_cpu};
    return entry;
}

static vcs_rank_entry owed(uint64_t id, double share, double debt) {
    vcs_rank_entry entry = {.id = id, .share = share, .debt = debt};
    return entry;
}

/* Ranks, which must succeed, and compares the order of ids with a string of digits. */
static void check_order(const vcs_ranking *ranking, const vcs_rank_entry *entries, uint32_t count, double *priorities,
                        const char *expected) {
    uint32_t order[MOST];
    char found[MOST + 1] = "";
    assert_int_equal(vcs_rank(ARRAY(entries, count), ranking, order, priorities, NULL), VCS_OK);
    for (uint32_t i = 0; i < count; i++) {
        found[i] = (char)('0' + entries[order[i]].id);
    }
    assert_string_equal(found, expected);
}

/* ---- Scheduling priority, by hand ---- */

static void priority_is_work_against_share(void **unused) {
    (void)unused;
    /* sum of REC 400, of shares 400:
     *   1: -(300/400) / (100/400) = -3
     *   2: -(100/400) / (100/400) = -1
     *   3: -(0/400) / (200/400) = 0 */
    const vcs_rank_entry entries[] = {worked(1, 100, 300), worked(2, 100, 100), worked(3, 200, 0)};
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    double priorities[3];
    check_order(&ranking, entries, 3, priorities, "321");
    assert_number(priorities[0], -3.0);
    assert_number(priorities[1], -1.0);
    assert_number(priorities[2], 0.0);
}

static void a_picked_task_counts_as_work(void **unused) {
    (void)unused;
    /* With a bump of a day and a host total of 4, K = 400 * (86400 / 86400) / 4 = 100. Project 3 has a load of 1:
     * x = 0 + 1 * 100, -(100/400) / (200/400) = -0.5; with 2: -1, as project 2, whose id is lower; with 3: -1.5. */
    vcs_rank_entry entries[] = {worked(1, 100, 300), worked(2, 100, 100), worked(3, 200, 0)};
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    ranking.bump = 86400;
    ranking.host_total = 4;
    double priorities[3];
    entries[2].load = 1;
    check_order(&ranking, entries, 3, priorities, "321");
    assert_number(priorities[2], -0.5);
    entries[2].load = 2;
    check_order(&ranking, entries, 3, priorities, "231");
    assert_number(priorities[2], -1.0);
    entries[2].load = 3;
    check_order(&ranking, entries, 3, priorities, "231");
    assert_number(priorities[2], -1.5);
}

static void loads_of_an_hour_are_a_24th(void **unused) {
    (void)unused;
    /* K = 240 * (3600 / 86400) / 2 = 5; x = 240 + 3 * 5 = 255; -(255/240) / 1 = -1.0625 */
    vcs_rank_entry entry = worked(1, 7, 240);
    entry.load = 3;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    ranking.bump = 3600;
    ranking.host_total = 2;
    double priority;
    check_order(&ranking, &entry, 1, &priority, "1");
    assert_close(priority, -1.0625L, 4e-16);
    /* Without a host total, loads do not count. */
    ranking.host_total = 0;
    check_order(&ranking, &entry, 1, &priority, "1");
    assert_number(priority, -1.0);
}

static void without_any_work_loads_decide(void **unused) {
    (void)unused;
    /* The sum of REC counts as 1: K = 1 * 1 / 2; 1: -(1 * 0.5) / (1/4) = -2; 2: -(2 * 0.5) / (3/4) = -4/3 */
    vcs_rank_entry entries[] = {worked(1, 10, 0), worked(2, 30, 0)};
    entries[0].load = 1;
    entries[1].load = 2;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    ranking.bump = 86400;
    ranking.host_total = 2;
    double priorities[2];
    check_order(&ranking, entries, 2, priorities, "21");
    assert_number(priorities[0], -2.0);
    assert_close(priorities[1], -4.0L / 3.0L, 4e-16);
}

static void backup_projects_come_last(void **unused) {
    (void)unused;
    /* 1, 3 and 4 have no share: -600/1000, -300/1000, 0. 2 has one, so its -(100/1000) / (5/5) = -0.1 goes first. */
    const vcs_rank_entry entries[] = {worked(1, 0, 600), worked(2, 5, 100), worked(3, 0, 300), worked(4, 0, 0)};
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    double priorities[4];
    check_order(&ranking, entries, 4, priorities, "2431");
    assert_number(priorities[0], -0.6);
    assert_close(priorities[1], -0.1L, 4e-16);
    assert_number(priorities[2], -0.3);
    assert_number(priorities[3], 0.0);
}

static void with_no_share_at_all_work_decides(void **unused) {
    (void)unused;
    const vcs_rank_entry entries[] = {worked(1, 0, 600), worked(2, 0, 100), worked(3, 0, 300)};
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    check_order(&ranking, entries, 3, NULL, "231");
}

static void class_goes_before_share(void **unused) {
    (void)unused;
    vcs_rank_entry entries[] = {worked(1, 100, 0), worked(2, 0, 900), worked(3, 1, 800), worked(4, 100, 0)};
    entries[0].priority_class = -1;
    entries[1].priority_class = 2;
    entries[2].priority_class = 2;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    check_order(&ranking, entries, 4, NULL, "3241");
    ranking.rule = VCS_RANK_RESOURCE_DEBT;
    check_order(&ranking, entries, 4, NULL, "3241");
    ranking.rule = VCS_RANK_DEBT;
    check_order(&ranking, entries, 4, NULL, "3241");
}

static void those_apart_count_in_no_sum(void **unused) {
    (void)unused;
    /* As the first example, with two more that would upset the sums. */
    vcs_rank_entry entries[] = {worked(5, 900, 0), worked(1, 100, 300), worked(2, 100, 100), worked(3, 200, 0),
                                worked(4, 900, 5000)};
    entries[0].flags = VCS_RANK_ENTRY_INACTIVE;
    entries[0].priority_class = 9;
    entries[4].flags = VCS_RANK_ENTRY_INACTIVE;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    double priorities[5];
    check_order(&ranking, entries, 5, priorities, "32145");
    assert_number(priorities[1], -3.0);
    assert_number(priorities[2], -1.0);
    assert_true(isinf(priorities[0]) && priorities[0] < 0);
    assert_true(isinf(priorities[4]) && priorities[4] < 0);
}

/* ---- The other rules, by hand ---- */

static void resource_debt_is_share_against_time(void **unused) {
    (void)unused;
    /* 1: 100/50 = 2; 2: 300/1 = 300, for half a second counts as one; 3: never ran, 10; 4: never ran, 20; 5: no share,
     * never ran; 6 and 7: no share, ran for 90 and 20 s */
    const vcs_rank_entry entries[] = {has_run(1, 100, 50), has_run(2, 300, 0.5), has_run(3, 10, 0), has_run(4, 20, 0),
                                      has_run(5, 0, 0),    has_run(6, 0, 90),    has_run(7, 0, 20)};
    vcs_ranking ranking = ranking_by(VCS_RANK_RESOURCE_DEBT);
    double priorities[7];
    check_order(&ranking, entries, 7, priorities, "4321576");
    assert_number(priorities[0], 2.0);
    assert_number(priorities[1], 300.0);
    assert_number(priorities[2], 10.0);
    assert_number(priorities[3], 20.0);
    assert_number(priorities[4], -1.0);
    assert_number(priorities[5], -90.0);
    assert_number(priorities[6], -20.0);
}

static void a_debt_ranks_as_it_is(void **unused) {
    (void)unused;
    const vcs_rank_entry entries[] = {owed(1, 1, -5), owed(2, 1, 7), owed(3, 1, 7), owed(4, 0, 100), owed(5, 1, 0)};
    vcs_ranking ranking = ranking_by(VCS_RANK_DEBT);
    double priorities[5];
    check_order(&ranking, entries, 5, priorities, "23514");
    assert_number(priorities[0], -5.0);
    assert_number(priorities[3], 100.0);
}

/* ---- On random entries ---- */

/* Few distinct values, so that ties are frequent. */
static vcs_rank_entry random_standing(random_stream *stream, uint64_t id) {
    static const double amounts[] = {0.0, 1.0, 2.0, 3.0, 0.1, 1e30, 1e-290, 1e-300};
    vcs_rank_entry entry = {.id = id};
    entry.share = amounts[random_below(stream, COUNT_OF(amounts))];
    entry.rec = random_below(stream, 2) ? amounts[random_below(stream, 5)] : random_magnitude(stream, 1e-3, 1e6);
    entry.exp_avg_cpu = random_below(stream, 3) ? random_magnitude(stream, 1e-2, 1e7) : 0.0;
    entry.debt = (double)random_below(stream, 5) - 2.0;
    entry.load = random_below(stream, 2) ? random_below(stream, 4) * 0.5 : 0.0;
    entry.priority_class = (int32_t)random_below(stream, 3) - 1;
    entry.flags = random_below(stream, 5) == 0 ? VCS_RANK_ENTRY_INACTIVE : 0;
    return entry;
}

typedef struct sums {
    long double rec, share;
} sums;

static sums sums_of(const vcs_rank_entry *entries, uint32_t count) {
    sums sum = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        if (!(entries[i].flags & VCS_RANK_ENTRY_INACTIVE)) {
            sum.rec += entries[i].rec;
            sum.share += entries[i].share;
        }
    }
    sum.rec = sum.rec == 0 ? 1 : sum.rec;
    sum.share = sum.share == 0 ? 1 : sum.share;
    return sum;
}

/* The formula of rule 1.4, with the loads of rule 1.5, in long double. */
static long double expected_priority(const vcs_ranking *ranking, const vcs_rank_entry *s, sums sum) {
    if (ranking->rule == VCS_RANK_DEBT) {
        return s->debt;
    }
    if (ranking->rule == VCS_RANK_RESOURCE_DEBT) {
        long double ran = s->exp_avg_cpu < 1 ? 1 : s->exp_avg_cpu;
        return s->share > 0 ? s->share / ran : -ran;
    }
    long double k = sum.rec * (ranking->bump / 86400.0L) / ranking->host_total;
    long double work = (s->rec + s->load * k) / sum.rec;
    long double part = s->share / sum.share;
    return s->share > 0 ? -(work / (part < 1e-200L ? 1e-200L : part)) : -work;
}

/* Whether the order may have a directly before b. Compares the priorities handed out. */
static bool may_precede(uint32_t rule, const vcs_rank_entry *a, double priority_a, const vcs_rank_entry *b,
                        double priority_b) {
    bool a_apart = a->flags & VCS_RANK_ENTRY_INACTIVE, b_apart = b->flags & VCS_RANK_ENTRY_INACTIVE;
    if (a_apart || b_apart) {
        return a_apart == b_apart ? a->id < b->id : b_apart;
    }
    if (a->priority_class != b->priority_class) {
        return a->priority_class > b->priority_class;
    }
    if ((a->share > 0) != (b->share > 0)) {
        return a->share > 0;
    }
    if (rule == VCS_RANK_RESOURCE_DEBT && (a->exp_avg_cpu == 0) != (b->exp_avg_cpu == 0)) {
        return a->exp_avg_cpu == 0;
    }
    return priority_a != priority_b ? priority_a > priority_b : a->id < b->id;
}

static vcs_ranking random_ranking(random_stream *stream) {
    vcs_ranking ranking = ranking_by(random_below(stream, 3));
    ranking.bump = random_magnitude(stream, 60, 1e5);
    ranking.host_total = random_magnitude(stream, 1, 1e3);
    return ranking;
}

static uint32_t random_standings(random_stream *stream, vcs_rank_entry *entries) {
    uint32_t count = random_below(stream, MOST + 1);
    for (uint32_t i = 0; i < count; i++) {
        entries[i] = random_standing(stream, random_bits(stream));
    }
    return count;
}

static void follows_the_formulas(void **unused) {
    (void)unused;
    random_stream stream = {1};
    for (int round = 0; round < 20000; round++) {
        vcs_rank_entry entries[MOST];
        uint32_t order[MOST], seen[MOST] = {0};
        double priorities[MOST];
        vcs_ranking ranking = random_ranking(&stream);
        uint32_t count = random_standings(&stream, entries);
        sums sum = sums_of(entries, count);
        assert_int_equal(vcs_rank(ARRAY(entries, count), &ranking, order, priorities, NULL), VCS_OK);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(seen[order[i]]++, 0);
            uint32_t here = order[i], before = order[i > 0 ? i - 1 : 0];
            assert_true(i == 0 || may_precede(ranking.rule, &entries[before], priorities[before], &entries[here],
                                              priorities[here]));
            if (!(entries[i].flags & VCS_RANK_ENTRY_INACTIVE)) {
                assert_close(priorities[i], expected_priority(&ranking, &entries[i], sum), 1e-13);
            }
        }
    }
}

/* The order of the records decides nothing, not even the last bit of a sum. */
static void order_of_records_does_not_matter(void **unused) {
    (void)unused;
    random_stream stream = {2};
    for (int round = 0; round < 5000; round++) {
        vcs_rank_entry entries[MOST], moved[MOST];
        uint32_t order[MOST], moved_order[MOST];
        double priorities[MOST], moved_priorities[MOST];
        vcs_ranking ranking = random_ranking(&stream);
        uint32_t count = random_standings(&stream, entries);
        memcpy(moved, entries, sizeof moved);
        for (uint32_t i = count; i > 1; i--) {
            uint32_t other = random_below(&stream, i);
            vcs_rank_entry last = moved[i - 1];
            moved[i - 1] = moved[other];
            moved[other] = last;
        }
        assert_int_equal(vcs_rank(ARRAY(entries, count), &ranking, order, priorities, NULL), VCS_OK);
        assert_int_equal(vcs_rank(ARRAY(moved, count), &ranking, moved_order, moved_priorities, NULL), VCS_OK);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(entries[order[i]].id, moved[moved_order[i]].id);
            assert_memory_equal(&priorities[order[i]], &moved_priorities[moved_order[i]], sizeof *priorities);
        }
    }
}

/* ---- Ends of the ranges ---- */

static void tiny_shares_give_no_infinity(void **unused) {
    (void)unused;
    vcs_rank_entry entries[] = {worked(1, 5e-324, 0), worked(2, 1e30, 1e30), worked(3, 5e-324, 1e30)};
    entries[2].load = 1e12;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    ranking.bump = 1e12;
    ranking.host_total = 1e-12;
    double priorities[3];
    check_order(&ranking, entries, 3, priorities, "123");
    for (int i = 0; i < 3; i++) {
        assert_true(isfinite(priorities[i]));
    }
}

/* A host of next to nothing does not make a load infinite, nor a project without a load one of no priority. */
static void a_tiny_host_gives_no_infinity(void **unused) {
    (void)unused;
    vcs_rank_entry entries[] = {worked(1, 1, 1), worked(2, 1, 1e30)};
    entries[1].load = 1e12;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    ranking.bump = 1e12;
    ranking.host_total = 5e-324;
    double priorities[2];
    check_order(&ranking, entries, 2, priorities, "12");
    assert_true(isfinite(priorities[0]) && isfinite(priorities[1]));
}

static void same_ids_go_by_index(void **unused) {
    (void)unused;
    vcs_rank_entry entries[] = {worked(1, 1, 5), worked(1, 1, 3), worked(1, 1, 5),
                                worked(1, 1, 3), worked(1, 1, 5), worked(1, 1, 3)};
    entries[2].flags = entries[3].flags = VCS_RANK_ENTRY_INACTIVE;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    uint32_t order[6];
    assert_int_equal(vcs_rank(ARRAY(entries, 6), &ranking, order, NULL, NULL), VCS_OK);
    const uint32_t expected[6] = {1, 5, 0, 4, 2, 3};
    assert_memory_equal(order, expected, sizeof order);
}

static void nobody_is_ranked(void **unused) {
    (void)unused;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    assert_int_equal(vcs_rank(NO_RECORDS, &ranking, NULL, NULL, NULL), VCS_OK);
}

/* ---- Sizes of other versions, bad input ---- */

static void longer_records_of_a_newer_caller(void **unused) {
    (void)unused;
    typedef struct newer_standing {
        vcs_rank_entry known;
        uint64_t added[2];
    } newer_standing;
    newer_standing *entries = calloc(3, sizeof *entries);
    entries[0].known = worked(1, 100, 300);
    entries[1].known = worked(2, 100, 100);
    entries[2].known = worked(3, 200, 0);
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    uint32_t order[3] = {7, 7, 7};
    entries[2].added[1] = 1;
    assert_int_equal(vcs_rank(ARRAY_OF(&entries[0].known, sizeof *entries, 3), &ranking, order, NULL, NULL),
                     VCS_ERR_ABI_NEWER);
    assert_int_equal(order[0], 7);
    entries[2].added[1] = 0;
    assert_int_equal(vcs_rank(ARRAY_OF(&entries[0].known, sizeof *entries, 3), &ranking, order, NULL, NULL), VCS_OK);
    const uint32_t expected[3] = {2, 1, 0};
    assert_memory_equal(order, expected, sizeof order);
    free(entries);
}

static void longer_ranking_of_a_newer_caller(void **unused) {
    (void)unused;
    struct {
        vcs_ranking known;
        uint64_t added;
    } newer = {.known = {.struct_size = sizeof newer}};
    vcs_rank_entry entry = worked(1, 1, 1);
    uint32_t order = 7;
    assert_int_equal(vcs_rank(ARRAY(&entry, 1), &newer.known, &order, NULL, NULL), VCS_OK);
    assert_int_equal(order, 0);
    newer.added = 1;
    order = 7;
    assert_int_equal(vcs_rank(ARRAY(&entry, 1), &newer.known, &order, NULL, NULL), VCS_ERR_ABI_NEWER);
    assert_int_equal(order, 7);
}

/* Ranks two projects, the second and the ranking as given; the code must come and the outputs stay. */
static void check_refused(const vcs_ranking *ranking, const vcs_rank_entry *second, int code, uint32_t type,
                          uint32_t offset) {
    vcs_rank_entry entries[2] = {worked(1, 1, 1), *second};
    uint32_t order[2] = {7, 7};
    double priorities[2] = {17, 17};
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_rank(ARRAY(entries, 2), ranking, order, priorities, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, type);
    assert_int_equal(error.offset, offset);
    assert_int_equal(error.index, type == VCS_TYPE_RANK_ENTRY);
    assert_true(error.message[0] != '\0');
    assert_int_equal(order[0], 7);
    assert_int_equal(order[1], 7);
    assert_number(priorities[0], 17.0);
    assert_number(priorities[1], 17.0);
    assert_int_equal(vcs_rank(ARRAY(entries, 2), ranking, order, priorities, NULL), code);
}

static void refuses_bad_standings(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_rank_entry, share),
        BAD_NUMBER(vcs_rank_entry, share, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_rank_entry, share, 1.1e30, VCS_ERR_RANGE),
        NOT_FINITE(vcs_rank_entry, rec),
        BAD_NUMBER(vcs_rank_entry, rec, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_rank_entry, rec, 1.1e30, VCS_ERR_RANGE),
        NOT_FINITE(vcs_rank_entry, exp_avg_cpu),
        BAD_NUMBER(vcs_rank_entry, exp_avg_cpu, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_rank_entry, exp_avg_cpu, 1.1e30, VCS_ERR_RANGE),
        NOT_FINITE(vcs_rank_entry, debt),
        BAD_NUMBER(vcs_rank_entry, debt, 1.1e12, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_rank_entry, debt, -1.1e12, VCS_ERR_RANGE),
        NOT_FINITE(vcs_rank_entry, load),
        BAD_NUMBER(vcs_rank_entry, load, -0.5, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_rank_entry, load, 1.1e12, VCS_ERR_RANGE),
        BAD_WORD(vcs_rank_entry, flags, 2, VCS_ERR_FLAGS),
        BAD_WORD(vcs_rank_entry, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_rank_entry entry = worked(2, 1, 1);
        spoil(&entry, &table[i]);
        check_refused(&ranking, &entry, table[i].code, VCS_TYPE_RANK_ENTRY, (uint32_t)table[i].offset);
    }
}

static void refuses_bad_rankings(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_ranking, struct_size, 0, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_ranking, struct_size, 4104, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_ranking, struct_size, sizeof(vcs_ranking) + 4, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_ranking, struct_size, sizeof(vcs_ranking) - 8, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_ranking, flags, 1, VCS_ERR_FLAGS),
        BAD_WORD(vcs_ranking, rule, 3, VCS_ERR_FLAGS),
        BAD_WORD(vcs_ranking, reserved0, 1, VCS_ERR_ABI_NEWER),
        NOT_FINITE(vcs_ranking, bump),
        BAD_NUMBER(vcs_ranking, bump, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_ranking, bump, 1.1e12, VCS_ERR_RANGE),
        NOT_FINITE(vcs_ranking, host_total),
        BAD_NUMBER(vcs_ranking, host_total, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_ranking, host_total, 1.1e30, VCS_ERR_RANGE),
        BAD_WORD(vcs_ranking, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    vcs_rank_entry entry = worked(2, 1, 1);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
        spoil(&ranking, &table[i]);
        check_refused(&ranking, &entry, table[i].code, VCS_TYPE_RANKING, (uint32_t)table[i].offset);
    }
}

static void refuses_bad_arguments(void **unused) {
    (void)unused;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    vcs_rank_entry entries[2] = {worked(1, 1, 1), worked(2, 1, 1)};
    const uint32_t size = sizeof *entries;
    uint32_t order[2] = {7, 7};
    vcs_error error = {.struct_size = 7};
    const vcs_rank_entry *misaligned = (const vcs_rank_entry *)(const void *)((const char *)entries + 2);
    assert_int_equal(vcs_rank(ARRAY_OF(entries, size, 2), NULL, order, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_rank(ARRAY_OF(NULL, size, 2), &ranking, order, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_rank(ARRAY_OF(entries, size, 2), &ranking, NULL, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_rank(ARRAY_OF(entries, 0, 2), &ranking, order, NULL, NULL), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_rank(ARRAY_OF(entries, size + 4, 2), &ranking, order, NULL, NULL), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_rank(ARRAY_OF(entries, 4104, 2), &ranking, order, NULL, NULL), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_rank(ARRAY_OF(entries, size - 8, 2), &ranking, order, NULL, NULL), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_rank(ARRAY_OF(misaligned, size, 1), &ranking, order, NULL, NULL), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_rank(ARRAY_OF(entries, size, 2), &ranking, order, NULL, &error), VCS_ERR_ABI_SIZE);
    assert_int_equal(order[0], 7);
    assert_int_equal(order[1], 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(priority_is_work_against_share),
        cmocka_unit_test(a_picked_task_counts_as_work),
        cmocka_unit_test(loads_of_an_hour_are_a_24th),
        cmocka_unit_test(without_any_work_loads_decide),
        cmocka_unit_test(backup_projects_come_last),
        cmocka_unit_test(with_no_share_at_all_work_decides),
        cmocka_unit_test(class_goes_before_share),
        cmocka_unit_test(those_apart_count_in_no_sum),
        cmocka_unit_test(resource_debt_is_share_against_time),
        cmocka_unit_test(a_debt_ranks_as_it_is),
        cmocka_unit_test(follows_the_formulas),
        cmocka_unit_test(order_of_records_does_not_matter),
        cmocka_unit_test(tiny_shares_give_no_infinity),
        cmocka_unit_test(a_tiny_host_gives_no_infinity),
        cmocka_unit_test(same_ids_go_by_index),
        cmocka_unit_test(nobody_is_ranked),
        cmocka_unit_test(longer_records_of_a_newer_caller),
        cmocka_unit_test(longer_ranking_of_a_newer_caller),
        cmocka_unit_test(refuses_bad_standings),
        cmocka_unit_test(refuses_bad_rankings),
        cmocka_unit_test(refuses_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
