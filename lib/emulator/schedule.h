/*
 * Which tasks run, and until when that holds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_SCHEDULE_H
#define VCS_EMULATOR_SCHEDULE_H

#include "emulator/prepared.h"

typedef struct vcs_emu_schedule {
    const vcs_emu_clock *clock;
    vcs_emu_memory *memory;
    vcs_emu_records *records;
    vcs_emu_accounts *accounts;
    vcs_emu_prepared *prepared;
    vcs_emu_tasks *tasks;
    vcs_emu_merit *merit;

    double due;                   /* when to decide again */
    uint32_t *chosen;             /* the tasks that run from now on, */
    vcs_task_decision *decisions; /* what was decided on each of them; in the caller's function, on all tasks */
    uint32_t chosen_count;
    uint32_t changes; /* tasks that are to be started or stopped */
    vcs_emu_vector chosen_vector, decision_vector;
} vcs_emu_schedule;

/* Decides which tasks run, and starts and stops them. */
int vcs_emu_choose_tasks(vcs_emu_schedule *schedule);

#endif
