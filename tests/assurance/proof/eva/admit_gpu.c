/*
 * Admission (rules 4.5, 4.6) where a task of the GPU is in the queue, alone or beside one of a CPU, in either order of
 * deadline, and no limits are set: a candidate is asked about once. Other numbers are any in their ranges. Trees of
 * residents have a proof of their own.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// without: lib/vcsched/core/search_tree.c
// options: -eva-slevel 0 -eva-unroll-recursive-calls 2 -eva-ilevel 40
// options: -eva-slevel-function main:50,prepare:50,vcs_copy_input:300,vcs_refuse_fields:300
// options: -eva-slevel-function vcs_count_for_build:50,vcs_count_records:50,vcs_state_size:50
// options: -eva-slevel-function take_queue:50,vcs_admit:50,begin_queue:50,decide:100,find_position:100
// options: -eva-slevel-function find_harmed:50
// options: -eva-split-return auto
// options: -eva-split-return-function vcs_count_for_build:full,vcs_copy_input:full,vcs_count_records:full
// options: -eva-split-return-function find_position:full
// options: -eva-split-return-function vcs_search_first:77,next_free:77
#include "any_queue.h"

#define TREE_NODES 18 /* what vcs_plan_lay_out() makes room for */
#include "any_tree.h"

int code;

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    any_state();
    no_limits();
    const uint32_t number = Frama_C_unsigned_int_interval(5, 9);
    //@ split number;
    take_queue(number);
    state->has &= ~VCS_HAS_QUEUE;
    vcs_admission admission = {.struct_size = sizeof admission};
    MAY_PASS(vcs_admit(state, ANY_U32(), &admission));
    return 0;
}
