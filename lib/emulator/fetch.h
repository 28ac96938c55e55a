/*
 * Which project to ask for how much work, and when to decide that again.
 *
 * Rules 6.10 and 13.11; worked by hand in tests/emulator/test_emulator.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_FETCH_H
#define VCS_EMULATOR_FETCH_H

#include "emulator/prepared.h"

typedef struct vcs_emu_fetch {
    const vcs_emu_clock *clock;
    const vcs_emu_records *records;
    vcs_emu_prepared *prepared;
    vcs_emu_merit *merit;

    double due;                      /* when to decide again whether to fetch */
    vcs_fetch_decision *decisions;   /* of each (project, resource): what to ask for */
    vcs_resource_forecast *forecasts; /* of each resource, for the observer */
} vcs_emu_fetch;

int vcs_emu_fetch_open(vcs_emu_fetch *fetch, vcs_emu_memory *memory);

/*
 * Decides which project to call to ask for work, and when to decide that again. `project` is VCS_NONE, and stays so if
 * there is none to call. If it is a project that is called anyway, decides only what to ask that for.
 */
int vcs_emu_choose_project(vcs_emu_fetch *fetch, uint32_t *project);

/* What a project is asked for: an element for each resource, and their instance-seconds together. */
static inline const vcs_fetch_decision *vcs_emu_asked_of(const vcs_emu_fetch *fetch, uint32_t project) {
    return &fetch->decisions[vcs_emu_first_of(fetch->records, project)];
}

double vcs_emu_seconds_asked(const vcs_emu_fetch *fetch, uint32_t project);

#endif
