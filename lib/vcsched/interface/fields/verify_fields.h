/*
 * The fields of the structs of verify.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FIELDS_VERIFY_FIELDS_H
#define VCS_FIELDS_VERIFY_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/verify.h>

#define VCS_FIELDS_check(X) \
    X(check, size, 0, struct_size, "bytes", VCS_U32) \
    X(check, flags, 4, flags, "", 0.0, VCS_BLACKLISTED) \
    X(check, choice, 8, method, "", 0.0, VCS_VERIFY_RECOMPUTATION) \
    X(check, choice, 12, outcome, "", 0.0, VCS_CHECK_FAILED) \
    X(check, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_verdict(X) \
    X(verdict, size, 0, struct_size, "bytes", VCS_U32) \
    X(verdict, u32, 4, flags, "", VCS_U32) \
    X(verdict, u32, 8, action, "", VCS_U32) \
    X(verdict, u32, 12, reason, "", VCS_U32) \
    X(verdict, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_ballot(X) \
    X(ballot, u64, 0, id, "", VCS_U64) \
    X(ballot, u32, 8, result_class, "", VCS_U32) \
    X(ballot, flags, 12, flags, "", 0.0, VCS_BLACKLISTED) \
    X(ballot, f64, 16, credibility, "", 0.0, VCS_MAX_CREDIBILITY) \
    X(ballot, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_ballot_verdict(X) \
    X(ballot_verdict, u32, 0, verdict, "", VCS_U32) \
    X(ballot_verdict, u32, 4, reason, "", VCS_U32) \
    X(ballot_verdict, zero, 8, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_vote_terms(X) \
    X(vote_terms, size, 0, struct_size, "bytes", VCS_U32) \
    X(vote_terms, flags, 4, flags, "", 0.0, VCS_VOTE_DECIDED) \
    X(vote_terms, u32, 8, copies, "", 1.0, 4294967295.0) \
    X(vote_terms, u32, 12, winner, "", VCS_U32) \
    X(vote_terms, f64, 16, tolerance, "", 0.0, 0.5) \
    X(vote_terms, choice, 24, rule, "", 0.0, VCS_VOTE_BY_CREDIBILITY) \
    X(vote_terms, zero, 28, reserved0, "", VCS_NO_RANGE)

#define VCS_FIELDS_vote_summary(X) \
    X(vote_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(vote_summary, u32, 4, flags, "", VCS_U32) \
    X(vote_summary, u32, 8, winner, "", VCS_U32) \
    X(vote_summary, u32, 12, reason, "", VCS_U32) \
    X(vote_summary, u32, 16, further, "", VCS_U32) \
    X(vote_summary, u32, 20, refused, "", VCS_U32) \
    X(vote_summary, u32, 24, votes, "", VCS_U32) \
    X(vote_summary, index, 28, ballot, "", VCS_U32) \
    X(vote_summary, f64, 32, doubt, "", 0.0, 1.0) \
    X(vote_summary, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_trust(X) \
    X(trust, u64, 0, id, "", VCS_U64) \
    X(trust, u64, 8, passed, "", VCS_U64) \
    X(trust, u64, 16, valid_in_row, "", VCS_U64) \
    X(trust, flags, 24, flags, "", 0.0, VCS_BLACKLISTED) \
    X(trust, u32, 28, reason, "", VCS_U32) \
    X(trust, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_quota(X) \
    X(quota, u64, 0, id, "", VCS_U64) \
    X(quota, f64, 8, day, "days", -VCS_MAX_TIME, VCS_MAX_TIME) \
    X(quota, u32, 16, max_quota, "", 1.0, 4294967295.0) \
    X(quota, u32, 20, quota, "", 1.0, 4294967295.0) \
    X(quota, u32, 24, used, "", VCS_U32) \
    X(quota, zero, 28, reserved0, "", VCS_NO_RANGE) \
    X(quota, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_next_request(X) \
    X(next_request, size, 0, struct_size, "bytes", VCS_U32) \
    X(next_request, flags, 4, flags, "", 0.0, VCS_REQUEST_WITHOUT_WORK) \
    X(next_request, u32, 8, sent, "tasks", VCS_U32) \
    X(next_request, u32, 12, late, "tasks", VCS_U32) \
    X(next_request, u32, 16, quota_left, "tasks", VCS_U32) \
    X(next_request, zero, 20, reserved0, "", VCS_NO_RANGE) \
    X(next_request, f64, 24, report_by, "s", -VCS_MAX_TIME, VCS_INFINITY) \
    X(next_request, f64, 32, least_delay, "s", 0.0, VCS_MAX_SECONDS) \
    X(next_request, f64, 40, no_work_delay, "s", 0.0, VCS_MAX_SECONDS) \
    X(next_request, f64, 48, deadline_delay, "s", 0.0, VCS_MAX_SECONDS) \
    X(next_request, f64, 56, quota_spread, "s", 0.0, VCS_MAX_SECONDS) \
    X(next_request, zero, 64, reserved, "", VCS_NO_RANGE)

#define VCS_VERIFY_STRUCTS(S) \
    S(check, VCS_TYPE_CHECK, 32, 32, VCS_SINGLE) \
    S(verdict, VCS_TYPE_VERDICT, 32, 32, VCS_SINGLE) \
    S(ballot, VCS_TYPE_BALLOT, 40, 40, VCS_NUMBERED) \
    S(ballot_verdict, VCS_TYPE_BALLOT_VERDICT, 24, 24, VCS_SINGLE) \
    S(vote_terms, VCS_TYPE_VOTE_TERMS, 32, 32, VCS_SINGLE) \
    S(vote_summary, VCS_TYPE_VOTE_SUMMARY, 56, 56, VCS_SINGLE) \
    S(trust, VCS_TYPE_TRUST, 48, 48, VCS_SINGLE) \
    S(quota, VCS_TYPE_QUOTA, 48, 48, VCS_SINGLE) \
    S(next_request, VCS_TYPE_NEXT_REQUEST, 80, 80, VCS_SINGLE)

VCS_VERIFY_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
