/*
 * Which tasks run (rules 5.1 to 5.6), for a state of one shape whose numbers are any in their ranges, whatever a
 * simulation has found.
 *
 * SPDX-License-Identifier: MIT
 */
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
