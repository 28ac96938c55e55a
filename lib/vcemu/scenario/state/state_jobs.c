/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_jobs.h"

#include <math.h>
#include <stdlib.h>

/* Limits of libvcemu. */
#define MOST_OPERATIONS 1e30
#define LEAST_BOUND 1.0

/* Tasks with equal fields up to `gpus` are jobs of one kind. */
struct kind {
    uint32_t project, app, gpu;
    double cpus, gpus;
    uint32_t task;
};

/* ---- projects that describe their jobs ---- */

bool vcs_scn_state_says_jobs(const struct state_file *state, uint32_t app) {
    static const char *const keys[] = {"latency_bound", "est_flops", "mean_flops", "sizes"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (vcs_scn_ini_entry(&state->document, state->sections[STATE_APP][app], keys[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static void find_silent(struct state_file *state, bool *says) {
    for (uint32_t i = 0; i < state->counts[STATE_APP]; i++) {
        if (vcs_scn_state_says_jobs(state, i)) {
            says[state->apps[i].project] = true;
        } else {
            state->models[i].weight = 0; /* sends nothing */
            state->models[i].latency_bound = LEAST_BOUND;
        }
    }
}

/* ---- the tasks by kind ---- */

static int compare_numbers(double a, double b) {
    return (a > b) - (a < b);
}

static int compare(const void *first, const void *second) {
    const struct kind *a = first, *b = second;
    int order = compare_numbers(a->project, b->project);
    order = order != 0 ? order : compare_numbers(a->app, b->app);
    order = order != 0 ? order : compare_numbers(a->gpu, b->gpu);
    order = order != 0 ? order : compare_numbers(a->cpus, b->cpus);
    return order != 0 ? order : compare_numbers(a->gpus, b->gpus);
}

static int compare_tasks(const void *first, const void *second) {
    const struct kind *a = first, *b = second;
    const int order = compare(first, second);
    return order != 0 ? order : compare_numbers(a->task, b->task);
}

/* A task without a length is no model for jobs. */
static uint32_t list_kinds(const struct state_file *state, const bool *says, struct kind *kinds) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->counts[STATE_TASK]; i++) {
        const vcs_task *task = &state->tasks[i];
        if (!says[task->project] && state->wholes[i].seconds > 0) {
            kinds[count++] = (struct kind){task->project, task->app, task->gpu, task->cpus, task->gpus, i};
        }
    }
    qsort(kinds, count, sizeof *kinds, compare_tasks);
    return count;
}

/* ---- the jobs of one kind ---- */

static double clamp(double value, double least, double most) {
    return value < least ? least : value > most ? most : value;
}

double vcs_scn_state_jobs_speed(const struct state_file *state, double cpus, uint32_t gpu, double gpus) {
    double speed = cpus * state->resources[0].flops;
    if (gpu != 0) {
        speed += gpus * state->resources[gpu].flops;
    }
    return speed > 0 ? speed : state->resources[0].flops;
}

/* Factor from est_flops / flops to the estimate of the whole job (rule 2.1). */
static double correction_of(const struct state_file *state, const vcs_app *app) {
    const vcs_project *project = &state->projects[app->project];
    const double dcf = app->dcf > 0 ? app->dcf : project->dcf;
    return (state->parameters.use_dcf && dcf > 0 ? dcf : 1) / (project->efficiency > 0 ? project->efficiency : 1);
}

/* Time from sending to deadline: the mean over tasks with a deadline. */
static double mean_bound(const struct state_file *state, const struct kind *kinds, uint32_t count) {
    double sum = 0;
    uint32_t due = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double bound = state->wholes[kinds[i].task].bound;
        if (isfinite(bound) && bound > 0) {
            sum += bound;
            due++;
        }
    }
    return due == 0 ? VCS_MAX_SECONDS : clamp(sum / due, LEAST_BOUND, VCS_MAX_SECONDS);
}

/* Jobs of the sizes that the client expects of the tasks, estimated in the same way. They tell exactly how far they
   are if all of the tasks do. */
static bool fill_model(struct state_file *state, const struct kind *kinds, uint32_t count, const vcs_app *app,
                       vcs_job_model *model) {
    const double speed = vcs_scn_state_jobs_speed(state, kinds->cpus, kinds->gpu, kinds->gpus);
    double sum = 0, said = 0;
    *model = (vcs_job_model){
        .latency_bound = mean_bound(state, kinds, count),
        .cpus = kinds->cpus,
        .gpus = kinds->gpus,
        .gpu = kinds->gpu,
        .weight = count,
        .distribution = VCS_SIZES_LIST,
        .first_size = state->sizes.count,
        .size_count = count,
        .flags = VCS_JOB_MODEL_EXACT,
    };
    for (uint32_t i = 0; i < count; i++) {
        const double size = clamp(state->wholes[kinds[i].task].seconds * speed, 0, MOST_OPERATIONS);
        const double ram = state->tasks[kinds[i].task].ram;
        sum += size / count;
        said += clamp(state->wholes[kinds[i].task].said * speed, 0, MOST_OPERATIONS) / count;
        model->flags = state->wholes[kinds[i].task].exact ? model->flags : 0;
        model->ram = ram > model->ram ? ram : model->ram;
        if (!vcs_scn_state_list_add(&state->sizes, size)) {
            return false;
        }
    }
    model->mean_flops = sum;
    model->est_flops = clamp(said / correction_of(state, app), 0, MOST_OPERATIONS);
    return true;
}

/* ---- all kinds ---- */

/* Adds what the file says of an application for its copy. What the copy's tasks use, they say themselves. */
static bool copy_app_resources(struct state_file *state, uint32_t app, uint32_t copy) {
    for (uint32_t i = 0; i < state->app_resource_count; i++) {
        if (state->app_resources[i].app != app) {
            continue;
        }
        const size_t count = (size_t)state->app_resource_count + state->alike_resources++;
        vcs_app_resource *more = realloc(state->app_resources, (count + 1) * sizeof *more);
        if (more == NULL) {
            return false;
        }
        more[count] = more[i];
        more[count].app = copy;
        more[count].use = 0;
        state->app_resources = more;
    }
    return true;
}

/* The first kind of an application keeps it; further kinds get new applications. VCS_NONE: no
   memory. */
static uint32_t app_of(struct state_file *state, const struct kind *kind) {
    if (kind->app != VCS_NONE && state->models[kind->app].weight == 0) {
        return kind->app;
    }
    const uint32_t index = state->app_count++;
    state->apps[index] = kind->app != VCS_NONE ? state->apps[kind->app] : (vcs_app){.project = kind->project};
    state->apps[index].id = index;
    state->alike[index] = kind->task;
    return kind->app == VCS_NONE || copy_app_resources(state, kind->app, index) ? index : VCS_NONE;
}

static bool add_kinds(struct state_file *state, const struct kind *kinds, uint32_t count) {
    for (uint32_t first = 0, next; first < count; first = next) {
        next = first + 1;
        while (next < count && compare(&kinds[first], &kinds[next]) == 0) {
            next++;
        }
        const uint32_t app = app_of(state, &kinds[first]);
        if (app == VCS_NONE ||
            !fill_model(state, &kinds[first], next - first, &state->apps[app], &state->models[app])) {
            return false;
        }
    }
    return true;
}

static bool allocate(struct state_file *state, uint32_t count) {
    const size_t most = (size_t)state->counts[STATE_APP] + count + 1;
    vcs_app *apps = realloc(state->apps, most * sizeof *apps);
    state->apps = apps != NULL ? apps : state->apps;
    vcs_job_model *models = realloc(state->models, most * sizeof *models);
    state->models = models != NULL ? models : state->models;
    state->alike = malloc(most * sizeof *state->alike);
    return apps != NULL && models != NULL && state->alike != NULL;
}

bool vcs_scn_state_jobs_complete(struct state_file *state, struct fault *fault) {
    bool *says = calloc((size_t)state->counts[STATE_PROJECT] + 1, sizeof *says);
    struct kind *kinds = malloc(((size_t)state->counts[STATE_TASK] + 1) * sizeof *kinds);
    bool done = says != NULL && kinds != NULL;
    state->app_count = state->counts[STATE_APP];
    if (done) {
        find_silent(state, says);
        const uint32_t count = list_kinds(state, says, kinds);
        done = allocate(state, count) && add_kinds(state, kinds, count);
    }
    free(says);
    free(kinds);
    return done || vcs_scn_fault_memory(fault, state->document.file);
}
