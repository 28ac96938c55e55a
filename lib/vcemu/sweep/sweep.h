/*
 * A sweep: scenarios emulated with other values each time, and a table of the outcomes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_SWEEP_H
#define VCS_EMU_SWEEP_SWEEP_H

#include "vcemu/scenario/state/state_file.h"
#include "vcemu/sweep/plan/sweep_plan.h"

/* The caller, and its wish to end the sweep. */
struct sweep_watch {
    const vcs_sweep *sweep;
    bool ended; /* `progress` wants no more of it */
};

void vcs_swp_watch_step(struct sweep_watch *watch, uint32_t stage, uint64_t done, uint64_t total);

/* Says this, unless it is "". */
void vcs_swp_watch_tell(const struct sweep_watch *watch, uint32_t kind, const char *message);

/*
 * Does a plan with its scenarios, which were read with `wish`, one for each file. Unless it is done, *fault says why;
 * rows written by then stay.
 */
int vcs_swp_run(struct sweep_plan *plan, const struct state_file *scenarios, const struct policy_wish *wish,
                struct sweep_watch *watch, struct fault *fault);

#endif
