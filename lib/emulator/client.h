/*
 * The client of the host: it decides which tasks run, which project is asked for how much work, and when to decide that
 * again. Its records as a state of libvcsched serve both, and the servers too.
 *
 * Rules 6.10 and 13.11; worked by hand in tests/emulator/test_emulator.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_CLIENT_H
#define VCS_EMULATOR_CLIENT_H

#include "emulator/tasks.h"
#include "emulator/timers.h"

typedef struct vcs_emu_client {
    const vcs_emu_clock *clock;
    vcs_emu_memory *memory;
    vcs_emu_records *records;
    vcs_emu_accounts *accounts;
    vcs_emu_tasks *tasks;
    const vcs_emu_timers *timers;
    vcs_emu_merit *merit;

    vcs_state *state;    /* of the last decision, the client's or a server's; NULL = none */
    bool simulated;      /* vcs_wrr() has run on it */
    vcs_emu_vector work; /* its memory */

    double schedule_due;               /* when to decide again which tasks run */
    uint32_t *chosen;                  /* the tasks that run from now on, */
    vcs_task_decision *task_decisions; /* what was decided on each of them; in the caller's function, on all tasks */
    uint32_t chosen_count;
    uint32_t changes; /* tasks that are to be started or stopped */
    vcs_emu_vector chosen_vector, decision_vector;

    double fetch_due;                    /* when to decide again whether to fetch */
    vcs_fetch_decision *fetch_decisions; /* of each (project, resource): what to ask for */
    vcs_resource_forecast *forecasts;    /* of each resource, for the observer */
} vcs_emu_client;

int vcs_emu_client_open(vcs_emu_client *client);

/* Makes client->state a state of the present records on which vcs_wrr() has run. */
int vcs_emu_prepare(vcs_emu_client *client);

/* Makes it a state of other records, on which nothing has run: the host as a server sees it, with this policy. */
int vcs_emu_prepare_other(vcs_emu_client *client, const vcs_snapshot *snapshot, const vcs_parameters *policy);

/* What a function of the caller's looks at. */
vcs_situation vcs_emu_situation(const vcs_emu_client *client, const vcs_snapshot *snapshot);

/* Decides which tasks run, and starts and stops them. */
int vcs_emu_choose_tasks(vcs_emu_client *client);

/*
 * Decides which project to call to ask for work, and when to decide that again. `project` is VCS_NONE, and stays so if
 * there is none to call. If it is a project that is called anyway, decides only what to ask that for.
 */
int vcs_emu_choose_project(vcs_emu_client *client, uint32_t *project);

/* What a project is asked for: an element for each resource, and their instance-seconds together. */
static inline const vcs_fetch_decision *vcs_emu_asked_of(const vcs_emu_client *client, uint32_t project) {
    return &client->fetch_decisions[vcs_emu_first_of(client->records, project)];
}

double vcs_emu_seconds_asked(const vcs_emu_client *client, uint32_t project);

#endif
