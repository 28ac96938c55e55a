/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_schedule.h"

#include <math.h>
#include <stdlib.h>

#include "oracle/oracle_records.h"

/* Over the projects that compete for a resource. */
typedef struct sums {
    double rec, share;
    uint32_t projects;
} sums;

typedef struct decision {
    const vcs_snapshot *snapshot;
    const vcs_parameters *parameters;
    double now;
    const vcs_task_forecast *forecasts;
    uint32_t tasks, projects, resources;
    bool *tried;     /* per task */
    bool *predicted; /* per task: to miss its deadline */
    sums all;        /* for the resource whose turns are given out */
    oracle_schedule_outcome out;
} decision;

/* ---- Questions about one task ---- */

static bool has_flag(const vcs_task *task, uint32_t flag) {
    return (task->flags & flag) != 0;
}

static bool slice_lasts(const decision *d, const vcs_task *task) {
    double elapsed = d->now - task->running_since;
    if (!has_flag(task, VCS_TASK_RUNNING) || elapsed < 0) {
        return false;
    }
    bool period_over = elapsed >= d->parameters->period;
    bool has_checkpoint = task->since_checkpoint <= elapsed - d->parameters->period;
    return !(period_over && has_checkpoint);
}

static int64_t slack(const decision *d, const vcs_task *task) {
    return oracle_limit(task, d->now, 0) - oracle_run_time(d->snapshot, task);
}

static bool is_hopeless(const decision *d, const vcs_task *task) {
    return slack(d, task) < 0;
}

static bool cannot_wait(const decision *d, const vcs_task *task) {
    return slack(d, task) < oracle_micros(d->parameters->period);
}

static bool use_fits(const decision *d, int64_t use, int64_t left) {
    if (use == 0) {
        return true;
    }
    return d->parameters->cpu_fit == VCS_CPU_FIT_ANY ? left >= ORACLE_LEAST_FREE : use <= left;
}

static bool could_run_alone(const decision *d, const vcs_task *task) {
    const vcs_host *host = d->snapshot->host.base;
    int64_t cpus = oracle_resource(d->snapshot, 0)->instances * ORACLE_ONE;
    if (host->ram > 0 && task->ram > host->ram) {
        return false;
    }
    if (!use_fits(d, oracle_use(task, 0), cpus)) {
        return false;
    }
    return task->gpu == 0 || use_fits(d, oracle_use(task, task->gpu),
                                      oracle_allowed_count(d->snapshot, task->project, task->gpu) * ORACLE_ONE);
}

static bool takes_part(const decision *d, uint32_t task) {
    return oracle_takes_part(d->snapshot, oracle_task(d->snapshot, task));
}

static bool can_run(const decision *d, uint32_t task) {
    return takes_part(d, task) && could_run_alone(d, oracle_task(d->snapshot, task));
}

/* ---- Who is late ---- */

/* Earlier deadline, less run time, earlier arrival, lower id. */
static bool more_urgent(const decision *d, const vcs_task *a, const vcs_task *b) {
    if (a->deadline != b->deadline) {
        return a->deadline < b->deadline;
    }
    if (oracle_run_time(d->snapshot, a) != oracle_run_time(d->snapshot, b)) {
        return oracle_run_time(d->snapshot, a) < oracle_run_time(d->snapshot, b);
    }
    return oracle_arrives_before(a, b);
}

static bool predicted_to_miss(const decision *d, uint32_t task) {
    return can_run(d, task) && d->forecasts[task].verdict == VCS_VERDICT_MISSES;
}

/* How many tasks of its project are more urgent. */
static uint32_t place_in_project(const decision *d, uint32_t task) {
    const vcs_task *own = oracle_task(d->snapshot, task);
    uint32_t place = 0;
    for (uint32_t i = 0; i < d->tasks; i++) {
        const vcs_task *other = oracle_task(d->snapshot, i);
        place += can_run(d, i) && other->project == own->project && more_urgent(d, other, own);
    }
    return place;
}

