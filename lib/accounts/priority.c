/* SPDX-License-Identifier: MIT */
#include "interface/argument.h"
#include "accounts/priority.h"
#include "interface/check.h"
#include "core/index_sort.h"
#include "core/number.h"

#include <vcsched/priority.h>

/* Everything a comparison of two projects needs. */
typedef struct ranked {
    vcs_array entries;
    uint32_t rule;
    double rec_sum, share_sum, load_coefficient;
} ranked;

/* The caller's records may be longer than ours; what is beyond was found to be 0. */
static const vcs_rank_entry *standing_at(const ranked *all, uint32_t index) {
    const unsigned char *base = all->entries.base;
    return (const vcs_rank_entry *)(const void *)(base + (size_t)index * all->entries.element_size);
}

static bool is_apart(const vcs_rank_entry *entry) {
    return (entry->flags & VCS_RANK_ENTRY_INACTIVE) != 0;
}

static double priority_of(const ranked *all, const vcs_rank_entry *entry) {
    if (is_apart(entry)) {
        return -VCS_INFINITY;
    }
    if (all->rule == VCS_RANK_RESOURCE_DEBT) {
        return vcs_resource_debt(entry->share, entry->exp_avg_cpu);
    }
    if (all->rule == VCS_RANK_DEBT) {
        return entry->debt;
    }
    double x = entry->rec + entry->load * all->load_coefficient;
    return vcs_scheduling_priority(x, all->rec_sum, entry->share, all->share_sum);
}

static uint32_t tier_of(const ranked *all, const vcs_rank_entry *entry) {
    if (all->rule == VCS_RANK_RESOURCE_DEBT) {
        return vcs_resource_debt_tier(entry->share, entry->exp_avg_cpu);
    }
    return entry->share > 0.0;
}

static vcs_rank_key key_of(const ranked *all, const vcs_rank_entry *entry) {
    vcs_rank_key key;
    key.priority = priority_of(all, entry);
    key.id = entry->id;
    key.priority_class = entry->priority_class;
    key.tier = tier_of(all, entry);
    return key;
}

static bool id_goes_before(const void *records, uint32_t a, uint32_t b) {
    uint64_t id_a = standing_at(records, a)->id;
    uint64_t id_b = standing_at(records, b)->id;
    return id_a != id_b ? id_a < id_b : a < b;
}

static bool standing_goes_before(const void *records, uint32_t a, uint32_t b) {
    const ranked *all = records;
    const vcs_rank_entry *standing_a = standing_at(all, a);
    const vcs_rank_entry *standing_b = standing_at(all, b);
    if (is_apart(standing_a) != is_apart(standing_b)) {
        return is_apart(standing_b);
    }
    if (is_apart(standing_a)) {
        return id_goes_before(records, a, b);
    }
    vcs_rank_key key_a = key_of(all, standing_a);
    vcs_rank_key key_b = key_of(all, standing_b);
    if (vcs_ranks_before(&key_a, &key_b)) {
        return true;
    }
    return !vcs_ranks_before(&key_b, &key_a) && a < b;
}

/* The sums run in order of id, so that they do not depend on the order of the records. */
static void add_up(ranked *all, const vcs_ranking *ranking, const uint32_t *by_id) {
    double rec_sum = 0.0, share_sum = 0.0;
    for (uint32_t i = 0; i < all->entries.count; i++) {
        const vcs_rank_entry *entry = standing_at(all, by_id[i]);
        if (!is_apart(entry)) {
            rec_sum += entry->rec;
            share_sum += entry->share;
        }
    }
    all->rec_sum = vcs_sum_or_one(rec_sum);
    all->share_sum = vcs_sum_or_one(share_sum);
    all->load_coefficient =
        ranking->host_total > 0.0 ? vcs_load_coefficient(all->rec_sum, ranking->period, ranking->host_total) : 0.0;
}

int vcs_rank(const vcs_ranking *ranking, const vcs_rank_entry *entries, uint32_t element_size, uint32_t count,
             uint32_t *order, double *priorities, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    vcs_ranking known;
    ranked all = {.entries = {{entries}, element_size, count}};
    code = vcs_take_input(&known, ranking, VCS_TYPE_RANKING, error);
    if (code == VCS_OK) {
        code = vcs_check_records(&all.entries, VCS_TYPE_RANK_ENTRY, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    if (count > 0 && order == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD, "order is NULL");
    }
    all.rule = known.rule;
    vcs_sort_indices(order, count, id_goes_before, &all);
    add_up(&all, &known, order);
    vcs_sort_indices(order, count, standing_goes_before, &all);
    for (uint32_t i = 0; priorities != NULL && i < count; i++) {
        priorities[i] = priority_of(&all, standing_at(&all, i));
    }
    return VCS_OK;
}
