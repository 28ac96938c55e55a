/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/deadline/chances.h"

#include "vcsched/chance/admit_by_chance.h"
#include "vcsched/chance/last_connection.h"
#include "vcsched/core/invariant.h"
#include "vcsched/host/host_spells.h"

#include <string.h>

#define CANNOT_BE_ASKED (VCS_PROJECT_SUSPENDED | VCS_PROJECT_NO_NEW_WORK)

void vcs_chances_lay_out(vcs_chances *chances, const vcs_counts *counts, vcs_arena *arena) {
    chances->tasks = vcs_arena_allocate(arena, counts->tasks + counts->candidates, sizeof *chances->tasks);
    chances->first = vcs_arena_allocate(arena, counts->resources + 1, sizeof *chances->first);
    chances->best = vcs_arena_allocate(arena, counts->resources, sizeof *chances->best);
}

/* From now to the last moment at which a task may end, so that its result is reported in time. */
static double window_of(const vcs_state *state, double deadline) {
    return vcs_last_connection(deadline, state->now, state->parameters.connect_every) - state->now;
}

static double instances_of(const vcs_chances *chances, uint32_t resource) {
    return vcs_instances(vcs_resources(chances->state)[resource].capacity);
}

/* ---- Jobs ---- */

vcs_chance_job vcs_chance_job_of(const vcs_state *state, const vcs_prepared_task *candidate) {
    const size_t place = (size_t)candidate->project * state->resource_count + candidate->resource;
    return (vcs_chance_job){
        .resource = candidate->resource,
        .remaining = candidate->remaining,
        .spread = vcs_project_resources(state)[place].job_spread,
        .deadline = candidate->deadline,
        .units = vcs_use_of(candidate),
        .task = (uint32_t)(candidate - vcs_prepared_tasks(state)),
    };
}

bool vcs_chance_last_job(const vcs_state *state, size_t place, int64_t units, vcs_chance_job *job) {
    const vcs_project_resource *record = &vcs_project_resources(state)[place];
    *job = (vcs_chance_job){
        .resource = (uint32_t)(place % state->resource_count),
        .remaining = record->job_seconds,
        .spread = record->job_spread,
        .deadline = state->now + record->job_bound,
        .units = units,
        .task = VCS_NONE,
    };
    return record->job_seconds > 0.0 && record->job_bound > 0.0;
}

static double chance_of(const vcs_chances *chances, const vcs_chance_job *job) {
    const double window = window_of(chances->state, job->deadline);
    return vcs_chance_of_workload((vcs_workload){0.0, job->remaining, job->spread}, window,
                                  vcs_chances_spells(chances, window));
}

/* Projects that are not asked for work do not set the measure for others. */
static void find_best(vcs_chances *chances) {
    const vcs_state *state = chances->state;
    memset(chances->best, 0, state->resource_count * sizeof *chances->best);
    const size_t count = (size_t)state->project_count * state->resource_count;
    for (size_t place = 0; place < count; place++) {
        const uint32_t flags = vcs_projects(state)[place / state->resource_count].flags;
        vcs_chance_job job;
        if ((flags & CANNOT_BE_ASKED) == 0 && vcs_chance_last_job(state, place, VCS_ONE, &job)) {
            chances->best[job.resource] = vcs_max(chances->best[job.resource], chance_of(chances, &job));
        }
    }
}

/* ---- Tasks at hand ---- */

bool vcs_chances_can_run(const vcs_state *state, const vcs_prepared_task *task) {
    const vcs_prepared_resource *resources = vcs_resources(state);
    return task->takes_part != 0 && task->cpu_units <= resources[0].capacity &&
           vcs_use_of(task) <= resources[task->resource].capacity;
}

/* Adds what a task uses, so that no number of tasks makes the sum too great. */
static int64_t more_units(int64_t units, int64_t use, int64_t capacity) {
    return units <= capacity ? units + use : units;
}

/* Whether a task goes on whatever comes: nothing that is due earlier goes before it. */
static bool runs_on(const vcs_state *state, const vcs_prepared_task *task) {
    return state->parameters.keep_running != 0 && (task->flags & VCS_TASK_RUNNING) != 0 && task->can_start != 0;
}

/* The last task of the resource that goes before a place; NULL if there is none. */
static const vcs_due_task *last_before(const vcs_chances *chances, uint32_t resource, uint32_t place) {
    return place > chances->first[resource] ? &chances->tasks[place - 1] : NULL;
}

/* What it and all before it use, and the work of them all. */
static int64_t units_through(const vcs_due_task *last) {
    return last != NULL ? last->through : 0;
}

static double work_through(const vcs_due_task *last) {
    return last != NULL ? last->before + last->work : 0.0;
}

