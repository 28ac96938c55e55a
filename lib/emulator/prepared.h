/*
 * The records as a state of libvcsched, from which decisions are made.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_PREPARED_H
#define VCS_EMULATOR_PREPARED_H

#include "core/number.h"
#include "emulator/tasks.h"
#include "emulator/timers.h"

/* The shortest wait for the next decision, s. */
#define VCS_EMU_LEAST_WAIT 1.0

typedef struct vcs_emu_prepared {
    const vcs_emu_clock *clock;
    vcs_emu_memory *memory;
    vcs_emu_records *records;
    vcs_emu_tasks *tasks;
    const vcs_emu_timers *timers;

    vcs_state *state;    /* of the last decision, the client's or a server's; NULL = none */
    bool simulated;      /* vcs_wrr() has run on it */
    vcs_emu_vector work; /* its memory */
} vcs_emu_prepared;

/* Makes prepared->state a state of the present records on which vcs_wrr() has run. */
int vcs_emu_prepare(vcs_emu_prepared *prepared);

/* Makes it a state of other records, on which nothing has run: the host as a server sees it, with this policy. */
int vcs_emu_prepare_other(vcs_emu_prepared *prepared, const vcs_snapshot *snapshot, const vcs_parameters *policy);

/* What a function of the caller's looks at. */
vcs_situation vcs_emu_situation(const vcs_emu_prepared *prepared, const vcs_snapshot *snapshot);

/* When to decide again that should happen after `next_check` seconds; time must pass. */
static inline double vcs_emu_next_time(const vcs_emu_clock *clock, double next_check) {
    return clock->now + vcs_max(next_check, VCS_EMU_LEAST_WAIT);
}

#endif
