/* SPDX-License-Identifier: MIT */
#include "support/array.h"
#include "support/random_state.h"

#include "vcsched/core/number.h" /* switches contraction off, so that the states are the same everywhere */

#include <math.h>
#include <stdbool.h>
#include <string.h>

/*
 * The random numbers: splitmix64, whose outputs are all distinct, so that they serve as ids too. No expression draws
 * twice unless the language fixes which draw comes first.
 */

typedef struct random_stream {
    uint64_t state;
} random_stream;

static uint64_t next(random_stream *r) {
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* 0 ... count - 1 */
static uint32_t below(random_stream *r, uint32_t count) {
    return (uint32_t)((next(r) >> 32) * count >> 32);
}

static double fraction(random_stream *r) {
    return (double)(next(r) >> 11) * 0x1p-53;
}

static bool chance(random_stream *r, double probability) {
    return fraction(r) < probability;
}

static double one_of(random_stream *r, const double *values, uint32_t count) {
    return values[below(r, count)];
}

#define ONE_OF(r, ...)                                                                                                 \
    one_of(r, (const double[]){__VA_ARGS__}, (uint32_t)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)))

/* What all records of one state have in common, so that some states are plain and some are odd in one way only. */
typedef struct flavour {
    bool large;
    bool extreme;       /* numbers at the ends of their ranges */
    bool cpu_tasks;     /* no task for a GPU */
    bool one_cpu_tasks; /* and none that uses more or less than one CPU */
    bool equal_shares;
    bool real_shares;
    bool no_rec;
    bool equal_rec;
    bool classes;
    bool project_limits;
    bool app_limits;
    bool exclusions;
    bool suspensions;
    bool long_tasks;
    bool few_lengths;
    bool few_deadlines;
    bool slack_deadlines;
    bool fraction_of_now;
} flavour;

static flavour draw_flavour(random_stream *r, random_kind kind) {
    flavour f = {0};
    bool plain = chance(r, 0.2); /* the commonest host has a way of its own through the library */
    f.large = chance(r, 0.02);
    f.extreme = chance(r, 0.03);
    f.cpu_tasks = chance(r, 0.3) || plain || kind == RANDOM_FLUID;
    f.one_cpu_tasks = chance(r, 0.4) || plain || kind == RANDOM_FLUID;
    f.equal_shares = chance(r, 0.25);
    f.real_shares = chance(r, 0.25);
    f.no_rec = chance(r, 0.25);
    f.equal_rec = chance(r, 0.2);
    f.classes = chance(r, 0.25);
    f.project_limits = chance(r, 0.3) && !plain;
    f.app_limits = chance(r, 0.3) && !plain && kind != RANDOM_FLUID;
    f.exclusions = chance(r, 0.3);
    f.suspensions = chance(r, 0.4);
    f.long_tasks = chance(r, 0.2);
    f.few_lengths = chance(r, 0.4);
    f.few_deadlines = chance(r, 0.3);
    f.slack_deadlines = chance(r, 0.4);
    f.fraction_of_now = chance(r, 0.5);
    return f;
}

/* Parameters */

static void fill_parameters(random_stream *r, const flavour *f, random_kind kind, vcs_parameters *p) {
    vcs_parameters_init(p, sizeof *p, below(r, VCS_PROFILE_CURRENT + 1));
    p->discipline = kind == RANDOM_FLUID ? VCS_DISCIPLINE_FLUID : VCS_DISCIPLINE_SLICED;
    p->accounting = chance(r, 0.5) ? VCS_ACCOUNTING_GLOBAL : VCS_ACCOUNTING_LOCAL;
    p->freeze_rec = chance(r, 0.2);
    p->cpu_fit = chance(r, 0.3) ? VCS_CPU_FIT_ANY : VCS_CPU_FIT_FRACTION;
    p->cushion_min_buffer = chance(r, 0.5);
    p->deadline_origin = chance(r, 0.2) ? VCS_ORIGIN_START : VCS_ORIGIN_NOW;
    p->step_budget = chance(r, f->large ? 0.3 : 0.1) ? 1 + below(r, f->large ? 250 : 20) : 0;
    p->period = ONE_OF(r, 3600, 3600, 60, 86400);
    p->min_buffer = chance(r, 0.2) ? 20000 * fraction(r) : ONE_OF(r, 0, 100, 8640, 43200);
    p->additional_buffer = chance(r, 0.2) ? 100000 * fraction(r) : ONE_OF(r, 0, 1000, 21600, 1e6);
    p->rec_half_life = ONE_OF(r, 864000, 864000, 86400, 3600);
    p->deadline_cushion = ONE_OF(r, 0, 180, 1000);
    p->miss_fraction = ONE_OF(r, 1, 0.9, 0.5);
    if (f->extreme && chance(r, 0.5)) {
        p->period = ONE_OF(r, 1e-3, 1e12);
        p->rec_half_life = ONE_OF(r, 1, 1e12);
        p->additional_buffer = ONE_OF(r, 0, 1e10);
    }
    p->horizon = chance(r, 0.1) ? ONE_OF(r, 1e-9, 60, 1000, 20000, 100000, 1e7) : 0;
}

