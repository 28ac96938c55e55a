/*
 * The sliced simulation (rules 4.3, 4.6, 4.7) in its form for all hosts, for a state of one shape: 2 CPUs, 2 GPUs of a
 * type, 2 projects and 4 tasks, one of them of the GPU, in one order of arrival. Tried out are how work is accounted
 * for, whether the projects compete or one goes first, and whether two tasks of a project are alike. The other numbers
 * are any in their ranges.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/simulation/sliced_general.c lib/core/*.c lib/interface/*.c lib/accounts/*.c lib/timers/*.c
// sources: lib/state/*.c lib/workspace/*.c lib/schedule/*.c lib/fetch/*.c lib/send/*.c
// sources: lib/simulation/[!s]*.c lib/simulation/sliced.c lib/simulation/sliced_c*.c
// options: -eva-unroll-recursive-calls 2 -eva-widening-delay 1 -eva-widening-period 1
// options: -eva-slevel-function vcs_sliced_general:0,pick:0,pick_by:0,pick_approximately:0,pick_for:0
// options: -eva-slevel-function take_cpu_tasks:0,take_gpu_tasks:0,take_exactly:0,take_offers:0,line_up:0
// options: -eva-slevel-function move_up:0,fall_back:0,take:0,take_devices:0,take_within_limits:0,count_taken:0
// options: -eva-slevel-function add_load:0,exact_key:0,forget_pick:0,vcs_replace_first:0,settle:0,run_picked:0
// options: -eva-slevel-function use_picked:0,settle_resources:0,note_waiting:0,finish_due:0,finish_of_class:0
// options: -eva-slevel-function find_head:0
// options: -eva-split-return auto
// options: -eva-split-return-function vcs_count_for_build:full,vcs_take_input:full,vcs_count_records:full
#define TASKS 4
#define WORK_SIZE 11008 /* what vcs_state_size() says */
#include "any_state.h"
#include "simulation/sliced_uniform.h"

int code;

/* The form for uniform hosts, which has a proof of its own, declines: this one must serve for them, too. */
bool vcs_sliced_uniform(vcs_state *of, vcs_wrr_summary *summary) {
    (void)of;
    (void)summary;
    return false;
}

#define ALL ((1u << TASKS) - 1)
#define MOST (VCS_MAX_INSTANCES * VCS_ONE)

static void use(uint32_t task, int64_t least_cpu, int64_t most_cpu, int64_t most_gpu) {
    vcs_prepared_tasks(state)[task].cpu_units = Frama_C_long_interval(least_cpu, most_cpu);
    vcs_prepared_tasks(state)[task].gpu_units = Frama_C_long_interval(0, most_gpu);
}

/* Those take part whose bit is set; the second project has this class, the first one 0. */
static void simulate(uint32_t who, uint32_t accounting, int32_t priority_class) {
    any_state();
    for (uint32_t i = 0; i < TASKS; i++) {
        vcs_prepared_tasks(state)[i].takes_part = who >> i & 1;
        vcs_arrival_order(state)[i] = i;
    }
    for (uint32_t i = 0; i < PROJECTS; i++) {
        vcs_projects(state)[i].priority_class = i == 0 ? 0 : priority_class;
        vcs_projects(state)[i].share = any_between(5e-324, 1e30);
        vcs_project_resources(state)[i * RESOURCES + 1].excluded = Frama_C_unsigned_long_interval(0, 3);
    }
    state->parameters.discipline = VCS_DISCIPLINE_SLICED;
    state->parameters.accounting = accounting;
    vcs_wrr_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_wrr(state, &summary));
}

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    vcs_resources(state)[1].instances = 2;
    use(0, 0, MOST, 0);
    use(1, VCS_ONE, VCS_ONE, 0);
    use(2, 0, MOST, MOST);
    use(3, VCS_ONE, VCS_ONE, 0); /* in one class with the task 1 */
    simulate(ALL, VCS_ACCOUNTING_GLOBAL, 0);
    use(3, 0, VCS_ONE - 1, 0); /* in a class of its own */
    simulate(ALL, VCS_ACCOUNTING_GLOBAL, 0);
    simulate(ALL, VCS_ACCOUNTING_LOCAL, 1);
    return 0;
}
