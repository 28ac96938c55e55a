/* SPDX-License-Identifier: MIT */
#include "emulator/tasks.h"

#include "core/number.h"
#include "emulator/notify.h"

#include <string.h>

#define SET_BITS 64u /* of an element of a set of tasks */

/* ---- Arrival ---- */

static int reserve(vcs_emu_tasks *t, uint64_t count) {
    int code = vcs_emu_reserve(t->memory, &t->record_vector, count, sizeof *t->records->tasks);
    if (code == VCS_OK) {
        code = vcs_emu_reserve(t->memory, &t->truth_vector, count, sizeof *t->truths);
    }
    if (code == VCS_OK) {
        code = vcs_emu_reserve(t->memory, &t->running_vector, count, sizeof *t->running);
    }
    if (code == VCS_OK) {
        code = vcs_emu_reserve(t->memory, &t->switching_vector, count / SET_BITS + 1, sizeof *t->switching);
    }
    t->records->tasks = t->record_vector.base;
    t->records->snapshot.tasks.base = t->records->tasks;
    t->truths = t->truth_vector.base;
    t->running = t->running_vector.base;
    t->switching = t->switching_vector.base;
    return code;
}

int vcs_emu_add_task(vcs_emu_tasks *t, const vcs_task *record, const vcs_emu_true_task *truth) {
    const uint32_t index = t->records->snapshot.tasks.count;
    const int code = reserve(t, (uint64_t)index + 1);
    if (code != VCS_OK) {
        return code;
    }
    t->records->tasks[index] = *record;
    t->truths[index] = *truth;
    t->truths[index].place = VCS_NONE;
    t->records->task_counts[record->project]++;
    t->records->snapshot.tasks.count++;
    t->records->changed = true;
    return vcs_emu_estimate(t->estimates, &t->records->tasks[index], &t->truths[index]);
}

/* The last task takes the place of one that is gone: the order of records decides nothing. */
static void remove_task(vcs_emu_tasks *t, uint32_t index) {
    vcs_task *records = t->records->tasks;
    const uint32_t last = --t->records->snapshot.tasks.count;
    t->records->task_counts[records[index].project]--;
    records[index] = records[last];
    t->truths[index] = t->truths[last];
    if (index != last && t->truths[index].place != VCS_NONE) {
        t->running[t->truths[index].place] = index;
    }
    t->records->changed = true;
}

static int add_initial_task(vcs_emu_tasks *t, vcs_task task) {
    const double speed = vcs_emu_speed(t->records, task.cpus, task.gpu, task.gpus);
    task.flags &= ~VCS_TASK_RUNNING;
    task.since_checkpoint = 0.0; /* it starts from its checkpoint */
    return vcs_emu_add_task(t, &task, &(vcs_emu_true_task){
                                          .est_flops = task.remaining * speed,
                                          .total = task.remaining,
                                          .speed = speed,
                                          .app = VCS_NONE,
                                      });
}

int vcs_emu_tasks_open(vcs_emu_tasks *t, const vcs_array *initial) {
    t->next_finish = VCS_INFINITY;
    t->booked_now = t->clock->now;
    t->tracks = vcs_emu_allocate(t->memory, t->records->resource_count, sizeof *t->tracks);
    int code = t->tracks == NULL ? VCS_ERR_MEMORY : VCS_OK;
    for (uint32_t i = 0; code == VCS_OK && i < initial->count; i++) {
        code = add_initial_task(t, *(const vcs_task *)vcs_emu_element(initial, i));
    }
    return code;
}

/* ---- Progress ---- */

static double seconds_since_checkpoint(const vcs_emu_true_task *truth) {
    if (truth->checkpoint_interval <= 0.0) {
        return 0.0;
    }
    const double checkpoints = truth->done / truth->checkpoint_interval;
    const double whole = checkpoints < 0x1p52 ? (double)(int64_t)checkpoints : checkpoints;
    const double since = truth->done - whole * truth->checkpoint_interval;
    return since > 0.0 ? since : 0.0;
}

void vcs_emu_book_since(vcs_emu_tasks *t) {
    const double wall = t->clock->now - t->booked_now;
    const double active = t->clock->active - t->booked_active;
    const double now_active = t->clock->active;
    vcs_task *records = t->records->tasks;
    vcs_project_outcome *outcomes = t->merit->projects;
    for (uint32_t i = 0; i < t->running_count; i++) {
        vcs_task *task = &records[t->running[i]];
        vcs_emu_true_task *truth = &t->truths[t->running[i]];
        const double gained = active * truth->rate, flops = truth->speed * gained;
        const double left = (truth->finish - now_active) * truth->rate;
        outcomes[task->project].flops_used += flops;
        vcs_emu_book(t->accounts, task, flops, gained, wall);
        truth->done = left > 0.0 ? truth->total - left : truth->total;
        task->since_checkpoint = seconds_since_checkpoint(truth);
    }
    t->booked_now = t->clock->now;
    t->booked_active = now_active;
    t->progressed = true;
    t->records->changed = true;
}

