/*
 * The bounds of one kind of job: what becomes of its jobs under the best policy for each.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_BOUND_JOB_KIND_H
#define VCS_EMU_BOUND_JOB_KIND_H

#include "vcemu/bound/stopping.h"

/* Sums over jobs, in proportion to how many there are. */
typedef struct vcs_emu_kind_worth {
    double work;           /* what is done in time if nothing is given up that could be, s */
    double hopeless;       /* what is used for it if jobs are given up when they are hopeless, s */
    double optimal;        /* the least that is used to do as much work of each size */
    double best;           /* the greatest part of the time used that is good, of any size */
    double blind_hopeless; /* as the two above, with sizes that are not known */
    double blind_optimal;
} vcs_emu_kind_worth;

/*
 * Finds the worth of a kind of job.
 *
 * mesh    memory to work in
 * bound   latency bound, s
 * parts   of the mesh, for each size
 *
 * Returns false if jobs are too long for the mesh. All is 0 if no job can be in time.
 */
bool vcs_emu_job_kind(vcs_emu_mesh *mesh, const vcs_emu_sizes *sizes, double bound, double on, double off,
                      uint32_t parts, vcs_emu_kind_worth *worth);

#endif
