/*
 * Turns: queues of the tasks that wait for one, and the project to offer its next task for a resource.
 *
 * Rules 1.5, 5.1 and 13.13; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_TURN_H
#define VCS_SCHEDULE_TURN_H

#include "vcsched/accounts/priority_sums.h"
#include "vcsched/accounts/rank_key.h"
#include "vcsched/schedule/place.h"

/* A project offers its tasks in this order. */
#define VCS_TURN_RUNNING 0u
#define VCS_TURN_DISPLACED 1u /* they ran, but have just lost their devices to others */
#define VCS_TURN_STARTED 2u   /* they ran before */
#define VCS_TURN_FRESH 3u
#define VCS_TURN_QUEUES 4u

/* The queues of a project on a resource. */
typedef struct vcs_turn_queues {
    uint32_t taking_part;            /* tasks that take part, once the queues are filled */
    uint32_t first[VCS_TURN_QUEUES]; /* first task of each queue, by arrival; VCS_NONE */
    uint32_t last_displaced;         /* last task of that queue */
} vcs_turn_queues;

/* A project with a task to offer, and its rank at this moment. */
typedef struct vcs_turn {
    vcs_rank_key key;
    uint32_t project;
    uint32_t unused;
} vcs_turn;

/* Sums over the projects that compete for a resource. */
typedef struct vcs_turn_measure {
    vcs_priority_sums sums;
    uint32_t rule;  /* VCS_RANK_* */
    uint32_t local; /* 1: work and load on the resource alone count */
} vcs_turn_measure;

typedef struct vcs_turns {
    const vcs_selection *selection;
    vcs_placement *placement; /* where tasks are offered */
    vcs_offer *offers;        /* per task */
    vcs_turn_queues *queues;  /* per project and resource */
    vcs_turn *projects;       /* heap of the projects with a task to offer */
    vcs_turn_measure all;     /* of the resource whose turns are taken */
    uint32_t count;           /* projects in the heap */
    uint32_t is_filled;       /* 1: the waiting tasks are queued */
} vcs_turns;

/* Offers a task within its slice; if others have its devices now, it waits for its project's turn instead. */
void vcs_offer_slice(vcs_turns *turns, uint32_t task);

/* Projects offer their tasks for a resource in turn, until it is used up. */
void vcs_choose_by_turns(vcs_turns *turns, uint32_t resource);

#endif
