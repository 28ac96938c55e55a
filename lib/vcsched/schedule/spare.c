/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/spare.h"

#include "vcsched/simulation/lateness.h"

/* Whether a GPU task is still to be offered. */
static bool is_to_be_offered(const vcs_offer *offers, uint32_t task) {
    return offers[task].stage == VCS_STAGE_SLICE || offers[task].stage == VCS_STAGE_TURN;
}

/* Adds the tasks for a GPU type that run already, or that do not, as long as they fit on its devices together. */
static int64_t add_shares(vcs_gpu_shares *shares, const vcs_selection *selection, const vcs_offer *offers,
                          uint32_t resource, int64_t free, bool running) {
    const uint32_t *by_arrival = vcs_arrival_order(selection->state);
    for (uint32_t i = 0; i < selection->state->task_count; i++) {
        const vcs_prepared_task *task = &selection->prepared[by_arrival[i]];
        if (task->resource == resource && is_to_be_offered(offers, by_arrival[i]) &&
            vcs_runs_already(task) == running && task->gpu_units <= free) {
            free -= task->gpu_units;
            shares->units += task->cpu_units;
            shares->until = vcs_max_i64(task->run_time, shares->until);
        }
    }
    return free;
}

vcs_gpu_shares vcs_find_gpu_shares(const vcs_placement *placement, const vcs_offer *offers) {
    const vcs_selection *selection = placement->selection;
    vcs_gpu_shares shares = {0, 0};
    for (uint32_t r = 1; r < selection->state->resource_count; r++) {
        int64_t free = vcs_resources(selection->state)[r].capacity - placement->resources[r].used;
        free = add_shares(&shares, selection, offers, r, free, true);
        add_shares(&shares, selection, offers, r, free, false);
    }
    return shares;
}

bool vcs_spares_gpus(const vcs_placement *placement, const vcs_gpu_shares *shares, const vcs_prepared_task *task) {
    const vcs_state *state = placement->selection->state;
    vcs_cpus beside = placement->cpus;
    beside.free -= task->cpu_units;
    if (shares->units <= vcs_largest_cpu_share(&beside)) {
        return false;
    }
    const int64_t slack = vcs_latest_in_edf(state->now, task->deadline) - task->run_time;
    return slack < 0 || slack >= shares->until;
}
