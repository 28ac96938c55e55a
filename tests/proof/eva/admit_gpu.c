/*
 * Admission (rules 4.5, 4.6) where a task of the GPU is in the queue, alone or beside one of a CPU, in either order of
 * deadline, and no limits are set: a candidate is asked about once. Other numbers are any in their ranges. Trees of
 * residents have a proof of their own.
 *
 * SPDX-License-Identifier: MIT
 */
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
