/*
 * The order of projects (rules 1.2, 1.4, 1.5, 6.8).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include <stdbool.h>
#include <vcsched/priority.h>

#define MOST 60

static vcs_ranking ranking_by(uint32_t rule) {
    vcs_ranking ranking = {.struct_size = sizeof ranking, .rule = rule};
    return ranking;
}

static vcs_standing worked(uint64_t id, double share, double rec) {
    vcs_standing standing = {.id = id, .share = share, .rec = rec};
    return standing;
}

static vcs_standing has_run(uint64_t id, double share, double exp_avg_cpu) {
    vcs_standing standing = {.id = id, .share = share, .exp_avg_cpu = exp_avg_cpu};
    return standing;
}

static vcs_standing owed(uint64_t id, double share, double debt) {
    vcs_standing standing = {.id = id, .share = share, .debt = debt};
    return standing;
}

/* Ranks, which must succeed, and compares the order of ids with a string of digits. */
static void check_order(const vcs_ranking *ranking, const vcs_standing *standings, uint32_t count, double *priorities,
                        const char *expected) {
    uint32_t order[MOST];
    char found[MOST + 1] = "";
    assert_int_equal(vcs_rank(ranking, standings, sizeof *standings, count, order, priorities, NULL), VCS_OK);
    for (uint32_t i = 0; i < count; i++) {
        found[i] = (char)('0' + standings[order[i]].id);
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
    const vcs_standing standings[] = {worked(1, 100, 300), worked(2, 100, 100), worked(3, 200, 0)};
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    double priorities[3];
    check_order(&ranking, standings, 3, priorities, "321");
    assert_number(priorities[0], -3.0);
    assert_number(priorities[1], -1.0);
    assert_number(priorities[2], 0.0);
}

static void a_picked_task_counts_as_a_period(void **unused) {
    (void)unused;
    /* With a period of a day and a host total of 4, K = 400 * (86400 / 86400) / 4 = 100. Project 3 has a load of 1:
     * x = 0 + 1 * 100, -(100/400) / (200/400) = -0.5; with 2: -1, as project 2, whose id is lower; with 3: -1.5. */
    vcs_standing standings[] = {worked(1, 100, 300), worked(2, 100, 100), worked(3, 200, 0)};
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    ranking.period = 86400;
    ranking.host_total = 4;
    double priorities[3];
    standings[2].load = 1;
    check_order(&ranking, standings, 3, priorities, "321");
    assert_number(priorities[2], -0.5);
    standings[2].load = 2;
    check_order(&ranking, standings, 3, priorities, "231");
    assert_number(priorities[2], -1.0);
    standings[2].load = 3;
    check_order(&ranking, standings, 3, priorities, "231");
    assert_number(priorities[2], -1.5);
}

static void loads_of_an_hour_are_a_24th(void **unused) {
    (void)unused;
    /* K = 240 * (3600 / 86400) / 2 = 5; x = 240 + 3 * 5 = 255; -(255/240) / 1 = -1.0625 */
    vcs_standing standing = worked(1, 7, 240);
    standing.load = 3;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    ranking.period = 3600;
    ranking.host_total = 2;
    double priority;
    check_order(&ranking, &standing, 1, &priority, "1");
    assert_close(priority, -1.0625L, 4e-16);
    /* Without a host total, loads do not count. */
    ranking.host_total = 0;
    check_order(&ranking, &standing, 1, &priority, "1");
    assert_number(priority, -1.0);
}

static void without_any_work_loads_decide(void **unused) {
    (void)unused;
    /* The sum of REC counts as 1: K = 1 * 1 / 2; 1: -(1 * 0.5) / (1/4) = -2; 2: -(2 * 0.5) / (3/4) = -4/3 */
    vcs_standing standings[] = {worked(1, 10, 0), worked(2, 30, 0)};
    standings[0].load = 1;
    standings[1].load = 2;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    ranking.period = 86400;
    ranking.host_total = 2;
    double priorities[2];
    check_order(&ranking, standings, 2, priorities, "21");
    assert_number(priorities[0], -2.0);
    assert_close(priorities[1], -4.0L / 3.0L, 4e-16);
}

static void backup_projects_come_last(void **unused) {
    (void)unused;
    /* 1, 3 and 4 have no share: -600/1000, -300/1000, 0. 2 has one, so its -(100/1000) / (5/5) = -0.1 goes first. */
    const vcs_standing standings[] = {worked(1, 0, 600), worked(2, 5, 100), worked(3, 0, 300), worked(4, 0, 0)};
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    double priorities[4];
    check_order(&ranking, standings, 4, priorities, "2431");
    assert_number(priorities[0], -0.6);
    assert_close(priorities[1], -0.1L, 4e-16);
    assert_number(priorities[2], -0.3);
    assert_number(priorities[3], 0.0);
}

static void with_no_share_at_all_work_decides(void **unused) {
    (void)unused;
    const vcs_standing standings[] = {worked(1, 0, 600), worked(2, 0, 100), worked(3, 0, 300)};
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    check_order(&ranking, standings, 3, NULL, "231");
}

static void class_goes_before_share(void **unused) {
    (void)unused;
    vcs_standing standings[] = {worked(1, 100, 0), worked(2, 0, 900), worked(3, 1, 800), worked(4, 100, 0)};
    standings[0].priority_class = -1;
    standings[1].priority_class = 2;
    standings[2].priority_class = 2;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    check_order(&ranking, standings, 4, NULL, "3241");
    ranking.rule = VCS_RANK_RESOURCE_DEBT;
    check_order(&ranking, standings, 4, NULL, "3241");
    ranking.rule = VCS_RANK_DEBT;
    check_order(&ranking, standings, 4, NULL, "3241");
}

static void those_apart_count_in_no_sum(void **unused) {
    (void)unused;
    /* As the first example, with two more that would upset the sums. */
    vcs_standing standings[] = {worked(5, 900, 0), worked(1, 100, 300), worked(2, 100, 100), worked(3, 200, 0),
                                worked(4, 900, 5000)};
    standings[0].flags = VCS_STANDING_APART;
    standings[0].priority_class = 9;
    standings[4].flags = VCS_STANDING_APART;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    double priorities[5];
    check_order(&ranking, standings, 5, priorities, "32145");
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
    const vcs_standing standings[] = {has_run(1, 100, 50), has_run(2, 300, 0.5), has_run(3, 10, 0), has_run(4, 20, 0),
                                      has_run(5, 0, 0),    has_run(6, 0, 90),    has_run(7, 0, 20)};
    vcs_ranking ranking = ranking_by(VCS_RANK_RESOURCE_DEBT);
    double priorities[7];
    check_order(&ranking, standings, 7, priorities, "4321576");
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
    const vcs_standing standings[] = {owed(1, 1, -5), owed(2, 1, 7), owed(3, 1, 7), owed(4, 0, 100), owed(5, 1, 0)};
    vcs_ranking ranking = ranking_by(VCS_RANK_DEBT);
    double priorities[5];
    check_order(&ranking, standings, 5, priorities, "23514");
    assert_number(priorities[0], -5.0);
    assert_number(priorities[3], 100.0);
}

/* ---- On random standings ---- */

/* Few distinct values, so that ties are frequent. */
static vcs_standing random_standing(random_stream *stream, uint64_t id) {
    static const double amounts[] = {0.0, 1.0, 2.0, 3.0, 0.1, 1e30, 1e-290, 1e-300};
    vcs_standing standing = {.id = id};
    standing.share = amounts[random_below(stream, COUNT_OF(amounts))];
    standing.rec = random_below(stream, 2) ? amounts[random_below(stream, 5)] : random_magnitude(stream, 1e-3, 1e6);
    standing.exp_avg_cpu = random_below(stream, 3) ? random_magnitude(stream, 1e-2, 1e7) : 0.0;
    standing.debt = (double)random_below(stream, 5) - 2.0;
    standing.load = random_below(stream, 2) ? random_below(stream, 4) * 0.5 : 0.0;
    standing.priority_class = (int32_t)random_below(stream, 3) - 1;
    standing.flags = random_below(stream, 5) == 0 ? VCS_STANDING_APART : 0;
    return standing;
}

typedef struct sums {
    long double rec, share;
} sums;

static sums sums_of(const vcs_standing *standings, uint32_t count) {
    sums sum = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        if (!(standings[i].flags & VCS_STANDING_APART)) {
            sum.rec += standings[i].rec;
            sum.share += standings[i].share;
        }
    }
    sum.rec = sum.rec == 0 ? 1 : sum.rec;
    sum.share = sum.share == 0 ? 1 : sum.share;
    return sum;
}

