/*
 * Rules 4.3, 4.6 and 15.4: the sliced discipline, with turns and without, as plain as it can be.
 *
 * SPDX-License-Identifier: MIT
 */
#include "oracle/oracle_sliced.h"

#include <math.h>
#include <stdlib.h>

#include "vcsched/core/number.h" /* vcs_exp2 alone: the decay of REC is defined by it */
#include "oracle/oracle_fit.h"
#include "oracle/oracle_records.h"
#include "oracle/oracle_slices.h"

#define HOUR INT64_C(3600000000) /* microseconds */

/* A task that takes part. */
typedef struct job {
    const vcs_task *task;
    uint32_t index;    /* of the task in the snapshot */
    uint32_t resource; /* that the task is for */
    int64_t remaining; /* wall time it still needs */
    int64_t finish;
    int64_t keeps_until; /* it has a slice that counts, and keeps its place until then; 0 = none */
    bool finished;
    bool picked; /* in the present pick */
    bool runs;   /* without turns: it has begun, and goes on to its end */
    bool gave_up;     /* without turns: it ran before, and its place is gone */
    uint64_t devices; /* on which it runs */
} job;

/* A project's recent work (REC): on all resources; with local accounting on one. */
typedef struct account {
    double initial; /* REC of the record */
    double rec;     /* REC at `since` */
    int64_t since;  /* when the present use began */
    double credits; /* per day, of the present use */
    double present; /* REC at the time of the present pick */
} account;

/* What the accounts of one kind are measured by. */
typedef struct scale {
    double sum_rec;
    double sum_share;
    double host; /* what the whole host can load */
} scale;

typedef struct simulation {
    const vcs_snapshot *snapshot;
    const vcs_parameters *parameters;
    uint32_t projects, resources;
    bool local;
    job *jobs; /* in order of arrival */
    uint32_t job_count;
    account *accounts;  /* project * resources + resource; with global accounting only resource 0 counts */
    scale *scales;      /* resource likewise */
    int64_t *could_use; /* project * resources + resource, units */
    int64_t *enough;    /* likewise: with so many in use it runs all that its limits allow; 0 = no limits */
    int64_t *ran_short; /* likewise: when it first used less; -1 while it has not */
    int64_t time;
    int64_t buffer_end;
    uint64_t steps;
    /* the present pick */
    oracle_fit fit;
    int64_t *use;              /* project * resources + resource, units */
    uint32_t *position;        /* project: where in `jobs` it goes on looking for its next one */
    uint32_t *project_running; /* project: picked tasks */
    uint32_t *app_running;     /* application: picked tasks */
    int64_t held;              /* units of the first wide task refused for want of room; 0 = none */
    /* the outcome */
    oracle_sum *idle_sum; /* resource */
    oracle_sum *lack_sum; /* project * resources + resource */
    int64_t *saturated;   /* resource; -1 while it has never been idle */
    double *idle_now;     /* resource; instances */
    double *useless;      /* resource; instances among them that more work could not use */
    oracle_sum *all_idle; /* resource; beyond the buffer, too */
    int64_t *idle_from;   /* resource; -1 while no whole instance has been idle */
    int64_t *short_from;  /* resource; -1 while too little has been idle to call a project for it */
    int64_t *gap_from;    /* resource; since when something is idle; -1 if nothing is */
    int64_t *busy_from;   /* resource; when the gap before ended */
    double *used_now;     /* (project, resource); instances */
    bool *waits_for_fit;  /* (project, resource); when something is first idle */
} simulation;

static uint32_t project_resource_of(const simulation *s, uint32_t project, uint32_t resource) {
    return project * s->resources + resource;
}

static bool is_suspended(const simulation *s, uint32_t resource) {
    return (oracle_resource(s->snapshot, resource)->flags & VCS_RESOURCE_SUSPENDED) != 0;
}

/* The beginning */

/* Slices first, the longest first; then by arrival. */
static int compare_jobs(const void *a, const void *b) {
    const job *first = a, *second = b;
    if (first->keeps_until != second->keeps_until) {
        return first->keeps_until > second->keeps_until ? -1 : 1;
    }
    return oracle_arrives_before(first->task, second->task) ? -1 : 1;
}

/* Slices count on the CPUs if these may be held, and on a GPU type if one of them has a part of a device. */
static bool slices_count(const simulation *s, double now, uint32_t resource) {
    if (resource == 0) {
        return oracle_holds_cpus(s->snapshot, s->parameters);
    }
    for (uint32_t i = 0; i < s->snapshot->tasks.count; i++) {
        const vcs_task *task = oracle_task(s->snapshot, i);
        if (task->gpu == resource && oracle_use(task, resource) % ORACLE_ONE != 0 &&
            oracle_may_run(s->snapshot, task) &&
            oracle_keeps_place_for(s->snapshot, s->parameters, now, task) > 0) {
            return true;
        }
    }
    return false;
}

static int64_t keeps_until(const simulation *s, double now, const vcs_task *task) {
    return !s->parameters->keep_running && oracle_may_run(s->snapshot, task) && slices_count(s, now, task->gpu)
               ? oracle_keeps_place_for(s->snapshot, s->parameters, now, task)
               : 0;
}

static void begin_jobs(simulation *s, double now) {
    s->jobs = oracle_allocate(s->snapshot->tasks.count, sizeof *s->jobs);
    for (uint32_t i = 0; i < s->snapshot->tasks.count; i++) {
        const vcs_task *task = oracle_task(s->snapshot, i);
        if (oracle_takes_part(s->snapshot, task)) {
            s->jobs[s->job_count++] = (job){
                .task = task,
                .index = i,
                .resource = oracle_resource_of(task),
                .remaining = oracle_run_time(s->snapshot, task),
                .keeps_until = keeps_until(s, now, task),
            };
        }
    }
    qsort(s->jobs, s->job_count, sizeof *s->jobs, compare_jobs);
}

