/*
 * The fields of the structs of accounts.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FIELDS_ACCOUNTS_FIELDS_H
#define VCS_FIELDS_ACCOUNTS_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/accounts.h>

#define VCS_FIELDS_average(X) \
    X(average, f64, 0, value, "", 0.0, 1e30) \
    X(average, f64, 8, time, "s", VCS_TIME) \
    X(average, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_ranking(X) \
    X(ranking, size, 0, struct_size, "bytes", VCS_U32) \
    X(ranking, flags, 4, flags, "", 0.0, 0.0) \
    X(ranking, choice, 8, rule, "", VCS_RANK_PRIORITY, VCS_RANK_DEBT) \
    X(ranking, zero, 12, reserved0, "", VCS_NO_RANGE) \
    X(ranking, f64, 16, bump, "s", VCS_DURATION) \
    X(ranking, f64, 24, host_total, "", 0.0, 1e30) \
    X(ranking, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_rank_entry(X) \
    X(rank_entry, u64, 0, id, "", VCS_U64) \
    X(rank_entry, f64, 8, share, "", 0.0, 1e30) \
    X(rank_entry, f64, 16, rec, "credits/day", 0.0, 1e30) \
    X(rank_entry, f64, 24, exp_avg_cpu, "s", 0.0, 1e30) \
    X(rank_entry, f64, 32, debt, "s", -VCS_MAX_SECONDS, VCS_MAX_SECONDS) \
    X(rank_entry, f64, 40, load, "", 0.0, 1e12) \
    X(rank_entry, i32, 48, priority_class, "", VCS_I32) \
    X(rank_entry, flags, 52, flags, "", 0.0, VCS_RANK_ENTRY_INACTIVE) \
    X(rank_entry, zero, 56, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_debt(X) \
    X(debt, u64, 0, id, "", VCS_U64) \
    X(debt, f64, 8, share, "", 0.0, 1e30) \
    X(debt, f64, 16, used, "instance-s", VCS_DURATION) \
    X(debt, f64, 24, short_term, "s", -VCS_MAX_SECONDS, VCS_MAX_SECONDS) \
    X(debt, f64, 32, long_term, "s", -VCS_MAX_SECONDS, VCS_MAX_SECONDS) \
    X(debt, flags, 40, flags, "", 0.0, VCS_DEBT_RUNNABLE | VCS_DEBT_POTENTIALLY_RUNNABLE) \
    X(debt, zero, 44, reserved0, "", VCS_NO_RANGE) \
    X(debt, zero, 48, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_debt_interval(X) \
    X(debt_interval, size, 0, struct_size, "bytes", VCS_U32) \
    X(debt_interval, flags, 4, flags, "", 0.0, 0.0) \
    X(debt_interval, f64, 8, period, "s", 1e-3, VCS_MAX_SECONDS) \
    X(debt_interval, f64, 16, elapsed, "s", VCS_TIME) \
    X(debt_interval, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_progress(X) \
    X(progress, size, 0, struct_size, "bytes", VCS_U32) \
    X(progress, flags, 4, flags, "", 0.0, VCS_PROGRESS_EXACT) \
    X(progress, f64, 8, est_flops, "FLOP", 0.0, 1e30) \
    X(progress, f64, 16, flops, "FLOPS", 1e-3, 1e30) \
    X(progress, f64, 24, dcf, "", 0.0, 1e6) \
    X(progress, f64, 32, efficiency, "", 0.0, 1.0) \
    X(progress, f64, 40, elapsed, "s", VCS_DURATION) \
    X(progress, f64, 48, fraction_done, "", VCS_AMOUNT) \
    X(progress, u32, 56, project, "", VCS_U32) \
    X(progress, u32, 60, app, "", VCS_U32) \
    X(progress, zero, 64, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_correction(X) \
    X(correction, f64, 0, dcf, "", 0.0, 1e6) \
    X(correction, u64, 8, tasks, "tasks", VCS_U64) \
    X(correction, choice, 16, rule, "", 0.0, 1.0) \
    X(correction, zero, 20, reserved0, "", VCS_NO_RANGE) \
    X(correction, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_usable(X) \
    X(usable, f64, 0, fraction, "", 0.0, 1.0) \
    X(usable, zero, 8, reserved, "", VCS_NO_RANGE)

#define VCS_ACCOUNTS_STRUCTS(S) \
    S(average, VCS_TYPE_AVERAGE, 32, 32, VCS_SINGLE) \
    S(ranking, VCS_TYPE_RANKING, 48, 48, VCS_SINGLE) \
    S(rank_entry, VCS_TYPE_RANK_ENTRY, 72, 72, VCS_NUMBERED) \
    S(debt, VCS_TYPE_DEBT, 64, 64, VCS_NUMBERED) \
    S(debt_interval, VCS_TYPE_DEBT_INTERVAL, 32, 32, VCS_SINGLE) \
    S(progress, VCS_TYPE_PROGRESS, 72, 72, VCS_SINGLE) \
    S(correction, VCS_TYPE_CORRECTION, 32, 32, VCS_SINGLE) \
    S(usable, VCS_TYPE_USABLE, 24, 24, VCS_SINGLE)

VCS_ACCOUNTS_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
