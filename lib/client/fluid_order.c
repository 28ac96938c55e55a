/* SPDX-License-Identifier: MIT */
#include "client/fluid_order.h"

#include <stddef.h>

/*
 * Tasks of the same size end in the order in which they start, and most do. So those that run stand in a line: a task
 * that ends after all of the line joins it. One that ends before overtakes; until then it waits in a heap.
 *
 * The last of the line ends after all overtakers, so the line is not empty as long as there are any.
 */
typedef struct heap {
    vcs_overtaker *overtakers;
    uint32_t count;
} heap;

static void add_overtaker(heap *h, vcs_fluid_task *task) {
    uint32_t place = h->count++;
    while (place > 0 && h->overtakers[(place - 1) / 2].end > task->end) {
        h->overtakers[place] = h->overtakers[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    h->overtakers[place] = (vcs_overtaker){task->end, task};
}

static vcs_fluid_task *take_overtaker(heap *h) {
    vcs_fluid_task *task = h->overtakers[0].task;
    const vcs_overtaker moved = h->overtakers[--h->count];
    uint32_t place = 0;
    for (uint32_t child = 1; child < h->count; child = 2 * place + 1) {
        child += child + 1 < h->count && h->overtakers[child + 1].end < h->overtakers[child].end;
        if (h->overtakers[child].end >= moved.end) {
            break;
        }
        h->overtakers[place] = h->overtakers[child];
        place = child;
    }
    h->overtakers[place] = moved;
    return task;
}

/* A task begins to run when the others have so much behind them. Returns the last of the line. */
static inline vcs_fluid_task *start(heap *h, vcs_fluid_task *last, vcs_fluid_task *task, double begin) {
    task->end += begin;
    if (task->end >= last->end) {
        last->behind = task;
        return task;
    }
    add_overtaker(h, task);
    return last;
}

/* The task that ends next gets its place in the order, where `next` links to the first of the line. */
static inline vcs_fluid_task *end_next(heap *h, vcs_fluid_task **next) {
    vcs_fluid_task *task = *next;
    if (h->count > 0 && h->overtakers[0].end < task->end) {
        *next = take_overtaker(h);
        (*next)->behind = task;
    }
    return *next;
}

vcs_fluid_task *vcs_order_ends(vcs_fluid_task *first, uint32_t workers, vcs_overtaker *overtakers) {
    heap h = {.overtakers = overtakers};
    vcs_fluid_task *waiting = first->behind, *last = first;
    for (uint32_t running = 1; running < workers; running++) {
        vcs_fluid_task *task = waiting;
        waiting = task->behind;
        last = start(&h, last, task, 0.0);
    }
    vcs_fluid_task **next = &first;
    while (waiting != NULL) {
        vcs_fluid_task *ended = end_next(&h, next), *task = waiting;
        next = &ended->behind;
        waiting = task->behind;
        last = start(&h, last, task, ended->end);
    }
    while (h.count > 0) {
        next = &end_next(&h, next)->behind;
    }
    last->behind = NULL;
    return first;
}