/* The formula of rule 1.4, with the loads of rule 1.5, in long double. */
static long double expected_priority(const vcs_ranking *ranking, const vcs_standing *s, sums sum) {
    if (ranking->rule == VCS_RANK_DEBT) {
        return s->debt;
    }
    if (ranking->rule == VCS_RANK_RESOURCE_DEBT) {
        long double ran = s->exp_avg_cpu < 1 ? 1 : s->exp_avg_cpu;
        return s->share > 0 ? s->share / ran : -ran;
    }
    long double k = sum.rec * (ranking->period / 86400.0L) / ranking->host_total;
    long double work = (s->rec + s->load * k) / sum.rec;
    long double part = s->share / sum.share;
    return s->share > 0 ? -(work / (part < 1e-200L ? 1e-200L : part)) : -work;
}

/* Whether the order may have a directly before b. The comparison of priorities is that of the values handed out. */
static bool may_precede(uint32_t rule, const vcs_standing *a, double priority_a, const vcs_standing *b,
                        double priority_b) {
    bool a_apart = a->flags & VCS_STANDING_APART, b_apart = b->flags & VCS_STANDING_APART;
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
    ranking.period = random_magnitude(stream, 60, 1e5);
    ranking.host_total = random_magnitude(stream, 1, 1e3);
    return ranking;
}

