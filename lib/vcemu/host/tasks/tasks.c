/*
 * The tasks of the host in truth: what they need, how far they are, and which run.
 *
 * Rule 13.12; worked by hand in tests/vcemu/host/test_emulator_tasks.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/tasks/tasks.h"
#include "vcemu/host/client/accounts.h"
#include "vcemu/host/client/known_jobs.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/emulator_workspace.h"
#include "vcemu/host/events.h"
#include "vcemu/host/memory.h"
#include "vcemu/host/merit.h"
#include "vcemu/host/records.h"
#include "vcemu/host/server/grid_servers.h"
#include "vcemu/host/tasks/estimates.h"
#include "vcemu/host/tasks/results.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/simulation/slice.h"

#define SET_BITS 64u /* of an element of a set of tasks */

/* ---- Arrival ---- */

/* Makes room for `count` tasks here, and in the workspace. */
static bool reserve(vcs_emu_emulator *e, uint64_t count) {
    vcs_emu_emulator *ground = e->ground;
    vcs_emu_workspace *space = e->workspace;
    vcs_emu_tasks *t = e->tasks;
    vcs_task **records = &e->records->tasks;
    if (count <= t->capacity) {
        return true;
    }
    const bool reserved = vcs_emu_reserve(e, records, count, sizeof **records) &&
                          vcs_emu_reserve(e, &t->truths, count, sizeof *t->truths) &&
                          vcs_emu_reserve(e, &t->running, count, sizeof *t->running);
    e->records->snapshot.tasks.base = *records;
    const uint64_t room = vcs_min_u64(vcs_emu_capacity(*records) / sizeof **records,
                                      vcs_min_u64(vcs_emu_capacity(t->truths) / sizeof *t->truths,
                                                  vcs_emu_capacity(t->running) / sizeof *t->running));
    t->capacity = reserved ? room : 0;
    if (reserved && room > space->capacity) {
        space->capacity = vcs_emu_reserve(ground, &space->switching, room / SET_BITS + 1, sizeof *space->switching) &&
                                  vcs_emu_reserve(ground, &space->chosen, room, sizeof *space->chosen) &&
                                  vcs_emu_reserve(ground, &space->task_decisions, room, sizeof *space->task_decisions)
                              ? room
                              : 0;
        vcs_emu_note(e, ground->code);
    }
    return reserved && space->capacity > 0;
}

void vcs_emu_add_task(vcs_emu_emulator *e, const vcs_task *record, const vcs_emu_true_task *truth) {
    const uint32_t index = e->records->snapshot.tasks.count;
    if (!reserve(e, (uint64_t)index + 1)) {
        return;
    }
    VCS_INVARIANT(e->records->tasks != NULL && e->tasks->truths != NULL &&
                  index < e->tasks->capacity); /* as reserved */
    e->records->tasks[index] = *record;
    e->tasks->truths[index] = *truth;
    e->tasks->truths[index].running_index = VCS_NONE;
    e->records->task_counts[record->project]++;
    e->records->snapshot.tasks.count++;
    e->records->changed = e->tasks->regrouped = true;
    vcs_emu_estimate(e, &e->records->tasks[index], truth);
}

/* The last task moves to the free index: the order of records decides nothing. */
static void remove_task(vcs_emu_emulator *e, uint32_t index) {
    vcs_task *records = e->records->tasks;
    vcs_emu_true_task *truths = e->tasks->truths;
    VCS_INVARIANT(index < e->records->snapshot.tasks.count); /* the task is there */
    const uint32_t last = --e->records->snapshot.tasks.count;
    e->records->task_counts[records[index].project]--;
    records[index] = records[last];
    truths[index] = truths[last];
    if (index != last && truths[index].running_index != VCS_NONE) {
        e->tasks->running[truths[index].running_index] = index;
    }
    e->records->changed = e->tasks->regrouped = true;
}

