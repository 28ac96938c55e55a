/*
 * Debts: what the host owes each project of the present (short-term) and over weeks (long-term) (rules 1.3, 13.13).
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
 * What one project is owed. In/out: keep the debts between calls; set `used` and `flags` for each interval.
 * 64 bytes. Since 0.1.
 */
typedef struct vcs_debt {
    uint64_t id;          /* the caller's number, distinct; fixes the order of sums */
    double share;         /* resource share, any unit, 0 ... 1e30 */
    double used;          /* time that its tasks used in this interval, instance-seconds of wall time, 0 ... 1e12;
                             set to 0 when it has been counted */
    double short_term;    /* what it is owed of the present, s, -1e12 ... 1e12 */
    double long_term;     /* what it is owed over weeks, s, -1e12 ... 1e12 */
    uint32_t flags;       /* VCS_DEBT_* */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_debt;

/* The time that an update is about. 32 bytes. Since 0.1. */
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
 * interval       its length and the scheduling period
 * debts          one record for each project, aligned to 8 bytes; in/out; may be NULL if count is 0
 * element_size   sizeof(vcs_debt) of the caller
 * count          projects
 * order          out: `count` numbers: the indices of the projects by id, which the sums need; may be NULL if count
 *                is 0
 * error          what was refused, and where; may be NULL
 *
 * For a set of projects that used the time A together and have the shares R together, debt += A * share / R - used.
 * Short-term: the set is the runnable ones; then their debts are shifted so that their mean is 0, and cut at
 * VCS_SHORT_TERM_DEBT_LIMIT. A project that is not runnable is owed nothing of the present: its short-term debt
 * becomes 0. Long-term: the set is the potentially runnable ones; then the debts of all projects are shifted so that
 * their mean is 0. If all shares are 0, all are owed the same.
 *
 * An interval longer than two periods is dropped: the host was asleep or the program not running, and nobody is owed
 * for that. So is a negative one: the clock went back, and its length is not known. The debts stay as they are then;
 * `used` becomes 0 even so.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or VCS_ERR_OVERFLOW.
 * On an error nothing is changed. Thread-safe. O(count * log(count)).
 */
VCS_API int vcs_debt_update(const vcs_debt_interval *interval, vcs_debt *debts, uint32_t element_size, uint32_t count,
                            uint32_t *order, vcs_error *error);

/*
 * Whether a project is overworked: its long-term debt is below minus one scheduling period (rule 1.3, source S2).
 *
 * debt         one record
 * period       scheduling period, s, 1e-3 ... 1e12
 * overworked   set to 1 if it is, else to 0
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe.
 * O(1).
 */
VCS_API int vcs_debt_is_overworked(const vcs_debt *debt, double period, uint32_t *overworked);

#ifdef __cplusplus
}
#endif

#endif
