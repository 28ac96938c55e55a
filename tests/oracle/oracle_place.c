/*
 * Rules 4.4 and 4.5: placing tasks one at a time, for earliest deadline first and admission.
 *
 * SPDX-License-Identifier: MIT
 */
#include "oracle/oracle_place.h"

#include <stdlib.h>

#include "oracle/oracle_fit.h"

/* Order of the queue */

static int compare(const oracle_queued *a, const oracle_queued *b, int64_t a_time, int64_t b_time) {
    if (a->task->deadline != b->task->deadline) {
        return a->task->deadline < b->task->deadline ? -1 : 1;
    }
    if (a_time != b_time) {
        return a_time < b_time ? -1 : 1;
    }
    if (a->turn != b->turn) {
        return a->turn < b->turn ? -1 : 1;
    }
    return oracle_arrives_before(a->task, b->task) ? -1 : 1;
}

static void sort_queue(const vcs_snapshot *snapshot, oracle_queued *queue, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        oracle_queued moved = queue[i];
        int64_t moved_time = oracle_run_time(snapshot, moved.task);
        uint32_t place = i;
        while (place > 0 &&
               compare(&moved, &queue[place - 1], moved_time, oracle_run_time(snapshot, queue[place - 1].task)) < 0) {
            queue[place] = queue[place - 1];
            place--;
        }
        queue[place] = moved;
    }
}

/* What a task needs of one resource */

typedef struct need {
    uint32_t resource;
    uint64_t allowed; /* instances of a GPU type, as bits */
    int64_t units;
    bool is_share; /* of less than a CPU, by a GPU task: it counts only for other such shares */
    int64_t not_before[ORACLE_MOST_DEVICES]; /* by device of a GPU type: when limits let the task use it */
} need;

static need cpu_need(const vcs_task *task) {
    int64_t units = oracle_use(task, 0);
    return (need){.units = units, .is_share = task->gpu != 0 && units < ORACLE_ONE};
}

static need gpu_need(const vcs_snapshot *snapshot, const vcs_task *task) {
    int64_t units = task->gpu == 0 ? 0 : oracle_use(task, task->gpu);
    return (need){.resource = task->gpu, .allowed = oracle_fit_allowed(snapshot, task), .units = units};
}

static bool allows(const need *n, uint32_t instance) {
    return n->resource == 0 || (n->allowed >> instance & 1) != 0;
}

static bool is_fraction(const need *n) {
    return n->units < ORACLE_ONE;
}

static int64_t whole_instances(const need *n) {
    return (n->units + ORACLE_ONE - 1) / ORACLE_ONE;
}

/* The later of a moment and the one from which limits let the task use an instance. */
static int64_t not_before(const need *n, uint32_t instance, int64_t moment) {
    return n->resource == 0 || n->not_before[instance] < moment ? moment : n->not_before[instance];
}

/* One instance, as a need sees it: with shares or without */

static bool sees(const oracle_booking *booking, bool is_share) {
    return is_share || !booking->is_share;
}

/* When it is wholly free. */
static int64_t free_at(const oracle_instance *instance) {
    int64_t latest = 0;
    for (uint32_t i = 0; i < instance->count; i++) {
        if (sees(&instance->bookings[i], false) && instance->bookings[i].end > latest) {
            latest = instance->bookings[i].end;
        }
    }
    return latest;
}

/* When the last of its bookings starts: nothing is placed before that. */
static int64_t open_at(const oracle_instance *instance, bool is_share) {
    int64_t latest = 0;
    for (uint32_t i = 0; i < instance->count; i++) {
        if (sees(&instance->bookings[i], is_share) && instance->bookings[i].start > latest) {
            latest = instance->bookings[i].start;
        }
    }
    return latest;
}

/* Units booked at a moment, which is not before open_at. */
static int64_t booked_at(const oracle_instance *instance, bool is_share, int64_t time) {
    int64_t units = 0;
    for (uint32_t i = 0; i < instance->count; i++) {
        const oracle_booking *booking = &instance->bookings[i];
        units += sees(booking, is_share) && booking->start <= time && time < booking->end ? booking->units : 0;
    }
    return units;
}

static bool fits_at(const oracle_instance *instance, const need *n, int64_t time) {
    return time >= open_at(instance, n->is_share) && booked_at(instance, n->is_share, time) + n->units <= ORACLE_ONE;
}

/* The first moment at which a fraction fits: when the last booking starts, or when one ends. */
static int64_t first_fit(const oracle_instance *instance, const need *n) {
    if (fits_at(instance, n, open_at(instance, n->is_share))) {
        return open_at(instance, n->is_share);
    }
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < instance->count; i++) {
        int64_t end = instance->bookings[i].end;
        if (end < first && fits_at(instance, n, end)) {
            first = end;
        }
    }
    return first;
}

