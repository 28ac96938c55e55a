/*
 * Weighted round-robin as a fluid (rule 4.2).
 *
 * Inside a project all running tasks get on at the same rate, and when one ends the next of the queue takes its place.
 * So the order in which they end, and how far each must get on until then, do not depend on what the project gets of
 * the CPUs: they are worked out first, for each project by itself, as progress in seconds of a whole CPU. What remains
 * is to turn progress into time, which is linear while the division of the CPUs stays.
 *
 * Nothing arrives, so the tasks that a project can run only get fewer, and no running task ever gets slower, but for
 * what counts as nothing. A project that has a CPU for each of its running tasks, a full one, therefore stays full. The
 * CPUs are divided anew only when a full project needs fewer of them, or when another one becomes full.
 *
 * SPDX-License-Identifier: MIT
 */
#include "client/fluid_order.h"
#include "client/prepared.h"
#include "core/tournament.h"

#include <string.h>

/* Differences of use or share below this are rounding, not room. */
#define NOTHING 1e-9

/* Ends that differ by less than this part of the time are at the same instant. */
#define SAME_INSTANT 1e-12

/* A project, and what it gets at present. */
typedef struct fluid_project {
    double weight;        /* by which it takes part in the division */
    double fraction;      /* its part of the shares of all projects that are not suspended */
    double due;           /* CPUs that are its part */
    double use;           /* CPUs that it gets */
    double lack;          /* its own shortfall up to lack_time, instance-seconds */
    double lack_time;     /* s from now */
    double pace;          /* seconds in which each of its running tasks progresses by one; +infinity = not at all */
    double base_time;     /* a time since which that is so, */
    double base_progress; /* and the progress at that time */
    vcs_fluid_task *next; /* the task that ends next; the others are linked behind it */
    uint32_t tasks;       /* that it had */
    uint32_t unfinished;  /* those of them to come */
    uint32_t most;        /* tasks that may run at once */
    uint32_t running;     /* tasks that do run; at a whole CPU each, that is how many CPUs it can use */
    uint32_t full;        /* 1: it uses all it can */
    uint32_t rank;        /* in which division it takes part */
    uint32_t misses;      /* tasks that ended too late */
} fluid_project;

/* Two divisions, one after the other: the projects with a share, then the backup projects. */
#define RANKS 2

typedef struct fluid_rank {
    uint32_t *open; /* the projects that are not full */
    uint32_t open_count;
    uint64_t full_use; /* CPUs that the full ones use */
} fluid_rank;

typedef struct fluid {
    const vcs_state *state;
    vcs_task_forecast *forecasts;
    double buffer_end; /* s from now */
    uint32_t cpus;
    fluid_project *projects; /* as in the state */
    vcs_fluid_task
        *tasks; /* in order of arrival, with gaps for those that take no part; those of a project are linked */
    fluid_rank ranks[RANKS];
    vcs_player *next_ends; /* tournament of the projects: when the next task of each ends */
    uint32_t ends_width;   /* of that tournament */
    uint32_t *changed;     /* projects that can run fewer tasks than before this instant */
    uint32_t changed_count;
    vcs_overtaker *overtakers; /* scratch for the order of ends */
    /* the present */
    double time; /* s from now */
    uint64_t steps;
    uint64_t running; /* tasks of all projects */
    double idle;      /* CPUs */
    /* the outcome for the CPUs */
    double idle_sum;  /* instance-seconds up to idle_time */
    double idle_time; /* s from now */
    double saturated; /* negative while none was ever idle */
} fluid;

/* ---- Memory ---- */

/* Inline: where it only measures, a few additions remain. */
static inline void lay_out(fluid *f, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t workers = counts->instances < counts->jobs ? counts->instances : counts->jobs;
    f->projects = vcs_arena_take(arena, counts->projects, sizeof *f->projects);
    f->tasks = vcs_arena_take(arena, counts->jobs, sizeof *f->tasks);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        f->ranks[rank].open = vcs_arena_take(arena, counts->projects, sizeof *f->ranks[rank].open);
    }
    f->next_ends = vcs_arena_take(arena, 4 * counts->projects + 2, sizeof *f->next_ends);
    f->changed = vcs_arena_take(arena, counts->projects, sizeof *f->changed);
    f->overtakers = vcs_arena_take(arena, workers, sizeof *f->overtakers);
}