static uint32_t misses_of_project(const decision *d, uint32_t project) {
    uint32_t misses = 0;
    for (uint32_t i = 0; i < d->tasks; i++) {
        misses += oracle_task(d->snapshot, i)->project == project && predicted_to_miss(d, i);
    }
    return misses;
}

static bool is_predicted(const decision *d, uint32_t task) {
    if (d->parameters->scheduling != VCS_SCHEDULING_DEADLINE || !can_run(d, task)) {
        return false;
    }
    if (d->parameters->ranking == VCS_RANK_DEBT) {
        return place_in_project(d, task) < misses_of_project(d, oracle_task(d->snapshot, task)->project);
    }
    return predicted_to_miss(d, task);
}

/* It runs because it was late. */
static bool is_settled(const decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    return d->parameters->hysteresis && d->parameters->scheduling == VCS_SCHEDULING_DEADLINE && can_run(d, index) &&
           has_flag(task, VCS_TASK_WAS_LATE) && slice_lasts(d, task);
}

static bool is_reported_late(const decision *d, uint32_t task) {
    return d->predicted[task] || is_settled(d, task);
}

/* Whether some task for the same resource runs because it was late. */
static bool one_is_settled_beside(const decision *d, const vcs_task *task) {
    for (uint32_t i = 0; i < d->snapshot->tasks.count; i++) {
        if (oracle_task(d->snapshot, i)->gpu == task->gpu && is_settled(d, i)) {
            return true;
        }
    }
    return false;
}

static bool late_goes_before(const decision *d, uint32_t a, uint32_t b) {
    const vcs_task *first = oracle_task(d->snapshot, a), *second = oracle_task(d->snapshot, b);
    if (one_is_settled_beside(d, first)) {
        bool first_leads = is_settled(d, a) || (cannot_wait(d, first) && !is_hopeless(d, first));
        bool second_leads = is_settled(d, b) || (cannot_wait(d, second) && !is_hopeless(d, second));
        if (first_leads != second_leads) {
            return first_leads;
        }
    }
    if (d->parameters->save_first && is_hopeless(d, first) != is_hopeless(d, second)) {
        return !is_hopeless(d, first);
    }
    return more_urgent(d, first, second);
}

static bool is_nearly_done(const decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    return has_flag(task, VCS_TASK_RUNNING) &&
           oracle_run_time(d->snapshot, task) < oracle_micros(d->parameters->switch_cost);
}

/* ---- What the tasks taken so far use ---- */

static bool runs(const decision *d, uint32_t task) {
    return d->out.tasks[task].run == 1;
}

static int64_t used_by(const decision *d, uint32_t project, uint32_t resource) {
    int64_t units = 0;
    for (uint32_t i = 0; i < d->tasks; i++) {
        const vcs_task *task = oracle_task(d->snapshot, i);
        units += runs(d, i) && task->project == project ? oracle_use(task, resource) : 0;
    }
    return units;
}

static uint32_t running_of_project(const decision *d, uint32_t project) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->tasks; i++) {
        count += runs(d, i) && oracle_task(d->snapshot, i)->project == project;
    }
    return count;
}

static uint32_t running_of_app(const decision *d, uint32_t app) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->tasks; i++) {
        count += runs(d, i) && oracle_task(d->snapshot, i)->app == app;
    }
    return count;
}

static int64_t free_of(const decision *d, uint32_t resource) {
    int64_t left = oracle_resource(d->snapshot, resource)->instances * ORACLE_ONE;
    for (uint32_t project = 0; project < d->projects; project++) {
        left -= used_by(d, project, resource);
    }
    return left;
}

/* Everything that `inner` may use, `outer` may use too. */
static bool is_within(const decision *d, uint32_t inner, uint32_t outer, uint32_t resource) {
    for (uint32_t i = 0; i < oracle_resource(d->snapshot, resource)->instances; i++) {
        if (oracle_allows(d->snapshot, inner, resource, i) && !oracle_allows(d->snapshot, outer, resource, i)) {
            return false;
        }
    }
    return true;
}

static bool has_candidate(const decision *d, uint32_t project, uint32_t resource) {
    for (uint32_t i = 0; i < d->tasks; i++) {
        const vcs_task *task = oracle_task(d->snapshot, i);
        if (takes_part(d, i) && task->project == project && task->gpu == resource) {
            return true;
        }
    }
    return false;
}

