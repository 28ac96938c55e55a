/*
 * How much scratch memory the choice of whom to ask takes at most, in bytes; UINT64_MAX if it does not fit. A decision
 * measures by running its own layout over an arena without memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FETCH_SCRATCH_H
#define VCS_FETCH_SCRATCH_H

#include "state/prepared.h"

uint64_t vcs_fetch_scratch(const vcs_counts *counts);

#endif
