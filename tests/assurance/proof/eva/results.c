/*
 * Reading the results of simulations and decisions: any bytes, of a state of one shape.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// options: -eva-min-loop-unroll 4 -eva-slevel 100 -eva-unroll-recursive-calls 2
// options: -eva-slevel-function vcs_send:1000,vcs_copy_input:300,vcs_refuse_fields:300
#include "shape.h"
#include "vcsched/host/prepared.h"

int code;
vcs_parameters policy;
vcs_state *state;

/* A caller's array, of elements as large as they may be. */
uint64_t callers[PAIRS * 4096 / 8];

#define ANY_PIECE(name, count) Frama_C_make_unknown((char *)vcs_##name(state), (count) * sizeof *vcs_##name(state))

static void any_results(void) {
    ANY_PIECE(forecasts, TASKS);
    ANY_PIECE(resource_forecasts, RESOURCES);
    ANY_PIECE(project_resource_forecasts, PAIRS);
    ANY_PIECE(placements, TASKS);
    ANY_PIECE(busy, RESOURCES);
    ANY_PIECE(task_decisions, TASKS);
    ANY_PIECE(resource_decisions, RESOURCES);
    ANY_PIECE(fetch_choices, PAIRS);
    state->has = ANY_U32();
    state->running_count = Frama_C_unsigned_int_interval(0, TASKS);
    for (uint32_t i = 0; i < TASKS; i++) {
        vcs_running(state)[i] = Frama_C_unsigned_int_interval(0, TASKS - 1);
    }
}

int main(void) {
    size_t size;
    for (uint32_t i = 0; i < RESOURCES; i++) {
        resources[i].flops = 1e9;
        resources[i].usable = 1.0;
    }
    shape_records();
    MAY_PASS(vcs_parameters_init(&policy, sizeof policy, VCS_PROFILE_CURRENT));
    MAY_PASS(vcs_state_size(&snapshot, &size));
    if (code != VCS_OK) {
        return 0;
    }
    MAY_PASS(vcs_state_prepare(&snapshot, &policy, 0.0, work, size, &state, NOBODY));
    if (code != VCS_OK) {
        return 0;
    }
    any_results();
    MAY_PASS(vcs_wrr_tasks(state, &(vcs_array){{(vcs_task_forecast *)callers}, ANY_U32(), ANY_U32()}));
    MAY_PASS(vcs_wrr_resources(state, &(vcs_array){{(vcs_resource_forecast *)callers}, ANY_U32(), ANY_U32()}));
    MAY_PASS(vcs_wrr_project_resources(state,
                                       &(vcs_array){{(vcs_project_resource_forecast *)callers}, ANY_U32(), ANY_U32()}));
    MAY_PASS(vcs_edf_tasks(state, &(vcs_array){{(vcs_edf_task *)callers}, ANY_U32(), ANY_U32()}));
    MAY_PASS(vcs_edf_resources(state, &(vcs_array){{(vcs_edf_resource *)callers}, ANY_U32(), ANY_U32()}));
    MAY_PASS(vcs_schedule_tasks(state, &(vcs_array){{(vcs_task_decision *)callers}, ANY_U32(), ANY_U32()}));
    MAY_PASS(vcs_schedule_resources(state, &(vcs_array){{(vcs_resource_decision *)callers}, ANY_U32(), ANY_U32()}));
    uint32_t running[TASKS];
    MAY_PASS(vcs_schedule_running(state, running, &(vcs_array){{(vcs_task_decision *)callers}, ANY_U32(), ANY_U32()}));
    MAY_PASS(vcs_fetch_decisions(state, &(vcs_array){{(vcs_fetch_decision *)callers}, ANY_U32(), ANY_U32()}));
    return 0;
}
