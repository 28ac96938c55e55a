/*
 * The uniform sliced simulation in memory: competitors, and their tasks as queues.
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

/* The unfinished tasks of a competitor in order of arrival. Those that run come first. */
typedef struct vcs_uniform_queue {
    vcs_least_stack running;      /* when each finishes, tagged with its task */
    vcs_uniform_waiting *waiting; /* the first that waits; the others stand behind it */
} vcs_uniform_queue;

/*
 * The competitors are in one array for each property. The key of the task that follows n others is
 * rate + scaled * decay + n * load. Numbers of tasks are doubles, since they go into keys.
 */
typedef struct vcs_uniform {
    vcs_sliced sim;
    vcs_uniform_queue *queues;
    vcs_uniform_waiting *waiting; /* of all queues */
    vcs_stack_block *blocks;      /* likewise */
    int64_t *trees;               /* likewise */
    int64_t *next_finish;         /* of the tasks that run; VCS_TREE_EMPTY */
    /* keys */
    double *rate, *scaled; /* of the account, times the weight */
    double *load;          /* what one task adds to the key */
    double *per_load;      /* 1 / load */
    double *weight;        /* turns credits per day into a key */
    double *key;           /* of the first task, in the present pick */
    double *last, *next;   /* keys, marked, of the last task that is to run and of the one after it */
    double largest;        /* no number that went into a key is larger */
    /* numbers of tasks */
    double *unfinished;
    double *running;
    double *count; /* that are to run */
    double *used;  /* that the account is charged for */
    /* competitors in the present step whose */
    uint32_t *starting; /* tasks start, */
    uint32_t *stopping; /* or stop, */
    uint32_t *charged;  /* or whose use changes */
    /*
     * Each is alone in its group. Nobody is compared then, and REC is not followed: with it, all decisions on ten tasks
     * of one project on 4 CPUs take 27 % more instructions.
     */
    bool alone;
    /* groups */
    uint32_t group_count;
    uint32_t *group_start; /* one more than there are groups */
    uint32_t *group_unfinished;
    /* the threshold below which tasks ran in the last pick */
    uint32_t settled;       /* first competitor of the group that had more tasks than places; VCS_NONE = no pick yet */
    uint32_t places;        /* of that group in that pick */
    uint32_t until_amended; /* picks from now on in which what ran before is not tried */
    double threshold;       /* of that group */
    double drift;           /* how fast it rises, per microsecond */
    int64_t settled_at;     /* when that pick was */
    int64_t *tree;          /* scratch, over the competitors */
} vcs_uniform;

/* A host is uniform if it has no part of a CPU, and all its tasks that take part are plain. */
static inline bool vcs_has_whole_cpus(const vcs_state *state) {
    return vcs_resources(state)[0].capacity % VCS_ONE == 0;
}

/* A task of one CPU, without a limit. */
static inline bool vcs_is_plain_task(const vcs_state *state, const vcs_prepared_task *task) {
    return task->resource == 0 && task->cpu_units == VCS_ONE &&
           vcs_projects(state)[task->project].max_concurrent == 0 &&
           (task->app == VCS_NONE || vcs_apps(state)[task->app].max_concurrent == 0);
}

/* Bytes of scratch memory that this takes at most. */
uint64_t vcs_uniform_scratch(const vcs_counts *counts);

/* Lays out the queues of a state's tasks. Returns false if the host is not uniform, or its keys cannot be compared. */
bool vcs_uniform_lay_out(vcs_uniform *u, vcs_state *state);

/* The terms of a competitor's key follow its account. */
void vcs_uniform_follow(vcs_uniform *u, uint32_t competitor);

#endif