static bool has_job_for(const simulation *s, uint32_t project, uint32_t resource) {
    for (uint32_t i = 0; i < s->job_count; i++) {
        if (s->jobs[i].task->project == project && s->jobs[i].resource == resource) {
            return true;
        }
    }
    return false;
}

/* Whether the account is in the sums. With global accounting any resource will do. */
static bool takes_part(const simulation *s, uint32_t project, uint32_t resource) {
    bool any = false;
    for (uint32_t r = 0; r < s->resources; r++) {
        any |= has_job_for(s, project, r);
    }
    return s->local ? has_job_for(s, project, resource) : any;
}

static double initial_rec(const simulation *s, uint32_t project, uint32_t resource) {
    if (!s->local) {
        return oracle_project(s->snapshot, project)->rec;
    }
    const vcs_project_resource *pair = oracle_project_resource(s->snapshot, project, resource);
    return pair == NULL ? 0 : pair->rec;
}

/* How many CPUs one instance of the resource is worth. */
static double worth(const simulation *s, uint32_t resource) {
    return oracle_resource(s->snapshot, resource)->flops / oracle_resource(s->snapshot, 0)->flops;
}

/* Instances for tasks; a partly reserved instance counts in full. */
static double instances_of(const simulation *s, uint32_t resource) {
    return ceil((double)oracle_fit_capacity(&s->fit, resource) / (double)ORACLE_ONE);
}

static double host_total(const simulation *s, uint32_t resource) {
    if (s->local) {
        return instances_of(s, resource);
    }
    double total = instances_of(s, 0);
    for (uint32_t gpu = 1; gpu < s->resources; gpu++) {
        total += instances_of(s, gpu) * worth(s, gpu);
    }
    return total;
}

static void begin_accounts(simulation *s) {
    uint32_t *by_id = oracle_projects_by_id(s->snapshot);
    s->accounts = oracle_allocate((uint64_t)s->projects * s->resources, sizeof *s->accounts);
    s->scales = oracle_allocate(s->resources, sizeof *s->scales);
    for (uint32_t resource = 0; resource < s->resources; resource++) {
        scale *sums = &s->scales[resource];
        for (uint32_t i = 0; i < s->projects; i++) {
            uint32_t project = by_id[i];
            account *own = &s->accounts[project_resource_of(s, project, resource)];
            own->initial = own->rec = initial_rec(s, project, resource);
            if (takes_part(s, project, resource)) {
                sums->sum_rec += own->initial;
                sums->sum_share += oracle_project(s->snapshot, project)->share;
            }
        }
        sums->sum_rec = sums->sum_rec == 0 ? 1 : sums->sum_rec;
        sums->sum_share = sums->sum_share == 0 ? 1 : sums->sum_share;
        sums->host = host_total(s, resource);
    }
    free(by_id);
}

/*
 * Units that one task of the project takes at most, or at least: what its applications declare if it has none; an
 * instance if that is nothing.
 */
static int64_t units_per_job(const simulation *s, uint32_t project, uint32_t resource, bool at_most) {
    int64_t units = -1;
    for (uint32_t i = 0; i < s->job_count; i++) {
        const job *j = &s->jobs[i];
        if (j->task->project == project && j->resource == resource) {
            int64_t use = oracle_use(j->task, resource);
            units = units < 0 || (at_most ? use > units : use < units) ? use : units;
        }
    }
    if (units < 0) {
        units = oracle_declared_use(s->snapshot, project, resource, at_most);
    }
    return units <= 0 ? ORACLE_ONE : units;
}

/* Tasks of the project that may run at the same time; 0 = any number. */
static int64_t limit_of(const simulation *s, uint32_t project, uint32_t resource) {
    double limit = oracle_limit_on(s->snapshot, project, resource);
    return isinf(limit) ? 0 : (int64_t)limit;
}

static bool all_use_the_same(const simulation *s, uint32_t project, uint32_t resource) {
    int64_t first = -1;
    for (uint32_t i = 0; i < s->job_count; i++) {
        const job *j = &s->jobs[i];
        if (j->task->project == project && j->resource == resource) {
            int64_t use = oracle_use(j->task, resource);
            if (first >= 0 && use != first) {
                return false;
            }
            first = use;
        }
    }
    return first >= 0 || oracle_declared_use(s->snapshot, project, resource, true) ==
                             oracle_declared_use(s->snapshot, project, resource, false);
}

/* An excess of so much fits. */
#define EXCESS (ORACLE_ONE / 10000)

/*
 * What limits in instances and per device let it use; INT64_MAX = any number. At most: as much as fits of its tasks, if
 * all are alike. Else: from which use on none fits any more.
 */
static int64_t limit_of_units(const simulation *s, uint32_t project, uint32_t resource, bool at_most) {
    const vcs_project_resource *pair = oracle_project_resource(s->snapshot, project, resource);
    int64_t use = units_per_job(s, project, resource, at_most), most = INT64_MAX;
    if (pair != NULL && pair->max_instances > 0) {
        int64_t limit = oracle_units(pair->max_instances);
        bool are_alike = all_use_the_same(s, project, resource);
        int64_t tasks = (limit + EXCESS) / use;
        most = at_most && are_alike && tasks > 0 ? tasks * use : limit;
        if (!at_most) {
            most = limit + EXCESS - use < 0 ? 1 : limit + EXCESS - use + 1;
        }
    }
    if (pair != NULL && pair->max_per_device > 0) {
        int64_t each =
            use < ORACLE_ONE && pair->max_per_device < ORACLE_ONE / use + 1 ? pair->max_per_device * use : INT64_MAX;
        if (each <= ORACLE_ONE && each * oracle_allowed_count(s->snapshot, project, resource) < most) {
            most = each * oracle_allowed_count(s->snapshot, project, resource);
        }
    }
    return most;
}

