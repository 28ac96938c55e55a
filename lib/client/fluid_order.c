/* SPDX-License-Identifier: MIT */
#include "client/fluid_order.h"

#include <vcsched/abi.h>

/*
 * Tasks of the same size end in the order in which they start, and most do. So those that run stand in a line: a task
 * that ends after all of the line joins it. One that ends before overtakes; until then it waits in a heap.
 *
 * The last of the line ends after all overtakers, so the line is not empty as long as there are any.
 */
typedef struct ends {
    vcs_fluid_task *tasks;
    uint32_t *next; /* where the number of the task that ends next stands */
    uint32_t last;  /* of the line */
    vcs_overtaker *heap;
    uint32_t heap_count;
} ends;

static void add_overtaker(ends *e, uint32_t task, double end) {
    uint32_t place = e->heap_count++;
    while (place > 0 && e->heap[(place - 1) / 2].end > end) {
        e->heap[place] = e->heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    e->heap[place] = (vcs_overtaker){.end = end, .task = task};
}

static uint32_t take_overtaker(ends *e) {
    const uint32_t task = e->heap[0].task;
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
static inline void start(ends *e, uint32_t task, double begin) {
    vcs_fluid_task *tasks = e->tasks;
    const double end = begin + tasks[task].end;
    tasks[task].end = end;
    if (end >= tasks[e->last].end) {
        tasks[e->last].behind = task;
        e->last = task;
    } else {
        add_overtaker(e, task, end);
    }
}

/* The task that ends next gets its place in the order. */
static inline uint32_t end_next(ends *e) {
    uint32_t task = *e->next;
    if (e->heap_count > 0 && e->heap[0].end < e->tasks[task].end) {
        const uint32_t overtaken = task;
        task = take_overtaker(e);
        e->tasks[task].behind = overtaken;
        *e->next = task;
    }
    e->next = &e->tasks[task].behind;
    return task;
}

uint32_t vcs_order_ends(vcs_fluid_task *tasks, uint32_t first, uint32_t workers, vcs_overtaker *overtakers) {
    ends e = {.tasks = tasks, .next = &first, .last = first, .heap = overtakers};
    uint32_t waiting = tasks[first].behind;
    for (uint32_t running = 1; running < workers; running++) {
        const uint32_t task = waiting;
        waiting = tasks[task].behind;
        start(&e, task, 0.0);
    }
    while (waiting != VCS_NONE) {
        const uint32_t task = waiting, ended = end_next(&e);
        waiting = tasks[task].behind;
        start(&e, task, tasks[ended].end);
    }
    while (e.heap_count > 0) {
        end_next(&e);
    }
    tasks[e.last].behind = VCS_NONE;
    return first;
}
