/*
 * Updates the orders of tasks after some have moved.
 *
 * If many have moved, each order is walked, and misplaced tasks are moved into place. If few have, they are looked up
 * by bisection. That works only with the keys by which the order was made: so the old places are looked up before the
 * tasks are converted, and the new ones afterwards.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/host/reorder.h"
#include "vcsched/core/invariant.h"

#include <string.h>

/* ---- Which of two tasks goes first ---- */

typedef bool goes_before(const vcs_prepared_task *a, const vcs_prepared_task *b);

static inline bool by_id(const vcs_prepared_task *a, const vcs_prepared_task *b) {
    return a->id < b->id;
}

static inline bool by_arrival(const vcs_prepared_task *a, const vcs_prepared_task *b) {
    return a->received != b->received ? a->received < b->received : by_id(a, b);
}

static inline bool by_deadline(const vcs_prepared_task *a, const vcs_prepared_task *b) {
    if (a->deadline < b->deadline) {
        return true;
    }
    if (a->deadline > b->deadline) {
        return false;
    }
    return a->run_time != b->run_time ? a->run_time < b->run_time : by_arrival(a, b);
}

/* ---- Orders that are nearly right ---- */

/* Beyond so many steps mending gives up: sorting from scratch, at a fixed cost and some per task, is faster. */
static uint64_t most_steps(uint32_t tasks) {
    return 300 + (uint64_t)tasks * 2;
}

/* Moves a task back to its place among the tasks before it, which are in order; returns how many it passes. */
static inline uint32_t move_back(const vcs_prepared_task *tasks, uint32_t *order, uint32_t from, goes_before *before) {
    const uint32_t task = order[from];
    uint32_t place = from;
    for (; place > 0 && before(&tasks[task], &tasks[order[place - 1]]); place--) {
        order[place] = order[place - 1];
    }
    order[place] = task;
    return from - place;
}

/*
 * Moves the tasks from `first` on into place; the tasks before are in order. False if it gives up, or if two tasks are
 * equal.
 */
static inline bool mend(const vcs_prepared_task *tasks, uint32_t *order, uint32_t first, uint32_t count,
                        goes_before *before) {
    const uint64_t most = most_steps(count);
    uint64_t steps = 0;
    uint32_t i = first > 0 ? first : 1;
    const vcs_prepared_task *last = i < count ? &tasks[order[i - 1]] : NULL;
    for (; i < count; i++) {
        const vcs_prepared_task *task = &tasks[order[i]];
        if (before(last, task)) {
            last = task; /* in its place */
            continue;
        }
        const uint32_t passed = move_back(tasks, order, i, before), place = i - passed;
        steps += passed;
        if (steps > most || (place > 0 && !before(&tasks[order[place - 1]], task))) {
            return false;
        }
    }
    return true;
}

static bool mend_ids(const vcs_state *state, uint32_t first, uint32_t count) {
    return mend(vcs_prepared_tasks(state), vcs_id_order(state), first, count, by_id);
}

static bool mend_arrivals(const vcs_state *state, uint32_t first, uint32_t count) {
    return mend(vcs_prepared_tasks(state), vcs_arrival_order(state), first, count, by_arrival);
}

static bool mend_deadlines(const vcs_state *state, uint32_t count) {
    return mend(vcs_prepared_tasks(state), vcs_deadline_order(state), 0, count, by_deadline);
}

/*
 * The same where all tasks were in order except at the given places, in ascending order: besides these, a task can be
 * misplaced only right behind a given place, or behind a task that has moved back.
 */
static bool mend_deadlines_at(const vcs_state *state, uint32_t count, const vcs_sort_item *places, uint32_t given) {
    const uint64_t most = most_steps(count);
    uint64_t steps = 0;
    for (uint32_t i = 0; i < given; i++) {
        uint32_t place = (uint32_t)places[i].key, end = place + 2;
        for (; place < end && place < count && steps <= most; place++) {
            const uint32_t passed = move_back(vcs_prepared_tasks(state), vcs_deadline_order(state), place, by_deadline);
            end = passed > 0 ? place + 2 : end;
            steps += passed;
        }
    }
    return steps <= most;
}

/* ---- Many tasks ---- */

/* Removes the tasks from `now` on from an order. */
static void leave_out(uint32_t *order, uint32_t before, uint32_t now) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < before; i++) {
        const uint32_t task = order[i];
        order[left] = task;
        left += task < now;
    }
}

/* The former index, among the indices that are gone, of the record now at `index`; VCS_NONE if it had none. */
static uint32_t came_from(const vcs_state *state, const vcs_moved *moved, uint32_t index) {
    const vcs_task *tasks = vcs_task_records(state);
    uint32_t place = moved->now;
    while (place < moved->before &&
           (tasks[place].id != tasks[index].id || tasks[place].received != tasks[index].received)) {
        place++;
    }
    return place < moved->before ? place : VCS_NONE;
}

