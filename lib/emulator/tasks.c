/*
 * The tasks of the host in truth: what they need, how far they are, and which run.
 *
 * Rule 13.12; worked by hand in tests/emulator/test_emulator.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "emulator/emulator.h"

#define SET_BITS 64u /* of an element of a set of tasks */

/* ---- Arrival ---- */

static bool reserve(vcs_emu_emulator *e, uint64_t count) {
    vcs_emu_tasks *t = &e->tasks;
    const bool reserved =
        vcs_emu_fit(e, &t->record_vector, &e->records.tasks, count, sizeof *e->records.tasks) &&
        vcs_emu_fit(e, &t->truth_vector, &t->truths, count, sizeof *t->truths) &&
        vcs_emu_fit(e, &t->running_vector, &t->running, count, sizeof *t->running) &&
        vcs_emu_fit(e, &t->switching_vector, &t->switching, count / SET_BITS + 1, sizeof *t->switching);
    e->records.snapshot.tasks.base = e->records.tasks;
    return reserved;
}

bool vcs_emu_add_task(vcs_emu_emulator *e, const vcs_task *record, const vcs_emu_true_task *truth) {
    const uint32_t index = e->records.snapshot.tasks.count;
    if (!reserve(e, (uint64_t)index + 1)) {
        return false;
    }
    e->records.tasks[index] = *record;
    e->tasks.truths[index] = *truth;
    e->tasks.truths[index].place = VCS_NONE;
    e->records.task_counts[record->project]++;
    e->records.snapshot.tasks.count++;
    e->records.changed = true;
    return vcs_emu_estimate(e, &e->records.tasks[index], &e->tasks.truths[index]);
}

/* The last task takes the place of one that is gone: the order of records decides nothing. */
static void remove_task(vcs_emu_emulator *e, uint32_t index) {
    vcs_task *records = e->records.tasks;
    vcs_emu_true_task *truths = e->tasks.truths;
    const uint32_t last = --e->records.snapshot.tasks.count;
    e->records.task_counts[records[index].project]--;
    records[index] = records[last];
    truths[index] = truths[last];
    if (index != last && truths[index].place != VCS_NONE) {
        e->tasks.running[truths[index].place] = index;
    }
    e->records.changed = true;
}

static bool add_initial_task(vcs_emu_emulator *e, vcs_task task) {
    const double speed = vcs_emu_speed(&e->records, task.cpus, task.gpu, task.gpus);
    task.flags &= ~VCS_TASK_RUNNING;
    task.since_checkpoint = 0.0; /* it starts from its checkpoint */
    return vcs_emu_add_task(e, &task,
                            &(vcs_emu_true_task){
                                .est_flops = task.remaining * speed,
                                .total = task.remaining,
                                .speed = speed,
                                .app = VCS_NONE,
                            });
}

