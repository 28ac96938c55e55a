/*
 * The runs of a sweep as another program is given them, include/vcemu/sweep.h.
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

/* Makes one for a sweep that has `receive`. Returns false without memory; in both cases vcs_swp_taker_free() is due. */
bool vcs_swp_taker_make(struct sweep_taker *taker, const struct sweep_table *table);

void vcs_swp_taker_free(struct sweep_taker *taker);

/* Gives a run away, if the sweep has `receive`. Returns false if it is to be the last. */
bool vcs_swp_taker_give(const struct sweep_taker *taker, uint64_t run, double weight, const double *figures);

#endif