static void book(oracle_instance *instance, const need *n, const vcs_task *task, int64_t start, int64_t end) {
    int64_t units = is_fraction(n) ? n->units : ORACLE_ONE;
    instance->bookings[instance->count++] = (oracle_booking){start, end, units, n->is_share, task};
}

/* One resource */

/*
 * The next instance of a whole booking: the first to be wholly free among instances not chosen yet, the lowest on ties.
 */
static uint32_t first_free(const oracle_plan *plan, const need *n, const bool *chosen) {
    uint32_t first = VCS_NONE;
    int64_t first_time = INT64_MAX;
    for (uint32_t i = 0; i < plan->counts[n->resource]; i++) {
        if (chosen[i] || !allows(n, i)) {
            continue;
        }
        int64_t time = not_before(n, i, free_at(&plan->instances[n->resource][i]));
        if (first == VCS_NONE || time < first_time) {
            first = i;
            first_time = time;
        }
    }
    return first;
}

/*
 * Marks the instances of a whole booking and returns when the last is free; -1 if there are not enough.
 */
static int64_t choose_whole(const oracle_plan *plan, const need *n, bool *chosen) {
    int64_t start = 0;
    for (int64_t k = 0; k < whole_instances(n); k++) {
        uint32_t instance = first_free(plan, n, chosen);
        if (instance == VCS_NONE) {
            return -1;
        }
        chosen[instance] = true;
        int64_t time = not_before(n, instance, free_at(&plan->instances[n->resource][instance]));
        start = time > start ? time : start;
    }
    return start;
}

/* When the need can be met at the earliest; -1 if never. */
static int64_t earliest_start(const oracle_plan *plan, const need *n) {
    if (n->units == 0) {
        return 0;
    }
    if (!is_fraction(n)) {
        bool *chosen = oracle_allocate(plan->counts[n->resource], sizeof *chosen);
        int64_t start = choose_whole(plan, n, chosen);
        free(chosen);
        return start;
    }
    int64_t start = -1;
    for (uint32_t i = 0; i < plan->counts[n->resource]; i++) {
        if (allows(n, i)) {
            int64_t free_at = not_before(n, i, first_fit(&plan->instances[n->resource][i], n));
            start = start < 0 || free_at < start ? free_at : start;
        }
    }
    return start;
}

static void book_whole(oracle_plan *plan, const need *n, const vcs_task *task, int64_t start, int64_t end) {
    bool *chosen = oracle_allocate(plan->counts[n->resource], sizeof *chosen);
    choose_whole(plan, n, chosen);
    for (uint32_t i = 0; i < plan->counts[n->resource]; i++) {
        if (chosen[i]) {
            book(&plan->instances[n->resource][i], n, task, start, end);
        }
    }
    free(chosen);
}

static void book_fraction(oracle_plan *plan, const need *n, const vcs_task *task, int64_t start, int64_t end) {
    for (uint32_t i = 0; i < plan->counts[n->resource]; i++) {
        oracle_instance *instance = &plan->instances[n->resource][i];
        if (allows(n, i) && not_before(n, i, start) == start && fits_at(instance, n, start)) {
            book(instance, n, task, start, end);
            return;
        }
    }
}

static void book_need(oracle_plan *plan, const need *n, const vcs_task *task, int64_t start, int64_t end) {
    if (n->units == 0) {
        return;
    }
    if (is_fraction(n)) {
        book_fraction(plan, n, task, start, end);
    } else {
        book_whole(plan, n, task, start, end);
    }
}

/* The whole queue */

/* ... and limits in instances: units of a project's tasks for a resource, or of an application's; INT64_MAX = any. */
static int64_t unit_limit(const vcs_snapshot *snapshot, const vcs_task *task, bool of_app) {
    const vcs_project_resource *pair = oracle_project_resource(snapshot, task->project, task->gpu);
    const vcs_app_resource *app = task->app == VCS_NONE ? NULL : oracle_app_resource(snapshot, task->app, task->gpu);
    double most = of_app ? app == NULL ? 0 : app->max_instances : pair == NULL ? 0 : pair->max_instances;
    return most > 0 ? oracle_units(most) + ORACLE_ONE / 10000 : INT64_MAX;
}

