/*
 * Jobs and clients as dispatch and the pool see them: rates, and arrays of checked records.
 *
 * Rules 10.1 and 10.2; worked by hand in tests/vcsched/dispatch/test_job.c. The rest of the room: dispatch.c has rule
 * 10.3, pool.c has 10.4 and 10.5.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DISPATCH_JOB_H
#define VCS_DISPATCH_JOB_H

#include <stdbool.h>
#include <vcsched/dispatch.h>

/* Copies a caller's rules of any age, all of them checked. VCS_OK or the error. */
int vcs_dispatch_rules_copy(vcs_dispatch_rules *known, const vcs_dispatch_rules *callers, vcs_error *error);

/* Seconds per byte, and per complexity of 1: the client's, else the pool's, else those of the rules. */
double vcs_seconds_per_byte(const vcs_pace *client, const vcs_pace *pool, const vcs_dispatch_rules *rules);
double vcs_seconds_per_complexity(const vcs_pace *client, const vcs_pace *pool, const vcs_dispatch_rules *rules);

/*
 * How long a client takes for so many bytes and so much complexity (rule 10.1), s, at most VCS_MAX_SECONDS: at its own
 * rates, else the pool's, else those of the rules.
 */
double vcs_expected_seconds(const vcs_pace *client, const vcs_pace *pool, const vcs_dispatch_rules *rules, double bytes,
                            double complexity);

/* How complex a job is, given what its record says. */
static inline double vcs_complexity(double recorded) {
    return recorded > 0.0 ? recorded : 1.0;
}

/* Checks one record and its references. VCS_OK or the error. */
int vcs_job_check(const vcs_dispatch_job *job, uint32_t number, uint32_t client_count, uint32_t job_count,
                  vcs_error *error);

/* Checks all records and their references. VCS_OK or the error. O(clients + jobs). */
int vcs_clients_and_jobs_check(const vcs_array *clients, const vcs_array *jobs, vcs_error *error);

/* Whether a client has the job now. */
static inline bool vcs_job_is_held(uint32_t state) {
    return state == VCS_JOB_IN_PROGRESS || state == VCS_JOB_SUPERSEDED;
}

#endif
