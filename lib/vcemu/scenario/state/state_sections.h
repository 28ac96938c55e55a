/*
 * The kinds of section that every state file may have, each in the file that is named after it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_STATE_STATE_SECTIONS_H
#define VCS_EMU_SCENARIO_STATE_STATE_SECTIONS_H

#include "vcemu/scenario/state/state_grammar.h"

/* VCS_WAIT_*, the words of FORM_WORD. */
#define STATE_WAITS " none user master_file download uploads task "

/* VCS_SPELLS_*, likewise. */
#define STATE_SPELLS " exponential weibull log_normal "

extern const struct state_section vcs_scn_state_host_section;
extern const struct state_section vcs_scn_state_gpu_section;
extern const struct state_section vcs_scn_state_project_section;
extern const struct state_section vcs_scn_state_project_resource_section;
extern const struct state_section vcs_scn_state_app_section;
extern const struct state_section vcs_scn_state_app_resource_section;
extern const struct state_section vcs_scn_state_client_section;
extern const struct state_section vcs_scn_state_emulation_section;

/* The parameter that this key of [emulation] sets; NULL if it sets none. */
const char *vcs_scn_state_emulation_parameter(const char *key);

/* All projects, applications, and the policy must have been read. */
extern const struct state_section vcs_scn_state_task_section;
extern const struct state_section vcs_scn_state_candidate_section;

/* All of them, as state_grammar.sections begins. */
#define STATE_SECTIONS                                                                                                 \
    [STATE_HOST] = &vcs_scn_state_host_section, [STATE_CLIENT] = &vcs_scn_state_client_section,                        \
    [STATE_EMULATION] = &vcs_scn_state_emulation_section, [STATE_GPU] = &vcs_scn_state_gpu_section,                    \
    [STATE_PROJECT] = &vcs_scn_state_project_section,                                                                  \
    [STATE_PROJECT_RESOURCE] = &vcs_scn_state_project_resource_section, [STATE_APP] = &vcs_scn_state_app_section,      \
    [STATE_APP_RESOURCE] = &vcs_scn_state_app_resource_section, [STATE_TASK] = &vcs_scn_state_task_section,            \
    [STATE_CANDIDATE] = &vcs_scn_state_candidate_section

/* The grammar of a file with these sections alone. */
extern const struct state_grammar vcs_scn_state_grammar_plain;

#endif
