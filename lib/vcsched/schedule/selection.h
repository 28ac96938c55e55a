/*
 * Input of a choice of tasks, which no stage changes, and the moment at which each task is offered. What a stage finds
 * is in a struct of its own:
 *
 *   vcs_placement   place.h   the tasks chosen so far, the capacity they occupy and what is left
 *   vcs_late        late.h    the late tasks still to be found or offered
 *   vcs_turns       turn.h    the queues of waiting tasks, and the rank of each project at this moment
 *
 * Rules 4.7, 5.1 and 5.4; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_SELECTION_H
#define VCS_SCHEDULE_SELECTION_H

#include "vcsched/simulation/slice.h"

typedef struct vcs_selection {
    const vcs_state *state;
    const vcs_project *project_records;
    const vcs_app *apps;
    const vcs_prepared_task *prepared;
    uint32_t *ran; /* the tasks that ran until now and may go on */
    uint32_t ran_count;
    uint32_t explains;      /* 1: every task gets its reason */
    uint32_t has_limits;    /* 1: memory is limited, or tasks of a project or application are */
    uint32_t has_downloads; /* not 0: some task is being downloaded */
    uint32_t all_fit;       /* 1: each task uses one whole CPU, which is there, and memory is not limited */
    uint32_t has_uninterruptible; /* not 0: some task must not be interrupted while it runs */
    int64_t yield_to; /* units of the wide task to which slices yield; 0 = none (rule 5.7) */
    vcs_periods periods;
    int64_t switch_cost; /* microseconds */
    double ram;          /* limit of the host, bytes; +infinity = none */
} vcs_selection;

/* When a task is offered; each is offered once. */
#define VCS_STAGE_NEVER 0u       /* it cannot start, or would not fit on this host alone */
#define VCS_STAGE_FIRST 1u       /* it runs, and must not be interrupted or has less left than a switch takes */
#define VCS_STAGE_LATE 2u        /* it is late */
#define VCS_STAGE_SLICE 3u       /* it runs, and its slice has not ended; or it would end within the next one */
#define VCS_STAGE_TURN 4u        /* when it is its project's turn */

typedef struct vcs_offer {
    uint32_t stage; /* VCS_STAGE_* */
    uint32_t next;  /* the next one in its queue; VCS_NONE */
} vcs_offer;

/* Index of a project on a resource. */
static inline size_t vcs_selection_index(const vcs_selection *selection, uint32_t project, uint32_t resource) {
    return (size_t)project * selection->state->resource_count + resource;
}

#endif
