/*
 * The sliced simulation in its form for all hosts, of a state of the shape with 2 GPUs whose other numbers are any.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_ANY_SLICED_H
#define VCS_PROOF_ANY_SLICED_H

#include "any_state.h"
#include "vcsched/simulation/sliced/sliced_few.h"
#include "vcsched/simulation/sliced/sliced_uniform.h"

int code;

/* The forms for uniform hosts decline: this one must serve for them, too. */
bool vcs_sliced_few(vcs_state *of, vcs_wrr_summary *summary) {
    (void)of;
    (void)summary;
    return false;
}

bool vcs_sliced_uniform(vcs_state *of, vcs_wrr_summary *summary) {
    (void)of;
    (void)summary;
    return false;
}

#define MOST (VCS_MAX_INSTANCES * VCS_ONE)

static void use(uint32_t task, int64_t least_cpu, int64_t most_cpu, int64_t most_gpu) {
    vcs_prepared_tasks(state)[task].cpu_units = Frama_C_long_interval(least_cpu, most_cpu);
    vcs_prepared_tasks(state)[task].gpu_units = Frama_C_long_interval(0, most_gpu);
}

/* Those take part whose bit is set. No share is less than this one. */
static void simulate(uint32_t who, uint32_t accounting, int32_t first_class, int32_t second_class, double least_share) {
    vcs_resources(state)[1].instances = 2;
    any_state();
    for (uint32_t i = 0; i < TASKS; i++) {
        vcs_prepared_tasks(state)[i].takes_part = who >> i & 1;
        vcs_arrival_order(state)[i] = i;
    }
    for (uint32_t i = 0; i < PROJECTS; i++) {
        vcs_projects(state)[i].priority_class = i == 0 ? first_class : second_class;
        vcs_projects(state)[i].share = any_between(least_share, 1e30);
        vcs_project_resources(state)[i * RESOURCES + 1].excluded = Frama_C_unsigned_long_interval(0, 3);
    }
    state->parameters.discipline = VCS_DISCIPLINE_SLICED;
    state->parameters.accounting = accounting;
    vcs_wrr_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_wrr(state, &summary));
}

#define SOME 5e-324 /* share */

#endif
