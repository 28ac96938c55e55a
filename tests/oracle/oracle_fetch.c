/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_fetch.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "oracle/oracle_records.h"

typedef struct request {
    double seconds;
    double instances;
    uint32_t reason; /* why for nothing */
} request;

/* A decision in the making. */
typedef struct asker {
    const vcs_snapshot *snapshot;
    const vcs_parameters *parameters;
    double now;
    const oracle_wrr *forecast;
    const oracle_schedule_outcome *choice;
    uint32_t called;
    uint32_t projects, resources;
    uint32_t *by_id;
    const vcs_task **queue; /* the tasks that take part, in order of arrival */
    uint32_t queue_length;
    double *share_sums, *rec_sums; /* by resource, of the projects that could be asked; 1 for 0 */
    uint32_t *best; /* by resource: the project before which no other goes; VCS_NONE */
    uint32_t *best_for_left; /* likewise, of those that are asked for what the choice of tasks leaves idle */
    bool *asked; /* project by project */
    bool *for_left; /* by resource: it is asked for what the choice of tasks leaves idle */
} asker;

/* ---- Instances and work at hand ---- */

/* A use as the simulation counts it. */
static double in_units(double instances) {
    return (double)oracle_units(instances) / (double)ORACLE_ONE;
}

/* Instances for tasks; a partly reserved instance counts in full. */
static double instances_of(const vcs_snapshot *snapshot, uint32_t r) {
    const vcs_resource *resource = oracle_resource(snapshot, r);
    return ceil(resource->instances - in_units(resource->reserve));
}

static int compare_arrival(const void *a, const void *b) {
    return oracle_arrives_before(*(const vcs_task *const *)a, *(const vcs_task *const *)b) ? -1 : 1;
}

static asker begin(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                   const oracle_wrr *forecast, const oracle_schedule_outcome *choice, uint32_t called) {
    asker a = {
        .snapshot = snapshot,
        .parameters = parameters,
        .now = now,
        .forecast = forecast,
        .choice = choice,
        .called = called,
        .projects = snapshot->projects.count,
        .resources = snapshot->resources.count,
        .by_id = oracle_projects_by_id(snapshot),
        .queue = oracle_allocate(snapshot->tasks.count, sizeof(const vcs_task *)),
        .share_sums = oracle_allocate(snapshot->resources.count, sizeof(double)),
        .rec_sums = oracle_allocate(snapshot->resources.count, sizeof(double)),
        .best = oracle_allocate(snapshot->resources.count, sizeof(uint32_t)),
        .best_for_left = oracle_allocate(snapshot->resources.count, sizeof(uint32_t)),
        .for_left = oracle_allocate(snapshot->resources.count, sizeof(bool)),
        .asked = oracle_allocate((uint64_t)snapshot->projects.count * snapshot->resources.count, sizeof(bool)),
    };
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        if (oracle_takes_part(snapshot, oracle_task(snapshot, i))) {
            a.queue[a.queue_length++] = oracle_task(snapshot, i);
        }
    }
    qsort(a.queue, a.queue_length, sizeof *a.queue, compare_arrival);
    return a;
}

static void end(asker *a) {
    free(a->by_id);
    free(a->queue);
    free(a->share_sums);
    free(a->rec_sums);
    free(a->best);
    free(a->best_for_left);
    free(a->for_left);
    free(a->asked);
}

static bool is_wf1(const asker *a) {
    return a->parameters->work_fetch == VCS_WORK_FETCH_WF1;
}

static bool is_wf2(const asker *a) {
    return a->parameters->work_fetch == VCS_WORK_FETCH_WF2;
}

static bool is_study(const asker *a) {
    return is_wf1(a) || is_wf2(a);
}

/* GPUs are left out by the study's rules, and wherever the simulation is the fluid one. */
static bool is_decided(const asker *a, uint32_t r) {
    return r == 0 || (!is_study(a) && a->parameters->discipline != VCS_DISCIPLINE_FLUID);
}

static bool is_local(const asker *a) {
    return a->parameters->accounting == VCS_ACCOUNTING_LOCAL;
}

static const vcs_project *project_of(const asker *a, uint32_t p) {
    return oracle_project(a->snapshot, p);
}

static const vcs_resource_forecast *resource_forecast(const asker *a, uint32_t r) {
    return &a->forecast->resources[r];
}

static const vcs_project_resource_forecast *project_resource_forecast(const asker *a, uint32_t p, uint32_t r) {
    return &a->forecast->project_resources[p * a->resources + r];
}

static bool *asked(const asker *a, uint32_t p, uint32_t r) {
    return &a->asked[p * a->resources + r];
}

static bool is_suspended(const asker *a, uint32_t r) {
    return (oracle_resource(a->snapshot, r)->flags & VCS_RESOURCE_SUSPENDED) != 0;
}

/* ---- Obstacles ---- */

static double wait_for(const asker *a, double moment) {
    return moment == 0 ? 0 : fmin(fmax(moment - a->now, 0), DBL_MAX);
}

static double deferral(const asker *a, uint32_t p) {
    return wait_for(a, project_of(a, p)->min_rpc_time);
}

static double backoff(const asker *a, uint32_t p, uint32_t r) {
    const vcs_project_resource *pair = oracle_project_resource(a->snapshot, p, r);
    return pair == NULL ? 0 : wait_for(a, pair->backoff_until);
}

static bool has_flag(const asker *a, uint32_t p, uint32_t r, uint32_t flag) {
    const vcs_project_resource *pair = oracle_project_resource(a->snapshot, p, r);
    return pair != NULL && (pair->flags & flag) != 0;
}

static const uint32_t wait_reasons[] = {
    [VCS_WAIT_USER] = VCS_REASON_BY_USER,
    [VCS_WAIT_MASTER_FILE] = VCS_REASON_MASTER_FILE,
    [VCS_WAIT_DOWNLOAD] = VCS_REASON_DOWNLOAD_STALLED,
    [VCS_WAIT_UPLOADS] = VCS_REASON_UPLOADS_WAIT,
    [VCS_WAIT_TASK] = VCS_REASON_TASK_BY_USER,
};

