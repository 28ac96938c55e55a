/*
 * A state file as the emulator reads it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_SCENARIO_H
#define VCS_EMU_SCENARIO_SCENARIO_H

#include <stdbool.h>

#include <vcemu/emulator.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/state/state_file.h"

/* The scenario of the file. It points to the records of the file, and to *emulation, which is written. */
vcs_scenario vcs_scn_scenario_of(const struct state_file *file, vcs_emulation *emulation);

/* Does the project send jobs? A project without jobs in the file sends jobs like its tasks. */
bool vcs_scn_has_jobs(const struct state_file *file, uint32_t project);

/* Is there work, and does the library accept the records? If not, describes the fault. */
bool vcs_scn_check(const struct state_file *file, struct fault *fault);

/*
 * Explains by file, line and key why the emulator refused the file, or that the policy of the user ended it. Always
 * returns false.
 */
bool vcs_scn_refuse_policy(const struct state_file *file, bool has_policy, const vcs_error *error, struct fault *fault);
bool vcs_scn_refuse(const struct state_file *file, const vcs_error *error, struct fault *fault);

#endif
