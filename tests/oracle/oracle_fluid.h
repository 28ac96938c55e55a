/*
 * Rule 4.2 from one task's end to the next: weighted round-robin in which the CPUs are divided like a fluid.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_FLUID_H
#define ORACLE_FLUID_H

#include "oracle/oracle_wrr.h"

oracle_wrr oracle_fluid(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now);

#endif
