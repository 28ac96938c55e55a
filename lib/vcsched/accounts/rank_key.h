/*
 * The order of projects: the key of a project, and the comparison of two keys.
 *
 * Rules 1.2 and 1.4; worked by hand in tests/vcsched/accounts/test_priority.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_ACCOUNTS_RANK_KEY_H
#define VCS_ACCOUNTS_RANK_KEY_H

#include <stdbool.h>
#include <stdint.h>

/* The least CPU time that counts, s, so that no resource debt is infinite (rule 1.2). */
#define VCS_LEAST_CPU_TIME 1.0

/* Everything that decides the position of a project. */
typedef struct vcs_rank_key {
    double priority;        /* greater goes first */
    uint64_t id;            /* lower goes first */
    int32_t priority_class; /* higher goes first */
    uint32_t tier;          /* higher goes first: 1 with a share, 0 without; by resource debt 3 to 0 */
} vcs_rank_key;

/*
 * Sets the key by resource debt, after `cpu_time` decayed seconds (rule 1.2). Projects with a share go before projects
 * without, then projects that never ran before the others; without a share, less CPU time goes first.
 */
static inline void vcs_rank_by_resource_debt(vcs_rank_key *key, double share, double cpu_time) {
    const double counted = cpu_time > VCS_LEAST_CPU_TIME ? cpu_time : VCS_LEAST_CPU_TIME;
    key->priority = share > 0.0 ? share / counted : -counted;
    key->tier = 2 * (uint32_t)(share > 0.0) + (uint32_t)(cpu_time == 0.0);
}

/*
 * The group of a project. By priority, a lower group goes first, whatever its work: by higher class, then share > 0
 * (rule 1.4).
 */
static inline uint64_t vcs_rank_group(int32_t priority_class, double share) {
    const uint32_t ascending = (uint32_t)priority_class ^ UINT32_C(0x80000000);
    return (uint64_t)(UINT32_MAX - ascending) << 1 | !(share > 0.0);
}

/* Whether project a goes before project b: by class, then tier, then priority, then id (rule 1.4). */
static inline bool vcs_ranks_before(const vcs_rank_key *a, const vcs_rank_key *b) {
    if (a->priority_class != b->priority_class) {
        return a->priority_class > b->priority_class;
    }
    if (a->tier != b->tier) {
        return a->tier > b->tier;
    }
    if (a->priority != b->priority) {
        return a->priority > b->priority;
    }
    return a->id < b->id;
}

#endif