/* Renames task `from` to `to`, and removes the former `to`. False if there is no task `from`. */
static bool rename_task(uint32_t *order, uint32_t count, uint32_t from, uint32_t to) {
    uint32_t left = 0;
    bool is_there = false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t task = order[i];
        is_there |= task == from;
        order[left] = task == from ? to : task;
        left += task != to;
    }
    return is_there;
}

/* The most records to be searched for each changed index. */
#define FEW_GONE 4u

/*
 * Callers often fill the gap of a record that is gone with the last record, which keeps its place in each order.
 * Renames such records and counts them. False if one is there twice.
 */
static bool rename_moved(vcs_state *state, const vcs_moved *moved, uint32_t *renamed) {
    const bool are_few = moved->before - moved->now <= FEW_GONE;
    uint32_t count = moved->before;
    bool are_distinct = true;
    for (uint32_t i = 0; are_few && are_distinct && i < moved->other_count; i++) {
        const uint32_t to = moved->others[i], from = came_from(state, moved, to);
        if (from != VCS_NONE) {
            are_distinct = rename_task(vcs_id_order(state), count, from, to);
            rename_task(vcs_arrival_order(state), count, from, to);
            rename_task(vcs_deadline_order(state), count, from, to);
            count--;
        }
    }
    *renamed = moved->before - count;
    return are_distinct;
}

/* Updates all three orders: removes tasks that are gone, appends new ones, and mends. False if mending fails. */
static bool mend_orders(vcs_state *state, const vcs_moved *moved) {
    uint32_t *ids = vcs_id_order(state), *arrivals = vcs_arrival_order(state), *deadlines = vcs_deadline_order(state);
    const uint32_t before = moved->before, now = moved->now;
    uint32_t known = 0; /* others with known places */
    if (now < before) {
        if (!rename_moved(state, moved, &known)) {
            return false;
        }
        leave_out(ids, before - known, now);
        leave_out(arrivals, before - known, now);
        leave_out(deadlines, before - known, now);
    }
    for (uint32_t i = before; i < now; i++) {
        ids[i] = arrivals[i] = deadlines[i] = i;
    }
    const bool are_others_new = moved->other_count == known || moved->others[0] >= before;
    const uint32_t first = are_others_new ? (now < before ? now : before) : 0;
    return mend_ids(state, first, now) && mend_arrivals(state, first, now) && mend_deadlines(state, now);
}

/*
 * Makes all three orders where every task is another, as on another host: each starts from the previous order, and the
 * first from the order of records, which mostly is nearly right. False if mending fails.
 */
static bool order_others(vcs_state *state, uint32_t count) {
    uint32_t *ids = vcs_id_order(state), *arrivals = vcs_arrival_order(state);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = i;
    }
    if (!mend_ids(state, 0, count)) {
        return false;
    }
    memcpy(arrivals, ids, count * sizeof *ids);
    if (!mend_arrivals(state, 0, count)) {
        return false;
    }
    memcpy(vcs_deadline_order(state), arrivals, count * sizeof *ids);
    return mend_deadlines(state, count);
}

bool vcs_move_many(vcs_state *state, const vcs_moved *moved) {
    if (moved->other_count == moved->now && moved->now > 0) {
        return order_others(state, moved->now);
    }
    if (moved->other_count == 0 && moved->before == moved->now) {
        return mend_deadlines(state, moved->now); /* the usual case: some tasks have made progress */
    }
    return mend_orders(state, moved);
}

/* ---- A few tasks among many: where they stand ---- */

/* How many of the first `count` tasks in an order do not come behind a task. */
static inline uint32_t find_place(const vcs_prepared_task *tasks, const uint32_t *order, uint32_t count, uint32_t task,
                                  goes_before *before) {
    uint32_t first = 0;
    while (first < count) {
        const uint32_t middle = first + (count - first) / 2;
        if (before(&tasks[task], &tasks[order[middle]])) {
            count = middle;
        } else {
            first = middle + 1;
        }
    }
    return first;
}

/* The place of a task in an order that has it. */
static inline uint32_t place_of(const vcs_prepared_task *tasks, const uint32_t *order, uint32_t count, uint32_t task,
                                goes_before *before) {
    const uint32_t end = find_place(tasks, order, count, task, before);
    VCS_INVARIANT(end > 0 && order[end - 1] == task); /* the last task not behind it is itself */
    return end - 1;
}

/* C libraries move longer pieces with an instruction that is slow for such short distances. */
#define PIECE 256u

/* Moves a part of an order towards its beginning. */
static void move_up(uint32_t *order, uint32_t to, uint32_t from, uint32_t count) {
    while (count > 0) {
        const uint32_t piece = count < PIECE ? count : PIECE;
        memmove(&order[to], &order[from], piece * sizeof *order);
        to += piece;
        from += piece;
        count -= piece;
    }
}