/* A running task keeps its flag. It takes a processor once the first decision lets it run on. */
void vcs_emu_tasks_open(vcs_emu_emulator *e, const vcs_array *initial) {
    e->tasks->next_finish = e->tasks->next_ready = VCS_INFINITY;
    e->tasks->leave_idle = e->tasks->are_initial = true;
    e->tasks->booked_now = e->clock->now;
    reserve(e, (uint64_t)initial->count + 1); /* no array is NULL, even without tasks */
    for (uint32_t i = 0; i < initial->count; i++) {
        vcs_task copy, task = *(const vcs_task *)vcs_whole_element(initial, i, &copy, sizeof copy);
        const double speed = vcs_emu_speed(e->records, task.cpus, task.gpu, task.gpus);
        const bool runs = (task.flags & VCS_TASK_RUNNING) != 0;
        /* Any other task starts from its checkpoint. */
        task.since_checkpoint = runs ? vcs_work_at_risk(task.flags, task.since_checkpoint) : 0.0;
        const vcs_emu_true_task truth = {
            .est_flops = task.remaining * speed,
            .total = task.remaining,
            .speed = speed,
            .app = VCS_NONE,
        };
        vcs_emu_add_task(e, &task, &truth);
    }
}

/* ---- Progress ---- */

static double seconds_since_checkpoint(const vcs_emu_true_task *truth) {
    if (truth->checkpoint_interval <= 0.0) {
        return 0.0;
    }
    /* Rounding may leave a negative amount done, and a tiny interval would make that too large a number. */
    const double checkpoints = vcs_max(truth->done, 0.0) / truth->checkpoint_interval;
    VCS_INVARIANT(VCS_IS_NUMBER(checkpoints) && checkpoints >= 0.0); /* the amount done is finite */
    const double whole = checkpoints < 0x1p52 ? (double)(int64_t)checkpoints : checkpoints;
    const double since = truth->done - whole * truth->checkpoint_interval;
    return since > 0.0 ? since : 0.0;
}

bool vcs_emu_book_progress(vcs_emu_emulator *e) {
    const vcs_emu_accounts accounts = *e->accounts; /* copies, so that pointers are not read anew for each task */
    const vcs_emu_tasks tasks = *e->tasks;
    const vcs_emu_records records = *e->records;
    const double now_active = e->clock->active;
    const double wall = e->clock->now - tasks.booked_now, active = now_active - tasks.booked_active;
    if (wall <= 0.0 && active <= 0.0) {
        return false;
    }
    for (uint32_t i = 0; i < tasks.running_count; i++) {
        vcs_task *task = &records.tasks[tasks.running[i]];
        vcs_emu_true_task *truth = &tasks.truths[tasks.running[i]];
        const double gained = active * truth->rate, flops = truth->speed * gained;
        const double left = (truth->finish - now_active) * truth->rate, cpu_seconds = task->cpus * gained;
        double *of_resource = &accounts.flops[(size_t)task->project * records.resource_count];
        e->merit->projects[task->project].flops_used += flops;
        accounts.projects[task->project].flops += flops;
        accounts.projects[task->project].cpu += cpu_seconds;
        of_resource[0] += cpu_seconds * records.resources[0].flops;
        if (task->gpu != 0) {
            of_resource[task->gpu] += task->gpus * gained * records.resources[task->gpu].flops;
        }
        accounts.debts[task->project].used += wall;
        accounts.usage[task->gpu].scheduled += wall;
        accounts.usage[task->gpu].ran += gained;
        truth->spent += gained;
        if (truth->rate > 0.0) { /* else GPU tasks occupy all CPUs */
            truth->done = left > 0.0 ? truth->total - left : truth->total;
        }
        task->since_checkpoint = seconds_since_checkpoint(truth);
    }
    e->tasks->booked_now = e->clock->now;
    e->tasks->booked_active = now_active;
    e->tasks->progressed = true;
    e->records->changed = true;
    return true;
}

/* Progress changes the estimates of running tasks; a new correction factor changes all estimates. */
void vcs_emu_estimate_tasks(vcs_emu_emulator *e) {
    vcs_emu_tasks *t = e->tasks;
    const uint32_t count = t->corrected ? e->records->snapshot.tasks.count : t->progressed ? t->running_count : 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t index = t->corrected ? i : t->running[i];
        vcs_emu_estimate(e, &e->records->tasks[index], &t->truths[index]);
    }
    t->corrected = t->progressed = false;
}

/* ---- The tracks of a timeline, on which running tasks are drawn ---- */

