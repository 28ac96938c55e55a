/*
 * Admission (rules 4.5, 4.6) under limits on concurrent tasks of projects and of an application: a candidate is asked
 * about once, with up to 2 tasks of one whole CPU in the queue, in either order of deadline. Other numbers are any in
 * their ranges.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// options: -eva-slevel 0 -eva-unroll-recursive-calls 2 -eva-ilevel 40
// options: -eva-slevel-function main:50,prepare:50,vcs_copy_input:300,vcs_refuse_fields:300
// options: -eva-slevel-function vcs_count_for_build:50,vcs_count_records:50,vcs_state_size:50
// options: -eva-slevel-function take_queue:50,vcs_admit:50,begin_queue:50,decide:100,find_position:100
// options: -eva-slevel-function find_harmed:50
// options: -eva-split-return auto
// options: -eva-split-return-function vcs_count_for_build:full,vcs_copy_input:full,vcs_count_records:full
// options: -eva-split-return-function find_position:full
#include "any_queue.h"

int code;

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    any_state();
    const uint32_t number = Frama_C_unsigned_int_interval(0, 4);
    //@ split number;
    take_queue(number);
    state->has &= ~VCS_HAS_QUEUE;
    vcs_admission admission = {.struct_size = sizeof admission};
    MAY_PASS(vcs_admit(state, ANY_U32(), &admission));
    return 0;
}
