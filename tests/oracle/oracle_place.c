/*
 * Rule 4.4: placing tasks one at a time, for earliest deadline first and admission.
 *
 * SPDX-License-Identifier: MIT
 */
#include "oracle/oracle_place.h"

#include <stdlib.h>

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

/* One instance */

/* When it is wholly free. */
static int64_t free_at(const oracle_instance *instance) {
    int64_t latest = 0;
    for (uint32_t i = 0; i < instance->count; i++) {
        if (instance->bookings[i].end > latest) {
            latest = instance->bookings[i].end;
        }
    }
    return latest;
}

/* When its latest booking starts: nothing is placed before that. */
static int64_t open_at(const oracle_instance *instance) {
    return instance->count == 0 ? 0 : instance->bookings[instance->count - 1].start;
}

/* Units booked at a moment, which is not before open_at. */
static int64_t booked_at(const oracle_instance *instance, int64_t time) {
    int64_t units = 0;
    for (uint32_t i = 0; i < instance->count; i++) {
        const oracle_booking *booking = &instance->bookings[i];
        units += booking->start <= time && time < booking->end ? booking->units : 0;
    }
    return units;
}

static bool fits_at(const oracle_instance *instance, int64_t use, int64_t time) {
    return time >= open_at(instance) && booked_at(instance, time) + use <= ORACLE_ONE;
}

/* The first moment at which a fraction fits: when the last booking starts, or when one ends. */
static int64_t first_fit(const oracle_instance *instance, int64_t use) {
    if (fits_at(instance, use, open_at(instance))) {
        return open_at(instance);
    }
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < instance->count; i++) {
        int64_t end = instance->bookings[i].end;
        if (end < first && fits_at(instance, use, end)) {
            first = end;
        }
    }
    return first;
}

static void book(oracle_instance *instance, int64_t start, int64_t end, int64_t units) {
    instance->bookings[instance->count++] = (oracle_booking){start, end, units};
}

/* One resource: what a task needs of it */

typedef struct need {
    uint32_t resource;
    uint32_t project;
    int64_t units;
} need;

static bool is_fraction(const need *n) {
    return n->units < ORACLE_ONE;
}

static int64_t whole_instances(const need *n) {
    return (n->units + ORACLE_ONE - 1) / ORACLE_ONE;
}

/*
 * The instance on which a whole booking goes on: of those not chosen yet, the one that is wholly free first, then the
 * lowest.
 */
static uint32_t first_free(const vcs_snapshot *snapshot, const oracle_plan *plan, const need *n, const bool *chosen) {
    uint32_t first = VCS_NONE;
    int64_t first_time = INT64_MAX;
    for (uint32_t i = 0; i < plan->counts[n->resource]; i++) {
        if (chosen[i] || !oracle_allows(snapshot, n->project, n->resource, i)) {
            continue;
        }
        int64_t time = free_at(&plan->instances[n->resource][i]);
        if (first == VCS_NONE || time < first_time) {
            first = i;
            first_time = time;
        }
    }
    return first;
}

/*
 * Marks the instances that a whole booking takes and returns when the last of them is free; -1 if there are not so
 * many.
 */
static int64_t choose_whole(const vcs_snapshot *snapshot, const oracle_plan *plan, const need *n, bool *chosen) {
    int64_t start = 0;
    for (int64_t k = 0; k < whole_instances(n); k++) {
        uint32_t instance = first_free(snapshot, plan, n, chosen);
        if (instance == VCS_NONE) {
            return -1;
        }
        chosen[instance] = true;
        int64_t time = free_at(&plan->instances[n->resource][instance]);
        start = time > start ? time : start;
    }
    return start;
}

/* When the need can be met at the earliest; -1 if never. */
static int64_t earliest_start(const vcs_snapshot *snapshot, const oracle_plan *plan, const need *n) {
    if (n->units == 0) {
        return 0;
    }
    if (!is_fraction(n)) {
        bool *chosen = oracle_allocate(plan->counts[n->resource], sizeof *chosen);
        int64_t start = choose_whole(snapshot, plan, n, chosen);
        free(chosen);
        return start;
    }
    int64_t start = -1;
    for (uint32_t i = 0; i < plan->counts[n->resource]; i++) {
        if (oracle_allows(snapshot, n->project, n->resource, i)) {
            int64_t free_at = first_fit(&plan->instances[n->resource][i], n->units);
            start = start < 0 || free_at < start ? free_at : start;
        }
    }
    return start;
}

