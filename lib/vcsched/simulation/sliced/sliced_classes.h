/*
 * The general sliced simulation in memory: the tasks in classes.
 *
 * Tasks of one project for one resource form a class if they have the same uses and the same application, which decide
 * what fits. A task that does not fit once does not fit later in the same pick. So a pick takes the first unfinished
 * tasks of a class, and a number says which.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_SLICED_CLASSES_H
#define VCS_SIMULATION_SLICED_SLICED_CLASSES_H

#include "vcsched/core/invariant.h"
#include "vcsched/core/search_tree.h"
#include "vcsched/simulation/limits.h"
#include "vcsched/simulation/sliced/sliced_common.h"

/* Ends a list of arrivals: later than any task. */
#define VCS_NO_TASK UINT64_MAX

/* An unfinished task of a class. */
typedef struct vcs_class_task {
    int64_t time;     /* microseconds: when it finishes if it runs, else its remaining run time */
    uint64_t arrival; /* index in `order`; in the low half, its class */
} vcs_class_task;

/* Fields that change in a step, and fields that a pick reads, come first. */
typedef struct vcs_task_class {
    vcs_class_task *tasks; /* unfinished tasks in order of arrival, the running ones first; VCS_NO_TASK ends the list */
    uint32_t unfinished;
    uint32_t picked;     /* tasks to run by the present pick */
    uint32_t running;    /* tasks that run */
    uint32_t settled;    /* tasks that its project is charged for */
    int64_t units;       /* use of the resource by one task */
    double step;         /* how much one task raises the key of its competitor */
    int64_t next_finish; /* VCS_NEVER if no task of it runs */
    uint32_t project;
    uint32_t app_limit; /* index of its application in `limits`, if the application decides what fits */
    bool is_limited;    /* its project or its application has a limit */
    bool has_device_limit;             /* one on the tasks on each device */
    bool is_at_device_limit;           /* that alone keeps some task of it from running after the present pick */
    uint32_t project_units, app_units; /* indices in `limits` of those in instances */
    uint32_t task;                     /* one of its tasks */
    uint32_t competitor;
    uint32_t usage, cpu_usage; /* indices of its project's usages: of the resource and of the CPU */
    int64_t cpu_units;         /* use of the CPU by one GPU task; 0 for a CPU task */
    uint64_t allowed;          /* devices of its GPU type that it may use */
    double other_load;         /* units that a GPU task adds to its project's loads on other resources */
} vcs_task_class;

/* The classes of a competitor. */
typedef struct vcs_general_competitor {
    uint32_t classes;
    uint32_t first_head; /* index of their tasks in `heads` and `next` */
    uint32_t root;       /* of their tree in `known` */
} vcs_general_competitor;

/*
 * The tasks that a competitor offers to the present pick, and the factors that turn REC into a key. The offers for a
 * resource stand by group, then by project id: within a group, the first of two equal keys goes first.
 */
typedef struct vcs_sliced_offer {
    const double *rec;              /* REC of its account, in vcs_general.rec */
    double weight;                  /* key per credit a day */
    double load;                    /* key added by GPU tasks of this pick */
    double load_weight;             /* key per unit of load */
    uint64_t *next;                 /* its next task; VCS_NO_TASK = none to try */
    uint64_t *first;                /* start of its tasks in vcs_general.next */
    struct vcs_sliced_offer *below; /* the next offer that tasks picked of this one add load to; NULL = none */
    uint32_t competitor;
} vcs_sliced_offer;

/* A slice under way when the simulation begins. */
typedef struct vcs_slice {
    int64_t end;       /* microseconds: of the slice, or of the task if that is sooner */
    uint64_t devices;  /* on which its task runs; 0 = not known, or a CPU task */
    int64_t loss;      /* microseconds of work lost if its task stopped when the simulation begins */
    uint32_t class;    /* of its task */
    uint32_t resource;
} vcs_slice;

/* A place in line. Small, since offers change places all the time. */
typedef struct vcs_sliced_place {
    double key;
    vcs_sliced_offer *offer; /* NULL at both ends of a group, where the key is less or greater than any */
} vcs_sliced_place;

/* The offers for a resource, group by group, best first. */
typedef struct vcs_sliced_line {
    vcs_sliced_place *first, *end; /* the first place, and the end of the last group */
} vcs_sliced_line;

/* Approximate keys serve for half as many tasks; the other half allows for the roundings of any key. */
#define VCS_MOST_APPROXIMATE 0x1p22

