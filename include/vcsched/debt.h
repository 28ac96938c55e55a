/*
 * Debts: how much computing time the host owes each project, short-term and long-term (rules 1.3 and 13.13).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_DEBT_H
#define VCSCHED_DEBT_H

#include <vcsched/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Short-term debt lies between minus and plus this, s. */
#define VCS_SHORT_TERM_DEBT_LIMIT 86400.0

/* vcs_debt.flags: which debts change */
#define VCS_DEBT_RUNNABLE 0x1u             /* the project has a task that could run in this interval */
#define VCS_DEBT_POTENTIALLY_RUNNABLE 0x2u /* it has one, or could be asked for one */

/*
 * The debts to one project. In/out: keep the debts between calls; set `used` and `flags` for each interval.
 * 64 bytes. Since 0.1.
 */
typedef struct vcs_debt {
    uint64_t id;          /* the caller's number, distinct; fixes the order of sums */
    double share;         /* resource share, any unit, 0 ... 1e30 */
    double used;          /* time its tasks used in this interval, instance-seconds of wall time, 0 ... 1e12; set to
                             0 once it has been charged */
    double short_term;    /* short-term debt, s, -1e12 ... 1e12 */
    double long_term;     /* long-term debt, s, -1e12 ... 1e12; below minus one scheduling period the project is
                             overworked (rule 1.3) */
    uint32_t flags;       /* VCS_DEBT_* */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_debt;

/* The interval of an update. 32 bytes. Since 0.1. */
typedef struct vcs_debt_interval {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* 0 */
    double period;        /* scheduling period, s, 1e-3 ... 1e12 */
    double elapsed;       /* wall time since the last update, off time included, s, within +-1e15 */
    uint64_t reserved[1]; /* 0 */
} vcs_debt_interval;

/*
 * Charges an interval (rules 1.3 and 13.13, source S2).
 *
 * debts        one record for each project, aligned to 8 bytes; in/out; may be NULL if debt_count is 0
 * debt_size    sizeof(vcs_debt) of the caller
 * debt_count   projects
 * interval     its length and the scheduling period
 * order        out: as many numbers as debts: the indices of the projects by id, which the sums need; may be NULL if
 *              debt_count is 0
 * error        what was refused, and where; may be NULL
 *
 * If the projects of a set together used the time A and have the shares R, then debt += A * share / R - used.
 *
 * Short-term debt: the set is the runnable projects. Their debts are then shifted to a mean of 0 and clamped to
 * +-VCS_SHORT_TERM_DEBT_LIMIT. The short-term debt of any other project becomes 0.
 *
 * Long-term debt: the set is the potentially runnable projects. The debts of all projects are then shifted to a mean
 * of 0. If all shares are 0, the time is owed in equal parts.
 *
 * An interval longer than two periods is dropped: the host was asleep or the program was not running, and nobody is
 * owed for that. So is a negative one: the clock went back and the length is unknown. The debts then stay as they are,
 * but `used` becomes 0.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or VCS_ERR_OVERFLOW.
 * On an error nothing is changed. Thread-safe. O(debt_count * log(debt_count)).
 */
VCS_API int vcs_debt_update(vcs_debt *debts, uint32_t debt_size, uint32_t debt_count, const vcs_debt_interval *interval,
                            uint32_t *order, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
