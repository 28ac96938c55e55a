/* SPDX-License-Identifier: MIT */
#include "client/state.h"
#include "core/check.h"

#include <string.h>

/* ---- What records are ordered by; lower goes first ---- */

typedef uint64_t (*key_of)(const void *records, uint32_t index);

static uint64_t project_id(const void *records, uint32_t index) {
    return ((const vcs_project *)records)[index].id;
}

static uint64_t job_id(const void *records, uint32_t index) {
    return ((const vcs_job *)records)[index].id;
}

static uint64_t job_arrival(const void *records, uint32_t index) {
    return vcs_order_key(((const vcs_job *)records)[index].received);
}

static uint64_t job_run_time(const void *records, uint32_t index) {
    return (uint64_t)((const vcs_job *)records)[index].run_time;
}

static uint64_t job_deadline(const void *records, uint32_t index) {
    return vcs_order_key(((const vcs_job *)records)[index].deadline);
}

/* With the keys known where it is called, so that they are read in place: there may be many records. */
static inline void sort_by(key_of key, const void *records, vcs_sort_item *items, vcs_sort_item *spare,
                           uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        items[i].key = key(records, items[i].index);
    }
    vcs_sort(items, spare, count);
}

/* Among those of equal keys, which stand side by side. Most keys are different, or the records are in order. */
static void sort_equals_by(key_of key, const void *records, vcs_sort_item *items, vcs_sort_item *spare,
                           uint32_t count) {
    for (uint32_t first = 0, end; first < count; first = end) {
        const uint64_t equal = items[first].key;
        for (end = first + 1; end < count && items[end].key == equal; end++) {
        }
        if (end - first > 1) {
            sort_by(key, records, items + first, spare, end - first);
        }
    }
}

static void begin_order(vcs_sort_item *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        items[i].index = i;
        items[i].unused = 0;
    }
}

static void keep_order(uint32_t *order, const vcs_sort_item *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        order[i] = items[i].index;
    }
}

/* After sorting by id: two of the same stand side by side. */
static int check_ids(const vcs_sort_item *items, uint32_t count, uint32_t type, vcs_error *error) {
    for (uint32_t i = 1; i < count; i++) {
        if (items[i].key == items[i - 1].key) {
            return vcs_fail(error, VCS_ERR_DUPLICATE, type, items[i].index, 0, "is that of another one");
        }
    }
    return VCS_OK;
}

int vcs_order_projects(vcs_state *state, vcs_error *error) {
    vcs_sort_item *items = vcs_piece(state, state->scratch);
    const uint32_t count = state->project_count;
    begin_order(items, count);
    sort_by(project_id, vcs_projects(state), items, items + count, count);
    keep_order(vcs_piece(state, state->project_order), items, count);
    return check_ids(items, count, VCS_TYPE_PROJECT, error);
}

/* ---- All tasks ---- */

/* From the order by id; each sort keeps the order of the one before among equals. */
static void order_by_arrival(const vcs_job *jobs, const vcs_order_scratch *scratch, uint32_t count, uint32_t *order) {
    sort_by(job_arrival, jobs, scratch->items, scratch->spare, count);
    keep_order(order, scratch->items, count);
}

/* From the order by arrival. */
static void order_by_deadline(const vcs_job *jobs, const vcs_order_scratch *scratch, uint32_t count, uint32_t *order) {
    sort_by(job_deadline, jobs, scratch->items, scratch->spare, count);
    sort_equals_by(job_run_time, jobs, scratch->items, scratch->spare, count);
    keep_order(order, scratch->items, count);
}

int vcs_order_tasks(vcs_state *state, vcs_error *error) {
    const vcs_job *jobs = vcs_jobs(state);
    const uint32_t count = state->job_count;
    vcs_order_scratch scratch;
    vcs_arena arena = vcs_scratch(state);
    vcs_lay_out_order_scratch(&scratch, count, &arena);
    begin_order(scratch.items, count);
    sort_by(job_id, jobs, scratch.items, scratch.spare, count);
    keep_order(vcs_piece(state, state->id_order), scratch.items, count);
    int code = check_ids(scratch.items, count, VCS_TYPE_TASK, error);
    if (code == VCS_OK) {
        order_by_arrival(jobs, &scratch, count, vcs_piece(state, state->arrival_order));
        order_by_deadline(jobs, &scratch, count, vcs_piece(state, state->deadline_order));
    }
    return code;
}

/* ---- Which of two tasks goes first ---- */

typedef int goes_before(const vcs_job *a, const vcs_job *b);

static inline int by_id(const vcs_job *a, const vcs_job *b) {
    return a->id < b->id;
}

static inline int by_arrival(const vcs_job *a, const vcs_job *b) {
    return a->received != b->received ? a->received < b->received : by_id(a, b);
}

