/*
 * Runs of a sweep for the calling program, include/vcemu/sweep.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_SWEEP_RECEIVE_H
#define VCS_EMU_SWEEP_SWEEP_RECEIVE_H

#include "vcemu/sweep/table/sweep_rows.h"

struct sweep_receiver {
    const struct sweep_table *table;
    const char **keys, **values, **names;
    char *buffers; /* for the texts of numbers */
};

/* Allocates texts if there is `receive`. Returns false without memory. Either way, vcs_swp_receiver_free() is due. */
bool vcs_swp_receiver_make(struct sweep_receiver *receiver, const struct sweep_table *table);

void vcs_swp_receiver_free(struct sweep_receiver *receiver);

/* Passes a run to `receive`, if there is one. Returns false to end the sweep. */
bool vcs_swp_receiver_pass(const struct sweep_receiver *receiver, uint64_t run, double weight, const double *figures);

#endif
