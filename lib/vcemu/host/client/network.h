/*
 * Calls of servers, and when they are due.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_CLIENT_NETWORK_H
#define VCS_EMU_HOST_CLIENT_NETWORK_H

#include "vcemu/host/emulator.h"

#include <vcsched/accounts.h>
#include <vcsched/timers.h>

struct vcs_emu_network {
    double connected;            /* when a server was last called; -infinity = never */
    bool is_calling;             /* servers are being called, one after the other, at the same moment */
    vcs_resource_reply *replies; /* of each resource: what was asked for and sent in this call */
    vcs_rpc_session session;     /* with all projects, if the policy fetches by sessions (chapter 7) */
    vcs_rank_entry *ranks;       /* of each project, to put them in order for a session */
    uint32_t *order;
};

/* When something is next to be done on the network; may be in the past. */
double vcs_emu_network_due(const vcs_emu_emulator *e);

/* When the host is connected next; -infinity if it always is. */
double vcs_emu_next_connection(const vcs_emu_emulator *e);

/* Makes all calls that are due now. */
void vcs_emu_make_calls(vcs_emu_emulator *e);

#endif
