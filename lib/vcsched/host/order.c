/* SPDX-License-Identifier: MIT */
#include "vcsched/host/order.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/host_fields.h"

/* ---- Keys; lower goes first ---- */

typedef uint64_t (*key_of)(const void *records, uint32_t index);

static uint64_t project_id(const void *records, uint32_t index) {
    return ((const vcs_project *)records)[index].id;
}

static uint64_t task_id(const void *records, uint32_t index) {
    return ((const vcs_prepared_task *)records)[index].id;
}

static uint64_t task_arrival(const void *records, uint32_t index) {
    return vcs_order_key(((const vcs_prepared_task *)records)[index].received);
}

static uint64_t task_run_time(const void *records, uint32_t index) {
    return (uint64_t)((const vcs_prepared_task *)records)[index].run_time;
}

static uint64_t task_deadline(const void *records, uint32_t index) {
    return vcs_order_key(((const vcs_prepared_task *)records)[index].deadline);
}

/* Inline, so that each call reads its own kind of key in place: there may be many records. */
static inline void sort_by(key_of key, const void *records, vcs_sort_item *items, vcs_sort_item *spare,
                           uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        items[i].key = key(records, items[i].index);
    }
    vcs_sort(items, spare, count);
}

/* Sorts items with equal keys, which stand side by side, by another key. Most keys differ, or are in order already. */
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

/* Finds duplicates after sorting by id: they stand side by side. */
static int check_ids(const vcs_sort_item *items, uint32_t count, const vcs_layout *layout, vcs_error *error) {
    for (uint32_t i = 1; i < count; i++) {
        if (items[i].key == items[i - 1].key) {
            return vcs_fail(error, VCS_ERR_DUPLICATE, layout, items[i].index, 0, "is already in use");
        }
    }
    return VCS_OK;
}

void vcs_lay_out_sort(vcs_record_sort *sort, uint64_t records, vcs_arena *arena) {
    sort->items = vcs_arena_allocate(arena, records, sizeof *sort->items);
    sort->spare = vcs_arena_allocate(arena, records, sizeof *sort->spare);
}

int vcs_order_projects(vcs_state *state, vcs_error *error) {
    const uint32_t count = state->project_count;
    vcs_record_sort sort;
    vcs_arena arena = vcs_scratch(state);
    vcs_lay_out_sort(&sort, count, &arena);
    begin_order(sort.items, count);
    sort_by(project_id, vcs_projects(state), sort.items, sort.spare, count);
    keep_order(vcs_project_order(state), sort.items, count);
    return check_ids(sort.items, count, &vcs_project_layout, error);
}

/* ---- Tasks ---- */

int vcs_sort_by_id(const vcs_prepared_task *tasks, const vcs_record_sort *sort, uint32_t count, vcs_error *error) {
    sort_by(task_id, tasks, sort->items, sort->spare, count);
    return check_ids(sort->items, count, &vcs_task_layout, error);
}

/* Each sort keeps the previous order among equals. */
void vcs_sort_by_arrival(const vcs_prepared_task *tasks, const vcs_record_sort *sort, uint32_t count) {
    sort_by(task_arrival, tasks, sort->items, sort->spare, count);
}

void vcs_sort_by_deadline(const vcs_prepared_task *tasks, const vcs_record_sort *sort, uint32_t count) {
    sort_by(task_deadline, tasks, sort->items, sort->spare, count);
    sort_equals_by(task_run_time, tasks, sort->items, sort->spare, count);
}

int vcs_order_tasks(vcs_state *state, vcs_error *error) {
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    const uint32_t count = state->task_count;
    vcs_record_sort sort;
    vcs_arena arena = vcs_scratch(state);
    vcs_lay_out_sort(&sort, count, &arena);
    begin_order(sort.items, count);
    const int code = vcs_sort_by_id(tasks, &sort, count, error);
    if (code == VCS_OK) {
        keep_order(vcs_id_order(state), sort.items, count);
        vcs_sort_by_arrival(tasks, &sort, count);
        keep_order(vcs_arrival_order(state), sort.items, count);
        vcs_sort_by_deadline(tasks, &sort, count);
        keep_order(vcs_deadline_order(state), sort.items, count);
    }
    return code;
}
