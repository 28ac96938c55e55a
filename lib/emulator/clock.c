/*
 * When the host is on: in exponential spells, which are exact and not sampled, by a trace, or always. And the events
 * that bear the time.
 *
 * Rule 13.14; worked by hand in tests/emulator/test_emulator.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "emulator/emulator.h"

/* A usable fraction that leaves run times finite, for a host that is hardly ever on (rule 13.9). */
#define LEAST_FRACTION 0.001

/* The true state of the host changes, until the next such moment. */
static void pass_true_switch(vcs_emu_emulator *e) {
    const vcs_emulation *emulation = &e->setup.emulation;
    vcs_emu_clock *clock = &e->clock;
    clock->truly_on = !clock->truly_on;
    if (e->setup.switch_count > 0) {
        const uint32_t next = clock->next_switch++;
        clock->true_switch =
            next < e->setup.switch_count ? emulation->start + e->setup.switches[next] : VCS_INFINITY;
    } else if (emulation->available == 1.0) {
        clock->true_switch = VCS_INFINITY;
    } else {
        const double on = emulation->available_mean;
        const double off = on * (1.0 - emulation->available) / emulation->available;
        clock->true_switch += vcs_emu_draw_exponential(&clock->spells, clock->truly_on ? on : off);
    }
}

/* The beginning of the step after `at`. */
static double end_of_step(const vcs_emulation *emulation, double at) {
    const double step = emulation->available_step, steps = (at - emulation->start) / step;
    const double whole = steps < 0x1p52 ? (double)(int64_t)steps : steps;
    return emulation->start + (whole < steps ? whole + 1.0 : whole) * step;
}

/* When the host is next switched: at the end of a step, and only once in each, so that a shorter spell lasts longer. */
static double next_switch(vcs_emu_emulator *e) {
    const vcs_emulation *emulation = &e->setup.emulation;
    pass_true_switch(e);
    if (!(emulation->available_step > 0.0) || e->clock.true_switch > e->clock.end) {
        return e->clock.true_switch;
    }
    return vcs_max(end_of_step(emulation, e->clock.true_switch), e->clock.now + emulation->available_step);
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

void vcs_emu_clock_start(vcs_emu_emulator *e) {
    const vcs_emulation *emulation = &e->setup.emulation;
    e->clock = (vcs_emu_clock){
        .now = emulation->start,
        .end = emulation->start + emulation->duration,
        .on = true,
        .true_switch = emulation->start,
        .spells = vcs_emu_stream_open(emulation->seed, VCS_EMU_DRAW_AVAILABILITY, 0),
    };
    e->clock.switch_at = next_switch(e);
}

void vcs_emu_clock_switch(vcs_emu_emulator *e) {
    e->clock.on = !e->clock.on;
    e->clock.switch_at = next_switch(e);
}

/* ---- Events ---- */

static const char event_names[VCS_EVENT_KINDS][12] = {
    [VCS_EVENT_ON] = "on",
    [VCS_EVENT_OFF] = "off",
    [VCS_EVENT_RECEIVED] = "received",
    [VCS_EVENT_STARTED] = "started",
    [VCS_EVENT_STOPPED] = "stopped",
    [VCS_EVENT_ENDED] = "ended",
    [VCS_EVENT_REPORTED] = "reported",
    [VCS_EVENT_LATE] = "late",
    [VCS_EVENT_CALLED] = "called",
    [VCS_EVENT_FAILED] = "failed",
    [VCS_EVENT_FORECAST] = "forecast",
    [VCS_EVENT_MASTER] = "master",
    [VCS_EVENT_NO_MASTER] = "no master",
    [VCS_EVENT_IDLE] = "idle",
};

const char *vcs_event_name(uint32_t kind) {
    return kind < VCS_EVENT_KINDS ? event_names[kind] : "";
}

bool vcs_emu_check_hook(vcs_emu_emulator *e, int code, const char *name) {
    return vcs_emu_check(
        e, code >= VCS_OK ? VCS_OK : vcs_emu_fail(e->setup.error, code, VCS_TYPE_NONE, 0, name, "returned an error"));
}

static bool pass(vcs_emu_emulator *e, vcs_event event) {
    event.time = e->clock.now;
    return vcs_emu_check_hook(e, e->setup.hooks.observe(e->setup.hooks.context, &event), "observe");
}

bool vcs_emu_notify_task(vcs_emu_emulator *e, uint32_t kind, const vcs_task *task, uint32_t track, double amount) {
    return e->setup.hooks.observe == NULL || pass(e, (vcs_event){
                                                         .kind = kind,
                                                         .project = task->project,
                                                         .task = task->id,
                                                         .resource = task->gpu,
                                                         .track = track,
                                                         .amount = amount,
                                                         .deadline = task->deadline,
                                                     });
}

bool vcs_emu_notify(vcs_emu_emulator *e, uint32_t kind, uint32_t project, uint32_t resource, double amount) {
    return e->setup.hooks.observe == NULL || pass(e, (vcs_event){
                                                         .kind = kind,
                                                         .project = project,
                                                         .resource = resource,
                                                         .track = VCS_NONE,
                                                         .amount = amount,
                                                     });
}

bool vcs_emu_notify_idle(vcs_emu_emulator *e, uint32_t resource, double amount, uint32_t reason) {
    return e->setup.hooks.observe == NULL || pass(e, (vcs_event){
                                                         .kind = VCS_EVENT_IDLE,
                                                         .project = VCS_NONE,
                                                         .resource = resource,
                                                         .track = VCS_NONE,
                                                         .amount = amount,
                                                         .reason = reason,
                                                     });
}
