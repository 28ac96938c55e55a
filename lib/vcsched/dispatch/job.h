/*
 * Checks of clients and jobs, which dispatch and the pool share.
 *
 * Rules 10.1 and 10.2; worked by hand in tests/vcsched/dispatch/test_job.c. The rest of the room: expected.c and pace.c
 * have 10.1 and 10.2, dispatch.c and next_job.c 10.3, pool.c 10.4 and 10.5.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DISPATCH_JOB_H
#define VCS_DISPATCH_JOB_H

#include <stdbool.h>
#include <vcsched/dispatch.h>

/* Whether a client has a job in this state now. */
static inline bool vcs_job_is_held(uint32_t state) {
    return state == VCS_JOB_IN_PROGRESS || state == VCS_JOB_SUPERSEDED;
}

/* Whether a job in this state was sent to a client, which may not get another copy of it. */
static inline bool vcs_job_is_sent(uint32_t state) {
    return vcs_job_is_held(state) || state == VCS_JOB_REPLIED;
}

/* Checks one job and its references. VCS_OK or the error. */
int vcs_job_check(const vcs_dispatch_job *job, uint32_t number, uint32_t client_count, uint32_t job_count,
                  vcs_error *error);

/* Checks all clients, all jobs and their references. VCS_OK or the error. O(clients + jobs). */
int vcs_clients_and_jobs_check(const vcs_array *clients, const vcs_array *jobs, vcs_error *error);

#endif