uint64_t vcs_wrr_fluid_scratch(const vcs_counts *counts) {
    fluid nothing;
    vcs_arena measure = {NULL, 0};
    lay_out(&nothing, counts, &measure);
    return vcs_arena_size(&measure);
}

/* ---- The queues ---- */

static const vcs_task_forecast apart = {.finish = VCS_INFINITY, .verdict = VCS_VERDICT_APART};

/* Rule 13.2. */
static double latest_finish(const vcs_state *state, const vcs_job *job) {
    const vcs_parameters *parameters = &state->parameters;
    return parameters->miss_fraction * (job->deadline - parameters->min_buffer - parameters->period - state->now);
}

/*
 * Every task into the queue of its project, with one look at each, for there are many of them. The last to arrive comes
 * first: so each is put before those that are already there.
 */
static void fill_queues(fluid *f) {
    const vcs_state *state = f->state;
    const vcs_job *jobs = vcs_jobs(state);
    const uint32_t *arrival_order = vcs_arrival_order(state);
    const double usable = vcs_resources(state)[0].usable;
    for (uint32_t i = state->job_count; i-- > 0;) {
        const uint32_t job = arrival_order[i];
        const vcs_job *from = &jobs[job];
        if (!from->takes_part) {
            f->forecasts[job] = apart;
            continue;
        }
        fluid_project *project = &f->projects[from->project];
        vcs_fluid_task *task = &f->tasks[i];
        task->end = from->remaining / usable + 0.0; /* -0 becomes 0, as tournaments need it */
        task->latest = latest_finish(state, from);
        task->behind = project->next;
        task->job = job;
        project->next = task;
        project->tasks++;
    }
}

/* ---- What lies idle, and what each project lacks ---- */

/* A time, or the end of the buffer if that is before: what lies behind it does not count. */
static double in_buffer(const fluid *f, double time) {
    return time < f->buffer_end ? time : f->buffer_end;
}

static void count_idle(fluid *f, double until) {
    const double end = in_buffer(f, until);
    f->idle_sum += f->idle * (end - f->idle_time);
    f->idle_time = end;
}

/* From now on: either all CPUs are in use, or each task that may run has a whole one. */
static void note_idle(fluid *f) {
    f->idle = f->running < f->cpus ? (double)(f->cpus - f->running) : 0.0;
    if (f->saturated < 0.0 && f->idle > 0.0) {
        f->saturated = f->time;
    }
}

static void count_lack(const fluid *f, fluid_project *project, double until) {
    const double lack = project->due - project->use, end = in_buffer(f, until);
    project->lack += lack > NOTHING ? lack * (end - project->lack_time) : 0.0;
    project->lack_time = end;
}

/* ---- The division of the CPUs ---- */

/* When a task of a project that uses CPUs ends. Rounding must not make it earlier than now. */
static double end_of(const fluid_project *project, const vcs_fluid_task *task) {
    const double left = task->end - project->base_progress;
    return project->base_time + (left > 0.0 ? left : 0.0) * project->pace;
}

/* When the next task of a project ends. */
static double next_end(const fluid_project *project) {
    return project->next == NULL || project->pace == VCS_INFINITY ? VCS_INFINITY : end_of(project, project->next);
}

/* From now on the running tasks of the project have what it uses in equal parts. */
static void set_pace(const fluid *f, fluid_project *project) {
    project->base_progress += (f->time - project->base_time) / project->pace;
    project->base_time = f->time;
    project->pace = project->use > 0.0 ? project->running / project->use : VCS_INFINITY;
}

/* The tournament of next ends is to be played afterwards. */
static void set_use(fluid *f, uint32_t place, double use) {
    fluid_project *project = &f->projects[place];
    count_lack(f, project, f->time);
    project->use = use;
    set_pace(f, project);
    vcs_tournament_put(f->next_ends, f->ends_width, place, next_end(project));
}

