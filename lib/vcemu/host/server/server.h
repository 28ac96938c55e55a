/*
 * The servers: whether they answer, and what they send.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_SERVER_SERVER_H
#define VCS_EMU_HOST_SERVER_SERVER_H

#include "vcemu/host/emulator.h"
#include "vcemu/host/random.h"

#include <vcsched/send.h>
#include <vcsched/timers.h>

/* Whether the machine of a scheduler is up. */
typedef struct vcs_emu_scheduler {
    vcs_emu_stream spells;
    double spell_end; /* when it next goes down or comes up */
    bool down;
} vcs_emu_scheduler;

/* Whether the server of a project answers. */
typedef struct vcs_emu_server {
    vcs_emu_stream scheduler_failures, network_failures, master_failures;
    uint32_t first;  /* index of its first scheduler; its master file is on the same machine */
    bool knows_move; /* the client has read where the schedulers are now */
} vcs_emu_server;

struct vcs_emu_servers {
    vcs_emu_server *servers;    /* of each project */
    vcs_emu_scheduler *schedulers; /* of all projects, project by project */
    vcs_send_request *requests; /* of each resource: the request */
    vcs_edf_resource *busy;     /* of each resource: for how long the client says it is busy */
    vcs_resource *resources;    /* as the server sees them */
    double asked;               /* instance-seconds requested in the last call */
    uint32_t sent;              /* jobs in its reply */
    uint32_t late;              /* jobs that were not sent only because of deadlines */
    bool at_limit;              /* a job was not sent because the host has as many as the server allows */
};

void vcs_emu_servers_open(vcs_emu_emulator *e);

/* Whether this scheduler of a project, by its number from 0, answers a call made now. */
bool vcs_emu_scheduler_answers(vcs_emu_emulator *e, uint32_t project, uint32_t number);

/* Whether a project's master file can be read now; `moved` is set if it names a scheduler new to the client. */
bool vcs_emu_master_answers(vcs_emu_emulator *e, uint32_t project, bool *moved);

/* Sends jobs for a request, one decision for each resource, and counts them in the replies. */
void vcs_emu_send(vcs_emu_emulator *e, uint32_t project, const vcs_fetch_decision *asked, vcs_resource_reply *replies);

#endif
