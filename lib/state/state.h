/*
 * Preparing a state from inside: what its parts share.
 *
 *   state.c           how a state lies in memory, and how it is prepared
 *   state_check.c     what is refused
 *   state_convert.c   the records as decisions read them
 *   state_order.c     in which order tasks arrived, and in which they are due
 *   state_reorder.c   these orders after some tasks have moved
 *   state_renew.c     whether only a few records have changed, and taking those
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_STATE_STATE_H
#define VCS_STATE_STATE_H

#include "state/prepared.h"
#include "core/sort.h"

/* Element `index` of an array that has been checked; of its fields, those of the first version. */
static inline const void *vcs_element(const vcs_array *array, uint32_t index) {
    return (const unsigned char *)array->base + (size_t)index * array->element_size;
}

static inline const vcs_array *vcs_array_of(const vcs_snapshot *snapshot, uint32_t type) {
    switch (type) {
    case VCS_TYPE_HOST:
        return &snapshot->host;
    case VCS_TYPE_RESOURCE:
        return &snapshot->resources;
    case VCS_TYPE_PROJECT:
        return &snapshot->projects;
    case VCS_TYPE_PROJECT_RESOURCE:
        return &snapshot->project_resources;
    case VCS_TYPE_APP:
        return &snapshot->apps;
    case VCS_TYPE_TASK:
        return &snapshot->tasks;
    default:
        return &snapshot->candidates;
    }
}

/* Neither it, nor its project, nor its resource is suspended. */
static inline int vcs_takes_part(const vcs_snapshot *snapshot, const vcs_task *task) {
    const vcs_project *project = vcs_element(&snapshot->projects, task->project);
    const vcs_resource *resource = vcs_element(&snapshot->resources, task->gpu);
    return (task->flags & VCS_TASK_SUSPENDED) == 0 && (project->flags & VCS_PROJECT_SUSPENDED) == 0 &&
           (resource->flags & VCS_RESOURCE_SUSPENDED) == 0;
}

/* ---- state_check.c ---- */

/* The caller's snapshot as this version knows it. */
int vcs_take_snapshot(vcs_snapshot *known, const vcs_snapshot *callers, vcs_error *error);

/* Looks at every record. */
int vcs_check_snapshot(const vcs_snapshot *snapshot, const vcs_parameters *parameters, vcs_error *error);

/* Whether vcs_check_snapshot() would accept this one, in an array whose records have the size of the first version. */
int vcs_task_is_right(const vcs_snapshot *snapshot, const vcs_parameters *parameters, uint32_t index);
int vcs_candidate_is_right(const vcs_snapshot *snapshot, uint32_t index);

/* ---- state_convert.c ---- */

/* What decides how much memory is needed; an error if a resource has no such number of instances. */
int vcs_count_records(const vcs_snapshot *snapshot, vcs_counts *counts, vcs_error *error);

/* All records but the tasks; VCS_ERR_DUPLICATE if two project_resources are for the same thing. */
int vcs_convert_host(vcs_state *state, const vcs_snapshot *snapshot, vcs_error *error);

/* Of these, the resources, but for what the project_resources exclude from them. */
void vcs_convert_resources(vcs_state *state, const vcs_snapshot *snapshot);

void vcs_convert_task(vcs_state *state, const vcs_snapshot *snapshot, uint32_t index);
/* Of all tasks, which are converted: the run times, after their resources have changed. */
void vcs_convert_run_times(vcs_state *state);
void vcs_convert_candidates(vcs_state *state, const vcs_snapshot *snapshot);

/* ---- state_order.c ---- */

/* VCS_ERR_DUPLICATE if two have the same id. */
int vcs_order_projects(vcs_state *state, vcs_error *error);
int vcs_order_tasks(vcs_state *state, vcs_error *error);

/* Memory that it takes to sort so many tasks: the numbers of those that are to be sorted stand in the items. */
typedef struct vcs_task_sort {
    vcs_sort_item *items, *spare;
} vcs_task_sort;

void vcs_lay_out_task_sort(vcs_task_sort *sort, uint64_t tasks, vcs_arena *arena);

/*
 * One after the other: by id, as vcs_order_tasks() fails; of these, by arrival; of these, by deadline. The choice of
 * tasks orders by arrival with them, too.
 */
int vcs_sort_by_id(const vcs_job *jobs, const vcs_task_sort *sort, uint32_t count, vcs_error *error);
void vcs_sort_by_arrival(const vcs_job *jobs, const vcs_task_sort *sort, uint32_t count);
void vcs_sort_by_deadline(const vcs_job *jobs, const vcs_task_sort *sort, uint32_t count);

/* ---- state_reorder.c ---- */

/* Which tasks may have other places in the orders. */
typedef struct vcs_moved {
    uint32_t before, now; /* how many tasks the orders held, and are to hold: those from `now` on are gone */
    uint32_t *others;     /* [other_count]: not the tasks that stood there before, or new; lowest first */
    uint32_t *due;        /* [due_count]: the same tasks, which may have another place by deadline */
    uint32_t other_count, due_count;
    uint32_t is_rescaled; /* 1: the run times of all tasks have changed */
} vcs_moved;

/* If one task in so many has moved, looking at all is no dearer than finding the places of those. */
#define VCS_MANY_MOVED 8

static inline int vcs_have_few_moved(const vcs_moved *moved) {
    const uint32_t gone = moved->before > moved->now ? moved->before - moved->now : 0;
    return (uint64_t)gone + moved->other_count + moved->due_count < moved->now / VCS_MANY_MOVED;
}

/*
 * Puts the orders right after the tasks have been converted; 0 if that is given up, or two tasks have the same id: then
 * the orders may not be right. O(tasks).
 */
int vcs_move_many(vcs_state *state, const vcs_moved *moved);

/* What is found of a few tasks before they are converted. */
typedef struct vcs_few_moved {
    vcs_task_sort sort;
    vcs_sort_item *due_places; /* by deadline, of those in vcs_moved.due, the first to the last: the keys */
    uint32_t left;             /* tasks that are left in each order until the others are put in */
} vcs_few_moved;

uint64_t vcs_move_scratch(uint64_t tasks);

/*
 * The same if they are few, in two steps: before the tasks are converted, and after. The arena has room for
 * vcs_move_scratch(). Nothing is looked at but those tasks and the places where they belong: O(moved * log(tasks)), and
 * the moving of what lies between.
 */
void vcs_begin_to_move_few(vcs_state *state, const vcs_moved *moved, vcs_arena *arena, vcs_few_moved *few);
int vcs_move_few(vcs_state *state, const vcs_moved *moved, const vcs_few_moved *few);

/* ---- state_renew.c ---- */

uint64_t vcs_renew_scratch(const vcs_counts *counts);

/*
 * Takes what has changed; 0 if it is more than a few records, or something is wrong: then nothing was written, unless
 * two tasks have the same id, which takes ordering them to find.
 */
int vcs_renew_quickly(vcs_state *state, const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now);

#endif