/* Units free among the instances of another project, which those confined to them share. */
static int64_t free_among(const decision *d, uint32_t project, uint32_t resource) {
    int64_t left = oracle_allowed_count(d->snapshot, project, resource) * ORACLE_ONE;
    for (uint32_t other = 0; other < d->projects; other++) {
        if (is_within(d, other, project, resource)) {
            left -= used_by(d, other, resource);
        }
    }
    return left;
}

static bool exclusions_allow(const decision *d, const vcs_task *task) {
    int64_t use = oracle_use(task, task->gpu);
    for (uint32_t other = 0; other < d->projects && task->gpu != 0; other++) {
        if (has_candidate(d, other, task->gpu) && is_within(d, task->project, other, task->gpu) &&
            !use_fits(d, use, free_among(d, other, task->gpu))) {
            return false;
        }
    }
    return true;
}

/* ---- Offering a task ---- */

/* A late task that did not run before has taken some of the resource. */
static bool late_came_in(const decision *d, uint32_t resource) {
    for (uint32_t i = 0; i < d->tasks; i++) {
        const vcs_task *task = oracle_task(d->snapshot, i);
        if (runs(d, i) && d->out.tasks[i].reason == VCS_REASON_LATE && !has_flag(task, VCS_TASK_RUNNING) &&
            (task->gpu == resource || oracle_use(task, resource) > 0)) {
            return true;
        }
    }
    return false;
}

static uint32_t reason_to_wait(const decision *d, const vcs_task *task) {
    if (!has_flag(task, VCS_TASK_RUNNING)) {
        return VCS_REASON_WAITS;
    }
    return late_came_in(d, task->gpu) ? VCS_REASON_GIVES_WAY : VCS_REASON_SLICE_OVER;
}

static uint32_t obstacle(const decision *d, const vcs_task *task) {
    const vcs_host *host = d->snapshot->host.base;
    uint32_t project_limit = oracle_project(d->snapshot, task->project)->max_concurrent;
    if (project_limit != 0 && running_of_project(d, task->project) >= project_limit) {
        return VCS_REASON_PROJECT_LIMIT;
    }
    if (task->app != VCS_NONE) {
        uint32_t app_limit = oracle_app(d->snapshot, task->app)->max_concurrent;
        if (app_limit != 0 && running_of_app(d, task->app) >= app_limit) {
            return VCS_REASON_APP_LIMIT;
        }
    }
    if (host->ram > 0 && d->out.summary.ram + task->ram > host->ram) {
        return VCS_REASON_MEMORY;
    }
    if (!use_fits(d, oracle_use(task, task->gpu), free_of(d, task->gpu))) {
        return reason_to_wait(d, task);
    }
    if (!exclusions_allow(d, task)) {
        return VCS_REASON_EXCLUDED;
    }
    return use_fits(d, oracle_use(task, 0), free_of(d, 0)) ? VCS_REASON_NONE : reason_to_wait(d, task);
}

static void offer(decision *d, uint32_t index, uint32_t reason) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    vcs_task_decision *out = &d->out.tasks[index];
    uint32_t why_not = obstacle(d, task);
    d->tried[index] = true;
    out->reason = why_not == VCS_REASON_NONE ? reason : why_not;
    if (why_not == VCS_REASON_NONE) {
        out->run = 1;
        out->place = d->out.summary.running++;
        d->out.summary.ram += task->ram;
    }
}

/* ---- The stages ---- */

static bool is_open(const decision *d, uint32_t task) {
    return can_run(d, task) && !d->tried[task];
}

