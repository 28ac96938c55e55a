/*
 * Which tasks run (rules 5.1 to 5.6), the slow and obvious way: for every single choice, everything is looked at again.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_SCHEDULE_H
#define ORACLE_SCHEDULE_H

#include <stdbool.h>
#include <vcsched/parameters.h>
#include <vcsched/host.h>
#include <vcsched/schedule.h>
#include <vcsched/simulation.h>

typedef struct oracle_schedule_outcome {
    vcs_schedule_summary summary;
    vcs_task_decision *tasks;         /* per task of the snapshot */
    vcs_resource_decision *resources; /* per resource */
    bool short_of_memory;             /* some task waits for memory alone */
} oracle_schedule_outcome;

/* `forecasts`, one per task, are those of round-robin; not read unless deadlines are looked at. */
oracle_schedule_outcome oracle_schedule(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                                        const vcs_task_forecast *forecasts);

void oracle_schedule_free(oracle_schedule_outcome *outcome);

#endif
