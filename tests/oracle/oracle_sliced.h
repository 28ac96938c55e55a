/*
 * Rule 4.3 step by step: weighted round-robin in which whole tasks take turns by scheduling priority.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_SLICED_H
#define ORACLE_SLICED_H

#include <stdbool.h>

#include "oracle/oracle_fit.h"
#include "oracle/oracle_wrr.h"

oracle_wrr oracle_sliced(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now);

/* Which tasks it runs from now on. Returns what they leave, to be freed. */
oracle_fit oracle_sliced_first_pick(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                                    bool *picked);

#endif
