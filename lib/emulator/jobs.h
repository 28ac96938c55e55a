/*
 * The jobs that a server has on offer: drawn when they are asked for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_JOBS_H
#define VCS_EMULATOR_JOBS_H

#include "emulator/clock.h"
#include "emulator/estimates.h"

#include <vcsched/send.h>

typedef struct vcs_emu_jobs {
    const vcs_emu_clock *clock;
    vcs_emu_memory *memory;
    const vcs_emu_records *records;
    const vcs_emu_estimates *estimates;

    vcs_emu_stream *sizes;        /* of each application */
    vcs_emu_stream *applications; /* of each (project, resource): the application of each job */
    double *speeds;               /* of each application: operations per device second */
    uint64_t next_id;             /* of the next job that is sent */

    uint32_t count; /* jobs on offer */
    vcs_task *candidates;
    vcs_emu_true_task *truths; /* beside them */
    vcs_emu_vector candidate_vector, truth_vector;
} vcs_emu_jobs;

/* The initial tasks say which ids are taken. */
int vcs_emu_jobs_open(vcs_emu_jobs *jobs, const vcs_array *initial);

/* Puts as many jobs on offer as a request can take, those for GPUs first. */
int vcs_emu_offer(vcs_emu_jobs *jobs, uint32_t project, const vcs_send_request *requests);

/* The instance-seconds of a request that the server expects a job of an application to fill (rules 9.1, 13.4). */
double vcs_emu_job_fills(const vcs_emu_jobs *jobs, uint32_t app);

/* Takes back a job that the server did not consider: it is the next one again. */
void vcs_emu_take_back(vcs_emu_jobs *jobs, uint32_t index);

#endif
