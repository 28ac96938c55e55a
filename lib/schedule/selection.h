/*
 * A selection: what has been taken so far while tasks are chosen, and what is still free.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_SELECTION_H
#define VCS_SCHEDULE_SELECTION_H

#include "accounts/rank_key.h"
#include "core/sort.h"
#include "simulation/instance_sets.h"
#include "state/prepared.h"

/* When a task is offered; each is offered once. */
#define VCS_STAGE_NEVER 0u       /* it runs, but is suspended or needs more than there is */
#define VCS_STAGE_NEARLY_DONE 1u /* it runs, and has less left than it takes to switch */
#define VCS_STAGE_LATE 2u        /* it is late */
#define VCS_STAGE_SLICE 3u       /* it runs, and its slice has not ended */
#define VCS_STAGE_TURN 4u        /* when it is its project's turn, if it may run */

/* A project offers running tasks first, then those that have run before, then fresh ones. */
#define VCS_TURN_QUEUES 3u

/* A resource. */
typedef struct vcs_selection_resource {
    int64_t free;           /* units */
    int64_t largest_fit;    /* units: the largest use that fits, whoever may use what is free */
    vcs_instance_sets sets; /* what is free for whom; empty unless some project is excluded from some instance */
    uint32_t has_late;      /* 1: a late task that did not run before uses it now */
    uint32_t keeps_late;    /* 1: a running task stays late there until its slice ends */
} vcs_selection_resource;

/* A project. */
typedef struct vcs_selection_project {
    uint32_t tasks;  /* taken so far */
    uint32_t misses; /* predicted ones to which no task has been matched yet */
} vcs_selection_project;

/* A project on a resource. */
typedef struct vcs_selection_project_resource {
    int64_t used;                     /* units taken so far */
    uint32_t taking_part;             /* tasks that take part */
    uint32_t queues[VCS_TURN_QUEUES]; /* the first tasks that wait for their project's turn, by arrival; VCS_NONE */
} vcs_selection_project_resource;

/* A task. */
typedef struct vcs_selection_task {
    uint32_t stage; /* VCS_STAGE_* */
    uint32_t next;  /* the task behind it in its queue; VCS_NONE */
} vcs_selection_task;

/* A project that has a task to offer, and how it ranks at this moment. */
typedef struct vcs_turn {
    vcs_rank_key key;
    uint32_t project;
    uint32_t unused;
} vcs_turn;

typedef struct vcs_selection {
    /* of the state */
    vcs_state *state;
    const vcs_project *project_records;
    const vcs_app *apps;
    const vcs_prepared_task *prepared;
    vcs_task_decision *decisions; /* per task */
    uint32_t *running;            /* the tasks taken, by place */
    /* scratch */
    vcs_selection_project *projects;
    vcs_selection_project_resource *project_resources; /* project by project */
    vcs_selection_resource *resources;
    uint32_t *app_tasks; /* per application: tasks taken so far */
    vcs_selection_task *tasks;
    uint32_t *ran;        /* the tasks that ran until now */
    vcs_sort_item *items; /* tasks in the order in which they are offered; twice as many, for sorting */
    vcs_turn *turns;      /* per project: a heap of those with a task to offer */
    uint64_t *set_maps;   /* of the instance sets, projects + 1 for each resource */
    int64_t *set_free;    /* likewise */
    /* limits of the host */
    double ram;       /* bytes; +infinity if it is no limit */
    int64_t most_cpus; /* units: the largest use of CPUs that fits if nothing else runs */
    uint32_t ran_count;
    uint32_t explains;        /* 1: every task gets its reason */
    uint32_t has_limits;      /* 1: memory, or tasks at a time of a project or application, are limited */
    uint32_t has_free_riders; /* 1: some task does not use its resource, and fits even if nothing is free */
    uint32_t has_queues;      /* 1: the tasks that wait for a turn are queued */
    /* the late tasks still to be found, which is done by deadline */
    uint32_t deadline_place; /* how far that order has been searched */
    uint32_t misses;         /* tasks predicted to be late */
    uint32_t staying;        /* tasks that stay late */
    vcs_schedule_summary summary;
} vcs_selection;

static inline vcs_selection_project_resource *vcs_selection_at(const vcs_selection *selection, uint32_t project,
                                                               uint32_t resource) {
    return &selection->project_resources[(size_t)project * selection->state->resource_count + resource];
}

#endif
