/*
 * The whole emulator. Each part holds pointers to those on which it stands; what it only reads is const.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_EMULATOR_H
#define VCS_EMULATOR_EMULATOR_H

#include "emulator/network.h"

typedef struct vcs_emu_emulator {
    vcs_emu_memory memory;
    vcs_emu_setup setup;
    vcs_emu_clock clock;
    vcs_emu_records records;     /* what decisions see of the host, */
    vcs_emu_tasks tasks;         /* and what its tasks are in truth */
    vcs_emu_accounts accounts;
    vcs_emu_estimates estimates;
    vcs_emu_results results;
    vcs_emu_client client;       /* it decides which tasks run, and whom to ask for work */
    vcs_emu_timers timers;
    vcs_emu_network network;
    vcs_emu_servers servers;     /* the servers: whether they answer, */
    vcs_emu_jobs jobs;           /* what they have, */
    vcs_emu_sender sender;       /* and what they send */
    vcs_emu_merit merit;         /* the outcome */
} vcs_emu_emulator;

/* Takes the scenario over and makes all parts ready for the start. It has to be closed, whatever is returned. */
int vcs_emu_open(vcs_emu_emulator *e, const vcs_scenario *scenario, const vcs_parameters *parameters,
                 const vcs_hooks *hooks, vcs_error *error);
void vcs_emu_close(vcs_emu_emulator *e);

#endif
