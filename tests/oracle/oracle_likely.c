/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_likely.h"

#include <math.h>
#include <stdlib.h>

#include "oracle/oracle_chance.h"
#include "oracle/oracle_hours.h"
#include "oracle/oracle_records.h"

/* A task in the queue, or a candidate. */
typedef struct likely {
    const vcs_task *task;
    uint32_t index;
    bool is_candidate, stays;
    double margin; /* below 0: it has none to lose */
} likely;

typedef struct host {
    const vcs_snapshot *snapshot;
    const vcs_parameters *parameters;
    double now;
    uint32_t resource; /* of the candidate that is judged */
    double instances, on, off;
    likely *queue;
    uint32_t count;
} host;

double oracle_last_connection(double deadline, double now, double interval) {
    if (isinf(deadline) || interval == 0 || fabs((deadline - now) / interval) > 1e15) {
        return deadline;
    }
    return fmin(deadline, now + interval * floor((deadline - now) / interval));
}

static double window_of(const host *h, double deadline) {
    return oracle_last_connection(deadline, h->now, h->parameters->connect_every) - h->now;
}

static double capacity_of(const host *h, uint32_t resource) {
    const vcs_resource *of = oracle_resource(h->snapshot, resource);
    return (double)(oracle_units(of->instances) - oracle_units(of->reserve)) / (double)ORACLE_ONE;
}

static double uses(const vcs_task *task, uint32_t resource) {
    return (double)oracle_use(task, resource) / (double)ORACLE_ONE;
}

static bool can_run(const host *h, const vcs_task *task) {
    const uint32_t resource = oracle_resource_of(task);
    return oracle_takes_part(h->snapshot, task) && uses(task, 0) <= capacity_of(h, 0) &&
           uses(task, resource) <= capacity_of(h, resource);
}

static void find_spells(host *h) {
    const vcs_host *records = h->snapshot->host.base;
    const double usable = oracle_resource(h->snapshot, 0)->usable;
    const bool is_known = records->on_spell > 0;
    h->on = is_known ? fmax(records->on_spell, VCS_MIN_ON) : 14400;
    h->off = is_known ? records->off_spell : fmin(1e12, 14400 / usable * (1 - usable));
}

/* The same within a window, by the hours if they are known. */
static void find_spells_within(const host *h, double window, double *on, double *off) {
    *on = h->on;
    *off = h->off;
    if (h->parameters->hours != VCS_HOURS_NONE && h->snapshot->hours.count > 0) {
        oracle_hours_spells(h->snapshot->hours.base, h->snapshot->hours.count, h->now, window, on, off);
    }
}

/* The last moment at which the host can report a task in time. */
static double last_report(const host *h, const vcs_task *task) {
    const double every = h->parameters->connect_every;
    const double next = ((const vcs_host *)h->snapshot->host.base)->next_connection;
    if (every == 0 || (next != 0 && next <= h->now)) {
        return task->deadline;
    }
    if (next != 0 && task->deadline < next) {
        return -INFINITY;
    }
    return oracle_last_connection(task->deadline, next != 0 ? next : task->received, every);
}

uint32_t oracle_reason_given_up(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                                const vcs_task *task) {
    host h = {.snapshot = snapshot, .parameters = parameters, .now = now};
    if (parameters->give_up == VCS_GIVE_UP_NEVER ||
        (oracle_project(snapshot, task->project)->flags & VCS_PROJECT_KEEPS_TASKS)) {
        return VCS_REASON_KEPT;
    }
    find_spells(&h);
    vcs_give_up_terms terms = {
        .rule = parameters->give_up,
        .deadline = last_report(&h, task),
        .remaining = task->remaining,
        .total = task->total,
        .bound = oracle_last_connection(fmax(0, task->deadline - task->received), 0, parameters->connect_every),
        .threshold = parameters->give_up_below,
    };
    double new_on, new_off;
    find_spells_within(&h, terms.deadline - now, &terms.on, &terms.off);
    find_spells_within(&h, terms.bound, &new_on, &new_off);
    const uint32_t reason = oracle_give_up_within(&terms, now, new_on, new_off);
    return reason == VCS_REASON_DEADLINE_OVER && task->deadline > now ? VCS_REASON_TIME_TOO_SHORT : reason;
}

static bool is_given_up(const host *h, const vcs_task *task) {
    return oracle_reason_given_up(h->snapshot, h->parameters, h->now, task) != VCS_REASON_KEPT;
}

