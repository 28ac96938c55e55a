/*
 * A state file as the emulator takes it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_SCENARIO_H
#define VCS_EMU_SCENARIO_SCENARIO_H

#include <stdbool.h>

#include <vcemu/emulator.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/state/state_file.h"

/* The scenario that the file describes. It points to the records of the file, and to *emulation, which is written. */
vcs_scenario vcs_scn_scenario_of(const struct state_file *file, vcs_emulation *emulation);

/* Does this project send jobs? If not, the file does not describe any, and the host has no task of it. */
bool vcs_scn_has_jobs(const struct state_file *file, uint32_t project);

/* Is there anything to do, and everything valid that the library checks itself? If not, says where in the file. */
bool vcs_scn_check(const struct state_file *file, struct fault *fault);

/*
 * Describes what the emulator refused by the file, line and key it comes from, or that the user's policy ended it.
 * Always returns false.
 */
bool vcs_scn_refuse_policy(const struct state_file *file, bool has_policy, const vcs_error *error, struct fault *fault);
bool vcs_scn_refuse(const struct state_file *file, const vcs_error *error, struct fault *fault);

#endif
