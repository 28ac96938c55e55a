/*
 * The network: calls of servers, and when they are due.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_NETWORK_H
#define VCS_EMULATOR_NETWORK_H

#include "emulator/client.h"
#include "emulator/send.h"
#include "emulator/server.h"

typedef struct vcs_emu_network {
    const vcs_emu_clock *clock;
    vcs_emu_records *records;
    vcs_emu_accounts *accounts;
    vcs_emu_results *results;
    vcs_emu_timers *timers;
    vcs_emu_servers *servers;
    vcs_emu_sender *sender;
    vcs_emu_client *client;
    vcs_emu_merit *merit;

    double report_due;           /* when a result must be reported */
    double connected;            /* when a server was last called; -infinity = never */
    bool is_calling;             /* servers are being called, one after the other, at the same moment */
    vcs_resource_reply *replies; /* of each resource: what was asked for and sent in the present call */
} vcs_emu_network;

int vcs_emu_network_open(vcs_emu_network *network, vcs_emu_memory *memory);

/* When the host is connected next, if it is not always. */
double vcs_emu_next_connection(const vcs_emu_network *network);

/* When something is next to be done on the network; what is due may have been so for a while. */
static inline double vcs_emu_network_due(const vcs_emu_network *network) {
    const double due = vcs_min(network->client->fetch_due, network->report_due);
    const bool is_always_connected = network->clock->setup->emulation.connection_interval == 0.0;
    return is_always_connected ? due : vcs_max(due, vcs_emu_next_connection(network));
}

/* Makes all calls that are due now. */
int vcs_emu_make_calls(vcs_emu_network *network);

#endif
