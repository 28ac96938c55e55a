/*
 * Earliest deadline first (rules 4.4, 4.6) of up to 2 tasks on 2 CPUs, with or without limits on concurrent tasks of
 * their projects and of an application. Other numbers are any in their ranges.
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
    vcs_prepared_tasks(state)[TASKS - 1].takes_part = 0; /* that of the GPU */
    vcs_forecasts(state)[TASKS - 1].verdict = VCS_VERDICT_MEETS;
    vcs_edf_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_edf(state, ANY_U32(), &summary));
    return 0;
}
