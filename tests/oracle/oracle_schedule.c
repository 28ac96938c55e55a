/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_schedule.h"

#include <math.h>
#include <stdlib.h>

#include "oracle/oracle_fit.h"
#include "oracle/oracle_records.h"
#include "oracle/oracle_slices.h"

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
    /* per task */
    bool *can_run; /* nothing but other tasks is in its way */
    bool *settled; /* it runs because it was late, and stays late */
    bool *late;
    bool *was_late; /* at some moment of this decision */
    bool *tried;
    bool *passed; /* refused for a limit of its own */
    bool *runs;
    uint64_t *devices;
    oracle_fit *fit;
    uint32_t *displaced; /* running tasks that lost their devices: 1, 2, ... in that order; else 0 */
    uint32_t displaced_count;
    sums all; /* for the resource whose turns are given out */
    int64_t yield_to; /* units of the wide task to which smaller ones yield; 0 = none */
    int64_t held;     /* units of the wide task for which CPUs are held; 0 = none */
    bool is_overdue;  /* its turn is */
    uint32_t ahead;   /* a task that is counted as having run for `hold`; VCS_NONE */
    bool *fills_in;   /* runs without a slice */
    bool *postponed;  /* late, and lets GPU tasks go first */
    bool some_postponed;
    uint32_t *by_arrival;
    oracle_schedule_outcome out;
} decision;

/* ---- Questions about one task ---- */

static bool has_flag(const vcs_task *task, uint32_t flag) {
    return (task->flags & flag) != 0;
}

static double loss(const vcs_task *task) {
    return oracle_loss(task);
}

static bool slice_lasts(const decision *d, const vcs_task *task) {
    return oracle_slice_lasts(d->snapshot, d->parameters, d->now, task);
}

/* A running task that keeps its place whosever turn comes, unless it yields to a task of more CPUs. */
static bool keeps_place(const decision *d, const vcs_task *task) {
    bool yields = task->gpu == 0 && oracle_use(task, 0) < d->yield_to;
    return !yields && (slice_lasts(d, task) || oracle_ends_soon(d->snapshot, d->parameters, task));
}

