/*
 * The general sliced simulation in memory: the tasks as queues, and what runs of them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_QUEUES_H
#define VCS_SIMULATION_SLICED_QUEUES_H

#include "core/least_tree.h"
#include "core/min_tree.h"
#include "simulation/instance_sets.h"
#include "simulation/sliced_common.h"

/*
 * A queue: the unfinished tasks of one project for one resource, first in, first out. Tasks of an application with a
 * limit have a queue of their own, since its limit passes them over without holding up the others.
 *
 * Each task has a slot; the slots of a queue stand one after the other, linked past those that have finished. Of the
 * unfinished ones, the first `running` run: the front. Behind them, single ones may run where a task of several
 * instances did not fit: the backfills.
 */
typedef struct vcs_sliced_queue {
    uint32_t competitor;
    uint32_t app; /* the application with a limit whose tasks these are; VCS_NONE */
    uint32_t first_slot, slot_count;
    uint32_t last;      /* slot of the last in the front; VCS_NONE */
    uint32_t next;      /* slot of the first unfinished one behind the front; VCS_NONE */
    uint32_t running;   /* how many are in the front */
    uint32_t backfills; /* how many run behind it */
    uint32_t limit;     /* how many may run in the present pick */
    uint32_t cursor;    /* slot from which the present pick still has to look for backfills; VCS_NONE */
    uint32_t width;     /* of the tree of uses */
    uint32_t nodes;     /* of the tree of finishes */
    int64_t *finishes;  /* tree: finish of each slot that runs */
    int64_t *uses;      /* tree: use of each unfinished slot */
} vcs_sliced_queue;

/* A task in its queue: what changes when it starts or stops. */
typedef struct vcs_sliced_slot {
    int64_t left;            /* microseconds left while it does not run */
    uint32_t next, previous; /* unfinished neighbours; VCS_NONE */
} vcs_sliced_slot;

/* The same task: what stays. Kept by itself, so that a step touches little memory. */
typedef struct vcs_sliced_use {
    int64_t units;     /* of the queue's resource */
    int64_t cpu_units; /* of the CPU beside a GPU; 0 for a task of the CPU */
    uint32_t task;
    uint32_t arrival; /* its place in the order of arrival */
} vcs_sliced_use;

/* What a competitor offers to the pick, and what of it runs. */
typedef struct vcs_sliced_offer {
    uint32_t first_queue, end_queue;
    uint32_t running;  /* its tasks that run on this resource */
    uint32_t limit;    /* how many may run in the present pick */
    bool touched;      /* on the list of those whose use may have changed */
    bool closed;       /* has nothing more to offer in the present pick */
    int64_t units;     /* what those that run use of the resource */
    int64_t cpu_units; /* what they use of the CPU beside a GPU */
    uint64_t allowed;  /* instances it may use, if the resource has exclusions */
    double last_key;   /* key of its last task in the front, in the present pick */
    double next_key;   /* key of its next task */
} vcs_sliced_offer;

/* A task that runs behind the front of its queue. */
typedef struct vcs_sliced_backfill {
    uint32_t queue, slot;
} vcs_sliced_backfill;

/* The backfills of a resource. */
typedef struct vcs_sliced_backfills {
    vcs_sliced_backfill *list;
    uint32_t count;
    uint32_t unused;
} vcs_sliced_backfills;

typedef struct vcs_general {
    vcs_sliced sim;
    uint32_t queue_count, touched_count;
    bool overcommit;
    vcs_sliced_slot *slots;
    vcs_sliced_use *slot_uses;
    vcs_sliced_queue *queues;
    int64_t *next_finish;               /* per queue: the least finish */
    int64_t *trees;                     /* of all queues */
    vcs_sliced_offer *offers;           /* per competitor */
    uint32_t *touched;                  /* competitors */
    vcs_sliced_backfill *backfills;     /* of all resources */
    vcs_sliced_backfills *backfills_of; /* per resource */
    uint32_t *app_running;              /* tasks of each application in the present pick */
    vcs_instance_sets sets;             /* what is free of the resource that is picked for */
    uint64_t *set_maps;
    int64_t *set_free;
} vcs_general;

/* Bytes of scratch memory that this takes at most. */
uint64_t vcs_general_scratch(const vcs_counts *counts);

/* Lays out the queues of a state's tasks. Nothing runs yet. */
void vcs_general_lay_out(vcs_general *g, vcs_state *state);

#endif
