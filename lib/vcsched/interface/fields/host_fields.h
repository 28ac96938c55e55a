/*
 * The fields of the structs of host.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FIELDS_HOST_FIELDS_H
#define VCS_FIELDS_HOST_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/host.h>

#define VCS_FIELDS_snapshot(X) \
    X(snapshot, size, 0, struct_size, "bytes", VCS_U32) \
    X(snapshot, flags, 4, flags, "", 0.0, 0.0) \
    X(snapshot, other, 8, host, "", VCS_NO_RANGE) \
    X(snapshot, other, 24, resources, "", VCS_NO_RANGE) \
    X(snapshot, other, 40, projects, "", VCS_NO_RANGE) \
    X(snapshot, other, 56, project_resources, "", VCS_NO_RANGE) \
    X(snapshot, other, 72, apps, "", VCS_NO_RANGE) \
    X(snapshot, other, 88, app_resources, "", VCS_NO_RANGE) \
    X(snapshot, other, 104, tasks, "", VCS_NO_RANGE) \
    X(snapshot, other, 120, candidates, "", VCS_NO_RANGE) \
    X(snapshot, other, 136, hours, "", VCS_NO_RANGE)

#define VCS_FIELDS_host(X)                                                                                             \
    X(host, u64, 0, id, "", VCS_U64)                                                                                   \
    X(host, f64, 8, ram, "bytes", VCS_AMOUNT)                                                                          \
    X(host, f64, 16, on_spell, "s", 0.0, VCS_MAX_SECONDS)                                                              \
    X(host, f64, 24, off_spell, "s", 0.0, VCS_MAX_SECONDS)                                                             \
    X(host, f64, 32, next_connection, "s", VCS_ANY)                                                                    \
    X(host, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_resource(X) \
    X(resource, u64, 0, id, "", VCS_U64) \
    X(resource, f64, 8, flops, "FLOPS", 1e-3, 1e30) \
    X(resource, f64, 16, usable, "", 1e-9, 1.0) \
    X(resource, u32, 24, instances, "instances", 1.0, VCS_MAX_INSTANCES) \
    X(resource, flags, 28, flags, "", 0.0, VCS_RESOURCE_SUSPENDED | VCS_RESOURCE_PAUSED) \
    X(resource, f64, 32, reserve, "instances", 0.0, VCS_MAX_INSTANCES) \
    X(resource, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_PROJECT_ALL_FLAGS \
    (VCS_PROJECT_SUSPENDED | VCS_PROJECT_NO_NEW_WORK | VCS_PROJECT_APPS_LISTED | VCS_PROJECT_KEEPS_TASKS)

#define VCS_FIELDS_project(X) \
    X(project, u64, 0, id, "", VCS_U64) \
    X(project, f64, 8, share, "", 0.0, 1e30) \
    X(project, f64, 16, rec, "credits/day", 0.0, 1e30) \
    X(project, f64, 24, short_term_debt, "s", -VCS_MAX_SECONDS, VCS_MAX_SECONDS) \
    X(project, f64, 32, long_term_debt, "s", -VCS_MAX_SECONDS, VCS_MAX_SECONDS) \
    X(project, f64, 40, exp_avg_cpu, "s", 0.0, 1e30) \
    X(project, f64, 48, dcf, "", 0.0, 1e6) \
    X(project, f64, 56, min_rpc_time, "s", VCS_ANY) \
    X(project, f64, 64, efficiency, "", 0.0, 1.0) \
    X(project, i32, 72, priority_class, "", VCS_I32) \
    X(project, u32, 76, max_concurrent, "tasks", VCS_U32) \
    X(project, u32, 80, rpc_failures, "", VCS_U32) \
    X(project, u32, 84, uploading, "results", VCS_U32) \
    X(project, flags, 88, flags, "", 0.0, VCS_PROJECT_ALL_FLAGS) \
    X(project, u32, 92, overdue, "results", VCS_U32) \
    X(project, choice, 96, wait, "", VCS_WAIT_NONE, VCS_WAIT_TASK) \
    X(project, u32, 100, unreported, "results", VCS_U32) \
    X(project, zero, 104, reserved, "", VCS_NO_RANGE)

#define VCS_PROJECT_RESOURCE_ALL_FLAGS \
    (VCS_PROJECT_RESOURCE_NOT_WANTED | VCS_PROJECT_RESOURCE_NO_APPS | VCS_PROJECT_RESOURCE_DEFERRED | \
     VCS_PROJECT_RESOURCE_SERVER_LIMIT)

#define VCS_FIELDS_project_resource(X) \
    X(project_resource, u64, 0, id, "", VCS_U64) \
    X(project_resource, index, 8, project, "", VCS_U32) \
    X(project_resource, index, 12, resource, "", VCS_U32) \
    X(project_resource, f64, 16, rec, "credits/day", 0.0, 1e30) \
    X(project_resource, f64, 24, backoff_interval, "s", 0.0, VCS_MAX_SECONDS) \
    X(project_resource, f64, 32, backoff_until, "s", VCS_ANY) \
    X(project_resource, u64, 40, excluded, "", VCS_U64) \
    X(project_resource, f64, 48, max_instances, "instances", 0.0, VCS_MAX_INSTANCES) \
    X(project_resource, u32, 56, max_per_device, "tasks", VCS_U32) \
    X(project_resource, flags, 60, flags, "", 0.0, VCS_PROJECT_RESOURCE_ALL_FLAGS) \
    X(project_resource, f64, 64, received, "s", -1e30, 1e30) \
    X(project_resource, f64, 72, job_seconds, "s", 0.0, VCS_MAX_SECONDS) \
    X(project_resource, f64, 80, job_bound, "s", 0.0, VCS_MAX_SECONDS) \
    X(project_resource, f64, 88, job_spread, "", 0.0, 1000.0) \
    X(project_resource, zero, 96, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_app(X) \
    X(app, u64, 0, id, "", VCS_U64) \
    X(app, index, 8, project, "", VCS_U32) \
    X(app, u32, 12, max_concurrent, "tasks", VCS_U32) \
    X(app, f64, 16, dcf, "", 0.0, 1e6) \
    X(app, flags, 24, flags, "", 0.0, 0.0) \
    X(app, zero, 28, reserved0, "", VCS_NO_RANGE) \
    X(app, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_app_resource(X) \
    X(app_resource, u64, 0, id, "", VCS_U64) \
    X(app_resource, index, 8, app, "", VCS_U32) \
    X(app_resource, index, 12, resource, "", VCS_U32) \
    X(app_resource, u64, 16, excluded, "", VCS_U64) \
    X(app_resource, f64, 24, max_instances, "instances", 0.0, VCS_MAX_INSTANCES) \
    X(app_resource, u32, 32, max_per_device, "tasks", VCS_U32) \
    X(app_resource, flags, 36, flags, "", 0.0, 0.0) \
    X(app_resource, f64, 40, use, "instances", 0.0, VCS_MAX_INSTANCES) \
    X(app_resource, zero, 48, reserved, "", VCS_NO_RANGE)

#define VCS_TASK_ALL_FLAGS \
    (VCS_TASK_RUNNING | VCS_TASK_STARTED | VCS_TASK_SUSPENDED | VCS_TASK_WAS_LATE | VCS_TASK_DOWNLOADING | \
     VCS_TASK_IN_MEMORY | VCS_TASK_UNINTERRUPTIBLE | VCS_TASK_FILLS_IN)

#define VCS_FIELDS_task(X) \
    X(task, u64, 0, id, "", VCS_U64) \
    X(task, index, 8, project, "", VCS_U32) \
    X(task, index, 12, app, "", VCS_U32) \
    X(task, index, 16, gpu, "", VCS_U32) \
    X(task, flags, 20, flags, "", 0.0, VCS_TASK_ALL_FLAGS) \
    X(task, f64, 24, cpus, "instances", 0.0, VCS_MAX_INSTANCES) \
    X(task, f64, 32, gpus, "instances", 0.0, VCS_MAX_INSTANCES) \
    X(task, f64, 40, remaining, "s", 0.0, VCS_MAX_SECONDS) \
    X(task, f64, 48, deadline, "s", -DBL_MAX, VCS_INFINITY) \
    X(task, f64, 56, received, "s", VCS_ANY) \
    X(task, f64, 64, ram, "bytes", VCS_AMOUNT) \
    X(task, f64, 72, running_since, "s", VCS_ANY) \
    X(task, f64, 80, since_checkpoint, "s", 0.0, VCS_MAX_SECONDS) \
    X(task, u64, 88, devices, "", VCS_U64) \
    X(task, f64, 96, usable, "", 0.0, 1.0) \
    X(task, choice, 104, wait, "", VCS_WAIT_NONE, VCS_WAIT_TASK) \
    X(task, zero, 108, reserved0, "", VCS_NO_RANGE) \
    X(task, f64, 112, total, "s", 0.0, VCS_MAX_SECONDS) \
    X(task, zero, 120, reserved, "", VCS_NO_RANGE)

#define VCS_HOST_STRUCTS(S) \
    S(snapshot, VCS_TYPE_SNAPSHOT, 152, 152, VCS_SINGLE) \
    S(host, VCS_TYPE_HOST, 48, 48, VCS_SINGLE) \
    S(resource, VCS_TYPE_RESOURCE, 48, 48, VCS_NUMBERED) \
    S(project, VCS_TYPE_PROJECT, 128, 128, VCS_NUMBERED) \
    S(project_resource, VCS_TYPE_PROJECT_RESOURCE, 112, 112, VCS_NUMBERED) \
    S(app, VCS_TYPE_APP, 48, 48, VCS_NUMBERED) \
    S(app_resource, VCS_TYPE_APP_RESOURCE, 56, 56, VCS_NUMBERED) \
    S(task, VCS_TYPE_TASK, 128, 128, VCS_NUMBERED)

VCS_HOST_STRUCTS(VCS_DECLARE_LAYOUT)

/* A candidate is a task that is not on the host: the same struct, but of another array. */
extern const vcs_layout vcs_candidate_layout;

#endif