/* With its widest tasks, or with its narrowest. */
static int64_t could_use_limited(const simulation *s, uint32_t project, uint32_t resource, bool at_most) {
    int64_t capacity = oracle_fit_capacity(&s->fit, resource);
    int64_t allowed = oracle_allowed_count(s->snapshot, project, resource) * ORACLE_ONE;
    int64_t limit = limit_of(s, project, resource);
    if (allowed > capacity) {
        allowed = capacity;
    }
    int64_t of_units = limit_of_units(s, project, resource, at_most);
    allowed = of_units < allowed ? of_units : allowed;
    if (limit == 0) {
        return allowed;
    }
    int64_t units = limit * units_per_job(s, project, resource, at_most);
    return units < allowed ? units : allowed;
}

static int64_t could_use_by_share(const simulation *s, uint32_t project, uint32_t resource, double sum_share) {
    if (sum_share == 0) {
        return 0;
    }
    double fraction = oracle_project(s->snapshot, project)->share / sum_share;
    return oracle_units(fraction * ((double)oracle_fit_capacity(&s->fit, resource) / (double)ORACLE_ONE));
}

static double sum_share_of_all(const simulation *s) {
    double sum = 0;
    uint32_t *by_id = oracle_projects_by_id(s->snapshot);
    for (uint32_t i = 0; i < s->projects; i++) {
        const vcs_project *project = oracle_project(s->snapshot, by_id[i]);
        sum += (project->flags & VCS_PROJECT_SUSPENDED) == 0 ? project->share : 0;
    }
    free(by_id);
    return sum;
}

static void begin_could_use(simulation *s) {
    double sum_share = sum_share_of_all(s);
    s->could_use = oracle_allocate((uint64_t)s->projects * s->resources, sizeof *s->could_use);
    s->enough = oracle_allocate((uint64_t)s->projects * s->resources, sizeof *s->enough);
    s->ran_short = oracle_allocate((uint64_t)s->projects * s->resources, sizeof *s->ran_short);
    for (uint32_t project = 0; project < s->projects; project++) {
        const vcs_project *record = oracle_project(s->snapshot, project);
        for (uint32_t resource = 0; resource < s->resources; resource++) {
            const vcs_project_resource *pair = oracle_project_resource(s->snapshot, project, resource);
            bool limited =
                limit_of(s, project, resource) != 0 ||
                (pair != NULL && (pair->excluded != 0 || pair->max_instances > 0 || pair->max_per_device > 0));
            int64_t *could_use = &s->could_use[project_resource_of(s, project, resource)];
            s->ran_short[project_resource_of(s, project, resource)] = -1;
            if ((record->flags & VCS_PROJECT_SUSPENDED) != 0 || is_suspended(s, resource)) {
                *could_use = 0;
            } else if (limited) {
                *could_use = could_use_limited(s, project, resource, true);
                s->enough[project_resource_of(s, project, resource)] = could_use_limited(s, project, resource, false);
            } else {
                *could_use = could_use_by_share(s, project, resource, sum_share);
            }
        }
    }
}

static simulation begin(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now) {
    uint64_t project_resources = (uint64_t)snapshot->projects.count * snapshot->resources.count;
    simulation s = {
        .snapshot = snapshot,
        .parameters = parameters,
        .projects = snapshot->projects.count,
        .resources = snapshot->resources.count,
        .local = parameters->accounting == VCS_ACCOUNTING_LOCAL,
        .buffer_end = oracle_micros(oracle_buffer(parameters)),
        .fit = oracle_fit_new(snapshot, parameters),
        .use = oracle_allocate(project_resources, sizeof(int64_t)),
        .position = oracle_allocate(snapshot->projects.count, sizeof(uint32_t)),
        .project_running = oracle_allocate(snapshot->projects.count, sizeof(uint32_t)),
        .app_running = oracle_allocate(snapshot->apps.count, sizeof(uint32_t)),
        .idle_sum = oracle_allocate(snapshot->resources.count, sizeof(oracle_sum)),
        .lack_sum = oracle_allocate(project_resources, sizeof(oracle_sum)),
        .saturated = oracle_allocate(snapshot->resources.count, sizeof(int64_t)),
        .idle_now = oracle_allocate(snapshot->resources.count, sizeof(double)),
        .useless = oracle_allocate(snapshot->resources.count, sizeof(double)),
        .all_idle = oracle_allocate(snapshot->resources.count, sizeof(oracle_sum)),
        .idle_from = oracle_allocate(snapshot->resources.count, sizeof(int64_t)),
        .short_from = oracle_allocate(snapshot->resources.count, sizeof(int64_t)),
        .gap_from = oracle_allocate(snapshot->resources.count, sizeof(int64_t)),
        .busy_from = oracle_allocate(snapshot->resources.count, sizeof(int64_t)),
        .used_now = oracle_allocate(project_resources, sizeof(double)),
        .waits_for_fit = oracle_allocate(project_resources, sizeof(bool)),
    };
    for (uint32_t resource = 0; resource < s.resources; resource++) {
        s.saturated[resource] = s.idle_from[resource] = s.gap_from[resource] = -1;
        s.short_from[resource] = oracle_micros(oracle_least_shortfall(snapshot, parameters, resource)) > 0 ? -1 : 0;
    }
    begin_jobs(&s, now);
    begin_accounts(&s);
    begin_could_use(&s);
    return s;
}

static void end(simulation *s) {
    free(s->jobs);
    free(s->accounts);
    free(s->scales);
    free(s->could_use);
    free(s->enough);
    free(s->ran_short);
    oracle_fit_free(&s->fit);
    free(s->use);
    free(s->position);
    free(s->project_running);
    free(s->app_running);
    free(s->idle_sum);
    free(s->lack_sum);
    free(s->saturated);
    free(s->idle_now);
    free(s->useless);
    free(s->all_idle);
    free(s->idle_from);
    free(s->short_from);
    free(s->gap_from);
    free(s->busy_from);
    free(s->used_now);
    free(s->waits_for_fit);
}