typedef struct vcs_general {
    vcs_sliced sim;
    uint32_t class_count, account_count;
    bool needs_exact; /* approximate keys cannot be compared: numbers are too large, too small or too many */
    vcs_task_class *classes;
    vcs_class_task *tasks; /* of all classes */
    const uint32_t *order; /* tasks with slices, then by arrival; classes keep this order */
    uint32_t *own_order;   /* memory for it, if some have slices */
    vcs_slice *slices;     /* by end, the last first */
    uint32_t slice_count;
    uint32_t *class_of;    /* the class of each task, by place in `order` */
    vcs_search_tree known; /* a tree of classes per competitor, to find the class of a task */
    vcs_general_competitor *competitors;
    /* at the start of a pick, and left in the present pick; heads and next stand behind limits and room in memory */
    uint64_t *limits, *room; /* tasks that may run: per project, per application, and without; then, if there is such
                                a limit, units for each of them on each resource; UINT64_MAX = no limit */
    vcs_device_use *device_uses; /* by the tasks picked for a resource that have a limit per device */
    uint32_t device_use_count;
    uint64_t *heads, *next;  /* per competitor: arrivals of the next task of each class, in order, and VCS_NO_TASK */
    uint32_t limit_count;
    uint32_t *accounts;       /* accounts of projects with tasks */
    double *rec;              /* per account: REC that the present pick ranks by, exact or nearly */
    int64_t *least_use;       /* per resource: units of the smallest task */
    int64_t *used;            /* units in use by running tasks, project by project */
    vcs_sliced_offer *offers; /* per competitor */
    vcs_sliced_place *places;
    vcs_sliced_line *lines; /* per resource */
    vcs_cpus all_cpus;      /* all free */
    /* the present pick */
    uint32_t *listed; /* classes with tasks that ran until now, then classes with tasks that start to run */
    uint32_t listed_count, settled_count;
    uint32_t *changed; /* scratch: projects with another number of tasks to run */
    bool *is_changed;  /* per project: it is in `changed` */
    int64_t *taken;    /* units that a pick by exact keys has occupied, project by project */
    vcs_cpus cpus;
    vcs_devices devices; /* of the present resource */
    uint32_t due;        /* the class that finishes first; VCS_NONE = several */
    int64_t held;        /* units of the first wide task that the present pick refused for want of room; 0 = none */
} vcs_general;

/*
 * Replaces the first task of an ordered list, which VCS_NO_TASK ends before `end`, by a later task, in order. Adds the
 * number of tasks before it to the effort.
 */
static inline void vcs_replace_first(uint64_t *next, const uint64_t *end, uint64_t later, uint64_t *effort) {
    for (;; next++) {
        VCS_INVARIANT(next < end - 1); /* VCS_NO_TASK ends the list */
        if (next[1] >= later) {
            break;
        }
        next[0] = next[1];
        ++*effort;
    }
    *next = later;
}

/* Whether the limits of its project and application let one more task of a class run. */
static inline bool vcs_has_room(const vcs_general *g, const vcs_task_class *class) {
    const uint64_t units = (uint64_t) class->units;
    return g->room[class->project] > 0 && g->room[class->app_limit] > 0 && g->room[class->project_units] >= units &&
           g->room[class->app_units] >= units;
}

/* Counts one more against the limits of its project and application. */
static inline void vcs_use_room(vcs_general *g, const vcs_task_class *class) {
    if (class->is_limited) {
        g->room[class->project]--;
        g->room[class->app_limit]--;
        g->room[class->project_units] -= (uint64_t) class->units;
        g->room[class->app_units] -= (uint64_t) class->units;
    }
}

static inline const vcs_prepared_task *vcs_task_of_class(const vcs_general *g, const vcs_task_class *class) {
    VCS_INVARIANT(class->task < g->sim.state->task_count); /* one of its tasks */
    return &vcs_prepared_tasks(g->sim.state)[class->task];
}

/* The devices that limits leave to one more task of a class. */
static inline uint64_t vcs_devices_within_limits(vcs_general *g, const vcs_task_class *class) {
    const vcs_prepared_task *task = vcs_task_of_class(g, class);
    g->sim.effort += g->device_use_count;
    return class->allowed & ~(vcs_devices_full_for_project(g->sim.state, task, g->device_uses, g->device_use_count) |
                              vcs_devices_full_for_app(g->sim.state, task, g->device_uses, g->device_use_count));
}

/* Counts a task of a class with a limit per device towards it. */
static inline void vcs_note_device_use(vcs_general *g, const vcs_task_class *class, uint64_t devices) {
    const vcs_prepared_task *task = vcs_task_of_class(g, class);
    VCS_INVARIANT(g->device_use_count < g->sim.state->task_count); /* each task is picked once */
    g->device_uses[g->device_use_count++] =
        (vcs_device_use){.devices = devices, .project = task->project, .app = task->app, .resource = task->resource};
}

/* Adds the load of a GPU task to its project's offers for other resources. */
static inline void vcs_add_load(vcs_sliced_offer *below, double load) {
    for (; below != NULL; below = below->below) {
        below->load += load * below->load_weight;
    }
}

/* Counts a task picked of class k. */
static inline void vcs_count_picked(vcs_general *g, vcs_task_class *class, uint32_t k) {
    const uint32_t picked = class->picked;
    VCS_INVARIANT(picked < g->sim.state->task_count); /* there is one more */
    if (class->settled == 0 && picked == 0) {
        VCS_INVARIANT(g->listed_count < g->class_count); /* the class is not listed yet */
        g->listed[g->listed_count++] = k;
    }
    class->picked = picked + 1;
}

/* Bytes of scratch memory needed at most. */
uint64_t vcs_general_scratch(const vcs_counts *counts);

/* Begins with the tasks of a state, in order of arrival and without slices. */
void vcs_general_open(vcs_general *g, vcs_state *state);

/* Lays out the tasks in classes, in their order. Nothing runs yet. */
void vcs_general_lay_out(vcs_general *g);

#endif