/* All obstacles in order; the first that holds is the reason. Obstacles that time removes may be left out. */
static uint32_t obstacle_beside(const asker *a, uint32_t p, uint32_t r, bool ignoring_backoff, bool ignoring_deferral) {
    const double backed_off = ignoring_backoff ? 0 : backoff(a, p, r);
    const double deferred = ignoring_deferral || p == a->called ? 0 : deferral(a, p);
    const vcs_project *project = project_of(a, p);
    uint32_t runnable = 0;
    for (uint32_t i = 0; i < a->queue_length; i++) {
        runnable += a->queue[i]->project == p;
    }
    double gpus = 0;
    for (uint32_t other = 1; other < a->resources; other++) {
        gpus += instances_of(a->snapshot, other);
    }
    const double most_uploads = a->parameters->max_uploads * fmax(instances_of(a->snapshot, 0), gpus);
    const struct {
        bool holds;
        uint32_t reason;
    } obstacles[] = {
        {(project->flags & VCS_PROJECT_SUSPENDED) != 0, VCS_REASON_PROJECT_SUSPENDED},
        {(project->flags & VCS_PROJECT_NO_NEW_WORK) != 0, VCS_REASON_NO_NEW_WORK},
        {project->wait != VCS_WAIT_NONE, wait_reasons[project->wait]},
        {a->parameters->max_runnable > 0 && runnable >= a->parameters->max_runnable, VCS_REASON_TOO_MANY_TASKS},
        {a->parameters->max_uploads > 0 && project->uploading > most_uploads, VCS_REASON_UPLOADS},
        {is_suspended(a, r), VCS_REASON_RESOURCE_SUSPENDED},
        {has_flag(a, p, r, VCS_PROJECT_RESOURCE_NOT_WANTED), VCS_REASON_NOT_WANTED},
        {has_flag(a, p, r, VCS_PROJECT_RESOURCE_NO_APPS), VCS_REASON_NO_APPS},
        {oracle_declares_no_apps(a->snapshot, p, r), VCS_REASON_NO_APPS},
        {oracle_allowed_count(a->snapshot, p, r) == 0, VCS_REASON_EXCLUDED},
        {has_flag(a, p, r, VCS_PROJECT_RESOURCE_DEFERRED), VCS_REASON_TASK_DEFERRED},
        {deferred > 0 && deferred >= backed_off, VCS_REASON_DEFERRED}, /* of two waits, the one that ends last */
        {backed_off > 0, VCS_REASON_BACKED_OFF},
    };
    for (size_t i = 0; i < sizeof obstacles / sizeof *obstacles; i++) {
        if (obstacles[i].holds) {
            return obstacles[i].reason;
        }
    }
    return VCS_REASON_NONE;
}

static uint32_t obstacle(const asker *a, uint32_t p, uint32_t r, bool ignoring_backoff) {
    return obstacle_beside(a, p, r, ignoring_backoff, false);
}

static bool obstacle_but_time(const asker *a, uint32_t p, uint32_t r) {
    return obstacle_beside(a, p, r, true, true) != VCS_REASON_NONE;
}

static bool is_askable(const asker *a, uint32_t p, uint32_t r) {
    return is_decided(a, r) && obstacle(a, p, r, false) == VCS_REASON_NONE;
}

/* With local accounting a project counts where it can be asked, else if it can be asked for anything. */
static bool is_fetchable(const asker *a, uint32_t p, uint32_t r) {
    if (is_local(a)) {
        return obstacle(a, p, r, false) == VCS_REASON_NONE;
    }
    for (uint32_t other = 0; other < a->resources; other++) {
        if (is_askable(a, p, other)) {
            return true;
        }
    }
    return false;
}

/* ---- Queues and limits ---- */

/* Limits in instances, or per device. */
static bool has_unit_limit(const vcs_snapshot *snapshot, uint32_t p, uint32_t r) {
    const vcs_project_resource *pair = oracle_project_resource(snapshot, p, r);
    return pair != NULL && (pair->max_instances > 0 || pair->max_per_device > 0);
}

static bool is_limited(const vcs_snapshot *snapshot, uint32_t p, uint32_t r) {
    return has_unit_limit(snapshot, p, r) || !isinf(oracle_limit_on(snapshot, p, r)) ||
           oracle_allowed_count(snapshot, p, r) < instances_of(snapshot, r);
}

/* Work queued for a time that begins now: units of instances times microseconds, and microseconds alone. */
typedef struct queue_sums {
    oracle_sum work, time;
    double widest, narrowest; /* tasks, units */
} queue_sums;

static queue_sums sum_queue(const vcs_snapshot *snapshot, double time, uint32_t p, uint32_t r) {
    queue_sums sums = {0, 0, 0, INFINITY};
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        const vcs_task *task = oracle_task(snapshot, i);
        if (task->project == p && oracle_resource_of(task) == r && oracle_takes_part(snapshot, task)) {
            const int64_t in_time = oracle_micros(fmin(time, oracle_seconds(oracle_run_time(snapshot, task))));
            sums.work += (oracle_sum)oracle_use(task, r) * (oracle_sum)in_time;
            sums.time += (uint64_t)in_time;
            sums.widest = fmax(sums.widest, (double)oracle_use(task, r));
            sums.narrowest = fmin(sums.narrowest, (double)oracle_use(task, r));
        }
    }
    if (isinf(sums.narrowest) && oracle_declared_use(snapshot, p, r, true) > 0) { /* no task yet */
        sums.widest = (double)oracle_declared_use(snapshot, p, r, true);
        sums.narrowest = (double)oracle_declared_use(snapshot, p, r, false);
    }
    return sums;
}

/* The instances that a task uses: as long as it is to run, on average; 1 without a task that uses any. */
static double use_of_a_task(const queue_sums *queue) {
    if (queue->widest == 0) {
        return 1;
    }
    return (queue->time == 0 || queue->widest == queue->narrowest ? queue->widest
                                                                  : (double)queue->work / (double)queue->time) /
           (double)ORACLE_ONE;
}