static void book_whole(const vcs_snapshot *snapshot, oracle_plan *plan, const need *n, int64_t start, int64_t end) {
    bool *chosen = oracle_allocate(plan->counts[n->resource], sizeof *chosen);
    choose_whole(snapshot, plan, n, chosen);
    for (uint32_t i = 0; i < plan->counts[n->resource]; i++) {
        if (chosen[i]) {
            book(&plan->instances[n->resource][i], start, end, ORACLE_ONE);
        }
    }
    free(chosen);
}

static void book_fraction(const vcs_snapshot *snapshot, oracle_plan *plan, const need *n, int64_t start, int64_t end) {
    for (uint32_t i = 0; i < plan->counts[n->resource]; i++) {
        oracle_instance *instance = &plan->instances[n->resource][i];
        if (oracle_allows(snapshot, n->project, n->resource, i) && fits_at(instance, n->units, start)) {
            book(instance, start, end, n->units);
            return;
        }
    }
}

static void book_need(const vcs_snapshot *snapshot, oracle_plan *plan, const need *n, int64_t start, int64_t end) {
    if (n->units == 0) {
        return;
    }
    if (is_fraction(n)) {
        book_fraction(snapshot, plan, n, start, end);
    } else {
        book_whole(snapshot, plan, n, start, end);
    }
}

/* The whole queue */

static need cpu_need(const vcs_task *task) {
    return (need){.resource = 0, .project = task->project, .units = oracle_use(task, 0)};
}

static need gpu_need(const vcs_task *task) {
    int64_t units = task->gpu == 0 ? 0 : oracle_use(task, task->gpu);
    return (need){.resource = task->gpu, .project = task->project, .units = units};
}

/* Sets the start of a task: the moment when both its CPUs and its GPUs are there. False if they never are. */
static bool find_start(const vcs_snapshot *snapshot, const oracle_plan *plan, oracle_queued *q) {
    need cpus = cpu_need(q->task);
    need gpus = gpu_need(q->task);
    int64_t cpu_start = earliest_start(snapshot, plan, &cpus);
    int64_t gpu_start = earliest_start(snapshot, plan, &gpus);
    q->start = cpu_start > gpu_start ? cpu_start : gpu_start;
    return cpu_start >= 0 && gpu_start >= 0;
}

static void place(const vcs_snapshot *snapshot, oracle_plan *plan, oracle_queued *q) {
    need cpus = cpu_need(q->task);
    need gpus = gpu_need(q->task);
    q->finish = q->start + oracle_run_time(snapshot, q->task);
    q->finish = q->finish < ORACLE_FOREVER ? q->finish : ORACLE_FOREVER; /* simulated time ends there */
    q->placing = PLACING_DONE;
    book_need(snapshot, plan, &cpus, q->start, q->finish);
    book_need(snapshot, plan, &gpus, q->start, q->finish);
    plan->placed++;
}

static oracle_plan new_plan(const vcs_snapshot *snapshot, uint32_t count) {
    oracle_plan plan = {.resources = snapshot->resources.count};
    plan.counts = oracle_allocate(plan.resources, sizeof *plan.counts);
    plan.instances = oracle_allocate(plan.resources, sizeof *plan.instances);
    for (uint32_t r = 0; r < plan.resources; r++) {
        plan.counts[r] = oracle_resource(snapshot, r)->instances;
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
    }
    for (uint32_t i = 0; i < count; i++) {
        if (parameters->step_budget > 0 && plan.placed == parameters->step_budget) {
            plan.stopped = true;
            break;
        }
        if (!find_start(snapshot, &plan, &queue[i])) {
            queue[i].placing = PLACING_STUCK;
            continue;
        }
        if (queue[i].start > horizon) {
            plan.stopped = true;
            break;
        }
        place(snapshot, &plan, &queue[i]);
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

/* Something becomes free at the beginning, or when a booking ends. */
static int64_t instance_busy(const oracle_instance *instance) {
    if (booked_at(instance, 0) <= ORACLE_ONE - ORACLE_LEAST_FREE) {
        return 0;
    }
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < instance->count; i++) {
        int64_t end = instance->bookings[i].end;
        if (end < first && booked_at(instance, end) <= ORACLE_ONE - ORACLE_LEAST_FREE) {
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