/* Records */

static uint32_t draw_instances(random_stream *r, const flavour *f) {
    if (f->large) {
        return (uint32_t)ONE_OF(r, 4, 16, 64, 128);
    }
    return chance(r, 0.06) ? (uint32_t)ONE_OF(r, 63, 64, 65, 128) : 1 + below(r, 8);
}

static void fill_resource(random_stream *r, const flavour *f, vcs_resource *resource, uint32_t index) {
    resource->id = next(r);
    resource->flops = chance(r, 0.7) ? ONE_OF(r, 1e9, 3e9, 1e10, 1e12) : 1e9 + 1e10 * fraction(r);
    resource->usable = chance(r, 0.7) ? ONE_OF(r, 1, 1, 0.8, 0.5, 1.0 / 3, 0.01) : 0.05 + 0.95 * fraction(r);
    if (f->extreme && chance(r, 0.5)) {
        resource->flops = ONE_OF(r, 1e-3, 1e30);
        resource->usable = ONE_OF(r, 1e-9, 1);
    }
    resource->instances = draw_instances(r, f);
    if (index > 0 && resource->instances > VCS_MAX_GPU_INSTANCES) {
        resource->instances = VCS_MAX_GPU_INSTANCES;
    }
    resource->flags = index > 0 && f->suspensions && chance(r, 0.2) ? VCS_RESOURCE_SUSPENDED : 0;
}

static double draw_share(random_stream *r, const flavour *f) {
    if (f->extreme) {
        return ONE_OF(r, 0, 1e-30, 1, 1e30);
    }
    if (f->equal_shares) {
        return 100;
    }
    return f->real_shares && chance(r, 0.8) ? 1000 * fraction(r) : ONE_OF(r, 0, 1, 1, 2, 100);
}

static double draw_rec(random_stream *r, const flavour *f) {
    if (f->extreme) {
        return ONE_OF(r, 0, 1e-30, 1, 1e30);
    }
    if (f->no_rec) {
        return 0;
    }
    return f->equal_rec ? 1000 : chance(r, 0.2) ? 0 : 1e5 * fraction(r);
}

static void fill_project(random_stream *r, const flavour *f, vcs_project *project) {
    project->id = next(r);
    project->share = draw_share(r, f);
    project->rec = draw_rec(r, f);
    project->short_term_debt = 1000 * (fraction(r) - 0.5);
    project->long_term_debt = 1000 * (fraction(r) - 0.5);
    project->exp_avg_cpu = 1000 * fraction(r);
    project->priority_class = f->classes ? (int32_t)below(r, 3) - 1 : 0;
    project->max_concurrent = f->project_limits ? below(r, 4) : 0;
    project->flags = f->suspensions && chance(r, 0.15) ? VCS_PROJECT_SUSPENDED : 0;
}

/* Bits of instances that there are. Now and then all of them. */
static uint64_t draw_exclusion(random_stream *r, const flavour *f, const vcs_resource *resource, uint32_t index) {
    if (index == 0 || !f->exclusions || chance(r, 0.4)) {
        return 0;
    }
    uint64_t all = UINT64_MAX >> (64 - resource->instances);
    return chance(r, 0.1) ? all : next(r) & all;
}

/* Not every pair is given, so that those which are not count as 0. */
static uint32_t fill_project_resources(random_stream *r, const flavour *f, random_state *s, uint32_t projects,
                                       uint32_t resources) {
    uint32_t count = 0;
    for (uint32_t project = 0; project < projects; project++) {
        for (uint32_t resource = 0; resource < resources; resource++) {
            if (chance(r, 0.8)) {
                vcs_project_resource *pair = &s->project_resources[count++];
                pair->id = next(r);
                pair->project = project;
                pair->resource = resource;
                pair->rec = draw_rec(r, f);
                pair->excluded = draw_exclusion(r, f, &s->resources[resource], resource);
            }
        }
    }
    return count;
}