/* Accounts in the course of time */

static double rec_at(const simulation *s, const account *own) {
    int64_t passed = s->time - own->since;
    if (s->parameters->freeze_rec) {
        return own->initial;
    }
    if (passed == 0) {
        return own->rec;
    }
    double kept = vcs_exp2(-((double)passed / (s->parameters->rec_half_life * 1e6)));
    return own->credits + (own->rec - own->credits) * kept;
}

/* Credits per day that the present pick earns the project: on all resources, or on the account's own. */
static double credits_of_pick(const simulation *s, uint32_t project, uint32_t resource) {
    double flops = 0;
    for (uint32_t r = 0; r < s->resources; r++) {
        if (!s->local || r == resource) {
            double instances = (double)s->use[project_resource_of(s, project, r)] / (double)ORACLE_ONE;
            flops += instances * oracle_resource(s->snapshot, r)->flops;
        }
    }
    return 2e-7 * flops;
}

static void note_changed_use(simulation *s) {
    for (uint32_t project = 0; project < s->projects; project++) {
        for (uint32_t resource = 0; resource < s->resources; resource++) {
            account *own = &s->accounts[project_resource_of(s, project, resource)];
            double credits = credits_of_pick(s, project, resource);
            if (credits != own->credits) {
                own->rec = own->present;
                own->since = s->time;
                own->credits = credits;
            }
        }
    }
}

/* Rank of projects: 1.4 and 1.5 */

static double load_of_pick(const simulation *s, uint32_t project, uint32_t resource) {
    if (s->local) {
        return (double)s->use[project_resource_of(s, project, resource)] / (double)ORACLE_ONE;
    }
    double units = (double)s->use[project_resource_of(s, project, 0)];
    for (uint32_t gpu = 1; gpu < s->resources; gpu++) {
        units += (double)s->use[project_resource_of(s, project, gpu)] * worth(s, gpu);
    }
    return units / (double)ORACLE_ONE;
}

/* SP, or for a project without a share what takes its place. */
static double priority(const simulation *s, uint32_t project, uint32_t resource) {
    uint32_t kind = s->local ? resource : 0;
    const scale *sums = &s->scales[kind];
    double share = oracle_project(s->snapshot, project)->share;
    double factor = sums->sum_rec * (s->parameters->bump / 86400) / sums->host;
    double rec = s->accounts[project_resource_of(s, project, kind)].present + load_of_pick(s, project, kind) * factor;
    double part = share > 0 ? fmax(share / sums->sum_share, ORACLE_LEAST_PART) : 1;
    return -((rec / sums->sum_rec) / part);
}

static bool ranks_before(const simulation *s, uint32_t resource, uint32_t a, uint32_t b) {
    const vcs_project *first = oracle_project(s->snapshot, a);
    const vcs_project *second = oracle_project(s->snapshot, b);
    if (first->priority_class != second->priority_class) {
        return first->priority_class > second->priority_class;
    }
    if ((first->share > 0) != (second->share > 0)) {
        return first->share > 0;
    }
    double first_priority = priority(s, a, resource);
    double second_priority = priority(s, b, resource);
    if (first_priority != second_priority) {
        return first_priority > second_priority;
    }
    return first->id < second->id;
}

/* A pick: 4.3a */

static void take(simulation *s, job *j, uint64_t devices) {
    const vcs_task *task = j->task;
    j->picked = true;
    oracle_fit_take(&s->fit, task, devices);
    s->project_running[task->project]++;
    if (task->app != VCS_NONE) {
        s->app_running[task->app]++;
    }
    for (uint32_t resource = 0; resource < s->resources; resource++) {
        s->use[project_resource_of(s, task->project, resource)] += oracle_use(task, resource);
    }
}

static bool project_at_limit(const simulation *s, uint32_t project) {
    uint32_t limit = oracle_project(s->snapshot, project)->max_concurrent;
    return limit != 0 && s->project_running[project] >= limit;
}

static bool app_at_limit(const simulation *s, uint32_t app) {
    if (app == VCS_NONE) {
        return false;
    }
    uint32_t limit = oracle_app(s->snapshot, app)->max_concurrent;
    return limit != 0 && s->app_running[app] >= limit;
}

/* Limits in instances. */
static bool units_have_room(const simulation *s, const vcs_task *task) {
    return oracle_fit_project_has_room(&s->fit, task) && oracle_fit_app_has_room(&s->fit, task);
}

/* The project's next task for the resource that was not tried yet; NULL if there is none or it may run no more. */
static job *next_job(simulation *s, uint32_t project, uint32_t resource) {
    if (project_at_limit(s, project)) {
        return NULL;
    }
    for (; s->position[project] < s->job_count; s->position[project]++) {
        job *j = &s->jobs[s->position[project]];
        if (j->task->project == project && j->resource == resource && !j->finished && !j->picked &&
            !app_at_limit(s, j->task->app) && units_have_room(s, j->task)) {
            return j;
        }
    }
    return NULL;
}

static job *best_job(simulation *s, uint32_t resource) {
    job *best = NULL;
    for (uint32_t project = 0; project < s->projects; project++) {
        job *j = next_job(s, project, resource);
        if (j != NULL && (best == NULL || ranks_before(s, resource, project, best->task->project))) {
            best = j;
        }
    }
    return best;
}

/* Tasks within slices that count keep their places. */
static void pick_slices(simulation *s, uint32_t resource) {
    for (uint32_t i = 0; i < s->job_count; i++) {
        job *j = &s->jobs[i];
        uint64_t devices = j->task->devices;
        if (j->resource != resource || j->finished || j->keeps_until <= s->time ||
            project_at_limit(s, j->task->project) || app_at_limit(s, j->task->app) || !units_have_room(s, j->task)) {
            continue;
        }
        bool keeps = resource != 0 && oracle_fit_keeps(&s->fit, j->task) && oracle_fit_has_cpus(&s->fit, j->task);
        if (keeps || oracle_fit_finds(&s->fit, j->task, &devices)) {
            take(s, j, devices);
        }
    }
}

