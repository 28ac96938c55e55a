/*
 * Short-term and long-term debts.
 *
 * Rules 1.3 and 13.13; the plain reference is charge_in_long_double() in tests/vcsched/accounts/test_debt.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/accounts.h>

#include "vcsched/core/index_sort.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/accounts_fields.h"

VCS_READ_INPUT(debt_interval)
VCS_CHECK_RECORDS(debt)

/* Longer intervals, in periods, are dropped (rule 13.13). */
#define MOST_PERIODS 2.0

/* The caller's record, to be changed. It may be longer than vcs_debt; the rest was checked to be 0. */
static vcs_debt *debt_at(const vcs_array *debts, uint32_t index) {
    return vcs_element_out(debts, index);
}

static bool id_goes_before(const void *records, uint32_t a, uint32_t b) {
    uint64_t id_a = debt_at(records, a)->id;
    uint64_t id_b = debt_at(records, b)->id;
    return id_a != id_b ? id_a < id_b : a < b;
}

static double clamp(double value, double limit) {
    return vcs_max(-limit, vcs_min(limit, value));
}

/* A set of projects: their use together, and the sum of their shares. */
typedef struct due {
    uint32_t members; /* VCS_DEBT_*: which projects belong to the set */
    uint32_t count;
    double used, share;
} due;

static bool is_member(const due *set, const vcs_debt *debt) {
    return (debt->flags & set->members) != 0;
}

static void add_to(due *set, const vcs_debt *debt) {
    if (is_member(set, debt)) {
        set->count++;
        set->used += debt->used;
        set->share += debt->share;
    }
}

/* By how much the interval changes a debt (rule 1.3). */
static double change(const due *set, const vcs_debt *debt) {
    if (!is_member(set, debt)) {
        return 0.0;
    }
    double part = set->share > 0.0 ? debt->share / set->share : 0.0;
    return set->used * part - debt->used;
}

/* Sums in order of id, so that they do not depend on the order of records. */
static void charge(const vcs_array *debts, const uint32_t *by_id) {
    due runnable = {.members = VCS_DEBT_RUNNABLE}, potential = {.members = VCS_DEBT_POTENTIALLY_RUNNABLE};
    for (uint32_t i = 0; i < debts->count; i++) {
        const vcs_debt *debt = debt_at(debts, by_id[i]);
        add_to(&runnable, debt);
        add_to(&potential, debt);
    }
    double short_sum = 0.0, long_sum = 0.0;
    for (uint32_t i = 0; i < debts->count; i++) {
        vcs_debt *debt = debt_at(debts, by_id[i]);
        debt->short_term = is_member(&runnable, debt) ? debt->short_term + change(&runnable, debt) : 0.0;
        debt->long_term += change(&potential, debt);
        short_sum += debt->short_term;
        long_sum += debt->long_term;
    }
    const double short_mean = runnable.count > 0 ? short_sum / runnable.count : 0.0;
    const double long_mean = debts->count > 0 ? long_sum / debts->count : 0.0;
    for (uint32_t i = 0; i < debts->count; i++) {
        vcs_debt *debt = debt_at(debts, i);
        if (is_member(&runnable, debt)) {
            debt->short_term = clamp(debt->short_term - short_mean, VCS_SHORT_TERM_DEBT_LIMIT);
        }
        debt->long_term = clamp(debt->long_term - long_mean, VCS_MAX_SECONDS);
    }
}

int vcs_debt_update(const vcs_array *debts, const vcs_debt_interval *interval, uint32_t *order, vcs_error *error) {
    vcs_debt_interval completed;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_read_debt_interval(&interval, &completed, error) : code;
    code = code == VCS_OK ? vcs_check_debts(debts, error) : code;
    code = code == VCS_OK && debts->count > 0 ? vcs_check_place(order, "order is NULL", error) : code;
    if (code != VCS_OK) {
        return code;
    }
    vcs_sort_indices(order, debts->count, id_goes_before, debts);
    if (interval->elapsed >= 0.0 && interval->elapsed <= MOST_PERIODS * interval->period) {
        charge(debts, order);
    }
    for (uint32_t i = 0; i < debts->count; i++) {
        debt_at(debts, i)->used = 0.0;
    }
    return VCS_OK;
}
