/*
 * The uniform sliced simulation in memory: competitors, each with a queue of tasks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_UNIFORM_QUEUES_H
#define VCS_SIMULATION_SLICED_UNIFORM_QUEUES_H

#include "vcsched/core/least_stack.h"
#include "vcsched/simulation/sliced/sliced_common.h"

/* A task that does not run. */
typedef struct vcs_uniform_waiting {
    int64_t left; /* microseconds */
    uint32_t task;
    uint32_t unused;
} vcs_uniform_waiting;

/* The unfinished tasks of a competitor in order of arrival; the first ones run. */
typedef struct vcs_uniform_queue {
    vcs_least_stack running;      /* when each running task finishes, tagged with the task */
    vcs_uniform_waiting *waiting; /* the first waiting task; the others stand behind it */
} vcs_uniform_queue;

/*
 * Each property of the competitors has an array. The key of the task behind n others is
 * rate + scaled * decay + n * load. Numbers of tasks are doubles, since keys are made of them.
 */
typedef struct vcs_uniform {
    vcs_sliced sim;
    vcs_uniform_queue *queues;
    /* memory of all queues */
    vcs_uniform_waiting *waiting;
    vcs_stack_block *blocks;
    int64_t *trees;
    int64_t *next_finish; /* of running tasks; VCS_TREE_EMPTY if none runs */
    /* keys */
    double *rate, *scaled; /* the account's rate and `above`, times weight */
    double *load;          /* key that one task adds */
    double *per_load;      /* 1 / load */
    double *weight;        /* key per credit a day */
    double *key;           /* key of the first task in the present pick */
    double *last, *next;   /* marked keys of the last task to run and of the task after it */
    double largest;        /* the largest number that went into a key, or more */
    /* numbers of tasks */
    double *unfinished;
    double *running;
    double *count; /* tasks to run */
    double *used;  /* tasks that the account is charged for */
    /* competitors in the present step */
    uint32_t *starting; /* tasks of it start */
    uint32_t *stopping; /* tasks of it stop */
    uint32_t *charged;  /* its use changes */
    /*
     * Each competitor is alone in its group. Then none is compared, and REC is not followed, which saves 21 % of the
     * instructions of all decisions on ten tasks of one project on 4 CPUs.
     */
    bool alone;
    /* groups */
    uint32_t group_count;
    uint32_t *group_start; /* [groups + 1] */
    uint32_t *group_unfinished;
    /* the threshold below which tasks ran in the last pick */
    uint32_t settled;       /* first competitor of the group with more tasks than CPUs; VCS_NONE = no pick yet */
    uint32_t cpus;          /* CPUs left for the group in that pick */
    uint32_t until_amended; /* picks from now on that do not try to go on as before */
    double threshold;       /* of the group */
    double drift;           /* how fast the threshold rises, per microsecond */
    int64_t settled_at;     /* time of that pick */
    int64_t *tree;          /* scratch, over the competitors */
} vcs_uniform;

/* A host is uniform if it has only whole CPUs and all its tasks that take part are plain. */
static inline bool vcs_has_whole_cpus(const vcs_state *state) {
    return vcs_resources(state)[0].capacity % VCS_ONE == 0;
}

/* A task of one CPU, without a limit. */
static inline bool vcs_is_plain_task(const vcs_state *state, const vcs_prepared_task *task) {
    return task->resource == 0 && task->cpu_units == VCS_ONE && state->has_instance_limits == 0 &&
           vcs_projects(state)[task->project].max_concurrent == 0 &&
           (task->app == VCS_NONE || vcs_apps(state)[task->app].max_concurrent == 0);
}

/* Bytes of scratch memory needed at most. */
uint64_t vcs_uniform_scratch(const vcs_counts *counts);

/* Lays out the queues of a state's tasks. Returns false if the host is not uniform, or its keys cannot be compared. */
bool vcs_uniform_lay_out(vcs_uniform *u, vcs_state *state);

/* Updates the terms of a competitor's key from its account. */
void vcs_uniform_follow(vcs_uniform *u, uint32_t competitor);

#endif
