/*
 * How long tasks are believed to take.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_TASKS_ESTIMATES_H
#define VCS_EMU_HOST_TASKS_ESTIMATES_H

#include "vcemu/host/tasks/true_task.h"

/* The correction factor for jobs of an application; 0 = none. */
double vcs_emu_correction(const vcs_emu_emulator *e, uint32_t project, uint32_t app);

/* Writes task->remaining. */
void vcs_emu_estimate(vcs_emu_emulator *e, vcs_task *task, const vcs_emu_true_task *truth);

/* Learns from a task that has ended. Returns whether a correction factor has changed. */
bool vcs_emu_learn(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth);

#endif