/* What they let it use, in instances: whole tasks if all are alike, and so many of the widest on each device. */
static double within_unit_limits(const vcs_snapshot *snapshot, const queue_sums *queue, uint32_t p, uint32_t r) {
    const vcs_project_resource *pair = oracle_project_resource(snapshot, p, r);
    const double excess = floor((double)ORACLE_ONE / 10000);
    const double widest = queue->widest > 0 ? queue->widest : (double)ORACLE_ONE;
    double most = INFINITY;
    if (pair != NULL && pair->max_instances > 0) {
        const double limit = (double)oracle_units(pair->max_instances), tasks = floor((limit + excess) / widest);
        const bool are_alike = queue->widest == queue->narrowest || isinf(queue->narrowest);
        most = are_alike && tasks > 0 ? tasks * widest : limit;
    }
    if (pair != NULL && pair->max_per_device > 0 && pair->max_per_device * widest <= (double)ORACLE_ONE) {
        most = fmin(most, oracle_allowed_count(snapshot, p, r) * (pair->max_per_device * widest));
    }
    return most / (double)ORACLE_ONE;
}

static double time_to_fill(const vcs_parameters *parameters) {
    return fmax(oracle_buffer(parameters), 1);
}

/* Instances. */
static double could_use(const vcs_snapshot *snapshot, const vcs_parameters *parameters, uint32_t p, uint32_t r) {
    const queue_sums queue = sum_queue(snapshot, time_to_fill(parameters), p, r);
    const vcs_resource *resource = oracle_resource(snapshot, r);
    const double there = fmin(oracle_allowed_count(snapshot, p, r), resource->instances - in_units(resource->reserve));
    return fmin(fmin(there, within_unit_limits(snapshot, &queue, p, r)),
                oracle_limit_on(snapshot, p, r) * use_of_a_task(&queue));
}

double oracle_fetch_capacity(const vcs_snapshot *snapshot, const vcs_parameters *parameters, uint32_t p, uint32_t r) {
    if (!is_limited(snapshot, p, r)) {
        return INFINITY;
    }
    const queue_sums queue = sum_queue(snapshot, time_to_fill(parameters), p, r);
    return could_use(snapshot, parameters, p, r) * time_to_fill(parameters) - oracle_instance_seconds(queue.work);
}

/* Instances without the reserve for other programs. */
static double capacity(const asker *a, uint32_t r) {
    const vcs_resource *resource = oracle_resource(a->snapshot, r);
    return resource->instances - in_units(resource->reserve);
}

/* Instances that the project uses from the start; all, if it would use more. */
static double used_now(const asker *a, uint32_t p, uint32_t r) {
    return fmin(project_resource_forecast(a, p, r)->used_now, capacity(a, r));
}

/* ---- Order of projects ---- */

static double rec_of(const asker *a, uint32_t p, uint32_t r) {
    const vcs_project_resource *pair = oracle_project_resource(a->snapshot, p, r);
    return !is_local(a) ? project_of(a, p)->rec : pair == NULL ? 0 : pair->rec;
}

/* Sums over the projects that could be asked, in order of their id. They are needed so often that they are kept. */
static void add_up(asker *a) {
    for (uint32_t r = 0; r < a->resources; r++) {
        double shares = 0, recs = 0;
        for (uint32_t i = 0; i < a->projects; i++) {
            const uint32_t p = a->by_id[i];
            shares += is_fetchable(a, p, r) ? project_of(a, p)->share : 0;
            recs += is_fetchable(a, p, r) ? rec_of(a, p, r) : 0;
        }
        a->share_sums[r] = shares > 0 ? shares : 1;
        a->rec_sums[r] = recs > 0 ? recs : 1;
    }
}

/* Operations that a task still needs of a resource. */
static double operations(const asker *a, const vcs_task *task, uint32_t r) {
    double instances = (double)oracle_use(task, r) / (double)ORACLE_ONE;
    return task->remaining * (instances * oracle_resource(a->snapshot, r)->flops);
}

static double queued_operations(const asker *a, uint32_t p, uint32_t r) {
    double sum = 0;
    for (uint32_t i = 0; i < a->queue_length; i++) {
        const vcs_task *task = a->queue[i];
        if (task->project != p) {
            continue;
        }
        if (is_local(a)) {
            sum += operations(a, task, r);
        } else {
            double on_gpu = task->gpu == 0 ? 0 : operations(a, task, task->gpu);
            sum += operations(a, task, 0) + on_gpu;
        }
    }
    return sum;
}

static double peak(const asker *a, uint32_t only) {
    double sum = 0;
    for (uint32_t r = 0; r < a->resources; r++) {
        const vcs_resource *resource = oracle_resource(a->snapshot, r);
        sum += !is_local(a) || r == only ? instances_of(a->snapshot, r) * resource->flops : 0;
    }
    return sum;
}

static double scheduling_priority(const asker *a, uint32_t p, uint32_t r) {
    const double share = project_of(a, p)->share;
    const double part = share > 0 ? fmax(share / a->share_sums[r], ORACLE_LEAST_PART) : 1;
    return -(rec_of(a, p, r) / a->rec_sums[r] / part) -
           queued_operations(a, p, r) / (fmax(oracle_buffer(a->parameters), 1) * peak(a, r));
}

static bool is_overworked(const asker *a, uint32_t p) {
    return project_of(a, p)->long_term_debt < -a->parameters->period;
}

/* What projects of one class are compared by, the first number that differs. */
typedef struct entry {
    double numbers[3];
} entry;

static entry standing_of(const asker *a, uint32_t p, uint32_t r) {
    const vcs_project *project = project_of(a, p);
    const double has_share = project->share > 0;
    const double owed = project->long_term_debt + project_resource_forecast(a, p, 0)->shortfall;
    if (is_wf1(a)) {
        return (entry){{0, 0, owed}};
    }
    if (is_wf2(a)) {
        return (entry){{project_resource_forecast(a, p, 0)->misses == 0, !is_overworked(a, p), owed}};
    }
    switch (a->parameters->ranking) {
    case VCS_RANK_RESOURCE_DEBT: {
        const double time = fmax(project->exp_avg_cpu, 1);
        return (entry){{has_share, project->exp_avg_cpu == 0, has_share != 0 ? project->share / time : -time}};
    }
    case VCS_RANK_DEBT:
        return (entry){{has_share, 0, project->long_term_debt}};
    default:
        return (entry){{has_share, 0, scheduling_priority(a, p, r)}};
    }
}

