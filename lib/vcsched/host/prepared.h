/*
 * The prepared state inside the library: vcs_state_prepare() lays it out, and decisions read it.
 *
 * It lies in the caller's work memory, piece by piece, found by offsets from its start. So a state can be moved or
 * copied as a whole.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_PREPARED_H
#define VCS_HOST_PREPARED_H

#include "vcsched/core/arena.h"
#include "vcsched/core/number.h"

#include <stddef.h>
#include <vcsched/simulation.h>
#include <vcsched/fetch.h>
#include <vcsched/parameters.h>
#include <vcsched/host.h>
#include <vcsched/schedule.h>

/* A resource, in the units of the simulations. */
typedef struct vcs_prepared_resource {
    uint64_t id;
    int64_t capacity;   /* units, without the reserve for other programs */
    uint32_t instances; /* the last one perhaps in part */
    uint32_t suspended; /* 1: nothing may use it */
    double flops;       /* of one instance */
    double usable;
    double speed; /* flops of one instance over flops of a CPU */
} vcs_prepared_resource;

/* A task or candidate: its record, then the same in the units of the simulations. */
typedef struct vcs_prepared_task {
    /* as in vcs_task */
    uint64_t id;
    uint32_t project;
    uint32_t app;      /* VCS_NONE = none */
    uint32_t resource; /* the GPU type, or 0 for a task of the CPU */
    uint32_t flags;    /* VCS_TASK_* */
    double cpus, gpus;
    double remaining; /* device seconds */
    double deadline;  /* a time; may be +infinity */
    double received;  /* a time */
    double ram;       /* bytes */
    double running_since;
    double since_checkpoint;
    /* derived */
    int64_t run_time; /* wall microseconds, remaining / usable */
    int64_t cpu_units;
    int64_t gpu_units;
    uint32_t takes_part; /* 1: neither it, nor its project, nor its resource is suspended, and it is not given up */
    uint32_t can_start;  /* 1: it takes part, its files are there, and its resource is not paused */
    uint64_t given_up;   /* VCS_REASON_*: why it is given up; 0 = it is not */
} vcs_prepared_task;

/* Units that a task uses of its own resource. */
static inline int64_t vcs_use_of(const vcs_prepared_task *task) {
    return task->resource != 0 ? task->gpu_units : task->cpu_units;
}

/* What the applications of a project tell of their tasks for a resource: vcs_app_resource.use. */
typedef struct vcs_declared_use {
    int64_t narrowest, widest; /* units that a task uses, at least 1; 0 = not known */
    uint32_t apps;             /* applications of the project */
    uint32_t possible;         /* those of them that may have tasks for the resource */
} vcs_declared_use;

/* Size of the part copied from vcs_task. */
#define VCS_PREPARED_TASK_RECORD offsetof(vcs_prepared_task, run_time)

/* A time that never comes: of a finish, or of a missing limit. */
#define VCS_NEVER INT64_MAX

/* Which results a state holds: vcs_state.has */
#define VCS_HAS_WRR 0x1u
#define VCS_HAS_EDF 0x2u
#define VCS_HAS_QUEUE 0x4u /* admission has placed the queue */
#define VCS_HAS_SCHEDULE 0x8u
#define VCS_HAS_FETCH 0x10u
#define VCS_HAS_REASONS 0x20u      /* decisions on tasks that do not run, too */
#define VCS_HAS_SHORT_MEMORY 0x40u /* some tasks wait for memory alone after the choice of tasks */
#define VCS_HAS_MISSES 0x80u       /* forecasts only of lateness: no task is late */
#define VCS_HAS_UNKNOWN 0x100u     /* the simulation did not reach all tasks */

/* The counts that decide how much memory a decision needs. */
typedef struct vcs_counts {
    uint64_t resources, projects, apps, tasks, candidates;
    uint64_t project_resources; /* records given; there is memory for all projects and resources */
    uint64_t app_resources;     /* likewise, if any are given */
    uint64_t instances;         /* sum over all resources */
    uint64_t hours;             /* records given */
} vcs_counts;

/* Up to this many instances, fewer never need more memory; beyond, they may (admit.c). */
#define VCS_FEW_INSTANCES 256u

/*
 * The pieces of a state in their order in memory: the name, the type of its elements, and their number for the counts
 * `n`. Pieces indexed by project and resource stand project by project.
 */
