/*
 * Builds a prepared state: checks everything, lays out the memory, fills it.
 *
 *   check_snapshot.h   refuses wrong records
 *   convert.h          converts records into the form that decisions read
 *   order.h            orders tasks by id, arrival and deadline
 *   reorder.h          updates these orders after some tasks have moved
 *   renew.h            updates a state after only a few records have changed
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_BUILDER_H
#define VCS_HOST_BUILDER_H

#include "vcsched/host/prepared.h"

/* Checked input of a state. The only error left is a duplicate, which takes sorting to find. */
typedef struct vcs_build {
    vcs_snapshot snapshot;
    vcs_parameters parameters;
    vcs_counts counts;
    double now;
} vcs_build;

/* Counts the records for a layout, and checks nothing else. */
int vcs_count_for_build(vcs_counts *counts, const vcs_snapshot *snapshot);

/* Checks everything. VCS_OK or the error. */
int vcs_begin_build(vcs_build *build, const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                    vcs_error *error);

/* Bytes of scratch memory for building and renewing. */
uint64_t vcs_build_scratch(const vcs_counts *counts);

/*
 * Lays out a state: `layout` gets the offsets and the size, UINT64_MAX if no memory can hold it. The decisions need
 * `queue_size` and `scratch_size`.
 */
void vcs_lay_out_state(vcs_state *layout, const vcs_counts *counts, uint64_t queue_size, uint64_t scratch_size);

/* Begins a state in memory with a layout; its former contents are lost. */
void vcs_begin_state(vcs_state *state, const vcs_state *layout);

/* Fills a state that has been laid out. VCS_OK or VCS_ERR_DUPLICATE. */
int vcs_finish_build(vcs_state *state, const vcs_build *build, vcs_error *error);

#endif
