/* SPDX-License-Identifier: MIT */
#include "schedule/may_run.h"

int vcs_fits_gpu(const vcs_state *state, const vcs_prepared_task *task) {
    const uint32_t excluded = vcs_count_instances(~vcs_allowed_to(state, task->project, task->resource));
    const int64_t capacity = vcs_resources(state)[task->resource].capacity - (int64_t)excluded * VCS_ONE;
    return task->gpu_units <= vcs_largest_fit(state, capacity);
}

void vcs_confine_projects(vcs_selection *selection, uint32_t resource) {
    const vcs_state *state = selection->state;
    const vcs_prepared_resource *prepared = &vcs_resources(state)[resource];
    vcs_instance_sets *sets = &selection->resources[resource].sets;
    const size_t first = ((size_t)state->project_count + 1) * resource;
    vcs_instance_sets_begin(sets, selection->set_maps + first, selection->set_free + first, prepared->instances,
                            prepared->capacity);
    for (uint32_t p = 0; p < state->project_count; p++) {
        if (vcs_selection_at(selection, p, resource)->taking_part > 0) {
            vcs_instance_sets_confine(sets, vcs_allowed_to(state, p, resource));
        }
    }
}
