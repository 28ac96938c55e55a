/*
 * The units of a server by deadline, and their copies.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_DEADLINE_GRID_UNIT_H
#define VCS_EMU_GRID_DEADLINE_GRID_UNIT_H

#include "vcemu/host/emulator.h"

#include <vcsched/unit.h>

/* What a server knows of a copy beyond the result of the same index. */
typedef struct vcs_grid_copy {
    double sent;
    double flops;      /* operations done by the host; known when it has been reported or given up */
    uint32_t host;     /* number of the host; VCS_NONE before it is sent */
    uint32_t kind;     /* class of equal results: VCS_GRID_RIGHT, ... */
    uint32_t outside;  /* 1 = a host has the copy, or its unreported result */
    uint32_t aborted;  /* 1 = given up because nobody needed it */
    uint32_t previous; /* slot of the unit of the host's previous copy; VCS_NONE = none */
    uint32_t next;     /* slot of the unit of the host's next copy; VCS_NONE = none */
} vcs_grid_copy;

typedef struct vcs_grid_unit {
    vcs_unit record;
    vcs_result *results;   /* of each copy */
    vcs_grid_copy *copies; /* the rest of each copy, behind the results in memory */
    double flops;
    double created;
    double done;     /* when it got its canonical result */
    uint32_t slot;   /* in the store */
    uint32_t count;  /* copies */
    uint32_t room;   /* copies for which there is room */
    uint32_t unsent; /* copies that wait for a host */
    uint32_t outside;
    uint32_t refusals;       /* hosts in a row that could not take a copy */
    uint32_t previous, next; /* slots, in the queue of units with unsent copies */
    bool is_queued;
    bool is_counted; /* among the done units */
    bool is_wrong;   /* its canonical result is wrong */
    bool is_failed;
} vcs_grid_unit;

/* The results of a unit, as libvcsched takes them. */
static inline vcs_array vcs_grid_results_of(const vcs_grid_unit *unit) {
    return (vcs_array){{unit->results}, sizeof *unit->results, unit->count};
}

#define VCS_GRID_ROOMS 13u /* 2^0 ... 2^12 copies */
#define VCS_GRID_MOST_COPIES 4096u
#define VCS_GRID_CHUNK 256u

/* The unfinished units; a finished unit leaves its slot to another. */
typedef struct vcs_grid_store {
    vcs_grid_unit **chunks;
    uint32_t slots;     /* slots ever used */
    uint32_t free_slot; /* the first free slot; VCS_NONE = none. Its `next` is the next one */
    void *free_rooms[VCS_GRID_ROOMS];
} vcs_grid_store;

#endif
