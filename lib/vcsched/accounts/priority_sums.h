/*
 * Scheduling priority: the sums over projects, and the formula.
 *
 * Rules 1.4 and 1.5; worked by hand in tests/vcsched/accounts/test_priority.c.
 *
 * The public ranking, the sliced simulation, the choice of tasks and work fetch all rank projects through this header,
 * so they agree to the last bit. They differ only in the projects that take part:
 *
 *     vcs_priority_sums sums = {0};
 *     vcs_sums_add(&sums, rec, share);              for each project that takes part, in order of id
 *     vcs_sums_close(&sums, bump, host_total);
 *     vcs_scheduling_priority(&sums, rec, load, share)
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_ACCOUNTS_PRIORITY_SUMS_H
#define VCS_ACCOUNTS_PRIORITY_SUMS_H

#include "vcsched/core/number.h"

#include <stdint.h>

/*
 * The least part of all shares that a project is ranked by. Dividing by less could give infinity, or 0 / 0 if the part
 * underflowed. No share set by a person comes near.
 */
#define VCS_LEAST_SHARE_FRACTION 1e-200

/* The least host_total, in CPUs: with less, a load could become infinite, and no load NaN. */
#define VCS_LEAST_HOST 1e-12

/* Zero it, add the projects that take part, then close it. */
typedef struct vcs_priority_sums {
    double rec;              /* sum over projects that take part; once closed, 1 for 0 */
    double share;            /* likewise */
    double load_coefficient; /* once closed: REC, in the ranking, added by a load of 1 */
    double equal_part;       /* once closed: each project's part if none has a share, else 0 */
    uint32_t count;          /* projects that take part */
    uint32_t unused;
} vcs_priority_sums;

/* Adds a project. In order of id, the sums do not depend on the order of records. */
static inline void vcs_sums_add(vcs_priority_sums *sums, double rec, double share) {
    sums->rec += rec;
    sums->share += share;
    sums->count++;
}

/*
 * Completes the sums. A load of 1, one CPU or as much on a GPU, counts as if it had run for `bump` seconds; host_total
 * is the load at which the whole host is in use, 0 if loads do not count (rule 1.5).
 */
static inline void vcs_sums_close(vcs_priority_sums *sums, double bump, double host_total) {
    sums->equal_part = sums->share > 0.0 || sums->count == 0 ? 0.0 : 1.0 / sums->count;
    sums->rec = sums->rec > 0.0 ? sums->rec : 1.0;
    sums->share = sums->share > 0.0 ? sums->share : 1.0;
    host_total = host_total > 0.0 ? vcs_max(host_total, VCS_LEAST_HOST) : VCS_INFINITY;
    sums->load_coefficient = sums->rec * (bump / VCS_SECONDS_PER_DAY) / host_total;
}

/* A project's part by share; equal parts if no project has a share. */
static inline double vcs_part_of_all(const vcs_priority_sums *sums, double share) {
    return sums->equal_part + share / sums->share;
}

/* Divisor of a project's REC: its part of all shares; 1 without a share, so that REC alone counts. */
static inline double vcs_share_fraction(const vcs_priority_sums *sums, double share) {
    return share > 0.0 ? vcs_max(share / sums->share, VCS_LEAST_SHARE_FRACTION) : 1.0;
}

/* The formula, with x = REC + load * load_coefficient and the fraction at hand. */
static inline double vcs_priority_of_fraction(double x, double rec_sum, double share_fraction) {
    return -((x / rec_sum) / share_fraction);
}

/* Scheduling priority of a project; `load` is the load of its picked tasks. */
static inline double vcs_scheduling_priority(const vcs_priority_sums *sums, double rec, double load, double share) {
    return vcs_priority_of_fraction(rec + load * sums->load_coefficient, sums->rec, vcs_share_fraction(sums, share));
}

#endif
