/*
 * Input of a choice of tasks: every stage reads it, none changes it. Each stage has a struct of its own for results:
 *
 *   vcs_placement   place.h     the tasks chosen so far, the room they occupy and the room left
 *   vcs_waiting     waiting.h   when each task is offered, and the queues of waiting tasks
 *   vcs_late        late.h      the late tasks still to be found or offered
 *   vcs_turn        turn.h      the rank of each project at this moment
 *
 * Rules 4.7 and 5.4; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_SELECTION_H
#define VCS_SCHEDULE_SELECTION_H

#include "vcsched/simulation/fit.h"
#include "vcsched/host/prepared.h"

#include <stdbool.h>

typedef struct vcs_selection {
    const vcs_state *state;
    const vcs_project *project_records;
    const vcs_app *apps;
    const vcs_prepared_task *prepared;
    const uint32_t *ran; /* the tasks that ran until now */
    uint32_t ran_count;
    uint32_t explains;      /* 1: every task gets its reason */
    uint32_t has_limits;    /* 1: memory is limited, or the number of tasks of a project or application */
    uint32_t has_downloads; /* not 0: some task is being downloaded */
    double ram;             /* limit of the host, bytes; +infinity = none */
    int64_t most_cpus;      /* units: the largest CPU task that fits on an empty host */
    int64_t most_share;     /* units: the largest CPU share of a GPU task, likewise */
} vcs_selection;

/* Index of a project on a resource. */
static inline size_t vcs_selection_index(const vcs_selection *selection, uint32_t project, uint32_t resource) {
    return (size_t)project * selection->state->resource_count + resource;
}

/* The devices of its GPU type that a task may use, as bits. */
static inline uint64_t vcs_allowed_to(const vcs_state *state, const vcs_prepared_task *task) {
    return vcs_allowed_devices(state, task->project, task->app, task->resource);
}

/* Whether a task can start and would fit on this host alone. */
static inline bool vcs_may_run(const vcs_selection *selection, const vcs_prepared_task *task) {
    if (!task->can_start || task->ram > selection->ram) {
        return false;
    }
    if (task->resource == 0) {
        return task->cpu_units <= selection->most_cpus;
    }
    return task->cpu_units <= selection->most_share &&
           vcs_devices_suffice(vcs_resources(selection->state)[task->resource].instances, task->gpu_units,
                               vcs_allowed_to(selection->state, task));
}

#endif
