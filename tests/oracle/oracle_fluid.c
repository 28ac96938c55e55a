/*
 * Rules 4.2, 4.6 and 13.2: the fluid discipline, as plain as it can be.
 *
 * SPDX-License-Identifier: MIT
 */
#include "oracle/oracle_fluid.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "oracle/oracle_records.h"

/* Differences of use or share below this are rounding. */
#define NOTHING 1e-9

/* A task that takes part. Each uses one CPU. */
typedef struct job {
    const vcs_task *task;
    uint32_t index;   /* of the task in the snapshot */
    double remaining; /* wall time it still needs when a whole CPU is its own */
    double finish;
    bool finished;
} job;

typedef struct simulation {
    const vcs_snapshot *snapshot;
    const vcs_parameters *parameters;
    uint32_t projects;
    uint32_t *by_id; /* the projects in order of their id */
    double cpus;
    job *jobs; /* in order of arrival */
    uint32_t job_count;
    double time;
    uint64_t steps;
    /* the present moment, by project */
    double *can_use; /* CPUs that its tasks can use */
    double *use;     /* CPUs that it gets */
    /* the outcome */
    double idle_sum;
    double idle_now;
    double *used_now; /* by project; CPUs */
    double saturated; /* -1 while no CPU has ever been idle */
    double *lack_sum; /* by project */
} simulation;

/* The beginning */

static int compare_arrival(const void *a, const void *b) {
    return oracle_arrives_before(((const job *)a)->task, ((const job *)b)->task) ? -1 : 1;
}

static void begin_jobs(simulation *s) {
    s->jobs = oracle_allocate(s->snapshot->tasks.count, sizeof *s->jobs);
    for (uint32_t i = 0; i < s->snapshot->tasks.count; i++) {
        const vcs_task *task = oracle_task(s->snapshot, i);
        if (oracle_takes_part(s->snapshot, task)) {
            double remaining = oracle_run_seconds(s->snapshot, task);
            s->jobs[s->job_count++] = (job){.task = task, .index = i, .remaining = remaining};
        }
    }
    qsort(s->jobs, s->job_count, sizeof *s->jobs, compare_arrival);
}

static simulation begin(const vcs_snapshot *snapshot, const vcs_parameters *parameters) {
    simulation s = {
        .snapshot = snapshot,
        .parameters = parameters,
        .projects = snapshot->projects.count,
        .by_id = oracle_projects_by_id(snapshot),
        .cpus = oracle_resource(snapshot, 0)->instances,
        .can_use = oracle_allocate(snapshot->projects.count, sizeof(double)),
        .use = oracle_allocate(snapshot->projects.count, sizeof(double)),
        .saturated = -1,
        .used_now = oracle_allocate(snapshot->projects.count, sizeof(double)),
        .lack_sum = oracle_allocate(snapshot->projects.count, sizeof(double)),
    };
    begin_jobs(&s);
    return s;
}

static void end(simulation *s) {
    free(s->by_id);
    free(s->jobs);
    free(s->can_use);
    free(s->use);
    free(s->used_now);
    free(s->lack_sum);
}

/* Who runs */

/* How many tasks of the project run: its first unfinished tasks, one for each CPU, within its limit. */
static uint32_t running(const simulation *s, uint32_t project) {
    uint32_t unfinished = 0;
    for (uint32_t i = 0; i < s->job_count; i++) {
        unfinished += s->jobs[i].task->project == project && !s->jobs[i].finished;
    }
    uint32_t most = oracle_resource(s->snapshot, 0)->instances;
    uint32_t limit = oracle_project(s->snapshot, project)->max_concurrent;
    if (limit != 0 && limit < most) {
        most = limit;
    }
    return unfinished < most ? unfinished : most;
}

/*
 * Divides `rest` CPUs among the projects that still have room, in proportion to their weights: a project that is due as
 * much as it can use gets that and leaves the round, and the rest is divided again. Returns the unused CPUs.
 */
