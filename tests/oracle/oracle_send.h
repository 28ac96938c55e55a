/*
 * Rules 9.1, 9.2 and 15.5: which jobs are sent? Answered for each one from the records and what was decided before it,
 * with the oracles of admission.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_SEND_H
#define ORACLE_SEND_H

#include <vcsched/send.h>

/* Everything that a server looks at. */
typedef struct oracle_offer {
    const vcs_snapshot *snapshot; /* its candidates are on offer */
    const vcs_parameters *parameters;
    double now;
    const vcs_send_request *requests; /* one for each resource */
    const vcs_send_job *jobs;         /* one for each candidate */
    vcs_send_limits limits;
    double *doubt; /* by chance: set to the least of oracle_admit_likely(), 1 without one; may be NULL otherwise */
} oracle_offer;

/* Fills a decision for each candidate. */
vcs_send_summary oracle_send(const oracle_offer *offer, vcs_send_decision *decisions);

#endif
