/*
 * Why instances are idle.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_CLIENT_IDLE_H
#define VCS_EMU_HOST_CLIENT_IDLE_H

#include "vcemu/host/emulator.h"

/* Idle instances of a resource, as found at the last decision. Reasons are VCS_IDLE_*. */
typedef struct vcs_emu_idle_resource {
    double amount;     /* idle instances; 0 = none */
    double until;      /* if the reason is a wait: when it is over */
    double used_up;    /* active time at the end of that wait; +infinity = it is not over */
    uint32_t reason;   /* the reason of all */
    uint32_t of_tasks; /* why waiting tasks do not run */
} vcs_emu_idle_resource;

struct vcs_emu_idle {
    vcs_emu_idle_resource *resources;
    vcs_fetch_decision *asked; /* of each (project, resource) */
    bool any;                  /* instances were idle after the last decisions */
};

/* After decisions, finds why instances are idle, if any are. */
void vcs_emu_explain_idleness(vcs_emu_emulator *e, bool tasks_were_chosen);

/* Notes which waits of idle resources are over. Since the last call the host has been on all the time, or off. */
void vcs_emu_end_idle_waits(vcs_emu_emulator *e);

/* Books what tasks used of each resource for `active` seconds up to now, and why the rest was idle. */
void vcs_emu_book_use(vcs_emu_emulator *e, double active);

#endif