static bool goes_before(const asker *a, uint32_t p, uint32_t q, uint32_t r) {
    const int32_t class_p = project_of(a, p)->priority_class, class_q = project_of(a, q)->priority_class;
    if (class_p != class_q) {
        return class_p > class_q;
    }
    const entry of_p = standing_of(a, p, r), of_q = standing_of(a, q, r);
    for (int i = 0; i < 3; i++) {
        if (of_p.numbers[i] != of_q.numbers[i]) {
            return of_p.numbers[i] > of_q.numbers[i];
        }
    }
    return project_of(a, p)->id < project_of(a, q)->id;
}

/* ---- How much ---- */

static request nothing(uint32_t reason) {
    return (request){0, 0, reason};
}

static uint32_t limit_reason(const asker *a, uint32_t p, uint32_t r) {
    return has_unit_limit(a->snapshot, p, r) || !isinf(oracle_limit_on(a->snapshot, p, r)) ? VCS_REASON_AT_LIMIT
                                                                                           : VCS_REASON_EXCLUDED;
}

/* Cuts a number of instances down to what limits leave. */
static double cut_instances(const asker *a, uint32_t p, uint32_t r, double instances) {
    return is_limited(a->snapshot, p, r)
               ? fmax(fmin(instances, could_use(a->snapshot, a->parameters, p, r) - used_now(a, p, r)), 0)
               : instances;
}

/* ---- A project whose own task waits until it fits ---- */

static uint32_t index_of(const asker *a, const vcs_task *task) {
    uint32_t index = 0;
    while (oracle_task(a->snapshot, index) != task) {
        index++;
    }
    return index;
}

/* -1 if it never does. */
static double finish_of(const asker *a, const vcs_task *task) {
    const vcs_task_forecast *forecast = &a->forecast->tasks[index_of(a, task)];
    return forecast->verdict == VCS_VERDICT_STUCK ? -1 : forecast->finish;
}

/* When something is first idle it has a task that does not fit, and another that can run but does not from then on. */
static bool waits_for_fit(const asker *a, uint32_t p, uint32_t r) {
    bool waits = false;
    for (uint32_t i = 0; i < a->queue_length; i++) {
        const vcs_task *task = a->queue[i];
        const double soonest = resource_forecast(a, r)->saturated + oracle_seconds(oracle_run_time(a->snapshot, task));
        waits = waits || (task->project == p && oracle_resource_of(task) == r && finish_of(a, task) > soonest);
    }
    return waits && !is_study(a) && project_resource_forecast(a, p, r)->waits_for_fit != 0;
}

static double last_finish(const asker *a, uint32_t p, uint32_t r) {
    double last = 0;
    for (uint32_t i = 0; i < a->queue_length; i++) {
        const vcs_task *task = a->queue[i];
        last = task->project == p && oracle_resource_of(task) == r ? fmax(last, finish_of(a, task)) : last;
    }
    return last;
}

/* A second, if exactly the work to be kept is left. */
static vcs_resource_forecast lack_of(const asker *a, uint32_t r) {
    vcs_resource_forecast lack = *resource_forecast(a, r);
    lack.idle_now -= lack.useless;
    const bool is_stopped = (a->forecast->summary.flags & VCS_SIMULATION_STOPPED) != 0;
    if (!is_stopped && lack.shortfall == 0 && lack.idle_now == 0 &&
        lack.saturated <= oracle_work_to_keep(a->parameters)) {
        lack.shortfall = 1;
    }
    return lack;
}

/* What the resource lacks, seen from a project: the simulation's; after its last task, if one waits until it fits. */
static vcs_resource_forecast lack_for(const asker *a, uint32_t p, uint32_t r) {
    vcs_resource_forecast lack = lack_of(a, r);
    if (waits_for_fit(a, p, r)) {
        const double rest = fmax(oracle_buffer(a->parameters) - last_finish(a, p, r), 0);
        lack.shortfall = fmin(lack.shortfall, rest * instances_of(a->snapshot, r));
        lack.idle_now = 0;
        lack.saturated = last_finish(a, p, r);
    }
    return lack;
}

/* Its limits let it run enough for now: no reason to call it, whatever others lack. */
static bool has_enough(const asker *a, uint32_t p, uint32_t r) {
    return !is_study(a) && is_limited(a->snapshot, p, r) &&
           project_resource_forecast(a, p, r)->saturated > oracle_work_to_keep(a->parameters);
}

/* Something is missing, and so much that somebody is to be called. */
static bool is_short(const asker *a, const vcs_resource_forecast *lack) {
    return lack->idle_now > 0 || (lack->shortfall > 0 && lack->saturated <= oracle_work_to_keep(a->parameters));
}

static request request_with_share(const asker *a, uint32_t p, uint32_t r) {
    const vcs_resource_forecast lack = lack_for(a, p, r);
    const double all = instances_of(a->snapshot, r), allowed = fmin(oracle_allowed_count(a->snapshot, p, r), all);
    const bool limited = is_limited(a->snapshot, p, r), waits = waits_for_fit(a, p, r);
    double seconds = lack.shortfall * (allowed / all);
    if (waits && (seconds == 0 || !is_short(a, &lack))) {
        return nothing(VCS_REASON_WAITS_FOR_FIT);
    }
    if (limited) {
        seconds = fmin(seconds, project_resource_forecast(a, p, r)->shortfall);
    }
    if (limited && seconds == 0 && oracle_buffer(a->parameters) > 0) {
        return nothing(limit_reason(a, p, r));
    }
    const double usable = fmin(allowed, capacity(a, r));
    const double due = fmin(usable * project_of(a, p)->share / a->share_sums[r], usable);
    const double lacking = in_units(fmax(due - used_now(a, p, r), 0));
    const double instances = cut_instances(a, p, r, waits ? 0 : fmax(lack.idle_now, lacking));
    return (request){fmax(seconds, instances), instances, limit_reason(a, p, r)};
}

/* Units of the tasks that will be there when the lead time is over. */
static double booked(const asker *a, uint32_t r) {
    int64_t units = 0;
    for (uint32_t i = 0; i < a->snapshot->tasks.count; i++) {
        const vcs_task *task = oracle_task(a->snapshot, i);
        if (oracle_takes_part(a->snapshot, task) && oracle_resource_of(task) == r &&
            a->forecast->tasks[i].finish > a->parameters->backup_lead) {
            units += oracle_use(task, r);
        }
    }
    return (double)units / (double)ORACLE_ONE;
}

