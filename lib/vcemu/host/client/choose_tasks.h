/*
 * Which tasks run.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_CLIENT_CHOOSE_TASKS_H
#define VCS_EMU_HOST_CLIENT_CHOOSE_TASKS_H

#include "vcemu/host/emulator.h"

/* The last choice. */
struct vcs_emu_choice {
    uint32_t chosen_count; /* tasks that run from now on */
    uint32_t changes;      /* tasks to start or stop */
};

/* Decides which tasks run, and starts and stops them. */
void vcs_emu_choose_tasks(vcs_emu_emulator *e);

#endif
