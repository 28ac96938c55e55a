/*
 * How failures are described. The first one counts; see vcs_emu_note().
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_FAILURE_H
#define VCS_EMU_HOST_FAILURE_H

#include "vcemu/host/emulator.h"

/* Notes what a function of the caller's returned. */
void vcs_emu_note_hook(vcs_emu_emulator *e, int code, const char *name);

/* Notes a failure of the emulator's own; the message is `what` and `why`. */
void vcs_emu_fail(vcs_emu_emulator *e, int code, uint64_t index, const char *what, const char *why);

#endif
