/* The tasks of the host: they arrive, run, stop and end. SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"

#include <string.h>

#define SET_BITS 64u /* of an element of a set of tasks */

/* ---- Arrival ---- */

int vcs_make_candidates(vcs_emulator *e, uint64_t count) {
    int code = vcs_make_room(&e->hooks, &e->candidate_room, count, sizeof *e->candidates);
    if (code == VCS_OK) {
        code = vcs_make_room(&e->hooks, &e->true_candidate_room, count, sizeof *e->true_candidates);
    }
    e->candidates = e->candidate_room.base;
    e->true_candidates = e->true_candidate_room.base;
    return code;
}

/* What is decided on the tasks, and which are to switch. */
static int make_decisions(vcs_emulator *e, uint64_t count) {
    int code = vcs_make_room(&e->hooks, &e->chosen_room, count, sizeof *e->chosen);
    if (code == VCS_OK) {
        code = vcs_make_room(&e->hooks, &e->task_decision_room, count, sizeof *e->task_decisions);
    }
    if (code == VCS_OK) {
        code = vcs_make_room(&e->hooks, &e->switching_room, count / SET_BITS + 1, sizeof *e->switching);
    }
    e->chosen = e->chosen_room.base;
    e->task_decisions = e->task_decision_room.base;
    e->switching = e->switching_room.base;
    return code;
}

static int make_tasks(vcs_emulator *e, uint64_t count) {
    int code = vcs_make_room(&e->hooks, &e->task_room, count, sizeof *e->tasks);
    if (code == VCS_OK) {
        code = vcs_make_room(&e->hooks, &e->true_task_room, count, sizeof *e->true_tasks);
    }
    if (code == VCS_OK) {
        code = vcs_make_room(&e->hooks, &e->running_room, count, sizeof *e->running);
    }
    if (code == VCS_OK) {
        code = make_decisions(e, count);
    }
    e->tasks = e->task_room.base;
    e->true_tasks = e->true_task_room.base;
    e->running = e->running_room.base;
    e->snapshot.tasks.base = e->tasks;
    return code;
}

int vcs_add_task(vcs_emulator *e, uint32_t candidate) {
    const uint32_t index = e->snapshot.tasks.count;
    int code = make_tasks(e, (uint64_t)index + 1);
    if (code != VCS_OK) {
        return code;
    }
    e->tasks[index] = e->candidates[candidate];
    e->true_tasks[index] = e->true_candidates[candidate];
    e->true_tasks[index].place = VCS_NONE;
    e->true_projects[e->tasks[index].project].tasks++;
    e->snapshot.tasks.count++;
    e->state = NULL;
    return vcs_estimate_task(e, &e->tasks[index], &e->true_tasks[index]);
}

/* The last task takes the place of one that is gone: the order of records decides nothing. */
static void remove_task(vcs_emulator *e, uint32_t index) {
    const uint32_t last = --e->snapshot.tasks.count;
    e->true_projects[e->tasks[index].project].tasks--;
    e->tasks[index] = e->tasks[last];
    e->true_tasks[index] = e->true_tasks[last];
    if (index != last && e->true_tasks[index].place != VCS_NONE) {
        e->running[e->true_tasks[index].place] = index;
    }
    e->state = NULL;
}

/* ---- Progress ---- */

static double least(double a, double b) {
    return a < b ? a : b;
}

static double seconds_since_checkpoint(const vcs_true_task *truth) {
    if (truth->checkpoint_interval <= 0.0) {
        return 0.0;
    }
    double checkpoints = truth->done / truth->checkpoint_interval;
    double whole = checkpoints < 0x1p52 ? (double)(int64_t)checkpoints : checkpoints;
    double since = truth->done - whole * truth->checkpoint_interval;
    return since > 0.0 ? since : 0.0;
}

/* Books what a running task did in `wall` seconds, of which it got on for `gained` device seconds. */
static inline void book(vcs_emulator *e, const vcs_task *task, const vcs_true_task *truth, double wall, double gained) {
    const uint32_t gpu = task->gpu;
    vcs_true_project *project = &e->true_projects[task->project];
    vcs_true_project_resource *project_resources =
        &e->true_project_resources[(size_t)task->project * e->snapshot.resources.count];
    const double flops = truth->speed * gained, cpu_seconds = task->cpus * gained;
    project->outcome.flops_used += flops;
    project->flops_run += flops;
    project->cpu_run += cpu_seconds;
    project_resources[0].flops_run += cpu_seconds * e->resources[0].flops;
    if (gpu != 0) {
        project_resources[gpu].flops_run += task->gpus * gained * e->resources[gpu].flops;
    }
    e->debts[task->project].used += wall;
    e->scheduled[gpu] += wall;
    e->ran[gpu] += gained;
}

/* What running tasks did until now. */
static void account_for(vcs_emulator *e, double wall, double active) {
    for (uint32_t i = 0; i < e->running_count; i++) {
        vcs_task *task = &e->tasks[e->running[i]];
        vcs_true_task *truth = &e->true_tasks[e->running[i]];
        const double left = (truth->finish - e->clock.active) * truth->rate;
        book(e, task, truth, wall, active * truth->rate);
        truth->done = left > 0.0 ? truth->total - left : truth->total;
        task->since_checkpoint = seconds_since_checkpoint(truth);
    }
    e->accounted_now = e->clock.now;
    e->accounted = e->clock.active;
    e->state = NULL;
}