static request request_of_backup(const asker *a, uint32_t p, uint32_t r) {
    const vcs_resource_forecast *lack = resource_forecast(a, r);
    if (waits_for_fit(a, p, r)) {
        return nothing(VCS_REASON_WAITS_FOR_FIT);
    }
    const double idle = lack->idle_now - lack->useless;
    if (idle == 0 && lack->saturated > a->parameters->backup_lead) {
        return nothing(VCS_REASON_BACKUP);
    }
    double wanted = fmax(floor(capacity(a, r) - booked(a, r)), idle);
    wanted = wanted > 0 ? wanted : 1;
    const double instances = cut_instances(a, p, r, wanted);
    return (request){instances, instances, limit_reason(a, p, r)};
}

/* WF1: the part of the buffer by share, less the queued work. */
static double lack_of_part(const asker *a, uint32_t p) {
    double shares = 0, count = 0, queued = 0;
    for (uint32_t i = 0; i < a->projects; i++) {
        const vcs_project *project = project_of(a, a->by_id[i]);
        const bool counts = (project->flags & VCS_PROJECT_SUSPENDED) == 0;
        shares += counts ? project->share : 0;
        count += counts;
    }
    for (uint32_t i = 0; i < a->queue_length; i++) {
        const vcs_task *task = a->queue[i];
        if (task->project == p && oracle_resource_of(task) == 0) {
            queued += task->remaining * ((double)oracle_use(task, 0) / (double)ORACLE_ONE);
        }
    }
    const double part = shares > 0 ? project_of(a, p)->share / shares : 1 / fmax(count, 1);
    return instances_of(a->snapshot, 0) * oracle_buffer(a->parameters) * part - queued;
}

static request request_by_wf1(const asker *a, uint32_t p) {
    const double lack = fmax(lack_of_part(a, p), project_resource_forecast(a, p, 0)->tasks == 0 ? 1 : 0);
    return (request){lack, 0, VCS_REASON_NO_SHARE_LEFT};
}

static request request_by_wf2(const asker *a, uint32_t p) {
    const vcs_resource_forecast *lack = resource_forecast(a, 0);
    const double total = lack->shortfall > 0 ? lack->shortfall : lack->idle_now;
    const double cpus = instances_of(a->snapshot, 0), own = project_resource_forecast(a, p, 0)->shortfall;
    uint32_t misses = 0;
    double shares = 0, sharers = 0;
    for (uint32_t i = 0; i < a->projects; i++) {
        const uint32_t q = a->by_id[i];
        misses += project_resource_forecast(a, q, 0)->misses;
        sharers += is_askable(a, q, 0) && !is_overworked(a, q);
        shares += is_askable(a, q, 0) && !is_overworked(a, q) ? project_of(a, q)->share : 0;
    }
    if (total > 0 && project_resource_forecast(a, p, 0)->misses >= cpus && a->queue_length >= cpus) {
        return nothing(VCS_REASON_MISSES);
    }
    if (total == 0 && misses > 0) {
        return nothing(VCS_REASON_FULL);
    }
    if (total == 0 && is_overworked(a, p)) {
        return nothing(VCS_REASON_OVERWORKED);
    }
    if (total == 0 && own == 0) {
        return nothing(VCS_REASON_NO_SHARE_LEFT);
    }
    const double part = shares > 0 ? total * project_of(a, p)->share / shares : total / fmax(sharers, 1);
    return (request){fmax(fmin(fmax(own, part), 1.01 * oracle_buffer(a->parameters) * cpus), 1), 0, 0};
}

static bool is_wacky(const asker *a, uint32_t p) {
    const double dcf = project_of(a, p)->dcf;
    return dcf != 0 && (dcf < 0.02 || dcf > 80);
}

/* So little that nobody is called for it. */
static double little(const asker *a, uint32_t r) {
    const bool is_stopped =
        (a->forecast->summary.flags & VCS_SIMULATION_STOPPED) != 0 && a->forecast->summary.unknown > 0;
    return is_study(a) || is_stopped || a->parameters->discipline == VCS_DISCIPLINE_FLUID
               ? 0
               : oracle_seconds(oracle_micros(oracle_least_shortfall(a->snapshot, a->parameters, r)));
}

static bool lacks_little(const asker *a, uint32_t r) {
    const vcs_resource_forecast *forecast = resource_forecast(a, r);
    return forecast->shortfall < little(a, r) && forecast->idle_now - forecast->useless < fmin(capacity(a, r), 1);
}

static bool is_wanted_by_forecast(const asker *a, uint32_t r) {
    const vcs_resource_forecast lack = lack_of(a, r);
    const bool lacks = lack.shortfall > 0 || lack.idle_now > 0;
    return is_decided(a, r) && (is_study(a) || (lacks && !is_suspended(a, r)));
}

static bool is_in_need_by_forecast(const asker *a, uint32_t r) {
    const vcs_resource_forecast lack = lack_of(a, r);
    return is_wanted_by_forecast(a, r) && (is_study(a) || (is_short(a, &lack) && !lacks_little(a, r)));
}

/* No more than one task where estimates are far off, and no more than limits can run. */
static request cut(const asker *a, uint32_t p, uint32_t r, request asked) {
    if (asked.seconds > 0 && is_wacky(a, p)) {
        asked.seconds = 1;
        asked.instances = fmin(asked.instances, 1);
    }
    if (asked.seconds > 0 && oracle_fetch_capacity(a->snapshot, a->parameters, p, r) < asked.seconds) {
        asked.seconds = oracle_fetch_capacity(a->snapshot, a->parameters, p, r);
        asked.reason = limit_reason(a, p, r);
    }
    return asked.seconds > 0 ? asked : nothing(asked.reason);
}

static request request_by_forecast(const asker *a, uint32_t p, uint32_t r) {
    if (!is_wanted_by_forecast(a, r)) {
        return nothing(VCS_REASON_FULL);
    }
    const request asked = is_wf1(a)                      ? request_by_wf1(a, p)
                          : is_wf2(a)                    ? request_by_wf2(a, p)
                          : project_of(a, p)->share > 0 ? request_with_share(a, p, r)
                                                         : request_of_backup(a, p, r);
    return cut(a, p, r, asked);
}

