/*
 * From a state file to the prepared state that the library decides on.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PREPARE_H
#define VCEMU_PREPARE_H

#include <vcsched/state.h>

#include "fault.h"
#include "state_file.h"

/*
 * Prepares a state. free() is due for it. Returns NULL and describes what is wrong if the library refuses the state, by
 * file, line and key.
 */
vcs_state *prepare_state(const struct state_file *file, struct fault *fault);

#endif
