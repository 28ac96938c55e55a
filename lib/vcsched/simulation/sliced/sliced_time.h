/*
 * How time passes in the sliced simulation: in steps, up to the horizon, the budget of steps or the effort.
 *
 * Rules 4.3 and 15.4; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_SLICED_TIME_H
#define VCS_SIMULATION_SLICED_SLICED_TIME_H

#include "vcsched/simulation/sliced/sliced_common.h"

typedef enum vcs_sliced_end_of_step {
    VCS_SLICED_NONE_FINISHES, /* no task finishes at the end of the step */
    VCS_SLICED_SOME_FINISH,   /* tasks due now finish */
    VCS_SLICED_ALL_DONE,      /* no task runs: the simulation is over */
    VCS_SLICED_STOPPED        /* stopped at the horizon, the budget or the effort */
} vcs_sliced_end_of_step;

/* Lets time pass to the end of the step (rule 4.3 b); `first` is the first finish, VCS_NEVER if no task runs. */
vcs_sliced_end_of_step vcs_sliced_step(vcs_sliced *sim, int64_t first);

/* The same where nothing changes before the first finish: one step up to there. */
vcs_sliced_end_of_step vcs_sliced_step_to_finish(vcs_sliced *sim, int64_t first);

/* The same where nothing changes before `until`: the hours up to there pass at once, each as a step. */
vcs_sliced_end_of_step vcs_sliced_steps(vcs_sliced *sim, int64_t first, int64_t until);

#endif