static uint32_t random_standings(random_stream *stream, vcs_standing *standings) {
    uint32_t count = random_below(stream, MOST + 1);
    for (uint32_t i = 0; i < count; i++) {
        standings[i] = random_standing(stream, random_bits(stream));
    }
    return count;
}

static void follows_the_formulas(void **unused) {
    (void)unused;
    random_stream stream = {1};
    for (int round = 0; round < 20000; round++) {
        vcs_standing standings[MOST];
        uint32_t order[MOST], seen[MOST] = {0};
        double priorities[MOST];
        vcs_ranking ranking = random_ranking(&stream);
        uint32_t count = random_standings(&stream, standings);
        sums sum = sums_of(standings, count);
        assert_int_equal(vcs_rank(&ranking, standings, sizeof *standings, count, order, priorities, NULL), VCS_OK);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(seen[order[i]]++, 0);
            uint32_t here = order[i], before = order[i > 0 ? i - 1 : 0];
            assert_true(i == 0 || may_precede(ranking.rule, &standings[before], priorities[before], &standings[here],
                                              priorities[here]));
            if (!(standings[i].flags & VCS_STANDING_APART)) {
                assert_close(priorities[i], expected_priority(&ranking, &standings[i], sum), 1e-13);
            }
        }
    }
}

/* The order of the records decides nothing, not even the last bit of a sum. */
static void order_of_records_does_not_matter(void **unused) {
    (void)unused;
    random_stream stream = {2};
    for (int round = 0; round < 5000; round++) {
        vcs_standing standings[MOST], moved[MOST];
        uint32_t order[MOST], moved_order[MOST];
        double priorities[MOST], moved_priorities[MOST];
        vcs_ranking ranking = random_ranking(&stream);
        uint32_t count = random_standings(&stream, standings);
        memcpy(moved, standings, sizeof moved);
        for (uint32_t i = count; i > 1; i--) {
            uint32_t other = random_below(&stream, i);
            vcs_standing last = moved[i - 1];
            moved[i - 1] = moved[other];
            moved[other] = last;
        }
        assert_int_equal(vcs_rank(&ranking, standings, sizeof *standings, count, order, priorities, NULL), VCS_OK);
        assert_int_equal(vcs_rank(&ranking, moved, sizeof *moved, count, moved_order, moved_priorities, NULL), VCS_OK);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(standings[order[i]].id, moved[moved_order[i]].id);
            assert_memory_equal(&priorities[order[i]], &moved_priorities[moved_order[i]], sizeof *priorities);
        }
    }
}

