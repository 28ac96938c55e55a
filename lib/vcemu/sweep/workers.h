/*
 * Threads that work ahead of the one that takes their results, in order.
 *
 * Runs are numbered. Which worker does one makes no difference to what comes out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_WORKERS_H
#define VCS_EMU_SWEEP_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vcemu/scenario/text/fault.h"

struct worker;
struct workers;

/* What is to be done. */
struct work {
    void *context;
    size_t result_size; /* bytes of the result of a run */

    /* Makes what a worker needs for itself. Returns NULL and describes what is wrong. */
    void *(*begin)(void *context, struct fault *fault);

    /* Does a run, and writes its result. Returns false and describes what is wrong, or false because
       vcs_swp_worker_goes_on() was. */
    bool (*run)(void *own, const struct worker *worker, uint64_t run, void *result, struct fault *fault);

    /* Releases what `begin` made. */
    void (*end)(void *own);
};

/* How finely it is known what part of a run is done. */
#define WORKERS_PARTS 10000u

/* For a run: does anybody still want it? In the second form it also tells how far it is, from 0 to 1. */
bool vcs_swp_worker_goes_on(const struct worker *worker);
bool vcs_swp_worker_tells(const struct worker *worker, double done);

/*
 * Starts `count` of them, or fewer, on the runs `first` to `end`, the latter excluded. The context must last as long.
 * Returns NULL and describes what is wrong.
 */
struct workers *vcs_swp_workers_start(const struct work *work, uint32_t count, uint64_t first, uint64_t end,
                                      struct fault *fault);

enum workers_answer { WORKERS_RESULT, WORKERS_NOT_YET, WORKERS_FAULT };

/* The result of the next run, in order. Waits for it a tenth of a second at most. */
enum workers_answer vcs_swp_workers_next(struct workers *workers, void *result, struct fault *fault);

/* What they have done by now, in parts of runs. */
uint64_t vcs_swp_workers_parts(struct workers *workers);

/* Ends their work, done or not, and releases all. NULL is allowed. */
void vcs_swp_workers_stop(struct workers *workers);

#endif