/* Nothing stops it but the user, suspension and memory. */
static bool must_go_on(const vcs_task *task) {
    return has_flag(task, VCS_TASK_RUNNING) && has_flag(task, VCS_TASK_UNINTERRUPTIBLE);
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

static bool could_run_alone(const decision *d, const vcs_task *task) {
    const vcs_host *host = d->snapshot->host.base;
    uint64_t devices;
    oracle_fit empty = oracle_fit_new(d->snapshot, d->parameters);
    const bool fits = oracle_fit_finds(&empty, task, &devices);
    oracle_fit_free(&empty);
    return fits && (host->ram == 0 || task->ram <= host->ram);
}

static bool takes_part(const decision *d, uint32_t task) {
    return oracle_takes_part(d->snapshot, oracle_task(d->snapshot, task));
}

static bool can_run(const decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    return oracle_may_run(d->snapshot, task) && could_run_alone(d, task);
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
    return d->can_run[task] && d->forecasts[task].verdict == VCS_VERDICT_MISSES;
}

/* It runs because it was late. */
static bool is_settled(const decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    return d->parameters->hysteresis && d->can_run[index] && has_flag(task, VCS_TASK_WAS_LATE) && slice_lasts(d, task);
}

/* By the ranking by debt: of each project as many as it has misses, earliest deadline first (rule 13.7). */
static bool is_late_by_project(const decision *d, uint32_t task) {
    const vcs_task *own = oracle_task(d->snapshot, task);
    uint32_t misses = 0, ahead = 0;
    for (uint32_t i = 0; i < d->tasks; i++) {
        const vcs_task *other = oracle_task(d->snapshot, i);
        if (other->project == own->project) {
            misses += predicted_to_miss(d, i);
            ahead += d->can_run[i] && more_urgent(d, other, own);
        }
    }
    return ahead < misses;
}

static bool counts_misses(const decision *d) {
    return d->parameters->ranking != VCS_RANK_DEBT && d->parameters->late_by == VCS_LATE_BY_COUNT;
}

/* As above; where misses count, a running task goes before others of the same deadline. */
static bool claims_before(const decision *d, const vcs_task *a, const vcs_task *b) {
    if (counts_misses(d) && a->deadline == b->deadline &&
        has_flag(a, VCS_TASK_RUNNING) != has_flag(b, VCS_TASK_RUNNING)) {
        return has_flag(a, VCS_TASK_RUNNING);
    }
    return more_urgent(d, a, b);
}

/*
 * By count: of each project on each resource as many as miss their deadline there. Settled ones are among them, tasks
 * refused for a limit are not, and the rest goes to the earliest deadlines.
 */
static bool is_late_by_count(const decision *d, uint32_t task) {
    const vcs_task *own = oracle_task(d->snapshot, task);
    uint32_t misses = 0, ahead = 0;
    for (uint32_t i = 0; i < d->tasks; i++) {
        const vcs_task *other = oracle_task(d->snapshot, i);
        if (other->project == own->project && other->gpu == own->gpu) {
            misses += predicted_to_miss(d, i);
            ahead += d->can_run[i] && !d->passed[i] && (d->settled[i] || claims_before(d, other, own));
        }
    }
    return ahead < misses && !d->passed[task];
}

static bool is_late(const decision *d, uint32_t task) {
    if (d->parameters->scheduling != VCS_SCHEDULING_DEADLINE || !d->can_run[task]) {
        return false;
    }
    if (d->parameters->ranking == VCS_RANK_DEBT) {
        return d->settled[task] || is_late_by_project(d, task);
    }
    if (!counts_misses(d)) {
        return d->settled[task] || predicted_to_miss(d, task);
    }
    return (d->settled[task] && !d->passed[task]) || is_late_by_count(d, task);
}

static void find_late(decision *d) {
    for (uint32_t i = 0; i < d->tasks; i++) {
        d->late[i] = is_late(d, i);
        d->was_late[i] |= d->late[i];
    }
}

/* Whether some task for the same resource runs because it was late. */
static bool one_is_settled_beside(const decision *d, const vcs_task *task) {
    for (uint32_t i = 0; i < d->snapshot->tasks.count; i++) {
        if (oracle_task(d->snapshot, i)->gpu == task->gpu && d->settled[i]) {
            return true;
        }
    }
    return false;
}

static bool late_goes_before(const decision *d, uint32_t a, uint32_t b) {
    const vcs_task *first = oracle_task(d->snapshot, a), *second = oracle_task(d->snapshot, b);
    if (one_is_settled_beside(d, first)) {
        bool first_leads = d->settled[a] || (cannot_wait(d, first) && !is_hopeless(d, first));
        bool second_leads = d->settled[b] || (cannot_wait(d, second) && !is_hopeless(d, second));
        if (first_leads != second_leads) {
            return first_leads;
        }
    }
    if (d->parameters->save_first && is_hopeless(d, first) != is_hopeless(d, second)) {
        return !is_hopeless(d, first);
    }
    return claims_before(d, first, second);
}

static bool is_nearly_done(const decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    return has_flag(task, VCS_TASK_RUNNING) &&
           oracle_run_time(d->snapshot, task) < oracle_micros(d->parameters->switch_cost);
}

/* ---- What the tasks taken so far use ---- */

static bool runs(const decision *d, uint32_t task) {
    return d->runs[task];
}

static int64_t used_by(const decision *d, uint32_t project, uint32_t resource) {
    int64_t units = 0;
    for (uint32_t i = 0; i < d->tasks; i++) {
        const vcs_task *task = oracle_task(d->snapshot, i);
        units += runs(d, i) && task->project == project ? oracle_use(task, resource) : 0;
        if (i == d->ahead && task->project == project && resource == 0) {
            double bump = d->parameters->bump;
            double periods = bump > 0 ? fmin(d->parameters->hold / bump, 1e6) : 1;
            units += (int64_t)(periods * (double)oracle_use(task, 0)) - oracle_use(task, 0);
        }
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

static int64_t used_of(const decision *d, uint32_t resource) {
    int64_t units = 0;
    for (uint32_t project = 0; project < d->projects; project++) {
        units += used_by(d, project, resource);
    }
    return units;
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

/* How many late tasks for its resource go before a late one. */
static uint32_t late_before(const decision *d, uint32_t index) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->tasks; i++) {
        count += d->was_late[i] && oracle_task(d->snapshot, i)->gpu == oracle_task(d->snapshot, index)->gpu &&
                 late_goes_before(d, i, index);
    }
    return count;
}

/* What others lose if they take the devices of a running task; the places of late ones are worth most. */
static double loss_of_devices(const decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    if (!has_flag(task, VCS_TASK_RUNNING) || !d->can_run[index]) {
        return -INFINITY;
    }
    if (is_nearly_done(d, index) || must_go_on(task)) {
        return loss(task);
    }
    if (d->was_late[index]) {
        return 1e13 - late_before(d, index);
    }
    return keeps_place(d, task) ? loss(task) : -1;
}

/* It ran until now, and was neither offered nor displaced. */
static bool holds_devices(const decision *d, uint32_t index) {
    return has_flag(oracle_task(d->snapshot, index), VCS_TASK_RUNNING) && d->can_run[index] && !d->tried[index] &&
           d->displaced[index] == 0;
}

static bool has_begun(const vcs_task *task) {
    return has_flag(task, VCS_TASK_STARTED) || has_flag(task, VCS_TASK_RUNNING);
}

/* Stopped, now or before, and still allowed to use the devices it had. */
static bool is_bound(const decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    const bool is_stopped = d->tried[index] || !has_flag(task, VCS_TASK_RUNNING) || !d->can_run[index];
    return d->parameters->device_bound != VCS_DEVICES_FREE && task->gpu != 0 && has_begun(task) && is_stopped &&
           !d->runs[index] && oracle_fit_matches(task) && (task->devices & ~oracle_fit_allowed(d->snapshot, task)) == 0;
}

static bool must_go_back(const decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    return d->parameters->device_bound == VCS_DEVICES_REQUIRED && has_begun(task) && task->devices != 0 &&
           oracle_fit_matches(task);
}

static bool ran_on_devices(const decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    return task->gpu != 0 && has_flag(task, VCS_TASK_RUNNING) && task->devices != 0 && d->displaced[index] == 0;
}

/* The host beside the tasks chosen so far, for a task that is offered. */
static void recall(const decision *d, uint32_t offered) {
    oracle_fit_clear(d->fit);
    for (uint32_t i = 0; i < d->tasks; i++) {
        const vcs_task *task = oracle_task(d->snapshot, i);
        if (runs(d, i)) {
            oracle_fit_take(d->fit, task, d->devices[i]);
        }
        if (task->gpu != 0 && holds_devices(d, i)) {
            oracle_fit_hold(d->fit, task, 1);
        }
        if (i != offered && is_bound(d, i)) {
            oracle_fit_bind(d->fit, task);
        }
        if (task->gpu != 0) {
            oracle_fit_risk(d->fit, task, loss_of_devices(d, i));
        }
    }
}

static bool has_lost_devices(const decision *d, uint32_t index) {
    recall(d, index);
    return ran_on_devices(d, index) && !oracle_fit_keeps(d->fit, oracle_task(d->snapshot, index));
}

static void displace(decision *d, uint32_t index) {
    d->displaced[index] = ++d->displaced_count;
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
    if (!has_flag(task, VCS_TASK_RUNNING) || must_go_on(task) || d->parameters->keep_running) {
        return VCS_REASON_WAITS;
    }
    const bool lacks_share = task->gpu != 0 && !oracle_fit_has_cpus(d->fit, task) && late_came_in(d, 0);
    return lacks_share || late_came_in(d, task->gpu) ? VCS_REASON_GIVES_WAY : VCS_REASON_SLICE_OVER;
}

static bool stays_in_memory(const decision *d, const vcs_task *task) {
    return d->parameters->stopped_memory && has_flag(task, VCS_TASK_IN_MEMORY) && has_begun(task);
}

/* What others have in memory without running. A task that is there itself need not ask. */
static double kept_beside(const decision *d, const vcs_task *task) {
    double ram = 0;
    for (uint32_t i = 0; i < d->tasks && !stays_in_memory(d, task); i++) {
        const vcs_task *other = oracle_task(d->snapshot, i);
        ram += stays_in_memory(d, other) && !runs(d, i) ? other->ram : 0;
    }
    return ram;
}

/* Which limit keeps a task from running beside the tasks chosen so far. */
static uint32_t limit(const decision *d, const vcs_task *task) {
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
    if (!oracle_fit_project_has_room(d->fit, task)) {
        return VCS_REASON_PROJECT_LIMIT;
    }
    if (!oracle_fit_app_has_room(d->fit, task)) {
        return VCS_REASON_APP_LIMIT;
    }
    return host->ram > 0 && d->out.summary.ram + kept_beside(d, task) + task->ram > host->ram ? VCS_REASON_MEMORY
                                                                                              : VCS_REASON_NONE;
}

/*
 * Whether a stopped task gets the devices it had. Running tasks keep theirs, unless it must not run elsewhere, or could
 * not without taking some other running task's.
 */
static bool goes_back(const decision *d, uint32_t index, uint64_t allowed) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    uint64_t others;
    if (has_flag(task, VCS_TASK_RUNNING) || !has_begun(task) || d->parameters->device_bound == VCS_DEVICES_FREE ||
        !oracle_fit_keeps(d->fit, task)) {
        return false;
    }
    return must_go_back(d, index) || oracle_fit_is_spare(d->fit, task, task->devices) ||
           !oracle_fit_finds_devices(d->fit, task, allowed, &others) || !oracle_fit_is_spare(d->fit, task, others);
}

/* Whether there is a place for it, limits apart, and which devices it gets. */
static uint32_t place(const decision *d, uint32_t index, uint64_t *devices) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    const uint64_t allowed = oracle_fit_open(d->fit, task);
    uint64_t unused;
    const bool is_open = (task->devices & ~allowed) == 0;
    if (oracle_fit_is_at_device_limit(d->fit, task)) {
        return oracle_fit_finds_devices(d->fit, task, oracle_fit_open_to_project(d->fit, task), &unused)
                   ? VCS_REASON_APP_LIMIT
                   : VCS_REASON_PROJECT_LIMIT;
    }
    if (ran_on_devices(d, index) && is_open && oracle_fit_keeps(d->fit, task)) {
        *devices = task->devices;
    } else if (task->gpu != 0 && is_open && goes_back(d, index, allowed)) {
        *devices = task->devices;
    } else if (task->gpu != 0 && !oracle_fit_finds_devices(d->fit, task, allowed, devices)) {
        return oracle_fit_finds_devices(d->fit, task, UINT64_MAX, &unused) ? VCS_REASON_EXCLUDED
                                                                           : reason_to_wait(d, task);
    } else if (task->gpu != 0 && must_go_back(d, index)) {
        return VCS_REASON_OWN_DEVICES;
    }
    const bool has_cpus = oracle_fit_has_cpus(d->fit, task) || (must_go_on(task) && oracle_fit_had_cpus(d->fit, task));
    return has_cpus ? VCS_REASON_NONE : reason_to_wait(d, task);
}