static void fill_app(random_stream *r, const flavour *f, vcs_app *app, uint32_t projects) {
    app->id = next(r);
    app->project = below(r, projects);
    app->max_concurrent = f->app_limits ? below(r, 4) : 0;
}

/* An application of the task's project, or none. */
static uint32_t draw_app(random_stream *r, const random_state *s, uint32_t apps, uint32_t project) {
    for (uint32_t attempt = 0; attempt < 4 && apps > 0; attempt++) {
        uint32_t app = below(r, apps);
        if (s->apps[app].project == project) {
            return app;
        }
    }
    return VCS_NONE;
}

static double draw_use(random_stream *r, const vcs_resource *resource) {
    if (chance(r, 0.02)) {
        return resource->instances + ONE_OF(r, 0.5, 1, 10);
    }
    if (chance(r, 0.1)) {
        return 3 * fraction(r);
    }
    return ONE_OF(r, 0.1, 0.25, 1.0 / 3, 0.5, 1, 1, 1, 1.5, 2, 4);
}

static double draw_remaining(random_stream *r, const flavour *f) {
    if (f->extreme && chance(r, 0.3)) {
        return ONE_OF(r, 1e-30, 1e11, 1e12);
    }
    if (f->long_tasks && chance(r, 0.1)) {
        return ONE_OF(r, 1e6, 1e7, 1e9);
    }
    if (f->few_lengths) {
        return ONE_OF(r, 0, 60, 100, 3600, 36000);
    }
    if (chance(r, 0.5)) {
        return ONE_OF(r, 0, 4e-7, 1e-6, 1, 10, 100, 1000, 3600, 3600.000001, 7200, 36000, 36000.000001, 72000);
    }
    double longest = chance(r, 0.5) ? 1000 : 50000;
    return longest * fraction(r);
}

/* A multiple of the time that the task needs alone; or anything. */
static double draw_deadline(random_stream *r, const flavour *f, const random_state *s, const vcs_task *task) {
    if (chance(r, 0.1)) {
        return INFINITY;
    }
    if (f->slack_deadlines) {
        double alone = task->remaining / s->resources[task->gpu].usable;
        return s->now + s->parameters.min_buffer + alone * ONE_OF(r, 1, 2, 4, 8, 16, 32);
    }
    if (f->few_deadlines) {
        return s->now + ONE_OF(r, -1000, 3600, 36000, 86400);
    }
    if (chance(r, 0.5)) {
        return s->now + ONE_OF(r, -1e9, -1, 0, 100, 1000, 3600, 12240, 36000, 86400, 1e6);
    }
    double latest = chance(r, 0.5) ? 20000 : 200000;
    return s->now + latest * fraction(r);
}

static uint32_t draw_task_flags(random_stream *r, const flavour *f) {
    uint32_t running = chance(r, 0.3) ? VCS_TASK_RUNNING | VCS_TASK_STARTED : 0;
    return running | (f->suspensions && chance(r, 0.1) ? VCS_TASK_SUSPENDED : 0);
}

static void draw_uses(random_stream *r, const flavour *f, const random_state *s, vcs_task *task) {
    task->cpus = 1;
    task->gpu = !f->cpu_tasks && chance(r, 0.5) ? below(r, s->snapshot.resources.count) : 0;
    if (task->gpu != 0) {
        task->gpus = f->one_cpu_tasks ? 1 : chance(r, 0.01) ? 1e-8 : draw_use(r, &s->resources[task->gpu]);
        task->cpus = chance(r, 0.3) ? 0 : draw_use(r, &s->resources[0]);
    } else if (!f->one_cpu_tasks) {
        task->cpus = chance(r, 0.03) ? 0 : draw_use(r, &s->resources[0]);
    }
}

