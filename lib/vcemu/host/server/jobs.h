/*
 * The jobs that a server offers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_SERVER_JOBS_H
#define VCS_EMU_HOST_SERVER_JOBS_H

#include "vcemu/host/emulator.h"
#include "vcemu/host/random.h"

#include <vcsched/send.h>

/* How jobs are drawn when they are asked for. */
struct vcs_emu_jobs {
    vcs_emu_stream *sizes;        /* of each application */
    vcs_emu_stream *fractions;    /* of each application: how the fractions are blurred that its jobs report as done */
    vcs_emu_stream *applications; /* of each (project, resource): the application of each job */
    double *speeds;               /* of each application: operations per device second */
    uint64_t next_id;             /* id of the next job that is sent */
};

/* Ids begin above the ids of the initial tasks. */
void vcs_emu_jobs_open(vcs_emu_emulator *e, const vcs_array *initial);

/* Whether jobs of an application are sent, by this project and for this resource. */
bool vcs_emu_has_jobs(const vcs_emu_emulator *e, uint32_t app, uint32_t project, uint32_t resource);

/* Offers as many jobs as a request can take, GPU jobs first. */
void vcs_emu_offer(vcs_emu_emulator *e, uint32_t project, const vcs_send_request *requests);

/* Instance-seconds of a request that the server expects a job of an application to fill (rules 9.1, 13.4). */
double vcs_emu_job_fills(const vcs_emu_emulator *e, uint32_t app);

/* Returns a job that the server did not consider: it is the next one again. */
void vcs_emu_return_job(vcs_emu_emulator *e, uint32_t index);

#endif
