/*
 * The simulation without turns in memory: tasks that wait, in two orders, and tasks that run.
 *
 * Tasks that fit alike, and count against the same limits, are a class (sliced_classes.h). Each class offers its first
 * task by deadline: if that does not fit, no other task of the class does. A tree over all tasks by deadline finds the
 * next offer that is small enough, however many others wait. A second tree, class by class, finds the first task of a
 * class that ends soon enough. A tree of the tasks that run has them by finish.
 *
 * Rule 15.4; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_TO_THE_END_QUEUES_H
#define VCS_SIMULATION_SLICED_TO_THE_END_QUEUES_H

#include "vcsched/core/min_tree.h"
#include "vcsched/core/search_tree.h"
#include "vcsched/simulation/sliced/sliced_classes.h"

/*
 * A task has a rank, its place in the order of resources, then of deadlines; and a seat, its place in the order of
 * classes, then of deadlines.
 */
typedef struct vcs_to_the_end {
    vcs_general g;        /* classes, limits and uses; it takes no turns */
    uint32_t count;       /* tasks that take part */
    uint32_t width;       /* leaves of a tree over them */
    uint32_t *order;      /* tasks by rank */
    uint32_t *seats;      /* seats by rank */
    uint32_t *ranks;      /* ranks by seat */
    uint32_t *first_rank; /* per resource; then `count` */
    uint32_t *first_seat; /* per class; then `count` */
    uint32_t *offers;     /* per class: the rank of the task that it offers; VCS_NONE = none */
    int64_t *offered;     /* tree over ranks: units of the tasks that are offered, of one device at most */
    int64_t *waiting;     /* tree over seats: run times of the tasks that wait */
    /* tasks that run, by seat */
    vcs_search_tree running; /* by finish */
    uint32_t root;
    uint32_t changed_count; /* projects in g.changed */
    int64_t *finishes;      /* microseconds from the start */
    uint64_t *devices_of;   /* of GPU tasks */
    vcs_devices *devices;   /* per GPU type: vcs_devices_of() */
    uint32_t cpu_tasks;     /* CPU tasks among them that use CPUs */
    /* the first pick */
    uint32_t *listed;      /* ranks: of tasks that ran until now, in the order in which they are asked to go on */
    uint32_t unable_count; /* so many of them cannot: they move to its front */
} vcs_to_the_end;

/* Bytes of scratch memory needed at most. */
uint64_t vcs_to_the_end_scratch(const vcs_counts *counts);

/* Lays out the tasks of a state. None waits or runs yet. */
void vcs_to_the_end_open(vcs_to_the_end *e, vcs_state *state);

/* Lets a class offer its first waiting task of a run time up to `longest`, if there is one. O(log(tasks)). */
void vcs_to_the_end_offer(vcs_to_the_end *e, uint32_t k, int64_t longest);

/* A task runs from now on, on these devices; or it finishes now. O(log(tasks)) and the limits per device. */
void vcs_to_the_end_start(vcs_to_the_end *e, uint32_t rank, uint64_t devices);
void vcs_to_the_end_finish(vcs_to_the_end *e, uint32_t seat);

/* The seat of the task that finishes first; VCS_NO_NODE if none runs. */
static inline uint32_t vcs_to_the_end_first(const vcs_to_the_end *e) {
    return vcs_search_first(&e->running, e->root);
}

static inline uint32_t vcs_class_of_seat(const vcs_to_the_end *e, uint32_t seat) {
    return e->g.class_of[e->ranks[seat]];
}

static inline vcs_devices *vcs_devices_of(const vcs_to_the_end *e, uint32_t gpu) {
    return &e->devices[gpu - 1];
}

static inline uint32_t vcs_resource_of_class(const vcs_to_the_end *e, const vcs_task_class *class) {
    return e->g.sim.competitors[class->competitor].resource;
}

/* CPUs once a task has given back what it used, `cpu_tasks` of the CPU run, and `all` were free at first. */
static inline void vcs_cpus_give_back(vcs_cpus *cpus, const vcs_cpus *all, int64_t units, uint32_t cpu_tasks) {
    cpus->free += units;
    cpus->shares_count = all->shares_count || cpu_tasks > 0;
    cpus->largest = cpus->shares_count ? vcs_largest_beside(cpus->free, cpus->spare) : all->largest;
}

#endif
