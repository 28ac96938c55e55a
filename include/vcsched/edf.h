/*
 * Simulates earliest deadline first: when the tasks in danger would run if they went first.
 *
 * The answer says how long they keep each resource busy (rule 4.4). No new task can start before that.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_EDF_H
#define VCSCHED_EDF_H

#include <vcsched/wrr.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which tasks vcs_edf() places */
#define VCS_EDF_MISSED 0u /* those that miss their deadline according to the last vcs_wrr() on the state */
#define VCS_EDF_ALL 1u    /* all that may run */

/* Summary of a simulation. 40 bytes. Since 0.1. */
typedef struct vcs_edf_summary {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* out: VCS_SIMULATION_* */
    double latest_finish; /* out: the latest finish of the tasks placed, s from now; 0 if there are none */
    uint32_t tasks;       /* out: tasks that were placed */
    uint32_t misses;      /* out: tasks placed that miss their deadline even so */
    uint64_t effort;      /* out: what it cost, as vcs_parameters.placement_effort counts */
    uint64_t reserved[1]; /* out: 0 */
} vcs_edf_summary;

/* Result for one task. 32 bytes. Since 0.1. */
typedef struct vcs_edf_task {
    double start;         /* when it starts, s from now; +infinity if it does not, or was not to be placed */
    double finish;        /* when it finishes, s from now; +infinity likewise */
    uint32_t verdict;     /* VCS_VERDICT_*, against the deadline itself; SUSPENDED if it was not to be placed */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[1]; /* 0 */
} vcs_edf_task;

/* Result for one resource. 24 bytes. Since 0.1. */
typedef struct vcs_edf_resource {
    double busy;          /* how long all its instances are busy, s from now; 0 = one is idle now */
    uint64_t reserved[2]; /* 0 */
} vcs_edf_resource;

/*
 * Places tasks in order of deadline, each on the instances that become free first, and keeps the results in the state.
 *
 * state     prepared; with VCS_EDF_MISSED, vcs_wrr() must have run on it
 * which     VCS_EDF_*
 * summary   may be NULL
 *
 * Ties: less remaining time first, then arrival, then id. A task of k instances starts when k are free, on those that
 * become free first, the lowest index on ties; a use above 1 that is not whole is rounded up. Fractions share an
 * instance, lowest index first. A GPU task also books the CPUs it uses, but a share of less than a CPU counts for other
 * such shares alone: it delays no CPU task and makes no CPU busy. Excluded instances are not used.
 *
 * Limits on concurrent tasks (vcs_project.max_concurrent, vcs_app.max_concurrent) hold: whenever instances become free,
 * the earliest deadline whose limits have room goes next. A task that waits for a limit books nothing, and later
 * deadlines pass it; one that waits for instances is not passed. So a resource that only limits keep idle is not busy.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_* of the summary, VCS_ERR_FLAGS for an unknown `which`, or
 * VCS_ERR_SEQUENCE. Thread-safe, one thread per state. O(tasks + instances taken * log(instances)). Where tasks use
 * fractions of an instance, O(log(tasks)) for each task, however many share one; with more than seven different
 * fractions, the instances with too little free add to that; exclusions add up to 64 instances. If any project or
 * application has a limit, each task adds O(log(limits)) for its own limits and for each other application of its
 * project that has one; where not all tasks take one whole CPU, the time to find a free instance for each limit that
 * concerns one of the tasks. What so adds up without a bound by the number of tasks alone is counted, and limited by
 * vcs_parameters.placement_effort: then it stops and says so, as at step_budget. No order of ends, uses or limits makes
 * the rest take longer than O(tasks * log(tasks)).
 */
VCS_API int vcs_edf(vcs_state *state, uint32_t which, vcs_edf_summary *summary);

/* Read what the last vcs_edf() found; arguments, errors and cost as for vcs_wrr_tasks(). */
VCS_API int vcs_edf_tasks(const vcs_state *state, vcs_edf_task *tasks, uint32_t task_size, uint32_t task_count);
VCS_API int vcs_edf_resources(const vcs_state *state, vcs_edf_resource *resources, uint32_t resource_size,
                              uint32_t resource_count);

#ifdef __cplusplus
}
#endif

#endif