/* ---- What the choice of tasks leaves idle ---- */

/* Its files are missing, or its resource is paused. */
static bool must_wait(const asker *a, const vcs_task *task) {
    return (task->flags & VCS_TASK_DOWNLOADING) != 0 ||
           (oracle_resource(a->snapshot, task->gpu)->flags & VCS_RESOURCE_PAUSED) != 0;
}

/* Instances that are idle and stay so, as far as the tasks at hand go; 0 where memory is short. */
static double left_idle(const asker *a, uint32_t r) {
    if (a->choice == NULL || a->choice->short_of_memory || is_study(a) || is_suspended(a, r)) {
        return 0;
    }
    double left = capacity(a, r) - a->choice->resources[r].used - resource_forecast(a, r)->useless;
    for (uint32_t i = 0; i < a->queue_length; i++) {
        left -= must_wait(a, a->queue[i]) ? (double)oracle_use(a->queue[i], r) / (double)ORACLE_ONE : 0;
    }
    const double most_by_rounding = instances_of(a->snapshot, r) * floor(1e-4 * (double)ORACLE_ONE);
    return left > most_by_rounding / (double)ORACLE_ONE ? left : 0;
}

/* One task for each, if it is a backup project and none of its own waits. */
static request request_for_left(const asker *a, uint32_t p, uint32_t r) {
    double used = 0;
    for (uint32_t i = 0; i < a->queue_length; i++) {
        const vcs_task *task = a->queue[i];
        if (task->project == p && oracle_resource_of(task) == r) {
            if (a->choice->tasks[index_of(a, task)].run == 0) {
                return nothing(VCS_REASON_WAITS_FOR_FIT);
            }
            used += (double)oracle_use(task, r) / (double)ORACLE_ONE;
        }
    }
    const double room = fmax(could_use(a->snapshot, a->parameters, p, r) - used, 0);
    const double instances = is_limited(a->snapshot, p, r) ? fmin(left_idle(a, r), room) : left_idle(a, r);
    return cut(a, p, r, (request){instances, instances, limit_reason(a, p, r)});
}

/* Something is left idle, and nobody can be asked for what the simulation finds missing. */
static bool asks_for_left(const asker *a, uint32_t r) {
    bool any = false;
    for (uint32_t p = 0; p < a->projects && is_in_need_by_forecast(a, r); p++) {
        any = any || (is_askable(a, p, r) && request_by_forecast(a, p, r).seconds > 0 &&
                      (a->called != VCS_NONE || !has_enough(a, p, r)));
    }
    const bool is_much = left_idle(a, r) >= fmin(capacity(a, r), 1) || little(a, r) == 0;
    return is_decided(a, r) && left_idle(a, r) > 0 && !any && (is_much || is_in_need_by_forecast(a, r));
}

/* Backup projects alone are asked for it. What the simulation asks of others is another matter. */
static bool is_for_left(const asker *a, uint32_t p, uint32_t r) {
    if (!a->for_left[r] || project_of(a, p)->share > 0) {
        return false;
    }
    const bool by_forecast = request_by_forecast(a, p, r).seconds > 0, any = request_for_left(a, p, r).seconds > 0;
    return is_in_need_by_forecast(a, r) ? any && !by_forecast : any || !by_forecast;
}

static bool is_wanted(const asker *a, uint32_t p, uint32_t r) {
    return is_for_left(a, p, r) || is_wanted_by_forecast(a, r);
}

static bool is_in_need(const asker *a, uint32_t p, uint32_t r) {
    return is_for_left(a, p, r) || (is_in_need_by_forecast(a, r) && !has_enough(a, p, r));
}

static request request_of(const asker *a, uint32_t p, uint32_t r) {
    return is_for_left(a, p, r) ? request_for_left(a, p, r) : request_by_forecast(a, p, r);
}

/* ---- Whom ---- */

/* The first project that could be asked for something; VCS_NONE. */
static uint32_t find_best(const asker *a, uint32_t r, bool for_left) {
    uint32_t best = VCS_NONE;
    for (uint32_t p = 0; p < a->projects; p++) {
        const bool has_reason = a->called != VCS_NONE || !is_in_need_by_forecast(a, r) || is_in_need(a, p, r);
        if (is_for_left(a, p, r) == for_left && is_wanted(a, p, r) && is_askable(a, p, r) &&
            request_of(a, p, r).seconds > 0 && has_reason && (best == VCS_NONE || goes_before(a, p, best, r))) {
            best = p;
        }
    }
    return best;
}

/* A project that is called anyway may be asked for every resource that it is best for, backed off or not. */
static bool may_be_asked_along(const asker *a, uint32_t p, uint32_t r) {
    const uint32_t best = is_for_left(a, p, r) ? a->best_for_left[r] : a->best[r];
    return is_wanted(a, p, r) && obstacle(a, p, r, true) == VCS_REASON_NONE && request_of(a, p, r).seconds > 0 &&
           (best == VCS_NONE || best == p || goes_before(a, p, best, r));
}

/* Returns the project that is asked, and for which resource the call is; marks the project_resources. */
static uint32_t decide(const asker *a, uint32_t *call_for) {
    uint32_t chosen = VCS_NONE;
    bool *first = oracle_allocate(a->resources, sizeof *first);
    for (uint32_t i = 0; i < a->resources; i++) {
        const uint32_t r = a->resources - 1 - i;
        const uint32_t best = is_in_need_by_forecast(a, r) && a->best[r] != VCS_NONE ? a->best[r] : a->best_for_left[r];
        if (a->called == VCS_NONE && chosen == VCS_NONE && best != VCS_NONE) {
            chosen = best;
            first[r] = true;
            *call_for = r;
        }
        if (a->called != VCS_NONE &&
            (a->best[r] == a->called || a->best_for_left[r] == a->called ||
             (is_study(a) && is_askable(a, a->called, r) && request_of(a, a->called, r).seconds > 0))) {
            chosen = a->called;
            first[r] = true;
        }
    }
    for (uint32_t r = 0; chosen != VCS_NONE && r < a->resources; r++) {
        *asked(a, chosen, r) = first[r] || may_be_asked_along(a, chosen, r);
    }
    free(first);
    return chosen;
}

/* ---- What to say ---- */