static inline int by_deadline(const vcs_job *a, const vcs_job *b) {
    if (a->deadline < b->deadline) {
        return 1;
    }
    if (a->deadline > b->deadline) {
        return 0;
    }
    return a->run_time != b->run_time ? a->run_time < b->run_time : by_arrival(a, b);
}

/* ---- Orders that are nearly right ---- */

/* Mending that takes more steps is given up: sorting anew, which takes some anyway and some per task, is faster. */
static uint64_t most_steps(uint32_t tasks) {
    return 300 + (uint64_t)tasks * 2;
}

/* Moves a task back to its place among those before it, which are in order; returns how many it passes. */
static inline uint32_t move_back(const vcs_job *jobs, uint32_t *order, uint32_t from, goes_before *before) {
    const uint32_t task = order[from];
    uint32_t place = from;
    for (; place > 0 && before(&jobs[task], &jobs[order[place - 1]]); place--) {
        order[place] = order[place - 1];
    }
    order[place] = task;
    return from - place;
}

/* Moves all tasks to their places, from the first to the last; 0 if that is given up. */
static inline int mend(const vcs_job *jobs, uint32_t *order, uint32_t count, goes_before *before) {
    const vcs_job *last = count > 0 ? &jobs[order[0]] : NULL;
    const uint64_t most = most_steps(count);
    uint64_t steps = 0;
    for (uint32_t i = 1; i < count; i++) {
        const vcs_job *job = &jobs[order[i]];
        if (!before(job, last)) {
            last = job; /* in its place */
            continue;
        }
        steps += move_back(jobs, order, i, before);
        if (steps > most) {
            return 0;
        }
    }
    return 1;
}

/* Leaves out of an order the tasks that are gone. */
static void leave_out(uint32_t *order, uint32_t before, uint32_t now) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < before; i++) {
        const uint32_t task = order[i];
        order[left] = task;
        left += task < now;
    }
}

/* In the order by id, two of the same stand side by side. */
static int are_ids_distinct(const vcs_job *jobs, const uint32_t *ids, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        if (jobs[ids[i]].id == jobs[ids[i - 1]].id) {
            return 0;
        }
    }
    return 1;
}

static int mend_deadlines(vcs_state *state) {
    return mend(vcs_jobs(state), vcs_piece(state, state->deadline_order), state->job_count, by_deadline);
}

/* All three, with tasks that are new, at first as the last ones, without those that are gone; 0 if not all is well. */
static int mend_orders(vcs_state *state, uint32_t before) {
    const vcs_job *jobs = vcs_jobs(state);
    const uint32_t now = state->job_count;
    uint32_t *ids = vcs_piece(state, state->id_order), *arrivals = vcs_piece(state, state->arrival_order);
    uint32_t *deadlines = vcs_piece(state, state->deadline_order);
    if (now < before) {
        leave_out(ids, before, now);
        leave_out(arrivals, before, now);
        leave_out(deadlines, before, now);
    }
    for (uint32_t i = before; i < now; i++) {
        ids[i] = arrivals[i] = deadlines[i] = i;
    }
    return mend(jobs, ids, now, by_id) && are_ids_distinct(jobs, ids, now) && mend(jobs, arrivals, now, by_arrival) &&
           mend_deadlines(state);
}

/* ---- A few tasks among many ---- */

/* Takes out of an order what is gone or has moved at least so far; returns how many are left. */
static uint32_t take_out(uint32_t *order, uint32_t before, uint32_t now, const unsigned char *how, unsigned least) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < before; i++) {
        const uint32_t task = order[i];
        order[left] = task;
        left += task < now && how[task] < least;
    }
    return left;
}

/* How many of the first `count` in an order go before a task. */
static uint32_t find_place(const vcs_job *jobs, const uint32_t *order, uint32_t count, uint32_t task,
                           goes_before *before) {
    uint32_t first = 0;
    while (first < count) {
        const uint32_t middle = first + (count - first) / 2;
        if (before(&jobs[task], &jobs[order[middle]])) {
            count = middle;
        } else {
            first = middle + 1;
        }
    }
    return first;
}

/*
 * Puts tasks, in order themselves, among the first `left` of an order, from the last to the first. Whether each of them
 * has a place of its own: 0 if of one and another that was there neither goes before the other.
 */
static int put_in(const vcs_job *jobs, uint32_t *order, uint32_t left, const uint32_t *tasks, uint32_t count,
                  goes_before *before) {
    int are_distinct = 1;
    while (count > 0) {
        const uint32_t task = tasks[--count], place = find_place(jobs, order, left, task, before);
        are_distinct &= place == 0 || before(&jobs[order[place - 1]], &jobs[task]);
        memmove(&order[place + count + 1], &order[place], (left - place) * sizeof *order);
        order[place + count] = task;
        left = place;
    }
    return are_distinct;
}