/* ... and per device; 0 = any number. */
static uint32_t device_limit(const vcs_snapshot *snapshot, const vcs_task *task, bool of_app) {
    const vcs_project_resource *pair = oracle_project_resource(snapshot, task->project, task->gpu);
    const vcs_app_resource *app = task->app == VCS_NONE ? NULL : oracle_app_resource(snapshot, task->app, task->gpu);
    return of_app ? app == NULL ? 0 : app->max_per_device : pair == NULL ? 0 : pair->max_per_device;
}

static bool is_stuck(const vcs_snapshot *snapshot, const oracle_plan *plan, const oracle_queued *q) {
    const int64_t use = oracle_use(q->task, q->task->gpu);
    if (use > unit_limit(snapshot, q->task, false) || use > unit_limit(snapshot, q->task, true)) {
        return true;
    }
    need cpus = cpu_need(q->task);
    need gpus = gpu_need(snapshot, q->task);
    return earliest_start(plan, &cpus) < 0 || earliest_start(plan, &gpus) < 0;
}

/* Limits on concurrent tasks */

static uint32_t project_limit(const vcs_snapshot *snapshot, const vcs_task *task) {
    return oracle_project(snapshot, task->project)->max_concurrent;
}

static uint32_t app_limit(const vcs_snapshot *snapshot, const vcs_task *task) {
    return task->app == VCS_NONE ? 0 : oracle_app(snapshot, task->app)->max_concurrent;
}

/* Whether two tasks count against the same limit of an application, if there is one, else of their project. */
static bool same_limits(const vcs_snapshot *snapshot, const vcs_task *a, const vcs_task *b) {
    if (app_limit(snapshot, a) > 0 || app_limit(snapshot, b) > 0) {
        return a->app == b->app;
    }
    return project_limit(snapshot, a) > 0 && a->project == b->project;
}

/* Limits in instances and per device hold for each task alone: a smaller one may have room where another has none. */
static bool has_limits_of_units(const vcs_snapshot *snapshot, const vcs_task *task) {
    bool any = false;
    for (int of_app = 0; of_app < 2; of_app++) {
        any = any || unit_limit(snapshot, task, of_app) < INT64_MAX || device_limit(snapshot, task, of_app) > 0;
    }
    return any;
}

/* Whether one before it, by deadline, waits for the same limits. Who can never run waits for none. */
static bool waits_behind_another(const vcs_snapshot *snapshot, const oracle_queued *queue, uint32_t index) {
    for (uint32_t i = 0; i < index && !queue[index].stuck && !has_limits_of_units(snapshot, queue[index].task); i++) {
        if (queue[i].placing == PLACING_UNKNOWN && !queue[i].stuck && !has_limits_of_units(snapshot, queue[i].task) &&
            same_limits(snapshot, queue[i].task, queue[index].task)) {
            return true;
        }
    }
    return false;
}

/* Tasks placed that have not ended at a moment, of the project of a task, or of its application. */
static uint32_t unended(const oracle_queued *queue, uint32_t count, const vcs_task *task, bool of_app, int64_t time) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool counts = of_app ? queue[i].task->app == task->app : queue[i].task->project == task->project;
        found += counts && queue[i].placing == PLACING_DONE && queue[i].finish > time;
    }
    return found;
}

/* Units of the same that are in use at a moment, on the resource that a task is for. */
static int64_t unended_units(const oracle_queued *queue, uint32_t count, const vcs_task *task, bool of_app,
                             int64_t time) {
    int64_t units = 0;
    for (uint32_t i = 0; i < count; i++) {
        const vcs_task *other = queue[i].task;
        bool counts = other->gpu == task->gpu && (of_app ? other->app == task->app : other->project == task->project);
        units +=
            counts && queue[i].placing == PLACING_DONE && queue[i].finish > time ? oracle_use(other, task->gpu) : 0;
    }
    return units;
}

static bool has_units(const vcs_snapshot *snapshot, const oracle_queued *queue, uint32_t count, const vcs_task *task,
                      int64_t time) {
    for (int of_app = 0; of_app < 2; of_app++) {
        int64_t most = unit_limit(snapshot, task, of_app);
        if (most < INT64_MAX && unended_units(queue, count, task, of_app, time) + oracle_use(task, task->gpu) > most) {
            return false;
        }
    }
    return true;
}

static bool has_room(const vcs_snapshot *snapshot, const oracle_queued *queue, uint32_t count, const vcs_task *task,
                     int64_t time) {
    uint32_t of_project = project_limit(snapshot, task), of_app = app_limit(snapshot, task);
    return (of_project == 0 || unended(queue, count, task, false, time) < of_project) &&
           (of_app == 0 || unended(queue, count, task, true, time) < of_app) &&
           has_units(snapshot, queue, count, task, time);
}