bool vcs_emu_tasks_open(vcs_emu_emulator *e, const vcs_array *initial) {
    e->tasks.next_finish = VCS_INFINITY;
    e->tasks.booked_now = e->clock.now;
    e->tasks.tracks = vcs_emu_new(e, e->records.resource_count, sizeof *e->tasks.tracks);
    bool opened = vcs_emu_check_memory(e);
    for (uint32_t i = 0; opened && i < initial->count; i++) {
        opened = add_initial_task(e, *(const vcs_task *)vcs_emu_element(initial, i));
    }
    return opened;
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

void vcs_emu_book_progress(vcs_emu_emulator *e) {
    const double now_active = e->clock.active;
    const double wall = e->clock.now - e->tasks.booked_now, active = now_active - e->tasks.booked_active;
    if (wall <= 0.0 && active <= 0.0) {
        return;
    }
    for (uint32_t i = 0; i < e->tasks.running_count; i++) {
        vcs_task *task = &e->records.tasks[e->tasks.running[i]];
        vcs_emu_true_task *truth = &e->tasks.truths[e->tasks.running[i]];
        const double gained = active * truth->rate, flops = truth->speed * gained;
        const double left = (truth->finish - now_active) * truth->rate;
        e->merit.projects[task->project].flops_used += flops;
        vcs_emu_book(e, task, flops, gained, wall);
        truth->done = left > 0.0 ? truth->total - left : truth->total;
        task->since_checkpoint = seconds_since_checkpoint(truth);
    }
    e->tasks.booked_now = e->clock.now;
    e->tasks.booked_active = now_active;
    e->tasks.progressed = true;
    e->records.changed = true;
}

/* The running tasks may have made progress, and a new correction factor changes all estimates. */
bool vcs_emu_estimate_tasks(vcs_emu_emulator *e) {
    vcs_task *records = e->records.tasks;
    bool estimated = true;
    if (e->estimates.changed) {
        for (uint32_t i = 0; estimated && i < e->records.snapshot.tasks.count; i++) {
            estimated = vcs_emu_estimate(e, &records[i], &e->tasks.truths[i]);
        }
    } else if (e->tasks.progressed) {
        for (uint32_t i = 0; estimated && i < e->tasks.running_count; i++) {
            const uint32_t index = e->tasks.running[i];
            estimated = vcs_emu_estimate(e, &records[index], &e->tasks.truths[index]);
        }
    }
    e->estimates.changed = false;
    e->tasks.progressed = false;
    return estimated;
}

/* ---- The tracks of a timeline, on which running tasks are drawn ---- */

/* Takes the lowest track of a resource that is free. If nobody observes, it is always 0. */
static bool take_track(vcs_emu_emulator *e, uint32_t resource, uint32_t *track) {
    vcs_emu_vector *vector = &e->tasks.tracks[resource];
    *track = 0;
    if (e->setup.hooks.observe == NULL) {
        return true;
    }
    const unsigned char *taken = vector->base;
    while (*track < vector->size && taken[*track] != 0) {
        ++*track;
    }
    if (!vcs_emu_check(e, vcs_emu_reserve(&e->memory, vector, (uint64_t)*track + 1, 1))) {
        return false;
    }
    ((unsigned char *)vector->base)[*track] = 1;
    return true;
}

static void leave_track(vcs_emu_emulator *e, uint32_t resource, uint32_t track) {
    if (e->setup.hooks.observe != NULL) {
        ((unsigned char *)e->tasks.tracks[resource].base)[track] = 0;
    }
}

/* ---- Running ---- */

static bool start_task(vcs_emu_emulator *e, uint32_t index) {
    vcs_task *task = &e->records.tasks[index];
    vcs_emu_true_task *truth = &e->tasks.truths[index];
    if (!take_track(e, task->gpu, &truth->track)) {
        return false;
    }
    truth->place = e->tasks.running_count;
    truth->rate = 1.0;
    truth->finish = e->clock.active + (truth->total - truth->done);
    e->tasks.running[e->tasks.running_count++] = index;
    task->flags |= VCS_TASK_RUNNING | VCS_TASK_STARTED;
    task->running_since = e->clock.now;
    vcs_emu_merit_starts(e, task->project);
    return vcs_emu_notify_task(e, VCS_EVENT_STARTED, task, truth->track, 0.0);
}

/* Takes a task off the processors; its progress has been booked. */
static void leave_processors(vcs_emu_emulator *e, uint32_t index) {
    vcs_task *task = &e->records.tasks[index];
    vcs_emu_true_task *truth = &e->tasks.truths[index];
    const uint32_t last = e->tasks.running[--e->tasks.running_count];
    e->tasks.running[truth->place] = last;
    e->tasks.truths[last].place = truth->place;
    truth->place = VCS_NONE;
    leave_track(e, task->gpu, truth->track);
    task->flags &= ~VCS_TASK_RUNNING;
    vcs_emu_merit_stops(e, task->project);
}

/* A task that is stopped resumes from its checkpoint later: what came after that has to be done again. */
static bool stop_task(vcs_emu_emulator *e, uint32_t index) {
    vcs_task *task = &e->records.tasks[index];
    vcs_emu_true_task *truth = &e->tasks.truths[index];
    leave_processors(e, index);
    if (task->since_checkpoint != 0.0) {
        truth->done -= task->since_checkpoint;
        task->since_checkpoint = 0.0;
        if (!vcs_emu_estimate(e, task, truth)) {
            return false;
        }
    }
    return vcs_emu_notify_task(e, VCS_EVENT_STOPPED, task, truth->track, 0.0);
}

/* How fast the tasks on a resource can run: if they use more of it than there is, all of them are slowed down. */
static double rate_on(const vcs_emu_emulator *e, uint32_t resource) {
    const double instances = e->records.resources[resource].instances;
    double used = 0.0;
    for (uint32_t i = 0; i < e->tasks.running_count; i++) {
        used += vcs_emu_use(&e->records.tasks[e->tasks.running[i]], resource);
    }
    return used > instances ? instances / used : 1.0;
}

/* A task on a GPU runs at the rate of the slower of its two resources. */
static void share_processors(vcs_emu_emulator *e) {
    vcs_emu_tasks *t = &e->tasks;
    const double cpu_rate = rate_on(e, 0);
    t->next_finish = VCS_INFINITY;
    for (uint32_t i = 0; i < t->running_count; i++) {
        const vcs_task *task = &e->records.tasks[t->running[i]];
        vcs_emu_true_task *truth = &t->truths[t->running[i]];
        const double gpu_rate = task->gpu != 0 ? rate_on(e, task->gpu) : 1.0;
        const double rate = task->cpus > 0.0 && cpu_rate < gpu_rate ? cpu_rate : gpu_rate;
        if (truth->rate != rate) {
            truth->rate = rate;
            truth->finish = e->clock.active + (truth->total - truth->done) / rate;
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
static bool switch_tasks(vcs_emu_emulator *e, bool chosen) {
    vcs_emu_tasks *t = &e->tasks;
    for (uint32_t i = 0; i <= e->records.snapshot.tasks.count / SET_BITS; i++) {
        for (uint64_t left = t->switching[i]; left != 0; left &= left - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(left), index = i * SET_BITS + bit;
            if (t->truths[index].chosen != chosen) {
                continue;
            }
            if (!(chosen ? start_task(e, index) : stop_task(e, index))) {
                return false;
            }
            t->switching[i] &= ~(UINT64_C(1) << bit);
        }
    }
    return true;
}

bool vcs_emu_run_tasks(vcs_emu_emulator *e, const uint32_t *chosen, uint32_t chosen_count) {
    find_switching(&e->tasks, chosen, chosen_count);
    const bool switched = switch_tasks(e, false) && switch_tasks(e, true);
    for (uint32_t i = 0; i < chosen_count; i++) {
        e->tasks.truths[chosen[i]].chosen = false;
    }
    share_processors(e);
    return switched;
}

/* ---- The end of a task ---- */

static bool end_task(vcs_emu_emulator *e, uint32_t index) {
    vcs_task *task = &e->records.tasks[index];
    vcs_emu_true_task *truth = &e->tasks.truths[index];
    leave_processors(e, index);
    truth->done = truth->total;
    e->merit.projects[task->project].ended++;
    const bool ended = vcs_emu_notify_task(e, VCS_EVENT_ENDED, task, truth->track, 0.0) &&
                       vcs_emu_add_result(e, task, truth) && vcs_emu_learn(e, task, truth);
    remove_task(e, index);
    return ended;
}

bool vcs_emu_end_tasks(vcs_emu_emulator *e) {
    bool ended = true;
    for (uint32_t i = 0; ended && i < e->tasks.running_count;) {
        const uint32_t index = e->tasks.running[i];
        if (e->tasks.truths[index].finish > e->clock.active) {
            i++;
        } else {
            ended = end_task(e, index); /* another one has its place in the list now */
        }
    }
    share_processors(e);
    return ended;
}
