/*
 * In which order tasks arrived, and in which they are due.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_ORDER_H
#define VCS_HOST_ORDER_H

#include "vcsched/host/prepared.h"
#include "vcsched/core/sort.h"

/* VCS_ERR_DUPLICATE if two have the same id. */
int vcs_order_projects(vcs_state *state, vcs_error *error);
int vcs_order_tasks(vcs_state *state, vcs_error *error);

/* Memory that it takes to sort this many tasks or projects: the items hold the numbers of those to be sorted. */
typedef struct vcs_record_sort {
    vcs_sort_item *items, *spare;
} vcs_record_sort;

void vcs_lay_out_sort(vcs_record_sort *sort, uint64_t records, vcs_arena *arena);

/*
 * One after the other: by id, as vcs_order_tasks() fails; of these, by arrival; of these, by deadline. The choice of
 * tasks orders by arrival with them, too.
 */
int vcs_sort_by_id(const vcs_prepared_task *tasks, const vcs_record_sort *sort, uint32_t count, vcs_error *error);
void vcs_sort_by_arrival(const vcs_prepared_task *tasks, const vcs_record_sort *sort, uint32_t count);
void vcs_sort_by_deadline(const vcs_prepared_task *tasks, const vcs_record_sort *sort, uint32_t count);

#endif
