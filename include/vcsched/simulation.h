/*
 * Simulations of a prepared state: when its tasks will finish, which will miss their deadlines, and which jobs can
 * still be admitted (rule 4).
 *
 *   weighted round-robin      if resource shares alone decide which tasks run: vcs_wrr()
 *   earliest deadline first   if the tasks in danger go first: vcs_edf()
 *   admission                 whether a candidate would harm the tasks in the queue: vcs_admit()
 *
 * Results stay in the state for vcs_wrr_tasks() and the like to read; vcs_state_renew() discards them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_SIMULATION_H
#define VCSCHED_SIMULATION_H

#include <vcsched/host.h>
#include <vcsched/reason.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Weighted round-robin ---- */

/*
 * The simulation says when each task will finish, which tasks will miss their deadlines, and how much work is missing
 * (rules 4.1 to 4.3, 4.6). The discipline, fluid or sliced, is a parameter.
 */

/* What becomes of a task: vcs_task_forecast.verdict, vcs_edf_task.verdict */
#define VCS_VERDICT_UNKNOWN 0u   /* the simulation stopped before the task finished; nothing more is known */
#define VCS_VERDICT_MEETS 1u     /* it finishes in time */
#define VCS_VERDICT_MISSES 2u    /* it finishes too late */
#define VCS_VERDICT_STUCK 3u     /* it can never start: it needs more than the host has, or its limits allow */
#define VCS_VERDICT_SUSPENDED 4u /* it takes no part: the task, its project or its GPU type is suspended */

/* vcs_wrr_summary.flags and vcs_edf_summary.flags, on return */
#define VCS_SIMULATION_STOPPED 0x1u /* it stopped at the horizon or the budget, before the last task finished */

/* Summary of a simulation. 48 bytes. Since 1.0. */
typedef struct vcs_wrr_summary {
    uint32_t struct_size;   /* bytes; set by the caller */
    uint32_t flags;         /* out: VCS_SIMULATION_* */
    double simulated_until; /* out: where the simulation ended, s from now; all results hold up to there */
    uint64_t steps;         /* out: steps taken, as the budget counts them */
    uint32_t misses;        /* out: tasks that miss their deadline */
    uint32_t unknown;       /* out: tasks with an unknown verdict */
    uint64_t effort;        /* out: what it cost, as vcs_parameters.simulation_effort counts */
    uint64_t reserved[1];   /* out: 0 */
} vcs_wrr_summary;

/* Forecast for one task. 24 bytes. Since 1.0. */
typedef struct vcs_task_forecast {
    double finish;        /* when it finishes, s from now; +infinity if it does not within the simulation */
    uint32_t verdict;     /* VCS_VERDICT_* */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[1]; /* 0 */
} vcs_task_forecast;

/* Forecast for one resource. 48 bytes. Since 1.0. */
typedef struct vcs_resource_forecast {
    double shortfall;     /* instance-seconds that stay idle before the end of the buffer */
    double idle_now;      /* instances that are idle from the start; none where more is used than there is */
    double saturated;     /* how long all instances stay busy, s from now */
    double idle_from;     /* when a whole instance, or all if there is less, is first idle, s from now; 0 if the
                             resource is suspended, and with the fluid discipline */
    double short_from;    /* when enough will be missing within the buffer to call a project (see
                             parameters.least_shortfall), s from now, or somewhat sooner where gaps follow each other;
                             0 if any shortfall is enough, if the resource is suspended, and with the fluid
                             discipline */
    double useless;       /* part of idle_now: instances of a GPU type that more work could not use. Either waiting
                             tasks take them as soon as slices end beside them, or they are parts of a device too
                             small for any task known here (see vcs_app_resource.use). No other field counts them, and
                             no project is called for them */
} vcs_resource_forecast;