static double fill(simulation *s, double rest, const double *weight) {
    for (;;) {
        double sum = 0;
        for (uint32_t i = 0; i < s->projects; i++) {
            uint32_t p = s->by_id[i];
            sum += s->use[p] < s->can_use[p] ? weight[p] : 0;
        }
        if (sum == 0) {
            return rest;
        }
        double divided = rest;
        bool any_full = false;
        for (uint32_t i = 0; i < s->projects; i++) {
            uint32_t p = s->by_id[i];
            bool has_room = weight[p] > 0 && s->use[p] < s->can_use[p];
            if (has_room && divided * weight[p] / sum >= s->can_use[p] - NOTHING) {
                s->use[p] = s->can_use[p];
                rest -= s->can_use[p];
                any_full = true;
            }
        }
        if (!any_full) {
            for (uint32_t p = 0; p < s->projects; p++) {
                bool has_room = weight[p] > 0 && s->use[p] < s->can_use[p];
                s->use[p] = has_room ? rest * weight[p] / sum : s->use[p];
            }
            return 0;
        }
    }
}

/* The share of a project that counts: if not 0, at least the least number that is not denormal. */
static double share_of(const vcs_project *project) {
    return project->share > 0 ? fmax(project->share, DBL_MIN) : 0;
}

/* Projects with a share divide the CPUs first, by share; projects without get the rest, in equal parts. */
static void divide(simulation *s) {
    double *share = oracle_allocate(s->projects, sizeof *share);
    double *backup = oracle_allocate(s->projects, sizeof *backup);
    for (uint32_t p = 0; p < s->projects; p++) {
        share[p] = share_of(oracle_project(s->snapshot, p));
        backup[p] = share[p] == 0 ? 1 : 0;
        s->can_use[p] = running(s, p);
        s->use[p] = 0;
    }
    double rest = fill(s, s->cpus, share);
    if (rest > NOTHING) {
        fill(s, rest, backup);
    }
    free(share);
    free(backup);
}

/* The part of a CPU that a task gets; 0 if it does not run. */
static double rate(const simulation *s, const job *j) {
    uint32_t project = j->task->project;
    uint32_t before = 0;
    for (const job *other = s->jobs; other < j; other++) {
        before += other->task->project == project && !other->finished;
    }
    return !j->finished && before < running(s, project) ? s->use[project] / s->can_use[project] : 0;
}

/* What lies idle and what lacks */

static double idle(const simulation *s) {
    double rest = s->cpus;
    for (uint32_t i = 0; i < s->projects; i++) {
        rest -= s->use[s->by_id[i]];
    }
    return rest > NOTHING ? rest : 0;
}

static void note_idle(simulation *s) {
    if (s->steps == 0) {
        s->idle_now = idle(s);
        for (uint32_t p = 0; p < s->projects; p++) {
            s->used_now[p] = s->use[p];
        }
    }
    if (idle(s) > 0 && s->saturated < 0) {
        s->saturated = s->time;
    }
}

/* Part of the shares of all projects that are not suspended. */
static double share_fraction(const simulation *s, uint32_t project) {
    double sum = 0;
    for (uint32_t i = 0; i < s->projects; i++) {
        const vcs_project *other = oracle_project(s->snapshot, s->by_id[i]);
        sum += (other->flags & VCS_PROJECT_SUSPENDED) == 0 ? share_of(other) : 0;
    }
    bool suspended = (oracle_project(s->snapshot, project)->flags & VCS_PROJECT_SUSPENDED) != 0;
    return suspended || sum == 0 ? 0 : share_of(oracle_project(s->snapshot, project)) / sum;
}

/* Sums up what lies idle and what each project lacks from now for `duration`, as far as the buffer goes. */
static void sum_shortfall(simulation *s, double duration) {
    double part = fmin(duration, oracle_buffer(s->parameters) - s->time);
    if (part <= 0) {
        return;
    }
    s->idle_sum += idle(s) * part;
    for (uint32_t p = 0; p < s->projects; p++) {
        double lack = s->cpus * share_fraction(s, p) - s->use[p];
        s->lack_sum[p] += lack > NOTHING ? lack * part : 0;
    }
}

/* From one end of a task to the next */

static double next_end(const simulation *s) {
    double next = INFINITY;
    for (uint32_t i = 0; i < s->job_count; i++) {
        double part = rate(s, &s->jobs[i]);
        if (part > 0) {
            next = fmin(next, s->jobs[i].remaining / part);
        }
    }
    return next;
}

/* All running tasks get on; tasks that end just then are finished. */
static void advance(simulation *s, double duration, bool to_next_end) {
    double *part = oracle_allocate(s->job_count, sizeof *part);
    for (uint32_t i = 0; i < s->job_count; i++) {
        part[i] = rate(s, &s->jobs[i]);
    }
    sum_shortfall(s, duration);
    s->time += duration;
    s->steps++;
    for (uint32_t i = 0; i < s->job_count; i++) {
        job *j = &s->jobs[i];
        if (to_next_end && part[i] > 0 && j->remaining / part[i] <= duration) {
            j->finished = true;
            j->finish = s->time;
        }
        j->remaining = fmax(0, j->remaining - part[i] * duration);
    }
    free(part);
}

