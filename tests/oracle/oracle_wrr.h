/*
 * What the two simulations of weighted round-robin report: the same records as the library's.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_WRR_H
#define ORACLE_WRR_H

#include <vcsched/simulation.h>

typedef struct oracle_wrr {
    vcs_wrr_summary summary;
    vcs_task_forecast *tasks;         /* one for each task of the snapshot */
    vcs_resource_forecast *resources; /* one for each resource */
    vcs_project_resource_forecast *project_resources;         /* project by project */
} oracle_wrr;

/* Memory for the outcome of a snapshot, all 0. */
oracle_wrr oracle_wrr_new(const vcs_snapshot *snapshot);
void oracle_wrr_free(oracle_wrr *outcome);

/* Counts the misses and the unknown tasks, all together and for each pair, once every task has its verdict. */
void oracle_wrr_count(oracle_wrr *outcome, const vcs_snapshot *snapshot);

#endif