/* Notes the first task of several CPUs that would fit alone and has no room now. */
static void note_held(simulation *s, const job *j) {
    if (j->resource == 0 && oracle_use(j->task, 0) > ORACLE_ONE && s->held == 0) {
        oracle_fit empty = oracle_fit_new(s->snapshot, s->parameters);
        s->held = oracle_fit_has_cpus(&empty, j->task) ? oracle_use(j->task, 0) : 0;
        oracle_fit_free(&empty);
    }
}

static void pick_for(simulation *s, uint32_t resource) {
    pick_slices(s, resource);
    for (uint32_t project = 0; project < s->projects; project++) {
        s->position[project] = 0;
    }
    for (job *j = best_job(s, resource); j != NULL; j = best_job(s, resource)) {
        uint64_t devices;
        if (oracle_fit_finds(&s->fit, j->task, &devices)) {
            take(s, j, devices);
        } else {
            note_held(s, j);
        }
        s->position[j->task->project]++;
    }
}

static void forget_pick(simulation *s) {
    oracle_fit_clear(&s->fit);
    for (uint32_t i = 0; i < s->job_count; i++) {
        s->jobs[i].picked = false;
    }
    for (uint32_t i = 0; i < s->projects * s->resources; i++) {
        s->use[i] = 0;
    }
    for (uint32_t project = 0; project < s->projects; project++) {
        s->project_running[project] = 0;
    }
    for (uint32_t app = 0; app < s->snapshot->apps.count; app++) {
        s->app_running[app] = 0;
    }
}

/* Whether the CPUs have room for the least CPU task of all. */
static bool cpus_idle(const simulation *s) {
    const job *least = NULL;
    for (uint32_t i = 0; i < s->job_count; i++) {
        const job *j = &s->jobs[i];
        if (j->resource == 0 && (least == NULL || oracle_use(j->task, 0) < oracle_use(least->task, 0))) {
            least = j;
        }
    }
    return least != NULL && oracle_fit_has_cpus(&s->fit, least->task);
}

/* A smaller task keeps the wide one waiting. */
static bool stands_in_the_way(const simulation *s, const job *j) {
    return j->resource == 0 && !j->finished && j->keeps_until > s->time && oracle_use(j->task, 0) < s->held;
}

/* Slices yield to the task for which CPUs would idle, if none loses as much as the longest lasts on. */
static bool slices_yield(simulation *s) {
    int64_t most_loss = 0, longest = 0;
    for (uint32_t i = 0; i < s->job_count; i++) {
        const job *j = &s->jobs[i];
        if (stands_in_the_way(s, j)) {
            int64_t loss = oracle_micros(oracle_loss(j->task)), left = j->keeps_until - s->time;
            most_loss = loss > most_loss ? loss : most_loss;
            longest = left > longest ? left : longest;
        }
    }
    for (uint32_t i = 0; i < s->job_count && most_loss < longest; i++) {
        s->jobs[i].keeps_until = stands_in_the_way(s, &s->jobs[i]) ? 0 : s->jobs[i].keeps_until;
    }
    return most_loss < longest;
}

static void pick_once(simulation *s) {
    forget_pick(s);
    s->held = 0;
    for (uint32_t i = 0; i < s->projects * s->resources; i++) {
        s->accounts[i].present = rec_at(s, &s->accounts[i]);
    }
    for (uint32_t resource = s->resources; resource-- > 0;) {
        if (!is_suspended(s, resource)) {
            pick_for(s, resource);
        }
    }
}

/* ---- Without turns (rule 15.4) ---- */

static bool has_flag(const job *j, uint32_t flag) {
    return (j->task->flags & flag) != 0;
}

/* Running tasks in the order in which they are asked to go on: 0 first. */
static int group_of(const simulation *s, const job *j) {
    if (has_flag(j, VCS_TASK_UNINTERRUPTIBLE)) {
        return 0;
    }
    return j->remaining < oracle_micros(s->parameters->switch_cost) ? 1 : 2;
}

static bool is_asked_before(const simulation *s, const job *a, const job *b) {
    int of_a = group_of(s, a), of_b = group_of(s, b);
    if (of_a != of_b) {
        return of_a < of_b;
    }
    if (of_a != 1 && a->resource != b->resource) {
        return a->resource > b->resource;
    }
    if (of_a == 1 && a->remaining != b->remaining) {
        return a->remaining < b->remaining;
    }
    if (of_a != 1 && oracle_loss(a->task) != oracle_loss(b->task)) {
        return oracle_loss(a->task) > oracle_loss(b->task);
    }
    return oracle_arrives_before(a->task, b->task);
}

static bool has_limits_for(const simulation *s, const job *j) {
    return !project_at_limit(s, j->task->project) && !app_at_limit(s, j->task->app) && units_have_room(s, j->task);
}

/* Whether a task that ran until now has its place, on which devices. */
static bool has_place(const simulation *s, const job *j, uint64_t *devices) {
    bool had_cpus = j->resource == 0 && has_flag(j, VCS_TASK_UNINTERRUPTIBLE) && oracle_fit_had_cpus(&s->fit, j->task);
    *devices = j->task->devices;
    bool is_open = j->resource != 0 && (j->task->devices & ~oracle_fit_open(&s->fit, j->task)) == 0;
    if (is_open && oracle_fit_keeps(&s->fit, j->task)) {
        return oracle_fit_has_cpus(&s->fit, j->task);
    }
    return had_cpus || oracle_fit_finds(&s->fit, j->task, devices);
}

static bool fits_alone(const simulation *s, const job *j) {
    oracle_fit empty = oracle_fit_new(s->snapshot, s->parameters);
    uint64_t unused;
    bool fits = oracle_fit_finds(&empty, j->task, &unused);
    oracle_fit_free(&empty);
    return fits;
}

