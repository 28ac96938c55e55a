/*
 * The fields of the structs of simulation.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FIELDS_SIMULATION_FIELDS_H
#define VCS_FIELDS_SIMULATION_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/simulation.h>

#define VCS_FIELDS_wrr_summary(X) \
    X(wrr_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(wrr_summary, u32, 4, flags, "", VCS_U32) \
    X(wrr_summary, f64, 8, simulated_until, "s", VCS_AMOUNT) \
    X(wrr_summary, u64, 16, steps, "", VCS_U64) \
    X(wrr_summary, u32, 24, misses, "tasks", VCS_U32) \
    X(wrr_summary, u32, 28, unknown, "tasks", VCS_U32) \
    X(wrr_summary, u64, 32, effort, "", VCS_U64) \
    X(wrr_summary, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_task_forecast(X) \
    X(task_forecast, f64, 0, finish, "s", 0.0, VCS_INFINITY) \
    X(task_forecast, u32, 8, verdict, "", VCS_U32) \
    X(task_forecast, zero, 12, reserved0, "", VCS_NO_RANGE) \
    X(task_forecast, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_resource_forecast(X)                                                                                \
    X(resource_forecast, f64, 0, shortfall, "instance-s", VCS_AMOUNT)                                                  \
    X(resource_forecast, f64, 8, idle_now, "instances", VCS_AMOUNT)                                                    \
    X(resource_forecast, f64, 16, saturated, "s", VCS_AMOUNT)                                                          \
    X(resource_forecast, f64, 24, idle_from, "s", VCS_AMOUNT)                                                          \
    X(resource_forecast, f64, 32, short_from, "s", VCS_AMOUNT)                                                         \
    X(resource_forecast, f64, 40, useless, "instances", VCS_AMOUNT)

#define VCS_FIELDS_project_resource_forecast(X) \
    X(project_resource_forecast, f64, 0, shortfall, "instance-s", VCS_AMOUNT) \
    X(project_resource_forecast, u32, 8, misses, "tasks", VCS_U32) \
    X(project_resource_forecast, u32, 12, tasks, "tasks", VCS_U32) \
    X(project_resource_forecast, f64, 16, used_now, "instances", VCS_AMOUNT) \
    X(project_resource_forecast, u32, 24, waits_for_fit, "", 0.0, 1.0) \
    X(project_resource_forecast, zero, 28, reserved0, "", VCS_NO_RANGE) \
    X(project_resource_forecast, f64, 32, saturated, "s", VCS_AMOUNT)

#define VCS_FIELDS_edf_summary(X) \
    X(edf_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(edf_summary, u32, 4, flags, "", VCS_U32) \
    X(edf_summary, f64, 8, latest_finish, "s", VCS_AMOUNT) \
    X(edf_summary, u32, 16, tasks, "tasks", VCS_U32) \
    X(edf_summary, u32, 20, misses, "tasks", VCS_U32) \
    X(edf_summary, u64, 24, effort, "", VCS_U64) \
    X(edf_summary, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_edf_task(X) \
    X(edf_task, f64, 0, start, "s", 0.0, VCS_INFINITY) \
    X(edf_task, f64, 8, finish, "s", 0.0, VCS_INFINITY) \
    X(edf_task, u32, 16, verdict, "", VCS_U32) \
    X(edf_task, zero, 20, reserved0, "", VCS_NO_RANGE) \
    X(edf_task, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_edf_resource(X) \
    X(edf_resource, f64, 0, busy, "s", VCS_AMOUNT) \
    X(edf_resource, zero, 8, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_admission(X) \
    X(admission, size, 0, struct_size, "bytes", VCS_U32) \
    X(admission, u32, 4, flags, "", VCS_U32) \
    X(admission, u32, 8, admitted, "", VCS_U32) \
    X(admission, u32, 12, reason, "", VCS_U32) \
    X(admission, f64, 16, finish, "s", 0.0, VCS_INFINITY) \
    X(admission, index, 24, harmed, "", VCS_U32) \
    X(admission, index, 28, harmed_candidate, "", VCS_U32) \
    X(admission, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_SIMULATION_STRUCTS(S)                                                                                      \
    S(wrr_summary, VCS_TYPE_WRR_SUMMARY, 48, 48, VCS_SINGLE)                                                           \
    S(task_forecast, VCS_TYPE_TASK_FORECAST, 24, 24, VCS_SINGLE)                                                       \
    S(resource_forecast, VCS_TYPE_RESOURCE_FORECAST, 48, 48, VCS_SINGLE)                                               \
    S(project_resource_forecast, VCS_TYPE_PROJECT_RESOURCE_FORECAST, 40, 40, VCS_SINGLE)                               \
    S(edf_summary, VCS_TYPE_EDF_SUMMARY, 40, 40, VCS_SINGLE)                                                           \
    S(edf_task, VCS_TYPE_EDF_TASK, 32, 32, VCS_SINGLE)                                                                 \
    S(edf_resource, VCS_TYPE_EDF_RESOURCE, 24, 24, VCS_SINGLE)                                                         \
    S(admission, VCS_TYPE_ADMISSION, 40, 40, VCS_SINGLE)

VCS_SIMULATION_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