/* Occupies the lowest free track of a resource. If nobody observes, it is always 0. */
static uint32_t occupy_track(vcs_emu_emulator *e, uint32_t resource) {
    unsigned char **occupied = &e->tasks->tracks[resource];
    uint32_t track = 0;
    if (!e->is_observed) {
        return 0;
    }
    while (*occupied != NULL && track < vcs_emu_capacity(*occupied) && (*occupied)[track] != 0) {
        track++;
    }
    if (vcs_emu_reserve(e, occupied, (uint64_t)track + 1, 1)) {
        VCS_INVARIANT(*occupied != NULL && track < vcs_emu_capacity(*occupied)); /* as reserved */
        (*occupied)[track] = 1;
    }
    return track;
}

/* ---- Running ---- */

static void start_task(vcs_emu_emulator *e, uint32_t index) {
    vcs_task *task = &e->records->tasks[index];
    vcs_emu_true_task *truth = &e->tasks->truths[index];
    VCS_INVARIANT(e->tasks->running_count < e->records->snapshot.tasks.count); /* this task does not run yet */
    truth->track = occupy_track(e, task->gpu);
    truth->running_index = e->tasks->running_count;
    truth->rate = 1.0;
    truth->finish = e->clock->active + (truth->total - truth->done);
    e->tasks->running[e->tasks->running_count++] = index;
    task->running_since = (task->flags & VCS_TASK_RUNNING) != 0 ? task->running_since : e->clock->now;
    task->flags |= VCS_TASK_RUNNING | VCS_TASK_STARTED;
    vcs_emu_merit_starts(e, task->project);
    vcs_emu_notify_task(e, VCS_EVENT_STARTED, task, truth->track, task->gpu != 0 ? task->gpus : task->cpus);
}

/* A task leaves the processors; its progress has been booked. */
static void leave_processors(vcs_emu_emulator *e, uint32_t index) {
    vcs_task *task = &e->records->tasks[index];
    vcs_emu_true_task *truth = &e->tasks->truths[index];
    VCS_INVARIANT(truth->running_index < e->tasks->running_count); /* it runs, and knows its index in the list */
    const uint32_t last = e->tasks->running[--e->tasks->running_count];
    e->tasks->running[truth->running_index] = last;
    e->tasks->truths[last].running_index = truth->running_index;
    truth->running_index = VCS_NONE;
    if (e->is_observed) {
        unsigned char *occupied = e->tasks->tracks[task->gpu];
        VCS_INVARIANT(occupied != NULL && truth->track < vcs_emu_capacity(occupied)); /* since it started */
        occupied[truth->track] = 0;
    }
    task->flags &= ~VCS_TASK_RUNNING;
    vcs_emu_merit_stops(e, task->project);
}

/*
 * A stopped task resumes from its checkpoint: work since then has to be repeated. Work that was done before the
 * emulation began does not count as its work; repeating it does.
 */
static void lose_work(vcs_emu_emulator *e, vcs_task *task, vcs_emu_true_task *truth) {
    const double lost = task->since_checkpoint, before = vcs_max(lost - truth->done, 0.0);
    if (lost != 0.0) {
        truth->total += before;
        truth->est_flops += before * truth->speed;
        truth->done += before - lost;
        task->since_checkpoint = 0.0;
        vcs_emu_estimate(e, task, truth);
    }
}

static void stop_task(vcs_emu_emulator *e, uint32_t index) {
    vcs_task *task = &e->records->tasks[index];
    vcs_emu_true_task *truth = &e->tasks->truths[index];
    leave_processors(e, index);
    e->merit->projects[task->project].stops++;
    lose_work(e, task, truth);
    vcs_emu_notify_task(e, VCS_EVENT_STOPPED, task, truth->track, 0.0);
}

static double share_of(double there, double wanted) {
    return wanted > there ? there / wanted : 1.0;
}

/*
 * Finds how fast tasks run if they ask for more than there is (rule 12.2). GPU tasks get their CPUs first, so only CPU
 * tasks are slowed down; a GPU task runs at the rate of the scarcer of its two resources.
 */
