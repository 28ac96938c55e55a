/*
 * The general sliced simulation in memory: the tasks in classes.
 *
 * Tasks of one project for one resource that are alike in what decides whether they fit, their uses and their
 * application, form a class. In one pick what does not fit once does not fit later either; so what a pick takes of a
 * class are the first of its unfinished tasks, and a number says which.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_SLICED_CLASSES_H
#define VCS_SIMULATION_SLICED_SLICED_CLASSES_H

#include "vcsched/core/invariant.h"
#include "vcsched/core/search_tree.h"
#include "vcsched/simulation/fit.h"
#include "vcsched/simulation/sliced/sliced_common.h"

/* Arrives after all tasks. */
#define VCS_NO_TASK UINT64_MAX

/* A task among the unfinished ones of its class. */
typedef struct vcs_class_task {
    int64_t time;     /* microseconds: when it finishes if it runs, else how long it still has to */
    uint64_t arrival; /* its place in the order of arrival and, in the low half, its class */
} vcs_class_task;

/* What changes in a step, and what a pick looks at, comes first. */
typedef struct vcs_task_class {
    vcs_class_task *tasks; /* the unfinished ones in order of arrival, those that run first; behind them VCS_NO_TASK */
    uint32_t unfinished;
    uint32_t picked;     /* how many are to run by the present pick */
    uint32_t running;    /* how many run */
    uint32_t settled;    /* how many its project is charged for */
    int64_t units;       /* that one task uses of the resource */
    double step;         /* by how much it raises the key of its competitor */
    int64_t next_finish; /* VCS_NEVER if none of it runs */
    uint32_t project;
    uint32_t app_limit; /* where in `limits` that of its application is, if that decides what fits */
    bool is_limited;    /* its project or its application has a limit */
    uint32_t competitor;
    uint32_t usage, cpu_usage; /* of its project, on the resource and on the CPU */
    int64_t cpu_units;         /* that it uses of the CPU beside a GPU; 0 for a task of the CPU */
    uint64_t allowed;          /* devices of its GPU type that it may use */
    double other_load; /* of a GPU task: what it adds to the loads by which its project is ranked elsewhere, units */
} vcs_task_class;

/* The classes of a competitor. */
typedef struct vcs_general_competitor {
    uint32_t classes;
    uint32_t first_head; /* where in `heads` and `next` their tasks are */
    uint32_t root;       /* of them in `known` */
} vcs_general_competitor;

/*
 * What a competitor offers to the present pick, and what turns its REC into a key. Those of a resource stand by group,
 * then by project id: of two in a group with equal keys, the first one goes first.
 */
typedef struct vcs_sliced_offer {
    const double *rec;              /* of its account, in `rec` */
    double weight;                  /* key per credit a day */
    double load;                    /* key that the tasks picked for GPUs add */
    double load_weight;             /* key per unit of load */
    uint64_t *next;                 /* its next task; VCS_NO_TASK = it has none to try */
    uint64_t *first;                /* where its tasks are in `next` */
    struct vcs_sliced_offer *below; /* the next one to whose load adds what is picked of this one; NULL = none */
    uint32_t competitor;
} vcs_sliced_offer;

/* A place in line. Small, since offers change places all the time. */
typedef struct vcs_sliced_place {
    double key;
    vcs_sliced_offer *offer; /* NULL at both ends of a group: there the key is less or greater than any */
} vcs_sliced_place;

/* The offers for a resource, group by group, the best one first. */
typedef struct vcs_sliced_line {
    vcs_sliced_place *first, *end; /* the first one's, and that behind the last one */
} vcs_sliced_line;

/* With half as many tasks approximate keys serve; the other half is for the roundings of any key. */
#define VCS_MOST_APPROXIMATE 0x1p22

typedef struct vcs_general {
    vcs_sliced sim;
    uint32_t class_count, account_count;
    bool needs_exact; /* approximate keys cannot be compared: numbers are too large, too small or too many */
    vcs_task_class *classes;
    vcs_class_task *tasks; /* of all classes */
    vcs_search_tree known; /* the classes of each competitor, while tasks are looked up in them */
    vcs_general_competitor *competitors;
    /* what a pick begins with, and what the present one has left of it; the tasks stand behind the limits */
    uint64_t *limits, *room; /* tasks that may run, of each project, application and none; UINT64_MAX = no limit */
    uint64_t *heads, *next; /* of each competitor: arrivals of the next task of each class, in order, and VCS_NO_TASK */
    uint32_t limit_count;
    uint32_t *accounts;       /* those of projects with tasks */
    double *rec;              /* of each account, or nearly, as the present pick ranks by it */
    int64_t *least_use;       /* per resource: units that the smallest task uses */
    int64_t *used;            /* units, project by project, by the tasks that run */
    vcs_sliced_offer *offers; /* per competitor */
    vcs_sliced_place *places;
    vcs_sliced_line *lines; /* per resource */
    vcs_cpus all_cpus;      /* nothing is picked yet */
    /* the present pick */
    uint32_t *listed; /* the classes of which a task is to run, or was until now: those come first */
    uint32_t listed_count, settled_count;
    uint32_t *changed; /* scratch: the projects of those of which another number is to run */
    bool *is_changed;  /* per project: it is one of these */
    int64_t *taken;    /* units that it takes, project by project, if it is by exact keys */
    vcs_cpus cpus;
    vcs_devices devices; /* of the resource that it is at */
    uint32_t due;        /* the class that finishes first; VCS_NONE = several do */
} vcs_general;

/*
 * Puts a later task in the place of the first of these, which end before `end`; the others stay in order. Adds how many
 * go before it.
 */
static inline void vcs_replace_first(uint64_t *next, const uint64_t *end, uint64_t later, uint64_t *effort) {
    for (;; next++) {
        VCS_INVARIANT(next < end - 1); /* the last one is VCS_NO_TASK, which nobody is behind */
        if (next[1] >= later) {
            break;
        }
        next[0] = next[1];
        ++*effort;
    }
    *next = later;
}

/* Bytes of scratch memory that this takes at most. */
uint64_t vcs_general_scratch(const vcs_counts *counts);

/* Lays out the classes of a state's tasks. Nothing runs yet. */
void vcs_general_lay_out(vcs_general *g, vcs_state *state);

#endif
