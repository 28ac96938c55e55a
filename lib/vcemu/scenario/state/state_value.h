/*
 * The values of the state file, from text to a draft.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_STATE_STATE_VALUE_H
#define VCS_EMU_SCENARIO_STATE_STATE_VALUE_H

#include <stdbool.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/state/state_grammar.h"

/*
 * Reads `text`, the value of `key`, to `target`, which has the type of the key's form. Returns false and describes the
 * fault at `place`.
 */
bool vcs_scn_state_value_read(const struct state_key *key, const char *text, void *target, const struct place *place,
                              struct fault *fault);

#endif
