/*
 * What is emulated: the caller's scenario, policy and functions, checked and copied. It does not change afterwards.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_SETUP_H
#define VCS_EMULATOR_SETUP_H

#include "emulator/memory.h"

#include <vcsched/emulator.h>

typedef struct vcs_emu_setup {
    vcs_emulation emulation;
    vcs_parameters parameters;
    vcs_hooks hooks;
    vcs_error *error;                /* where failures are described; may be NULL */
    const vcs_job_model *models;     /* of each application */
    const vcs_server_model *servers; /* of each project */
    const double *sizes, *switches;
    uint32_t switch_count;
} vcs_emu_setup;

/* The caller's scenario or functions, of any age, as this version knows them. VCS_OK or the error. */
int vcs_emu_take_scenario(vcs_scenario *known, const vcs_scenario *callers);
int vcs_emu_take_hooks(vcs_hooks *known, const vcs_hooks *callers);

/* Checks the scenario as a whole and takes it over. `hooks` and `error` of `setup` are filled already. */
int vcs_emu_setup_open(vcs_emu_setup *setup, vcs_emu_memory *memory, const vcs_scenario *scenario,
                       const vcs_parameters *parameters);

/* Describes an error and returns its code. `field` may be empty, `type` VCS_TYPE_NONE, `error` NULL. */
int vcs_emu_fail(vcs_error *error, int code, uint32_t type, uint64_t index, const char *field, const char *why);

#endif
