/*
 * The general sliced simulation in memory: the tasks in classes.
 *
 * Tasks of one project for one resource that are alike in what decides whether they fit, their uses and their
 * application, form a class. In one pick what does not fit once does not fit later either; so what a pick takes of a
 * class are the first of its unfinished tasks, and a number says which.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_CLASSES_H
#define VCS_SIMULATION_SLICED_CLASSES_H

#include "core/search_tree.h"
#include "simulation/fit.h"
#include "simulation/sliced_common.h"

/* A task among the unfinished ones of its class. */
typedef struct vcs_class_task {
    int64_t time; /* microseconds: when it finishes if it runs, else how long it still has to */
    uint32_t task;
    uint32_t arrival; /* its place in the order of arrival */
} vcs_class_task;

typedef struct vcs_task_class {
    vcs_class_task *tasks; /* the unfinished ones in order of arrival; those that run come first */
    uint32_t unfinished;
    uint32_t app_limit;   /* where in `limits` that of its application is, if that decides what fits */
    int64_t units;        /* that one task uses of the resource */
    int64_t cpu_units;    /* that it uses of the CPU beside a GPU; 0 for a task of the CPU */
    uint64_t allowed;     /* devices of its GPU type that it may use */
    double step;          /* by how much it raises the key of its competitor */
    double cpu_load;      /* of a GPU task: what it adds to the load by which its project is ranked on the CPU, units */
    uint32_t cpu_account; /* for which that counts */
    uint32_t competitor;
    uint32_t project;
    uint32_t first_usage; /* of the project: on the CPU */
    bool is_limited;      /* its project or its application has a limit */
} vcs_task_class;

/* A competitor with its classes, and what turns its REC and its load into a key. */
typedef struct vcs_general_competitor {
    double weight;      /* key per credit a day */
    double load_weight; /* key per unit of load */
    uint32_t project, resource;
    uint32_t account;
    uint32_t first_class, end_class;
    uint32_t root; /* of its classes in `known` */
} vcs_general_competitor;

/* What a competitor offers to the present pick. */
typedef struct vcs_sliced_offer {
    double key;
    uint32_t group; /* lower goes first, whatever the key */
    uint32_t competitor;
    uint32_t first, end; /* where its classes are */
    uint32_t next;       /* where in `next` its next task is; `end` = it has none to try */
    uint32_t unused;
} vcs_sliced_offer;

/* With half as many tasks approximate keys serve; the other half is for the roundings of any key. */
#define VCS_MOST_APPROXIMATE 0x1p22

typedef struct vcs_general {
    vcs_sliced sim;
    uint32_t class_count, account_count;
    bool needs_exact; /* approximate keys cannot be compared: numbers are too large, too small or too many */
    /* per class; those of a competitor stand together */
    vcs_task_class *classes;
    int64_t *next_finish; /* VCS_NEVER if none of it runs */
    uint32_t *running;    /* how many of it run */
    uint32_t *settled;    /* how many its project is charged for */
    uint32_t *changed;    /* scratch: the projects of those of which another number is to run */
    uint32_t *picked;     /* how many are to run by the present pick */
    /* per class of each competitor in order of arrival, as vcs_next_of() has it */
    uint64_t *heads; /* the first task */
    uint64_t *next;  /* the task that comes next in the present pick */
    /* per competitor */
    vcs_general_competitor *competitors;
    vcs_sliced_offer *offers; /* those for a resource stand together, the best one first */
    /* others */
    vcs_class_task *tasks; /* of all classes */
    vcs_search_tree known; /* the classes of each competitor, while tasks are looked up in them */
    uint32_t *accounts;    /* those of projects with tasks */
    double *rec;           /* per account: now */
    int64_t *least_use;    /* per resource: units that the smallest task uses */
    uint32_t *limits;      /* tasks that may run, of each project, application and none; UINT32_MAX = no limit */
    int64_t *used;         /* units, project by project, by the tasks that run */
    /* the present pick */
    uint32_t *room; /* what is left of the limits */
    int64_t *taken; /* units that it takes, project by project, if it is by exact keys */
    double *load;   /* per account, in units of a CPU; with local accounting of the resource */
    vcs_cpus cpus;
    vcs_devices devices; /* of the resource that it is at */
} vcs_general;

/* After all tasks. */
#define VCS_NO_TASK UINT64_MAX

/* The task of class k that follows `count` others: when it arrived and, in the low half, the class. */
static inline uint64_t vcs_next_of(const vcs_task_class *class, uint32_t k, uint32_t count) {
    return count < class->unfinished ? (uint64_t) class->tasks[count].arrival << 32 | k : VCS_NO_TASK;
}

/* Puts a later task in the place of the first of these; the others stay in order. Returns how many go before it. */
static inline uint64_t vcs_replace_first(uint64_t *next, const uint64_t *end, uint64_t later) {
    const uint64_t *const first = next;
    for (; next + 1 < end && next[1] < later; next++) {
        next[0] = next[1];
    }
    *next = later;
    return (uint64_t)(next - first);
}

/* Bytes of scratch memory that this takes at most. */
uint64_t vcs_general_scratch(const vcs_counts *counts);

/* Lays out the classes of a state's tasks. Nothing runs yet. */
void vcs_general_lay_out(vcs_general *g, vcs_state *state);

#endif