/* Forecast for one project on one resource. 40 bytes. Since 1.0. */
typedef struct vcs_project_resource_forecast {
    double shortfall;     /* instance-seconds it could use but does not, before the end of the buffer */
    uint32_t misses;      /* its tasks for this resource that miss their deadline */
    uint32_t tasks;       /* its tasks for this resource that take part */
    double used_now;      /* instances that its tasks use from the start; CPUs include the CPU use of GPU tasks */
    uint32_t waits_for_fit; /* 1: when instances are first idle, at `saturated`, they are too few for a task that its
                               limits would let run; else 0 */
    uint32_t reserved0;   /* 0 */
    double saturated;     /* how long it runs as many tasks as its limits and exclusions allow, s from now; 0 if it has
                             none, and with the fluid discipline */
} vcs_project_resource_forecast;

/*
 * Simulates weighted round-robin over a prepared state and keeps the results in the state.
 *
 * state     prepared; replaces earlier results of this function and of vcs_edf()
 * summary   may be NULL
 *
 * Discipline fluid (rule 4.2): at every instant the CPUs are divided among the projects with unfinished tasks in
 * proportion to their shares, and what a project cannot use goes to the others.
 * Discipline sliced (rule 4.3): time passes in steps. In each step the projects with the best scheduling priority run
 * whole tasks, and the work counts against their priority. Simulated time is whole microseconds, so the results are
 * the same on every machine.
 *
 * With parameters.keep_running the sliced discipline takes no turns (rule 15.4): what runs goes on to its end, and what
 * is free then goes to the earliest deadlines, as vcs_schedule() chooses them. A step leads from finish to finish.
 *
 * It stops, and says so, at vcs_parameters.horizon, step_budget or simulation_effort; the sliced discipline also after
 * 2^60 us, which is 36,500 years. Its results are right up to there; tasks that it did not reach are
 * VCS_VERDICT_UNKNOWN. As effort it counts, in each step of the sliced discipline, the projects that compete, the
 * classes of tasks, each task that is picked, started or stopped, and each place by which a project falls back in rank;
 * in the fluid discipline, each step, and each project as often as it is looked at while the CPUs are divided. By
 * default the effort is limited: a host made up to be slow takes at most a second, a host with 10,000 tasks and 128
 * CPUs 50 ms.
 *
 * Returns VCS_OK, VCS_ERR_NULL, or a VCS_ERR_ABI_* of the summary. Thread-safe, one thread per state.
 * Fluid: one step per instant at which tasks finish, and one more if the horizon cuts it;
 * O(tasks * log(tasks) + changes * projects). Sliced: one step per finish, and one per hour or per tenth of the time to
 * the next finish. On a host of CPUs alone, without limits and with tasks of one CPU, O(tasks) + per step O(projects +
 * log(tasks) per task that starts or stops). Otherwise per step O(classes of tasks + tasks that run at once), where
 * tasks of a project with the same uses, and the same application if that has a limit or excluded instances, are a
 * class; in the worst case each task that runs is compared with all projects and with all classes of its own. With the
 * effort limited, O(tasks * log(tasks)) + O(effort) + one step.
 */
VCS_API int vcs_wrr(vcs_state *state, vcs_wrr_summary *summary);

/*
 * As much of vcs_wrr() as vcs_schedule() needs: calls vcs_wrr() only if some task could miss its deadline. Often none
 * could, since all tasks together would finish before the first deadline. Then vcs_wrr_tasks() and the like have
 * nothing to read, and vcs_fetch() and vcs_edf() still need vcs_wrr(). The choice of tasks is the same.
 *
 * state     prepared. If vcs_wrr() has run on it, nothing is done
 *
 * Returns VCS_OK or VCS_ERR_NULL. Thread-safe, one thread per state. O(tasks + projects * resources), or as vcs_wrr().
 */
VCS_API int vcs_wrr_for_schedule(vcs_state *state);

/*
 * Reads what the last vcs_wrr() found for each task.
 *
 * forecasts   out: vcs_task_forecast[], one for each task of the snapshot, in the same order. Fields unknown to the
 *             library are set to 0
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER, VCS_ERR_COUNT, or VCS_ERR_SEQUENCE if vcs_wrr()
 * has not run on this state. Thread-safe. O(tasks).
 */
VCS_API int vcs_wrr_tasks(const vcs_state *state, const vcs_array *forecasts);