static double sum_of_weights(const fluid *f, const fluid_rank *rank) {
    double sum = 0.0;
    for (uint32_t i = 0; i < rank->open_count; i++) {
        sum += f->projects[rank->open[i]].weight;
    }
    return sum;
}

/* Those of a rank that are due as many CPUs as they can use get them, and leave the division. Returns how many do. */
static uint32_t fill_projects(fluid *f, fluid_rank *rank, double cpus, double sum) {
    uint32_t kept = 0, count = rank->open_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = rank->open[i];
        fluid_project *project = &f->projects[place];
        if (cpus * project->weight / sum >= project->running - NOTHING) {
            project->full = 1;
            rank->full_use += project->running;
            set_use(f, place, project->running);
        } else {
            rank->open[kept++] = place;
        }
    }
    rank->open_count = kept;
    return count - kept;
}

/* Divides CPUs among the projects of a rank; returns how many they leave. */
static uint64_t divide_in_rank(fluid *f, fluid_rank *rank, uint64_t cpus) {
    while (rank->open_count > 0) {
        const double left = (double)(cpus - rank->full_use), sum = sum_of_weights(f, rank);
        if (fill_projects(f, rank, left, sum) == 0) {
            for (uint32_t i = 0; i < rank->open_count; i++) {
                set_use(f, rank->open[i], left * f->projects[rank->open[i]].weight / sum);
            }
            return 0;
        }
    }
    return cpus - rank->full_use;
}

/* Everyone has what it can use. */
static int all_are_full(const fluid *f) {
    return f->ranks[0].open_count + f->ranks[1].open_count == 0;
}

static void divide(fluid *f) {
    uint64_t rest = f->cpus;
    for (uint32_t i = 0; i < RANKS; i++) {
        rest = divide_in_rank(f, &f->ranks[i], rest);
    }
    vcs_tournament_play(f->next_ends, f->ends_width);
}

/* ---- From one instant at which tasks end to the next ---- */

static uint32_t can_run(const fluid_project *project) {
    return project->unfinished < project->most ? project->unfinished : project->most;
}

/* A task of a project ends. */
static void end_task(const fluid *f, fluid_project *project, const vcs_fluid_task *task) {
    vcs_task_forecast forecast = {.finish = f->time, .verdict = VCS_VERDICT_MEETS};
    if (f->time > task->latest) {
        forecast.verdict = VCS_VERDICT_MISSES;
        project->misses++;
    }
    f->forecasts[task->job] = forecast;
    project->unfinished--;
}

/* All tasks of a project that end now; returns when the next one does. */
static double end_tasks_of(fluid *f, uint32_t place, double until) {
    fluid_project *project = &f->projects[place];
    vcs_fluid_task *task = project->next;
    double next;
    do {
        end_task(f, project, task);
        task = task->behind;
        next = task != NULL ? end_of(project, task) : VCS_INFINITY;
    } while (next <= until);
    project->next = task;
    if (project->unfinished < project->running) {
        f->changed[f->changed_count++] = place;
    }
    return next;
}

/* All tasks that end now; `first` is whose task does. */
static void end_tasks(fluid *f, vcs_player first, double until) {
    do {
        const double next = end_tasks_of(f, first.index, until);
        first = vcs_tournament_move_winner(f->next_ends, f->ends_width, next);
    } while (vcs_player_number(first) <= until);
}

/* A project can run fewer tasks than before. Returns whether the CPUs must be divided anew. */
static int run_fewer(fluid *f, uint32_t place) {
    fluid_project *project = &f->projects[place];
    uint32_t fewer = project->running - can_run(project);
    project->running -= fewer;
    f->running -= fewer;
    if (project->full) {
        f->ranks[project->rank].full_use -= fewer;
        count_lack(f, project, f->time);
        project->use = project->running;
        return 1;
    }
    if (project->use >= project->running - NOTHING) {
        return 1;
    }
    set_pace(f, project);
    vcs_tournament_set(f->next_ends, f->ends_width, place, next_end(project));
    return 0;
}

