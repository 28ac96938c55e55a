/*
 * The fields of the structs of dispatch.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FIELDS_DISPATCH_FIELDS_H
#define VCS_FIELDS_DISPATCH_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/dispatch.h>

#define VCS_CLIENT_ALL_FLAGS (VCS_BLACKLISTED | VCS_CLIENT_DEAD | VCS_CLIENT_TALKING)

#define VCS_FIELDS_client(X) \
    X(client, u64, 0, id, "", VCS_U64) \
    X(client, f64, 8, pace.bytes, "bytes", 0.0, 1e30) \
    X(client, f64, 16, pace.transfer_seconds, "s", 0.0, 1e30) \
    X(client, f64, 24, pace.complexity, "", 0.0, 1e30) \
    X(client, f64, 32, pace.compute_seconds, "s", 0.0, 1e30) \
    X(client, u64, 40, pace.replies, "", VCS_U64) \
    X(client, zero, 48, pace.reserved, "", VCS_NO_RANGE) \
    X(client, f64, 56, last_heard, "s", VCS_TIME) \
    X(client, flags, 64, flags, "", 0.0, VCS_CLIENT_ALL_FLAGS) \
    X(client, zero, 68, reserved0, "", VCS_NO_RANGE) \
    X(client, zero, 72, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_dispatch_job(X) \
    X(dispatch_job, u64, 0, id, "", VCS_U64) \
    X(dispatch_job, f64, 8, size, "bytes", 0.0, 1e30) \
    X(dispatch_job, f64, 16, complexity, "", 0.0, 1e30) \
    X(dispatch_job, f64, 24, queued, "s", VCS_TIME) \
    X(dispatch_job, f64, 32, sent, "s", VCS_TIME) \
    X(dispatch_job, f64, 40, expected, "s", VCS_DURATION) \
    X(dispatch_job, choice, 48, state, "", 0.0, VCS_JOB_OVER) \
    X(dispatch_job, flags, 52, flags, "", 0.0, VCS_JOB_AT_HEAD) \
    X(dispatch_job, index, 56, client, "", VCS_U32) \
    X(dispatch_job, index, 60, copy_of, "", VCS_U32) \
    X(dispatch_job, zero, 64, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_pace(X) \
    X(pace, f64, 0, bytes, "bytes", 0.0, 1e30) \
    X(pace, f64, 8, transfer_seconds, "s", 0.0, 1e30) \
    X(pace, f64, 16, complexity, "", 0.0, 1e30) \
    X(pace, f64, 24, compute_seconds, "s", 0.0, 1e30) \
    X(pace, u64, 32, replies, "", VCS_U64) \
    X(pace, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_dispatch_rules(X) \
    X(dispatch_rules, size, 0, struct_size, "bytes", VCS_U32) \
    X(dispatch_rules, flags, 4, flags, "", 0.0, 0.0) \
    X(dispatch_rules, choice, 8, order, "", 0.0, VCS_OVERDUE_FIRST) \
    X(dispatch_rules, u32, 12, max_per_client, "", VCS_U32) \
    X(dispatch_rules, f64, 16, wait_factor, "", DBL_MIN, 1e6) \
    X(dispatch_rules, f64, 24, dead_factor, "", DBL_MIN, 1e6) \
    X(dispatch_rules, f64, 32, first_rate, "bytes/s", 1e-9, 1e30) \
    X(dispatch_rules, f64, 40, first_speed, "", 1e-30, 1e30) \
    X(dispatch_rules, f64, 48, forget, "", 0.0, 1.0) \
    X(dispatch_rules, zero, 56, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_dispatch_decision(X) \
    X(dispatch_decision, size, 0, struct_size, "bytes", VCS_U32) \
    X(dispatch_decision, index, 4, job, "", VCS_U32) \
    X(dispatch_decision, u32, 8, is_copy, "", VCS_U32) \
    X(dispatch_decision, u32, 12, reason, "", VCS_U32) \
    X(dispatch_decision, f64, 16, next_check, "s", 0.0, VCS_INFINITY) \
    X(dispatch_decision, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_reply_times(X) \
    X(reply_times, size, 0, struct_size, "bytes", VCS_U32) \
    X(reply_times, flags, 4, flags, "", 0.0, 0.0) \
    X(reply_times, f64, 8, bytes, "bytes", 0.0, 1e30) \
    X(reply_times, f64, 16, transfer_seconds, "s", VCS_DURATION) \
    X(reply_times, f64, 24, complexity, "", 0.0, 1e30) \
    X(reply_times, f64, 32, compute_seconds, "s", VCS_DURATION) \
    X(reply_times, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_pool_client(X) \
    X(pool_client, u32, 0, liveness, "", VCS_U32) \
    X(pool_client, u32, 4, has_died, "", VCS_U32) \
    X(pool_client, u32, 8, jobs, "", VCS_U32) \
    X(pool_client, zero, 12, reserved0, "", VCS_NO_RANGE) \
    X(pool_client, f64, 16, silent, "s", VCS_AMOUNT) \
    X(pool_client, f64, 24, dead_in, "s", 0.0, VCS_INFINITY) \
    X(pool_client, f64, 32, rate, "bytes/s", 0.0, 1e30) \
    X(pool_client, f64, 40, speed, "", 0.0, 1e30) \
    X(pool_client, zero, 48, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_pool_summary(X) \
    X(pool_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(pool_summary, u32, 4, active, "", VCS_U32) \
    X(pool_summary, u32, 8, talking, "", VCS_U32) \
    X(pool_summary, u32, 12, dead, "", VCS_U32) \
    X(pool_summary, u32, 16, blacklisted, "", VCS_U32) \
    X(pool_summary, u32, 20, jobs, "", VCS_U32) \
    X(pool_summary, f64, 24, power, "", VCS_AMOUNT) \
    X(pool_summary, u32, 32, silent, "", VCS_U32) \
    X(pool_summary, u32, 36, window, "", VCS_U32) \
    X(pool_summary, u32, 40, duplicates, "", VCS_U32) \
    X(pool_summary, zero, 44, reserved0, "", VCS_NO_RANGE) \
    X(pool_summary, f64, 48, window_bytes, "bytes", VCS_AMOUNT) \
    X(pool_summary, f64, 56, window_span, "s", VCS_AMOUNT) \
    X(pool_summary, zero, 64, reserved, "", VCS_NO_RANGE)

#define VCS_DISPATCH_STRUCTS(S) \
    S(client, VCS_TYPE_CLIENT, 88, 88, VCS_SINGLE) \
    S(dispatch_job, VCS_TYPE_DISPATCH_JOB, 80, 80, VCS_SINGLE) \
    S(pace, VCS_TYPE_PACE, 48, 48, VCS_SINGLE) \
    S(dispatch_rules, VCS_TYPE_DISPATCH_RULES, 72, 72, VCS_SINGLE) \
    S(dispatch_decision, VCS_TYPE_DISPATCH_DECISION, 40, 40, VCS_SINGLE) \
    S(reply_times, VCS_TYPE_REPLY_TIMES, 56, 56, VCS_SINGLE) \
    S(pool_client, VCS_TYPE_POOL_CLIENT, 64, 64, VCS_SINGLE) \
    S(pool_summary, VCS_TYPE_POOL_SUMMARY, 80, 80, VCS_SINGLE)

VCS_DISPATCH_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
