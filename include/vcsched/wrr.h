/*
 * Weighted round-robin, simulated: what happens to the tasks of a host if nothing but the resource shares decides.
 *
 * It answers when each task will finish, which will miss their deadline, and how much work is missing (rules 4.1 to
 * 4.3, 4.6). The discipline - fluid or sliced - is a parameter.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_WRR_H
#define VCSCHED_WRR_H

#include <vcsched/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is foretold of a task: vcs_task_forecast.verdict, vcs_edf_task.verdict */
#define VCS_VERDICT_UNKNOWN 0u /* the simulation stopped before it finished; no more than that is known */
#define VCS_VERDICT_MEETS 1u   /* it finishes in time */
#define VCS_VERDICT_MISSES 2u  /* it finishes too late */
#define VCS_VERDICT_STUCK 3u   /* it can never start: it needs more than the host, or its limits, have */
#define VCS_VERDICT_SUSPENDED 4u   /* it takes no part: it, its project or its GPU is suspended */

/* vcs_wrr_summary.flags and vcs_edf_summary.flags, on return */
#define VCS_SIMULATION_STOPPED 0x1u /* it ended at the horizon or the budget, not with the last task */

/* The outcome in short. 48 bytes. Since 0.1. */
typedef struct vcs_wrr_summary {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* out: VCS_SIMULATION_* */
    double reached;       /* out: how far it got, s from now; all it reports holds up to there */
    uint64_t steps;       /* out: steps it took; what the budget counts */
    uint32_t misses;      /* out: tasks that miss their deadline */
    uint32_t unknown;     /* out: tasks whose answer is unknown */
    uint64_t reserved[2]; /* out: 0 */
} vcs_wrr_summary;

/* The outcome for one task. 24 bytes. Since 0.1. */
typedef struct vcs_task_forecast {
    double finish;        /* when it finishes, s from now; +infinity if it does not within the simulation */
    uint32_t verdict;     /* VCS_VERDICT_* */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[1]; /* 0 */
} vcs_task_forecast;

/* The outcome for one resource. 40 bytes. Since 0.1. */
typedef struct vcs_resource_forecast {
    double shortfall;     /* instance-seconds that stay idle before the end of the buffer */
    double idle_now;      /* instances that are idle from the start */
    double saturated;     /* how long from now all instances are busy, s */
    uint64_t reserved[2]; /* 0 */
} vcs_resource_forecast;

/* The outcome for one project on one resource. 32 bytes. Since 0.1. */
typedef struct vcs_project_resource_forecast {
    double shortfall;     /* instance-seconds it could use, but does not, before the end of the buffer */
    uint32_t misses;      /* its tasks for this resource that miss their deadline */
    uint32_t tasks;       /* its tasks for this resource that take part */
    double used_now;      /* instances that its tasks use from the start; of the CPU, shares of GPU tasks included */
    uint64_t reserved[1]; /* 0 */
} vcs_project_resource_forecast;

/*
 * Simulates weighted round-robin over a prepared state and keeps the outcome in it.
 *
 * state     prepared; its earlier outcomes of this function and of vcs_edf() are replaced
 * summary   may be NULL
 *
 * Discipline fluid (rule 4.2): every instant, the CPUs are divided among the projects with unfinished tasks in
 * proportion to their shares, and what a project cannot use goes to the others.
 * Discipline sliced (rule 4.3): in steps, the projects of best scheduling priority each run whole tasks, and the work
 * counts against their priority. Simulated time is whole microseconds, so the outcome is the same on every machine.
 *
 * Returns VCS_OK, VCS_ERR_NULL, or a VCS_ERR_ABI_* of the summary. Thread-safe, one thread per state.
 * Fluid: a step per instant at which tasks end, and one more if the horizon cuts it;
 * O(tasks * log(tasks) + changes * projects). Sliced: a step per finish, and per hour or tenth of the time to the next
 * finish; O(tasks) + per step O(projects + log(tasks) per task that starts or stops). A resource on which
 * projects are excluded, or with tasks of several instances that do not fit, adds the tasks that run at once.
 */
VCS_API int vcs_wrr(vcs_state *state, vcs_wrr_summary *summary);

/*
 * Reads what the last vcs_wrr() found for each task, resource, or (project, resource).
 *
 * out            array to write; element i is for record i of the snapshot. Pairs stand project by project: element
 *                project * resources + resource
 * element_size   bytes of one element of the caller's; what the library does not know of it is set to 0
 * count          elements in `out`; must be the number of tasks, of resources, or of projects * resources
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER, VCS_ERR_COUNT, or VCS_ERR_SEQUENCE if vcs_wrr()
 * has not run on this state. Thread-safe. O(count).
 */
VCS_API int vcs_wrr_tasks(const vcs_state *state, vcs_task_forecast *out, uint32_t element_size, uint32_t count);
VCS_API int vcs_wrr_resources(const vcs_state *state, vcs_resource_forecast *out, uint32_t element_size,
                              uint32_t count);
VCS_API int vcs_wrr_project_resources(const vcs_state *state, vcs_project_resource_forecast *out, uint32_t element_size,
                                      uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
