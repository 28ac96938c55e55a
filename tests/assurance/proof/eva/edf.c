/*
 * Earliest deadline first (rules 4.4, 4.6) on the smallest host: a CPU, a project and a task. Their numbers are any in
 * their ranges, and so are those that preparing works out of them.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
#include <vcsched/vcsched.h>

#include "right.h"
#include "vcsched/host/prepared.h"

int code;

vcs_host host;
vcs_resource cpu = {.flops = 1e9, .usable = 1.0, .instances = 1};
vcs_project project;
vcs_project_resource pair;
vcs_task task = {.app = VCS_NONE, .cpus = 1.0, .remaining = 1.0};
vcs_parameters policy;
uint64_t work[2944 / 8]; /* what vcs_state_size() says */
vcs_state *state;

const vcs_snapshot snapshot = {
    .struct_size = sizeof snapshot,
    .host = {{&host}, sizeof host, 1},
    .resources = {{&cpu}, sizeof cpu, 1},
    .projects = {{&project}, sizeof project, 1},
    .project_resources = {{&pair}, sizeof pair, 1},
    .tasks = {{&task}, sizeof task, 1},
};

/* With plain numbers, which the analyser follows quickly. */
static int prepare(void) {
    size_t size;
    MAY_PASS(vcs_parameters_init(&policy, sizeof policy, VCS_PROFILE_CURRENT));
    MAY_PASS(vcs_state_size(&snapshot, &size));
    if (code == VCS_OK) {
        MAY_PASS(vcs_state_prepare(&snapshot, &policy, 0.0, work, size, &state, NOBODY));
    }
    return code;
}

/* The numbers of the state that the decision may read, and what an earlier simulation may have found. */
static void any_numbers_there(void) {
    vcs_prepared_task *prepared = vcs_prepared_tasks(state);
    RIGHT(task, right);
    prepared->id = right.id;
    prepared->deadline = right.deadline;
    prepared->run_time = Frama_C_long_interval(0, VCS_FOREVER);
    prepared->takes_part = Frama_C_unsigned_int_interval(0, 1);
    any_right_project(vcs_projects(state));
    any_right_parameters(&state->parameters);
    vcs_forecasts(state)[0].verdict = ANY_U32();
    state->now = ANY_TIME();
    state->has = ANY_U32();
}

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    any_numbers_there();
    vcs_edf_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_edf(state, ANY_U32(), &summary));
    return 0;
}