static void fill_task(random_stream *r, const flavour *f, const random_state *s, vcs_task *task) {
    task->id = next(r);
    task->project = below(r, s->snapshot.projects.count);
    task->app = draw_app(r, s, s->snapshot.apps.count, task->project);
    task->flags = draw_task_flags(r, f);
    draw_uses(r, f, s, task);
    task->remaining = draw_remaining(r, f);
    task->deadline = draw_deadline(r, f, s, task);
    task->received = chance(r, 0.5) ? s->now - ONE_OF(r, 0, 10, 1000) : s->now - 100000 * fraction(r);
    task->running_since = s->now;
}

/* What is looked at to fetch work alone */

static double draw_time(random_stream *r, const random_state *s) {
    return chance(r, 0.6) ? 0 : s->now + ONE_OF(r, -1000, -1, 0, 1, 30, 1000, 1e5);
}

static void fill_fetch_parameters(random_stream *r, vcs_parameters *p) {
    p->work_fetch = below(r, VCS_WORK_FETCH_ORIGINAL + 1);
    p->max_runnable = chance(r, 0.2) ? 1 + below(r, 10) : 1000;
    p->max_uploads = chance(r, 0.2) ? 0 : 2;
    p->backup_lead = ONE_OF(r, 0, 180, 180, 5000);
    p->look_interval = ONE_OF(r, 0, 60, 600);
    p->least_buffer = ONE_OF(r, 0, 0, 180, 10000);
    p->least_shortfall = ONE_OF(r, 0, 0, 0.02, 0.3, 1);
}

static void fill_project_timers(random_stream *r, const random_state *s, vcs_project *project) {
    project->long_term_debt = chance(r, 0.3) ? 2 * s->parameters.period * (fraction(r) - 0.5) : project->long_term_debt;
    project->dcf = chance(r, 0.1) ? ONE_OF(r, 0.01, 0.02, 80, 81) : 0;
    project->min_rpc_time = chance(r, 0.3) ? draw_time(r, s) : 0;
    project->uploading = chance(r, 0.1) ? below(r, 40) : 0;
    project->flags |= chance(r, 0.1) ? VCS_PROJECT_NO_NEW_WORK : 0;
    project->flags |= chance(r, 0.5) ? VCS_PROJECT_APPS_LISTED : 0;
    project->wait = chance(r, 0.05) ? 1 + below(r, VCS_WAIT_TASK) : VCS_WAIT_NONE;
}

static void fill_project_resource_timers(random_stream *r, const random_state *s, vcs_project_resource *pair) {
    pair->backoff_until = chance(r, 0.4) ? draw_time(r, s) : 0;
    pair->flags |= chance(r, 0.1) ? VCS_PROJECT_RESOURCE_NOT_WANTED : 0;
    pair->flags |= chance(r, 0.1) ? VCS_PROJECT_RESOURCE_NO_APPS : 0;
    pair->flags |= chance(r, 0.1) ? VCS_PROJECT_RESOURCE_DEFERRED : 0;
    pair->flags |= pair->id % 4 == 1 ? VCS_PROJECT_RESOURCE_SERVER_LIMIT : 0; /* nothing else depends on it */
}

/* From a stream of its own, so that what else is drawn does not depend on it. */
static void fill_fetch(random_state *s, uint64_t seed) {
    random_stream r = {~seed};
    fill_fetch_parameters(&r, &s->parameters);
    for (uint32_t i = 0; i < s->snapshot.projects.count; i++) {
        fill_project_timers(&r, s, &s->projects[i]);
    }
    for (uint32_t i = 0; i < s->snapshot.project_resources.count; i++) {
        fill_project_resource_timers(&r, s, &s->project_resources[i]);
    }
}

/* What decides what fits and who takes part, beyond the above */

static uint64_t draw_devices(random_stream *r, const random_state *s, uint32_t resource) {
    return resource == 0 ? 0 : next(r) & UINT64_MAX >> (64 - s->resources[resource].instances);
}

/* Mostly as many as the task needs, one after the other; others may be running on them. */
static uint64_t draw_own_devices(random_stream *r, const random_state *s, const vcs_task *task) {
    uint32_t all = s->resources[task->gpu].instances, first = below(r, all);
    uint32_t count = task->gpus < 1 ? 1 : task->gpus > all ? all : (uint32_t)(task->gpus + 0.999);
    uint64_t devices = 0;
    if (task->gpu == 0 || chance(r, 0.2)) {
        return chance(r, 0.8) ? 0 : draw_devices(r, s, task->gpu);
    }
    for (uint32_t i = 0; i < count; i++) {
        devices |= UINT64_C(1) << (first + i) % all;
    }
    return devices;
}

