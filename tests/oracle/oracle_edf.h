/*
 * Rule 4.4: tasks placed by earliest deadline first.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_EDF_H
#define ORACLE_EDF_H

#include <vcsched/simulation.h>

typedef struct oracle_edf_outcome {
    vcs_edf_summary summary;
    vcs_edf_task *tasks;         /* one for each task of the snapshot */
    vcs_edf_resource *resources; /* one for each resource */
} oracle_edf_outcome;

/* `looked_at[i]` says whether task i is placed, if it takes part; NULL = all are. */
oracle_edf_outcome oracle_edf(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                              const unsigned char *looked_at);
/* Memory for the outcome of a snapshot, before anything was decided. */
oracle_edf_outcome oracle_edf_new(const vcs_snapshot *snapshot);
void oracle_edf_free(oracle_edf_outcome *outcome);

#endif
