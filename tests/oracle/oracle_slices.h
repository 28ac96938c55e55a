/*
 * Rules 5.3 and 5.7: slices, and which tasks keep their places.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TEST_ORACLE_SLICES_H
#define VCS_TEST_ORACLE_SLICES_H

#include <stdbool.h>
#include <stdint.h>
#include <vcsched/host.h>

/* Whether CPUs may have to be held for a task of several CPUs: it may run, and would fit alone. */
bool oracle_holds_cpus(const vcs_snapshot *snapshot, const vcs_parameters *parameters);

/* How long a slice of a task lasts, s. */
double oracle_period(const vcs_snapshot *snapshot, const vcs_parameters *parameters, const vcs_task *task);

/* The work that is lost if a task stops, s. */
double oracle_loss(const vcs_task *task);

bool oracle_slice_lasts(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                        const vcs_task *task);

/* Whether a running task would end within its next slice. */
bool oracle_ends_soon(const vcs_snapshot *snapshot, const vcs_parameters *parameters, const vcs_task *task);

/* For how long it keeps its place, microseconds; 0 = it does not. */
int64_t oracle_keeps_place_for(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                               const vcs_task *task);

/* Nothing but other tasks keeps a task from running. */
bool oracle_may_run(const vcs_snapshot *snapshot, const vcs_task *task);

#endif