static void offer(decision *d, uint32_t index, uint32_t reason) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    vcs_task_decision *out = &d->out.tasks[index];
    uint64_t devices = 0;
    d->tried[index] = true;
    recall(d, index);
    const uint32_t of_limit = limit(d, task), of_place = place(d, index, &devices);
    const uint32_t why_not = of_limit != VCS_REASON_NONE ? of_limit : of_place;
    d->out.short_of_memory |= of_limit == VCS_REASON_MEMORY && of_place == VCS_REASON_NONE;
    d->passed[index] =
        why_not == VCS_REASON_PROJECT_LIMIT || why_not == VCS_REASON_APP_LIMIT || why_not == VCS_REASON_MEMORY;
    out->reason = why_not == VCS_REASON_NONE ? reason : why_not;
    if (why_not == VCS_REASON_NONE) {
        out->run = 1;
        out->place = d->out.summary.running++;
        out->devices = d->devices[index] = devices;
        d->runs[index] = true;
        d->out.summary.ram += task->ram;
    }
}

/* ---- The stages ---- */

static bool is_open(const decision *d, uint32_t task) {
    return d->can_run[task] && !d->tried[task];
}

static void offer_uninterruptible(decision *d, uint32_t resource) {
    for (;;) {
        uint32_t best = VCS_NONE;
        for (uint32_t i = 0; i < d->tasks; i++) {
            const vcs_task *task = oracle_task(d->snapshot, i);
            if (!is_open(d, i) || task->gpu != resource || !must_go_on(task)) {
                continue;
            }
            const vcs_task *rival = best == VCS_NONE ? NULL : oracle_task(d->snapshot, best);
            if (rival == NULL || loss(task) > loss(rival) ||
                (loss(task) == loss(rival) && oracle_arrives_before(task, rival))) {
                best = i;
            }
        }
        if (best == VCS_NONE) {
            return;
        }
        offer(d, best, VCS_REASON_UNINTERRUPTIBLE);
    }
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

/* A GPU task that was not offered yet, and is neither late nor nearly done. */
static bool comes_later(const decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    return task->gpu != 0 && is_open(d, index) && !d->was_late[index] && !is_nearly_done(d, index);
}

/* The tasks of a GPU type that would run if no late CPU task went first. */
static void find_gpu_tasks(const decision *d, uint32_t gpu, bool *would_run) {
    int64_t left = oracle_fit_capacity(d->fit, gpu) - used_of(d, gpu);
    for (int running = 1; running >= 0; running--) {
        for (uint32_t n = 0; n < d->tasks; n++) {
            const uint32_t i = d->by_arrival[n];
            const vcs_task *task = oracle_task(d->snapshot, i);
            if (task->gpu == gpu && comes_later(d, i) && has_flag(task, VCS_TASK_RUNNING) == (running != 0) &&
                oracle_use(task, gpu) <= left) {
                left -= oracle_use(task, gpu);
                would_run[i] = true;
            }
        }
    }
}

/* Rule 5.7: whether a late CPU task lets GPU tasks go first. */
static bool spares_gpus(const decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    int64_t shares = 0, until = 0;
    if (!d->parameters->spare_gpus || task->gpu != 0) {
        return false;
    }
    bool *would_run = oracle_allocate(d->tasks, sizeof(bool));
    for (uint32_t gpu = 1; gpu < d->resources; gpu++) {
        find_gpu_tasks(d, gpu, would_run);
    }
    for (uint32_t i = 0; i < d->tasks; i++) {
        const vcs_task *other = oracle_task(d->snapshot, i);
        int64_t run_time = oracle_run_time(d->snapshot, other);
        shares += would_run[i] ? oracle_use(other, 0) : 0;
        until = would_run[i] && run_time > until ? run_time : until;
    }
    free(would_run);
    recall(d, VCS_NONE);
    int64_t missing = d->parameters->cpu_fit == VCS_CPU_FIT_STRICT ? 0 : ORACLE_ONE;
    int64_t left = oracle_fit_free_units(d->fit, 0) - oracle_use(task, 0) + missing;
    bool gpu_idles = shares > (left > 0 ? left : 0);
    return gpu_idles && (slack(d, task) < 0 || slack(d, task) >= until);
}

static void offer_late(decision *d, uint32_t resource, bool may_postpone) {
    for (;;) {
        uint32_t best = VCS_NONE;
        find_late(d);
        for (uint32_t i = 0; i < d->tasks; i++) {
            if (is_open(d, i) && oracle_task(d->snapshot, i)->gpu == resource && d->late[i] &&
                !(may_postpone && d->postponed[i]) &&
                (best == VCS_NONE || late_goes_before(d, i, best))) {
                best = i;
            }
        }
        if (best == VCS_NONE) {
            return;
        }
        if (may_postpone && (d->some_postponed || spares_gpus(d, best))) {
            d->postponed[best] = d->some_postponed = true; /* those after it wait, too */
            continue;
        }
        offer(d, best, VCS_REASON_LATE);
    }
}

static void offer_slices(decision *d, uint32_t resource) {
    for (;;) {
        uint32_t best = VCS_NONE;
        for (uint32_t i = 0; i < d->tasks; i++) {
            const vcs_task *task = oracle_task(d->snapshot, i);
            if (!is_open(d, i) || task->gpu != resource || !keeps_place(d, task) || d->displaced[i] != 0) {
                continue;
            }
            const vcs_task *rival = best == VCS_NONE ? NULL : oracle_task(d->snapshot, best);
            if (rival == NULL || loss(task) > loss(rival) ||
                (loss(task) == loss(rival) && oracle_arrives_before(task, rival))) {
                best = i;
            }
        }
        if (best == VCS_NONE) {
            return;
        }
        if (has_lost_devices(d, best)) {
            displace(d, best);
        } else {
            bool lasts = slice_lasts(d, oracle_task(d->snapshot, best));
            offer(d, best, lasts ? VCS_REASON_SLICE : VCS_REASON_ENDS_SOON);
        }
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

/* Instances without the reserve, the last one perhaps in part. */
static double instances_of(const decision *d, uint32_t resource) {
    return (double)((oracle_fit_capacity(d->fit, resource) + ORACLE_ONE - 1) / ORACLE_ONE);
}

static double host_load(const decision *d, uint32_t resource) {
    double total = 0;
    for (uint32_t r = 0; r < d->resources; r++) {
        total += instances_of(d, r) * worth(d, r);
    }
    return is_local(d) ? instances_of(d, resource) : total;
}

static double rec(const decision *d, uint32_t project, uint32_t resource) {
    const vcs_project_resource *pair = oracle_project_resource(d->snapshot, project, resource);
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
    double part = share > 0 ? fmax(share / sum_share, ORACLE_LEAST_PART) : 1;
    return -((x / sum_rec) / part);
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

/* Running tasks go first, then tasks that lost their devices, then started tasks. */
static int turn_group(const decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    if (has_flag(task, VCS_TASK_RUNNING)) {
        return d->displaced[index] != 0;
    }
    return has_flag(task, VCS_TASK_STARTED) ? 2 : 3;
}

static bool is_offered_before(const decision *d, uint32_t a, uint32_t b) {
    if (turn_group(d, a) != turn_group(d, b)) {
        return turn_group(d, a) < turn_group(d, b);
    }
    if (d->displaced[a] != d->displaced[b]) {
        return d->displaced[a] < d->displaced[b];
    }
    return oracle_arrives_before(oracle_task(d->snapshot, a), oracle_task(d->snapshot, b));
}

static uint32_t next_of_project(const decision *d, uint32_t project, uint32_t resource) {
    uint32_t best = VCS_NONE;
    for (uint32_t i = 0; i < d->tasks; i++) {
        const vcs_task *task = oracle_task(d->snapshot, i);
        if (is_open(d, i) && task->project == project && task->gpu == resource &&
            (best == VCS_NONE || is_offered_before(d, i, best))) {
            best = i;
        }
    }
    return best;
}

/* The project, other than one, that offers its next task first. */
static uint32_t first_project(const decision *d, uint32_t resource, uint32_t other_than) {
    uint32_t best = VCS_NONE;
    for (uint32_t project = 0; project < d->projects; project++) {
        if (project != other_than && next_of_project(d, project, resource) != VCS_NONE &&
            (best == VCS_NONE || ranks_before(d, project, best, resource))) {
            best = project;
        }
    }
    return best;
}

/* Whether its project would come first again if the task were chosen. */
static bool turn_is_overdue(decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    uint32_t rival = first_project(d, 0, task->project);
    d->runs[index] = true;
    d->ahead = index;
    bool is_overdue = rival == VCS_NONE || ranks_before(d, task->project, rival, 0);
    d->runs[index] = false;
    d->ahead = VCS_NONE;
    return is_overdue;
}

/* Rule 5.7: CPUs are held for a task of several CPUs that waits for room alone, and smaller ones fill in. */
static void offer_turn(decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    bool fills_in = task->gpu == 0 && oracle_use(task, 0) < d->held &&
                    (d->is_overdue || has_flag(task, VCS_TASK_RUNNING));
    offer(d, index, fills_in ? VCS_REASON_FILLS_IN : VCS_REASON_TURN);
    uint32_t reason = d->out.tasks[index].reason;
    d->fills_in[index] = reason == VCS_REASON_FILLS_IN && !slice_lasts(d, task);
    if (d->held == 0 && task->gpu == 0 && oracle_use(task, 0) > ORACLE_ONE &&
        (reason == VCS_REASON_WAITS || reason == VCS_REASON_SLICE_OVER) &&
        oracle_holds_cpus(d->snapshot, d->parameters)) {
        d->held = oracle_use(task, 0);
        d->is_overdue = turn_is_overdue(d, index);
        d->out.tasks[index].reason = VCS_REASON_HELD;
    }
}

static void offer_in_turn(decision *d, uint32_t resource) {
    d->all = sum_up(d, resource);
    for (uint32_t best; (best = first_project(d, resource, VCS_NONE)) != VCS_NONE;) {
        uint32_t task = next_of_project(d, best, resource);
        if (has_lost_devices(d, task)) {
            displace(d, task);
        } else {
            offer_turn(d, task);
        }
    }
}

/* ---- Without stops in vain (rule 15.4) ---- */

static void offer_running(decision *d, uint32_t resource) {
    for (;;) {
        uint32_t best = VCS_NONE;
        for (uint32_t i = 0; i < d->tasks; i++) {
            const vcs_task *task = oracle_task(d->snapshot, i);
            const vcs_task *rival = best == VCS_NONE ? NULL : oracle_task(d->snapshot, best);
            if (is_open(d, i) && task->gpu == resource && has_flag(task, VCS_TASK_RUNNING) &&
                (rival == NULL || loss(task) > loss(rival) ||
                 (loss(task) == loss(rival) && oracle_arrives_before(task, rival)))) {
                best = i;
            }
        }
        if (best == VCS_NONE) {
            return;
        }
        offer(d, best, VCS_REASON_RUNS_ON);
    }
}

static bool is_due_before(const decision *d, const vcs_task *a, const vcs_task *b) {
    int64_t of_a = oracle_run_time(d->snapshot, a), of_b = oracle_run_time(d->snapshot, b);
    if (a->deadline != b->deadline) {
        return a->deadline < b->deadline;
    }
    return of_a != of_b ? of_a < of_b : oracle_arrives_before(a, b);
}

/* When a wide task would have its CPUs if no other task began: at the end of some running task. */
static int64_t room_at(const decision *d, const vcs_task *wide) {
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < d->tasks; i++) {
        int64_t moment = oracle_run_time(d->snapshot, oracle_task(d->snapshot, i));
        if (!d->runs[i] || oracle_use(oracle_task(d->snapshot, i), 0) == 0) {
            continue;
        }
        oracle_fit_clear(d->fit);
        for (uint32_t k = 0; k < d->tasks; k++) {
            if (d->runs[k] && oracle_run_time(d->snapshot, oracle_task(d->snapshot, k)) > moment) {
                oracle_fit_take(d->fit, oracle_task(d->snapshot, k), d->devices[k]);
            }
        }
        if (oracle_fit_has_cpus(d->fit, wide) && moment < first) {
            first = moment;
        }
    }
    return first;
}

static void offer_by_deadline(decision *d, uint32_t resource) {
    int64_t longest = INT64_MAX;
    for (;;) {
        uint32_t best = VCS_NONE;
        for (uint32_t i = 0; i < d->tasks; i++) {
            const vcs_task *task = oracle_task(d->snapshot, i);
            if (is_open(d, i) && task->gpu == resource &&
                (best == VCS_NONE || is_due_before(d, task, oracle_task(d->snapshot, best)))) {
                best = i;
            }
        }
        if (best == VCS_NONE) {
            return;
        }
        const vcs_task *task = oracle_task(d->snapshot, best);
        if (oracle_run_time(d->snapshot, task) > longest) {
            d->tried[best] = true;
            d->out.tasks[best].reason = VCS_REASON_WAITS;
            continue;
        }
        offer(d, best, VCS_REASON_EARLIEST_DEADLINE);
        if (d->out.tasks[best].reason == VCS_REASON_WAITS && task->gpu == 0 && oracle_use(task, 0) > ORACLE_ONE &&
            oracle_holds_cpus(d->snapshot, d->parameters) && longest == INT64_MAX &&
            room_at(d, task) <= oracle_micros(d->parameters->hold)) {
            longest = room_at(d, task);
            d->out.tasks[best].reason = VCS_REASON_HELD;
        }
    }
}

/* ---- The whole ---- */

static const uint32_t reason_of_wait[] = {
    [VCS_WAIT_USER] = VCS_REASON_BY_USER,
    [VCS_WAIT_MASTER_FILE] = VCS_REASON_MASTER_FILE,
    [VCS_WAIT_DOWNLOAD] = VCS_REASON_DOWNLOAD_STALLED,
    [VCS_WAIT_UPLOADS] = VCS_REASON_UPLOADS_WAIT,
    [VCS_WAIT_TASK] = VCS_REASON_TASK_BY_USER,
};

static uint32_t reason_before_all(const decision *d, const vcs_task *task) {
    if (has_flag(task, VCS_TASK_SUSPENDED | VCS_TASK_DOWNLOADING) && task->wait != VCS_WAIT_NONE) {
        return reason_of_wait[task->wait];
    }
    if (has_flag(task, VCS_TASK_SUSPENDED)) {
        return VCS_REASON_TASK_SUSPENDED;
    }
    if ((oracle_project(d->snapshot, task->project)->flags & VCS_PROJECT_SUSPENDED) != 0) {
        return VCS_REASON_PROJECT_SUSPENDED;
    }
    if ((oracle_resource(d->snapshot, task->gpu)->flags & VCS_RESOURCE_SUSPENDED) != 0) {
        return VCS_REASON_RESOURCE_SUSPENDED;
    }
    if (has_flag(task, VCS_TASK_DOWNLOADING)) {
        return VCS_REASON_DOWNLOADING;
    }
    if (!oracle_may_run(d->snapshot, task)) {
        return VCS_REASON_RESOURCE_PAUSED;
    }
    return could_run_alone(d, task) ? VCS_REASON_NONE : VCS_REASON_CANNOT_RUN;
}

static double until_next_look(const decision *d, const vcs_task *task) {
    double period = oracle_period(d->snapshot, d->parameters, task);
    double left = period - (d->now - task->running_since);
    if (!slice_lasts(d, task)) {
        return period;
    }
    return left > 0 ? left : d->parameters->look_interval > 0 ? d->parameters->look_interval : 60;
}

static void report_task(decision *d, uint32_t index) {
    const vcs_task *task = oracle_task(d->snapshot, index);
    vcs_task_decision *out = &d->out.tasks[index];
    bool ran = has_flag(task, VCS_TASK_RUNNING);
    out->flags |= d->late[index] ? VCS_DECISION_LATE : 0;
    out->flags |= is_hopeless(d, task) ? VCS_DECISION_HOPELESS : 0;
    out->flags |= !ran && out->run ? VCS_DECISION_START : 0;
    out->flags |= ran && !out->run ? VCS_DECISION_STOP : 0;
    out->flags |= out->run && !slice_lasts(d, task) && !d->fills_in[index] ? VCS_DECISION_NEW_SLICE : 0;
    out->flags |= d->fills_in[index] ? VCS_DECISION_FILLS_IN : 0;
    d->out.summary.late += d->late[index];
    d->out.summary.started += !ran && out->run;
    d->out.summary.stopped += ran && !out->run;
    if (out->run && !d->fills_in[index]) {
        d->out.summary.next_check = fmin(d->out.summary.next_check, until_next_look(d, task));
    }
}

static decision begin(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                      const vcs_task_forecast *forecasts, int64_t yield_to) {
    decision d = {
        .snapshot = snapshot,
        .parameters = parameters,
        .now = now,
        .forecasts = forecasts,
        .tasks = snapshot->tasks.count,
        .projects = snapshot->projects.count,
        .resources = snapshot->resources.count,
        .can_run = oracle_allocate(snapshot->tasks.count, sizeof(bool)),
        .settled = oracle_allocate(snapshot->tasks.count, sizeof(bool)),
        .late = oracle_allocate(snapshot->tasks.count, sizeof(bool)),
        .was_late = oracle_allocate(snapshot->tasks.count, sizeof(bool)),
        .tried = oracle_allocate(snapshot->tasks.count, sizeof(bool)),
        .passed = oracle_allocate(snapshot->tasks.count, sizeof(bool)),
        .runs = oracle_allocate(snapshot->tasks.count, sizeof(bool)),
        .fills_in = oracle_allocate(snapshot->tasks.count, sizeof(bool)),
        .postponed = oracle_allocate(snapshot->tasks.count, sizeof(bool)),
        .by_arrival = oracle_allocate(snapshot->tasks.count, sizeof(uint32_t)),
        .devices = oracle_allocate(snapshot->tasks.count, sizeof(uint64_t)),
        .fit = oracle_allocate(1, sizeof(oracle_fit)),
        .displaced = oracle_allocate(snapshot->tasks.count, sizeof(uint32_t)),
        .yield_to = yield_to,
        .ahead = VCS_NONE,
        .out = {.tasks = oracle_allocate(snapshot->tasks.count, sizeof(vcs_task_decision)),
                .resources = oracle_allocate(snapshot->resources.count, sizeof(vcs_resource_decision))},
    };
    *d.fit = oracle_fit_new(snapshot, parameters);
    for (uint32_t i = 0; i < d.tasks; i++) {
        uint32_t place = i;
        for (; place > 0 && oracle_arrives_before(oracle_task(snapshot, i),
                                                  oracle_task(snapshot, d.by_arrival[place - 1])); place--) {
            d.by_arrival[place] = d.by_arrival[place - 1];
        }
        d.by_arrival[place] = i;
    }
    d.out.summary.struct_size = sizeof d.out.summary;
    d.out.summary.next_check = INFINITY;
    for (uint32_t i = 0; i < d.tasks; i++) {
        d.out.tasks[i].place = VCS_NONE;
        d.out.tasks[i].reason = reason_before_all(&d, oracle_task(snapshot, i));
        d.can_run[i] = can_run(&d, i);
        d.settled[i] = d.parameters->scheduling == VCS_SCHEDULING_DEADLINE && is_settled(&d, i);
    }
    return d;
}

/* All but the outcome. */
static void end(decision *d) {
    free(d->can_run);
    free(d->settled);
    free(d->late);
    free(d->was_late);
    free(d->tried);
    free(d->passed);
    free(d->runs);
    free(d->fills_in);
    free(d->postponed);
    free(d->by_arrival);
    free(d->devices);
    oracle_fit_free(d->fit);
    free(d->fit);
    free(d->displaced);
}

static void choose(decision *d) {
    for (uint32_t resource = d->resources; resource-- > 0;) {
        offer_uninterruptible(d, resource);
    }
    offer_nearly_done(d);
    if (d->parameters->keep_running) {
        for (uint32_t resource = d->resources; resource-- > 0;) {
            offer_running(d, resource);
        }
        for (uint32_t resource = d->resources; resource-- > 0;) {
            offer_by_deadline(d, resource);
        }
        return;
    }
    for (uint32_t resource = d->resources; resource-- > 0;) {
        offer_late(d, resource, true);
    }
    for (uint32_t resource = d->resources; resource-- > 0;) {
        if (resource == 0) {
            offer_late(d, resource, false);
        }
        offer_slices(d, resource);
        offer_in_turn(d, resource);
    }
}

/* Whether the CPUs have room for the least CPU task of all. */
static bool cpus_idle(const decision *d) {
    const vcs_task *least = NULL;
    for (uint32_t i = 0; i < d->tasks; i++) {
        const vcs_task *task = oracle_task(d->snapshot, i);
        if (d->can_run[i] && task->gpu == 0 && (least == NULL || oracle_use(task, 0) < oracle_use(least, 0))) {
            least = task;
        }
    }
    recall(d, VCS_NONE);
    return least != NULL && oracle_fit_has_cpus(d->fit, least);
}

/* Rule 5.7: slices of smaller tasks yield where CPUs would idle, if none loses as much as the longest lasts on. */
static bool slices_yield(const decision *d) {
    int64_t most_loss = 0, longest = 0;
    for (uint32_t i = 0; i < d->tasks; i++) {
        const vcs_task *task = oracle_task(d->snapshot, i);
        if (d->can_run[i] && task->gpu == 0 && oracle_use(task, 0) < d->held && !d->was_late[i] &&
            !is_nearly_done(d, i) && !must_go_on(task) && keeps_place(d, task)) {
            int64_t lost = oracle_micros(loss(task));
            int64_t left = oracle_keeps_place_for(d->snapshot, d->parameters, d->now, task);
            most_loss = lost > most_loss ? lost : most_loss;
            longest = left > longest ? left : longest;
        }
    }
    return d->held > 0 && cpus_idle(d) && most_loss < longest;
}

oracle_schedule_outcome oracle_schedule(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                                        const vcs_task_forecast *forecasts) {
    decision d = begin(snapshot, parameters, now, forecasts, 0);
    choose(&d);
    if (slices_yield(&d)) {
        const int64_t held = d.held;
        oracle_schedule_free(&d.out);
        end(&d);
        d = begin(snapshot, parameters, now, forecasts, held);
        choose(&d);
    }
    for (uint32_t i = 0; i < d.tasks; i++) {
        report_task(&d, i);
    }
    for (uint32_t resource = 0; resource < d.resources; resource++) {
        d.out.resources[resource].used = (double)used_of(&d, resource) / (double)ORACLE_ONE;
    }
    const int64_t excess = used_of(&d, 0) - oracle_fit_capacity(d.fit, 0);
    d.out.summary.cpu_excess = excess > 0 ? (double)excess / (double)ORACLE_ONE : 0;
    end(&d);
    return d.out;
}

void oracle_schedule_free(oracle_schedule_outcome *outcome) {
    free(outcome->tasks);
    free(outcome->resources);
}