/* ---- Ends of the ranges ---- */

static void tiny_shares_give_no_infinity(void **unused) {
    (void)unused;
    vcs_standing standings[] = {worked(1, 5e-324, 0), worked(2, 1e30, 1e30), worked(3, 5e-324, 1e30)};
    standings[2].load = 1e12;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    ranking.period = 1e12;
    ranking.host_total = 1e-12;
    double priorities[3];
    check_order(&ranking, standings, 3, priorities, "123");
    for (int i = 0; i < 3; i++) {
        assert_true(isfinite(priorities[i]));
    }
}

static void same_ids_go_by_index(void **unused) {
    (void)unused;
    vcs_standing standings[] = {worked(1, 1, 5), worked(1, 1, 3), worked(1, 1, 5),
                                worked(1, 1, 3), worked(1, 1, 5), worked(1, 1, 3)};
    standings[2].flags = standings[3].flags = VCS_STANDING_APART;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    uint32_t order[6];
    assert_int_equal(vcs_rank(&ranking, standings, sizeof *standings, 6, order, NULL, NULL), VCS_OK);
    const uint32_t expected[6] = {1, 5, 0, 4, 2, 3};
    assert_memory_equal(order, expected, sizeof order);
}

static void nobody_is_ranked(void **unused) {
    (void)unused;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    assert_int_equal(vcs_rank(&ranking, NULL, 0, 0, NULL, NULL, NULL), VCS_OK);
}

/* ---- Sizes of other versions, bad input ---- */

static void longer_records_of_a_newer_caller(void **unused) {
    (void)unused;
    typedef struct newer_standing {
        vcs_standing known;
        uint64_t added[2];
    } newer_standing;
    newer_standing *standings = calloc(3, sizeof *standings);
    standings[0].known = worked(1, 100, 300);
    standings[1].known = worked(2, 100, 100);
    standings[2].known = worked(3, 200, 0);
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    uint32_t order[3] = {7, 7, 7};
    standings[2].added[1] = 1;
    assert_int_equal(vcs_rank(&ranking, &standings[0].known, sizeof *standings, 3, order, NULL, NULL),
                     VCS_ERR_ABI_NEWER);
    assert_int_equal(order[0], 7);
    standings[2].added[1] = 0;
    assert_int_equal(vcs_rank(&ranking, &standings[0].known, sizeof *standings, 3, order, NULL, NULL), VCS_OK);
    const uint32_t expected[3] = {2, 1, 0};
    assert_memory_equal(order, expected, sizeof order);
    free(standings);
}

static void longer_ranking_of_a_newer_caller(void **unused) {
    (void)unused;
    struct {
        vcs_ranking known;
        uint64_t added;
    } newer = {.known = {.struct_size = sizeof newer}};
    vcs_standing standing = worked(1, 1, 1);
    uint32_t order = 7;
    assert_int_equal(vcs_rank(&newer.known, &standing, sizeof standing, 1, &order, NULL, NULL), VCS_OK);
    assert_int_equal(order, 0);
    newer.added = 1;
    order = 7;
    assert_int_equal(vcs_rank(&newer.known, &standing, sizeof standing, 1, &order, NULL, NULL), VCS_ERR_ABI_NEWER);
    assert_int_equal(order, 7);
}

