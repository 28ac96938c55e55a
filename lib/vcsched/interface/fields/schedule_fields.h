/*
 * The fields of the structs of schedule.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FIELDS_SCHEDULE_FIELDS_H
#define VCS_FIELDS_SCHEDULE_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/schedule.h>

#define VCS_FIELDS_schedule_summary(X) \
    X(schedule_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(schedule_summary, u32, 4, flags, "", VCS_U32) \
    X(schedule_summary, u32, 8, running, "tasks", VCS_U32) \
    X(schedule_summary, u32, 12, started, "tasks", VCS_U32) \
    X(schedule_summary, u32, 16, stopped, "tasks", VCS_U32) \
    X(schedule_summary, u32, 20, late, "tasks", VCS_U32) \
    X(schedule_summary, f64, 24, ram, "bytes", VCS_AMOUNT) \
    X(schedule_summary, f64, 32, next_check, "s", 0.0, VCS_INFINITY) \
    X(schedule_summary, f64, 40, cpu_excess, "instances", VCS_AMOUNT) \
    X(schedule_summary, u32, 48, given_up, "tasks", VCS_U32) \
    X(schedule_summary, zero, 52, reserved0, "", VCS_NO_RANGE)

#define VCS_FIELDS_task_decision(X) \
    X(task_decision, u32, 0, run, "", VCS_U32) \
    X(task_decision, u32, 4, reason, "", VCS_U32) \
    X(task_decision, u32, 8, place, "", VCS_U32) \
    X(task_decision, u32, 12, flags, "", VCS_U32) \
    X(task_decision, u64, 16, devices, "", VCS_U64) \
    X(task_decision, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_resource_decision(X) \
    X(resource_decision, f64, 0, used, "instances", VCS_AMOUNT) \
    X(resource_decision, zero, 8, reserved, "", VCS_NO_RANGE)

#define VCS_SCHEDULE_STRUCTS(S) \
    S(schedule_summary, VCS_TYPE_SCHEDULE_SUMMARY, 56, 56, VCS_SINGLE) \
    S(task_decision, VCS_TYPE_TASK_DECISION, 32, 32, VCS_SINGLE) \
    S(resource_decision, VCS_TYPE_RESOURCE_DECISION, 24, 24, VCS_SINGLE)

VCS_SCHEDULE_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
