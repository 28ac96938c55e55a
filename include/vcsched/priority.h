/*
 * The order of projects: whose turn it is to run, or to be asked for work (rules 1.2, 1.4, 1.5, 6.8).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_PRIORITY_H
#define VCSCHED_PRIORITY_H

#include <vcsched/parameters.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How to rank. Zero it, set struct_size, then the fields you need. 48 bytes. Since 0.1. */
typedef struct vcs_ranking {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* 0 */
    uint32_t rule;        /* VCS_RANK_*: what projects are compared by; see vcs_parameters.ranking */
    uint32_t reserved0;   /* 0 */
    double bump;          /* priority only: how long a picked task counts as having run, s, 0 ... 1e12 */
    double host_total;    /* priority only: the load at which the whole host is in use, in the unit of
                             vcs_rank_entry.load, 0 ... 1e30; 0 = loads do not count; less than 1e-12 counts
                             as 1e-12 */
    uint64_t reserved[2]; /* 0 */
} vcs_ranking;

/* vcs_rank_entry.flags */
#define VCS_RANK_ENTRY_INACTIVE 0x1u /* does not take part: counts in no sum, comes after all others */

/* A project to be ranked. All fields are checked; the rule decides which are used. 72 bytes. Since 0.1. */
typedef struct vcs_rank_entry {
    uint64_t id;            /* the caller's number, distinct; breaks ties, lower first, and fixes the order of sums */
    double share;           /* resource share, any unit, 0 ... 1e30; 0 = backup project, after all that have one */
    double rec;             /* priority: recent work (REC), credits per day, 0 ... 1e30: of the project with global
                               accounting, of the project on the resource with local accounting */
    double exp_avg_cpu;     /* resource debt: decayed CPU time, s, 0 ... 1e30 */
    double debt;            /* debt: short-term or long-term, s, -1e12 ... 1e12 */
    double load;            /* priority: the tasks picked for it so far, each as CPUs + GPUs * (GPU FLOPS / CPU
                               FLOPS), 0 ... 1e12; 0 = none */
    int32_t priority_class; /* the caller's class: a higher one goes first, whatever the shares; may be negative */
    uint32_t flags;         /* VCS_RANK_ENTRY_* */
    uint64_t reserved[2];   /* 0 */
} vcs_rank_entry;

/*
 * Puts projects in order, best first.
 *
 * entries       one record for each project, aligned to 8 bytes; may be NULL if entry_count is 0
 * entry_size    sizeof(vcs_rank_entry) of the caller
 * entry_count   projects
 * ranking       how to rank
 * order         out: as many numbers as entries: the index of the best project, of the next, and so on; may be NULL if
 *               entry_count is 0
 * priorities    out: as many numbers as entries: what project i is compared by, greater = better; -infinity for an
 *               inactive one. May be NULL
 * error         what was refused, and where; may be NULL
 *
 * Projects are compared by, in this order: active before inactive; class, higher first; share > 0; the rule; id, lower
 * first.
 *
 * VCS_RANK_PRIORITY. The sums run over the active projects; a sum of 0 counts as 1:
 *     x        = rec + load * (sum of rec * (bump / 86400) / host_total)
 *     priority = -(x / sum of rec) / (share / sum of shares), or -(x / sum of rec) for a share of 0
 * So a task that was picked counts as if it had run for `bump` seconds more, and other projects go before its own.
 *
 * VCS_RANK_RESOURCE_DEBT: share / max(exp_avg_cpu, 1 s). Projects that never ran (exp_avg_cpu = 0) go before all that
 * did, greatest share first. Those with a share of 0 are compared by -max(exp_avg_cpu, 1 s).
 *
 * VCS_RANK_DEBT: the debt itself.
 *
 * A share below 1e-200 of the sum counts as 1e-200 of it. Between projects with the same id the lower index goes first;
 * only then does the order depend on the order of the records.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or VCS_ERR_OVERFLOW.
 * On an error neither `order` nor `priorities` is touched. Thread-safe. O(entry_count * log(entry_count)).
 */
VCS_API int vcs_rank(const vcs_rank_entry *entries, uint32_t entry_size, uint32_t entry_count,
                     const vcs_ranking *ranking, uint32_t *order, double *priorities, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
