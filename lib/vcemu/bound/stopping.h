/*
 * Optimal stopping: when a job is given up so that as much as possible of the time used is for results in time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_BOUND_STOPPING_H
#define VCS_EMU_BOUND_STOPPING_H

#include "vcemu/bound/mesh.h"

/* What becomes of a new job in the mean. */
typedef struct vcs_emu_worth {
    double good; /* its size if it is in time, else 0; s */
    double used; /* the time for which it runs, s */
} vcs_emu_worth;

/* Where a job is given up: a byte for each place and each reach, place by place. It is 1 if a job with this reach is
   not to run in the step that leads to the place; the first place has no such step. */
typedef struct vcs_emu_stops {
    uint8_t *given_up; /* place_count * reach_count bytes */
} vcs_emu_stops;

/* A job that is given up when it cannot be in time, and never else. */
vcs_emu_worth vcs_emu_stop_hopeless(vcs_emu_mesh *mesh);

/*
 * A job that is given up where this is best: `good` / `used` is as great as it can be.
 *
 * hopeless   the answer of vcs_emu_stop_hopeless()
 * stops      out: where; NULL = not wanted
 */
vcs_emu_worth vcs_emu_stop_best(vcs_emu_mesh *mesh, vcs_emu_worth hopeless, vcs_emu_stops *stops);

#endif
