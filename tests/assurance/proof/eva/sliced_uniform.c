/*
 * The sliced simulation (rules 4.3, 4.6) of 2 CPUs, 2 projects and 3 tasks of a CPU each, in its form for such hosts.
 * Which project each task belongs to is fixed, and in which order they arrived; which of them take part is tried out.
 * The other numbers are any in their ranges, and so are those that preparing works out of them.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// without: lib/vcsched/simulation/sliced/sliced_general.c lib/vcsched/simulation/sliced/sliced_few.c
// options: -eva-widening-delay 1 -eva-widening-period 1
// options: -eva-slevel-function vcs_sliced_uniform:0,run_out:0,vcs_uniform_pick:0,amend:0,settle_group:0
// options: -eva-slevel-function settle_anew:0,settle_exactly:0,find_exact_cut:0,move_cut:0,move_to:0
// options: -eva-slevel-function finish_due:0,finish_first:0,start_tasks:0,stop_tasks:0
// options: -eva-split-return auto
// options: -eva-split-return-function vcs_count_for_build:full,vcs_copy_input:full,vcs_count_records:full
#include "cpu_shape.h"

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

/* The numbers of the state that the simulation may read. */
static void any_tasks(uint32_t who) {
    for (uint32_t i = 0; i < TASKS; i++) {
        vcs_prepared_task *prepared = &vcs_prepared_tasks(state)[i];
        RIGHT(task, right);
        prepared->deadline = right.deadline;
        prepared->run_time = Frama_C_long_interval(0, VCS_FOREVER);
        prepared->takes_part = who >> i & 1;
        vcs_deadline_order(state)[i] = Frama_C_unsigned_int_interval(0, TASKS - 1);
    }
}

static void any_host(void) {
    for (uint32_t i = 0; i < PROJECTS; i++) {
        any_right_project(&vcs_projects(state)[i]);
        vcs_projects(state)[i].max_concurrent = 0;
        RIGHT(project_resource, right);
        vcs_project_resources(state)[i].rec = right.rec;
        vcs_project_resources(state)[i].excluded = Frama_C_unsigned_long_interval(0, 3);
    }
    RIGHT(resource, right);
    vcs_resources(state)[0].flops = right.flops;
    vcs_resources(state)[0].suspended = Frama_C_unsigned_int_interval(0, 1);
    any_right_parameters(&state->parameters);
    state->parameters.discipline = VCS_DISCIPLINE_SLICED;
    state->now = ANY_TIME();
    state->has = ANY_U32();
}

/* The form for small hosts declines: this one must serve for them, too. */
bool vcs_sliced_few(vcs_state *of, vcs_wrr_summary *summary) {
    (void)of;
    (void)summary;
    return false;
}

/* Hosts for which the form for all hosts has to answer: that is left to another proof. */
void vcs_sliced_general(vcs_state *of, vcs_wrr_summary *summary) {
    RIGHT(wrr_summary, any);
    *summary = any;
    (void)of;
}

static void simulate(void) {
    vcs_wrr_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_wrr(state, &summary));
}

static void any_project(uint32_t i, int32_t priority_class, double least_share, double greatest_share) {
    vcs_projects(state)[i].priority_class = priority_class;
    vcs_projects(state)[i].share = any_between(least_share, greatest_share);
}

#define SOME 5e-324, 1e30
#define NONE 0.0, 0.0
#define EITHER_SHARE 0.0, 1e30

/* Each way in which class and share can put the projects in groups: together, or one after the other. */
static void simulate_groups(void) {
    any_project(0, 0, NONE);
    any_project(1, 0, NONE);
    simulate();
    any_project(1, 0, SOME);
    simulate();
    any_project(0, 0, SOME);
    any_project(1, 0, NONE);
    simulate();
    any_project(0, 0, EITHER_SHARE);
    any_project(1, 1, EITHER_SHARE);
    simulate();
    any_project(0, 1, EITHER_SHARE);
    any_project(1, 0, EITHER_SHARE);
    simulate();
    any_project(0, 0, SOME);
    any_project(1, 0, SOME);
    simulate();
}

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    /*@ loop unroll 8; */
    for (uint32_t who = 0; who < 1u << TASKS; who++) {
        any_tasks(who);
        any_host();
        simulate_groups();
    }
    MAY_PASS(vcs_wrr_for_schedule(state)); /* which has nothing to do after that */
    return 0;
}
