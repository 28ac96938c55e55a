/*
 * The division of the CPUs among the projects, from one instant at which tasks end to the next.
 *
 * Rules 4.2 and 4.6; the plain reference is tests/oracle/oracle_fluid.c.
 *
 * Nothing arrives, so a project can run only fewer tasks as time passes, and apart from rounding no running task ever
 * gets slower. So a full project, with a CPU for each of its running tasks, stays full. The CPUs are divided again only
 * when a full project needs fewer of them, or when another project becomes full.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/fluid/fluid_run.h"

#include "vcsched/core/invariant.h"

#include <stddef.h>

/* Ends that differ by less than this part of the time happen at the same instant. */
#define SAME_INSTANT 1e-12

/* ---- Idle CPUs and shortfalls ---- */

static void count_idle(vcs_fluid *f, double until) {
    const double end = vcs_fluid_in_buffer(f, until);
    f->idle_sum += f->idle * (end - f->idle_time);
    f->idle_time = end;
}

/* Notes the idle CPUs from now on. If any is idle, each task that may run has a whole CPU. */
static void note_idle(vcs_fluid *f) {
    f->idle = f->running < f->cpus ? f->cpus - f->running : 0.0;
    if (f->saturated < 0.0 && f->idle > 0.0) {
        f->saturated = f->time;
    }
}

/* Counts the shortfall of a project up to now, before its use changes. */
static void count_shortfall(const vcs_fluid *f, vcs_fluid_project *project) {
    project->shortfall = vcs_fluid_shortfall(f, project, f->time);
    project->shortfall_time = vcs_fluid_in_buffer(f, f->time);
}

/* ---- The division of the CPUs ---- */

/* When a batch ends; its project uses CPUs. Rounding must not make it earlier than now. */
static double end_of(const vcs_fluid_project *project, const vcs_fluid_batch *batch) {
    const double end = project->base_time + (batch->end - project->base_progress) * project->pace;
    return end > project->base_time ? end : project->base_time;
}

/* When the next batch of a project ends. */
static double next_end(const vcs_fluid_project *project) {
    return project->next == NULL || project->pace == VCS_INFINITY ? VCS_INFINITY : end_of(project, project->next);
}

/* Counts the progress of the running tasks up to now. */
static void advance_tasks(const vcs_fluid *f, vcs_fluid_project *project) {
    project->base_progress += (f->time - project->base_time) / project->pace;
    project->base_time = f->time;
}

/* The running tasks share the project's CPUs equally from now on. */
static void set_pace(vcs_fluid_project *project) {
    project->pace = project->use > 0.0 ? project->running / project->use : VCS_INFINITY;
}

/* Changes the CPUs of a project. The tree of next ends must be built afterwards. */
static void set_use(vcs_fluid *f, uint32_t index, double use) {
    vcs_fluid_project *project = &f->projects[index];
    if (f->steps == 0) { /* the first division; all later ones follow a step */
        project->used_now = use;
    } else {
        count_shortfall(f, project);
        advance_tasks(f, project);
    }
    project->use = use;
    set_pace(project);
    f->next_ends[f->ends_width + index] = vcs_fluid_key(next_end(project));
}

/* Gives a project all the CPUs it can use; it leaves the division. */
static void fill_project(vcs_fluid *f, vcs_fluid_rank *rank, uint32_t index) {
    vcs_fluid_project *project = &f->projects[index];
    project->full = 1;
    rank->full_use += project->running;
    set_use(f, index, project->running);
}

static double sum_of_weights(const vcs_fluid *f, const vcs_fluid_rank *rank) {
    double sum = 0.0;
    for (uint32_t i = 0; i < rank->open_count; i++) {
        sum += f->projects[rank->open[i]].weight;
    }
    return sum;
}

/* Fills the projects of a rank that are due all the CPUs they can use. Returns how many were filled. */
static uint32_t fill_projects(vcs_fluid *f, vcs_fluid_rank *rank, double cpus, double sum) {
    uint32_t kept = 0, count = rank->open_count;
    f->effort += count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = rank->open[i];
        const vcs_fluid_project *project = &f->projects[index];
        if (cpus * project->weight / sum >= project->running - VCS_FLUID_NOTHING) {
            fill_project(f, rank, index);
        } else {
            rank->open[kept++] = index;
        }
    }
    rank->open_count = kept;
    return count - kept;
}

/* Divides CPUs among the projects of a rank; returns how many are left. */
static uint32_t divide_in_rank(vcs_fluid *f, vcs_fluid_rank *rank, uint32_t cpus) {
    while (rank->open_count > 0) {
        const double left = cpus - rank->full_use, sum = sum_of_weights(f, rank);
        if (fill_projects(f, rank, left, sum) == 0) {
            for (uint32_t i = 0; i < rank->open_count; i++) {
                set_use(f, rank->open[i], left * f->projects[rank->open[i]].weight / sum);
            }
            return 0;
        }
    }
    return cpus - rank->full_use;
}

