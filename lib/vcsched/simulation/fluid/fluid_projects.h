/*
 * The fluid simulation in memory: the projects, their CPUs, and their shortfalls.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_FLUID_FLUID_PROJECTS_H
#define VCS_SIMULATION_FLUID_FLUID_PROJECTS_H

#include "vcsched/simulation/fluid/fluid_order.h"
#include "vcsched/core/min_tree.h"
#include "vcsched/core/number.h"

#include <stdint.h>
#include <string.h>

/* A project. Without tasks, only `first` and `tasks` are set. */
typedef struct vcs_fluid_project {
    double weight;          /* weight in the division */
    double due;             /* CPUs that are its part by share */
    double use;             /* CPUs that it uses now */
    double used_now;        /* CPUs that it uses from the start */
    double shortfall;       /* its shortfall up to shortfall_time, instance-seconds */
    double shortfall_time;  /* s from now */
    double pace;            /* seconds for a second of progress of each running task; +infinity = no progress */
    double base_time;       /* when this pace began, s from now */
    double base_progress;   /* progress at base_time, s */
    vcs_fluid_batch *first; /* the first batch to end; the others are linked behind it */
    vcs_fluid_batch *next;  /* the first batch that has not ended; NULL = all have */
    uint32_t tasks;         /* tasks at the start */
    uint32_t unfinished;    /* tasks that have not ended */
    uint32_t running;       /* tasks that run: as many CPUs as it can use */
    uint32_t full;          /* 1: it uses all the CPUs it can */
    uint32_t rank;          /* which division it takes part in: below VCS_FLUID_RANKS */
} vcs_fluid_project;

/* Two divisions, one after the other: the projects with a share, then the backup projects. */
#define VCS_FLUID_RANKS 2

typedef struct vcs_fluid_rank {
    uint32_t *open; /* projects that are not full */
    uint32_t open_count;
    uint32_t full_use; /* CPUs that full projects use */
} vcs_fluid_rank;

typedef struct vcs_fluid {
    double buffer_end; /* s from now */
    double horizon;    /* s from now */
    uint64_t budget;   /* steps */
    uint32_t cpus;
    uint32_t project_count;
    vcs_fluid_project *projects;     /* as in the state */
    const uint32_t *order;           /* projects by id, for sums */
    vcs_fluid_batch *batches;        /* [tasks]; the batches of a project are linked */
    vcs_fluid_batch *unused;         /* the first unused batch */
    vcs_fluid_overtaker *overtakers; /* scratch for the order of ends */
    vcs_fluid_rank ranks[VCS_FLUID_RANKS];
    int64_t *next_ends;  /* tree of projects: vcs_fluid_key() of the next end of each */
    uint32_t ends_width; /* leaves of the tree */
    /* now */
    uint32_t running; /* tasks of all projects */
    double time;      /* s from now */
    uint64_t steps;
    uint64_t effort, most_effort;
    double idle; /* idle CPUs */
    /* results */
    double reached;   /* end of counted shortfalls, s from now; +infinity if all tasks have ended */
    double idle_now;  /* idle CPUs at the start */
    double idle_sum;  /* idle instance-seconds up to idle_time */
    double idle_time; /* s from now */
    double saturated; /* when a CPU is first idle, s from now; negative = not yet */
} vcs_fluid;

/* Differences of use or share below this are rounding. */
#define VCS_FLUID_NOTHING 1e-9

/* Later than any end: serves as the horizon where there is none. All times up to it are finite. */
#define VCS_FLUID_NO_HORIZON 1e300

/* A time as an integer of the same order: its bits. Not for negative times, nor for -0. */
static inline int64_t vcs_fluid_key(double time) {
    int64_t bits;
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

/* A time, but no later than the end of the buffer, after which nothing counts. */
static inline double vcs_fluid_in_buffer(const vcs_fluid *f, double time) {
    return time < f->buffer_end ? time : f->buffer_end;
}

/* Shortfall of a project up to `until`, instance-seconds; its use must not change before. */
static inline double vcs_fluid_shortfall(const vcs_fluid *f, const vcs_fluid_project *project, double until) {
    const double shortfall = project->due - project->use;
    if (shortfall > VCS_FLUID_NOTHING) {
        return project->shortfall + shortfall * (vcs_fluid_in_buffer(f, until) - project->shortfall_time);
    }
    return project->shortfall;
}

#endif