void vcs_account(vcs_emulator *e) {
    const double wall = e->clock.now - e->accounted_now;
    const double active = e->clock.active - e->accounted;
    if (wall > 0.0 || active > 0.0) {
        account_for(e, wall, active);
    }
}

/* ---- Timelines: where a task is drawn ---- */

static int take_track(vcs_emulator *e, uint32_t resource, uint32_t *track) {
    vcs_room *tracks = &e->tracks[resource];
    *track = 0;
    if (e->hooks.observe == NULL) {
        return VCS_OK;
    }
    const unsigned char *taken = tracks->base;
    while (*track < tracks->size && taken[*track] != 0) {
        ++*track;
    }
    int code = vcs_make_room(&e->hooks, tracks, (uint64_t)*track + 1, 1);
    if (code == VCS_OK) {
        ((unsigned char *)tracks->base)[*track] = 1;
    }
    return code;
}

static void leave_track(vcs_emulator *e, uint32_t resource, uint32_t track) {
    if (e->hooks.observe != NULL) {
        ((unsigned char *)e->tracks[resource].base)[track] = 0;
    }
}

/* ---- Running ---- */

static int start_task(vcs_emulator *e, uint32_t index) {
    vcs_task *task = &e->tasks[index];
    vcs_true_task *truth = &e->true_tasks[index];
    int code = take_track(e, task->gpu, &truth->track);
    if (code != VCS_OK) {
        return code;
    }
    truth->place = e->running_count;
    truth->rate = 1.0;
    truth->finish = e->clock.active + (truth->total - truth->done);
    e->running[e->running_count++] = index;
    task->flags |= VCS_TASK_RUNNING | VCS_TASK_STARTED;
    task->running_since = e->clock.now;
    vcs_merit_runs(e, task->project);
    e->outcome.starts++;
    return vcs_tell(e, VCS_EVENT_STARTED, task->project, task, truth->track, 0.0);
}

/* Takes a task off the processors; its progress is accounted for. */
static void leave_processors(vcs_emulator *e, uint32_t index) {
    vcs_task *task = &e->tasks[index];
    vcs_true_task *truth = &e->true_tasks[index];
    const uint32_t last = e->running[--e->running_count];
    e->running[truth->place] = last;
    e->true_tasks[last].place = truth->place;
    truth->place = VCS_NONE;
    leave_track(e, task->gpu, truth->track);
    task->flags &= ~VCS_TASK_RUNNING;
    vcs_merit_waits(e, task->project);
}

/* A task that is stopped goes on later from its checkpoint: what came after it is to be done again. */
static int fall_back(vcs_emulator *e, vcs_task *task, vcs_true_task *truth) {
    if (task->since_checkpoint == 0.0) {
        return VCS_OK;
    }
    truth->done -= task->since_checkpoint;
    task->since_checkpoint = 0.0;
    return vcs_estimate_task(e, task, truth);
}

static int stop_task(vcs_emulator *e, uint32_t index) {
    vcs_task *task = &e->tasks[index];
    vcs_true_task *truth = &e->true_tasks[index];
    leave_processors(e, index);
    int code = fall_back(e, task, truth);
    return code == VCS_OK ? vcs_tell(e, VCS_EVENT_STOPPED, task->project, task, truth->track, 0.0) : code;
}

/* How fast the tasks can go that use a resource: if more of it is in use than there is, all of them are slowed down. */
static double rate_on(const vcs_emulator *e, uint32_t resource) {
    double used = 0.0;
    for (uint32_t i = 0; i < e->running_count; i++) {
        const vcs_task *task = &e->tasks[e->running[i]];
        used += resource == 0 ? task->cpus : task->gpu == resource ? task->gpus : 0.0;
    }
    return used > e->resources[resource].instances ? e->resources[resource].instances / used : 1.0;
}

/* Tasks for GPUs go on as fast as the one of their two resources lets them that is more in demand. */
static void share_processors(vcs_emulator *e) {
    const double cpu_rate = rate_on(e, 0);
    e->next_finish = VCS_INFINITY;
    for (uint32_t i = 0; i < e->running_count; i++) {
        const vcs_task *task = &e->tasks[e->running[i]];
        vcs_true_task *truth = &e->true_tasks[e->running[i]];
        const double gpu_rate = task->gpu != 0 ? rate_on(e, task->gpu) : 1.0;
        const double rate = task->cpus > 0.0 && cpu_rate < gpu_rate ? cpu_rate : gpu_rate;
        if (truth->rate != rate) {
            truth->rate = rate;
            truth->finish = e->clock.active + (truth->total - truth->done) / rate;
        }
        e->next_finish = least(truth->finish, e->next_finish);
    }
}

/* ---- Carrying a decision out ---- */