/* Closes gaps in an order: the keys, in ascending order. */
static void close_gaps(uint32_t *order, uint32_t count, const vcs_sort_item *gaps, uint32_t gap_count) {
    for (uint32_t i = 0; i < gap_count; i++) {
        const uint32_t first = (uint32_t)gaps[i].key + 1;
        const uint32_t end = i + 1 < gap_count ? (uint32_t)gaps[i + 1].key : count;
        VCS_INVARIANT(first <= end); /* each task has its own place */
        move_up(order, first - (i + 1), first, end - first);
    }
}

/* Removes from an order the tasks that are gone or replaced; returns how many are left. */
static inline uint32_t remove_moved(const vcs_prepared_task *tasks, uint32_t *order, const vcs_moved *moved,
                                    const vcs_record_sort *sort, goes_before *before) {
    const uint32_t count = moved->before;
    uint32_t gaps = 0;
    for (uint32_t i = 0; i < moved->other_count && moved->others[i] < count; i++) {
        sort->items[gaps++].key = place_of(tasks, order, count, moved->others[i], before);
    }
    for (uint32_t task = moved->now; task < count; task++) {
        sort->items[gaps++].key = place_of(tasks, order, count, task, before);
    }
    if (gaps > 0) {
        vcs_sort(sort->items, sort->spare, gaps);
        close_gaps(order, count, sort->items, gaps);
    }
    return count - gaps;
}

static void find_due_places(const vcs_state *state, const vcs_moved *moved, vcs_few_moved *few) {
    for (uint32_t i = 0; i < moved->due_count; i++) {
        few->due_places[i].key =
            place_of(vcs_prepared_tasks(state), vcs_deadline_order(state), few->left, moved->due[i], by_deadline);
    }
    if (moved->due_count > 0) {
        vcs_sort(few->due_places, few->sort.spare, moved->due_count);
    }
}

static void lay_out(vcs_few_moved *few, uint64_t tasks, vcs_arena *arena) {
    vcs_lay_out_sort(&few->sort, tasks, arena);
    few->due_places = vcs_arena_allocate(arena, tasks, sizeof *few->due_places);
}

uint64_t vcs_move_scratch(uint64_t tasks) {
    vcs_few_moved nothing;
    vcs_arena measure = {NULL, 0};
    lay_out(&nothing, tasks, &measure);
    return measure.used;
}

void vcs_begin_to_move_few(vcs_state *state, const vcs_moved *moved, vcs_arena *arena, vcs_few_moved *few) {
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    lay_out(few, moved->now, arena);
    few->left = remove_moved(tasks, vcs_id_order(state), moved, &few->sort, by_id);
    remove_moved(tasks, vcs_arrival_order(state), moved, &few->sort, by_arrival);
    remove_moved(tasks, vcs_deadline_order(state), moved, &few->sort, by_deadline);
    find_due_places(state, moved, few);
}

/* ---- A few tasks among many: where they go ---- */

/*
 * Inserts sorted tasks among the first `left` of an order, from the last to the first. False if a task equals one in
 * the order.
 */
static bool insert(const vcs_prepared_task *all, uint32_t *order, uint32_t left, const vcs_sort_item *tasks,
                   uint32_t count, goes_before *before) {
    bool are_distinct = true;
    while (count > 0) {
        const uint32_t task = tasks[--count].index, place = find_place(all, order, left, task, before);
        are_distinct &= place == 0 || before(&all[order[place - 1]], &all[task]);
        memmove(&order[place + count + 1], &order[place], (left - place) * sizeof *order);
        order[place + count] = task;
        left = place;
    }
    return are_distinct;
}

/* Inserts the new and replaced tasks into all orders. False if two tasks have the same id. */
static bool insert_others(vcs_state *state, const vcs_moved *moved, const vcs_few_moved *few) {
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    vcs_sort_item *items = few->sort.items;
    const uint32_t count = moved->other_count;
    for (uint32_t i = 0; i < count; i++) {
        items[i].index = moved->others[i];
    }
    if (vcs_sort_by_id(tasks, &few->sort, count, NULL) != VCS_OK ||
        !insert(tasks, vcs_id_order(state), few->left, items, count, by_id)) {
        return false;
    }
    vcs_sort_by_arrival(tasks, &few->sort, count);
    insert(tasks, vcs_arrival_order(state), few->left, items, count, by_arrival);
    vcs_sort_by_deadline(tasks, &few->sort, count);
    insert(tasks, vcs_deadline_order(state), few->left, items, count, by_deadline);
    return true;
}

/*
 * If all run times have changed, any task may move in the order of deadline, even if all grow by the same factor: run
 * times are rounded.
 */
bool vcs_move_few(vcs_state *state, const vcs_moved *moved, const vcs_few_moved *few) {
    const bool are_mended = moved->is_rescaled ? mend_deadlines(state, few->left)
                                               : mend_deadlines_at(state, few->left, few->due_places, moved->due_count);
    return are_mended && (moved->other_count == 0 || insert_others(state, moved, few));
}
