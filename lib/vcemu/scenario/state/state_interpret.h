/*
 * Reads a state file.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_STATE_STATE_INTERPRET_H
#define VCS_EMU_SCENARIO_STATE_STATE_INTERPRET_H

#include "vcemu/scenario/state/state_file.h"

/*
 * Reads the state file `path`, or standard input for "-", with the policy of `wish`. The grammar must last as long as
 * the state; `watcher` may be NULL. Returns false and describes the fault. Either way, vcs_scn_state_file_free() is
 * due.
 */
bool vcs_scn_state_file_read(struct state_file *state, const char *path, const struct state_grammar *grammar,
                             const struct policy_wish *wish, const struct read_watcher *watcher, struct fault *fault);

/*
 * Makes the records again after values in state->document have changed. Returns false and describes the fault; after
 * that only this function and vcs_scn_state_file_free() may be called.
 */
bool vcs_scn_state_file_interpret(struct state_file *state, const struct policy_wish *wish, struct fault *fault);

void vcs_scn_state_file_free(struct state_file *state);

#endif
