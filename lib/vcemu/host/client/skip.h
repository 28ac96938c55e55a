/*
 * Decisions that need not be made, because their result is certain.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_CLIENT_SKIP_H
#define VCS_EMU_HOST_CLIENT_SKIP_H

#include "vcemu/host/emulator.h"

/* Whether the host is one on which decisions may be skipped. */
struct vcs_emu_skip {
    bool may_skip_choice; /* choices among tasks of one project */
    bool may_skip_fetch;  /* fetches that come with such a choice */
};

void vcs_emu_skip_open(vcs_emu_emulator *e);

/* Whether a choice of tasks is due, and until the next one nobody would be asked for work. */
bool vcs_emu_can_skip_fetch(vcs_emu_emulator *e);

/* Whether a choice of tasks made now would leave the same ones running. */
bool vcs_emu_can_skip_choice(vcs_emu_emulator *e);

/* Keeps the running tasks, in new slices where one has ended. Returns when to choose again, s from now. */
double vcs_emu_keep_choice(vcs_emu_emulator *e);

#endif