static void enrich_task(random_stream *r, const random_state *s, vcs_task *task) {
    task->usable = chance(r, 0.1) ? ONE_OF(r, 0.1, 0.5, 1) : 0;
    task->flags |= chance(r, 0.1) ? VCS_TASK_DOWNLOADING : 0;
    task->flags |= chance(r, 0.3) ? VCS_TASK_IN_MEMORY : 0;
    task->wait = chance(r, 0.2) ? below(r, VCS_WAIT_UPLOADS + 1) : 0;
    task->devices = draw_own_devices(r, s, task);
}

/* An application is excluded from instances of one GPU type, or of all. */
static void exclude_app(random_stream *r, random_state *s, uint32_t app, uint32_t gpu, uint64_t excluded) {
    random_stream others = {r->state ^ app};
    const bool all = chance(&others, 0.3);
    for (uint32_t resource = 1; excluded != 0 && resource < s->snapshot.resources.count; resource++) {
        if (resource == gpu || all) {
            s->app_resources[s->snapshot.app_resources.count++] = (vcs_app_resource){
                .id = next(&others),
                .app = app,
                .resource = resource,
                .excluded = resource == gpu ? excluded : draw_devices(&others, s, resource),
            };
        }
    }
}

/* From a stream of its own, too. */
void random_state_enrich(random_state *s, uint64_t seed) {
    random_stream r = {seed ^ UINT64_C(0xa0761d6478bd642f)};
    const double reserve = chance(&r, 0.3) ? ONE_OF(&r, 0.1, 0.5, 1, 1.75) : 0;
    s->resources[0].reserve = reserve < s->resources[0].instances ? reserve : 0;
    s->parameters.cpu_fit = chance(&r, 0.2) ? VCS_CPU_FIT_STRICT : s->parameters.cpu_fit;
    for (uint32_t i = 0; i < s->snapshot.resources.count; i++) {
        s->resources[i].flags |= chance(&r, 0.1) ? VCS_RESOURCE_PAUSED : 0;
    }
    for (uint32_t i = 0; i < s->snapshot.projects.count; i++) {
        s->projects[i].flags |= chance(&r, 0.3) ? VCS_PROJECT_APPS_LISTED : 0;
    }
    for (uint32_t i = 0; i < s->snapshot.apps.count; i++) {
        const uint32_t gpu = below(&r, s->snapshot.resources.count);
        const uint64_t excluded = chance(&r, 0.3) ? draw_devices(&r, s, gpu) : 0;
        exclude_app(&r, s, i, gpu, excluded);
    }
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        enrich_task(&r, s, &s->tasks[i]);
    }
    for (uint32_t i = 0; i < s->snapshot.candidates.count; i++) {
        enrich_task(&r, s, &s->candidates[i]);
    }
}

/* Hours */

/* Seconds up to `most`, few of them long. */
static double some_time(random_stream *r, double most) {
    const double x = fraction(r);
    return 60 + x * x * most;
}

static void bring_near(random_stream *r, const random_state *s, vcs_task *task) {
    task->remaining = some_time(r, 1e5);
    task->deadline = isfinite(task->deadline) ? s->now + some_time(r, 4e5) : task->deadline;
    task->received = s->now - some_time(r, 1e5);
}

void random_state_add_hours(random_state *s, uint64_t seed) {
    random_stream r = {seed};
    s->parameters.hours = VCS_HOURS_DAY;
    s->snapshot.hours.count = seed % 3 ? VCS_HOURS_OF_DAY : VCS_HOURS_OF_WEEK;
    s->host.on_spell = seed % 4 ? some_time(&r, 1e5) : 0;
    s->host.off_spell = some_time(&r, 1e5);
    for (uint32_t i = 0; i < s->snapshot.hours.count; i++) {
        const double seen = some_time(&r, 1e5), on = seed % 2 ? fraction(&r) : i % 24 >= 8;
        s->hours[i] = (vcs_hour){.on = on * seen, .off = (1 - on) * seen};
    }
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        bring_near(&r, s, &s->tasks[i]);
    }
    for (uint32_t i = 0; i < s->snapshot.candidates.count; i++) {
        bring_near(&r, s, &s->candidates[i]);
    }
    for (uint32_t i = 0; i < s->snapshot.project_resources.count; i++) {
        s->project_resources[i].job_seconds = some_time(&r, 1e5);
        s->project_resources[i].job_bound = some_time(&r, 4e5);
    }
}

