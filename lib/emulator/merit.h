/*
 * The outcome: what is counted while the emulation runs, and the figures of merit that are made of it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_MERIT_H
#define VCS_EMULATOR_MERIT_H

#include "emulator/clock.h"
#include "emulator/records.h"

/* How long a project waits for its turn, in active time. */
typedef struct vcs_emu_wait {
    double square;   /* integral of the square of the time since it last ran */
    double last_ran; /* when it last ran */
    uint32_t running; /* its tasks that run */
} vcs_emu_wait;

typedef struct vcs_emu_merit {
    vcs_outcome total;
    vcs_project_outcome *projects;
    vcs_emu_wait *waits; /* of each project */
} vcs_emu_merit;

int vcs_emu_merit_open(vcs_emu_merit *merit, vcs_emu_memory *memory, const vcs_emu_records *records);

/* A task of a project begins to run, or ceases to. */
void vcs_emu_merit_starts(vcs_emu_merit *merit, uint32_t project, double active);
void vcs_emu_merit_stops(vcs_emu_merit *merit, uint32_t project, double active);

/* Works out the figures of merit at the end. */
void vcs_emu_merit_close(vcs_emu_merit *merit, const vcs_emu_records *records, const vcs_emu_clock *clock);

#endif
