/*
 * What a server sends: vcs_send() chooses among the jobs on offer.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_SEND_H
#define VCS_EMULATOR_SEND_H

#include "emulator/jobs.h"
#include "emulator/client.h"

#include <vcsched/edf.h>

typedef struct vcs_emu_sender {
    const vcs_emu_clock *clock;
    vcs_emu_memory *memory;
    const vcs_emu_records *records;
    const vcs_emu_results *results;
    vcs_emu_jobs *jobs;
    vcs_emu_client *client;
    vcs_emu_tasks *tasks;
    vcs_emu_merit *merit;

    vcs_send_request *requests;  /* of each resource: what the server is asked for, */
    vcs_edf_resource *busy;      /* and for how long the client says it is busy */
    vcs_resource *resources;     /* as the server sees them */
    vcs_send_job *jobs_offered;  /* beside the candidates, */
    vcs_send_decision *decisions; /* and what is decided on them */
    vcs_emu_vector job_vector, decision_vector;
} vcs_emu_sender;

int vcs_emu_sender_open(vcs_emu_sender *sender);

/* Sends what the server has for a request, one decision for each resource, and counts the jobs in the replies. */
int vcs_emu_send(vcs_emu_sender *sender, uint32_t project, const vcs_fetch_decision *asked,
                 vcs_resource_reply *replies);

#endif