static void offer_nearly_done(decision *d) {
    for (;;) {
        uint32_t best = VCS_NONE;
        for (uint32_t i = 0; i < d->tasks; i++) {
            if (!is_open(d, i) || !is_nearly_done(d, i)) {
                continue;
            }
            const vcs_task *task = oracle_task(d->snapshot, i);
            const vcs_task *rival = best == VCS_NONE ? NULL : oracle_task(d->snapshot, best);
            if (rival == NULL || oracle_run_time(d->snapshot, task) < oracle_run_time(d->snapshot, rival) ||
                (oracle_run_time(d->snapshot, task) == oracle_run_time(d->snapshot, rival) &&
                 oracle_arrives_before(task, rival))) {
                best = i;
            }
        }
        if (best == VCS_NONE) {
            return;
        }
        offer(d, best, VCS_REASON_NEARLY_DONE);
    }
}

static void offer_late(decision *d, uint32_t resource) {
    for (;;) {
        uint32_t best = VCS_NONE;
        for (uint32_t i = 0; i < d->tasks; i++) {
            if (is_open(d, i) && oracle_task(d->snapshot, i)->gpu == resource && is_reported_late(d, i) &&
                (best == VCS_NONE || late_goes_before(d, i, best))) {
                best = i;
            }
        }
        if (best == VCS_NONE) {
            return;
        }
        offer(d, best, VCS_REASON_LATE);
    }
}

static void offer_slices(decision *d, uint32_t resource) {
    for (;;) {
        uint32_t best = VCS_NONE;
        for (uint32_t i = 0; i < d->tasks; i++) {
            const vcs_task *task = oracle_task(d->snapshot, i);
            if (!is_open(d, i) || task->gpu != resource || !slice_lasts(d, task)) {
                continue;
            }
            const vcs_task *rival = best == VCS_NONE ? NULL : oracle_task(d->snapshot, best);
            if (rival == NULL || task->since_checkpoint > rival->since_checkpoint ||
                (task->since_checkpoint == rival->since_checkpoint && oracle_arrives_before(task, rival))) {
                best = i;
            }
        }
        if (best == VCS_NONE) {
            return;
        }
        offer(d, best, VCS_REASON_SLICE);
    }
}

/* ---- Whose turn it is ---- */

static bool is_local(const decision *d) {
    return d->parameters->accounting == VCS_ACCOUNTING_LOCAL && d->parameters->ranking == VCS_RANK_PRIORITY;
}

static bool competes(const decision *d, uint32_t project, uint32_t resource) {
    bool any = false;
    for (uint32_t r = 0; r < d->resources; r++) {
        any |= (!is_local(d) || r == resource) && has_candidate(d, project, r);
    }
    return any;
}

static double worth(const decision *d, uint32_t resource) {
    return oracle_resource(d->snapshot, resource)->flops / oracle_resource(d->snapshot, 0)->flops;
}

static double load(const decision *d, uint32_t project, uint32_t resource) {
    if (is_local(d)) {
        return (double)used_by(d, project, resource) / (double)ORACLE_ONE;
    }
    double units = 0;
    for (uint32_t r = 0; r < d->resources; r++) {
        units += (double)used_by(d, project, r) * worth(d, r);
    }
    return units / (double)ORACLE_ONE;
}

static double host_load(const decision *d, uint32_t resource) {
    double total = 0;
    for (uint32_t r = 0; r < d->resources; r++) {
        total += oracle_resource(d->snapshot, r)->instances * worth(d, r);
    }
    return is_local(d) ? oracle_resource(d->snapshot, resource)->instances : total;
}

static double rec(const decision *d, uint32_t project, uint32_t resource) {
    const vcs_project_resource *pair = oracle_pair(d->snapshot, project, resource);
    if (is_local(d)) {
        return pair == NULL ? 0 : pair->rec;
    }
    return oracle_project(d->snapshot, project)->rec;
}

static sums sum_up(const decision *d, uint32_t resource) {
    sums all = {0};
    uint32_t *by_id = oracle_projects_by_id(d->snapshot);
    for (uint32_t i = 0; i < d->projects; i++) {
        if (competes(d, by_id[i], resource)) {
            all.rec += rec(d, by_id[i], resource);
            all.share += oracle_project(d->snapshot, by_id[i])->share;
            all.projects++;
        }
    }
    free(by_id);
    return all;
}