static void share_processors(vcs_emu_emulator *e) {
    vcs_emu_tasks *t = e->tasks;
    const vcs_resource *resources = e->records->resources;
    const double cpus = resources[0].instances;
    double gpu_share = 0.0, cpu_share = 0.0; /* CPUs for GPU tasks, and for the others */
    for (uint32_t r = 1; r < e->records->resource_count; r++) {
        t->used[r] = 0.0; /* of the CPUs, both shares */
    }
    for (uint32_t i = 0; i < t->running_count; i++) {
        const vcs_task *task = &e->records->tasks[t->running[i]];
        *(task->gpu != 0 ? &gpu_share : &cpu_share) += task->cpus;
        if (task->gpu != 0) {
            t->used[task->gpu] += task->gpus;
        }
    }
    const double gpu_cpu_rate = share_of(cpus, gpu_share);
    const double cpu_rate = share_of(vcs_max(cpus - gpu_share, 0.0), cpu_share);
    t->used[0] = gpu_share + cpu_share;
    t->next_finish = VCS_INFINITY;
    for (uint32_t i = 0; i < t->running_count; i++) {
        const vcs_task *task = &e->records->tasks[t->running[i]];
        vcs_emu_true_task *truth = &t->truths[t->running[i]];
        double rate = task->gpu != 0 ? gpu_cpu_rate : cpu_rate;
        rate = task->cpus > 0.0 ? rate : 1.0;
        if (task->gpu != 0) {
            rate = vcs_min(rate, share_of(resources[task->gpu].instances, t->used[task->gpu]));
        }
        if (truth->rate != rate) {
            truth->rate = rate;
            truth->finish = rate > 0.0 ? e->clock->active + (truth->total - truth->done) / rate : VCS_INFINITY;
        }
        t->next_finish = vcs_min(truth->finish, t->next_finish);
    }
    t->leave_idle = false;
    for (uint32_t r = 0; r < e->records->resource_count; r++) {
        t->used[r] = vcs_min(t->used[r], resources[r].instances);
        t->leave_idle |= t->used[r] < resources[r].instances;
    }
}

/* ---- Carrying out a decision ---- */

static void add_switching(vcs_emu_workspace *space, uint32_t index) {
    space->switching[index / SET_BITS] |= UINT64_C(1) << index % SET_BITS;
}

/* Of the switching tasks, stops the running ones, or starts the chosen ones, in order of the records. */
static void switch_tasks(vcs_emu_emulator *e, bool starts) {
    const vcs_emu_tasks *t = e->tasks;
    vcs_emu_workspace *space = e->workspace;
    for (uint32_t i = 0; i <= e->records->snapshot.tasks.count / SET_BITS; i++) {
        for (uint64_t left = space->switching[i]; left != 0; left &= left - 1) {
            const uint32_t bit = vcs_lowest_bit(left), index = i * SET_BITS + bit;
            if (starts) {
                start_task(e, index);
            } else if (t->truths[index].running_index != VCS_NONE) {
                stop_task(e, index);
            }
            if (starts || !t->truths[index].chosen) { /* else it has yet to start, perhaps elsewhere */
                space->switching[i] &= ~(UINT64_C(1) << bit);
            }
        }
    }
}

/* Stops tasks that ran when the emulation began and do not run on, or have to move. They took no processor here. */
static void stop_initial_tasks(vcs_emu_emulator *e) {
    for (uint32_t i = 0; i < e->records->snapshot.tasks.count; i++) {
        vcs_task *task = &e->records->tasks[i];
        vcs_emu_true_task *truth = &e->tasks->truths[i];
        if ((task->flags & VCS_TASK_RUNNING) != 0 && (!truth->chosen || truth->moves)) {
            task->flags &= ~VCS_TASK_RUNNING;
            lose_work(e, task, truth);
        }
    }
    e->tasks->are_initial = false;
}

void vcs_emu_run_tasks(vcs_emu_emulator *e, uint32_t chosen_count) {
    const uint32_t *chosen = e->workspace->chosen;
    vcs_emu_tasks *t = e->tasks;
    for (uint32_t i = 0; i < chosen_count; i++) {
        t->truths[chosen[i]].chosen = true;
        if (t->truths[chosen[i]].running_index == VCS_NONE || t->truths[chosen[i]].moves) {
            add_switching(e->workspace, chosen[i]);
        }
    }
    if (t->are_initial) {
        stop_initial_tasks(e);
    }
    for (uint32_t i = 0; i < t->running_count; i++) {
        if (!t->truths[t->running[i]].chosen) {
            add_switching(e->workspace, t->running[i]);
        }
    }
    switch_tasks(e, false);
    switch_tasks(e, true);
    for (uint32_t i = 0; i < chosen_count; i++) {
        t->truths[chosen[i]].chosen = t->truths[chosen[i]].moves = false;
    }
    share_processors(e);
}