/* At the start all tasks that ran until now are asked, and hold their devices until they are. */
static void ask_running(simulation *s) {
    for (uint32_t i = 0; i < s->job_count; i++) {
        job *j = &s->jobs[i];
        j->runs = has_flag(j, VCS_TASK_RUNNING) && oracle_may_run(s->snapshot, j->task) && fits_alone(s, j);
        if (j->runs && j->resource != 0) {
            oracle_fit_hold(&s->fit, j->task, 1);
            oracle_fit_risk(&s->fit, j->task, oracle_loss(j->task));
        }
    }
    for (;;) {
        job *first = NULL;
        for (uint32_t i = 0; i < s->job_count; i++) {
            job *j = &s->jobs[i];
            if (j->runs && !j->picked && !j->gave_up && (first == NULL || is_asked_before(s, j, first))) {
                first = j;
            }
        }
        if (first == NULL) {
            return;
        }
        if (first->resource != 0) {
            oracle_fit_hold(&s->fit, first->task, -1);
        }
        if (has_limits_for(s, first) && has_place(s, first, &first->devices)) {
            take(s, first, first->devices);
        } else {
            first->gave_up = true;
        }
    }
}

static bool is_due_before(const job *a, const job *b) {
    if (a->task->deadline != b->task->deadline) {
        return a->task->deadline < b->task->deadline;
    }
    return a->remaining != b->remaining ? a->remaining < b->remaining : oracle_arrives_before(a->task, b->task);
}

/* How long until a wide task has its CPUs if no other task starts. */
static int64_t room_in(const simulation *s, const job *wide) {
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < s->job_count; i++) {
        int64_t moment = s->jobs[i].remaining;
        if (s->jobs[i].picked && oracle_use(s->jobs[i].task, 0) > 0) {
            oracle_fit later = oracle_fit_new(s->snapshot, s->parameters);
            for (uint32_t k = 0; k < s->job_count; k++) {
                if (s->jobs[k].picked && s->jobs[k].remaining > moment) {
                    oracle_fit_take(&later, s->jobs[k].task, s->jobs[k].devices);
                }
            }
            first = oracle_fit_has_cpus(&later, wide->task) && moment < first ? moment : first;
            oracle_fit_free(&later);
        }
    }
    return first;
}

/* Of tasks that wait, those start that fit, by deadline. CPUs may be held for a wide one: then long ones do not
   start. */
static void start_by_deadline(simulation *s, uint32_t resource) {
    int64_t longest = INT64_MAX;
    const job *last = NULL;
    for (;;) {
        job *next = NULL;
        for (uint32_t i = 0; i < s->job_count; i++) {
            job *j = &s->jobs[i];
            if (j->resource == resource && !j->finished && !j->picked && !j->runs &&
                (last == NULL || is_due_before(last, j)) && (next == NULL || is_due_before(j, next))) {
                next = j;
            }
        }
        if (next == NULL) {
            return;
        }
        last = next;
        if (next->remaining > longest || !has_limits_for(s, next)) {
            continue;
        }
        if (oracle_fit_finds(&s->fit, next->task, &next->devices)) {
            take(s, next, next->devices);
        } else if (resource == 0 && oracle_use(next->task, 0) > ORACLE_ONE && longest == INT64_MAX &&
                   s->parameters->hold > 0 && s->parameters->cpu_fit != VCS_CPU_FIT_ANY && fits_alone(s, next) &&
                   room_in(s, next) <= oracle_micros(s->parameters->hold)) {
            longest = room_in(s, next);
        }
    }
}

static void pick_without_turns(simulation *s) {
    forget_pick(s);
    for (uint32_t i = 0; i < s->job_count; i++) {
        if (s->jobs[i].runs && !s->jobs[i].finished) {
            take(s, &s->jobs[i], s->jobs[i].devices);
        }
    }
    if (s->steps == 0) {
        ask_running(s);
    }
    for (uint32_t resource = s->resources; resource-- > 0;) {
        start_by_deadline(s, resource);
    }
    for (uint32_t i = 0; i < s->job_count; i++) {
        s->jobs[i].runs = s->jobs[i].picked;
    }
}

/* ---- Any pick ---- */

static bool slice_is_under_way(const simulation *s) {
    for (uint32_t i = 0; i < s->job_count; i++) {
        if (!s->jobs[i].finished && s->jobs[i].keeps_until > s->time) {
            return true;
        }
    }
    return false;
}

static void pick(simulation *s) {
    if (s->parameters->keep_running) {
        pick_without_turns(s);
        return;
    }
    pick_once(s);
    if (slice_is_under_way(s) && s->held > 0 && cpus_idle(s) && slices_yield(s)) {
        pick_once(s);
    }
}

static bool picked_any(const simulation *s) {
    for (uint32_t i = 0; i < s->job_count; i++) {
        if (s->jobs[i].picked) {
            return true;
        }
    }
    return false;
}

/* A step: 4.3b and 4.3c */

static int64_t unused_units(const simulation *s, uint32_t resource) {
    int64_t free_units = oracle_fit_free_units(&s->fit, resource);
    return free_units >= ORACLE_LEAST_FREE && !is_suspended(s, resource) ? free_units : 0;
}

/* On a GPU type a slice is under way, and a task waits that its limits would let run: what is unused lacks no work. */
static bool waits_for_slices(const simulation *s, uint32_t resource) {
    bool slice = false, waits = false;
    for (uint32_t i = 0; i < s->job_count && resource > 0; i++) {
        const job *j = &s->jobs[i];
        if (j->resource == resource && !j->finished) {
            slice |= j->keeps_until > s->time;
            waits |= !j->picked && !project_at_limit(s, j->task->project) && !app_at_limit(s, j->task->app) &&
                     units_have_room(s, j->task) && !oracle_fit_is_at_device_limit(&s->fit, j->task);
        }
    }
    return slice && waits;
}

