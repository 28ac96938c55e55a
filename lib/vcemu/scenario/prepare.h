/*
 * From a state file to the prepared state that the library decides on.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_PREPARE_H
#define VCS_EMU_SCENARIO_PREPARE_H

#include <vcsched/host.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/state/state_file.h"

/*
 * Prepares a state; free() is due. If the library refuses it, returns NULL and describes the fault by file, line and
 * key.
 */
vcs_state *vcs_scn_prepare_state(const struct state_file *file, struct fault *fault);

/* Explains a refusal of the library by file, line and key. Always returns false. */
bool vcs_scn_prepare_refuse(const struct state_file *file, const vcs_error *error, struct fault *fault);

#endif