/* Brings what depends on earlier and later tasks up to date, from a task of the resource on. */
static void settle(vcs_chances *chances, uint32_t resource, uint32_t from) {
    const double instances = instances_of(chances, resource);
    const int64_t capacity = vcs_resources(chances->state)[resource].capacity;
    const uint32_t first = chances->first[resource], end = chances->first[resource + 1];
    const vcs_due_task *last = last_before(chances, resource, from);
    double before = work_through(last);
    int64_t units = units_through(last);
    for (uint32_t i = from; i < end; i++) {
        vcs_due_task *task = &chances->tasks[i];
        units = more_units(units, task->units, capacity);
        const double start = units <= capacity ? 0.0 : before / instances;
        const double finish = vcs_min(start + task->remaining, VCS_MAX_SECONDS);
        const double window = window_of(chances->state, task->deadline);
        const double margin = vcs_margin_of(window, finish, vcs_chances_spells(chances, window));
        task->before = before;
        task->through = units;
        task->margin = task->deadline > -VCS_INFINITY && margin >= 0.0 ? margin : VCS_INFINITY;
        before += task->work;
    }
    double least = VCS_INFINITY;
    uint32_t least_one = VCS_NONE;
    for (uint32_t i = end; i-- > first;) {
        vcs_due_task *task = &chances->tasks[i];
        if (task->margin <= least) {
            least = task->margin;
            least_one = task->task;
        }
        task->least = least;
        task->least_one = least_one;
    }
}

static uint32_t add_tasks(vcs_chances *chances, uint32_t resource, uint32_t end, bool running) {
    const vcs_state *state = chances->state;
    const uint32_t *order = vcs_deadline_order(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &vcs_prepared_tasks(state)[order[i]];
        if (task->resource == resource && vcs_chances_can_run(state, task) && runs_on(state, task) == running) {
            chances->tasks[end++] = (vcs_due_task){
                .deadline = running ? -VCS_INFINITY : task->deadline,
                .work = task->remaining * vcs_instances(vcs_use_of(task)),
                .remaining = task->remaining,
                .units = vcs_use_of(task),
                .task = order[i],
            };
        }
    }
    return end;
}

void vcs_chances_begin(vcs_chances *chances, const vcs_state *state) {
    uint32_t end = 0;
    vcs_chances_resume(chances, state);
    for (uint32_t r = 0; r < state->resource_count; r++) {
        chances->first[r] = end;
        end = add_tasks(chances, r, end, true);
        end = add_tasks(chances, r, end, false);
        chances->first[r + 1] = end;
        settle(chances, r, chances->first[r]);
    }
    find_best(chances);
}

void vcs_chances_resume(vcs_chances *chances, const vcs_state *state) {
    chances->state = state;
    chances->hourly = vcs_hourly_of(state);
}

/* ---- A job ---- */

/* The first task that is due after the job; those of equal deadline go first. */
static uint32_t place_of(const vcs_chances *chances, const vcs_chance_job *job) {
    uint32_t first = chances->first[job->resource], end = chances->first[job->resource + 1];
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (chances->tasks[middle].deadline <= job->deadline) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

double vcs_chances_work(const vcs_chances *chances, uint32_t resource) {
    return work_through(last_before(chances, resource, chances->first[resource + 1]));
}

/* Whether the job has room beside all that go before a place. */
static bool has_room(const vcs_chances *chances, const vcs_chance_job *job, uint32_t place) {
    const int64_t used = units_through(last_before(chances, job->resource, place));
    return used + job->units <= vcs_resources(chances->state)[job->resource].capacity;
}

vcs_admit_terms vcs_chances_terms(const vcs_chances *chances, const vcs_chance_job *job) {
    const vcs_state *state = chances->state;
    const double instances = instances_of(chances, job->resource);
    const uint32_t place = place_of(chances, job), end = chances->first[job->resource + 1];
    const double window = window_of(state, job->deadline);
    const vcs_mean_spells spells = vcs_chances_spells(chances, window);
    const bool is_idle = has_room(chances, job, end), begins = has_room(chances, job, place);
    const double before = work_through(last_before(chances, job->resource, place));
    vcs_admit_terms terms;
    vcs_admit_init(&terms, sizeof terms);
    terms.flags = is_idle ? VCS_ADMIT_IDLE : 0;
    terms.remaining = job->remaining;
    terms.spread = job->spread;
    terms.window = window;
    terms.wait = begins ? 0.0 : vcs_min(before / instances, VCS_MAX_SECONDS);
    terms.on = spells.on;
    terms.off = spells.off;
    terms.best = chances->best[job->resource];
    terms.least_margin = is_idle || place == end ? VCS_INFINITY : chances->tasks[place].least;
    terms.added = vcs_min(job->remaining * vcs_instances(job->units) / instances, VCS_MAX_SECONDS);
    if (state->parameters.give_up == VCS_GIVE_UP_BY_CHANCE) { /* the floor is never below the usual one */
        terms.give_up_below = vcs_max(terms.give_up_below, state->parameters.give_up_below);
    }
    return terms;
}

uint32_t vcs_chances_least(const vcs_chances *chances, const vcs_chance_job *job) {
    const uint32_t place = place_of(chances, job);
    VCS_INVARIANT(place < chances->first[job->resource + 1]); /* only a task behind the job has a margin to lose */
    return chances->tasks[place].least_one;
}

void vcs_chances_join(vcs_chances *chances, const vcs_chance_job *job) {
    const uint32_t place = place_of(chances, job), resources = chances->state->resource_count;
    vcs_due_task *task = &chances->tasks[place];
    memmove(task + 1, task, (chances->first[resources] - place) * sizeof *task);
    *task = (vcs_due_task){
        .deadline = job->deadline,
        .work = job->remaining * vcs_instances(job->units),
        .remaining = job->remaining,
        .units = job->units,
        .task = job->task,
    };
    for (uint32_t r = job->resource + 1; r <= resources; r++) {
        chances->first[r]++;
    }
    settle(chances, job->resource, place);
}