void vcs_note_late(vcs_emulator *e, uint32_t task, const vcs_task_decision *decision) {
    const uint32_t late = (decision->flags & VCS_DECISION_LATE) != 0 ? VCS_TASK_WAS_LATE : 0;
    e->tasks[task].flags = (e->tasks[task].flags & ~VCS_TASK_WAS_LATE) | late;
}

/* What changes of the tasks that run from now on, whether they ran before or not. */
static void note_decisions(vcs_emulator *e) {
    for (uint32_t i = 0; i < e->chosen_count; i++) {
        const vcs_task_decision *decision = &e->task_decisions[i];
        vcs_note_late(e, e->chosen[i], decision);
        if ((decision->flags & VCS_DECISION_NEW_SLICE) != 0) {
            e->tasks[e->chosen[i]].running_since = e->clock.now;
        }
    }
}

static void will_switch(vcs_emulator *e, uint32_t index) {
    e->switching[index / SET_BITS] |= UINT64_C(1) << index % SET_BITS;
}

/* Finds the chosen tasks that do not run, and those that run and are not chosen. */
static void find_switching(vcs_emulator *e) {
    for (uint32_t i = 0; i < e->chosen_count; i++) {
        vcs_true_task *truth = &e->true_tasks[e->chosen[i]];
        truth->chosen = 1;
        if (truth->place == VCS_NONE) {
            will_switch(e, e->chosen[i]);
        }
    }
    for (uint32_t i = 0; i < e->running_count; i++) {
        if (!e->true_tasks[e->running[i]].chosen) {
            will_switch(e, e->running[i]);
        }
    }
}

/* Of the tasks that are to switch, in order of the records, starts those that are chosen, or stops the others. */
static int switch_tasks(vcs_emulator *e, uint32_t chosen) {
    for (uint32_t i = 0; i <= e->snapshot.tasks.count / SET_BITS; i++) {
        for (uint64_t left = e->switching[i]; left != 0; left &= left - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(left), index = i * SET_BITS + bit;
            if (e->true_tasks[index].chosen != chosen) {
                continue;
            }
            const int code = chosen ? start_task(e, index) : stop_task(e, index);
            if (code != VCS_OK) {
                return code;
            }
            e->switching[i] &= ~(UINT64_C(1) << bit);
        }
    }
    return VCS_OK;
}

/* Stops and starts: first all that stop. */
static int stop_and_start(vcs_emulator *e) {
    find_switching(e);
    int code = switch_tasks(e, 0);
    if (code == VCS_OK) {
        code = switch_tasks(e, 1);
    }
    for (uint32_t i = 0; i < e->chosen_count; i++) {
        e->true_tasks[e->chosen[i]].chosen = 0;
    }
    share_processors(e);
    return code;
}

int vcs_apply_schedule(vcs_emulator *e) {
    note_decisions(e);
    e->state = NULL;
    return e->changes > 0 ? stop_and_start(e) : VCS_OK;
}

/* ---- The end of a task ---- */

/* When a result must be reported if no call comes before: before its deadline, or some time after its end. */
static double report_due(const vcs_emulator *e, double deadline) {
    double margin = e->parameters.min_buffer;
    if (e->emulation.study_rules && margin < e->parameters.report_delay) {
        margin = e->parameters.report_delay; /* rule 13.10: the greater of a day and the buffer */
    }
    return least(deadline - margin, e->clock.now + e->parameters.report_delay);
}

static int keep_result(vcs_emulator *e, const vcs_task *task, const vcs_true_task *truth) {
    int code = vcs_make_room(&e->hooks, &e->unreported_room, (uint64_t)e->unreported_count + 1,
                             sizeof *e->unreported);
    if (code != VCS_OK) {
        return code;
    }
    e->unreported = e->unreported_room.base;
    e->unreported[e->unreported_count++] = (vcs_unreported){
        .task = task->id,
        .flops = truth->total * truth->speed,
        .deadline = task->deadline,
        .due = report_due(e, task->deadline),
        .project = task->project,
        .resource = task->gpu,
    };
    e->true_projects[task->project].unreported++;
    return VCS_OK;
}

static int end_task(vcs_emulator *e, uint32_t index) {
    leave_processors(e, index);
    vcs_task *task = &e->tasks[index];
    vcs_true_task *truth = &e->true_tasks[index];
    truth->done = truth->total;
    e->true_projects[task->project].outcome.ended++;
    int code = vcs_tell(e, VCS_EVENT_ENDED, task->project, task, truth->track, 0.0);
    if (code == VCS_OK) {
        code = keep_result(e, task, truth);
    }
    if (code == VCS_OK) {
        code = vcs_learn(e, task, truth);
    }
    remove_task(e, index);
    return code;
}

int vcs_end_tasks(vcs_emulator *e) {
    int code = VCS_OK;
    for (uint32_t i = 0; code == VCS_OK && i < e->running_count;) {
        if (e->true_tasks[e->running[i]].finish > e->clock.active) {
            i++;
        } else {
            code = end_task(e, e->running[i]); /* another one has its place in the list now */
        }
    }
    share_processors(e);
    return code;
}
