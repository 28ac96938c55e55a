/*
 * What the caller's functions see: records as long as the caller knows them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_CLIENT_SITUATION_H
#define VCS_EMU_HOST_CLIENT_SITUATION_H

#include "vcemu/host/emulator.h"

/* The arrays of a snapshot. */
#define VCS_EMU_ARRAYS 9

struct vcs_emu_shown {
    vcs_snapshot snapshot;
    void *arrays[VCS_EMU_ARRAYS]; /* memory for records of another length */
};

/* Describes the situation to a function of the caller's. Returns whether there was memory for it. */
bool vcs_emu_show(vcs_emu_emulator *e, const vcs_snapshot *snapshot, vcs_situation *situation);

#endif
