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

#include "vcsched/core/compiler.h"
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

/* With room for so many `heads` behind the limits, and as many in `next`. Inline, so that measuring is a few
   additions. */
VCS_INLINE void vcs_classes_allocate(vcs_general *g, const vcs_counts *counts, vcs_arena *arena, uint64_t heads) {
    const uint64_t project_resources = counts->projects * counts->resources;
    const uint64_t unit_limits = project_resources + (counts->app_resources > 0 ? counts->apps * counts->resources : 0);
    const uint64_t start = counts->projects + counts->apps + 1 + unit_limits + heads;
    vcs_sliced_allocate(&g->sim, counts, arena);
    g->classes = vcs_arena_allocate(arena, counts->tasks, sizeof(vcs_task_class));
    g->limits = vcs_arena_allocate(arena, start, sizeof(uint64_t));
    g->room = vcs_arena_allocate(arena, start, sizeof(uint64_t));
    g->competitors = vcs_arena_allocate(arena, project_resources, sizeof(vcs_general_competitor));
    g->offers = vcs_arena_allocate(arena, project_resources, sizeof(vcs_sliced_offer));
    void *const tasks = vcs_arena_allocate(arena, 2 * counts->tasks, sizeof(vcs_class_task));
    g->tasks = tasks;
    g->known = (vcs_search_tree){.nodes = tasks}; /* no longer needed when tasks are put here */
    g->changed = vcs_arena_allocate(arena, counts->projects, sizeof(uint32_t));
    g->is_changed = vcs_arena_allocate(arena, counts->projects, sizeof(bool));
    g->least_use = vcs_arena_allocate(arena, counts->resources, sizeof(int64_t));
    g->used = vcs_arena_allocate(arena, project_resources, sizeof(int64_t));
    g->device_uses = vcs_arena_allocate(arena, counts->tasks, sizeof(vcs_device_use));
    g->class_of = vcs_arena_allocate(arena, counts->tasks, sizeof(uint32_t));
}

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

/* Adds the load of a GPU task to its project's offers for other resources. */
static inline void vcs_add_load(vcs_sliced_offer *below, double load) {
    for (; below != NULL; below = below->below) {
        below->load += load * below->load_weight;
    }
}

/* Adds up the units free on the devices; a remainder within VCS_DEVICE_EXCESS does not count. */
static inline void vcs_add_up_free(const vcs_devices *devices, vcs_sliced_resource *resource) {
    resource->free = resource->parts = 0;
    for (uint32_t i = 0; i < devices->count; i++) {
        const int64_t free = devices->free[i];
        if (free > VCS_DEVICE_EXCESS) {
            *(free >= resource->least_part ? &resource->free : &resource->parts) += free;
        }
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

/* Begins with classes: what holds for all of them. And the class of a task, which is opened with its first task. */
void vcs_classes_open(vcs_general *g, vcs_state *state);
uint32_t vcs_find_class(vcs_general *g, const vcs_prepared_task *task);

/* Notes the use by each project, and the idle instances, from the start. */
void vcs_general_note_first_pick(vcs_general *g);

/* Bytes of scratch memory needed at most. */
uint64_t vcs_general_scratch(const vcs_counts *counts);

/* Begins with the tasks of a state, in order of arrival and without slices. */
void vcs_general_open(vcs_general *g, vcs_state *state);

/* Lays out the tasks in classes, in their order. Nothing runs yet. */
void vcs_general_lay_out(vcs_general *g);

#endif
