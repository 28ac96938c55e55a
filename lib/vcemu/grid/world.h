/*
 * The whole grid in virtual time.
 *
 * A host is an emulator of lib/vcemu/host that gets its jobs from here. Hosts meet only at servers. All that happens is
 * in order of time: before each moment of a host, every server does what is due. At equal moments the host with the
 * lowest number goes first.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_WORLD_H
#define VCS_EMU_GRID_WORLD_H

#include "vcemu/grid/grid_queue.h"
#include "vcemu/host/emulator_workspace.h"

#include <vcemu/grid.h>

typedef struct vcs_grid_world vcs_grid_world;
typedef struct vcs_grid_server vcs_grid_server;
typedef struct vcs_grid_class vcs_grid_class;
typedef struct vcs_grid_volunteer vcs_grid_volunteer;
typedef struct vcs_grid_known_bounds vcs_grid_known_bounds;

/* The purposes of draws, besides the ones of lib/vcemu/host. */
enum {
    VCS_GRID_DRAW_ARRIVAL = 100,
    VCS_GRID_DRAW_LIFETIME,
    VCS_GRID_DRAW_SABOTEUR,
    VCS_GRID_DRAW_SPEED,
    VCS_GRID_DRAW_FATE,
    VCS_GRID_DRAW_ERROR,
    VCS_GRID_DRAW_LIE,
    VCS_GRID_DRAW_SPOT,
    VCS_GRID_DRAW_DOUBT,
    VCS_GRID_DRAW_SPOT_SIZE,
    VCS_GRID_DRAW_UNIT,
    VCS_GRID_DRAW_COPIES,
    VCS_GRID_DRAW_DELAY
};

struct vcs_grid_world {
    vcs_emu_emulator ground; /* owns the memory of the grid and of the workspace, and keeps the first failure */
    vcs_emu_workspace workspace;
    vcs_grid_terms terms;
    vcs_grid_hooks hooks;
    double end;
    vcs_grid_server *servers;
    uint32_t server_count;
    vcs_grid_class *classes;
    uint32_t class_count;
    vcs_grid_volunteer *hosts;
    uint32_t host_count;
    uint64_t planned;       /* hosts, with the ones that would come too late */
    vcs_grid_queue moments; /* of the hosts, by number */
    vcs_grid_outcome outcome;
    const vcs_grid_results *results;
    double next_sample;
    vcs_grid_sample *samples; /* of all servers, one time after the other */
    uint32_t sample_count;
    vcs_grid_host_outcome *rows; /* of the hosts that have left, by number */
    vcs_grid_known_bounds *known_bounds; /* of hosts of other kinds, found before */
    uint32_t known_bounds_count;
    double told;                 /* progress at which the caller is told of it again */
    uint64_t told_steps;         /* steps after which the caller is told in any case */
};

static inline bool vcs_grid_has_failed(const vcs_grid_world *w) {
    return w->ground.code != VCS_OK;
}

#endif
