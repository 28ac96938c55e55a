/*
 * What an observer is told.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_EVENTS_H
#define VCS_EMU_HOST_EVENTS_H

#include "vcemu/host/emulator.h"

/* Tells an observer of an event about a task. */
void vcs_emu_notify_task(vcs_emu_emulator *e, uint32_t kind, const vcs_task *task, uint32_t track, double amount);

/* Tells an observer that a scheduler of a project was called; `scheduler` is VCS_NONE if it is the only one. */
void vcs_emu_notify_call(vcs_emu_emulator *e, uint32_t kind, uint32_t project, uint32_t scheduler, double asked);

/* Tells an observer of an event about a project, a resource, both or neither. */
void vcs_emu_notify(vcs_emu_emulator *e, uint32_t kind, uint32_t project, uint32_t resource, double amount,
                    uint32_t reason);

#endif
