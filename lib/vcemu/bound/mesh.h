/*
 * The mesh on which optimal stopping is computed: the time for which a job has run, and the time for which it may.
 *
 * A job has run for x. The host has been off for a while since the job came, and the job could run until x = y if the
 * host were on from now on: its *reach* y is the latency bound less the time off. While the host is on x grows and y
 * stays; when it comes on again after a spell of being off, y is less by that spell. A job of size z is in time if it
 * gets to x = z with y >= z.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_BOUND_MESH_H
#define VCS_EMU_BOUND_MESH_H

#include "vcemu/bound/sizes.h"

/* A job may meet so many spells in the mean at most: the mesh has a place for each. */
#define VCS_EMU_MOST_SPELLS 512.0

/* How many parts a mesh has along each axis, about, and how many for each mean spell of being off, or interpolating
   would count as much as the spells do. With half of them, the result shows how exact it is. */
#define VCS_EMU_FINE 96u
#define VCS_EMU_FINE_SPELL 1.0

#define VCS_EMU_MOST_PLACES 2048u
#define VCS_EMU_MOST_REACHES 4096u

/* A place along x, and what happens in the step that leads to it from the place before. */
typedef struct vcs_emu_place {
    double run;     /* x */
    double step;    /* s, of x */
    double work;    /* the mean size of a job if it ends within the step, of a density, else 0 */
    double cost;    /* the mean time for which it runs in the step */
    double ends;    /* the mean size if it ends at the place itself, a point of the sizes, else 0 */
    uint32_t first; /* in the step, and at its end, jobs with this reach and more may be in time */
} vcs_emu_place;

/* A reach y, and how an interpolation between it and the reach before counts in the mean over a spell of being off. */
typedef struct vcs_emu_reach {
    double reach;
    double keep;  /* e^(-d / off): of the mean at the reach before; d = how far that is */
    double below; /* weight of the value at the reach before */
    double here;  /* weight of the value at this reach */
} vcs_emu_reach;

/* Values at one place, for each reach: used while the mesh is solved. */
typedef struct vcs_emu_values {
    double worth[VCS_EMU_MOST_REACHES], mean_worth[VCS_EMU_MOST_REACHES]; /* and the mean over a spell of being off */
    double used[VCS_EMU_MOST_REACHES], mean_used[VCS_EMU_MOST_REACHES];
} vcs_emu_values;

typedef struct vcs_emu_mesh {
    double on; /* mean spell for which the host is on, s; infinity = always */
    uint32_t place_count, reach_count;
    vcs_emu_place places[VCS_EMU_MOST_PLACES];   /* the first is x = 0 */
    vcs_emu_reach reaches[VCS_EMU_MOST_REACHES]; /* ascending; the last is that of a new job */
    vcs_emu_values values;
} vcs_emu_mesh;

/*
 * Lays out a mesh for jobs of these sizes that are not known, and of this latency bound.
 *
 * on, off   mean spells, s; off = 0: the host is always on
 * parts     about how many parts it has along each axis
 *
 * Returns false if no job can be in time, or jobs are too long: see VCS_EMU_MOST_SPELLS.
 */
bool vcs_emu_mesh_of_sizes(vcs_emu_mesh *mesh, const vcs_emu_sizes *sizes, double bound, double on, double off,
                           uint32_t parts);

/* The same for a job whose size is known, at most `bound`. */
bool vcs_emu_mesh_of_size(vcs_emu_mesh *mesh, double size, double bound, double on, double off, uint32_t parts);

#endif
