/*
 * Weighted round-robin as a fluid: turns the tasks of a state into queues, one per project, and their ends into
 * forecasts.
 *
 * Rules 4.2 and 4.6; the plain reference is tests/oracle/oracle_fluid.c.
 *
 * Inside a project all running tasks progress at the same rate, and when one ends the next in the queue replaces it. So
 * the order of ends, and the progress at each end, do not depend on the CPUs that the project gets. They are found
 * first, for each project by itself, as progress in seconds of a whole CPU. Progress is then turned into time, which is
 * linear between two divisions of the CPUs.
 *
 *   fluid_order.c      sorts the tasks of a project by end, in batches of like tasks
 *   fluid_run.c        divides the CPUs and advances time
 *   fluid_projects.h   the data of both
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/disciplines.h"
#include "vcsched/simulation/fluid/fluid_run.h"
#include "vcsched/simulation/lateness.h"
#include "vcsched/host/scratch.h"
#include "vcsched/host/prepared.h"
#include "vcsched/core/invariant.h"
#include "vcsched/timers/buffer.h"

#include <float.h>

/* ---- Memory ---- */

/* Inline, so that measuring is a few additions. */
static inline void lay_out(vcs_fluid *f, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t workers = counts->instances < counts->tasks ? counts->instances : counts->tasks;
    f->projects = vcs_arena_allocate(arena, counts->projects, sizeof *f->projects);
    f->batches = vcs_arena_allocate(arena, counts->tasks, sizeof *f->batches);
    for (uint32_t rank = 0; rank < VCS_FLUID_RANKS; rank++) {
        uint32_t *open = vcs_arena_allocate(arena, counts->projects, sizeof *open);
        f->ranks[rank] = (vcs_fluid_rank){.open = open};
    }
    f->next_ends = vcs_arena_allocate(arena, 4 * counts->projects + 2, sizeof *f->next_ends);
    f->overtakers = vcs_arena_allocate(arena, workers, sizeof *f->overtakers);
}

uint64_t vcs_wrr_fluid_scratch(const vcs_counts *counts) {
    vcs_fluid nothing;
    vcs_arena measure = {NULL, 0};
    lay_out(&nothing, counts, &measure);
    return vcs_arena_size(&measure);
}

/* ---- The queues ---- */

static const vcs_task_forecast suspended = {.finish = VCS_INFINITY, .verdict = VCS_VERDICT_SUSPENDED};

static double latest_finish(const vcs_state *state, double deadline) {
    return vcs_latest_in_fluid(&state->parameters, state->now, deadline);
}

/* Whether two neighbours belong to one batch: the simulation cannot tell them apart. */
static inline int are_alike(const vcs_prepared_task *a, const vcs_prepared_task *b) {
    return a->project == b->project && a->remaining == b->remaining && a->takes_part == b->takes_part;
}

/*
 * Puts every task into the queue of its project, in one pass, since there are many. It starts with the last to arrive,
 * so each batch goes to the front of its queue. Tasks of different deadlines share a batch: mostly all are in time, or
 * none.
 */
static void fill_queues(vcs_fluid *f, const vcs_state *state) {
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    vcs_task_forecast *forecasts = vcs_forecasts(state);
    const uint32_t *arrivals = vcs_arrival_order(state);
    const double usable = vcs_resources(state)[0].usable;
    vcs_fluid_batch *batch = f->batches;
    for (const uint32_t *at = arrivals + state->task_count; at > arrivals;) {
        const uint32_t *end = at--;
        const vcs_prepared_task *last = &tasks[*at];
        if (!last->takes_part) {
            forecasts[*at] = suspended;
            continue;
        }
        double first_due = last->deadline, last_due = first_due;
        for (; at > arrivals && are_alike(last, &tasks[at[-1]]); at--) {
            const double deadline = tasks[at[-1]].deadline;
            first_due = first_due < deadline ? first_due : deadline;
            last_due = last_due > deadline ? last_due : deadline;
        }
        vcs_fluid_project *project = &f->projects[last->project];
        batch->end = last->remaining / usable + 0.0; /* -0 becomes 0, as the tree of next ends needs it */
        batch->all_in_time = latest_finish(state, first_due);
        batch->some_in_time = latest_finish(state, last_due);
        batch->behind = project->first;
        batch->first = (uint32_t)(at - arrivals);
        batch->count = (uint32_t)(end - at);
        project->first = batch;
        project->tasks += batch->count;
        batch++;
    }
    f->unused = batch;
}

/* ---- Beginning and end ---- */

static int is_suspended(const vcs_project *project) {
    return (project->flags & VCS_PROJECT_SUSPENDED) != 0;
}