/*
 * Reads what it found for each resource; the rest as for vcs_wrr_tasks().
 *
 * forecasts   out: vcs_resource_forecast[], one for each resource of the snapshot
 */
VCS_API int vcs_wrr_resources(const vcs_state *state, const vcs_array *forecasts);

/*
 * Reads what it found for each project on each resource; the rest as for vcs_wrr_tasks().
 *
 * forecasts   out: vcs_project_resource_forecast[], projects * resources of them, project by project: element
 *             project * resources + resource
 */
VCS_API int vcs_wrr_project_resources(const vcs_state *state, const vcs_array *forecasts);

/* ---- Earliest deadline first ---- */

/*
 * The simulation says when the tasks in danger would run if they went first, and how long they keep each resource busy
 * (rule 4.4). No new task can start before that.
 */

/* Which tasks vcs_edf() places */
#define VCS_EDF_MISSED 0u /* tasks that miss their deadline according to the last vcs_wrr() on the state */
#define VCS_EDF_ALL 1u    /* all tasks that may run */

/* Summary of a simulation. 40 bytes. Since 1.0. */
typedef struct vcs_edf_summary {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* out: VCS_SIMULATION_* */
    double latest_finish; /* out: the latest finish of the tasks placed, s from now; 0 if there are none */
    uint32_t tasks;       /* out: tasks that were placed */
    uint32_t misses;      /* out: tasks placed that miss their deadline even so */
    uint64_t effort;      /* out: what it cost, as vcs_parameters.placement_effort counts */
    uint64_t reserved[1]; /* out: 0 */
} vcs_edf_summary;

/* Result for one task. 32 bytes. Since 1.0. */
typedef struct vcs_edf_task {
    double start;         /* when it starts, s from now; +infinity if it does not, or was not to be placed */
    double finish;        /* when it finishes, s from now; +infinity likewise */
    uint32_t verdict;     /* VCS_VERDICT_*, against the deadline itself; SUSPENDED if it was not to be placed */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[1]; /* 0 */
} vcs_edf_task;

/* Result for one resource. 24 bytes. Since 1.0. */
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
 * Ties: less remaining time first, then arrival, then id. A task of k instances starts when k are free, on the first
 * to become free, the lowest index on ties; a use above 1 that is not whole is rounded up. Fractions share an
 * instance, lowest index first. A GPU task also books the CPUs it uses, but a share of less than a CPU counts for other
 * such shares alone: it delays no CPU task and makes no CPU busy. Excluded instances are not used.
 *
 * Limits on concurrent tasks (vcs_project.max_concurrent, vcs_app.max_concurrent) hold: whenever instances become free,
 * the earliest deadline with room in its limits goes next. A task that waits for a limit books nothing, and later
 * deadlines pass it; a task that waits for instances is not passed. A resource kept idle by limits alone is not busy.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_* of the summary, VCS_ERR_FLAGS for an unknown `which`, or
 * VCS_ERR_SEQUENCE. Thread-safe, one thread per state. O(tasks + instances used * log(instances)). Where tasks use
 * fractions of an instance, O(log(tasks)) for each task, however many share one; with more than seven different
 * fractions, the instances with too little free add to that; exclusions add up to 64 instances. If any project or
 * application has a limit, each task adds O(log(limits)) for its own limits and for each other limited application of
 * its project; where not all tasks take one whole CPU, the time to find a free instance for each limit that concerns
 * one of the tasks. Costs that the number of tasks alone does not bound are counted and limited by
 * vcs_parameters.placement_effort: then it stops and says so, as at step_budget. No order of ends, uses or limits makes
 * the rest take longer than O(tasks * log(tasks)).
 */
VCS_API int vcs_edf(vcs_state *state, uint32_t which, vcs_edf_summary *summary);

/*
 * Reads when the last vcs_edf() placed each task; the rest as for vcs_wrr_tasks().
 *
 * tasks   out: vcs_edf_task[], one for each task of the snapshot
 */
VCS_API int vcs_edf_tasks(const vcs_state *state, const vcs_array *tasks);

