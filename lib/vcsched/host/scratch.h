/*
 * The most memory that each decision on a state needs, in bytes; UINT64_MAX if none can hold it. The room of a decision
 * measures it with its own layout, over an arena without memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_SCRATCH_H
#define VCS_HOST_SCRATCH_H

#include "vcsched/host/prepared.h"

/* Scratch memory. */
uint64_t vcs_wrr_fluid_scratch(const vcs_counts *counts);
uint64_t vcs_wrr_sliced_scratch(const vcs_counts *counts);
uint64_t vcs_edf_scratch(const vcs_counts *counts);
uint64_t vcs_schedule_scratch(const vcs_counts *counts);
uint64_t vcs_fetch_scratch(const vcs_counts *counts);
uint64_t vcs_send_scratch(const vcs_counts *counts);

/* vcs_state.queue, which admission keeps from one candidate to the next. */
uint64_t vcs_admit_queue(const vcs_counts *counts);

#endif