/* Whether a task goes before another that waits behind it. */
static bool is_ahead(const likely *q, double deadline) {
    return q->stays || q->task->deadline <= deadline;
}

static double work_ahead(const host *h, double deadline) {
    double work = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        work +=
            is_ahead(&h->queue[i], deadline) ? h->queue[i].task->remaining * uses(h->queue[i].task, h->resource) : 0;
    }
    return work;
}

/* Whether the task has room beside all tasks that go before that deadline; all of them, if it is infinite. */
static bool has_room(const host *h, const vcs_task *task, double deadline) {
    double used = uses(task, h->resource);
    for (uint32_t i = 0; i < h->count; i++) {
        used += is_ahead(&h->queue[i], deadline) ? uses(h->queue[i].task, h->resource) : 0;
    }
    return used <= h->instances;
}

static double time_for(const host *h, double work) {
    return fmin(1e12, work / h->instances);
}

static int by_turn(const void *a, const void *b) {
    const likely *x = a, *y = b;
    if (x->stays != y->stays) {
        return x->stays ? -1 : 1;
    }
    return (x->task->deadline > y->task->deadline) - (x->task->deadline < y->task->deadline);
}

/* Equal deadlines go by run time, arrival and id. */
static int by_turn_exactly(const host *h, const likely *x, const likely *y) {
    const int turn = by_turn(x, y);
    if (turn != 0) {
        return turn;
    }
    const int64_t a = oracle_run_time(h->snapshot, x->task), b = oracle_run_time(h->snapshot, y->task);
    if (a != b) {
        return a < b ? -1 : 1;
    }
    return oracle_arrives_before(x->task, y->task) ? -1 : 1;
}

static bool stays(const host *h, const vcs_task *task) {
    return h->parameters->keep_running && (task->flags & VCS_TASK_RUNNING) && !(task->flags & VCS_TASK_DOWNLOADING) &&
           !(oracle_resource(h->snapshot, h->resource)->flags & VCS_RESOURCE_PAUSED);
}

/* Puts a task where its turn is; a candidate goes behind all that are due no later. */
static void insert(host *h, const likely *added) {
    uint32_t place = h->count++;
    for (; place > 0; place--) {
        const likely *before = &h->queue[place - 1];
        if (added->is_candidate ? is_ahead(before, added->task->deadline) : by_turn_exactly(h, added, before) > 0) {
            break;
        }
        h->queue[place] = *before;
    }
    h->queue[place] = *added;
}

/* The tasks of the host and those that joined, in order of their turns, with their margins. */
static void queue_tasks(host *h, const uint32_t *admitted, uint32_t admitted_count) {
    for (uint32_t i = 0; i < h->snapshot->tasks.count; i++) {
        const vcs_task *task = oracle_task(h->snapshot, i);
        if (oracle_resource_of(task) == h->resource && can_run(h, task) && !is_given_up(h, task)) {
            insert(h, &(likely){.task = task, .index = i, .stays = stays(h, task)});
        }
    }
    for (uint32_t k = 0; k < admitted_count; k++) {
        const vcs_task *task = oracle_candidate(h->snapshot, admitted[k]);
        if (oracle_resource_of(task) == h->resource) {
            insert(h, &(likely){.task = task, .index = admitted[k], .is_candidate = true});
        }
    }
    double used = 0, work = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        likely *q = &h->queue[i];
        used += uses(q->task, h->resource);
        const double wait = used <= h->instances ? 0 : time_for(h, work);
        const double window = window_of(h, q->task->deadline);
        work += q->task->remaining * uses(q->task, h->resource);
        double on, off;
        find_spells_within(h, window, &on, &off);
        q->margin = q->stays ? -1 : oracle_margin(window, fmin(1e12, wait + q->task->remaining), on, off);
    }
}

static double spread_of(const host *h, uint32_t project) {
    const vcs_project_resource *record = oracle_project_resource(h->snapshot, project, h->resource);
    return record == NULL ? 0 : record->job_spread;
}

/* The best chance of the last jobs of projects that can be asked. */
static double best_of(const host *h) {
    double best = 0;
    for (uint32_t i = 0; i < h->snapshot->projects.count; i++) {
        const vcs_project_resource *record = oracle_project_resource(h->snapshot, i, h->resource);
        const uint32_t flags = oracle_project(h->snapshot, i)->flags;
        if (record != NULL && record->job_seconds > 0 && record->job_bound > 0 &&
            !(flags & (VCS_PROJECT_SUSPENDED | VCS_PROJECT_NO_NEW_WORK))) {
            const double window = window_of(h, h->now + record->job_bound);
            double on, off;
            find_spells_within(h, window, &on, &off);
            best = fmax(best, oracle_spread_chance(0, record->job_seconds, record->job_spread, window, on, off));
        }
    }
    return best;
}

