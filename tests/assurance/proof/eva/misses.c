/*
 * Whether any task can be late at all (rules 4.3, 5.2), for a state of one shape whose numbers are any in their ranges.
 * The simulation, which has proofs of its own, may find anything.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// without: lib/vcsched/simulation/wrr.c
// options: -eva-min-loop-unroll 4 -eva-slevel 10 -eva-unroll-recursive-calls 2
#include "any_state.h"

int code;

int vcs_wrr(vcs_state *of, vcs_wrr_summary *summary) {
    (void)summary;
    any_results();
    of->has = ANY_U32();
    return VCS_OK;
}

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    any_state();
    MAY_PASS(vcs_wrr_for_schedule(state));
    return 0;
}