/* Not denormal: where a thread flushes denormal results, the sum of shares would be 0. */
static double share_of(const vcs_project *project) {
    return project->share > 0.0 ? vcs_max(project->share, DBL_MIN) : 0.0;
}

/*
 * Begins all projects without tasks, and returns the sum of the shares of projects not suspended. In order of id, so
 * that the sum does not depend on the order of the records.
 */
static double begin_projects(vcs_fluid *f, const vcs_project *projects) {
    double shares = 0.0;
    for (uint32_t i = 0; i < f->project_count; i++) {
        const uint32_t index = f->order[i];
        shares += is_suspended(&projects[index]) ? 0.0 : share_of(&projects[index]);
        f->projects[index].first = NULL;
        f->projects[index].tasks = 0;
    }
    return shares;
}

/* The part of a project in the sum of shares. */
static double fraction_of(const vcs_project *project, double shares) {
    return is_suspended(project) || !(project->share > 0.0) ? 0.0 : share_of(project) / shares;
}

/* Starts a project with a full queue. Its running tasks have a whole CPU each, so progress equals time. */
static void start_project(vcs_fluid *f, uint32_t index, const vcs_project *from, double shares) {
    vcs_fluid_project *project = &f->projects[index];
    const int is_backup = !(from->share > 0.0);
    const uint32_t most = from->max_concurrent != 0 && from->max_concurrent < f->cpus ? from->max_concurrent : f->cpus;
    const uint32_t running = project->tasks < most ? project->tasks : most;
    f->running += running;
    f->ranks[is_backup].full_use += running;
    project->weight = is_backup ? 1.0 : share_of(from);
    project->due = f->cpus * fraction_of(from, shares);
    project->use = project->used_now = running;
    project->shortfall = project->shortfall_time = 0.0;
    project->base_time = project->base_progress = 0.0;
    project->unfinished = project->tasks;
    project->running = running;
    project->full = 1;
    project->pace = 1.0;
    project->rank = (uint32_t)is_backup;
    project->first = project->next = vcs_fluid_order_ends(project->first, running, f->overtakers, &f->unused);
    f->next_ends[f->ends_width + index] = vcs_fluid_key(project->next->end);
}

static void start_projects(vcs_fluid *f, const vcs_project *projects, double shares) {
    f->ends_width = vcs_tree_width(f->project_count);
    vcs_tree_clear(f->next_ends, f->ends_width);
    for (uint32_t index = 0; index < f->project_count; index++) {
        if (f->projects[index].tasks > 0) {
            VCS_INVARIANT(f->projects[index].first != NULL); /* set with the first task counted */
            start_project(f, index, &projects[index], shares);
        }
    }
}

/* Returns the sum of the shares. */
static double begin(vcs_fluid *f, vcs_state *state) {
    const vcs_parameters *parameters = &state->parameters;
    const vcs_project *projects = vcs_projects(state);
    const vcs_counts counts = {
        .projects = state->project_count,
        .tasks = state->task_count,
        .instances = vcs_resources(state)[0].instances,
    };
    vcs_arena scratch = vcs_scratch(state);
    lay_out(f, &counts, &scratch);
    f->buffer_end = vcs_whole_buffer(parameters);
    f->horizon = parameters->horizon > 0.0 ? parameters->horizon : VCS_FLUID_NO_HORIZON;
    f->effort = 0;
    f->most_effort = parameters->simulation_effort != 0 ? parameters->simulation_effort : UINT64_MAX;
    f->budget = parameters->step_budget != 0 ? parameters->step_budget : UINT64_MAX;
    f->cpus = vcs_resources(state)[0].instances;
    f->project_count = state->project_count;
    f->order = vcs_project_order(state);
    f->time = f->idle = f->idle_sum = f->idle_time = 0.0;
    f->saturated = -1.0;
    f->steps = 0;
    f->running = 0;
    const double shares = begin_projects(f, projects);
    fill_queues(f, state);
    start_projects(f, projects, shares);
    return shares;
}

/* Gives all tasks of a batch the same verdict. */
static void report_verdict(const vcs_state *state, const vcs_fluid_batch *batch, double finish, uint32_t verdict) {
    const uint32_t *tasks = vcs_arrival_order(state) + batch->first;
    const uint32_t *end = tasks + batch->count;
    const vcs_task_forecast forecast = {.finish = finish, .verdict = verdict};
    vcs_task_forecast *forecasts = vcs_forecasts(state);
    for (; tasks < end; tasks++) {
        forecasts[*tasks] = forecast;
    }
}