/* The whole */

void random_state_point_snapshot(random_state *s, const vcs_snapshot *counts) {
    s->snapshot = (vcs_snapshot){
        .struct_size = sizeof s->snapshot,
        .host = array_of(&s->host, sizeof s->host, 1),
        .resources = array_of(s->resources, sizeof *s->resources, counts->resources.count),
        .projects = array_of(s->projects, sizeof *s->projects, counts->projects.count),
        .project_resources =
            array_of(s->project_resources, sizeof *s->project_resources, counts->project_resources.count),
        .apps = array_of(s->apps, sizeof *s->apps, counts->apps.count),
        .app_resources = array_of(s->app_resources, sizeof *s->app_resources, counts->app_resources.count),
        .tasks = array_of(s->tasks, sizeof *s->tasks, counts->tasks.count),
        .candidates = array_of(s->candidates, sizeof *s->candidates, counts->candidates.count),
        .hours = array_of(s->hours, sizeof *s->hours, counts->hours.count),
    };
}

/* A host may know no project; then it has no task either. */
static vcs_snapshot draw_counts(random_stream *r, const flavour *f) {
    vcs_snapshot counts = {0};
    bool no_project = chance(r, 0.01);
    uint32_t projects = chance(r, f->large ? 0.3 : 0.05) ? RANDOM_MOST_PROJECTS : 1 + below(r, 6);
    uint32_t tasks = f->large ? RANDOM_MOST_TASKS : below(r, 31);
    counts.resources.count = 1 + below(r, RANDOM_MOST_RESOURCES);
    counts.projects.count = no_project ? 0 : projects;
    counts.apps.count = no_project || chance(r, 0.3) ? 0 : 1 + below(r, RANDOM_MOST_APPS);
    counts.tasks.count = no_project ? 0 : tasks;
    counts.candidates.count = no_project ? 0 : below(r, RANDOM_MOST_CANDIDATES + 1);
    return counts;
}

void random_state_fill(random_state *s, random_kind kind, uint64_t seed) {
    random_stream stream = {seed};
    random_stream *r = &stream;
    flavour f = draw_flavour(r, kind);
    vcs_snapshot counts = draw_counts(r, &f);
    memset(s, 0, sizeof *s);
    s->now = ONE_OF(r, 0, 1000, 1.5e9, 1.7e9, -500);
    s->now += f.fraction_of_now ? fraction(r) : 0;
    s->host = (vcs_host){.id = next(r)};
    fill_parameters(r, &f, kind, &s->parameters);
    for (uint32_t i = 0; i < counts.resources.count; i++) {
        fill_resource(r, &f, &s->resources[i], i);
    }
    for (uint32_t i = 0; i < counts.projects.count; i++) {
        fill_project(r, &f, &s->projects[i]);
    }
    counts.project_resources.count = fill_project_resources(r, &f, s, counts.projects.count, counts.resources.count);
    for (uint32_t i = 0; i < counts.apps.count; i++) {
        fill_app(r, &f, &s->apps[i], counts.projects.count);
    }
    random_state_point_snapshot(s, &counts);
    for (uint32_t i = 0; i < counts.tasks.count; i++) {
        fill_task(r, &f, s, &s->tasks[i]);
    }
    for (uint32_t i = 0; i < counts.candidates.count; i++) {
        fill_task(r, &f, s, &s->candidates[i]);
    }
    s->parameters.bump = f.extreme && chance(r, 0.3) ? ONE_OF(r, 1e-3, 1e12) : ONE_OF(r, 3600, 3600, 60, 86400, 0);
    fill_fetch(s, seed);
}

static void take_one_cpu(vcs_task *task) {
    task->cpus = 1;
    task->gpu = 0;
    task->gpus = 0;
}

void random_state_limit(random_state *s, bool single, uint64_t seed) {
    random_stream r = {seed};
    for (uint32_t i = 0; i < s->snapshot.projects.count; i++) {
        s->projects[i].max_concurrent = below(&r, 4);
    }
    for (uint32_t i = 0; i < s->snapshot.apps.count; i++) {
        s->apps[i].max_concurrent = below(&r, 3);
    }
    for (uint32_t i = 0; single && i < s->snapshot.tasks.count; i++) {
        take_one_cpu(&s->tasks[i]);
    }
    for (uint32_t i = 0; single && i < s->snapshot.candidates.count; i++) {
        take_one_cpu(&s->candidates[i]);
    }
}

