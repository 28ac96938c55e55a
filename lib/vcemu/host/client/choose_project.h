/*
 * Which project is asked for how much work.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_CLIENT_CHOOSE_PROJECT_H
#define VCS_EMU_HOST_CLIENT_CHOOSE_PROJECT_H

#include "vcemu/host/records.h"

struct vcs_emu_fetching {
    vcs_fetch_decision *decisions;    /* of each (project, resource): what to ask for */
    vcs_resource_forecast *forecasts; /* of each resource, for sessions and the observer */
};

/*
 * Decides which project to call to ask for work, and when to decide that again. Returns VCS_NONE if none is to be
 * called. If `project` is called anyway, decides only what to ask it for.
 */
uint32_t vcs_emu_choose_project(vcs_emu_emulator *e, uint32_t project);

/* Asks the library whom to ask for work, and for how much: `asked` for each (project, resource). The state is prepared
   to fetch. If the question is brief and nobody is to be asked, the amounts are not worked out. */
void vcs_emu_fetch(vcs_emu_emulator *e, const vcs_fetch_question *question, vcs_fetch_summary *summary,
                   vcs_fetch_decision *asked);

/* Prepares a decision on whether to fetch, finds how long each resource is saturated, and tells an observer. */
bool vcs_emu_begin_fetch(vcs_emu_emulator *e);

/* Instance-seconds that a project is asked for, of all resources together. */
double vcs_emu_seconds_asked(const vcs_emu_emulator *e, uint32_t project);

#endif
