/*
 * The fluid simulation in memory: the projects, what they get, and what is lacking.
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

/* A project, and what it gets now. Of a project without tasks, only `first` and `tasks` are set. */
typedef struct vcs_fluid_project {
    double weight;          /* its weight in the division */
    double due;             /* CPUs that are its part */
    double use;             /* CPUs that it gets */
    double used_now;        /* CPUs that it gets from the start */
    double shortfall;       /* its own shortfall up to shortfall_time, instance-seconds */
    double shortfall_time;  /* s from now */
    double pace;            /* seconds in which each of its running tasks progresses by one second; +infinity = none */
    double base_time;       /* a time since which that is so, */
    double base_progress;   /* and the progress at that time */
    vcs_fluid_batch *first; /* the batch that ends first; the others are linked behind it */
    vcs_fluid_batch *next;  /* the first one that has not ended */
    uint32_t tasks;         /* that it has from the start */
    uint32_t unfinished;    /* those that have not ended */
    uint32_t running;       /* tasks that run; at a whole CPU each, that is how many CPUs it can use */
    uint32_t full;          /* 1: it uses all it can */
    uint32_t rank;          /* VCS_FLUID_RANKS: which division it takes part in */
} vcs_fluid_project;

/* Two divisions, one after the other: the projects with a share, then the backup projects. */
#define VCS_FLUID_RANKS 2

typedef struct vcs_fluid_rank {
    uint32_t *open; /* the projects that are not full */
    uint32_t open_count;
    uint32_t full_use; /* CPUs that the full ones use */
} vcs_fluid_rank;

typedef struct vcs_fluid {
    double buffer_end; /* s from now */
    double horizon;    /* s from now */
    uint64_t budget;   /* steps */
    uint32_t cpus;
    uint32_t project_count;
    vcs_fluid_project *projects;     /* as in the state */
    const uint32_t *order;           /* of the projects, in which sums over them are made: by id */
    vcs_fluid_batch *batches;        /* as many as tasks; those of a project are linked */
    vcs_fluid_batch *unused;         /* the first that is not in use */
    vcs_fluid_overtaker *overtakers; /* scratch for the order of ends */
    vcs_fluid_rank ranks[VCS_FLUID_RANKS];
    int64_t *next_ends;  /* tree of the projects: when the next task of each ends, as vcs_fluid_key() has it */
    uint32_t ends_width; /* of that tree */
    /* now */
    uint32_t running; /* tasks of all projects */
    double time;      /* s from now */
    uint64_t steps;
    uint64_t effort, most_effort;
    double idle; /* CPUs */
    /* results */
    double reached;   /* up to where shortfalls count, s from now; +infinity if all tasks have ended */
    double idle_now;  /* CPUs from the start */
    double idle_sum;  /* instance-seconds up to idle_time */
    double idle_time; /* s from now */
    double saturated; /* negative while none was ever idle */
} vcs_fluid;

/* Differences of use or share below this are rounding. */
#define VCS_FLUID_NOTHING 1e-9

/* No task ends as late as this: the horizon where there is none. All times up to it are finite. */
#define VCS_FLUID_NO_HORIZON 1e300

/* A time that is not negative, nor -0, as an integer: its bits stand in the same order. */
static inline int64_t vcs_fluid_key(double time) {
    int64_t bits;
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

/* A time, or the end of the buffer if that comes first: what comes after does not count. */
static inline double vcs_fluid_in_buffer(const vcs_fluid *f, double time) {
    return time < f->buffer_end ? time : f->buffer_end;
}

/* The own shortfall of a project up to a time until which its use does not change, instance-seconds. */
static inline double vcs_fluid_shortfall(const vcs_fluid *f, const vcs_fluid_project *project, double until) {
    const double shortfall = project->due - project->use;
    if (shortfall > VCS_FLUID_NOTHING) {
        return project->shortfall + shortfall * (vcs_fluid_in_buffer(f, until) - project->shortfall_time);
    }
    return project->shortfall;
}

#endif
