/* When the host is on: exponential spells, a trace, or always. SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"

static double next_switch(vcs_emulator *e) {
    vcs_clock *clock = &e->clock;
    const vcs_emulation *emulation = &e->emulation;
    if (e->switch_count > 0) {
        uint32_t next = clock->next_switch++;
        return next < e->switch_count ? emulation->start + e->switches[next] : VCS_INFINITY;
    }
    if (emulation->available == 1.0) {
        return VCS_INFINITY;
    }
    const double mean = clock->on ? emulation->available_mean
                                  : emulation->available_mean * (1.0 - emulation->available) / emulation->available;
    return clock->now + vcs_stream_exponential(&clock->spells, mean);
}

void vcs_clock_start(vcs_emulator *e) {
    vcs_clock *clock = &e->clock;
    clock->now = e->emulation.start;
    clock->active = 0.0;
    clock->end = e->emulation.start + e->emulation.duration;
    clock->on = 1;
    clock->spells = vcs_stream_open(e->emulation.seed, VCS_DRAW_AVAILABILITY, 0);
    clock->switch_at = next_switch(e);
}

void vcs_clock_switch(vcs_emulator *e) {
    e->clock.on = !e->clock.on;
    e->clock.switch_at = next_switch(e);
}
