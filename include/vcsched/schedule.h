/*
 * Which tasks run now.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_SCHEDULE_H
#define VCSCHED_SCHEDULE_H

#include <vcsched/reason.h>
#include <vcsched/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Level of detail of vcs_schedule() */
#define VCS_SCHEDULE_EXPLAIN 0u /* a decision on every task, with its reason */
#define VCS_SCHEDULE_RUNNING 1u /* only which tasks run; see below */

/* The decision in short. 56 bytes. Since 1.0. */
typedef struct vcs_schedule_summary {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* out: 0 */
    uint32_t running;     /* out: tasks that run from now on */
    uint32_t started;     /* out: running tasks that did not run before */
    uint32_t stopped;     /* out: tasks that ran and are to stop */
    uint32_t late;        /* out: tasks with VCS_DECISION_LATE */
    double ram;           /* out: memory of the tasks that run, bytes */
    double next_check;    /* out: decide again after this many seconds at the latest, when the first slice ends;
                             +infinity if none will. A slice that only waits for a checkpoint is checked again after
                             parameters.look_interval, 0 = 60 s. Decide also when a task ends, arrives, is suspended
                             or resumed */
    double cpu_excess;    /* out: CPUs in use beyond the CPUs of the host; 0 = none */
    uint32_t given_up;    /* out: tasks with VCS_DECISION_GIVE_UP */
    uint32_t reserved0;   /* out: 0 */
} vcs_schedule_summary;

/* vcs_task_decision.flags */
#define VCS_DECISION_LATE 0x1u      /* late: set VCS_TASK_WAS_LATE for the next decision, else clear it */
#define VCS_DECISION_START 0x2u     /* did not run, and runs now */
#define VCS_DECISION_STOP 0x4u      /* ran, and stops now */
#define VCS_DECISION_NEW_SLICE 0x8u /* runs, and its slice begins now: set running_since to the present. It started, or
                                       continues although its slice has ended */
#define VCS_DECISION_HOPELESS 0x10u /* cannot be done by its deadline even if it ran alone from now on, at the usable
                                       fraction of its processor or its own; set whether it runs or not, and whatever
                                       the reason */
#define VCS_DECISION_FILLS_IN 0x20u /* runs without a slice, until CPUs have come free for a task of several CPUs: set
                                       VCS_TASK_FILLS_IN for the next decision, else clear it */
#define VCS_DECISION_GIVE_UP 0x40u  /* will not be done in time: stop it for good, and tell its server at once */

/* The decision on one task. 32 bytes. Since 1.0. */
typedef struct vcs_task_decision {
    uint32_t run;         /* 1: it runs from now on; 0: it does not */
    uint32_t reason;      /* VCS_REASON_*: why */
    uint32_t place;       /* its position in the order of choice, from 0; VCS_NONE if it does not run */
    uint32_t flags;       /* VCS_DECISION_* */
    uint64_t devices;     /* the instances of its GPU type to run it on, as bits (0 for a task without a GPU, and if
                             it does not run) */
    uint64_t reserved[1]; /* 0 */
} vcs_task_decision;

/* How much of one resource the running tasks use. 24 bytes. Since 1.0. */
typedef struct vcs_resource_decision {
    double used;          /* instances; CPUs include the CPU use of GPU tasks */
    uint64_t reserved[2]; /* 0 */
} vcs_resource_decision;

