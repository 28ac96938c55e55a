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

/* Whether an application describes its jobs, with one of the keys that a model cannot do without. */
bool vcs_scn_state_says_jobs(const struct state_file *state, uint32_t app);

/*
 * Adds what the tasks of applications use, as each [app] says (vcs_app_resource.use). All sections must have been read,
 * and no application been added. Returns false and describes the fault without memory. Defined in state_app.c.
 */
bool vcs_scn_state_uses_complete(struct state_file *state, struct fault *fault);

/*
 * Completes the models of applications, and adds applications, for projects without an application that describes its
 * jobs. All sections must have been read. Returns false and describes the fault without memory.
 */
bool vcs_scn_state_jobs_complete(struct state_file *state, struct fault *fault);

/* Operations per device second on the processors of a job; the speed of a CPU if it uses none. */
double vcs_scn_state_jobs_speed(const struct state_file *state, double cpus, uint32_t gpu, double gpus);

#endif
