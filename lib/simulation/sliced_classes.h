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
    uint32_t running;
    uint32_t picked;   /* how many the present pick has taken */
    uint32_t app;      /* VCS_NONE */
    int64_t units;     /* that one task uses of the resource */
    int64_t cpu_units; /* that it uses of the CPU beside a GPU; 0 for a task of the CPU */
    uint64_t allowed;  /* devices of its GPU type that it may use */
    double step;       /* by how much a task raises the key of its competitor */
} vcs_task_class;

/* What a competitor offers to the pick. */
typedef struct vcs_sliced_offer {
    uint32_t first_class, end_class;
    double weight; /* turns REC into a key */
} vcs_sliced_offer;

typedef struct vcs_general {
    vcs_sliced sim;
    uint32_t class_count;
    bool has_zero_uses;       /* a task of the CPU uses nothing of it */
    bool needs_exact;         /* keys are so large or small that approximate ones cannot be compared */
    vcs_task_class *classes;  /* those of a competitor stand together */
    vcs_class_task *tasks;    /* of all classes */
    int64_t *next_finish;     /* per class; VCS_NEVER if none of it runs */
    vcs_sliced_offer *offers; /* per competitor */
    uint32_t *limits;         /* how many tasks may run, per project, then per application; UINT32_MAX = no limit */
    double *rec;              /* per account: as it is at rec_time */
    int64_t *rec_time;
    /* the present pick */
    uint64_t *next; /* per class: arrival of the task that it offers next and, in the low half, the class itself */
    double *keys;   /* per competitor: of its next task; VCS_INFINITY once it has nothing to offer */
    uint32_t *room; /* what is left of the limits */
    int64_t *used;  /* units that it takes, project by project */
    vcs_cpus cpus;
    vcs_devices devices; /* of the resource that it is at */
} vcs_general;

/* A class that offers nothing more to the present pick. */
#define VCS_NO_OFFER UINT64_MAX

/* Bytes of scratch memory that this takes at most. */
uint64_t vcs_general_scratch(const vcs_counts *counts);

/* Lays out the classes of a state's tasks. Nothing runs yet. */
void vcs_general_lay_out(vcs_general *g, vcs_state *state);

#endif
