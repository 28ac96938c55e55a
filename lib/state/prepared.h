/*
 * The prepared state as the library sees it: what vcs_state_prepare() lays out and the decisions read.
 *
 * All of it lies in the caller's work memory, one piece after the other, found by offsets from the start: the state can
 * be moved or copied as a whole.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_STATE_PREPARED_H
#define VCS_STATE_PREPARED_H

#include "core/arena.h"
#include "core/number.h"

#include <stddef.h>
#include <vcsched/edf.h>
#include <vcsched/fetch.h>
#include <vcsched/parameters.h>
#include <vcsched/record.h>
#include <vcsched/schedule.h>
#include <vcsched/state.h>
#include <vcsched/wrr.h>

/* A resource, in the units of the simulations. */
typedef struct vcs_prepared_resource {
    uint64_t id;
    int64_t capacity; /* units */
    uint32_t instances;
    uint32_t suspended; /* 1: nothing may use it */
    uint32_t excludes;  /* 1: some project is excluded from some instance */
    uint32_t unused;
    double flops; /* of one instance */
    double usable;
    double speed; /* flops of one instance over that of a CPU */
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
    /* worked out */
    int64_t run_time; /* wall microseconds, remaining / usable */
    int64_t cpu_units;
    int64_t gpu_units;
    uint32_t takes_part; /* 1: neither it, nor its project, nor its resource is suspended */
    uint32_t unused;
} vcs_prepared_task;

/* Bytes of it that are those of the record. */
#define VCS_PREPARED_TASK_RECORD offsetof(vcs_prepared_task, run_time)

/* No time: of a finish that does not come, of a limit that is not there. */
#define VCS_NEVER INT64_MAX

/* Which results a state holds: vcs_state.has */
#define VCS_HAS_WRR 0x1u
#define VCS_HAS_EDF 0x2u
#define VCS_HAS_QUEUE 0x4u /* admission has placed the queue */
#define VCS_HAS_SCHEDULE 0x8u
#define VCS_HAS_FETCH 0x10u
#define VCS_HAS_REASONS 0x20u /* the decisions on the tasks that do not run, beside those that do */

/* The counts that decide how much memory a decision needs. */
typedef struct vcs_counts {
    uint64_t resources, projects, apps, tasks, candidates;
    uint64_t project_resources;     /* that are given; there is memory for all */
    uint64_t instances; /* of all resources together */
} vcs_counts;

struct vcs_state {
    uint64_t size; /* bytes of the whole state */
    double now;
    vcs_parameters parameters;
    vcs_host host;
    uint32_t resource_count, project_count, app_count, task_count, candidate_count;
    uint32_t has;           /* VCS_HAS_* */
    uint32_t running_count; /* tasks that run from now on */
    uint32_t unused;
    vcs_counts capacity; /* what it was laid out for: there may be fewer tasks and candidates */
    /* offsets from the start of the state */
    uint64_t resources;        /* vcs_prepared_resource [resource_count] */
    uint64_t resource_records; /* vcs_resource [resource_count]: what they were made of */
    uint64_t projects;         /* vcs_project [project_count] */
    uint64_t project_order;    /* uint32_t [project_count]: by id */
    uint64_t project_resources;       /* vcs_project_resource [project_count * resource_count], project by project */
    uint64_t project_resource_places; /* uint64_t [capacity.project_resources]: where in the former each given one is */
    uint64_t apps;             /* vcs_app [app_count] */
    uint64_t task_records;     /* vcs_task [task_count]: what the prepared tasks were made of */
    uint64_t tasks;            /* vcs_prepared_task [task_count + candidate_count]: the tasks, then the candidates */
    uint64_t id_order;         /* uint32_t [task_count]: by id; all tasks */
    uint64_t arrival_order;    /* uint32_t [task_count]: by arrival, then id; all tasks */
    uint64_t deadline_order;   /* uint32_t [task_count]: by deadline, run time, arrival, id; all tasks */
    /* results */
    uint64_t forecasts;          /* vcs_task_forecast [task_count] */
    uint64_t resource_forecasts; /* vcs_resource_forecast [resource_count] */
    uint64_t project_resource_forecasts;     /* vcs_project_resource_forecast [project_count * resource_count] */
    uint64_t placements;                     /* vcs_edf_task [task_count] */
    uint64_t busy;               /* vcs_edf_resource [resource_count] */
    uint64_t task_decisions;     /* vcs_task_decision [task_count]; of those that do not run, with their reasons */
    uint64_t running;            /* uint32_t [running_count]: tasks, by place */
    uint64_t resource_decisions; /* vcs_resource_decision [resource_count] */
    uint64_t fetch_decisions;     /* vcs_fetch_decision [project_count * resource_count] */
    /* memory for the run of one decision, and what admission keeps between two candidates */
    uint64_t queue, queue_size;
    uint64_t scratch, scratch_size;
};

