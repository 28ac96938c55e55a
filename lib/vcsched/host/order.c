/* SPDX-License-Identifier: MIT */
#include "vcsched/host/order.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/host_fields.h"

#include <string.h>

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

/* Up to this many records, shifting and merging is faster than counting digits. */
#define FEW_RECORDS 128u

/* Up to this many, shifting alone. */
#define RUN 10u

/* Sorts a run, and shifts each item into place as soon as its key is read. */
static inline void insert_by(key_of key, const void *records, vcs_sort_item *items, uint32_t count) {
    for (vcs_sort_item *next = items; next < items + count; next++) {
        const vcs_sort_item item = {key(records, next->index), next->index, 0};
        vcs_sort_item *place = next;
        for (; place > items && place[-1].key > item.key; place--) {
            *place = place[-1];
        }
        *place = item;
    }
}

/* Merges the first `left` items with the others; both parts are in order. */
static void merge(vcs_sort_item *items, vcs_sort_item *spare, uint32_t left, uint32_t count) {
    if (items[left - 1].key <= items[left].key) {
        return;
    }
    const vcs_sort_item *a = spare, *const a_end = spare + left, *b = items + left, *const b_end = items + count;
    memcpy(spare, items, left * sizeof *spare);
    while (a < a_end && b < b_end) {
        *items++ = b->key < a->key ? *b++ : *a++;
    }
    memcpy(items, a, (size_t)(a_end - a) * sizeof *items);
}

static inline void sort_few_by(key_of key, const void *records, vcs_sort_item *items, vcs_sort_item *spare,
                               uint32_t count) {
    for (uint32_t first = 0; first < count; first += RUN) {
        insert_by(key, records, items + first, count - first < RUN ? count - first : RUN);
    }
    for (uint32_t width = RUN; width < count; width *= 2) {
        for (uint32_t first = 0; first + width < count; first += 2 * width) {
            merge(items + first, spare, width, count - first < 2 * width ? count - first : 2 * width);
        }
    }
}

/* Inline, so that each call reads its own kind of key in place: there may be many records. */
static inline void sort_by(key_of key, const void *records, vcs_sort_item *items, vcs_sort_item *spare,
                           uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        items[i].key = key(records, items[i].index);
    }
    vcs_sort(items, spare, count);
}

/* The same, quicker where there are few tasks. */
static inline void sort_tasks_by(key_of key, const vcs_prepared_task *tasks, const vcs_record_sort *sort,
                                 uint32_t count) {
    if (count <= FEW_RECORDS) {
        sort_few_by(key, tasks, sort->items, sort->spare, count);
    } else {
        sort_by(key, tasks, sort->items, sort->spare, count);
    }
}

/* Sorts items with equal keys, which stand side by side, by another key. Most keys differ, or are in order already. */
static void sort_equals_by(key_of key, const void *records, vcs_sort_item *items, vcs_sort_item *spare,
                           uint32_t count) {
    const vcs_sort_item *const end = items + count;
    for (vcs_sort_item *next = items; next < end;) {
        vcs_sort_item *const first = next++;
        const uint64_t equal = first->key; /* the next sort puts others in its place */
        while (next < end && next->key == equal) {
            next++;
        }
        if (next - first > 1) {
            sort_by(key, records, first, spare, (uint32_t)(next - first));
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

VCS_NOT_INLINE int vcs_sort_by_id(const vcs_prepared_task *tasks, const vcs_record_sort *sort, uint32_t count,
                                  vcs_error *error) {
    sort_tasks_by(task_id, tasks, sort, count);
    return check_ids(sort->items, count, &vcs_task_layout, error);
}

/* Each sort keeps the previous order among equals. */
VCS_NOT_INLINE void vcs_sort_by_arrival(const vcs_prepared_task *tasks, const vcs_record_sort *sort, uint32_t count) {
    sort_tasks_by(task_arrival, tasks, sort, count);
}

VCS_NOT_INLINE void vcs_sort_by_deadline(const vcs_prepared_task *tasks, const vcs_record_sort *sort, uint32_t count) {
    sort_tasks_by(task_deadline, tasks, sort, count);
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