static double priority(const decision *d, uint32_t project, uint32_t resource) {
    double sum_rec = d->all.rec == 0 ? 1 : d->all.rec, sum_share = d->all.share == 0 ? 1 : d->all.share;
    double share = oracle_project(d->snapshot, project)->share;
    double factor = sum_rec * (d->parameters->bump / 86400) / host_load(d, resource);
    double x = rec(d, project, resource) + load(d, project, resource) * factor;
    return share > 0 ? -((x / sum_rec) / (share / sum_share)) : -(x / sum_rec);
}

static double anticipated_cpu_time(const decision *d, uint32_t project, uint32_t resource) {
    return oracle_project(d->snapshot, project)->exp_avg_cpu + load(d, project, resource) * d->parameters->bump;
}

static double resource_debt(const decision *d, uint32_t project, uint32_t resource) {
    double share = oracle_project(d->snapshot, project)->share;
    double cpu_time = fmax(anticipated_cpu_time(d, project, resource), 1);
    return share > 0 ? share / cpu_time : -cpu_time;
}

static double anticipated_debt(const decision *d, uint32_t project) {
    const vcs_project *own = oracle_project(d->snapshot, project);
    double part = d->all.share > 0 ? own->share / d->all.share : 1.0 / d->all.projects;
    return own->short_term_debt - running_of_project(d, project) * d->parameters->period * part;
}

/* A number of what goes before everything but the class: more is better. */
static int tier(const decision *d, uint32_t project, uint32_t resource) {
    int has_share = oracle_project(d->snapshot, project)->share > 0;
    switch (d->parameters->ranking) {
    case VCS_RANK_RESOURCE_DEBT:
        return 2 * has_share + (anticipated_cpu_time(d, project, resource) == 0);
    case VCS_RANK_PRIORITY:
        return has_share;
    default:
        return 0;
    }
}

static double entry(const decision *d, uint32_t project, uint32_t resource) {
    switch (d->parameters->ranking) {
    case VCS_RANK_RESOURCE_DEBT:
        return resource_debt(d, project, resource);
    case VCS_RANK_PRIORITY:
        return priority(d, project, resource);
    default:
        return anticipated_debt(d, project);
    }
}

static bool ranks_before(const decision *d, uint32_t a, uint32_t b, uint32_t resource) {
    const vcs_project *first = oracle_project(d->snapshot, a), *second = oracle_project(d->snapshot, b);
    if (first->priority_class != second->priority_class) {
        return first->priority_class > second->priority_class;
    }
    if (tier(d, a, resource) != tier(d, b, resource)) {
        return tier(d, a, resource) > tier(d, b, resource);
    }
    double of_first = entry(d, a, resource), of_second = entry(d, b, resource);
    return of_first != of_second ? of_first > of_second : first->id < second->id;
}

/* Running ones first, then started ones, then by arrival. */
static bool is_offered_before(const vcs_task *a, const vcs_task *b) {
    if (has_flag(a, VCS_TASK_RUNNING) != has_flag(b, VCS_TASK_RUNNING)) {
        return has_flag(a, VCS_TASK_RUNNING);
    }
    if (!has_flag(a, VCS_TASK_RUNNING) && has_flag(a, VCS_TASK_STARTED) != has_flag(b, VCS_TASK_STARTED)) {
        return has_flag(a, VCS_TASK_STARTED);
    }
    return oracle_arrives_before(a, b);
}

static uint32_t next_of_project(const decision *d, uint32_t project, uint32_t resource) {
    uint32_t best = VCS_NONE;
    for (uint32_t i = 0; i < d->tasks; i++) {
        const vcs_task *task = oracle_task(d->snapshot, i);
        if (is_open(d, i) && task->project == project && task->gpu == resource &&
            (best == VCS_NONE || is_offered_before(task, oracle_task(d->snapshot, best)))) {
            best = i;
        }
    }
    return best;
}

static void offer_in_turn(decision *d, uint32_t resource) {
    d->all = sum_up(d, resource);
    for (;;) {
        uint32_t best = VCS_NONE;
        for (uint32_t project = 0; project < d->projects; project++) {
            if (next_of_project(d, project, resource) != VCS_NONE &&
                (best == VCS_NONE || ranks_before(d, project, best, resource))) {
                best = project;
            }
        }
        if (best == VCS_NONE) {
            return;
        }
        offer(d, next_of_project(d, best, resource), VCS_REASON_TURN);
    }
}