static double draw_max_instances(random_stream *r) {
    return chance(r, 0.5) ? ONE_OF(r, 0.5, 1, 1.5, 2, 3, 4, 1.0 / 3) : 0;
}

static double draw_declared_use(random_stream *r) {
    return chance(r, 0.6) ? ONE_OF(r, 0.25, 0.5, 1, 2, 1.0 / 3, 1e-9) : 0;
}

void random_state_restrict(random_state *s, uint64_t seed) {
    random_stream r = {seed ^ UINT64_C(0x8ebc6af09c88c6e3)};
    for (uint32_t i = 0; i < s->snapshot.project_resources.count; i++) {
        vcs_project_resource *pair = &s->project_resources[i];
        pair->max_instances = draw_max_instances(&r);
        pair->max_per_device = pair->resource > 0 && chance(&r, 0.4) ? 1 + below(&r, 3) : 0;
    }
    for (uint32_t i = 0; i < s->snapshot.app_resources.count; i++) {
        vcs_app_resource *of_app = &s->app_resources[i];
        of_app->max_instances = draw_max_instances(&r);
        of_app->max_per_device = of_app->resource > 0 && chance(&r, 0.4) ? 1 + below(&r, 3) : 0;
        of_app->use = draw_declared_use(&r);
    }
    for (uint32_t app = 0; s->snapshot.app_resources.count == 0 && app < s->snapshot.apps.count; app += 2) {
        const uint32_t resource = below(&r, s->snapshot.resources.count);
        s->app_resources[app / 2] = (vcs_app_resource){
            .id = app,
            .app = app,
            .resource = resource,
            .max_instances = draw_max_instances(&r),
            .max_per_device = resource > 0 ? below(&r, 3) : 0,
            .use = draw_declared_use(&r),
        };
    }
    if (s->snapshot.app_resources.count == 0) {
        s->snapshot.app_resources.count = (s->snapshot.apps.count + 1) / 2;
    }
}

/* Shuffling */

static void draw_places(random_stream *r, uint32_t *places, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = below(r, i + 1);
        places[i] = places[other];
        places[other] = i;
    }
}

static vcs_task moved_task(const vcs_task *task, const random_places *places) {
    vcs_task moved = *task;
    moved.project = places->projects[task->project];
    moved.app = task->app == VCS_NONE ? VCS_NONE : places->apps[task->app];
    return moved;
}

void random_state_shuffle(random_state *copy, const random_state *original, uint64_t seed, random_places *places) {
    random_stream r = {seed};
    const vcs_snapshot *snapshot = &original->snapshot;
    *copy = *original;
    random_state_point_snapshot(copy, snapshot);
    draw_places(&r, places->projects, snapshot->projects.count);
    draw_places(&r, places->project_resources, snapshot->project_resources.count);
    draw_places(&r, places->apps, snapshot->apps.count);
    draw_places(&r, places->tasks, snapshot->tasks.count);
    draw_places(&r, places->candidates, snapshot->candidates.count);
    draw_places(&r, places->app_resources, snapshot->app_resources.count);
    for (uint32_t i = 0; i < snapshot->projects.count; i++) {
        copy->projects[places->projects[i]] = original->projects[i];
    }
    for (uint32_t i = 0; i < snapshot->project_resources.count; i++) {
        copy->project_resources[places->project_resources[i]] = original->project_resources[i];
        copy->project_resources[places->project_resources[i]].project =
            places->projects[original->project_resources[i].project];
    }
    for (uint32_t i = 0; i < snapshot->apps.count; i++) {
        copy->apps[places->apps[i]] = original->apps[i];
        copy->apps[places->apps[i]].project = places->projects[original->apps[i].project];
    }
    for (uint32_t i = 0; i < snapshot->app_resources.count; i++) {
        copy->app_resources[places->app_resources[i]] = original->app_resources[i];
        copy->app_resources[places->app_resources[i]].app = places->apps[original->app_resources[i].app];
    }
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        copy->tasks[places->tasks[i]] = moved_task(&original->tasks[i], places);
    }
    for (uint32_t i = 0; i < snapshot->candidates.count; i++) {
        copy->candidates[places->candidates[i]] = moved_task(&original->candidates[i], places);
    }
}
