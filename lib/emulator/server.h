/*
 * Whether the servers answer.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_SERVER_H
#define VCS_EMULATOR_SERVER_H

#include "emulator/clock.h"

typedef struct vcs_emu_server {
    vcs_emu_stream spells, scheduler_failures, network_failures, master_failures;
    double spell_end; /* when it next goes down or comes up */
    bool down;
    bool knows_move; /* the client has read where the scheduler is now */
} vcs_emu_server;

typedef struct vcs_emu_servers {
    const vcs_emu_clock *clock;
    vcs_emu_server *servers; /* of each project */
} vcs_emu_servers;

int vcs_emu_servers_open(vcs_emu_servers *servers, vcs_emu_memory *memory, uint32_t project_count);

/* Whether the scheduler of a project answers a call that is made now. */
bool vcs_emu_scheduler_answers(vcs_emu_servers *servers, uint32_t project);

/* Whether its master file can be read now; `moved` is set if it names another scheduler than the client knew. */
bool vcs_emu_master_answers(vcs_emu_servers *servers, uint32_t project, bool *moved);

#endif
