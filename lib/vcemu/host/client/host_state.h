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

/* The same; where fetching depends on it (rule 6.3), it is also decided which tasks run. */
bool vcs_emu_prepare_to_fetch(vcs_emu_emulator *e);

/* Prepares a state of other records, on which nothing has run: the host as a server sees it, or with another policy. */
bool vcs_emu_prepare_other(vcs_emu_emulator *e, const vcs_snapshot *snapshot, const vcs_parameters *policy);

/* Decides which tasks run on the present state: once, for the fetch and for the choice of tasks. */
void vcs_emu_schedule(vcs_emu_emulator *e);

/* Whether what the choice of tasks leaves idle is reason to fetch (rule 6.3): by S4's rules. */
bool vcs_emu_fetches_for_idle(const vcs_emu_emulator *e);

/* When to decide again, `next_check` seconds from now; time must pass. */
double vcs_emu_next_time(const vcs_emu_emulator *e, double next_check);

/* Fails if a function of the caller's set next_check to NaN: the main loop would never find the next moment. */
void vcs_emu_check_next(vcs_emu_emulator *e, double next_check, const char *function);

#endif
