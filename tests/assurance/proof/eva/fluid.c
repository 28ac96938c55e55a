/*
 * The fluid simulation (rules 4.2, 4.6) of 2 CPUs, 2 projects and 3 tasks. Which project each task belongs to is fixed,
 * and in which order they arrived. The other numbers are any in their ranges, and so are those that preparing works out
 * of them.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
#include "cpu_shape.h"

/* With plain numbers, which the analyser follows quickly. */
static int prepare(void) {
    size_t size;
    MAY_PASS(vcs_parameters_init(&policy, sizeof policy, VCS_PROFILE_CURRENT));
    policy.discipline = VCS_DISCIPLINE_FLUID;
    MAY_PASS(vcs_state_size(&snapshot, &size));
    if (code == VCS_OK) {
        MAY_PASS(vcs_state_prepare(&snapshot, &policy, 0.0, work, size, &state, NOBODY));
    }
    return code;
}

/* The numbers of the state that the simulation may read. */
static void any_numbers_there(void) {
    for (uint32_t i = 0; i < TASKS; i++) {
        vcs_prepared_task *prepared = &vcs_prepared_tasks(state)[i];
        RIGHT(task, right);
        prepared->deadline = right.deadline;
        prepared->remaining = right.remaining;
        prepared->run_time = Frama_C_long_interval(0, VCS_FOREVER);
        prepared->takes_part = Frama_C_unsigned_int_interval(0, 1);
    }
    for (uint32_t i = 0; i < PROJECTS; i++) {
        any_right_project(&vcs_projects(state)[i]);
    }
    RIGHT(resource, any);
    vcs_resources(state)[0].usable = any.usable;
    vcs_resources(state)[0].suspended = Frama_C_unsigned_int_interval(0, 1);
    any_right_parameters(&state->parameters);
    state->parameters.discipline = VCS_DISCIPLINE_FLUID;
    state->now = ANY_TIME();
    state->has = ANY_U32();
}

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    any_numbers_there();
    vcs_wrr_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_wrr(state, &summary));
    return 0;
}
