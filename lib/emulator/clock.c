/*
 * When the host is on: in exponential spells, which are exact and not sampled, by a trace, or always.
 *
 * Rule 13.14; worked by hand in tests/emulator/test_emulator.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "emulator/clock.h"

#include "core/number.h"

static double next_switch(vcs_emu_clock *clock) {
    const vcs_emulation *emulation = &clock->setup->emulation;
    if (clock->setup->switch_count > 0) {
        const uint32_t next = clock->next_switch++;
        return next < clock->setup->switch_count ? emulation->start + clock->setup->switches[next] : VCS_INFINITY;
    }
    if (emulation->available == 1.0) {
        return VCS_INFINITY;
    }
    const double mean = clock->on ? emulation->available_mean
                                  : emulation->available_mean * (1.0 - emulation->available) / emulation->available;
    return clock->now + vcs_emu_draw_exponential(&clock->spells, mean);
}

void vcs_emu_clock_start(vcs_emu_clock *clock, const vcs_emu_setup *setup) {
    *clock = (vcs_emu_clock){
        .setup = setup,
        .now = setup->emulation.start,
        .end = setup->emulation.start + setup->emulation.duration,
        .on = true,
        .spells = vcs_emu_stream_open(setup->emulation.seed, VCS_EMU_DRAW_AVAILABILITY, 0),
    };
    clock->switch_at = next_switch(clock);
}

void vcs_emu_clock_switch(vcs_emu_clock *clock) {
    clock->on = !clock->on;
    clock->switch_at = next_switch(clock);
}
