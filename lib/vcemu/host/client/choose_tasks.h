/*
 * Which tasks run.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_CLIENT_CHOOSE_TASKS_H
#define VCS_EMU_HOST_CLIENT_CHOOSE_TASKS_H

#include "vcemu/host/emulator.h"

/* Decides which tasks run, and starts and stops them. */
void vcs_emu_choose_tasks(vcs_emu_emulator *e);

#endif