static bool has_job_on(const simulation *s, uint32_t resource) {
    for (uint32_t i = 0; i < s->job_count; i++) {
        if (s->jobs[i].resource == resource) {
            return true;
        }
    }
    return false;
}

/* The least that a task at hand could use of a device, or one that the user lets come. */
static int64_t least_part(const simulation *s, uint32_t resource) {
    int64_t least = ORACLE_ONE;
    for (uint32_t i = 0; i < s->job_count; i++) {
        const int64_t use = oracle_use(s->jobs[i].task, resource);
        least = s->jobs[i].resource == resource && use < least ? use : least;
    }
    for (uint32_t p = 0; p < s->projects; p++) {
        const vcs_project_resource *pair = oracle_project_resource(s->snapshot, p, resource);
        const uint32_t closed = VCS_PROJECT_SUSPENDED | VCS_PROJECT_NO_NEW_WORK;
        const int64_t declared = oracle_declared_use(s->snapshot, p, resource, false);
        if (declared > 0 && declared < least && (oracle_project(s->snapshot, p)->flags & closed) == 0 &&
            (pair == NULL || (pair->flags & VCS_PROJECT_RESOURCE_NOT_WANTED) == 0)) {
            least = declared;
        }
    }
    return least;
}

/* What is unused, less what is left of devices on which even the least of tasks has no room. */
static int64_t useful_units(const simulation *s, uint32_t resource) {
    return resource == 0 || !has_job_on(s, resource) || is_suspended(s, resource)
               ? unused_units(s, resource)
               : oracle_fit_free_parts(&s->fit, resource, least_part(s, resource) - EXCESS);
}

static int64_t idle_units(const simulation *s, uint32_t resource) {
    return waits_for_slices(s, resource) ? 0 : useful_units(s, resource);
}

static void note_idle(simulation *s) {
    for (uint32_t resource = 0; resource < s->resources; resource++) {
        int64_t idle = idle_units(s, resource);
        if (s->steps == 0) {
            s->idle_now[resource] = (double)unused_units(s, resource) / (double)ORACLE_ONE;
            s->useless[resource] = s->idle_now[resource] - (double)idle / (double)ORACLE_ONE;
        }
        if (idle > 0 && s->saturated[resource] < 0) {
            s->saturated[resource] = s->time;
        }
        if (idle == 0 && s->gap_from[resource] >= 0) {
            s->busy_from[resource] = s->time;
        }
        s->gap_from[resource] = idle == 0 ? -1 : s->gap_from[resource] < 0 ? s->time : s->gap_from[resource];
        int64_t capacity = oracle_fit_capacity(&s->fit, resource);
        int64_t whole = capacity < ORACLE_ONE ? capacity : ORACLE_ONE;
        if (!is_suspended(s, resource) && idle >= whole && s->idle_from[resource] < 0) {
            s->idle_from[resource] = s->time;
        }
    }
    /* All tasks were tried: where something is idle, unpicked tasks within their limits did not fit. */
    for (uint32_t i = 0; i < s->job_count; i++) {
        const job *j = &s->jobs[i];
        const bool is_first = s->saturated[j->resource] == s->time;
        if (is_first && idle_units(s, j->resource) > 0 && !j->finished && !j->picked &&
            !project_at_limit(s, j->task->project) && !app_at_limit(s, j->task->app) && units_have_room(s, j->task) &&
            !oracle_fit_is_at_device_limit(&s->fit, j->task)) {
            s->waits_for_fit[project_resource_of(s, j->task->project, j->resource)] = true;
        }
    }
    for (uint32_t i = 0; i < s->projects * s->resources; i++) {
        s->used_now[i] = s->steps == 0 ? (double)s->use[i] / (double)ORACLE_ONE : s->used_now[i];
        s->ran_short[i] = s->use[i] < s->enough[i] && s->ran_short[i] < 0 ? s->time : s->ran_short[i];
    }
}

/* Notes when all that lies idle, from now for `duration`, is worth a call. */
static void sum_idle(simulation *s, int64_t duration) {
    for (uint32_t resource = 0; resource < s->resources; resource++) {
        double least = oracle_least_shortfall(s->snapshot, s->parameters, resource);
        oracle_sum enough = (oracle_sum)oracle_micros(least) * (oracle_sum)ORACLE_ONE;
        oracle_sum idle = (oracle_sum)idle_units(s, resource);
        oracle_sum more = enough - s->all_idle[resource];
        if (idle > 0 && s->short_from[resource] < 0 && s->all_idle[resource] + idle * (uint64_t)duration >= enough) {
            int64_t kept = oracle_micros(oracle_work_to_keep(s->parameters));
            int64_t sooner = s->time + (int64_t)((more + idle - 1) / idle) - s->buffer_end;
            /* only the last gap is left then, and it must be near */
            bool is_last = s->busy_from[resource] <= sooner;
            int64_t first = is_last && s->gap_from[resource] - kept > sooner ? s->gap_from[resource] - kept : sooner;
            s->short_from[resource] = first > 0 ? first : 0;
        }
        s->all_idle[resource] += idle * (uint64_t)duration;
    }
}

/* Sums up what lies idle, and what each project lacks, from now for `duration`, as far as the buffer goes. */
static void sum_shortfall(simulation *s, int64_t duration) {
    int64_t in_buffer = s->buffer_end - s->time;
    if (in_buffer <= 0) {
        return;
    }
    uint64_t part = (uint64_t)(duration < in_buffer ? duration : in_buffer);
    for (uint32_t resource = 0; resource < s->resources; resource++) {
        s->idle_sum[resource] += (oracle_sum)idle_units(s, resource) * part;
        for (uint32_t project = 0; project < s->projects; project++) {
            uint32_t pair = project_resource_of(s, project, resource);
            int64_t lack = s->could_use[pair] - s->use[pair];
            s->lack_sum[pair] += lack > 0 ? (oracle_sum)lack * part : 0;
        }
    }
}