/* ---- The whole ---- */

static uint32_t reason_before_all(const decision *d, const vcs_task *task) {
    if (has_flag(task, VCS_TASK_SUSPENDED)) {
        return VCS_REASON_TASK_SUSPENDED;
    }
    if ((oracle_project(d->snapshot, task->project)->flags & VCS_PROJECT_SUSPENDED) != 0) {
        return VCS_REASON_PROJECT_SUSPENDED;
    }
    if ((oracle_resource(d->snapshot, task->gpu)->flags & VCS_RESOURCE_SUSPENDED) != 0) {
        return VCS_REASON_RESOURCE_SUSPENDED;
    }
    return could_run_alone(d, task) ? VCS_REASON_NONE : VCS_REASON_CANNOT_RUN;
}

static double until_next_look(const decision *d, const vcs_task *task) {
    double left = d->parameters->period - (d->now - task->running_since);
    if (!slice_lasts(d, task)) {
        return d->parameters->period;
    }
    return left > 0 ? left : d->parameters->look_interval > 0 ? d->parameters->look_interval : 60;
}

static void report_task(decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    vcs_task_decision *out = &d->out.tasks[index];
    bool ran = has_flag(task, VCS_TASK_RUNNING);
    out->flags |= is_reported_late(d, index) ? VCS_DECISION_LATE : 0;
    out->flags |= !ran && out->run ? VCS_DECISION_START : 0;
    out->flags |= ran && !out->run ? VCS_DECISION_STOP : 0;
    out->flags |= out->run && !slice_lasts(d, task) ? VCS_DECISION_NEW_SLICE : 0;
    d->out.summary.late += is_reported_late(d, index);
    d->out.summary.started += !ran && out->run;
    d->out.summary.stopped += ran && !out->run;
    if (out->run) {
        d->out.summary.next_check = fmin(d->out.summary.next_check, until_next_look(d, task));
    }
}

oracle_schedule_outcome oracle_schedule(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                                        const vcs_task_forecast *forecasts) {
    decision d = {
        .snapshot = snapshot,
        .parameters = parameters,
        .now = now,
        .forecasts = forecasts,
        .tasks = snapshot->tasks.count,
        .projects = snapshot->projects.count,
        .resources = snapshot->resources.count,
        .tried = oracle_allocate(snapshot->tasks.count, sizeof(bool)),
        .predicted = oracle_allocate(snapshot->tasks.count, sizeof(bool)),
        .out = {.tasks = oracle_allocate(snapshot->tasks.count, sizeof(vcs_task_decision)),
                .resources = oracle_allocate(snapshot->resources.count, sizeof(vcs_resource_decision))},
    };
    d.out.summary.struct_size = sizeof d.out.summary;
    d.out.summary.next_check = INFINITY;
    for (uint32_t i = 0; i < d.tasks; i++) {
        d.out.tasks[i].place = VCS_NONE;
        d.out.tasks[i].reason = reason_before_all(&d, oracle_task(snapshot, i));
        d.predicted[i] = is_predicted(&d, i);
    }
    offer_nearly_done(&d);
    for (uint32_t resource = d.resources; resource-- > 0;) {
        offer_late(&d, resource);
    }
    for (uint32_t resource = d.resources; resource-- > 0;) {
        offer_slices(&d, resource);
        offer_in_turn(&d, resource);
    }
    for (uint32_t i = 0; i < d.tasks; i++) {
        report_task(&d, i);
    }
    for (uint32_t resource = 0; resource < d.resources; resource++) {
        int64_t capacity = oracle_resource(snapshot, resource)->instances * ORACLE_ONE;
        d.out.resources[resource].used = (double)(capacity - free_of(&d, resource)) / (double)ORACLE_ONE;
    }
    free(d.tried);
    free(d.predicted);
    return d.out;
}

void oracle_schedule_free(oracle_schedule_outcome *outcome) {
    free(outcome->tasks);
    free(outcome->resources);
}
