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

/* What changes in a step, and what a pick looks at, comes first. */
typedef struct vcs_task_class {
    vcs_class_task *tasks; /* the unfinished ones in order of arrival; those that run come first */
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
    uint32_t resource;
    uint32_t competitor;
    uint32_t first_usage; /* of the project: on the CPU */
    int64_t cpu_units;    /* that it uses of the CPU beside a GPU; 0 for a task of the CPU */
    uint64_t allowed;     /* devices of its GPU type that it may use */
    double other_load;    /* of a GPU task: what it adds to the loads by which its project is ranked elsewhere, units */
} vcs_task_class;

/* The classes of a competitor. */
typedef struct vcs_general_competitor {
    uint32_t first_class, end_class;
    uint32_t root; /* of them in `known` */
} vcs_general_competitor;

/*
 * What a competitor offers to the present pick, and what turns its REC into a key. Those of a resource stand by group,
 * then by project id: of two in a group with equal keys, the first one goes first.
 */
typedef struct vcs_sliced_offer {
    vcs_sliced_account *account;
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
    vcs_sliced_offer *offer; /* NULL behind the last one of a group: there the key is greater than any */
} vcs_sliced_place;

/* The offers for a resource, group by group, the best one first. */
typedef struct vcs_sliced_line {
    vcs_sliced_place *first, *end;
} vcs_sliced_line;

/* With half as many tasks approximate keys serve; the other half is for the roundings of any key. */
#define VCS_MOST_APPROXIMATE 0x1p22

typedef struct vcs_general {
    vcs_sliced sim;
    uint32_t class_count, account_count;
    bool may_be_tiny;        /* REC of an account might have become so small that approximate keys do not serve */
    bool needs_exact;        /* approximate keys cannot be compared: numbers are too large, too small or too many */
    vcs_task_class *classes; /* those of a competitor stand together */
    vcs_class_task *tasks;   /* of all classes */
    vcs_search_tree known;   /* the classes of each competitor, while tasks are looked up in them */
    vcs_general_competitor *competitors;
    /* per class of each competitor in order of arrival, as vcs_next_of() has it, and VCS_NO_TASK behind its last one */
    uint64_t *heads;          /* the first task */
    uint64_t *next;           /* the task that comes next in the present pick */
    uint32_t *accounts;       /* those of projects with tasks */
    double *rec;              /* per competitor: now, if the pick is by exact keys */
    int64_t *least_use;       /* per resource: units that the smallest task uses */
    uint32_t *limits;         /* tasks that may run, of each project, application and none; UINT32_MAX = no limit */
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
    uint32_t *room;    /* what is left of the limits */
    int64_t *taken;    /* units that it takes, project by project, if it is by exact keys */
    vcs_cpus cpus;
    vcs_devices devices; /* of the resource that it is at */
    uint32_t due;        /* the class that finishes first; VCS_NONE = several do */
} vcs_general;

/* After all tasks. */
#define VCS_NO_TASK UINT64_MAX

/* The task of class k that follows `count` others: when it arrived and, in the low half, the class. */
static inline uint64_t vcs_next_of(const vcs_task_class *class, uint32_t k, uint32_t count) {
    return count < class->unfinished ? (uint64_t) class->tasks[count].arrival << 32 | k : VCS_NO_TASK;
}

/* Puts a later task in the place of the first of these; the others stay in order. Returns how many go before it. */
static inline uint64_t vcs_replace_first(uint64_t *next, uint64_t later) {
    const uint64_t *const first = next;
    for (; next[1] < later; next++) {
        next[0] = next[1];
    }
    *next = later;
    return (uint64_t)(next - first);
}

/* Where in `heads` and `next` a competitor's tasks are. */
static inline uint32_t vcs_first_head(const vcs_general *g, uint32_t competitor) {
    return g->competitors[competitor].first_class + competitor;
}

/* Bytes of scratch memory that this takes at most. */
uint64_t vcs_general_scratch(const vcs_counts *counts);

/* Lays out the classes of a state's tasks. Nothing runs yet. */
void vcs_general_lay_out(vcs_general *g, vcs_state *state);

#endif
