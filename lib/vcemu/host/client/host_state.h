/*
 * The records as a state of libvcsched, on which client and servers decide.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_CLIENT_HOST_STATE_H
#define VCS_EMU_HOST_CLIENT_HOST_STATE_H

#include "vcemu/host/emulator.h"

/* What has been done on the workspace's state. */
struct vcs_emu_prepared {
    bool simulated;               /* vcs_wrr() has run */
    bool scheduled;               /* vcs_schedule() has run, for what runs */
    vcs_schedule_summary summary; /* what vcs_schedule() said */
};

/* Prepares a state of the present records. Returns whether it is there. */
bool vcs_emu_prepare_records(vcs_emu_emulator *e);

/* Prepares a state of the present records, and runs vcs_wrr() on it. Returns whether it is there. */
bool vcs_emu_prepare(vcs_emu_emulator *e);

/* The same; if idle instances are reason to fetch (rule 6.3), as by S4's rules, it is also decided which tasks run. */
bool vcs_emu_prepare_to_fetch(vcs_emu_emulator *e);

/* Prepares a state of other records, on which nothing has run: the host as a server sees it, or with another policy. */
bool vcs_emu_prepare_other(vcs_emu_emulator *e, const vcs_snapshot *snapshot, const vcs_parameters *policy);

/* Runs vcs_wrr() on the present state, once. */
void vcs_emu_simulate(vcs_emu_emulator *e);

/* Decides which tasks run on the present state: once, for the fetch and for the choice of tasks. */
void vcs_emu_schedule(vcs_emu_emulator *e);

/* The shortest wait for the next decision, s: time must pass. */
#define VCS_EMU_LEAST_WAIT 1.0

#endif
