/*
 * Threads that do numbered runs ahead of a consumer, which receives the results in order.
 *
 * The outcome does not depend on which worker does a run.
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

/* The work. */
struct work {
    void *context;
    size_t result_size; /* bytes of the result of a run */

    /* Makes the state of a worker. Returns NULL and describes the fault. */
    void *(*begin)(void *context, struct fault *fault);

    /* Does a run, and writes its result. Returns false and describes the fault, or false because
       vcs_swp_worker_goes_on() did. */
    bool (*run)(void *own, const struct worker *worker, uint64_t run, void *result, struct fault *fault);

    /* Releases what `begin` made. */
    void (*end)(void *own);
};

/* Parts of a run, for its progress. */
#define WORKERS_PARTS 10000u

/* Is the run still wanted? The second function also reports its progress, from 0 to 1. */
bool vcs_swp_worker_goes_on(const struct worker *worker);
bool vcs_swp_worker_tells(const struct worker *worker, double done);

/*
 * Starts at most `count` workers on the runs from `first` to `end`, the latter excluded. The context must last as long.
 * Returns NULL and describes the fault.
 */
struct workers *vcs_swp_workers_start(const struct work *work, uint32_t count, uint64_t first, uint64_t end,
                                      struct fault *fault);

enum workers_answer { WORKERS_RESULT, WORKERS_NOT_YET, WORKERS_FAULT };

/* The result of the next run, in order. Waits at most a tenth of a second. */
enum workers_answer vcs_swp_workers_next(struct workers *workers, void *result, struct fault *fault);

/* All progress by now, in parts of runs. */
uint64_t vcs_swp_workers_parts(struct workers *workers);

/* Ends the work, done or not, and releases everything. NULL is allowed. */
void vcs_swp_workers_stop(struct workers *workers);

#endif