/* ---- The end of a task ---- */

void vcs_emu_end_tasks(vcs_emu_emulator *e) {
    for (uint32_t i = 0; i < e->tasks->running_count;) {
        const uint32_t index = e->tasks->running[i];
        vcs_task *task = &e->records->tasks[index];
        vcs_emu_true_task *truth = &e->tasks->truths[index];
        if (truth->finish > e->clock->active) {
            i++;
            continue;
        }
        leave_processors(e, index); /* another task has its index in the list now */
        truth->done = truth->total;
        e->merit->projects[task->project].ended++;
        vcs_emu_notify_task(e, VCS_EVENT_ENDED, task, truth->track, 0.0);
        vcs_emu_add_result(e, task, truth);
        vcs_emu_settle_job(e, task, truth);
        if (truth->origin.fate != VCS_EMU_FATE_FAILS) { /* nobody knows how long it would have taken */
            e->tasks->corrected |= vcs_emu_learn(e, task, truth);
        }
        remove_task(e, index);
    }
    share_processors(e);
}

/* ---- In a grid ---- */

void vcs_emu_tasks_ready(vcs_emu_emulator *e) {
    const double now = e->clock->now;
    e->tasks->next_ready = VCS_INFINITY;
    for (uint32_t i = 0; i < e->records->snapshot.tasks.count; i++) {
        vcs_task *task = &e->records->tasks[i];
        if ((task->flags & VCS_TASK_DOWNLOADING) != 0 && e->tasks->truths[i].ready <= now) {
            task->flags &= ~VCS_TASK_DOWNLOADING;
        } else if ((task->flags & VCS_TASK_DOWNLOADING) != 0) {
            e->tasks->next_ready = vcs_min(e->tasks->next_ready, e->tasks->truths[i].ready);
        }
    }
    e->agenda->schedule_due = now;
    e->records->changed = e->tasks->regrouped = true;
}

/* ---- Before their end ---- */

/* The processing of an abandoned task is wasted (rule 12.2). */
static void abandon_task(vcs_emu_emulator *e, uint32_t index, uint32_t event) {
    const vcs_task *task = &e->records->tasks[index];
    const vcs_emu_true_task *truth = &e->tasks->truths[index];
    vcs_emu_merit_waste(e, task->cpus, task->gpu, task->gpus, truth->spent);
    if (truth->running_index != VCS_NONE) {
        leave_processors(e, index);
    }
    vcs_emu_notify_task(e, event, task, truth->track, 0.0);
    remove_task(e, index);
}

void vcs_emu_give_up_tasks(vcs_emu_emulator *e, const vcs_task_decision *decisions) {
    for (uint32_t i = e->records->snapshot.tasks.count; i-- > 0;) { /* from the end: decisions keep their tasks */
        if ((decisions[i].flags & VCS_DECISION_GIVE_UP) != 0) {
            vcs_emu_add_given_up(e, &e->records->tasks[i], &e->tasks->truths[i]);
            vcs_emu_unbook_job(e, &e->records->tasks[i], &e->tasks->truths[i]);
            abandon_task(e, i, VCS_EVENT_GIVEN_UP);
        }
    }
    share_processors(e);
    e->agenda->fetch_due = e->clock->now;
}

void vcs_emu_abort_tasks(vcs_emu_emulator *e, uint32_t project) {
    bool any = false;
    for (uint32_t i = e->records->snapshot.tasks.count; i-- > 0;) {
        const vcs_task *task = &e->records->tasks[i];
        const vcs_emu_true_task *truth = &e->tasks->truths[i];
        VCS_INVARIANT(i < e->records->snapshot.tasks.count); /* only tasks at or after this index have been removed */
        if (task->project == project && !e->grid_servers->needs(e, task, truth)) {
            abandon_task(e, i, VCS_EVENT_ABORTED);
            any = true;
        }
    }
    if (any) {
        share_processors(e);
        e->agenda->schedule_due = e->agenda->fetch_due = e->clock->now;
    }
}
