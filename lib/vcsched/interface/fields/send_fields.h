/*
 * The fields of the structs of send.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FIELDS_SEND_FIELDS_H
#define VCS_FIELDS_SEND_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/send.h>

#define VCS_FIELDS_send_request(X) \
    X(send_request, f64, 0, seconds, "instance-s", 0.0, 1e30) \
    X(send_request, f64, 8, instances, "instances", 0.0, VCS_MAX_INSTANCES) \
    X(send_request, f64, 16, busy, "s", VCS_AMOUNT) \
    X(send_request, f64, 24, latency_bound, "s", VCS_AMOUNT) \
    X(send_request, u32, 32, jobs, "tasks", VCS_U32) \
    X(send_request, zero, 36, reserved0, "", VCS_NO_RANGE)

#define VCS_FIELDS_send_job(X) \
    X(send_job, u64, 0, unit, "", VCS_U64) \
    X(send_job, u64, 8, hr_class, "", VCS_U64) \
    X(send_job, f64, 16, latency_bound, "s", 0.0, VCS_INFINITY) \
    X(send_job, f64, 24, seconds, "instance-s", 0.0, 1e30) \
    X(send_job, f64, 32, disk, "bytes", VCS_AMOUNT) \
    X(send_job, u32, 40, max_per_host, "tasks", VCS_U32) \
    X(send_job, flags, 44, flags, "", 0.0, VCS_SEND_HOST_HAS_COPY | VCS_SEND_USER_HAS_COPY) \
    X(send_job, zero, 48, reserved, "", VCS_NO_RANGE)

#define VCS_SEND_ALL_FLAGS (VCS_BLACKLISTED | VCS_SEND_ONE_PER_USER | VCS_SEND_STUDY_RULES)

#define VCS_FIELDS_send_limits(X) \
    X(send_limits, size, 0, struct_size, "bytes", VCS_U32) \
    X(send_limits, flags, 4, flags, "", 0.0, VCS_SEND_ALL_FLAGS) \
    X(send_limits, u64, 8, hr_class, "", VCS_U64) \
    X(send_limits, f64, 16, disk, "bytes", 0.0, VCS_INFINITY) \
    X(send_limits, u32, 24, max_jobs, "tasks", VCS_U32) \
    X(send_limits, u32, 28, max_in_progress, "tasks", VCS_U32) \
    X(send_limits, u32, 32, in_progress, "tasks", VCS_U32) \
    X(send_limits, u32, 36, quota_left, "tasks", VCS_U32) \
    X(send_limits, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_send_decision(X) \
    X(send_decision, u32, 0, sent, "", VCS_U32) \
    X(send_decision, u32, 4, reason, "", VCS_U32) \
    X(send_decision, f64, 8, finish, "s", 0.0, VCS_INFINITY) \
    X(send_decision, index, 16, harmed, "", VCS_U32) \
    X(send_decision, index, 20, harmed_candidate, "", VCS_U32) \
    X(send_decision, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_send_summary(X) \
    X(send_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(send_summary, u32, 4, flags, "", VCS_U32) \
    X(send_summary, u32, 8, sent, "tasks", VCS_U32) \
    X(send_summary, u32, 12, late, "tasks", VCS_U32) \
    X(send_summary, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_SEND_STRUCTS(S) \
    S(send_request, VCS_TYPE_SEND_REQUEST, 40, 40, VCS_NUMBERED) \
    S(send_job, VCS_TYPE_SEND_JOB, 64, 64, VCS_NUMBERED) \
    S(send_limits, VCS_TYPE_SEND_LIMITS, 56, 56, VCS_SINGLE) \
    S(send_decision, VCS_TYPE_SEND_DECISION, 32, 32, VCS_SINGLE) \
    S(send_summary, VCS_TYPE_SEND_SUMMARY, 32, 32, VCS_SINGLE)

VCS_SEND_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
