/*
 * Reference implementation of fetching (rules 6.1 to 6.9, 13.3, 13.8, 13.11): every question is answered from the
 * records again.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_FETCH_H
#define ORACLE_FETCH_H

#include <vcsched/fetch.h>

#include "oracle/oracle_schedule.h"
#include "oracle/oracle_wrr.h"

typedef struct oracle_fetch_outcome {
    vcs_fetch_summary summary;
    vcs_fetch_decision *project_resources; /* project by project */
} oracle_fetch_outcome;

/*
 * `choice` is which tasks were chosen to run; NULL if that is not known. `called` is the project of a call that is made
 * anyway; VCS_NONE if one is to be chosen.
 */
oracle_fetch_outcome oracle_fetch(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                                  const oracle_wrr *forecast, const oracle_schedule_outcome *choice, uint32_t called);

/* Memory for the outcome of a snapshot, all 0. */
oracle_fetch_outcome oracle_fetch_new(const vcs_snapshot *snapshot);
void oracle_fetch_free(oracle_fetch_outcome *outcome);

/* Instance-seconds in the buffer that a project's limits and exclusions let it ask for, beyond the queued work. */
double oracle_fetch_capacity(const vcs_snapshot *snapshot, const vcs_parameters *parameters, uint32_t project,
                             uint32_t resource);

#endif