/* Ranks two projects, the second and the ranking as given; the code must come and the outputs stay. */
static void check_refused(const vcs_ranking *ranking, const vcs_standing *second, int code, uint32_t type,
                          uint32_t offset) {
    vcs_standing standings[2] = {worked(1, 1, 1), *second};
    uint32_t order[2] = {7, 7};
    double priorities[2] = {17, 17};
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_rank(ranking, standings, sizeof *standings, 2, order, priorities, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, type);
    assert_int_equal(error.offset, offset);
    assert_int_equal(error.index, type == VCS_TYPE_STANDING);
    assert_true(error.message[0] != '\0');
    assert_int_equal(order[0], 7);
    assert_int_equal(order[1], 7);
    assert_number(priorities[0], 17.0);
    assert_number(priorities[1], 17.0);
    assert_int_equal(vcs_rank(ranking, standings, sizeof *standings, 2, order, priorities, NULL), code);
}

static void refuses_bad_standings(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_standing, share),
        BAD_NUMBER(vcs_standing, share, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_standing, share, 1.1e30, VCS_ERR_RANGE),
        NOT_FINITE(vcs_standing, rec),
        BAD_NUMBER(vcs_standing, rec, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_standing, rec, 1.1e30, VCS_ERR_RANGE),
        NOT_FINITE(vcs_standing, exp_avg_cpu),
        BAD_NUMBER(vcs_standing, exp_avg_cpu, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_standing, exp_avg_cpu, 1.1e30, VCS_ERR_RANGE),
        NOT_FINITE(vcs_standing, debt),
        BAD_NUMBER(vcs_standing, debt, 1.1e12, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_standing, debt, -1.1e12, VCS_ERR_RANGE),
        NOT_FINITE(vcs_standing, load),
        BAD_NUMBER(vcs_standing, load, -0.5, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_standing, load, 1.1e12, VCS_ERR_RANGE),
        BAD_WORD(vcs_standing, flags, 2, VCS_ERR_FLAGS),
        BAD_WORD(vcs_standing, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_standing standing = worked(2, 1, 1);
        spoil(&standing, &table[i]);
        check_refused(&ranking, &standing, table[i].code, VCS_TYPE_STANDING, (uint32_t)table[i].offset);
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
        NOT_FINITE(vcs_ranking, period),
        BAD_NUMBER(vcs_ranking, period, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_ranking, period, 1.1e12, VCS_ERR_RANGE),
        NOT_FINITE(vcs_ranking, host_total),
        BAD_NUMBER(vcs_ranking, host_total, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_ranking, host_total, 1.1e30, VCS_ERR_RANGE),
        BAD_WORD(vcs_ranking, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    vcs_standing standing = worked(2, 1, 1);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
        spoil(&ranking, &table[i]);
        check_refused(&ranking, &standing, table[i].code, VCS_TYPE_RANKING, (uint32_t)table[i].offset);
    }
}

static void refuses_bad_arguments(void **unused) {
    (void)unused;
    vcs_ranking ranking = ranking_by(VCS_RANK_PRIORITY);
    vcs_standing standings[2] = {worked(1, 1, 1), worked(2, 1, 1)};
    const uint32_t size = sizeof *standings;
    uint32_t order[2] = {7, 7};
    vcs_error error = {.struct_size = 7};
    const vcs_standing *misaligned = (const vcs_standing *)(const void *)((const char *)standings + 2);
    assert_int_equal(vcs_rank(NULL, standings, size, 2, order, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_rank(&ranking, NULL, size, 2, order, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_rank(&ranking, standings, size, 2, NULL, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_rank(&ranking, standings, 0, 2, order, NULL, NULL), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_rank(&ranking, standings, size + 4, 2, order, NULL, NULL), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_rank(&ranking, standings, 4104, 2, order, NULL, NULL), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_rank(&ranking, standings, size - 8, 2, order, NULL, NULL), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_rank(&ranking, misaligned, size, 1, order, NULL, NULL), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_rank(&ranking, standings, size, 2, order, NULL, &error), VCS_ERR_ABI_SIZE);
    assert_int_equal(order[0], 7);
    assert_int_equal(order[1], 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(priority_is_work_against_share),
        cmocka_unit_test(a_picked_task_counts_as_a_period),
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
