/*
 * An emulator with all its parts in one piece, to open, step and close.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_WHOLE_H
#define VCS_EMU_HOST_WHOLE_H

#include "vcemu/host/client/accounts.h"
#include "vcemu/host/client/choose_project.h"
#include "vcemu/host/client/choose_tasks.h"
#include "vcemu/host/client/host_state.h"
#include "vcemu/host/client/idle.h"
#include "vcemu/host/client/network.h"
#include "vcemu/host/client/situation.h"
#include "vcemu/host/client/skip.h"
#include "vcemu/host/client/timers.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/emulator_workspace.h"
#include "vcemu/host/merit.h"
#include "vcemu/host/records.h"
#include "vcemu/host/server/jobs.h"
#include "vcemu/host/server/server.h"
#include "vcemu/host/setup.h"
#include "vcemu/host/tasks/results.h"
#include "vcemu/host/tasks/tasks.h"

typedef struct vcs_emu_whole {
    vcs_emu_emulator emulator; /* its pointers lead to the parts below, or to the workspace of a grid */
    vcs_emu_setup setup;
    vcs_emu_clock clock;
    vcs_emu_agenda agenda;
    vcs_emu_records records;
    vcs_emu_tasks tasks;
    vcs_emu_results results;
    vcs_emu_merit merit;
    vcs_emu_accounts accounts;
    vcs_emu_timers timers;
    vcs_emu_prepared prepared;
    vcs_emu_shown shown;
    vcs_emu_skip skip;
    vcs_emu_fetching fetching;
    vcs_emu_network network;
    vcs_emu_idle idle;
    vcs_emu_jobs jobs;
    vcs_emu_servers servers;
} vcs_emu_whole;

/* Leads the emulator to its parts, and to its workspace with the emulator that owns the memory of it. */
static inline void vcs_emu_join(vcs_emu_whole *w, vcs_emu_emulator *ground, vcs_emu_workspace *workspace) {
    vcs_emu_emulator *e = &w->emulator;
    e->ground = ground;
    e->workspace = workspace;
    e->setup = &w->setup;
    e->clock = &w->clock;
    e->agenda = &w->agenda;
    e->records = &w->records;
    e->tasks = &w->tasks;
    e->results = &w->results;
    e->merit = &w->merit;
    e->accounts = &w->accounts;
    e->timers = &w->timers;
    e->prepared = &w->prepared;
    e->shown = &w->shown;
    e->skip = &w->skip;
    e->fetching = &w->fetching;
    e->network = &w->network;
    e->idle = &w->idle;
    e->jobs = &w->jobs;
    e->servers = &w->servers;
}

/* Opens a host of a checked scenario, at its first moment. The parts are joined and the hooks are there already. */
void vcs_emu_open(vcs_emu_whole *w, const vcs_scenario *scenario, const vcs_parameters *parameters);

/* Does what is due now, and goes on to the next moment. Returns whether there is one. */
bool vcs_emu_step(vcs_emu_whole *w);

/* Works out the outcome at the end. */
void vcs_emu_close(vcs_emu_whole *w);

#endif
