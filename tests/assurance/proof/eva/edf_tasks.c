/*
 * Earliest deadline first (rules 4.4, 4.6) without limits on concurrent tasks, for a state of one shape whose other
 * numbers are any in their ranges, whatever a simulation may have found. Trees of residents have a proof of their own.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// without: lib/vcsched/core/search_tree.c
// options: -eva-slevel 0 -eva-unroll-recursive-calls 2 -eva-ilevel 40
// options: -eva-slevel-function main:50,prepare:50,vcs_copy_input:300,vcs_refuse_fields:300
// options: -eva-slevel-function vcs_count_for_build:50,vcs_count_records:50,vcs_state_size:50
// options: -eva-split-return auto
// options: -eva-split-return-function vcs_count_for_build:full,vcs_copy_input:full,vcs_count_records:full
// options: -eva-split-return-function vcs_search_first:77,next_free:77
#include "any_state.h"

#define TREE_NODES 18 /* what vcs_plan_lay_out() makes room for */
#include "any_tree.h"

int code;

/* Whether the task of the GPU is placed. */
static void choose(uint32_t is_placed) {
    vcs_prepared_tasks(state)[TASKS - 1].takes_part = is_placed;
    vcs_forecasts(state)[TASKS - 1].verdict = is_placed ? VCS_VERDICT_MISSES : VCS_VERDICT_MEETS;
}

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    any_state();
    no_limits();
    const uint32_t is_placed = Frama_C_unsigned_int_interval(0, 1);
    //@ split is_placed;
    choose(is_placed);
    vcs_edf_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_edf(state, ANY_U32(), &summary));
    return 0;
}