static void divide(vcs_fluid *f) {
    const uint32_t rest = divide_in_rank(f, &f->ranks[0], f->cpus);
    divide_in_rank(f, &f->ranks[1], rest);
    vcs_tree_build(f->next_ends, f->ends_width);
    f->effort += f->project_count;
}

/* Takes back the CPUs that every project began with: more tasks may run than there are CPUs. */
static void open_all(vcs_fluid *f) {
    for (uint32_t i = 0; i < f->project_count; i++) {
        vcs_fluid_project *project = &f->projects[f->order[i]];
        if (project->tasks > 0) {
            vcs_fluid_rank *rank = &f->ranks[project->rank];
            project->full = 0;
            rank->full_use -= project->running;
            rank->open[rank->open_count++] = f->order[i];
        }
    }
}

/* ---- From one instant at which tasks end to the next ---- */

/*
 * Runs fewer tasks of a project, after tasks ended and none waits to replace them. Returns whether the CPUs must be
 * divided again.
 */
static int run_fewer(vcs_fluid *f, vcs_fluid_project *project) {
    const uint32_t fewer = project->running - project->unfinished;
    project->running = project->unfinished;
    f->running -= fewer;
    if (project->full) {
        f->ranks[project->rank].full_use -= fewer;
        count_shortfall(f, project);
        project->use = project->running;
        return 1;
    }
    if (project->use >= project->running - VCS_FLUID_NOTHING) {
        return 1;
    }
    advance_tasks(f, project);
    set_pace(project);
    return 0;
}

/* Ends all batches of a project that end now; returns when the next batch does. */
static double end_tasks_of(const vcs_fluid *f, vcs_fluid_project *project, double until) {
    vcs_fluid_batch *batch = project->next;
    uint32_t ended = 0;
    double next;
    do {
        /* Its end is up to `until`, which is finite; without a batch the next end is infinite. */
        VCS_INVARIANT(batch != NULL);
        batch->end = f->time;
        ended += batch->count;
        batch = batch->behind;
        next = batch != NULL ? end_of(project, batch) : VCS_INFINITY;
    } while (next <= until);
    project->next = batch;
    project->unfinished -= ended;
    return next;
}

static double time_of(int64_t key) {
    double time;
    memcpy(&time, &key, sizeof time);
    return time;
}

/* Ends all tasks that end now. Returns whether the CPUs must be divided again. */
static int end_tasks(vcs_fluid *f, double until) {
    const int64_t last = vcs_fluid_key(until);
    int must_divide = 0;
    VCS_INVARIANT(last < VCS_TREE_EMPTY); /* as the bits of any time are */
    for (int64_t least; (least = vcs_tree_least(f->next_ends)) <= last;) {
        const uint32_t index = vcs_tree_first_below(f->next_ends, f->ends_width, 0, least + 1);
        /* The least is below the bound, and leaves without a project are greater than any. */
        VCS_INVARIANT(index < f->project_count);
        vcs_fluid_project *project = &f->projects[index];
        double next = end_tasks_of(f, project, until);
        if (project->unfinished < project->running) { /* rare: mostly a waiting task replaces an ended one */
            must_divide |= run_fewer(f, project);
            next = next_end(project);
        }
        vcs_tree_set(f->next_ends, f->ends_width, index, vcs_fluid_key(next));
    }
    return must_divide;
}

/* Runs until all tasks have ended, or until a limit; returns whether all have. */
static int run(vcs_fluid *f) {
    double same_instant = -1.0;
    while (f->running > 0) {
        const double next = time_of(vcs_tree_least(f->next_ends));
        if (next > same_instant) {
            if (f->steps == f->budget || (f->effort > f->most_effort && f->steps > 0)) {
                return 0;
            }
            f->steps++;
            f->effort++;
            if (next > f->horizon) {
                f->time = f->horizon;
                return 0;
            }
            f->time = next;
            same_instant = next + next * SAME_INSTANT;
        }
        const uint32_t running = f->running;
        const int must_divide = end_tasks(f, same_instant);
        if (f->running < running) {
            count_idle(f, f->time);
            if (must_divide && f->ranks[0].open_count + f->ranks[1].open_count > 0) {
                divide(f);
            }
            note_idle(f);
        }
    }
    return 1;
}

int vcs_fluid_run(vcs_fluid *f) {
    if (f->running > f->cpus) {
        open_all(f);
        divide(f);
    } else {
        vcs_tree_build(f->next_ends, f->ends_width);
    }
    note_idle(f);
    f->idle_now = f->idle;
    const int ended = run(f);
    f->reached = ended ? VCS_INFINITY : f->time;
    count_idle(f, f->reached);
    return ended;
}
