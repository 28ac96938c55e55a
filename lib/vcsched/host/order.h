/*
 * Orders tasks by id, arrival and deadline, and projects by id.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_ORDER_H
#define VCS_HOST_ORDER_H

#include "vcsched/host/prepared.h"
#include "vcsched/core/sort.h"

/* VCS_ERR_DUPLICATE if two projects, or two tasks, have the same id. */
int vcs_order_projects(vcs_state *state, vcs_error *error);
int vcs_order_tasks(vcs_state *state, vcs_error *error);

/* Memory for sorting tasks or projects; the items hold the indices to be sorted. */
typedef struct vcs_record_sort {
    vcs_sort_item *items, *spare;
} vcs_record_sort;

void vcs_lay_out_sort(vcs_record_sort *sort, uint64_t records, vcs_arena *arena);

/*
 * Called in this order, each with the result of the previous one: by id, with the errors of vcs_order_tasks(), by
 * arrival, by deadline. The choice of tasks orders by arrival with them, too.
 */
int vcs_sort_by_id(const vcs_prepared_task *tasks, const vcs_record_sort *sort, uint32_t count, vcs_error *error);
void vcs_sort_by_arrival(const vcs_prepared_task *tasks, const vcs_record_sort *sort, uint32_t count);
void vcs_sort_by_deadline(const vcs_prepared_task *tasks, const vcs_record_sort *sort, uint32_t count);

#endif