/*
 * Decides which tasks run from now on, and keeps the decision in the state.
 *
 * state     prepared; unless parameters.scheduling is VCS_SCHEDULING_ROUND_ROBIN, vcs_wrr() or vcs_wrr_for_schedule()
 *           must have run on it
 * detail    VCS_SCHEDULE_*
 * summary   may be NULL
 *
 * Each task is offered once, in this order, and chosen if it fits:
 *   1. running tasks that must not be interrupted (see below); then those with less left than parameters.switch_cost,
 *      least left first, then by arrival;
 *   2. late tasks (VCS_SCHEDULING_DEADLINE only): GPU types from the last to the first, then the CPU; each by
 *      deadline, less remaining, arrival. With parameters.save_first, tasks that can still meet their deadline
 *      go first. With parameters.spare_gpus, a late CPU task comes after step 3 for the GPU types if with it a GPU task
 *      would lack CPUs, so that a GPU would idle, and its deadline gains nothing by going first: it can wait until
 *      these GPU tasks end, or cannot be met anyway. So do the late CPU tasks after it;
 *   3. for each GPU type from the last to the first, then the CPU: running tasks within their slice, most work
 *      since the checkpoint first, then by arrival; then projects take turns: each time, the first project by rank
 *      offers its next task: running tasks first, then tasks that have just lost their devices, then started tasks,
 *      then by arrival.
 * parameters.ranking says how projects rank: by scheduling priority, resource debt, or short-term debt. Each task
 * chosen so far, for whatever reason, counts against its project as parameters.bump of work, and by short-term debt as
 * parameters.period (rules 1.2, 1.5, 13.13).
 *
 * A task is late if vcs_wrr() found it to miss its deadline. With VCS_LATE_BY_COUNT, each project has on each resource
 * as many late tasks as vcs_wrr() found there: the earliest deadlines, running tasks first among equals. So no task
 * gives way to a task of its own project that is not due earlier. A task refused for a limit (memory, or a limit on
 * concurrent tasks) then leaves its place to the next one. With the ranking VCS_RANK_DEBT a project with m misses has m
 * late tasks, again the earliest deadlines (rule 13.7).
 *
 * With parameters.hysteresis, tasks that are late only at some decisions are not switched each time. A running task
 * that was late at the last decision stays late until its slice ends. On its resource it ranks with the late tasks
 * that cannot wait for a period but can still be saved, ahead of the tasks that can wait and of the hopeless.
 *
 * A slice ends when it has lasted for parameters.period and the task has made a checkpoint since then. A slice that
 * began in the future (the clock went back) has ended. With parameters.let_finish, a task that would end within its
 * next slice goes on like one within its slice, unless it has a part of a GPU.
 *
 * Wide tasks, which use more than one CPU, would wait for ever beside narrow ones whose slices end one by one: each is
 * followed by another narrow task. So with parameters.hold > 0, where a wide task may run that would fit alone:
 *   - slices of CPU tasks last parameters.hold, no longer than the buffer, but no less than parameters.period, so that
 *     wide and narrow tasks do not drive each other out all the time;
 *   - once a wide task has its turn and does not fit, CPUs are held for it (VCS_REASON_HELD). Running tasks of fewer
 *     CPUs go on without a new slice until it has its place: they fill in (VCS_DECISION_FILLS_IN). So do tasks that
 *     start now, once the turn of the wide task is overdue: when its project would still rank first after
 *     parameters.hold seconds of it, or when no other project has a CPU task. Until then a task that starts gets its
 *     slice;
 *   - if CPUs would idle for it, slices of smaller tasks yield: all of them, unless one would lose as much work as the
 *     longest of them lasts on.
 * So a wide task whose turn is overdue waits for a slice and a checkpoint at most, and CPUs idle for it only where
 * yielding would lose more work. With VCS_CPU_FIT_ANY a wide task always has room, and nothing is held.
 *
 * A task fits if there is room on the CPUs by parameters.cpu_fit and on devices of its GPU type; if its memory is free;
 * and if no limit on concurrent tasks prevents it. A task that does not fit does not prevent smaller ones from running,
 * and none is left waiting that fits. A use of 0 always fits. GPU tasks take their CPUs before CPU tasks do, so a CPU
 * task may lose its place before its slice ends.
 *
 * vcs_task_decision.devices says on which devices a GPU task runs, so a caller places nothing itself; it should hand
 * them in again as vcs_task.devices, also once the task has been stopped: by parameters.device_bound it goes back to
 * them. A running task keeps its devices unless nothing else fits for a task that goes before it. It may then go on
 * running elsewhere (not with VCS_DEVICES_REQUIRED), which shows in its devices alone: start it again there.
 *
 * Tasks that are being downloaded (VCS_TASK_DOWNLOADING) or whose resource is paused do not run, although they count
 * for vcs_wrr() and vcs_fetch(). Paused CPUs stop CPU tasks, not GPU tasks. Stopping a task that stays in memory
 * (VCS_TASK_IN_MEMORY) loses nothing, so it goes first where one has to give way, and its slice waits for no
 * checkpoint.
 *
 * Running tasks with VCS_TASK_UNINTERRUPTIBLE keep their places before all others, late ones of any resource included.
 * They stop only if the user says so (suspended or paused, fewer CPUs, an exclusion or a limit) or memory runs out. If
 * two do not fit together, as after the host has lost CPUs, the order is: GPU types from the last to the first, then
 * the CPU; most work since the checkpoint first, then by arrival. A task with the flag that does not run, as after a
 * restart of the host, waits for its turn like any other. The simulations know nothing of the flag, so a task that
 * waits for such a task may be found late only once little time is left.
 *
 * With parameters.give_up, tasks that will not be done in time are given up (vcs_give_up(); rule 15.3): their decision
 * has VCS_DECISION_GIVE_UP and the reason. They do not run, and no simulation, fetch or admission counts on them. Stop
 * them for good, remove them, tell their server at once, and decide again. Suspended tasks, and tasks of a project with
 * VCS_PROJECT_KEEPS_TASKS, are never given up. Chances change with time, so next_check is at most `period`. Spells that
 * are not known follow from the usable fraction of the CPUs. With parameters.connect_every the last connection before a
 * deadline takes its place (rule 15.7): vcs_host.next_connection and every so many seconds after it, or since the task
 * was received if that is 0. A next connection that is past may come at any time, so the deadline stays.
 *
 * With parameters.keep_running, nothing that runs is stopped for another task: tasks that ran until now go on, and the
 * earliest deadlines among all others that fit take what is free (rule 15.4; source: ours). No simulation need come
 * before. A task of several CPUs that waits for room alone has CPUs held for it if it will have them within
 * parameters.hold: only tasks that end sooner begin meanwhile. Projects take turns less often than by slices. The
 * sliced discipline of vcs_wrr() foretells the same; vcs_edf(), vcs_admit() and the fluid discipline do not know that
 * what runs goes on first.
 *
 * With parameters.stopped_memory, a task that has begun with VCS_TASK_IN_MEMORY counts against the memory of the host
 * while it does not run, suspended ones included. A task that is in memory already goes on if the tasks that run leave
 * it room, whatever else is in memory, so none pays twice and the host does not stand still. Any other task has to fit
 * beside all that are in memory, stopped or not. Room is made by tasks that end, and by a caller who removes a stopped
 * task from memory and clears its flag; no task is chosen for that.
 *
 * VCS_SCHEDULE_RUNNING makes the same decision and the same summary, but does not work out why the other tasks wait.
 * It pays where many tasks wait: once nothing is free, most of them are not even looked at. Read the decision with
 * vcs_schedule_running() and vcs_schedule_resources(); vcs_schedule_tasks() then returns VCS_ERR_SEQUENCE.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_FLAGS for an unknown `detail`, a VCS_ERR_ABI_* of the summary, or
 * VCS_ERR_SEQUENCE. Thread-safe, one thread per state.
 * O(tasks + projects * resources + projects * log(projects)). The sorts are radix sorts. Each GPU task offered adds the
 * devices of its type, at most 64, for each device that it takes; each late task refused for a limit adds the logarithm
 * of their number.
 * Rules 4.7, 5.1 to 5.6 (S2, S4), 13.7 and 13.13.
 */