/* The running tasks may have made progress, and a new correction factor changes all estimates. */
int vcs_emu_estimate_tasks(vcs_emu_tasks *t) {
    vcs_task *records = t->records->tasks;
    int code = VCS_OK;
    if (t->estimates->changed) {
        for (uint32_t i = 0; code == VCS_OK && i < t->records->snapshot.tasks.count; i++) {
            code = vcs_emu_estimate(t->estimates, &records[i], &t->truths[i]);
        }
    } else if (t->progressed) {
        for (uint32_t i = 0; code == VCS_OK && i < t->running_count; i++) {
            code = vcs_emu_estimate(t->estimates, &records[t->running[i]], &t->truths[t->running[i]]);
        }
    }
    t->estimates->changed = false;
    t->progressed = false;
    return code;
}

/* ---- The tracks of a timeline, on which running tasks are drawn ---- */

/* Takes the lowest track of a resource that is free. If nobody observes, it is always 0. */
static int take_track(vcs_emu_tasks *t, uint32_t resource, uint32_t *track) {
    vcs_emu_vector *vector = &t->tracks[resource];
    *track = 0;
    if (t->clock->setup->hooks.observe == NULL) {
        return VCS_OK;
    }
    const unsigned char *taken = vector->base;
    while (*track < vector->size && taken[*track] != 0) {
        ++*track;
    }
    const int code = vcs_emu_reserve(t->memory, vector, (uint64_t)*track + 1, 1);
    if (code == VCS_OK) {
        ((unsigned char *)vector->base)[*track] = 1;
    }
    return code;
}

static void leave_track(vcs_emu_tasks *t, uint32_t resource, uint32_t track) {
    if (t->clock->setup->hooks.observe != NULL) {
        ((unsigned char *)t->tracks[resource].base)[track] = 0;
    }
}

/* ---- Running ---- */

static int start_task(vcs_emu_tasks *t, uint32_t index) {
    vcs_task *task = &t->records->tasks[index];
    vcs_emu_true_task *truth = &t->truths[index];
    const int code = take_track(t, task->gpu, &truth->track);
    if (code != VCS_OK) {
        return code;
    }
    truth->place = t->running_count;
    truth->rate = 1.0;
    truth->finish = t->clock->active + (truth->total - truth->done);
    t->running[t->running_count++] = index;
    task->flags |= VCS_TASK_RUNNING | VCS_TASK_STARTED;
    task->running_since = t->clock->now;
    vcs_emu_merit_starts(t->merit, task->project, t->clock->active);
    t->merit->total.starts++;
    return vcs_emu_notify_task(t->clock, VCS_EVENT_STARTED, task, truth->track, 0.0);
}

/* Takes a task off the processors; its progress has been booked. */
static void leave_processors(vcs_emu_tasks *t, uint32_t index) {
    vcs_task *task = &t->records->tasks[index];
    vcs_emu_true_task *truth = &t->truths[index];
    const uint32_t last = t->running[--t->running_count];
    t->running[truth->place] = last;
    t->truths[last].place = truth->place;
    truth->place = VCS_NONE;
    leave_track(t, task->gpu, truth->track);
    task->flags &= ~VCS_TASK_RUNNING;
    vcs_emu_merit_stops(t->merit, task->project, t->clock->active);
}

/* A task that is stopped resumes from its checkpoint later: what came after that has to be done again. */
static int return_to_checkpoint(vcs_emu_tasks *t, vcs_task *task, vcs_emu_true_task *truth) {
    if (task->since_checkpoint == 0.0) {
        return VCS_OK;
    }
    truth->done -= task->since_checkpoint;
    task->since_checkpoint = 0.0;
    return vcs_emu_estimate(t->estimates, task, truth);
}

static int stop_task(vcs_emu_tasks *t, uint32_t index) {
    vcs_task *task = &t->records->tasks[index];
    vcs_emu_true_task *truth = &t->truths[index];
    leave_processors(t, index);
    const int code = return_to_checkpoint(t, task, truth);
    return code == VCS_OK ? vcs_emu_notify_task(t->clock, VCS_EVENT_STOPPED, task, truth->track, 0.0) : code;
}

