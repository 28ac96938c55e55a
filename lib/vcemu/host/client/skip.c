/*
 * Decisions that need not be made, because their result is certain.
 *
 * Rules 5.1, 5.2, 6.2 and 13.11; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * Among tasks of one project, running tasks go before all others, whether their slices have ended or not, as long as
 * no task is late. Tasks that fitted together fit in any order if each uses one CPU and there are no limits, and a task
 * that did not fit beside them does not fit now. So if all tasks are of one project, the same tasks run on if they use
 * all CPUs, or if no task has come, gone or become ready since the library chose among them.
 *
 * No task is late, in whatever order the simulation runs them, if the first deadline is after the time that all CPUs
 * need together for all tasks, and then for the longest task alone: until a task starts, no CPU is idle.
 *
 * By the study's rules the client decides on fetching each time that it chooses tasks. It asks nobody if the CPUs are
 * busy beyond the buffer, and needs to know how long only up to the next choice, before which a slice ends. Its
 * simulation starts the tasks of one project in order of arrival. If the running tasks were the first to arrive, each
 * CPU is busy at least for the least remaining time of a running task, and then for its share of the waiting tasks,
 * each as long as the shortest: no CPU gets more of them while another has less to do.
 *
 * Skipping the choice saves 23 % of the instructions of a grid with one project per host; skipping both saves 33 % of
 * base.ini.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/client/skip.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/records.h"
#include "vcemu/host/setup.h"
#include "vcemu/host/tasks/tasks.h"
#include "vcsched/simulation/slice.h"
#include "vcsched/simulation/lateness.h"
#include "vcsched/timers/buffer.h"

/* More than rounding adds to the times of any tasks. */
#define FACTOR (1.0 + 1e-6)
#define MARGIN 1.0 /* s */

/* Whether the simulation of one project's tasks, which nothing cuts short, decides every fetch. */
static bool is_fetch_predictable(const vcs_emu_emulator *e) {
    const vcs_parameters *p = &e->setup->parameters;
    const bool is_seen = e->is_observed, is_study = vcs_emu_is_study(e);
    return (e->setup->hooks.fetch == NULL) & !is_seen & is_study & (p->work_fetch == VCS_WORK_FETCH_WF2) &
           (p->discipline == VCS_DISCIPLINE_FLUID) & (p->horizon == 0.0) & (p->step_budget == 0) &
           (e->records->project_count == 1);
}

void vcs_emu_skip_open(vcs_emu_emulator *e) {
    const vcs_emu_records *records = e->records;
    const vcs_resource *cpus = &records->resources[0];
    uint32_t limits = cpus->flags;
    for (uint32_t i = 0; i < records->project_count; i++) {
        limits |= records->projects[i].max_concurrent;
    }
    for (uint32_t i = 0; i < records->app_count; i++) {
        limits |= records->apps[i].max_concurrent;
    }
    for (uint32_t i = 0; i < records->snapshot.project_resources.count; i++) {
        limits |= records->project_resources[i].max_instances > 0.0;
    }
    for (uint32_t i = 0; i < records->snapshot.app_resources.count; i++) {
        limits |= records->app_resources[i].max_instances > 0.0;
    }
    limits |= e->setup->parameters.give_up; /* chances change with time alone */
    limits |= e->setup->parameters.keep_running;
    e->skip->may_skip_choice = e->setup->hooks.schedule == NULL && limits == 0 && cpus->reserve == 0.0;
    e->skip->may_skip_fetch = e->skip->may_skip_choice && is_fetch_predictable(e);
}

#define NOT_READY (VCS_TASK_SUSPENDED | VCS_TASK_DOWNLOADING)

/* Whether a task uses one CPU and no memory, and nothing distinguishes it from others of its project. */
static inline bool is_plain(const vcs_task *task) {
    return (task->gpu == 0) & (task->cpus == 1.0) & (task->ram == 0.0) & (task->usable == 0.0) &
           ((task->flags & (VCS_TASK_WAS_LATE | VCS_TASK_FILLS_IN)) == 0);
}

