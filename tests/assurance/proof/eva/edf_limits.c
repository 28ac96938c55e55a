/*
 * Earliest deadline first (rules 4.4, 4.6) of up to 2 tasks on 2 CPUs, with or without limits on concurrent tasks of
 * their projects and of an application. Other numbers are any in their ranges.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// options: -eva-slevel 0 -eva-unroll-recursive-calls 2 -eva-ilevel 40
// options: -eva-slevel-function main:50,prepare:50,vcs_copy_input:300,vcs_refuse_fields:300
// options: -eva-slevel-function vcs_count_for_build:50,vcs_count_records:50,vcs_state_size:50
// options: -eva-split-return auto
// options: -eva-split-return-function vcs_count_for_build:full,vcs_copy_input:full,vcs_count_records:full
#include "any_state.h"

int code;

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    any_state();
    vcs_prepared_tasks(state)[TASKS - 1].takes_part = 0; /* that of the GPU */
    vcs_forecasts(state)[TASKS - 1].verdict = VCS_VERDICT_MEETS;
    vcs_edf_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_edf(state, ANY_U32(), &summary));
    return 0;
}
