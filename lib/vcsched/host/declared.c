/* SPDX-License-Identifier: MIT */
#include "vcsched/host/declared.h"

#include <string.h>

bool vcs_app_declares(const vcs_state *state, uint32_t app) {
    for (uint32_t r = 0; r < state->resource_count; r++) {
        if (vcs_app_declares_for(state, app, r)) {
            return true;
        }
    }
    return false;
}

/* Adds one application to its project on a resource. A use is at least a unit, or it would count as not known. */
static void add_app(const vcs_state *state, uint32_t app, uint32_t resource, bool declares, vcs_declared_use *sum) {
    const double use = vcs_app_resources(state)[(size_t)app * state->resource_count + resource].use;
    sum->apps++;
    sum->possible += !declares || use > 0.0;
    if (use > 0.0) {
        const int64_t units = vcs_max_i64(vcs_units(use), 1);
        sum->narrowest = sum->narrowest > 0 ? vcs_min_i64(units, sum->narrowest) : units;
        sum->widest = vcs_max_i64(units, sum->widest);
    }
}

void vcs_add_up_declared_uses(vcs_state *state) {
    const uint32_t resources = state->resource_count;
    if (state->capacity.app_resources == 0) {
        return;
    }
    memset(vcs_declared_uses(state), 0, (size_t)state->project_count * resources * sizeof(vcs_declared_use));
    for (uint32_t a = 0; a < state->app_count; a++) {
        vcs_declared_use *sums = &vcs_declared_uses(state)[(size_t)vcs_apps(state)[a].project * resources];
        const bool declares = vcs_app_declares(state, a);
        for (uint32_t r = 0; r < resources; r++) {
            add_app(state, a, r, declares, &sums[r]);
        }
    }
}
