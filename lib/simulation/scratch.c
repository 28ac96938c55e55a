/* SPDX-License-Identifier: MIT */
#include "simulation/scratch.h"

vcs_counts vcs_counts_of(const vcs_state *state) {
    vcs_counts counts = {
        .resources = state->resource_count,
        .projects = state->project_count,
        .apps = state->app_count,
        .tasks = state->task_count,
        .candidates = state->candidate_count,
    };
    for (uint32_t r = 0; r < state->resource_count; r++) {
        counts.instances += vcs_resources(state)[r].instances;
    }
    return counts;
}
