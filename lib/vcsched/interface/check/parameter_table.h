/*
 * The parameters: P(name, value in rpc2003, in study2007, in current, in steady, a line for people). Units and ranges
 * stand in parameters_fields.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHECK_PARAMETER_TABLE_H
#define VCS_CHECK_PARAMETER_TABLE_H

#define VCS_DAY 86400.0
#define VCS_WEEKLY (1.0 / (7.0 * VCS_DAY))
#define VCS_PARAMETERS(P)                                                                                              \
    P(discipline, VCS_DISCIPLINE_FLUID, VCS_DISCIPLINE_FLUID, VCS_DISCIPLINE_SLICED, VCS_DISCIPLINE_SLICED,            \
      "how weighted round-robin is simulated")                                                                         \
    P(accounting, VCS_ACCOUNTING_GLOBAL, VCS_ACCOUNTING_GLOBAL, VCS_ACCOUNTING_GLOBAL, VCS_ACCOUNTING_GLOBAL,          \
      "whether recent work is counted over all resources or per resource")                                             \
    P(estimate, VCS_ESTIMATE_STATIC, VCS_ESTIMATE_STUDY, VCS_ESTIMATE_BLEND, VCS_ESTIMATE_BLEND,                       \
      "how the run time of a task is estimated")                                                                       \
    P(use_dcf, 0, 1, 1, VCS_DCF_MEAN, "whether estimates are corrected by the run times of earlier tasks")             \
    P(backoff_rule, VCS_BACKOFF_EXPONENT, VCS_BACKOFF_UNIFORM, VCS_BACKOFF_DOUBLING, VCS_BACKOFF_DOUBLING,             \
      "how long to wait after failures")                                                                               \
    P(freeze_rec, 0, 0, 0, 0, "whether recent work stays constant in the simulation")                                  \
    P(cpu_fit, VCS_CPU_FIT_FRACTION, VCS_CPU_FIT_FRACTION, VCS_CPU_FIT_FRACTION, VCS_CPU_FIT_FRACTION,                 \
      "when a task fits on the CPUs")                                                                                  \
    P(cushion_min_buffer, 0, 0, 1, 1, "whether the deadline cushion is at least the minimum buffer")                   \
    P(deadline_origin, VCS_ORIGIN_NOW, VCS_ORIGIN_NOW, VCS_ORIGIN_NOW, VCS_ORIGIN_NOW,                                 \
      "the origin of finish times in admission")                                                                       \
    P(backoff_failures, 10, 10, 10, 10, "failures beyond this number no longer increase the wait")                     \
    P(step_budget, 0, 0, 0, 0, "a simulation stops after this many steps; 0 = no limit")                               \
    P(period, 3600, 3600, 3600, 3600, "scheduling period: how long a task keeps its slice")                            \
    P(min_buffer, 0.1 * VCS_DAY, 0.1 * VCS_DAY, 0.1 * VCS_DAY, 0.1 * VCS_DAY,                                          \
      "minimum amount of work to keep on hand")                                                                        \
    P(additional_buffer, 0.25 * VCS_DAY, 0.25 * VCS_DAY, 0.5 * VCS_DAY, 0.5 * VCS_DAY,                                 \
      "additional work to keep beyond the minimum")                                                                    \
    P(rec_half_life, 10 * VCS_DAY, 10 * VCS_DAY, 10 * VCS_DAY, 10 * VCS_DAY, "half-life of recent work (REC)")         \
    P(average_rate, VCS_WEEKLY, VCS_WEEKLY, VCS_WEEKLY, VCS_WEEKLY, "decay rate of the average of CPU time")           \
    P(deadline_cushion, 0, 0, 180, 180, "finish this long before the deadline")                                        \
    P(miss_fraction, 1, 0.9, 1, 1, "fluid: fraction of the time to the deadline that may be used")                     \
    P(horizon, 0, 0, 0, 0, "a simulation stops after this much simulated time; 0 = no limit")                          \
    P(backoff_min, 60, 60, 60, 60, "minimum wait after a failed scheduler call")                                       \
    P(backoff_max, 14400, 14400, 14400, 14400, "maximum wait after failed scheduler calls")                            \
    P(resource_backoff_min, 600, 600, 600, 600, "first wait when a project has no work for a resource")                \
    P(resource_backoff_max, VCS_DAY, VCS_DAY, VCS_DAY, VCS_DAY, "maximum of that wait, before the random draw")        \
    P(transfer_backoff_min, 60, 60, 60, 60, "minimum wait after failed file transfers")                                \
    P(transfer_backoff_max, 14400, 14400, 14400, 14400, "maximum wait after failed file transfers")                    \
    P(transfer_give_up, 90 * VCS_DAY, 90 * VCS_DAY, 90 * VCS_DAY, 90 * VCS_DAY,                                        \
      "a transfer that keeps failing is given up after this long")                                                     \
    P(scheduling, VCS_SCHEDULING_ROUND_ROBIN, VCS_SCHEDULING_DEADLINE, VCS_SCHEDULING_DEADLINE,                        \
      VCS_SCHEDULING_DEADLINE, "whether tasks in danger of missing their deadline go first")                           \
    P(ranking, VCS_RANK_RESOURCE_DEBT, VCS_RANK_DEBT, VCS_RANK_PRIORITY, VCS_RANK_PRIORITY,                            \
      "how projects are ranked")                                                                                       \
    P(work_fetch, VCS_WORK_FETCH_SESSIONS, VCS_WORK_FETCH_WF2, VCS_WORK_FETCH_CURRENT, VCS_WORK_FETCH_OWED,            \
      "when to ask for work, and which project")                                                                       \
    P(work_send, VCS_WORK_SEND_WS1, VCS_WORK_SEND_WS2, VCS_WORK_SEND_WS2, VCS_WORK_SEND_BY_CHANCE,                     \
      "which jobs a server sends")                                                                                     \
    P(save_first, 0, 0, 1, 1, "whether late tasks that can still finish on time go before hopeless ones")              \
    P(hysteresis, 0, 0, 1, 1, "whether a task that is late only now and then keeps running undisturbed")               \
    P(learn_usable, 0, 1, 0, 0, "whether the usable fraction is learned")                                              \
    P(max_runnable, 1000, 1000, 1000, 1000,                                                                            \
      "a project with this many runnable tasks is not asked for work; 0 = no limit")                                   \
    P(max_uploads, 2, 2, 2, 2, "a project uploading more results per instance than this is not asked; 0 = no limit")   \
    P(master_fetch_failures, 10, 10, 3, 3, "this many failures in a row trigger a fetch of the master file")           \
    P(switch_cost, 0, 0, 60, 60, "a running task with less than this left is not stopped")                             \
    P(backup_lead, 180, 180, 180, 180, "a backup project is asked this long before an instance becomes idle")          \
    P(look_interval, 0, 600, 60, 60, "time to the next decision on work fetch after a project was asked")              \
    P(master_fetch_interval, 0, 0, VCS_DAY, VCS_DAY, "minimum time between two fetches of a master file")              \
    P(report_delay, VCS_DAY, VCS_DAY, VCS_DAY, VCS_DAY, "a finished task is overdue this long after its end")          \
    P(bump, 3600, 3600, 3600, 3600, "a picked task counts as having run this long when projects are ranked")           \
    P(late_by, VCS_LATE_BY_TASK, VCS_LATE_BY_TASK, VCS_LATE_BY_COUNT, VCS_LATE_BY_COUNT,                               \
      "which tasks are late where some are predicted to be")                                                           \
    P(simulation_effort, 100000000, 100000000, 100000000, 100000000,                                                   \
      "weighted round-robin stops after this much work; 0 = no limit")                                                 \
    P(placement_effort, 1200000, 1200000, 1200000, 1200000,                                                            \
      "earliest deadline first and admission stop after this much work; 0 = no limit")                                 \
    P(device_bound, VCS_DEVICES_FREE, VCS_DEVICES_FREE, VCS_DEVICES_PREFERRED, VCS_DEVICES_PREFERRED,                  \
      "on which devices a GPU task goes on that has been stopped")                                                     \
    P(least_buffer, 0, 0, 180, 180, "work fetch counts the minimum buffer as at least this much")                      \
    P(least_shortfall, 0, 0, 0.02, 0.02, "a smaller shortfall, as a fraction of the buffer, is no reason to call")     \
    P(hold, 0, 0, 14400, 14400,                                                                                        \
      "how long slices last beside a task of several CPUs, for which CPUs are held; 0 = neither")                      \
    P(let_finish, 0, 0, 1, 1, "whether a task that would end within its next slice goes on")                           \
    P(spare_gpus, 0, 0, 1, 1, "whether a late CPU task leaves GPU tasks their CPUs if it gains nothing by them")       \
    P(stopped_memory, 0, 0, 0, 0, "whether stopped tasks that stay in memory count against the memory of the host")    \
    P(give_up, VCS_GIVE_UP_NEVER, VCS_GIVE_UP_NEVER, VCS_GIVE_UP_NEVER, VCS_GIVE_UP_BY_SIZE,                           \
      "which tasks are stopped for good because they will not be done in time")                                        \
    P(give_up_below, 0.1, 0.1, 0.1, 0.9, "the chance, or part of the first chance, below which a task is given up")    \
    P(report_margin, 0, 0, 0, 0, "results are reported this long before their deadline; 0 = min_buffer")               \
    P(admission_cushion, 0, 0, 0, 0, "admission ends tasks this long before their deadline; 0 = min_buffer")           \
    P(report_risk, 0, 0, 0, 0.01, "report when the chance of missing the deadline is this; 0 = by report_margin")      \
    P(connect_every, 0, 0, 0, 0, "deadlines are those of a connection, so long after another; 0 = always connected")   \
    P(keep_running, 0, 0, 0, 1, "whether running tasks are kept, and the earliest deadline goes next")                 \
    P(hours, VCS_HOURS_NONE, VCS_HOURS_NONE, VCS_HOURS_NONE, VCS_HOURS_NONE,                                           \
      "hours that the chances of decisions go by, in the place of mean spells")

#endif
