/*
 * The sliced simulation (rules 4.3, 4.6, 4.7) in its form for all hosts, for a state of one shape: 2 CPUs, 2 GPUs of a
 * type, 2 projects and 4 tasks, one of them of the GPU, in one order of arrival. Tried out are how work is accounted
 * for, whether the projects compete or one goes first, and whether two tasks of a project are alike. The other numbers
 * are any in their ranges.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/simulation/sliced/sliced_general.c lib/vcsched/core/*.c lib/vcsched/interface/*/*.c
// sources: lib/vcsched/accounts/*.c lib/vcsched/timers/*.c
// sources: lib/vcsched/host/*.c lib/vcsched/workspace/*.c lib/vcsched/schedule/*.c lib/vcsched/fetch/*.c
// sources: lib/vcsched/send/*.c
// sources: lib/vcsched/simulation/[!s]*.c lib/vcsched/simulation/sliced/sliced.c lib/vcsched/simulation/sliced_c*.c
// options: -eva-unroll-recursive-calls 2 -eva-widening-delay 1 -eva-widening-period 1
// options: -eva-slevel-function vcs_sliced_general:0,pick:0,pick_by:0,pick_approximately:0,pick_for:0
// options: -eva-slevel-function take_cpu_tasks:0,take_gpu_tasks:0,take_exactly:0,take_offers:0,line_up:0
// options: -eva-slevel-function move_up:0,fall_back:0,take:0,take_devices:0,take_within_limits:0,count_taken:0
// options: -eva-slevel-function add_load:0,exact_key:0,forget_pick:0,vcs_replace_first:0,settle:0,run_picked:0
// options: -eva-slevel-function use_picked:0,settle_resources:0,note_waiting:0,finish_due:0,finish_of_class:0
// options: -eva-slevel-function find_head:0
// options: -eva-split-return auto
// options: -eva-split-return-function vcs_count_for_build:full,vcs_copy_input:full,vcs_count_records:full
#define TASKS 4
#define WORK_SIZE 11008 /* what vcs_state_size() says */
#include "any_sliced.h"

#define ALL ((1u << TASKS) - 1)

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    use(0, 0, MOST, 0);
    use(1, VCS_ONE, VCS_ONE, 0);
    use(2, 0, MOST, MOST);
    use(3, VCS_ONE, VCS_ONE, 0); /* in one class with the task 1 */
    simulate(ALL, VCS_ACCOUNTING_GLOBAL, 0, 0, SOME);
    use(3, 0, VCS_ONE - 1, 0); /* in a class of its own */
    simulate(ALL, VCS_ACCOUNTING_GLOBAL, 0, 0, SOME);
    simulate(ALL, VCS_ACCOUNTING_LOCAL, 0, 1, SOME);
    return 0;
}
