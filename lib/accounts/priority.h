/*
 * Scheduling priority, the arithmetic (rules 1.4 and 1.5): the one place where it stands.
 *
 * The public ranking and the sliced simulation both use these expressions, so that they agree to the last bit.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_ACCOUNTS_PRIORITY_H
#define VCS_ACCOUNTS_PRIORITY_H

#include <stdbool.h>
#include <stdint.h>

#define VCS_SECONDS_PER_DAY 86400.0

/*
 * The least part of all shares that is told from others. Dividing by less could give infinity, and 0 / 0 once the part
 * itself has underflowed. No share that a person sets comes near.
 */
#define VCS_LEAST_SHARE_FRACTION 1e-200

/* Where one project stands among the others: everything the order of projects looks at. */
typedef struct vcs_rank_key {
    double priority;        /* greater goes first */
    uint64_t id;            /* lower goes first */
    int32_t priority_class; /* higher goes first */
    uint32_t tier;          /* higher goes first: 1 with a share, 0 without; resource debt has more of them */
} vcs_rank_key;

/* A sum to divide by: one over nothing counts as 1. */
static inline double vcs_sum_or_one(double sum) {
    return sum > 0.0 ? sum : 1.0;
}

/*
 * By how much a load of 1 (one CPU, or as much on a GPU, picked for a whole period) raises the work that a project is
 * ranked by. rec_sum is not 0 (see vcs_sum_or_one), host_total is in the unit of the loads.
 */
static inline double vcs_load_coefficient(double rec_sum, double period, double host_total) {
    return rec_sum * (period / VCS_SECONDS_PER_DAY) / host_total;
}

/*
 * The part of all shares that a project's work is divided by. For a share of 0 it is 1, so that such projects are
 * ranked by their work alone.
 */
static inline double vcs_share_fraction(double share, double share_sum) {
    if (!(share > 0.0)) {
        return 1.0;
    }
    double fraction = share / share_sum;
    return fraction > VCS_LEAST_SHARE_FRACTION ? fraction : VCS_LEAST_SHARE_FRACTION;
}

/* Scheduling priority for a share fraction computed once. x is REC + load * coefficient; rec_sum is not 0. */
static inline double vcs_priority_of_fraction(double x, double rec_sum, double share_fraction) {
    return -((x / rec_sum) / share_fraction);
}

/* The same from the share itself; neither sum is 0. */
static inline double vcs_scheduling_priority(double x, double rec_sum, double share, double share_sum) {
    return vcs_priority_of_fraction(x, rec_sum, vcs_share_fraction(share, share_sum));
}

/* CPU time below this counts as this much, so that nobody's debt is infinite (rule 1.2). */
#define VCS_LEAST_CPU_TIME 1.0

/* Resource debt of a project with so much decayed CPU time; without a share, less CPU time goes first. */
static inline double vcs_resource_debt(double share, double cpu_time) {
    double counted = cpu_time > VCS_LEAST_CPU_TIME ? cpu_time : VCS_LEAST_CPU_TIME;
    return share > 0.0 ? share / counted : -counted;
}

/* Projects with a share go before those without, and those that never ran before the others like them (rule 1.2). */
static inline uint32_t vcs_resource_debt_tier(double share, double cpu_time) {
    return 2 * (uint32_t)(share > 0.0) + (uint32_t)(cpu_time == 0.0);
}

/* Whether project a goes before project b: by class, then tier, then priority, then id. */
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