/* False if it stopped before its end. */
static bool run(simulation *s) {
    const vcs_parameters *parameters = s->parameters;
    for (;;) {
        divide(s);
        note_idle(s);
        double duration = next_end(s);
        if (isinf(duration)) {
            sum_shortfall(s, INFINITY);
            return true;
        }
        if (parameters->step_budget > 0 && s->steps == parameters->step_budget) {
            return false;
        }
        if (parameters->horizon > 0 && s->time + duration > parameters->horizon) {
            advance(s, parameters->horizon - s->time, false);
            return false;
        }
        advance(s, duration, true);
    }
}

/* The outcome */

static void report_tasks(const simulation *s, double now, oracle_wrr *outcome) {
    const vcs_parameters *parameters = s->parameters;
    for (uint32_t i = 0; i < s->snapshot->tasks.count; i++) {
        outcome->tasks[i].finish = INFINITY;
        outcome->tasks[i].verdict = VCS_VERDICT_SUSPENDED;
    }
    for (uint32_t i = 0; i < s->job_count; i++) {
        const job *j = &s->jobs[i];
        vcs_task_forecast *forecast = &outcome->tasks[j->index];
        if (!j->finished) {
            forecast->verdict = VCS_VERDICT_UNKNOWN;
            continue;
        }
        double time_left = j->task->deadline - parameters->min_buffer - parameters->period - now;
        forecast->finish = j->finish;
        forecast->verdict = j->finish > parameters->miss_fraction * time_left ? VCS_VERDICT_MISSES : VCS_VERDICT_MEETS;
    }
}

/* GPUs have no task in this discipline. */
static void report_resources(const simulation *s, oracle_wrr *outcome) {
    double buffer = oracle_buffer(s->parameters);
    for (uint32_t r = 1; r < s->snapshot->resources.count; r++) {
        const vcs_resource *gpu = oracle_resource(s->snapshot, r);
        bool suspended = (gpu->flags & VCS_RESOURCE_SUSPENDED) != 0;
        outcome->resources[r].idle_now = suspended ? 0 : gpu->instances;
        outcome->resources[r].shortfall = suspended ? 0 : gpu->instances * buffer;
    }
    outcome->resources[0].shortfall = s->idle_sum;
    outcome->resources[0].idle_now = s->idle_now;
    outcome->resources[0].saturated = s->saturated < 0 ? s->time : s->saturated;
}

static bool has_job(const simulation *s, uint32_t project, uint32_t resource) {
    for (uint32_t i = 0; i < s->job_count; i++) {
        if (s->jobs[i].task->project == project && oracle_resource_of(s->jobs[i].task) == resource) {
            return true;
        }
    }
    return false;
}

/* A project without tasks lacks device seconds, so to say: the usable fraction scales its shortfall (rule 13.3). */
static void report_project_resources(const simulation *s, oracle_wrr *outcome) {
    double buffer = oracle_buffer(s->parameters);
    for (uint32_t p = 0; p < s->projects; p++) {
        for (uint32_t r = 0; r < s->snapshot->resources.count; r++) {
            const vcs_resource *resource = oracle_resource(s->snapshot, r);
            vcs_project_resource_forecast *forecast = &outcome->project_resources[p * s->snapshot->resources.count + r];
            forecast->used_now = r == 0 ? s->used_now[p] : 0;
            if (has_job(s, p, r)) {
                forecast->shortfall = s->lack_sum[p];
            } else if ((resource->flags & VCS_RESOURCE_SUSPENDED) == 0) {
                forecast->shortfall = buffer * resource->usable * resource->instances * share_fraction(s, p);
            }
        }
    }
}

oracle_wrr oracle_fluid(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now) {
    oracle_wrr outcome = oracle_wrr_new(snapshot);
    simulation s = begin(snapshot, parameters);
    bool ended = run(&s);
    outcome.summary.flags = ended ? 0 : VCS_SIMULATION_STOPPED;
    outcome.summary.simulated_until = s.time;
    outcome.summary.steps = s.steps;
    report_tasks(&s, now, &outcome);
    report_resources(&s, &outcome);
    report_project_resources(&s, &outcome);
    oracle_wrr_count(&outcome, snapshot);
    end(&s);
    return outcome;
}
