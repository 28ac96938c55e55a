/*
 * Admission (rules 4.5, 4.6) under limits on concurrent tasks of projects and of an application: a candidate is asked
 * about once, with up to 2 tasks of one whole CPU in the queue, in either order of deadline. Other numbers are any in
 * their ranges.
 *
 * SPDX-License-Identifier: MIT
 */
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
