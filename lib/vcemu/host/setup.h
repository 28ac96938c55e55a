/*
 * What is emulated: the caller's scenario, policy and functions, checked and copied.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_SETUP_H
#define VCS_EMU_HOST_SETUP_H

#include "vcemu/host/emulator.h"

struct vcs_emu_setup {
    vcs_emulation emulation;
    vcs_parameters parameters;
    vcs_hooks hooks;
    vcs_snapshot sizes_of;     /* the caller's snapshot, for the length of its records */
    vcs_job_model *models;     /* of each application */
    vcs_server_model *servers; /* of each project */
    const double *sizes, *switches;
    uint32_t switch_count;
};

/* Reads the caller's scenario or functions, of any age, as this version knows them. VCS_OK or the error. */
int vcs_emu_read_scenario(vcs_scenario *known, const vcs_scenario *callers);
int vcs_emu_read_hooks(vcs_hooks *known, const vcs_hooks *callers);

/* Checks the arrays of the scenario, and reads the emulation. */
void vcs_emu_setup_begin(vcs_emu_emulator *e, vcs_emu_setup *setup, const vcs_scenario *scenario);

/* Reads the rest of the scenario, and the parameters, which libvcsched has checked. The hooks are there already. */
void vcs_emu_setup_open(vcs_emu_emulator *e, vcs_emu_setup *setup, const vcs_scenario *scenario,
                        const vcs_parameters *parameters);

/* Whether client and servers behave like the study's program (rules 13.4, 13.6, 13.10 and 13.11; the plain reference is
   examples/study/golden.csv). The other rules of chapter 13 are parameters of libvcsched, except 13.12 and 13.14, which
   hold for every emulation: see emulate.c and clock.c. */
static inline bool vcs_emu_is_study(const vcs_emu_emulator *e) {
    return e->setup->emulation.study_rules != 0;
}

#endif
