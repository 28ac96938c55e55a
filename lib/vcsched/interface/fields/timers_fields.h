/*
 * The fields of the structs of timers.h, but for sessions; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FIELDS_TIMERS_FIELDS_H
#define VCS_FIELDS_TIMERS_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/timers.h>

#define VCS_FIELDS_backoff_range(X) \
    X(backoff_range, size, 0, struct_size, "bytes", VCS_U32) \
    X(backoff_range, flags, 4, flags, "", 0.0, 0.0) \
    X(backoff_range, choice, 8, rule, "", VCS_BACKOFF_EXPONENT, VCS_BACKOFF_DOUBLING) \
    X(backoff_range, u32, 12, max_failures, "", VCS_U32) \
    X(backoff_range, f64, 16, minimum, "s", 1e-3, VCS_MAX_SECONDS) \
    X(backoff_range, f64, 24, maximum, "s", 1e-3, VCS_MAX_SECONDS) \
    X(backoff_range, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_project_timer(X) \
    X(project_timer, f64, 0, min_rpc_time, "s", VCS_TIME) \
    X(project_timer, f64, 8, seen, "s", VCS_TIME) \
    X(project_timer, u32, 16, failures, "", VCS_U32) \
    X(project_timer, zero, 20, reserved0, "", VCS_NO_RANGE) \
    X(project_timer, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_resource_backoff(X) \
    X(resource_backoff, f64, 0, interval, "s", VCS_DURATION) \
    X(resource_backoff, f64, 8, until, "s", VCS_TIME) \
    X(resource_backoff, f64, 16, seen, "s", VCS_TIME) \
    X(resource_backoff, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_transfer_backoff(X) \
    X(transfer_backoff, f64, 0, until, "s", VCS_TIME) \
    X(transfer_backoff, f64, 8, seen, "s", VCS_TIME) \
    X(transfer_backoff, f64, 16, failing_since, "s", VCS_TIME) \
    X(transfer_backoff, f64, 24, failed_at, "s", VCS_TIME) \
    X(transfer_backoff, u32, 32, failures, "", VCS_U32) \
    X(transfer_backoff, zero, 36, reserved0, "", VCS_NO_RANGE) \
    X(transfer_backoff, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_reply(X) \
    X(reply, size, 0, struct_size, "bytes", VCS_U32) \
    X(reply, flags, 4, flags, "", 0.0, VCS_REPLY_FAILED) \
    X(reply, f64, 8, now, "s", VCS_TIME) \
    X(reply, f64, 16, request_delay, "s", VCS_DURATION) \
    X(reply, f64, 24, u, "", 0.0, VCS_BELOW_ONE) \
    X(reply, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_resource_reply(X) \
    X(resource_reply, f64, 0, seconds, "instance-s", 0.0, 1e30) \
    X(resource_reply, f64, 8, u, "", 0.0, VCS_BELOW_ONE) \
    X(resource_reply, u32, 16, tasks, "tasks", VCS_U32) \
    X(resource_reply, flags, 20, flags, "", 0.0, VCS_RESOURCE_REPLY_NOT_WANTED) \
    X(resource_reply, zero, 24, reserved, "", VCS_NO_RANGE)

/* One list for each source file of layouts/: a program links the layouts that it needs. */
#define VCS_BACKOFF_RANGE_STRUCTS(S) \
    S(backoff_range, VCS_TYPE_BACKOFF_RANGE, 40, 40, VCS_SINGLE)
#define VCS_PROJECT_TIMER_STRUCTS(S) \
    S(project_timer, VCS_TYPE_PROJECT_TIMER, 40, 40, VCS_SINGLE)
#define VCS_REPLY_STRUCTS(S) \
    S(resource_backoff, VCS_TYPE_RESOURCE_BACKOFF, 40, 40, VCS_SINGLE) \
    S(reply, VCS_TYPE_REPLY, 48, 48, VCS_SINGLE) \
    S(resource_reply, VCS_TYPE_RESOURCE_REPLY, 48, 48, VCS_NUMBERED)
#define VCS_TRANSFER_STRUCTS(S) \
    S(transfer_backoff, VCS_TYPE_TRANSFER_BACKOFF, 56, 56, VCS_SINGLE)

#define VCS_TIMERS_STRUCTS(S) \
    VCS_BACKOFF_RANGE_STRUCTS(S) VCS_PROJECT_TIMER_STRUCTS(S) VCS_REPLY_STRUCTS(S) VCS_TRANSFER_STRUCTS(S)

VCS_TIMERS_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
