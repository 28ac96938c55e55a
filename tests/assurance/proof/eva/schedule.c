/*
 * Which tasks run (rules 5.1 to 5.6), for a state of one shape whose numbers are any in their ranges, whatever a
 * simulation has found.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// options: -eva-min-loop-unroll 4 -eva-slevel 0 -eva-unroll-recursive-calls 2
// options: -eva-slevel-function vcs_copy_input:300,vcs_refuse_fields:300,vcs_count_for_build:50
// options: -eva-slevel-function vcs_count_records:50,vcs_state_size:50,main:50,prepare:50
// options: -eva-split-return auto
// options: -eva-split-return-function vcs_count_for_build:full,vcs_copy_input:full,vcs_count_records:full
#include "any_state.h"

int code;

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    any_state();
    vcs_schedule_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_schedule(state, ANY_U32(), &summary));
    return 0;
}
