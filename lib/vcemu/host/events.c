/*
 * What an observer is told.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/events.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/server/grid_servers.h"
#include "vcemu/host/setup.h"

/* After a failure nobody is told anything. */
static void pass(vcs_emu_emulator *e, vcs_event event) {
    event.time = e->clock->now;
    if (e->code == VCS_OK && e->grid_servers != NULL) {
        e->grid_servers->observe(e, &event);
    } else if (e->code == VCS_OK) {
        VCS_INVARIANT(e->setup->hooks.observe != NULL); /* or nobody observes */
        vcs_emu_note_hook(e, e->setup->hooks.observe(e->setup->hooks.context, &event), "observe");
    }
}

void vcs_emu_notify_task(vcs_emu_emulator *e, uint32_t kind, const vcs_task *task, uint32_t track, double amount) {
    if (e->is_observed) {
        pass(e, (vcs_event){
                    .kind = kind,
                    .project = task->project,
                    .task = task->id,
                    .resource = task->gpu,
                    .track = track,
                    .amount = amount,
                    .deadline = task->deadline,
                });
    }
}

void vcs_emu_notify(vcs_emu_emulator *e, uint32_t kind, uint32_t project, uint32_t resource, double amount,
                    uint32_t reason) {
    if (e->is_observed) {
        pass(e, (vcs_event){
                    .kind = kind,
                    .project = project,
                    .resource = resource,
                    .track = VCS_NONE,
                    .amount = amount,
                    .reason = reason,
                });
    }
}

void vcs_emu_notify_call(vcs_emu_emulator *e, uint32_t kind, uint32_t project, uint32_t scheduler, double asked) {
    if (e->is_observed) {
        pass(e, (vcs_event){
                    .kind = kind,
                    .project = project,
                    .resource = VCS_NONE,
                    .track = scheduler,
                    .amount = asked,
                });
    }
}
