/*
 * The fields of the structs of fetch.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FIELDS_FETCH_FIELDS_H
#define VCS_FIELDS_FETCH_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/fetch.h>

#define VCS_FIELDS_fetch_question(X) \
    X(fetch_question, size, 0, struct_size, "bytes", VCS_U32) \
    X(fetch_question, flags, 4, flags, "", 0.0, VCS_FETCH_BRIEF) \
    X(fetch_question, choice, 8, purpose, "", 0.0, VCS_FETCH_PIGGYBACK) \
    X(fetch_question, index, 12, project, "", VCS_U32) \
    X(fetch_question, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_fetch_summary(X) \
    X(fetch_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(fetch_summary, u32, 4, flags, "", VCS_U32) \
    X(fetch_summary, u32, 8, project, "", VCS_U32) \
    X(fetch_summary, u32, 12, reason, "", VCS_U32) \
    X(fetch_summary, f64, 16, next_check, "s", 0.0, VCS_INFINITY) \
    X(fetch_summary, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_fetch_decision(X) \
    X(fetch_decision, f64, 0, seconds, "instance-s", VCS_AMOUNT) \
    X(fetch_decision, f64, 8, instances, "instances", VCS_AMOUNT) \
    X(fetch_decision, f64, 16, priority, "", VCS_EXTENDED) \
    X(fetch_decision, f64, 24, wait, "s", VCS_AMOUNT) \
    X(fetch_decision, u32, 32, reason, "", VCS_U32) \
    X(fetch_decision, u32, 36, better, "", VCS_U32) \
    X(fetch_decision, f64, 40, also_wait, "s", VCS_AMOUNT) \
    X(fetch_decision, u32, 48, also, "", VCS_U32) \
    X(fetch_decision, u32, 52, jobs, "tasks", VCS_U32) \
    X(fetch_decision, f64, 56, latency_bound, "s", VCS_AMOUNT)

#define VCS_FETCH_STRUCTS(S) \
    S(fetch_question, VCS_TYPE_FETCH_QUESTION, 32, 32, VCS_SINGLE) \
    S(fetch_summary, VCS_TYPE_FETCH_SUMMARY, 40, 40, VCS_SINGLE) \
    S(fetch_decision, VCS_TYPE_FETCH_DECISION, 64, 64, VCS_SINGLE)

VCS_FETCH_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
