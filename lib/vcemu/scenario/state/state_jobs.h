/*
 * The jobs that projects send if the state file does not describe any: jobs like the tasks the host has from them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_STATE_STATE_JOBS_H
#define VCS_EMU_SCENARIO_STATE_STATE_JOBS_H

#include <stdbool.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/state/state_file.h"

/*
 * Completes the models of applications, and adds applications, for projects none of whose applications says what its
 * jobs are. All sections must have been read. Returns false, and says so, without memory.
 */
bool vcs_scn_state_jobs_complete(struct state_file *state, struct fault *fault);

/* Operations per device second on all that jobs use; those that use nothing pass at the speed of a CPU. */
double vcs_scn_state_jobs_speed(const struct state_file *state, double cpus, uint32_t gpu, double gpus);

#endif
