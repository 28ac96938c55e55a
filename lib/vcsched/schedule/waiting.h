/*
 * When each task is offered, and the queues of tasks that wait for their project's turn.
 *
 * Rules 5.1, 5.5 and 5.6; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_WAITING_H
#define VCS_SCHEDULE_WAITING_H

#include "vcsched/schedule/place.h"

/* When a task is offered; each is offered once. */
#define VCS_STAGE_NEVER 0u       /* it runs, but is suspended or needs more than the host has */
#define VCS_STAGE_NEARLY_DONE 1u /* it runs, and has less left than a switch takes */
#define VCS_STAGE_LATE 2u        /* it is late */
#define VCS_STAGE_SLICE 3u       /* it runs, and its slice has not ended */
#define VCS_STAGE_TURN 4u        /* when it is its project's turn, if it may run */

/* A project offers its tasks in this order. */
#define VCS_TURN_RUNNING 0u
#define VCS_TURN_DISPLACED 1u /* they ran, but have just lost their devices to others */
#define VCS_TURN_STARTED 2u   /* they ran before */
#define VCS_TURN_FRESH 3u
#define VCS_TURN_QUEUES 4u

typedef struct vcs_waiting_task {
    uint32_t stage; /* VCS_STAGE_* */
    uint32_t next;  /* the next one in its queue; VCS_NONE */
} vcs_waiting_task;

/* The queues of a project on a resource. */
typedef struct vcs_waiting_queues {
    uint32_t taking_part;            /* tasks that take part, once the queues are filled */
    uint32_t first[VCS_TURN_QUEUES]; /* first task of each queue, by arrival; VCS_NONE */
    uint32_t last_displaced;         /* last task of that queue */
} vcs_waiting_queues;

typedef struct vcs_waiting {
    const vcs_selection *selection;
    vcs_placement *placement; /* where tasks are offered */
    vcs_waiting_task *tasks;
    vcs_waiting_queues *queues; /* per project and resource */
    uint32_t is_filled;         /* 1: the waiting tasks are queued */
} vcs_waiting;

/* Offers a task whose slice lasts; if others have its devices now, it waits for its project's turn instead. */
void vcs_offer_slice(vcs_waiting *waiting, uint32_t task);

/* Queues all tasks of VCS_STAGE_TURN that may run. */
void vcs_fill_queues(vcs_waiting *waiting);

/* Whether a project has a task to offer when it is its turn. */
static inline bool vcs_has_waiting(const vcs_waiting *waiting, uint32_t project, uint32_t resource) {
    const vcs_waiting_queues *of = &waiting->queues[vcs_selection_index(waiting->selection, project, resource)];
    uint32_t empty = VCS_NONE;
    for (uint32_t q = 0; q < VCS_TURN_QUEUES; q++) {
        empty &= of->first[q]; /* VCS_NONE is all ones, and no task's index */
    }
    return empty != VCS_NONE;
}

/* Offers the waiting tasks of a project for a resource until one is placed. Returns whether one was. */
bool vcs_offer_waiting(vcs_waiting *waiting, uint32_t project, uint32_t resource);

#endif
