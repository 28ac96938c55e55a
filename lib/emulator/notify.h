/*
 * Events for whoever observes the emulation.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_NOTIFY_H
#define VCS_EMULATOR_NOTIFY_H

#include "emulator/clock.h"

/* Passes an event of now to the caller's function. */
int vcs_emu_pass_event(const vcs_emu_clock *clock, vcs_event *event);

/* An event about a task, if anybody observes. */
static inline int vcs_emu_notify_task(const vcs_emu_clock *clock, uint32_t kind, const vcs_task *task, uint32_t track,
                                      double amount) {
    if (clock->setup->hooks.observe == NULL) {
        return VCS_OK;
    }
    return vcs_emu_pass_event(clock, &(vcs_event){
                                         .kind = kind,
                                         .project = task->project,
                                         .task = task->id,
                                         .resource = task->gpu,
                                         .track = track,
                                         .amount = amount,
                                         .deadline = task->deadline,
                                     });
}

/* An event about a project, a resource, both or neither. */
static inline int vcs_emu_notify(const vcs_emu_clock *clock, uint32_t kind, uint32_t project, uint32_t resource,
                                 double amount) {
    if (clock->setup->hooks.observe == NULL) {
        return VCS_OK;
    }
    return vcs_emu_pass_event(clock, &(vcs_event){
                                         .kind = kind,
                                         .project = project,
                                         .resource = resource,
                                         .track = VCS_NONE,
                                         .amount = amount,
                                     });
}

#endif
