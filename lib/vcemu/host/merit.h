/*
 * The outcome: counts while the emulation runs, and the figures of merit at its end.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_MERIT_H
#define VCS_EMU_HOST_MERIT_H

#include "vcemu/host/emulator.h"

/* How long a project waits for its turn, in active time. */
typedef struct vcs_emu_wait {
    double square;    /* integral of the square of the time since it last ran */
    double last_ran;  /* when it last ran */
    uint32_t running; /* its running tasks */
} vcs_emu_wait;

struct vcs_emu_merit {
    vcs_outcome total;
    vcs_project_outcome *projects;
    vcs_resource_outcome *resources;
    vcs_emu_wait *waits; /* of each project */
};

/* A task of a project starts, or stops. */
void vcs_emu_merit_starts(vcs_emu_emulator *e, uint32_t project);
void vcs_emu_merit_stops(vcs_emu_emulator *e, uint32_t project);

/* Counts the processing of a task that uses this much as wasted, for `spent` device seconds. */
void vcs_emu_merit_waste(vcs_emu_emulator *e, double cpus, uint32_t gpu, double gpus, double spent);

/* Likewise as reported in time, and, besides as wasted, as done by its deadline and reported later. */
void vcs_emu_merit_in_time(vcs_emu_emulator *e, double cpus, uint32_t gpu, double gpus, double spent);
void vcs_emu_merit_done_late(vcs_emu_emulator *e, double cpus, uint32_t gpu, double gpus, double spent);

/* Works out the figures of merit, when all waste has been counted. */
void vcs_emu_merit_close(vcs_emu_emulator *e);

#endif