/* Judges each task of a batch that ended with some tasks in time and some late; returns how many are late. */
static uint32_t report_each(const vcs_state *state, const vcs_fluid_batch *batch) {
    const vcs_prepared_task *jobs = vcs_prepared_tasks(state);
    const uint32_t *tasks = vcs_arrival_order(state) + batch->first;
    vcs_task_forecast *forecasts = vcs_forecasts(state);
    const double finish = batch->end;
    uint32_t misses = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        const uint32_t verdict = vcs_verdict_in_fluid(finish, latest_finish(state, jobs[tasks[i]].deadline));
        forecasts[tasks[i]] = (vcs_task_forecast){.finish = finish, .verdict = verdict};
        misses += verdict == VCS_VERDICT_MISSES;
    }
    return misses;
}

/* Reports a batch that ended; returns how many of its tasks are late. */
static uint32_t report_batch(const vcs_state *state, const vcs_fluid_batch *batch) {
    if (batch->end <= batch->all_in_time) {
        report_verdict(state, batch, batch->end, VCS_VERDICT_MEETS);
        return 0;
    }
    if (batch->end > batch->some_in_time) {
        report_verdict(state, batch, batch->end, VCS_VERDICT_MISSES);
        return batch->count;
    }
    return report_each(state, batch);
}

/* Reports all tasks of a project; returns how many are late. */
static uint32_t report_tasks(const vcs_state *state, const vcs_fluid_project *project) {
    const vcs_fluid_batch *batch = project->first;
    uint32_t misses = 0;
    for (; batch != project->next; batch = batch->behind) {
        VCS_INVARIANT(batch != NULL); /* `next` is behind `first`, or NULL behind the last batch */
        misses += report_batch(state, batch);
    }
    for (; batch != NULL; batch = batch->behind) { /* not ended when the simulation stopped */
        report_verdict(state, batch, VCS_INFINITY, VCS_VERDICT_UNKNOWN);
    }
    return misses;
}

static void report_project_resources(const vcs_fluid *f, const vcs_state *state, double shares,
                                     vcs_wrr_summary *summary) {
    const vcs_prepared_resource *resources = vcs_resources(state);
    const vcs_project *records = vcs_projects(state);
    const uint32_t resource_count = state->resource_count;
    vcs_project_resource_forecast *project_resources = vcs_project_resource_forecasts(state);
    for (uint32_t i = 0; i < f->project_count; i++, project_resources += resource_count) {
        const vcs_fluid_project *project = &f->projects[i];
        uint32_t r = 0;
        if (project->tasks > 0) {
            const uint32_t misses = report_tasks(state, project);
            project_resources[r++] = (vcs_project_resource_forecast){
                .shortfall = vcs_fluid_shortfall(f, project, f->reached),
                .misses = misses,
                .tasks = project->tasks,
                .used_now = project->used_now,
            };
            summary->misses += misses;
            summary->unknown += project->unfinished;
        }
        for (; r < resource_count; r++) { /* without tasks it lacks its whole part, in device seconds (rule 13.3) */
            const double fraction = fraction_of(&records[i], shares);
            const double due = resources[r].suspended ? 0.0 : resources[r].instances * fraction;
            project_resources[r] =
                (vcs_project_resource_forecast){.shortfall = f->buffer_end * resources[r].usable * due};
        }
    }
}

/* GPUs have no tasks in this discipline, so they are idle unless suspended. */
static void report_resources(const vcs_fluid *f, const vcs_state *state) {
    const vcs_prepared_resource *resources = vcs_resources(state);
    vcs_resource_forecast *forecasts = vcs_resource_forecasts(state);
    forecasts[0] = (vcs_resource_forecast){
        .shortfall = f->idle_sum,
        .idle_now = f->idle_now,
        .saturated = f->saturated < 0.0 ? f->time : f->saturated,
    };
    for (uint32_t i = 1; i < state->resource_count; i++) {
        const double idle = resources[i].suspended ? 0.0 : resources[i].instances;
        forecasts[i] = (vcs_resource_forecast){.shortfall = idle * f->buffer_end, .idle_now = idle};
    }
}

void vcs_wrr_fluid(vcs_state *state, vcs_wrr_summary *summary) {
    vcs_fluid f;
    const double shares = begin(&f, state);
    const int ended = vcs_fluid_run(&f);
    report_project_resources(&f, state, shares, summary);
    report_resources(&f, state);
    summary->flags = ended ? 0 : VCS_SIMULATION_STOPPED;
    summary->simulated_until = f.time;
    summary->steps = f.steps;
    summary->effort = f.effort;
}