#define VCS_PIECES(PIECE)                                                                                              \
    PIECE(resources, vcs_prepared_resource, n->resources)                                                              \
    PIECE(resource_records, vcs_resource, n->resources) /* what the former were made of */                             \
    PIECE(projects, vcs_project, n->projects)                                                                          \
    PIECE(project_order, uint32_t, n->projects) /* by id */                                                            \
    PIECE(project_resources, vcs_project_resource, n->projects * n->resources)                                         \
    PIECE(project_resource_places, uint64_t, n->project_resources) /* where in the former each given one is */         \
    PIECE(apps, vcs_app, n->apps)                                                                                      \
    PIECE(app_resources, vcs_app_resource, n->app_resources > 0 ? n->apps * n->resources : 0)                          \
    PIECE(app_resource_places, uint64_t, n->app_resources) /* where in the former each given one is */                 \
    PIECE(declared_uses, vcs_declared_use, n->app_resources > 0 ? n->projects * n->resources : 0)                      \
    PIECE(task_records, vcs_task, n->tasks)                                                                            \
    PIECE(prepared_tasks, vcs_prepared_task, n->tasks + n->candidates) /* the tasks, then the candidates */            \
    PIECE(id_order, uint32_t, n->tasks)                                                                                \
    PIECE(arrival_order, uint32_t, n->tasks)  /* by arrival, then id */                                                \
    PIECE(deadline_order, uint32_t, n->tasks) /* by deadline, run time, arrival, id */                                 \
    /* results */                                                                                                      \
    PIECE(forecasts, vcs_task_forecast, n->tasks)                                                                      \
    PIECE(resource_forecasts, vcs_resource_forecast, n->resources)                                                     \
    PIECE(project_resource_forecasts, vcs_project_resource_forecast, n->projects * n->resources)                       \
    PIECE(placements, vcs_edf_task, n->tasks)                                                                          \
    PIECE(busy, vcs_edf_resource, n->resources)                                                                        \
    PIECE(task_decisions, vcs_task_decision, n->tasks)                                                                 \
    PIECE(running, uint32_t, n->tasks) /* running_count tasks, by place */                                             \
    PIECE(resource_decisions, vcs_resource_decision, n->resources)                                                     \
    PIECE(fetch_choices, vcs_fetch_decision, n->projects * n->resources)                                               \
    PIECE(hour_fractions, double, n->hours) /* of each hour, for which the host is on */

struct vcs_state {
    uint64_t size; /* bytes of the whole state */
    double now;
    uint32_t resource_count, project_count, app_count, task_count, candidate_count;
    uint32_t has;                       /* VCS_HAS_* */
    uint32_t running_count;             /* tasks that run from now on */
    uint32_t has_all_project_resources; /* 1: all project_resources were given, and in their order */
    uint32_t has_instance_limits;       /* 1: some vcs_*_resource.max_instances is set */
    uint32_t has_device_limits;         /* 1: some vcs_*_resource.max_per_device is set */
    uint64_t given_up_count;            /* tasks that are given up */
    vcs_counts capacity;                /* counts of the layout: there may be fewer tasks and candidates */
    uint64_t queue, queue_size;         /* kept by admission between two candidates */
    uint64_t scratch, scratch_size;     /* for the run of one decision */
    /* where each piece begins, in bytes from the start of the state */
#define OFFSET(name, type, count) uint64_t name;
    VCS_PIECES(OFFSET)
#undef OFFSET
    /* not part of a layout */
    vcs_parameters parameters;
    vcs_host host;
};

/* Size of the part that a layout fills in. */
#define VCS_STATE_LAYOUT offsetof(vcs_state, parameters)

/* The piece at an offset. */
static inline void *vcs_piece(const vcs_state *state, uint64_t offset) {
    return (unsigned char *)(uintptr_t)state + offset;
}

/* An accessor for each piece: vcs_resources(state), ... */
#define ACCESSOR(name, type, count)                                                                                    \
    static inline type *vcs_##name(const vcs_state *state) {                                                           \
        return vcs_piece(state, state->name);                                                                          \
    }
VCS_PIECES(ACCESSOR)
#undef ACCESSOR

static inline uint64_t vcs_project_resource_place(const vcs_state *state, const vcs_project_resource *of) {
    return (uint64_t)of->project * state->resource_count + of->resource;
}

static inline uint64_t vcs_app_resource_place(const vcs_state *state, const vcs_app_resource *of) {
    return (uint64_t)of->app * state->resource_count + of->resource;
}

/* What is known of a task's application on its resource; NULL if nothing is. */
static inline const vcs_app_resource *vcs_app_resource_of(const vcs_state *state, const vcs_prepared_task *task) {
    return task->app == VCS_NONE || state->capacity.app_resources == 0
               ? NULL
               : &vcs_app_resources(state)[(size_t)task->app * state->resource_count + task->resource];
}

/* What is known of a project's tasks for a resource before it has any; NULL if nothing is. `place`: by project. */
static inline const vcs_declared_use *vcs_declared_use_of(const vcs_state *state, uint64_t place) {
    return state->capacity.app_resources == 0 ? NULL : &vcs_declared_uses(state)[place];
}

/* An arena over the scratch memory. A decision begins with a fresh one. */
static inline vcs_arena vcs_scratch(vcs_state *state) {
    vcs_arena arena = {vcs_piece(state, state->scratch), 0};
    vcs_open_gaps(arena.base, (size_t)state->scratch_size);
    return arena;
}

/* How soon to look again if nothing says when, s: parameters.look_interval, where 0 = 60 s. */
static inline double vcs_look_interval(const vcs_parameters *parameters) {
    return parameters->look_interval > 0.0 ? parameters->look_interval : 60.0;
}

/* The present counts of a prepared state, for a layout. There may be memory for more. O(resources). */
vcs_counts vcs_counts_of(const vcs_state *state);

/* Whether the memory of a state serves for a host with `instances` of all resources together. */
static inline int vcs_is_room_for(const vcs_state *state, uint64_t instances) {
    return instances <= state->capacity.instances && state->capacity.instances <= VCS_FEW_INSTANCES;
}

/* How far the buffer reaches, microseconds. */
int64_t vcs_buffer_end(const vcs_parameters *parameters);

#endif
