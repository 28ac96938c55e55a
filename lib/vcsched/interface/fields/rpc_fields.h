/*
 * The fields of the structs of timers.h that sessions of scheduler calls keep; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FIELDS_RPC_FIELDS_H
#define VCS_FIELDS_RPC_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/timers.h>

#define VCS_RPC_PROJECT_ALL_FLAGS                                                                                      \
    (VCS_RPC_SUSPENDED | VCS_RPC_NO_NEW_WORK | VCS_RPC_CALL_WANTED | VCS_RPC_MASTER_WANTED | VCS_RPC_ASKED)

#define VCS_FIELDS_rpc_project(X) \
    X(rpc_project, u64, 0, id, "", VCS_U64) \
    X(rpc_project, f64, 8, timer.min_rpc_time, "s", VCS_TIME) \
    X(rpc_project, f64, 16, timer.seen, "s", VCS_TIME) \
    X(rpc_project, u32, 24, timer.failures, "", VCS_U32) \
    X(rpc_project, zero, 28, timer.reserved0, "", VCS_NO_RANGE) \
    X(rpc_project, zero, 32, timer.reserved, "", VCS_NO_RANGE) \
    X(rpc_project, f64, 48, master_fetched, "s", VCS_TIME) \
    X(rpc_project, u32, 56, rank, "", VCS_U32) \
    X(rpc_project, u32, 60, scheduler_urls, "", VCS_U32) \
    X(rpc_project, u32, 64, overdue, "results", VCS_U32) \
    X(rpc_project, flags, 68, flags, "", 0.0, VCS_RPC_PROJECT_ALL_FLAGS) \
    X(rpc_project, zero, 72, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_rpc_session(X) \
    X(rpc_session, choice, 0, kind, "", VCS_RPC_NO_SESSION, VCS_RPC_REPORT_RESULT) \
    X(rpc_session, choice, 4, step, "", VCS_RPC_CHOOSE_PROJECT, VCS_RPC_READING_MASTER) \
    X(rpc_session, choice, 8, last, "", VCS_RPC_NO_SESSION, VCS_RPC_REPORT_RESULT) \
    X(rpc_session, u32, 12, url, "", VCS_U32) \
    X(rpc_session, u64, 16, project, "", VCS_U64) \
    X(rpc_session, u32, 24, place, "", VCS_U32) \
    X(rpc_session, zero, 28, reserved0, "", VCS_NO_RANGE) \
    X(rpc_session, f64, 32, seconds, "s", VCS_DURATION) \
    X(rpc_session, f64, 40, estimated, "s", VCS_DURATION) \
    X(rpc_session, f64, 48, next_get_work, "s", VCS_TIME) \
    X(rpc_session, zero, 56, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_rpc_situation(X) \
    X(rpc_situation, size, 0, struct_size, "bytes", VCS_U32) \
    X(rpc_situation, flags, 4, flags, "", 0.0, 0.0) \
    X(rpc_situation, f64, 8, now, "s", VCS_TIME) \
    X(rpc_situation, f64, 16, estimated_work, "s", VCS_DURATION) \
    X(rpc_situation, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_rpc_action(X) \
    X(rpc_action, size, 0, struct_size, "bytes", VCS_U32) \
    X(rpc_action, u32, 4, kind, "", VCS_U32) \
    X(rpc_action, u32, 8, project, "", VCS_U32) \
    X(rpc_action, u32, 12, url, "", VCS_U32) \
    X(rpc_action, f64, 16, seconds, "s", VCS_AMOUNT) \
    X(rpc_action, f64, 24, until, "s", -DBL_MAX, VCS_INFINITY) \
    X(rpc_action, u32, 32, session, "", VCS_U32) \
    X(rpc_action, zero, 36, reserved0, "", VCS_NO_RANGE) \
    X(rpc_action, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_rpc_outcome(X) \
    X(rpc_outcome, size, 0, struct_size, "bytes", VCS_U32) \
    X(rpc_outcome, choice, 4, kind, "", VCS_RPC_ANSWERED, VCS_RPC_NOT_DONE) \
    X(rpc_outcome, flags, 8, flags, "", 0.0, VCS_RPC_NEW_URLS) \
    X(rpc_outcome, u32, 12, tasks, "tasks", VCS_U32) \
    X(rpc_outcome, u32, 16, scheduler_urls, "", VCS_U32) \
    X(rpc_outcome, zero, 20, reserved0, "", VCS_NO_RANGE) \
    X(rpc_outcome, f64, 24, now, "s", VCS_TIME) \
    X(rpc_outcome, f64, 32, request_delay, "s", VCS_DURATION) \
    X(rpc_outcome, f64, 40, u, "", 0.0, VCS_BELOW_ONE) \
    X(rpc_outcome, zero, 48, reserved, "", VCS_NO_RANGE)

/* One list for each source file of layouts/: a program links the layouts that it needs. */
#define VCS_RPC_RECORDS(S) \
    S(rpc_project, VCS_TYPE_RPC_PROJECT, 104, 104, VCS_NUMBERED) \
    S(rpc_session, VCS_TYPE_RPC_SESSION, 88, 88, VCS_SINGLE)
#define VCS_RPC_NEXT_STRUCTS(S) \
    S(rpc_situation, VCS_TYPE_RPC_SITUATION, 40, 40, VCS_SINGLE) \
    S(rpc_action, VCS_TYPE_RPC_ACTION, 56, 56, VCS_SINGLE)
#define VCS_RPC_OUTCOME_STRUCTS(S) \
    S(rpc_outcome, VCS_TYPE_RPC_OUTCOME, 64, 64, VCS_SINGLE)

#define VCS_RPC_STRUCTS(S) \
    VCS_RPC_RECORDS(S) VCS_RPC_NEXT_STRUCTS(S) VCS_RPC_OUTCOME_STRUCTS(S)

VCS_RPC_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
