/*
 * Runs of a sweep for the calling program, include/vcemu/sweep.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_SWEEP_TAKE_H
#define VCS_EMU_SWEEP_SWEEP_TAKE_H

#include "vcemu/sweep/table/sweep_rows.h"

struct sweep_taker {
    const struct sweep_table *table;
    const char **keys, **values, **names;
    char *buffers; /* for the texts of numbers */
};

/* Allocates texts if the sweep has `receive`. Returns false without memory. Either way, vcs_swp_taker_free() is due. */
bool vcs_swp_taker_make(struct sweep_taker *taker, const struct sweep_table *table);

void vcs_swp_taker_free(struct sweep_taker *taker);

/* Passes a run to `receive`, if there is one. Returns false to end the sweep. */
bool vcs_swp_taker_give(const struct sweep_taker *taker, uint64_t run, double weight, const double *figures);

#endif
