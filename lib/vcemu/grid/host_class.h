/*
 * The hosts and their classes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_HOST_CLASS_H
#define VCS_EMU_GRID_HOST_CLASS_H

#include "vcemu/grid/world.h"
#include "vcemu/host/whole.h"

/* A class of hosts, checked and copied. */
struct vcs_grid_class {
    vcs_emu_whole sample; /* a host of the class, from which the others are made */
    vcs_parameters parameters;
    vcs_hooks hooks;
    vcs_host_model model;
    vcs_host_row *rows;
    double *weights; /* sum of the weights up to each row */
    uint32_t row_count;
    uint32_t *projects;      /* index in the grid of each project of the scenario */
    vcs_resource *resources; /* for a host that is being made */
};

/* A host, before it arrives, while it is there, and after it has left. */
struct vcs_grid_volunteer {
    vcs_emu_whole *whole;  /* NULL = it is not there */
    vcs_emu_stream fates;  /* whether its jobs fail or get lost */
    vcs_emu_stream errors; /* how far jobs get before an error */
    vcs_emu_stream lies;   /* whether its results are right */
    vcs_emu_stream delays; /* when it comes back on a new day */
    double joins, leaves;
    uint32_t class_index;
    uint32_t index_in_class; /* a replacement inherits it */
    uint32_t is_saboteur;
};

#endif