/*
 * Reads how long it found each resource to be busy; the rest as for vcs_wrr_tasks().
 *
 * resources   out: vcs_edf_resource[], one for each resource of the snapshot
 */
VCS_API int vcs_edf_resources(const vcs_state *state, const vcs_array *resources);

/* ---- Admission ---- */

/*
 * May a task join the queue without harming the tasks already in it, by earliest deadline first (rule 4.5)? A server
 * asks before it sends a task, a client before it accepts one.
 */

/* The answer for one candidate. 40 bytes. Since 1.0. */
typedef struct vcs_admission {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* out: 0 */
    uint32_t admitted;    /* out: 1 = it joins the queue, 0 = it is refused */
    uint32_t reason;      /* out: why: VCS_REASON_* */
    double finish;        /* out: when it would finish, s from now; +infinity if it cannot run or was not placed */
    uint32_t harmed;      /* out: the task of the snapshot that it would harm; VCS_NONE = none */
    uint32_t harmed_candidate; /* out: the admitted candidate that it would harm; VCS_NONE = none */
    uint64_t reserved[1]; /* out: 0 */
} vcs_admission;

/*
 * Decides whether a candidate may join the tasks of the host. If it may, it is in the queue for later candidates.
 *
 * state       prepared, with the candidates in vcs_snapshot.candidates. Candidates already admitted count as queued
 * candidate   index of the candidate; VCS_ERR_DUPLICATE if it was admitted before
 * admission   the answer
 *
 * The tasks that may run are placed by earliest deadline as in vcs_edf(), and judged by their computation deadlines,
 * which are the report deadlines less the minimum buffer. The candidate is admitted if and only if it meets its own, no
 * task that met its own now misses it, and no task that missed finishes later than before. The candidate counts as the
 * latest arrival. Limits on concurrent tasks hold for the queue and for the candidate.
 *
 * With parameters.work_send = VCS_WORK_SEND_BY_CHANCE the candidate's chance to be done in time decides instead, as in
 * vcs_admit_by_chance() (rule 15.5). Only tasks for its resource count, and none that is given up. Its wait is the work
 * due no later than itself, divided by the instances, or 0 where an instance is free; with parameters.keep_running,
 * running tasks go before it whenever they are due. Its spread is the job_spread of its project
 * (vcs_project_resource), and the best chance is the greatest that the last jobs of the host's projects would have. The
 * spells are those of vcs_host; where they are not known, they follow from the usable fraction of the CPUs, as
 * vcs_spells_means() says for a host of which no spell was seen. Deadlines are those of the last connection before
 * (vcs_parameters.connect_every). Tasks that need more than the host has, limits, the CPUs of GPU tasks and the minimum
 * buffer do not count. The floor is 0.15, or give_up_below and 0.05 if that is more and tasks are given up by chance:
 * above the chance below which they are given up in any case. `finish` is the wait and its own time, of usable wall
 * time; with VCS_REASON_TAKES_MARGIN `harmed` or `harmed_candidate` is the task of the least margin. The first call
 * costs O(resources * tasks), each candidate O(log(tasks)) and at most 11 calls of vcs_chance_to_finish(), and O(tasks)
 * more if it is admitted.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_INDEX, VCS_ERR_DUPLICATE or a VCS_ERR_ABI_* of the answer. Thread-safe, one
 * thread per state. The first call places all tasks. Where all tasks and candidates take one whole CPU, a candidate
 * costs O(log(tasks)) if it would miss its own deadline, else the placing of the tasks after it up to the first that is
 * harmed. Elsewhere, and if any project or application has a limit, the tasks before it are placed again, too. Placing
 * costs as much as in vcs_edf(). All candidates of a state together may take vcs_parameters.placement_effort: the
 * candidate that goes beyond, and each later one, is refused with VCS_REASON_BUDGET, since its effects are unknown.
 */
VCS_API int vcs_admit(vcs_state *state, uint32_t candidate, vcs_admission *admission);

#ifdef __cplusplus
}
#endif

#endif
