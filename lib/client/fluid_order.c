/* SPDX-License-Identifier: MIT */
#include "client/fluid_order.h"

#include <stddef.h>

/*
 * Tasks of the same size end in the order in which they start, and most do. So those that run stand in a line: a task
 * that ends after all of the line joins it. One that ends before overtakes; until then it waits in a heap.
 *
 * The last of the line ends after all overtakers, so the line is not empty as long as there are any.
 */
typedef struct ends {
    vcs_fluid_task **next; /* where the task that ends next is linked */
    vcs_fluid_task *last;  /* of the line */
    vcs_overtaker *heap;
    uint32_t heap_count;
} ends;

static void add_overtaker(ends *e, vcs_fluid_task *task) {
    uint32_t place = e->heap_count++;
    while (place > 0 && e->heap[(place - 1) / 2].end > task->end) {
        e->heap[place] = e->heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    e->heap[place] = (vcs_overtaker){task->end, task};
}

static vcs_fluid_task *take_overtaker(ends *e) {
    vcs_fluid_task *task = e->heap[0].task;
    const vcs_overtaker moved = e->heap[--e->heap_count];
    uint32_t place = 0;
    for (uint32_t child = 1; child < e->heap_count; child = 2 * place + 1) {
        child += child + 1 < e->heap_count && e->heap[child + 1].end < e->heap[child].end;
        if (e->heap[child].end >= moved.end) {
            break;
        }
        e->heap[place] = e->heap[child];
        place = child;
    }
    e->heap[place] = moved;
    return task;
}

/* A task begins to run when the others have so much behind them. */
static inline void start(ends *e, vcs_fluid_task *task, double begin) {
    task->end += begin;
    if (task->end >= e->last->end) {
        e->last->behind = task;
        e->last = task;
    } else {
        add_overtaker(e, task);
    }
}

/* The task that ends next gets its place in the order. */
static inline const vcs_fluid_task *end_next(ends *e) {
    vcs_fluid_task *task = *e->next;
    if (e->heap_count > 0 && e->heap[0].end < task->end) {
        vcs_fluid_task *overtaken = task;
        task = take_overtaker(e);
        task->behind = overtaken;
        *e->next = task;
    }
    e->next = &task->behind;
    return task;
}

vcs_fluid_task *vcs_order_ends(vcs_fluid_task *first, uint32_t workers, vcs_overtaker *overtakers) {
    ends e = {.next = &first, .last = first, .heap = overtakers};
    vcs_fluid_task *waiting = first->behind;
    for (uint32_t running = 1; running < workers; running++) {
        vcs_fluid_task *task = waiting;
        waiting = task->behind;
        start(&e, task, 0.0);
    }
    while (waiting != NULL) {
        const vcs_fluid_task *ended = end_next(&e);
        vcs_fluid_task *task = waiting;
        waiting = task->behind;
        start(&e, task, ended->end);
    }
    while (e.heap_count > 0) {
        end_next(&e);
    }
    e.last->behind = NULL;
    return first;
}