/* Tasks of the same on a device that have not ended at a moment. */
static uint32_t unended_on(const oracle_instance *device, const vcs_task *task, bool of_app, int64_t time) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < device->count; i++) {
        const vcs_task *other = device->bookings[i].task;
        found += device->bookings[i].end > time && (of_app ? other->app == task->app : other->project == task->project);
    }
    return found;
}

static bool device_has_room(const vcs_snapshot *snapshot, const oracle_instance *device, const vcs_task *task,
                            int64_t time) {
    for (int of_app = 0; of_app < 2; of_app++) {
        uint32_t most = device_limit(snapshot, task, of_app);
        if (most > 0 && unended_on(device, task, of_app, time) >= most) {
            return false;
        }
    }
    return true;
}

/* What a task needs of its GPU type, each device from when limits let the task use it. */
static need limited_gpu_need(const vcs_snapshot *snapshot, const oracle_plan *plan, const vcs_task *task) {
    need n = gpu_need(snapshot, task);
    for (uint32_t d = 0; task->gpu != 0 && d < plan->counts[task->gpu]; d++) {
        const oracle_instance *device = &plan->instances[task->gpu][d];
        n.not_before[d] = device_has_room(snapshot, device, task, 0) ? 0 : INT64_MAX;
        for (uint32_t i = 0; i < device->count; i++) {
            const int64_t end = device->bookings[i].end;
            if (end < n.not_before[d] && device_has_room(snapshot, device, task, end)) {
                n.not_before[d] = end;
            }
        }
    }
    return n;
}

/* When limits per device let a task start; 0 if they do not delay it. */
static int64_t devices_open(const vcs_snapshot *snapshot, const oracle_plan *plan, const vcs_task *task) {
    need whenever = gpu_need(snapshot, task), within = limited_gpu_need(snapshot, plan, task);
    int64_t start = earliest_start(plan, &within);
    return start > earliest_start(plan, &whenever) ? start : 0;
}

/* The first moment at which the limits have room for one more: now, or when a task ends. */
static int64_t opening(const vcs_snapshot *snapshot, const oracle_plan *plan, const oracle_queued *queue,
                       uint32_t count, const vcs_task *task) {
    int64_t first = has_room(snapshot, queue, count, task, 0) ? 0 : INT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (queue[i].placing == PLACING_DONE && queue[i].finish < first &&
            has_room(snapshot, queue, count, task, queue[i].finish)) {
            first = queue[i].finish;
        }
    }
    const int64_t of_devices = devices_open(snapshot, plan, task);
    return of_devices > first ? of_devices : first;
}

/* When an instance is free that the need takes; -1 if it takes none. */
static int64_t first_instance(const oracle_plan *plan, const need *n) {
    need one = *n;
    one.units = n->units > ORACLE_ONE ? ORACLE_ONE : n->units;
    return n->units == 0 ? -1 : earliest_start(plan, &one);
}

/* When the first of the instances is free that a task takes; now, if it takes none. A share of a CPU holds none up. */
static int64_t first_of_its_instances(const vcs_snapshot *snapshot, const oracle_plan *plan, const vcs_task *task) {
    need cpus = cpu_need(task);
    need gpus = gpu_need(snapshot, task);
    int64_t cpu = first_instance(plan, &cpus), gpu = first_instance(plan, &gpus);
    if (cpus.is_share && gpu >= 0) {
        return gpu;
    }
    if (cpu < 0 || gpu < 0) {
        return cpu < 0 && gpu < 0 ? 0 : cpu < 0 ? gpu : cpu;
    }
    return cpu < gpu ? cpu : gpu;
}

/*
 * The task to be placed next: the first by deadline with room in its limits when its first instance is free. But if by
 * then the limits of earlier tasks have opened, the earlier task with limits that open first. Of tasks with the same
 * limits only the first is looked at. `count` if there is none.
 */
static uint32_t choose_next(const vcs_snapshot *snapshot, const oracle_plan *plan, const oracle_queued *queue,
                            uint32_t count) {
    uint32_t waiting = count;
    int64_t opens = INT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (queue[i].placing != PLACING_UNKNOWN || waits_behind_another(snapshot, queue, i)) {
            continue;
        }
        int64_t own = queue[i].stuck ? 0 : opening(snapshot, plan, queue, count, queue[i].task);
        if (own == 0 && waiting == count) {
            return i; /* the usual task: no limit keeps it or one before it waiting */
        }
        int64_t moment = queue[i].stuck ? 0 : first_of_its_instances(snapshot, plan, queue[i].task);
        if (queue[i].stuck || own <= moment) {
            return opens <= moment ? waiting : i;
        }
        if (own < opens) {
            opens = own;
            waiting = i;
        }
    }
    return waiting;
}