static bool matters(const asker *a, uint32_t p, uint32_t r) {
    return is_for_left(a, p, r) || (a->called == VCS_NONE ? is_in_need_by_forecast(a, r) : is_wanted_by_forecast(a, r));
}

static bool is_full(const asker *a, uint32_t r) {
    const vcs_resource_forecast *lack = resource_forecast(a, r);
    return lack->idle_now == lack->useless && lack->shortfall == 0;
}

/* Who is first in line before a project once the call is decided: who is asked for the same, else the best. */
static uint32_t first_in_line(const asker *a, uint32_t chosen, uint32_t p, uint32_t r) {
    const uint32_t best = is_for_left(a, p, r) ? a->best_for_left[r] : a->best[r];
    const bool is_asked = chosen != VCS_NONE && *asked(a, chosen, r);
    return is_asked && (is_for_left(a, chosen, r) == is_for_left(a, p, r) || best == VCS_NONE) ? chosen : best;
}

static uint32_t reason_to_wait(const asker *a, uint32_t r) {
    const vcs_resource_forecast lack = lack_of(a, r);
    return is_full(a, r) ? VCS_REASON_FULL : is_short(a, &lack) ? VCS_REASON_LITTLE_MISSING : VCS_REASON_ENOUGH;
}

static uint32_t reason_for(const asker *a, uint32_t p, uint32_t r, uint32_t chosen, uint32_t call_for) {
    if (*asked(a, p, r)) {
        const bool is_first = a->called == VCS_NONE
                                  ? r == call_for
                                  : a->best[r] == p || a->best_for_left[r] == p || (is_study(a) && is_askable(a, p, r));
        return is_wacky(a, p) ? VCS_REASON_ASKED_LITTLE : is_first ? VCS_REASON_ASKED : VCS_REASON_ASKED_ALONG;
    }
    const uint32_t against = obstacle(a, p, r, false);
    if (against != VCS_REASON_NONE || !is_decided(a, r)) {
        return against;
    }
    if (!matters(a, p, r)) {
        return reason_to_wait(a, r);
    }
    if (request_of(a, p, r).seconds == 0) {
        return request_of(a, p, r).reason;
    }
    if (a->called == VCS_NONE && has_enough(a, p, r)) {
        return VCS_REASON_ENOUGH;
    }
    return a->called != VCS_NONE && first_in_line(a, chosen, p, r) == p ? VCS_REASON_NONE : VCS_REASON_BETTER_PROJECT;
}

/* Its server sends no more jobs until the host has reported some, so any wait is called by that. */
static bool waits_for_server_limit(const asker *a, uint32_t p, uint32_t r) {
    return has_flag(a, p, r, VCS_PROJECT_RESOURCE_SERVER_LIMIT);
}

static vcs_fetch_decision report(const asker *a, uint32_t p, uint32_t r, uint32_t chosen, uint32_t call_for) {
    vcs_fetch_decision d = {.reason = reason_for(a, p, r, chosen, call_for), .better = VCS_NONE};
    const bool is_asked = *asked(a, p, r);
    d.priority = is_asked || is_askable(a, p, r) ? standing_of(a, p, r).numbers[2] + 0.0 : -INFINITY;
    d.seconds = is_asked ? request_of(a, p, r).seconds : 0;
    d.instances = is_asked ? request_of(a, p, r).instances : 0;
    if (d.reason == VCS_REASON_DEFERRED || d.reason == VCS_REASON_BACKED_OFF) {
        const double deferred = p == a->called ? 0 : deferral(a, p), backed_off = backoff(a, p, r);
        d.wait = fmax(deferred, backed_off);
        d.also_wait = fmin(deferred, backed_off);
        d.also = d.also_wait == 0                  ? VCS_REASON_NONE
                 : d.reason == VCS_REASON_DEFERRED ? VCS_REASON_BACKED_OFF
                                                   : VCS_REASON_DEFERRED;
        d.reason = waits_for_server_limit(a, p, r) ? VCS_REASON_SERVER_LIMIT : d.reason;
    }
    if (d.reason == VCS_REASON_BETTER_PROJECT) {
        const uint32_t first = first_in_line(a, chosen, p, r);
        d.better = first == p ? chosen : first;
    }
    return d;
}

/* The obstacle that all projects have in common that the resource matters to; "no project" if they have none. */
static uint32_t common_obstacle(const asker *a, uint32_t r) {
    uint32_t common = VCS_REASON_NONE;
    for (uint32_t p = 0; p < a->projects; p++) {
        const uint32_t own = report(a, p, r, VCS_NONE, VCS_NONE).reason;
        if (matters(a, p, r)) {
            common = common == VCS_REASON_NONE || common == own ? own : VCS_REASON_NO_PROJECT;
        }
    }
    return common == VCS_REASON_NONE ? VCS_REASON_NO_PROJECT : common;
}

/* The resource matters to the project that is called; else to some project, or it is in need and there is none. */
static bool matters_at_all(const asker *a, uint32_t r) {
    bool any = a->called != VCS_NONE ? matters(a, a->called, r) : is_in_need_by_forecast(a, r);
    for (uint32_t p = 0; a->called == VCS_NONE && p < a->projects; p++) {
        any = any || matters(a, p, r);
    }
    return any;
}

/* The reason of the first in line for the first resource that matters, if nothing prevents asking it. */
static uint32_t reason_for_none(const asker *a) {
    uint32_t nothing = VCS_REASON_FULL;
    for (uint32_t i = 0; i < a->resources; i++) {
        const uint32_t r = a->resources - 1 - i;
        uint32_t first = a->called;
        if (!matters_at_all(a, r)) {
            const bool counts = is_decided(a, r) && !is_suspended(a, r) && !is_full(a, r);
            nothing = counts && nothing != VCS_REASON_ENOUGH ? reason_to_wait(a, r) : nothing;
            continue;
        }
        for (uint32_t p = 0; a->called == VCS_NONE && p < a->projects; p++) {
            if (!matters(a, p, r)) {
                continue;
            }
            const bool better = first == VCS_NONE || (is_askable(a, p, r) && !is_askable(a, first, r)) ||
                                (is_askable(a, p, r) == is_askable(a, first, r) && goes_before(a, p, first, r));
            first = better ? p : first;
        }
        if (a->called == VCS_NONE && (first == VCS_NONE || !is_askable(a, first, r))) {
            return common_obstacle(a, r);
        }
        return report(a, first, r, VCS_NONE, VCS_NONE).reason;
    }
    return nothing;
}