bool vcs_emu_can_skip_choice(vcs_emu_emulator *e) {
    const vcs_task *tasks = e->records->tasks;
    const vcs_resource *cpus = &e->records->resources[0];
    double all = 0.0, longest = 0.0, deadline = VCS_INFINITY;
    bool are_alike = true;
    if (!e->skip->may_skip_choice || (e->tasks->regrouped && e->tasks->running_count != cpus->instances)) {
        return false;
    }
    vcs_emu_estimate_tasks(e);
    for (uint32_t i = 0; are_alike && i < e->records->snapshot.tasks.count; i++) {
        are_alike = is_plain(&tasks[i]) & (tasks[i].project == tasks[0].project);
        all += tasks[i].remaining;
        longest = vcs_max(longest, tasks[i].remaining);
        deadline = vcs_min(deadline, tasks[i].deadline);
    }
    VCS_INVARIANT(VCS_IS_NUMBER(deadline)); /* as each deadline is */
    if (!are_alike) {
        return false;
    }
    const vcs_parameters *parameters = &e->setup->parameters;
    const bool is_fluid = parameters->discipline == VCS_DISCIPLINE_FLUID;
    const double now = e->clock->now, latest_finish = (all / cpus->instances + longest) / cpus->usable; /* s from now */
    const double latest_in_time = is_fluid ? vcs_latest_in_fluid(parameters, now, deadline)
                                           : (double)vcs_latest_in_sliced(parameters, now, deadline) * 1e-6;
    return latest_finish * FACTOR + MARGIN < latest_in_time;
}

double vcs_emu_keep_choice(vcs_emu_emulator *e) {
    const vcs_parameters *parameters = &e->setup->parameters;
    const double now = e->clock->now;
    double next = VCS_INFINITY;
    for (uint32_t i = 0; i < e->tasks->running_count; i++) {
        vcs_task *task = &e->records->tasks[e->tasks->running[i]];
        const double loss = vcs_work_at_risk(task->flags, task->since_checkpoint);
        if (!vcs_slice_goes_on(parameters->period, now - task->running_since, loss)) {
            task->running_since = now;
        }
        next = vcs_min(next, vcs_slice_left(parameters, parameters->period, now - task->running_since));
    }
    return next;
}

/* ---- Fetching ---- */

static inline bool arrives_before(const vcs_task *a, const vcs_task *b) {
    return (a->received < b->received) | ((a->received == b->received) & (a->id < b->id));
}

/* The end of a task takes the simulation a few units of effort, if there is one project. */
#define EFFORT_OF_TASK 8u

/* The least time for which all CPUs are busy, each running a task: seconds of a CPU that is always on; 0 = unknown. */
static double busy_for(const vcs_emu_emulator *e) {
    const uint32_t cpus = e->records->resources[0].instances, count = e->records->snapshot.tasks.count;
    const vcs_task *tasks = e->records->tasks, *last_running = &tasks[0];
    double least_left = VCS_INFINITY, shortest = VCS_INFINITY;
    const uint64_t effort = e->setup->parameters.simulation_effort;
    bool are_plain = (effort == 0) | (effort / EFFORT_OF_TASK > count); /* the effort suffices */
    for (uint32_t i = 0; i < e->tasks->running_count; i++) {
        const vcs_task *task = &tasks[e->tasks->running[i]];
        last_running = i == 0 || arrives_before(last_running, task) ? task : last_running;
        least_left = vcs_min(least_left, task->remaining);
    }
    for (uint32_t i = 0; i < count; i++) {
        are_plain &= is_plain(&tasks[i]) & ((tasks[i].flags & NOT_READY) == 0);
        if (e->tasks->truths[i].running_index == VCS_NONE) {
            are_plain &= arrives_before(last_running, &tasks[i]);
            shortest = vcs_min(shortest, tasks[i].remaining);
        }
    }
    return are_plain && count > cpus ? least_left + (count - cpus) / cpus * shortest : 0.0;
}

bool vcs_emu_can_skip_fetch(vcs_emu_emulator *e) {
    const vcs_parameters *parameters = &e->setup->parameters;
    const bool are_busy = e->tasks->running_count == e->records->resources[0].instances;
    if (!e->skip->may_skip_fetch || !are_busy || e->agenda->schedule_due > e->clock->now) {
        return false;
    }
    vcs_emu_estimate_tasks(e);
    const double buffer = vcs_whole_buffer(parameters);
    const double beyond = busy_for(e) / FACTOR - MARGIN - e->records->resources[0].usable * buffer;
    return beyond > vcs_max(parameters->period, vcs_look_interval(parameters));
}
