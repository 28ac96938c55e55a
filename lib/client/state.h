/*
 * Preparing a state from inside: what its parts share.
 *
 *   state.c           how a state lies in memory, and how it is prepared
 *   state_check.c     what is refused
 *   state_convert.c   the records as decisions read them
 *   state_order.c     in which order tasks arrived, and in which they are due
 *   state_renew.c     whether only a few records have changed, and taking those
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CLIENT_STATE_H
#define VCS_CLIENT_STATE_H

#include "client/prepared.h"
#include "core/order.h"

/* Element `index` of an array that has been checked; of its fields, those of the first version. */
static inline const void *vcs_element(const vcs_array *array, uint32_t index) {
    return (const unsigned char *)array->base + (size_t)index * array->element_size;
}

static inline const vcs_array *vcs_array_of(const vcs_view *view, uint32_t type) {
    switch (type) {
    case VCS_TYPE_HOST:
        return &view->host;
    case VCS_TYPE_RESOURCE:
        return &view->resources;
    case VCS_TYPE_PROJECT:
        return &view->projects;
    case VCS_TYPE_PAIR:
        return &view->pairs;
    case VCS_TYPE_APP:
        return &view->apps;
    case VCS_TYPE_TASK:
        return &view->tasks;
    default:
        return &view->candidates;
    }
}

/* Neither it, nor its project, nor its resource is suspended. */
static inline int vcs_takes_part(const vcs_view *view, const vcs_task *task) {
    const vcs_project *project = vcs_element(&view->projects, task->project);
    const vcs_resource *resource = vcs_element(&view->resources, task->gpu);
    return (task->flags & VCS_TASK_SUSPENDED) == 0 && (project->flags & VCS_PROJECT_SUSPENDED) == 0 &&
           (resource->flags & VCS_RESOURCE_SUSPENDED) == 0;
}

/* ---- state_check.c ---- */

/* The caller's view as this version knows it. */
int vcs_take_view(vcs_view *known, const vcs_view *callers, vcs_error *error);

/* Looks at every record. */
int vcs_check_view(const vcs_view *view, const vcs_parameters *parameters, vcs_error *error);

/* Whether vcs_check_view() would accept this one, in an array whose records have the size of the first version. */
int vcs_task_is_right(const vcs_view *view, const vcs_parameters *parameters, uint32_t index);
int vcs_candidate_is_right(const vcs_view *view, uint32_t index);

/* ---- state_convert.c ---- */

/* What decides how much memory is needed; an error if a resource has no such number of instances. */
int vcs_count_records(const vcs_view *view, vcs_counts *counts, vcs_error *error);

/* All records but the tasks; VCS_ERR_DUPLICATE if two pairs are for the same thing. */
int vcs_convert_host(vcs_state *state, const vcs_view *view, vcs_error *error);

/* Of these, the resources, but for what the pairs exclude from them. */
void vcs_convert_resources(vcs_state *state, const vcs_view *view);

void vcs_convert_task(vcs_state *state, const vcs_view *view, uint32_t index);
/* Of all tasks, which are converted: the run times, after their resources have changed. */
void vcs_convert_run_times(vcs_state *state);
void vcs_convert_candidates(vcs_state *state, const vcs_view *view);

/* ---- state_order.c ---- */

/* VCS_ERR_DUPLICATE if two have the same id. */
int vcs_order_projects(vcs_state *state, vcs_error *error);
int vcs_order_tasks(vcs_state *state, vcs_error *error);

/* What has become of a task since the orders were made. */
#define VCS_TASK_STAYS 0u
#define VCS_TASK_IS_DUE_ELSEWHERE 1u /* it may have another place by deadline */
#define VCS_TASK_IS_ANOTHER 2u       /* it may have another place in all orders */

/* Tasks whose place in the orders may have changed. */
typedef struct vcs_moved {
    const uint32_t *tasks;    /* [count] */
    const unsigned char *how; /* VCS_TASK_*, of each task */
    uint32_t count;
    uint32_t others;      /* of them, those that are VCS_TASK_IS_ANOTHER */
    uint32_t is_rescaled; /* 1: the run times of all tasks have changed */
} vcs_moved;

/* Memory that it takes to put so many tasks into their places. */
typedef struct vcs_order_scratch {
    vcs_sort_item *items, *spare;
    uint32_t *by_id, *by_arrival, *by_deadline;
} vcs_order_scratch;

void vcs_lay_out_order_scratch(vcs_order_scratch *scratch, uint64_t tasks, vcs_arena *arena);

/*
 * Puts the orders right of which only so many tasks have moved, after they have been converted. Before, the orders held
 * `before` tasks; now they hold those of the state. The arena has room for a vcs_order_scratch. VCS_ERR_DUPLICATE if
 * two have the same id: then the orders may not be right. O(tasks + moved * log(tasks)).
 */
int vcs_reorder_tasks(vcs_state *state, uint32_t before, const vcs_moved *moved, vcs_arena *arena);

/* ---- state_renew.c ---- */

uint64_t vcs_renew_scratch(const vcs_counts *counts);

/*
 * Takes what has changed; 0 if it is more than a few records, or something is wrong: then nothing was written, unless
 * two tasks have the same id, which takes ordering them to find.
 */
int vcs_renew_quickly(vcs_state *state, const vcs_view *view, const vcs_parameters *parameters, double now);

#endif
