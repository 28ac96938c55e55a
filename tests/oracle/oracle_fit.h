/*
 * Rule 4.7, as plain as it can be: what fits beside what was taken so far.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_FIT_H
#define ORACLE_FIT_H

#include "oracle/oracle_records.h"

#define ORACLE_MOST_DEVICES 64

/* A host and what was taken of it. */
typedef struct oracle_fit {
    const vcs_snapshot *snapshot;
    const vcs_parameters *parameters;
    int64_t used_by_cpu_tasks; /* units of the CPUs */
    int64_t used_by_gpu_tasks; /* likewise, their CPU shares */
    bool cpu_task_runs;        /* one that uses a CPU */
    int64_t *used;             /* resource * 64 + device: units of it that were taken */
    int64_t *held;             /* likewise: units that running tasks use which have not been offered yet */
    int64_t *bound;            /* likewise: units that stopped tasks used */
    const vcs_task **takers;   /* who took anything, and which devices */
    uint64_t *taken;
    uint32_t taker_count;
    double *loss;              /* likewise: the most that one of the tasks loses which have been running there */
} oracle_fit;

oracle_fit oracle_fit_new(const vcs_snapshot *snapshot, const vcs_parameters *parameters);
void oracle_fit_free(oracle_fit *fit);

/* Nothing is taken any more, and nothing held. */
void oracle_fit_clear(oracle_fit *fit);

/* Whether a task fits; `devices` becomes the devices of its GPU type that it gets, as bits. */
bool oracle_fit_finds(const oracle_fit *fit, const vcs_task *task, uint64_t *devices);

/*
 * The same by parts: whether its use of the CPUs fits; whether a CPU task may have fitted if all were taken in another
 * order; and devices of its GPU type among some.
 */
bool oracle_fit_has_cpus(const oracle_fit *fit, const vcs_task *task);
bool oracle_fit_had_cpus(const oracle_fit *fit, const vcs_task *task);
bool oracle_fit_finds_devices(const oracle_fit *fit, const vcs_task *task, uint64_t among, uint64_t *devices);

/* Whether a running GPU task may go on where it is. */
bool oracle_fit_keeps(const oracle_fit *fit, const vcs_task *task);

/* The task runs, on these devices. */
void oracle_fit_take(oracle_fit *fit, const vcs_task *task, uint64_t devices);

/* A stopped task would like to have its devices again. */
void oracle_fit_bind(oracle_fit *fit, const vcs_task *task);

/* Whether a task has as many devices as it needs. */
bool oracle_fit_matches(const vcs_task *task);

/* Whether these devices have room for it beside the running tasks that hold them. */
bool oracle_fit_is_spare(const oracle_fit *fit, const vcs_task *task, uint64_t devices);

/* A running task holds the devices that it runs on until it is offered; with -1 it no longer does. */
void oracle_fit_hold(oracle_fit *fit, const vcs_task *task, int64_t times);

/* Its loss if others get these devices. On ties, the devices with the least loss go. */
void oracle_fit_risk(oracle_fit *fit, const vcs_task *task, double loss);

/* Units of a resource without the reserve, and its unused units; the CPUs' may be below 0. */
int64_t oracle_fit_capacity(const oracle_fit *fit, uint32_t resource);
int64_t oracle_fit_free_units(const oracle_fit *fit, uint32_t resource);
/* Of a GPU type: those on devices with at least so many units left. */
int64_t oracle_fit_free_parts(const oracle_fit *fit, uint32_t resource, int64_t least);

/* The devices of its GPU type that a task may use, as bits. */
uint64_t oracle_fit_allowed(const vcs_snapshot *snapshot, const vcs_task *task);

/* Whether the limits in instances of its project, or of its application, have room for a task. */
bool oracle_fit_project_has_room(const oracle_fit *fit, const vcs_task *task);
bool oracle_fit_app_has_room(const oracle_fit *fit, const vcs_task *task);

/* The allowed devices on which limits per device leave room for a task: that of its project, and that of both. */
uint64_t oracle_fit_open_to_project(const oracle_fit *fit, const vcs_task *task);
uint64_t oracle_fit_open(const oracle_fit *fit, const vcs_task *task);

/* Whether such a limit alone keeps it from the devices that it needs. */
bool oracle_fit_is_at_device_limit(const oracle_fit *fit, const vcs_task *task);

#endif