/* When less work will be left than is to be kept; at once if that is so already. */
static double time_until_short(const asker *a, const vcs_resource_forecast *lack) {
    if (is_short(a, lack)) {
        return 0;
    }
    return fmax(lack->saturated <= oracle_work_to_keep(a->parameters)
                    ? lack->saturated
                    : lack->saturated - oracle_work_to_keep(a->parameters),
                1);
}

/* When a limited project that is asked for nothing could be asked again. */
static double time_until_room(const asker *a, uint32_t p, uint32_t r) {
    const double end = oracle_buffer(a->parameters), excess = -oracle_fetch_capacity(a->snapshot, a->parameters, p, r);
    double first = INFINITY, running = 0;
    for (uint32_t i = 0; i < a->queue_length; i++) {
        const vcs_task *task = a->queue[i];
        const double alone = oracle_seconds(oracle_run_time(a->snapshot, task)), finish = finish_of(a, task);
        if (task->project == p && finish >= end) {
            first = fmin(first, finish - end);
        }
        if (task->project == p && oracle_resource_of(task) == r && alone <= fmax(end, 1) &&
            a->forecast->tasks[index_of(a, task)].finish <= alone) {
            running += (double)oracle_use(task, r) / (double)ORACLE_ONE;
        }
    }
    if (project_resource_forecast(a, p, r)->shortfall == 0) {
        return first;
    }
    return excess < 0 ? INFINITY : running > 0 ? fmin(first, excess / running) : first;
}

/* When the project could be asked for the resource, if nobody were called before. */
static double time_until_asked(const asker *a, uint32_t p, uint32_t r) {
    if (obstacle_but_time(a, p, r)) {
        return INFINITY;
    }
    const double waits = fmax(deferral(a, p), backoff(a, p, r));
    if (is_in_need(a, p, r) && request_of(a, p, r).seconds > 0) {
        return waits;
    }
    if (is_study(a) || (oracle_resource(a->snapshot, r)->flags & VCS_RESOURCE_PAUSED) != 0) {
        return INFINITY;
    }
    const vcs_resource_forecast lack = lack_for(a, p, r);
    double until = time_until_short(a, &lack);
    if (lacks_little(a, r)) {
        const vcs_resource_forecast *all = resource_forecast(a, r);
        const double much = fmax(all->saturated - oracle_work_to_keep(a->parameters), all->short_from);
        until = fmax(until, fmax(fmin(all->idle_from, much), 1));
    }
    if (project_of(a, p)->share == 0 && lack.idle_now == 0) {
        until = fmax(until, lack.saturated - a->parameters->backup_lead);
    }
    if (has_enough(a, p, r)) {
        until =
            fmax(until, fmax(project_resource_forecast(a, p, r)->saturated - oracle_work_to_keep(a->parameters), 1));
    }
    return fmax(waits, until > 0 ? until : time_until_room(a, p, r));
}

/* By the rules of the study. */
static double time_until_study_asks(const asker *a) {
    const vcs_resource *cpu = oracle_resource(a->snapshot, 0);
    double soonest = INFINITY;
    const double busy = resource_forecast(a, 0)->saturated, beyond = busy - oracle_buffer(a->parameters);
    if (is_wf2(a) && busy > 0 && beyond >= 0) {
        return cpu->usable * beyond;
    }
    for (uint32_t p = 0; is_wf1(a) && p < a->projects; p++) {
        const double spare = -lack_of_part(a, p);
        const bool has_tasks = project_resource_forecast(a, p, 0)->tasks > 0;
        if (spare >= 0 && has_tasks && obstacle(a, p, 0, false) == VCS_REASON_NONE) {
            soonest = fmin(soonest, spare / (instances_of(a->snapshot, 0) * cpu->usable));
        }
    }
    return soonest;
}

static double next_check(const asker *a, uint32_t chosen) {
    const double interval = a->parameters->look_interval;
    double soonest = is_study(a) ? time_until_study_asks(a) : INFINITY;
    if (chosen != VCS_NONE && a->called == VCS_NONE) {
        return interval > 0 ? interval : 60;
    }
    for (uint32_t p = 0; p < a->projects; p++) {
        for (uint32_t r = 0; r < a->resources; r++) {
            soonest = is_decided(a, r) ? fmin(soonest, time_until_asked(a, p, r)) : soonest;
        }
    }
    return fmax(soonest, is_study(a) ? fmax(interval, 1) : 1);
}

oracle_fetch_outcome oracle_fetch(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                                  const oracle_wrr *forecast, const oracle_schedule_outcome *choice, uint32_t called) {
    asker a = begin(snapshot, parameters, now, forecast, choice, called);
    add_up(&a);
    for (uint32_t r = 0; r < a.resources; r++) {
        a.for_left[r] = asks_for_left(&a, r);
        a.best[r] = find_best(&a, r, false);
        a.best_for_left[r] = find_best(&a, r, true);
    }
    oracle_fetch_outcome outcome = oracle_fetch_new(snapshot);
    uint32_t call_for = VCS_NONE;
    const uint32_t chosen = decide(&a, &call_for);
    for (uint32_t p = 0; p < a.projects; p++) {
        for (uint32_t r = 0; r < a.resources; r++) {
            outcome.project_resources[p * a.resources + r] = report(&a, p, r, chosen, call_for);
        }
    }
    outcome.summary.project = chosen;
    outcome.summary.reason = chosen == VCS_NONE ? reason_for_none(&a) : VCS_REASON_ASKED;
    outcome.summary.next_check = next_check(&a, chosen);
    end(&a);
    return outcome;
}

oracle_fetch_outcome oracle_fetch_new(const vcs_snapshot *snapshot) {
    oracle_fetch_outcome outcome = {
        .summary = {.struct_size = sizeof outcome.summary},
        .project_resources = oracle_allocate((uint64_t)snapshot->projects.count * snapshot->resources.count,
                                             sizeof *outcome.project_resources),
    };
    return outcome;
}

void oracle_fetch_free(oracle_fetch_outcome *outcome) {
    free(outcome->project_resources);
}
