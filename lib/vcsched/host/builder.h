/*
 * Building a prepared state: checking everything, laying out the memory, filling it.
 *
 *   check.h     what is refused
 *   convert.h   the records as decisions read them
 *   order.h     in which order tasks arrived, and in which they are due
 *   reorder.h   these orders after some tasks have moved
 *   renew.h     whether only a few records have changed, and taking those
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_BUILDER_H
#define VCS_HOST_BUILDER_H

#include "vcsched/host/prepared.h"

/* What a state is built from, checked: then nothing more can be wrong but what takes sorting to find. */
typedef struct vcs_build {
    vcs_snapshot snapshot;
    vcs_parameters parameters;
    vcs_counts counts;
    double now;
} vcs_build;

/* How much memory the records take; nothing but that is checked. */
int vcs_count_for_build(vcs_counts *counts, const vcs_snapshot *snapshot);

/* Checks everything. VCS_OK or the error. */
int vcs_begin_build(vcs_build *build, const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                    vcs_error *error);

/* How much scratch memory building takes, and bringing up to date. */
uint64_t vcs_build_scratch(const vcs_counts *counts);

/*
 * How a state lies in memory: `layout` gets the offsets and the size, UINT64_MAX if it does not fit. The sizes of the
 * queue and of the scratch memory are those that the decisions need.
 */
void vcs_lay_out_state(vcs_state *layout, const vcs_counts *counts, uint64_t queue_size, uint64_t scratch_size);

/* Puts a layout where the state is to be; what was there is forgotten. */
void vcs_begin_state(vcs_state *state, const vcs_state *layout);

/* Fills a state that has been laid out. VCS_OK or VCS_ERR_DUPLICATE. */
int vcs_finish_build(vcs_state *state, const vcs_build *build, vcs_error *error);

#endif
