/*
 * Limits in instances, and per device, while tasks are placed by deadline.
 *
 * Rules 4.4 and 4.5; the plain reference is tests/oracle/oracle_place.c.
 *
 * For each project and each application on a resource with such a limit there is a list of the tasks placed there, the
 * latest end first. A limit in instances opens for a task when so many of them have ended that there is room for its
 * use; a limit per device opens on each device when fewer are left there than the limit.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_DEADLINE_UNIT_LIMITS_H
#define VCS_SIMULATION_DEADLINE_UNIT_LIMITS_H

#include "vcsched/simulation/deadline/placement.h"

#include <stdbool.h>

/* A placed task in a list. */
typedef struct vcs_placed_use {
    int64_t end;
    int64_t units;
    uint64_t devices; /* bits */
    uint32_t next;    /* VCS_NONE = the last */
    uint32_t unused;
} vcs_placed_use;

typedef struct vcs_unit_limits {
    vcs_plan *plan;
    vcs_placed_use *uses; /* two for each task: for its project, and for its application */
    uint32_t *first;      /* of each list: projects by resource, then applications by resource; VCS_NONE = empty */
    uint32_t count;       /* uses so far */
    bool any;             /* some limit is set */
    int64_t openings[VCS_MAX_GPU_INSTANCES]; /* of the devices, for the task that was asked about last */
} vcs_unit_limits;

/* Whether records are given that such limits may stand in; without any, there is no memory for lists. */
static inline bool vcs_may_limit_units(const vcs_counts *counts) {
    return counts->project_resources + counts->app_resources > 0;
}

void vcs_unit_limits_lay_out(vcs_unit_limits *limits, const vcs_counts *counts, vcs_arena *arena);

/* Begins with nothing placed. O((projects + applications) * resources). */
void vcs_unit_limits_begin(vcs_unit_limits *limits, vcs_plan *plan);

/* Whether such a limit holds for a task. */
bool vcs_limits_units_of(const vcs_unit_limits *limits, const vcs_prepared_task *task);

/* Whether a task uses more than its limits in instances ever allow. */
bool vcs_exceeds_limits(const vcs_state *state, const vcs_prepared_task *task);

/*
 * When these limits let a task run: 0 = whenever its instances are free. Sets `openings`, and the plan's for the next
 * placing, which is to be of the same task.
 */
int64_t vcs_unit_limits_open(vcs_unit_limits *limits, const vcs_prepared_task *task);

/* Counts the task that was just placed, up to `end`. */
void vcs_unit_limits_count(vcs_unit_limits *limits, const vcs_prepared_task *task, int64_t end);

/* Tasks of one whole CPU that a limit in instances lets run at the same time, if less than `most`; 0 = any number. */
uint32_t vcs_most_single_tasks(double max_instances, uint32_t most);

#endif
