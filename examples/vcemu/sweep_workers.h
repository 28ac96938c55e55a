/*
 * The workers of a sweep: threads that emulate runs ahead of the one that takes their outcomes, in order.
 *
 * Run number n is of point n / seeds, with the seed that sweep_table_seed() says. Which worker does it makes no
 * difference to what comes out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_SWEEP_WORKERS_H
#define VCEMU_SWEEP_WORKERS_H

#include "sweep_rows.h"

struct sweep_workers;

enum sweep_answer { SWEEP_OUTCOME, SWEEP_NOT_YET, SWEEP_FAULT };

/*
 * Starts those of the plan on runs `first` to `end`, the latter excluded. The table and `wish` must last as long.
 * Returns NULL and describes what is wrong.
 */
struct sweep_workers *sweep_workers_start(const struct sweep_table *table, const struct policy_wish *wish,
                                          uint64_t first, uint64_t end, struct fault *fault);

/* The values of the next run, in order, one for each figure. Waits for it a tenth of a second at most. */
enum sweep_answer sweep_workers_next(struct sweep_workers *workers, double *values, struct fault *fault);

/* Ends their work, done or not, and releases all. NULL is allowed. */
void sweep_workers_stop(struct sweep_workers *workers);

#endif