/* Keeps those of a list that have moved at least so far; returns how many. */
static uint32_t keep_moved(uint32_t *tasks, uint32_t count, const unsigned char *how, unsigned least) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        tasks[kept] = tasks[i];
        kept += how[tasks[i]] >= least;
    }
    return kept;
}

void vcs_lay_out_order_scratch(vcs_order_scratch *scratch, uint64_t tasks, vcs_arena *arena) {
    scratch->items = vcs_arena_take(arena, tasks, sizeof *scratch->items);
    scratch->spare = vcs_arena_take(arena, tasks, sizeof *scratch->spare);
    scratch->by_id = vcs_arena_take(arena, tasks, sizeof *scratch->by_id);
    scratch->by_arrival = vcs_arena_take(arena, tasks, sizeof *scratch->by_arrival);
    scratch->by_deadline = vcs_arena_take(arena, tasks, sizeof *scratch->by_deadline);
}

/* The tasks that have moved, in each of the three orders; 0 if two of them have the same id. */
static int order_moved(const vcs_job *jobs, const vcs_moved *moved, const vcs_order_scratch *scratch) {
    for (uint32_t i = 0; i < moved->count; i++) {
        scratch->items[i].index = moved->tasks[i];
    }
    sort_by(job_id, jobs, scratch->items, scratch->spare, moved->count);
    keep_order(scratch->by_id, scratch->items, moved->count);
    const int are_distinct = check_ids(scratch->items, moved->count, VCS_TYPE_TASK, NULL) == VCS_OK;
    order_by_arrival(jobs, scratch, moved->count, scratch->by_arrival);
    order_by_deadline(jobs, scratch, moved->count, scratch->by_deadline);
    return are_distinct;
}

/* The orders by id and by arrival know only the tasks that are others than before; 0 if one has the id of another. */
static int reorder_others(vcs_state *state, uint32_t before, const vcs_moved *moved, const vcs_order_scratch *scratch) {
    const vcs_job *jobs = vcs_jobs(state);
    uint32_t *ids = vcs_piece(state, state->id_order), *arrivals = vcs_piece(state, state->arrival_order);
    const uint32_t left = take_out(ids, before, state->job_count, moved->how, VCS_TASK_IS_ANOTHER);
    take_out(arrivals, before, state->job_count, moved->how, VCS_TASK_IS_ANOTHER);
    const uint32_t count = keep_moved(scratch->by_id, moved->count, moved->how, VCS_TASK_IS_ANOTHER);
    keep_moved(scratch->by_arrival, moved->count, moved->how, VCS_TASK_IS_ANOTHER);
    return put_in(jobs, ids, left, scratch->by_id, count, by_id) &&
           put_in(jobs, arrivals, left, scratch->by_arrival, count, by_arrival);
}

/*
 * Those that are due elsewhere, and all that have other run times: as these are rounded, that may change the places of
 * some even if all grow by the same factor. 0 if that is given up.
 */
static int reorder_deadlines(vcs_state *state, uint32_t before, const vcs_moved *moved, uint32_t *by_due) {
    const vcs_job *jobs = vcs_jobs(state);
    uint32_t *order = vcs_piece(state, state->deadline_order);
    const uint32_t left = take_out(order, before, state->job_count, moved->how, VCS_TASK_IS_DUE_ELSEWHERE);
    const uint32_t count = keep_moved(by_due, moved->count, moved->how, VCS_TASK_IS_DUE_ELSEWHERE);
    return (!moved->is_rescaled || mend(jobs, order, left, by_deadline)) &&
           put_in(jobs, order, left, by_due, count, by_deadline);
}

/* 0 if not all is well. */
static int move_few(vcs_state *state, uint32_t before, const vcs_moved *moved, vcs_arena *arena) {
    vcs_order_scratch scratch;
    vcs_lay_out_order_scratch(&scratch, state->job_count, arena);
    return order_moved(vcs_jobs(state), moved, &scratch) && reorder_others(state, before, moved, &scratch) &&
           reorder_deadlines(state, before, moved, scratch.by_deadline);
}

/* If one task in so many has moved, looking at all is no dearer than finding the places of those. */
#define MANY 8

int vcs_reorder_tasks(vcs_state *state, uint32_t before, const vcs_moved *moved, vcs_arena *arena) {
    const uint32_t count = state->job_count;
    if (moved->others == 0 && before == count && mend_deadlines(state)) {
        return VCS_OK; /* the usual case: some have got on */
    }
    if (moved->count >= count / MANY ? mend_orders(state, before) : move_few(state, before, moved, arena)) {
        return VCS_OK;
    }
    return vcs_order_tasks(state, NULL);
}