static int64_t least_remaining(const simulation *s) {
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < s->job_count; i++) {
        if (s->jobs[i].picked && s->jobs[i].remaining < least) {
            least = s->jobs[i].remaining;
        }
    }
    return least;
}

static void advance(simulation *s, int64_t duration) {
    sum_shortfall(s, duration);
    sum_idle(s, duration);
    s->time += duration;
    s->steps++;
    for (uint32_t i = 0; i < s->job_count; i++) {
        if (s->jobs[i].picked) {
            s->jobs[i].remaining -= duration;
        }
    }
}

static void finish_ended(simulation *s) {
    for (uint32_t i = 0; i < s->job_count; i++) {
        if (s->jobs[i].picked && s->jobs[i].remaining == 0) {
            s->jobs[i].finished = true;
            s->jobs[i].finish = s->time;
        }
    }
}

/* One step on from a pick. False if the horizon cut it. */
static bool step(simulation *s) {
    int64_t horizon = oracle_horizon(s->parameters);
    int64_t least = least_remaining(s);
    int64_t duration = least > 10 * HOUR ? (least + 5) / 10 : least > HOUR ? HOUR : least;
    duration = s->parameters->keep_running ? least : duration;
    for (uint32_t i = 0; i < s->job_count; i++) {
        int64_t left = s->jobs[i].keeps_until - s->time;
        duration = !s->jobs[i].finished && left > 0 && left < duration ? left : duration;
    }
    if (duration > horizon - s->time) {
        advance(s, horizon - s->time);
        return false;
    }
    advance(s, duration);
    if (duration == least) {
        finish_ended(s);
    }
    return true;
}

/* False if it stopped before its end. */
static bool run(simulation *s) {
    for (;;) {
        pick(s);
        note_idle(s);
        if (!picked_any(s)) {
            sum_shortfall(s, INT64_MAX);
            sum_idle(s, ORACLE_FOREVER);
            return true;
        }
        if (s->parameters->step_budget > 0 && s->steps == s->parameters->step_budget) {
            return false;
        }
        note_changed_use(s);
        if (!step(s)) {
            return false;
        }
    }
}

/* The outcome */

static void report_tasks(const simulation *s, double now, bool ended, oracle_wrr *outcome) {
    const vcs_parameters *parameters = s->parameters;
    double cushion = parameters->deadline_cushion;
    if (parameters->cushion_min_buffer && parameters->min_buffer > cushion) {
        cushion = parameters->min_buffer;
    }
    for (uint32_t i = 0; i < s->snapshot->tasks.count; i++) {
        outcome->tasks[i].finish = INFINITY;
        outcome->tasks[i].verdict = VCS_VERDICT_SUSPENDED;
    }
    for (uint32_t i = 0; i < s->job_count; i++) {
        const job *j = &s->jobs[i];
        vcs_task_forecast *forecast = &outcome->tasks[j->index];
        if (j->finished) {
            bool late = j->finish > oracle_limit(j->task, now, cushion);
            forecast->finish = oracle_seconds(j->finish);
            forecast->verdict = late ? VCS_VERDICT_MISSES : VCS_VERDICT_MEETS;
        } else {
            forecast->verdict = ended ? VCS_VERDICT_STUCK : VCS_VERDICT_UNKNOWN;
        }
    }
}

/* A moment that was looked for; the end of the simulation, if it was stopped before. */
static double moment(const simulation *s, uint32_t resource, int64_t found) {
    return is_suspended(s, resource) ? 0 : oracle_seconds(found < 0 ? s->time : found);
}

static void report_resources(const simulation *s, oracle_wrr *outcome) {
    for (uint32_t resource = 0; resource < s->resources; resource++) {
        vcs_resource_forecast *forecast = &outcome->resources[resource];
        int64_t saturated = s->saturated[resource] < 0 ? s->time : s->saturated[resource];
        forecast->shortfall = oracle_instance_seconds(s->idle_sum[resource]);
        forecast->idle_now = s->idle_now[resource];
        forecast->useless = s->useless[resource];
        forecast->saturated = is_suspended(s, resource) ? 0 : oracle_seconds(saturated);
        forecast->idle_from = moment(s, resource, s->idle_from[resource]);
        forecast->short_from = moment(s, resource, s->short_from[resource]);
    }
    for (uint32_t i = 0; i < s->projects * s->resources; i++) {
        outcome->project_resources[i].shortfall = oracle_instance_seconds(s->lack_sum[i]);
        outcome->project_resources[i].used_now = s->used_now[i];
        outcome->project_resources[i].waits_for_fit = s->waits_for_fit[i];
        if (s->enough[i] > 0) {
            outcome->project_resources[i].saturated = oracle_seconds(s->ran_short[i] < 0 ? s->time : s->ran_short[i]);
        }
    }
}

oracle_wrr oracle_sliced(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now) {
    oracle_wrr outcome = oracle_wrr_new(snapshot);
    simulation s = begin(snapshot, parameters, now);
    bool ended = run(&s);
    outcome.summary.flags = ended ? 0 : VCS_SIMULATION_STOPPED;
    outcome.summary.simulated_until = oracle_seconds(s.time);
    outcome.summary.steps = s.steps;
    report_tasks(&s, now, ended, &outcome);
    report_resources(&s, &outcome);
    oracle_wrr_count(&outcome, snapshot);
    end(&s);
    return outcome;
}

oracle_fit oracle_sliced_first_pick(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                                    bool *picked) {
    simulation s = begin(snapshot, parameters, now);
    pick(&s);
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        picked[i] = false;
    }
    for (uint32_t i = 0; i < s.job_count; i++) {
        picked[s.jobs[i].index] = s.jobs[i].picked;
    }
    oracle_fit fit = s.fit;
    s.fit = (oracle_fit){0};
    end(&s);
    return fit;
}
