/*
 * Rule 4.5: may a candidate join the queue? Answered by placing the whole queue from scratch, without it and with it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_ADMIT_H
#define ORACLE_ADMIT_H

#include <vcsched/simulation.h>

/* `admitted` holds the candidates that were admitted before, in that order; it does not change. */
vcs_admission oracle_admit(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                           const uint32_t *admitted, uint32_t admitted_count, uint32_t candidate);

#endif
