/*
 * vcs_rank(): the order of projects.
 *
 * Rules 1.2, 1.4, 1.5 and 6.8; worked by hand in tests/vcsched/accounts/test_priority.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/accounts.h>

#include "vcsched/accounts/priority_sums.h"
#include "vcsched/accounts/rank_key.h"
#include "vcsched/core/index_sort.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/accounts_fields.h"

/* Context of a comparison of two entries. */
typedef struct ranked {
    const vcs_array *entries;
    vcs_priority_sums sums;
    uint32_t rule;
    uint32_t unused;
} ranked;

/* The caller's records may be longer than vcs_rank_entry; the rest was checked to be 0. */
static const vcs_rank_entry *entry_at(const ranked *all, uint32_t index) {
    return vcs_element(all->entries, index);
}

static bool is_inactive(const vcs_rank_entry *entry) {
    return (entry->flags & VCS_RANK_ENTRY_INACTIVE) != 0;
}

static vcs_rank_key key_of(const ranked *all, const vcs_rank_entry *entry) {
    vcs_rank_key key = {-VCS_INFINITY, entry->id, entry->priority_class, entry->share > 0.0};
    if (is_inactive(entry)) {
        return key;
    }
    if (all->rule == VCS_RANK_RESOURCE_DEBT) {
        vcs_rank_by_resource_debt(&key, entry->share, entry->exp_avg_cpu);
    } else if (all->rule == VCS_RANK_DEBT) {
        key.priority = entry->debt;
    } else {
        key.priority = vcs_scheduling_priority(&all->sums, entry->rec, entry->load, entry->share);
    }
    return key;
}

static bool id_goes_before(const void *records, uint32_t a, uint32_t b) {
    const uint64_t id_a = entry_at(records, a)->id, id_b = entry_at(records, b)->id;
    return id_a != id_b ? id_a < id_b : a < b;
}

static bool entry_goes_before(const void *records, uint32_t a, uint32_t b) {
    const ranked *all = records;
    const vcs_rank_entry *entry_a = entry_at(all, a), *entry_b = entry_at(all, b);
    if (is_inactive(entry_a) != is_inactive(entry_b)) {
        return is_inactive(entry_b);
    }
    if (is_inactive(entry_a)) {
        return id_goes_before(records, a, b);
    }
    const vcs_rank_key key_a = key_of(all, entry_a), key_b = key_of(all, entry_b);
    if (vcs_ranks_before(&key_a, &key_b)) {
        return true;
    }
    return !vcs_ranks_before(&key_b, &key_a) && a < b;
}

static void add_up(ranked *all, const vcs_ranking *ranking, const uint32_t *by_id) {
    for (uint32_t i = 0; i < all->entries->count; i++) {
        const vcs_rank_entry *entry = entry_at(all, by_id[i]);
        if (!is_inactive(entry)) {
            vcs_sums_add(&all->sums, entry->rec, entry->share);
        }
    }
    vcs_sums_close(&all->sums, ranking->bump, ranking->host_total);
}

int vcs_rank(const vcs_array *entries, const vcs_ranking *ranking, uint32_t *order, double *priorities,
             vcs_error *error) {
    vcs_ranking known;
    ranked all = {.entries = entries};
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_copy_input(&known, ranking, &vcs_ranking_layout, error) : code;
    code = code == VCS_OK ? vcs_check_records(entries, &vcs_rank_entry_layout, error) : code;
    code = code == VCS_OK && entries->count > 0 ? vcs_check_place(order, "order is NULL", error) : code;
    if (code != VCS_OK) {
        return code;
    }
    all.rule = known.rule;
    vcs_sort_indices(order, entries->count, id_goes_before, &all);
    add_up(&all, &known, order);
    vcs_sort_indices(order, entries->count, entry_goes_before, &all);
    for (uint32_t i = 0; priorities != NULL && i < entries->count; i++) {
        priorities[i] = key_of(&all, entry_at(&all, i)).priority;
    }
    return VCS_OK;
}