VCS_API int vcs_schedule(vcs_state *state, uint32_t detail, vcs_schedule_summary *summary);

/*
 * Reads which tasks run from now on, in the order of choice. No other task runs: stop any that ran until now.
 *
 * tasks       out: as many numbers as decisions: the indices of these tasks in the snapshot
 * decisions   out: vcs_task_decision[], summary.running of them: the decision on each of these tasks, as
 *             vcs_schedule_tasks() has it. Fields unknown to the library are set to 0
 *
 * The next decision looks at VCS_TASK_WAS_LATE of running tasks only, so VCS_DECISION_LATE need not be noted on others.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER, VCS_ERR_COUNT, or VCS_ERR_SEQUENCE if
 * vcs_schedule() has not run on this state; on an error nothing was written. Thread-safe. O(running tasks).
 */
VCS_API int vcs_schedule_running(const vcs_state *state, uint32_t *tasks, const vcs_array *decisions);

/*
 * Reads what the last vcs_schedule(), with VCS_SCHEDULE_EXPLAIN, decided on each task; the rest as for vcs_wrr_tasks().
 *
 * decisions   out: vcs_task_decision[], one for each task of the snapshot
 */
VCS_API int vcs_schedule_tasks(const vcs_state *state, const vcs_array *decisions);

/*
 * Reads how much of each resource the running tasks use; the rest as for vcs_wrr_tasks().
 *
 * decisions   out: vcs_resource_decision[], one for each resource of the snapshot
 */
VCS_API int vcs_schedule_resources(const vcs_state *state, const vcs_array *decisions);

#ifdef __cplusplus
}
#endif

#endif
