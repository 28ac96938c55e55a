/*
 * Keys of sections that the command line sets: "--set project.NAME.share=10".
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_STATE_STATE_SETTINGS_H
#define VCS_EMU_SCENARIO_STATE_STATE_SETTINGS_H

#include "vcemu/scenario/policy/policy.h"
#include "vcemu/scenario/state/state_path.h"

/*
 * Sets the keys of sections that the settings of `wish` name, one setting after another, and skips parameters. Returns
 * false and describes the fault.
 */
bool vcs_scn_state_settings_apply(struct ini_document *document, const struct state_grammar *grammar,
                                  const struct policy_wish *wish, struct fault *fault);

/* Whether a setting of `wish` sets the same key of some section. */
bool vcs_scn_state_settings_meet(const struct policy_wish *wish, const struct state_path *path);

#endif
