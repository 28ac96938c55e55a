/*
 * The jobs of projects that the state file says nothing about: jobs like their tasks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_STATE_STATE_JOBS_H
#define VCS_EMU_SCENARIO_STATE_STATE_JOBS_H

#include <stdbool.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/state/state_file.h"

/*
 * Completes the models of applications, and adds applications, for projects without an application that describes its
 * jobs. All sections must have been read. Returns false and describes the fault without memory.
 */
bool vcs_scn_state_jobs_complete(struct state_file *state, struct fault *fault);

/* Operations per device second on the processors of a job; the speed of a CPU if it uses none. */
double vcs_scn_state_jobs_speed(const struct state_file *state, double cpus, uint32_t gpu, double gpus);

#endif