static void run_changed(fluid *f) {
    int must_divide = 0;
    count_idle(f, f->time);
    for (uint32_t i = 0; i < f->changed_count; i++) {
        must_divide |= run_fewer(f, f->changed[i]);
    }
    f->changed_count = 0;
    if (must_divide && !all_are_full(f)) {
        divide(f);
    }
    note_idle(f);
}

/* Returns whether it came to its end. */
static int run(fluid *f) {
    const vcs_parameters *parameters = &f->state->parameters;
    const uint64_t budget = parameters->step_budget != 0 ? parameters->step_budget : UINT64_MAX;
    const double horizon = parameters->horizon > 0.0 ? parameters->horizon : VCS_INFINITY;
    double same_instant = -1.0;
    while (f->running > 0) {
        const vcs_player first = vcs_tournament_winner(f->next_ends);
        const double next = vcs_player_number(first);
        if (next > same_instant) {
            if (f->steps == budget) {
                return 0;
            }
            f->steps++;
            if (next > horizon) {
                f->time = horizon;
                return 0;
            }
            f->time = next;
            same_instant = next + next * SAME_INSTANT;
        }
        end_tasks(f, first, same_instant);
        if (f->changed_count > 0) { /* mostly a waiting task takes the place of the one that ended */
            run_changed(f);
        }
    }
    return 1;
}

/* ---- Beginning and end ---- */

static int is_suspended(const vcs_project *project) {
    return (project->flags & VCS_PROJECT_SUSPENDED) != 0;
}

/* Of all projects that are not suspended, with or without tasks. */
static double sum_of_shares(const fluid *f) {
    const vcs_project *projects = vcs_projects(f->state);
    const uint32_t *order = vcs_piece(f->state, f->state->project_order);
    double sum = 0.0;
    for (uint32_t i = 0; i < f->state->project_count; i++) {
        sum += is_suspended(&projects[order[i]]) ? 0.0 : projects[order[i]].share;
    }
    return sum;
}

/* Every project, as yet without tasks. */
static void begin_projects(fluid *f) {
    const vcs_project *projects = vcs_projects(f->state);
    const double shares = sum_of_shares(f);
    f->ends_width = vcs_tournament_width(f->state->project_count);
    vcs_tournament_open(f->next_ends, f->state->project_count, f->ends_width);
    for (uint32_t i = 0; i < f->state->project_count; i++) {
        const vcs_project *from = &projects[i];
        fluid_project *to = &f->projects[i];
        const int is_backup = !(from->share > 0.0);
        const double fraction = is_backup || is_suspended(from) ? 0.0 : from->share / shares;
        *to = (fluid_project){
            .weight = is_backup ? 1.0 : from->share,
            .fraction = fraction,
            .due = f->cpus * fraction,
            .pace = VCS_INFINITY,
            .most = from->max_concurrent != 0 && from->max_concurrent < f->cpus ? from->max_concurrent : f->cpus,
            .rank = (uint32_t)is_backup,
        };
        vcs_tournament_put(f->next_ends, f->ends_width, i, VCS_INFINITY);
    }
}

/* In order of id: so sums over projects do not depend on the order of the records. */
static void start_projects(fluid *f) {
    const uint32_t *order = vcs_piece(f->state, f->state->project_order);
    for (uint32_t i = 0; i < f->state->project_count; i++) {
        fluid_project *project = &f->projects[order[i]];
        project->unfinished = project->tasks;
        project->running = can_run(project);
        if (project->running > 0) {
            fluid_rank *rank = &f->ranks[project->rank];
            rank->open[rank->open_count++] = order[i];
            f->running += project->running;
            project->next = vcs_order_ends(project->next, project->running, f->overtakers);
        }
    }
    divide(f);
    note_idle(f);
}

