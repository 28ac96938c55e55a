/*
 * The load of a whole host, in CPUs (rule 1.5), and whether accounts cover one resource instead.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_LOAD_H
#define VCS_HOST_LOAD_H

#include "vcsched/host/prepared.h"

#include <stdbool.h>

/* Whether each resource has accounts of its own. */
static inline bool vcs_is_local(const vcs_parameters *parameters) {
    return parameters->accounting == VCS_ACCOUNTING_LOCAL;
}

/* H of rule 1.5: the load with every instance in use; with local accounts, of the resource alone. */
static inline double vcs_host_load(const vcs_state *state, uint32_t resource, bool local) {
    const vcs_prepared_resource *resources = vcs_resources(state);
    if (local) {
        return resources[resource].instances;
    }
    double total = 0.0;
    for (uint32_t r = 0; r < state->resource_count; r++) {
        total += resources[r].instances * resources[r].speed;
    }
    return total;
}

#endif