static vcs_admit_terms terms_of(const host *h, const vcs_task *task, const likely **least) {
    const bool by_chance = h->parameters->give_up == VCS_GIVE_UP_BY_CHANCE, is_idle = has_room(h, task, INFINITY);
    vcs_admit_terms terms = {
        .flags = is_idle ? VCS_ADMIT_IDLE : 0,
        .remaining = task->remaining,
        .window = window_of(h, task->deadline),
        .wait = has_room(h, task, task->deadline) ? 0 : time_for(h, work_ahead(h, task->deadline)),
        .spread = spread_of(h, task->project),
        .best = best_of(h),
        .least_margin = INFINITY,
        .added = is_idle ? 0 : time_for(h, task->remaining * uses(task, h->resource)),
        .below_best = 0.2,
        .max_loss = 0.05,
        .give_up_below = by_chance ? fmax(0.1, h->parameters->give_up_below) : 0.1,
        .floor_above = 0.05,
    };
    find_spells_within(h, terms.window, &terms.on, &terms.off);
    *least = NULL;
    for (uint32_t i = 0; i < h->count; i++) {
        const likely *q = &h->queue[i];
        if (!is_ahead(q, task->deadline) && q->margin >= 0 && q->margin < terms.least_margin) {
            terms.least_margin = q->margin;
            *least = q;
        }
    }
    return terms;
}

static double difference(double a, double b) {
    return isinf(a) || isinf(b) ? 1 : fabs(a - b) / fmax(1, fmax(fabs(a), fabs(b)));
}

static double doubt_of(const vcs_admit_terms *t) {
    const double p = oracle_spread_chance(0, t->remaining, t->spread, t->window, t->on, t->off);
    const double exact = oracle_chance(t->remaining, t->window, t->on, t->off);
    const double waiting = oracle_spread_chance(t->wait, t->remaining, t->spread, t->window, t->on, t->off);
    const double floor = fmin(1, t->give_up_below + t->floor_above);
    double doubt = fmin(difference(p, floor), difference(exact, floor));
    doubt = fmin(doubt, difference(p, t->best - t->below_best));
    doubt = fmin(doubt, difference(waiting, p - t->max_loss));
    /* On a host that is never off chances jump where the time is just enough. */
    doubt = t->off == 0 ? fmin(doubt, difference(t->wait + t->remaining, t->window)) : doubt;
    return t->added == 0 ? doubt : fmin(doubt, difference(t->added, t->least_margin));
}

vcs_admission oracle_admit_likely(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                                  const uint32_t *admitted, uint32_t admitted_count, uint32_t candidate,
                                  double *doubt) {
    vcs_admission answer = {
        .struct_size = sizeof answer,
        .reason = VCS_REASON_CANNOT_RUN,
        .finish = INFINITY,
        .harmed = VCS_NONE,
        .harmed_candidate = VCS_NONE,
    };
    const vcs_task *task = oracle_candidate(snapshot, candidate);
    host h = {.snapshot = snapshot, .parameters = parameters, .now = now, .resource = oracle_resource_of(task)};
    *doubt = 1;
    if (!can_run(&h, task)) {
        return answer;
    }
    h.instances = capacity_of(&h, h.resource);
    h.queue = oracle_allocate((uint64_t)snapshot->tasks.count + admitted_count + 1, sizeof *h.queue);
    find_spells(&h);
    queue_tasks(&h, admitted, admitted_count);
    const likely *least;
    const vcs_admit_terms terms = terms_of(&h, task, &least);
    const double usable = oracle_resource(snapshot, h.resource)->usable;
    *doubt = doubt_of(&terms);
    answer.reason = oracle_admit_by_chance(&terms);
    answer.admitted = answer.reason == VCS_REASON_LIKELY || answer.reason == VCS_REASON_FOR_IDLE;
    answer.finish = terms.wait / usable + oracle_seconds(oracle_run_time(snapshot, task));
    if (answer.reason == VCS_REASON_TAKES_MARGIN) {
        *(least->is_candidate ? &answer.harmed_candidate : &answer.harmed) = least->index;
    }
    free(h.queue);
    return answer;
}