/* Sets the start of a task: the moment when its CPUs, its GPUs and room in its limits are there. */
static void find_start(const vcs_snapshot *snapshot, const oracle_plan *plan, const oracle_queued *queue,
                       uint32_t count, oracle_queued *q) {
    need cpus = cpu_need(q->task);
    need gpus = limited_gpu_need(snapshot, plan, q->task);
    int64_t cpu_start = earliest_start(plan, &cpus), gpu_start = earliest_start(plan, &gpus);
    q->start = opening(snapshot, plan, queue, count, q->task);
    q->start = cpu_start > q->start ? cpu_start : q->start;
    q->start = gpu_start > q->start ? gpu_start : q->start;
}

static void place(const vcs_snapshot *snapshot, oracle_plan *plan, oracle_queued *q) {
    need cpus = cpu_need(q->task);
    need gpus = limited_gpu_need(snapshot, plan, q->task);
    q->finish = q->start + oracle_run_time(snapshot, q->task);
    q->finish = q->finish < ORACLE_FOREVER ? q->finish : ORACLE_FOREVER; /* simulated time ends there */
    q->placing = PLACING_DONE;
    book_need(plan, &cpus, q->task, q->start, q->finish);
    book_need(plan, &gpus, q->task, q->start, q->finish);
    plan->placed++;
}

static oracle_plan new_plan(const vcs_snapshot *snapshot, uint32_t count) {
    oracle_plan plan = {.resources = snapshot->resources.count};
    plan.counts = oracle_allocate(plan.resources, sizeof *plan.counts);
    plan.instances = oracle_allocate(plan.resources, sizeof *plan.instances);
    for (uint32_t r = 0; r < plan.resources; r++) {
        int64_t reserve = oracle_units(oracle_resource(snapshot, r)->reserve);
        plan.counts[r] = (uint32_t)(oracle_resource(snapshot, r)->instances - reserve / ORACLE_ONE);
        plan.instances[r] = oracle_allocate(plan.counts[r], sizeof **plan.instances);
        for (uint32_t i = 0; i < plan.counts[r]; i++) {
            plan.instances[r][i].bookings = oracle_allocate(count, sizeof(oracle_booking));
        }
    }
    return plan;
}

oracle_plan oracle_place(const vcs_snapshot *snapshot, const vcs_parameters *parameters, oracle_queued *queue,
                         uint32_t count) {
    int64_t horizon = oracle_horizon(parameters);
    oracle_plan plan = new_plan(snapshot, count);
    sort_queue(snapshot, queue, count);
    for (uint32_t i = 0; i < count; i++) {
        queue[i].placing = PLACING_UNKNOWN;
        queue[i].stuck = is_stuck(snapshot, &plan, &queue[i]);
    }
    for (uint32_t next; (next = choose_next(snapshot, &plan, queue, count)) < count;) {
        oracle_queued *q = &queue[next];
        if (parameters->step_budget > 0 && plan.placed == parameters->step_budget) {
            plan.stopped = true;
            break;
        }
        if (q->stuck) {
            q->placing = PLACING_STUCK;
            continue;
        }
        find_start(snapshot, &plan, queue, count, q);
        if (q->start > horizon) {
            plan.stopped = true;
            break;
        }
        place(snapshot, &plan, q);
    }
    return plan;
}

void oracle_plan_free(oracle_plan *plan) {
    for (uint32_t r = 0; r < plan->resources; r++) {
        for (uint32_t i = 0; i < plan->counts[r]; i++) {
            free(plan->instances[r][i].bookings);
        }
        free(plan->instances[r]);
    }
    free(plan->instances);
    free(plan->counts);
}

/* Something becomes free at the beginning, or when a booking ends. Shares of CPUs keep nothing busy. */
static int64_t instance_busy(const oracle_instance *instance) {
    if (booked_at(instance, false, 0) <= ORACLE_ONE - ORACLE_LEAST_FREE) {
        return 0;
    }
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < instance->count; i++) {
        int64_t end = instance->bookings[i].end;
        if (end < first && booked_at(instance, false, end) <= ORACLE_ONE - ORACLE_LEAST_FREE) {
            first = end;
        }
    }
    return first;
}

int64_t oracle_plan_busy(const oracle_plan *plan, uint32_t resource) {
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < plan->counts[resource]; i++) {
        int64_t busy = instance_busy(&plan->instances[resource][i]);
        first = busy < first ? busy : first;
    }
    return first;
}
