/*
 * Whom to ask for work (rules 6.1 to 6.10), for a state of one shape whose numbers are any in their ranges, whatever a
 * simulation and a choice of tasks have found.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// options: -eva-min-loop-unroll 4 -eva-slevel 10 -eva-unroll-recursive-calls 2
#include "any_state.h"

int code;

static void ask(uint32_t policy_of_fetch, uint32_t purpose) {
    any_state();
    state->parameters.work_fetch = policy_of_fetch;
    RIGHT_SIZED(fetch_question, question);
    question.purpose = purpose;
    vcs_fetch_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_fetch(state, &question, &summary));
}

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    /*@ loop unroll 5; */
    for (uint32_t policy_of_fetch = 0; policy_of_fetch <= VCS_WORK_FETCH_SESSIONS; policy_of_fetch++) {
        ask(policy_of_fetch, VCS_FETCH_CHOOSE);
        ask(policy_of_fetch, VCS_FETCH_PIGGYBACK);
    }
    MAY_PASS(vcs_fetch(state, NULL, NULL));
    return 0;
}