/* The piece at an offset. */
static inline void *vcs_piece(const vcs_state *state, uint64_t offset) {
    return (unsigned char *)(uintptr_t)state + offset;
}

static inline vcs_prepared_resource *vcs_resources(const vcs_state *state) {
    return vcs_piece(state, state->resources);
}

static inline vcs_resource *vcs_resource_records(const vcs_state *state) {
    return vcs_piece(state, state->resource_records);
}

static inline vcs_project *vcs_projects(const vcs_state *state) {
    return vcs_piece(state, state->projects);
}

static inline vcs_project_resource *vcs_project_resources(const vcs_state *state) {
    return vcs_piece(state, state->project_resources);
}

static inline uint64_t *vcs_project_resource_places(const vcs_state *state) {
    return vcs_piece(state, state->project_resource_places);
}

static inline uint64_t vcs_project_resource_place(const vcs_state *state, const vcs_project_resource *pair) {
    return (uint64_t)pair->project * state->resource_count + pair->resource;
}

static inline vcs_app *vcs_apps(const vcs_state *state) {
    return vcs_piece(state, state->apps);
}

static inline vcs_task *vcs_task_records(const vcs_state *state) {
    return vcs_piece(state, state->task_records);
}

static inline vcs_prepared_task *vcs_prepared_tasks(const vcs_state *state) {
    return vcs_piece(state, state->tasks);
}

static inline const uint32_t *vcs_arrival_order(const vcs_state *state) {
    return vcs_piece(state, state->arrival_order);
}

static inline const uint32_t *vcs_deadline_order(const vcs_state *state) {
    return vcs_piece(state, state->deadline_order);
}

static inline vcs_task_forecast *vcs_forecasts(const vcs_state *state) {
    return vcs_piece(state, state->forecasts);
}

static inline vcs_resource_forecast *vcs_resource_forecasts(const vcs_state *state) {
    return vcs_piece(state, state->resource_forecasts);
}

static inline vcs_project_resource_forecast *vcs_project_resource_forecasts(const vcs_state *state) {
    return vcs_piece(state, state->project_resource_forecasts);
}

static inline vcs_edf_task *vcs_placements(const vcs_state *state) {
    return vcs_piece(state, state->placements);
}

static inline vcs_edf_resource *vcs_busy(const vcs_state *state) {
    return vcs_piece(state, state->busy);
}

static inline vcs_task_decision *vcs_task_decisions(const vcs_state *state) {
    return vcs_piece(state, state->task_decisions);
}

static inline uint32_t *vcs_running(const vcs_state *state) {
    return vcs_piece(state, state->running);
}

static inline vcs_resource_decision *vcs_resource_decisions(const vcs_state *state) {
    return vcs_piece(state, state->resource_decisions);
}

static inline vcs_fetch_decision *vcs_fetch_decisions_of(const vcs_state *state) {
    return vcs_piece(state, state->fetch_decisions);
}

/* An arena over the scratch memory. A decision begins with a fresh one. */
static inline vcs_arena vcs_scratch(vcs_state *state) {
    vcs_arena arena = {vcs_piece(state, state->scratch), 0};
    return arena;
}

/* How far the buffer reaches, microseconds. */
int64_t vcs_buffer_end(const vcs_parameters *parameters);

/*
 * Hands out `needed` results of `size` bytes each to a caller's array; VCS_ERR_SEQUENCE unless the state has what it
 * `needs` (VCS_HAS_*), or an error of the array.
 */
int vcs_read_results(const vcs_state *state, uint32_t needs, const void *results, uint32_t size, uint32_t needed,
                     void *out, uint32_t element_size, uint32_t count);

#endif
