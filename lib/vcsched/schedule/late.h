/*
 * Late tasks: finding them, and offering them in their order.
 *
 * Rules 5.2, 5.5 and 13.7; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_LATE_H
#define VCS_SCHEDULE_LATE_H

#include "vcsched/core/sort.h"
#include "vcsched/schedule/place.h"
#include "vcsched/schedule/spare.h"

/* A project on a resource. */
typedef struct vcs_late_count {
    int32_t misses_left; /* predicted misses that no late task accounts for yet, where misses count only */
    uint32_t next_late;  /* first of the tasks that become late if a late one is refused, by deadline; VCS_NONE */
} vcs_late_count;

typedef struct vcs_late {
    const vcs_selection *selection;
    vcs_placement *placement; /* where late tasks are offered and marked */
    vcs_offer *offers;        /* per task; the stage of late ones becomes VCS_STAGE_LATE */
    vcs_late_count *counts;   /* per project and resource */
    uint32_t *keeps_late;     /* per resource; 1: a running task stays late there until its slice ends */
    uint32_t *urgent;         /* memory for an order of its own */
    vcs_sort_item *items;     /* late tasks in the order of their offers; twice as many, for sorting */
    int64_t *queue;           /* heap of keys: tasks that became late in place of refused ones, still to be offered */
    const uint32_t *by_deadline;
    uint32_t rule;       /* which tasks are late: see late.c */
    uint32_t position;   /* how far the order by deadline has been searched */
    uint32_t misses;     /* tasks predicted to be late, still to be found */
    uint32_t staying;    /* tasks that stay late, still to be found */
    uint32_t queued;     /* keys in `queue` */
    uint32_t has_next;   /* 1: `queue` and all next_late are ready */
    uint32_t *next;      /* per task: position of the next one after it that becomes late */
    uint32_t *postponed; /* positions of tasks that let GPU tasks go first (rule 5.7) */
    uint32_t postponed_count;
    uint32_t has_shares; /* 1: `shares` is known */
    vcs_gpu_shares shares;
} vcs_late;

/*
 * Finds the late tasks and offers them in their order, except those that let GPU tasks go first. Tasks offered before
 * are only marked late.
 */
void vcs_choose_late(vcs_late *late);

/* Offers the others, once GPU tasks have been placed. */
void vcs_choose_postponed(vcs_late *late);

#endif
