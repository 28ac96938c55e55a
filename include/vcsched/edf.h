/*
 * Earliest deadline first, simulated: when the tasks in danger would run if they went first.
 *
 * It answers how long each resource is busy with them (rule 4.4); no new task can start before that.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_EDF_H
#define VCSCHED_EDF_H

#include <vcsched/wrr.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which tasks vcs_edf() looks at */
#define VCS_EDF_MISSED 0u /* those that the last vcs_wrr() on the state found to miss their deadline */
#define VCS_EDF_ALL 1u    /* all that may run */

/* The outcome in short. 40 bytes. Since 0.1. */
typedef struct vcs_edf_summary {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* out: VCS_SIMULATION_* */
    double reached;       /* out: the latest finish it got to, s from now */
    uint32_t tasks;       /* out: tasks that were placed */
    uint32_t misses;      /* out: of those, the ones that miss their deadline even so */
    uint64_t reserved[2]; /* out: 0 */
} vcs_edf_summary;

/* The outcome for one task. 32 bytes. Since 0.1. */
typedef struct vcs_edf_task {
    double start;         /* when it starts, s from now; +infinity if it does not or was not looked at */
    double finish;        /* when it finishes, s from now; +infinity likewise */
    uint32_t verdict;     /* VCS_VERDICT_*, against the deadline itself; APART if it was not looked at */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[1]; /* 0 */
} vcs_edf_task;

/* The outcome for one resource. 24 bytes. Since 0.1. */
typedef struct vcs_edf_resource {
    double busy;          /* how long all its instances are busy, s from now; 0 = one is idle at once */
    uint64_t reserved[2]; /* 0 */
} vcs_edf_resource;

/*
 * Places tasks in order of deadline, each on the instances that are free first, and keeps the outcome in the state.
 *
 * state     prepared; with VCS_EDF_MISSED, vcs_wrr() must have run on it
 * which     VCS_EDF_*
 * summary   may be NULL
 *
 * Ties: less remaining time first, then arrival, then id. A task of k instances starts when k are free, on those free
 * first, the lowest index on ties; a use above 1 that is no whole number is rounded up. Fractions share an instance,
 * lowest index first. A task for a GPU books its share of the CPUs too. Excluded instances are not used.
 * Limits on tasks at once are not looked at: the tasks in danger go first whatever it takes.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_* of the summary, VCS_ERR_FLAGS for an unknown `which`, or
 * VCS_ERR_SEQUENCE. Thread-safe, one thread per state. O(tasks + instances taken * log(instances)). Where tasks take
 * parts of an instance, those that share it add to that, and if there are more than seven different parts, so do
 * instances with too little room; exclusions add up to 64 instances.
 */
VCS_API int vcs_edf(vcs_state *state, uint32_t which, vcs_edf_summary *summary);

/* Read what the last vcs_edf() found; arguments, errors and cost as for vcs_wrr_tasks(). */
VCS_API int vcs_edf_tasks(const vcs_state *state, vcs_edf_task *out, uint32_t element_size, uint32_t count);
VCS_API int vcs_edf_resources(const vcs_state *state, vcs_edf_resource *out, uint32_t element_size, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