static void begin(fluid *f, vcs_state *state) {
    const vcs_counts counts = {
        .projects = state->project_count,
        .jobs = state->job_count,
        .instances = vcs_resources(state)[0].instances,
    };
    vcs_arena scratch = vcs_scratch(state);
    memset(f, 0, sizeof *f);
    f->state = state;
    f->forecasts = vcs_forecasts(state);
    f->buffer_end = state->parameters.min_buffer + state->parameters.additional_buffer;
    f->cpus = vcs_resources(state)[0].instances;
    f->saturated = -1.0;
    lay_out(f, &counts, &scratch);
    begin_projects(f);
    fill_queues(f);
    start_projects(f);
}

/* Tasks that did not end until the simulation stopped. */
static void report_unknown(const fluid *f) {
    for (uint32_t i = 0; i < f->state->project_count; i++) {
        const fluid_project *project = &f->projects[i];
        for (const vcs_fluid_task *task = project->next; task != NULL; task = task->behind) {
            f->forecasts[task->job] = (vcs_task_forecast){
                .finish = VCS_INFINITY,
                .verdict = VCS_VERDICT_UNKNOWN,
            };
        }
    }
}

/* GPUs have no tasks in this discipline, so they are idle, unless nothing may use them. */
static void report_resources(const fluid *f, double idle_now) {
    const vcs_prepared_resource *resources = vcs_resources(f->state);
    vcs_resource_forecast *forecasts = vcs_resource_forecasts(f->state);
    for (uint32_t i = 0; i < f->state->resource_count; i++) {
        const double idle = resources[i].suspended ? 0.0 : resources[i].instances;
        forecasts[i] = (vcs_resource_forecast){.shortfall = idle * f->buffer_end, .idle_now = idle};
    }
    forecasts[0].idle_now = idle_now;
    forecasts[0].shortfall = f->idle_sum;
    forecasts[0].saturated = f->saturated < 0.0 ? f->time : f->saturated;
}

/* A project without tasks lacks all that is its own by share, and that counts in device seconds (rule 13.3). */
static double lack_without_tasks(const fluid *f, const fluid_project *project, const vcs_prepared_resource *resource) {
    const double due = resource->suspended ? 0.0 : resource->instances * project->fraction;
    return f->buffer_end * resource->usable * due;
}

static void report_pairs(const fluid *f, double until, vcs_wrr_summary *summary) {
    const vcs_prepared_resource *resources = vcs_resources(f->state);
    const uint32_t resource_count = f->state->resource_count;
    vcs_pair_forecast *pairs = vcs_pair_forecasts(f->state);
    for (uint32_t i = 0; i < f->state->project_count; i++, pairs += resource_count) {
        fluid_project *project = &f->projects[i];
        count_lack(f, project, until);
        pairs[0].shortfall = project->tasks > 0 ? project->lack : lack_without_tasks(f, project, &resources[0]);
        pairs[0].tasks = project->tasks;
        pairs[0].misses = project->misses;
        for (uint32_t r = 1; r < resource_count; r++) {
            pairs[r].shortfall = lack_without_tasks(f, project, &resources[r]);
        }
        summary->misses += project->misses;
        summary->unknown += project->unfinished;
    }
}

/* What each project uses from the start. */
static void report_first_use(const fluid *f) {
    vcs_pair_forecast *pairs = vcs_pair_forecasts(f->state);
    for (uint32_t i = 0; i < f->state->project_count; i++, pairs += f->state->resource_count) {
        pairs[0].used_now = f->projects[i].use;
    }
}

void vcs_wrr_fluid(vcs_state *state, vcs_wrr_summary *summary) {
    fluid f;
    begin(&f, state);
    const double idle_now = f.idle;
    report_first_use(&f);
    const int ended = run(&f);
    const double until = ended ? VCS_INFINITY : f.time;
    count_idle(&f, until);
    if (!ended) {
        report_unknown(&f);
    }
    report_resources(&f, idle_now);
    report_pairs(&f, until, summary);
    summary->flags = ended ? 0 : VCS_SIMULATION_STOPPED;
    summary->reached = f.time;
    summary->steps = f.steps;
}
