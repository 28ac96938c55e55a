/*
 * Two clocks run. `now` is wall time; `active` is the time for which the host has been on since the start. Tasks make
 * progress in active time, so switching the host off and on changes none of them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_CLOCK_H
#define VCS_EMULATOR_CLOCK_H

#include "core/number.h"
#include "emulator/random.h"
#include "emulator/setup.h"

typedef struct vcs_emu_clock {
    const vcs_emu_setup *setup;
    double now, active;
    double end;         /* of the emulation */
    double switch_at;   /* when the host is next switched on or off */
    bool on;            /* the host is on */
    uint32_t next_switch; /* in the trace */
    vcs_emu_stream spells;
} vcs_emu_clock;

void vcs_emu_clock_start(vcs_emu_clock *clock, const vcs_emu_setup *setup);

/* Moves both clocks to the next moment: that of `due`, of a switch, the end, or when `active` is `finish`. */
static inline void vcs_emu_clock_advance(vcs_emu_clock *clock, double due, double finish) {
    double next = vcs_min(clock->switch_at, clock->end);
    if (!clock->on) {
        clock->now = next;
        return;
    }
    const double finish_at = clock->now + (finish - clock->active);
    next = vcs_min(next, due);
    if (finish_at <= next) {
        clock->active = finish;
        clock->now = finish_at;
    } else if (next > clock->now) {
        clock->active += next - clock->now;
        clock->now = next;
    }
}

/* Switches the host on or off, and draws the time of the next switch. */
void vcs_emu_clock_switch(vcs_emu_clock *clock);

#endif
