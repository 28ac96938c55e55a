/*
 * Rules 15.3, 15.5, 15.7 and 15.8 on a whole host, by going through all tasks again for each candidate.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_LIKELY_H
#define ORACLE_LIKELY_H

#include <vcsched/host.h>
#include <vcsched/simulation.h>

/*
 * Whether a candidate is admitted by chance, after those in `admitted`, in that order. `doubt` is set to the least
 * difference, relative to what is compared, that would have to be 0 for another answer.
 */
vcs_admission oracle_admit_likely(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                                  const uint32_t *admitted, uint32_t admitted_count, uint32_t candidate, double *doubt);

/* Why a task that takes part is given up; VCS_REASON_KEPT = it is not. */
uint32_t oracle_reason_given_up(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                                const vcs_task *task);

/* The last moment of `now` + whole numbers of intervals that is not after a deadline; the deadline without interval. */
double oracle_last_connection(double deadline, double now, double interval);

#endif
