/*
 * Policies by the study's names, such as CS2_WF1_WS1_JC2: a part for each of its four choices (S2, 2.4).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_POLICY_POLICY_NAME_H
#define VCS_EMU_SCENARIO_POLICY_POLICY_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include <vcsched/parameters.h>

#include "vcemu/scenario/text/fault.h"

/* Is it meant as such a name, and not as that of a file? NULL is none. */
bool vcs_scn_policy_name_is(const char *text);

/* Checks a text that is meant as such a name. Returns false and describes the fault. */
bool vcs_scn_policy_name_check(const char *text, struct fault *fault);

/* Sets the four parameters that the name chooses. */
void vcs_scn_policy_name_set(vcs_parameters *parameters, const char *text);

/* Does the name choose this parameter? */
bool vcs_scn_policy_name_sets(const char *text, const char *parameter);

#endif