/* How fast the tasks on a resource can run: if they use more of it than there is, all of them are slowed down. */
static double rate_on(const vcs_emu_tasks *t, uint32_t resource) {
    const double instances = t->records->resources[resource].instances;
    double used = 0.0;
    for (uint32_t i = 0; i < t->running_count; i++) {
        const vcs_task *task = &t->records->tasks[t->running[i]];
        used += resource == 0 ? task->cpus : task->gpu == resource ? task->gpus : 0.0;
    }
    return used > instances ? instances / used : 1.0;
}

/* A task on a GPU runs at the rate of the slower of its two resources. */
static void share_processors(vcs_emu_tasks *t) {
    const double cpu_rate = rate_on(t, 0);
    t->next_finish = VCS_INFINITY;
    for (uint32_t i = 0; i < t->running_count; i++) {
        const vcs_task *task = &t->records->tasks[t->running[i]];
        vcs_emu_true_task *truth = &t->truths[t->running[i]];
        const double gpu_rate = task->gpu != 0 ? rate_on(t, task->gpu) : 1.0;
        const double rate = task->cpus > 0.0 && cpu_rate < gpu_rate ? cpu_rate : gpu_rate;
        if (truth->rate != rate) {
            truth->rate = rate;
            truth->finish = t->clock->active + (truth->total - truth->done) / rate;
        }
        t->next_finish = vcs_min(truth->finish, t->next_finish);
    }
}

/* ---- Carrying out a decision ---- */

static void add_switching(vcs_emu_tasks *t, uint32_t index) {
    t->switching[index / SET_BITS] |= UINT64_C(1) << index % SET_BITS;
}

/* Finds the chosen tasks that do not run, and those that run and are not chosen. */
static void find_switching(vcs_emu_tasks *t, const uint32_t *chosen, uint32_t chosen_count) {
    for (uint32_t i = 0; i < chosen_count; i++) {
        t->truths[chosen[i]].chosen = true;
        if (t->truths[chosen[i]].place == VCS_NONE) {
            add_switching(t, chosen[i]);
        }
    }
    for (uint32_t i = 0; i < t->running_count; i++) {
        if (!t->truths[t->running[i]].chosen) {
            add_switching(t, t->running[i]);
        }
    }
}

/* Of the tasks that are to switch, starts those that are chosen, or stops the others, in order of the records. */
static int switch_tasks(vcs_emu_tasks *t, bool chosen) {
    for (uint32_t i = 0; i <= t->records->snapshot.tasks.count / SET_BITS; i++) {
        for (uint64_t left = t->switching[i]; left != 0; left &= left - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(left), index = i * SET_BITS + bit;
            if (t->truths[index].chosen != chosen) {
                continue;
            }
            const int code = chosen ? start_task(t, index) : stop_task(t, index);
            if (code != VCS_OK) {
                return code;
            }
            t->switching[i] &= ~(UINT64_C(1) << bit);
        }
    }
    return VCS_OK;
}

int vcs_emu_run_tasks(vcs_emu_tasks *t, const uint32_t *chosen, uint32_t chosen_count) {
    find_switching(t, chosen, chosen_count);
    int code = switch_tasks(t, false);
    if (code == VCS_OK) {
        code = switch_tasks(t, true);
    }
    for (uint32_t i = 0; i < chosen_count; i++) {
        t->truths[chosen[i]].chosen = false;
    }
    share_processors(t);
    return code;
}

/* ---- The end of a task ---- */

static int end_task(vcs_emu_tasks *t, uint32_t index) {
    vcs_task *task = &t->records->tasks[index];
    vcs_emu_true_task *truth = &t->truths[index];
    leave_processors(t, index);
    truth->done = truth->total;
    t->merit->projects[task->project].ended++;
    int code = vcs_emu_notify_task(t->clock, VCS_EVENT_ENDED, task, truth->track, 0.0);
    if (code == VCS_OK) {
        code = vcs_emu_add_result(t->results, task, truth);
    }
    if (code == VCS_OK) {
        code = vcs_emu_learn(t->estimates, task, truth);
    }
    remove_task(t, index);
    return code;
}

int vcs_emu_end_tasks(vcs_emu_tasks *t) {
    int code = VCS_OK;
    for (uint32_t i = 0; code == VCS_OK && i < t->running_count;) {
        if (t->truths[t->running[i]].finish > t->clock->active) {
            i++;
        } else {
            code = end_task(t, t->running[i]); /* another one has its place in the list now */
        }
    }
    share_processors(t);
    return code;
}
