/*
 * The present, when the host is on, and when the client decides again.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_CLOCK_H
#define VCS_EMU_HOST_CLOCK_H

#include "vcemu/host/emulator.h"
#include "vcemu/host/random.h"

/*
 * Two clocks run. `now` is wall time; `active` is the time for which the host has been on since the start. Tasks make
 * progress in active time, so switching the host off and on changes none of them.
 */
struct vcs_emu_clock {
    double now, active;
    double end;           /* end of the emulation */
    double switch_at;     /* when the host is next switched on or off */
    bool on;              /* the host is on */
    bool truly_on;        /* the host would be on without available_step, before */
    double true_switch;   /* when that changes */
    uint32_t next_switch; /* index in the trace */
    vcs_emu_stream spells;
};

/* When the client decides again. Whatever changes the tasks, or brings an answer, may make a decision due at once. */
struct vcs_emu_agenda {
    double schedule_due; /* when to decide again which tasks run */
    double fetch_due;    /* when to decide again whether to fetch */
    double report_due;   /* when a result must be reported */
};

void vcs_emu_clock_open(vcs_emu_clock *clock, const vcs_emu_setup *setup);

/* Switches the host on or off, and draws the time of the next switch. */
void vcs_emu_clock_switch(vcs_emu_clock *clock, const vcs_emu_setup *setup);

/* Whether a moment has come. 0 = there is nothing to wait for, even before time 0. */
static inline bool vcs_emu_has_come(const vcs_emu_emulator *e, double moment) {
    return moment == 0.0 || moment <= e->clock->now;
}

/* The fraction of the emulation for which the host is on: as stated, or by the trace (rule 12.1). */
double vcs_emu_available(const vcs_emu_setup *setup);

#endif
