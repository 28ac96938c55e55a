/*
 * When the host is on: in spells of random length, exact and not sampled, by a trace, or always.
 *
 * Rule 13.14; worked by hand in tests/vcemu/host/test_emulator_clock.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/clock.h"
#include "vcemu/host/setup.h"

/* The least usable fraction, so that run times stay finite on a host that is hardly ever on (rule 13.9). */
#define LEAST_FRACTION 0.001

static double draw_spell(vcs_emu_stream *spells, const vcs_emulation *emulation, double mean) {
    switch (emulation->spells) {
    case VCS_SPELLS_WEIBULL:
        return vcs_emu_draw_weibull(spells, mean, emulation->spell_shape);
    case VCS_SPELLS_LOG_NORMAL:
        return vcs_emu_draw_log_normal(spells, mean, emulation->spell_shape);
    default:
        return vcs_emu_draw_exponential(spells, mean);
    }
}

/* When the host is next switched: at the end of a step, and once in each step at most, which prolongs short spells.
   Changes the true state of the host, and finds when it changes next. */
static double next_switch(vcs_emu_clock *clock, const vcs_emu_setup *setup) {
    const vcs_emulation *emulation = &setup->emulation;
    clock->truly_on = !clock->truly_on;
    if (setup->switch_count > 0) {
        const uint32_t next = clock->next_switch++;
        clock->true_switch = next < setup->switch_count ? emulation->start + setup->switches[next] : VCS_INFINITY;
    } else if (emulation->available == 1.0) {
        clock->true_switch = VCS_INFINITY;
    } else {
        const double on = emulation->available_mean;
        const double off = on * (1.0 - emulation->available) / emulation->available;
        clock->true_switch += draw_spell(&clock->spells, emulation, clock->truly_on ? on : off);
    }
    if (!(emulation->available_step > 0.0) || clock->true_switch > clock->end) {
        return clock->true_switch;
    }
    const double step = emulation->available_step, steps = (clock->true_switch - emulation->start) / step;
    VCS_INVARIANT(VCS_IS_NUMBER(steps) && steps >= 0.0); /* no spell is negative, and the first begins at the start */
    const double whole = steps < 0x1p52 ? (double)(int64_t)steps : steps;
    const double end_of_step = emulation->start + (whole < steps ? whole + 1.0 : whole) * step;
    return vcs_max(end_of_step, clock->now + step);
}

double vcs_emu_available(const vcs_emu_setup *setup) {
    const vcs_emulation *emulation = &setup->emulation;
    if (setup->switch_count == 0) {
        return emulation->available;
    }
    double on = 0.0, since = 0.0;
    for (uint32_t i = 0; i <= setup->switch_count; i++) {
        const double until =
            i < setup->switch_count ? vcs_min(setup->switches[i], emulation->duration) : emulation->duration;
        on += i % 2 == 0 ? until - since : 0.0;
        since = until;
    }
    return vcs_max(on / emulation->duration, LEAST_FRACTION);
}

void vcs_emu_clock_open(vcs_emu_clock *clock, const vcs_emu_setup *setup) {
    const vcs_emulation *emulation = &setup->emulation;
    *clock = (vcs_emu_clock){
        .now = emulation->start,
        .end = emulation->start + emulation->duration,
        .on = true,
        .true_switch = emulation->start,
        .spells = vcs_emu_stream_open(emulation->seed, VCS_EMU_DRAW_AVAILABILITY, 0),
    };
    clock->switch_at = next_switch(clock, setup);
}

void vcs_emu_clock_switch(vcs_emu_clock *clock, const vcs_emu_setup *setup) {
    clock->on = !clock->on;
    clock->switch_at = next_switch(clock, setup);
}
