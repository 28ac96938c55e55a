/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/fluid/fluid_order.h"

#include "vcsched/core/invariant.h"
#include "vcsched/core/number.h"

#include <stddef.h>

/*
 * Most batches end in the order in which they start. So running batches stand in a line: a batch that ends after the
 * whole line joins it. A batch that ends earlier overtakes, and waits in a heap until it ends. The last of the line
 * ends after all overtakers, so the line is not empty while there are overtakers.
 */
typedef struct heap {
    vcs_fluid_overtaker *overtakers;
    uint32_t count;
} heap;

static void add_overtaker(heap *h, vcs_fluid_batch *batch) {
    uint32_t at = h->count++;
    while (at > 0 && h->overtakers[(at - 1) / 2].end > batch->end) {
        h->overtakers[at] = h->overtakers[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    h->overtakers[at] = (vcs_fluid_overtaker){batch->end, batch};
}

static vcs_fluid_batch *pop_overtaker(heap *h) {
    vcs_fluid_batch *batch = h->overtakers[0].batch;
    const vcs_fluid_overtaker moved = h->overtakers[--h->count];
    uint32_t at = 0;
    for (uint32_t child = 1; child < h->count; child = 2 * at + 1) {
        child += child + 1 < h->count && h->overtakers[child + 1].end < h->overtakers[child].end;
        if (h->overtakers[child].end >= moved.end) {
            break;
        }
        h->overtakers[at] = h->overtakers[child];
        at = child;
    }
    h->overtakers[at] = moved;
    return batch;
}

/* Starts a batch when the others have progressed to `begin`. Returns the last of the line. */
static inline vcs_fluid_batch *start(heap *h, vcs_fluid_batch *last, vcs_fluid_batch *batch, double begin) {
    batch->end += begin;
    if (batch->end >= last->end) {
        last->behind = batch;
        return batch;
    }
    add_overtaker(h, batch);
    return last;
}

/* Appends the batch that ends next to the order; `next` links to the first of the line. */
static inline vcs_fluid_batch *end_next(heap *h, vcs_fluid_batch **next) {
    vcs_fluid_batch *batch = *next;
    VCS_INVARIANT(batch != NULL); /* tasks run, so the line is not empty */
    if (h->count > 0 && h->overtakers[0].end < batch->end) {
        *next = pop_overtaker(h);
        (*next)->behind = batch;
    }
    return *next;
}

/* Leaves `count` tasks in a batch; returns a batch of the rest. */
static vcs_fluid_batch *split(vcs_fluid_batch *batch, uint32_t count, vcs_fluid_batch **unused) {
    vcs_fluid_batch *others = (*unused)++;
    *others = *batch;
    others->first += count;
    others->count -= count;
    batch->count = count;
    return others;
}

vcs_fluid_batch *vcs_fluid_order_ends(vcs_fluid_batch *first, uint32_t workers, vcs_fluid_overtaker *overtakers,
                                      vcs_fluid_batch **unused) {
    heap h = {.overtakers = overtakers};
    vcs_fluid_batch begin = {.end = 0.0}; /* stands before the first of the line */
    vcs_fluid_batch *last = &begin, **next = &begin.behind;
    uint32_t idle = workers;
    double now = 0.0;
    for (vcs_fluid_batch *batch = first, *waiting; batch != NULL; batch = waiting) {
        if (idle == 0) {
            vcs_fluid_batch *ended = end_next(&h, next);
            next = &ended->behind;
            idle = ended->count;
            now = ended->end;
        }
        waiting = batch->count > idle ? split(batch, idle, unused) : batch->behind;
        idle -= batch->count;
        last = start(&h, last, batch, now);
    }
    while (h.count > 0) {
        next = &end_next(&h, next)->behind;
    }
    last->behind = NULL;
    return begin.behind;
}
