/*
 * The fields of the structs of grid.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_INTERFACE_GRID_FIELDS_H
#define VCEMU_INTERFACE_GRID_FIELDS_H

#include "vcemu/interface/emulator_fields.h"

#include <vcemu/grid.h>

#define VCS_GRID_FLAGS \
    (VCS_GRID_BLACKLIST | VCS_GRID_WITHDRAW | VCS_GRID_ASSIMILATE_LAST | VCS_GRID_ABORTS | VCS_GRID_DELAYS)

#define VCS_FIELDS_grid_terms(X) \
    X(grid_terms, size, 0, struct_size, "bytes", VCS_U32) \
    X(grid_terms, flags, 4, flags, "", 0.0, VCS_GRID_BOUNDS) \
    X(grid_terms, u64, 8, seed, "", VCS_U64) \
    X(grid_terms, f64, 16, start, "s", -VCS_MAX_SECONDS, VCS_MAX_SECONDS) \
    X(grid_terms, f64, 24, duration, "s", 1e-3, VCS_MAX_EMULATION) \
    X(grid_terms, f64, 32, sample, "s", 0.0, VCS_MAX_EMULATION) \
    X(grid_terms, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_grid_project(X) \
    X(grid_project, u64, 0, id, "", VCS_U64) \
    X(grid_project, u64, 8, units, "units", VCS_U64) \
    X(grid_project, f64, 16, unit_rate, "1/s", 0.0, 1e9) \
    X(grid_project, f64, 24, delay_bound, "s", 1e-3, VCS_MAX_SECONDS) \
    X(grid_project, f64, 32, est_flops, "FLOP", VCS_OPERATIONS) \
    X(grid_project, f64, 40, mean_flops, "FLOP", VCS_OPERATIONS) \
    X(grid_project, f64, 48, sd_flops, "FLOP", VCS_OPERATIONS) \
    X(grid_project, f64, 56, input_bytes, "bytes", 0.0, 1e30) \
    X(grid_project, f64, 64, output_bytes, "bytes", 0.0, 1e30) \
    X(grid_project, choice, 72, distribution, "", 0.0, VCS_SIZES_LOG_NORMAL) \
    X(grid_project, flags, 76, flags, "", 0.0, VCS_GRID_FLAGS) \
    X(grid_project, choice, 80, dispatch, "", 0.0, VCS_GRID_BY_REPLY) \
    X(grid_project, choice, 84, verification, "", 0.0, VCS_GRID_CHECK_ADAPTIVE) \
    X(grid_project, u32, 88, min_quorum, "copies", 1.0, 4096.0) \
    X(grid_project, u32, 92, target_nresults, "copies", 1.0, 4096.0) \
    X(grid_project, u32, 96, max_error, "copies", VCS_U32) \
    X(grid_project, u32, 100, max_total, "copies", 1.0, 4096.0) \
    X(grid_project, u32, 104, max_success, "copies", VCS_U32) \
    X(grid_project, choice, 108, quorum_rule, "", 0.0, VCS_QUORUM_EQUAL) \
    X(grid_project, u32, 112, max_refusals, "hosts", VCS_U32) \
    X(grid_project, u32, 116, quota, "jobs", VCS_U32) \
    X(grid_project, choice, 120, credit_rule, "", 0.0, VCS_CREDIT_FIXED) \
    X(grid_project, choice, 124, order, "", 0.0, VCS_OVERDUE_FIRST) \
    X(grid_project, f64, 128, fixed_credit, "", 0.0, VCS_MAX_CREDIT) \
    X(grid_project, f64, 136, max_single_claim, "", 0.0, VCS_MAX_CREDIT) \
    X(grid_project, f64, 144, recomputation, "copies", 1.0, VCS_MAX_COPIES) \
    X(grid_project, f64, 152, wait_factor, "", 1e-6, 1e6) \
    X(grid_project, f64, 160, dead_factor, "", 1e-6, 1e6) \
    X(grid_project, f64, 168, error_bound, "", 0.0, 1.0) \
    X(grid_project, f64, 176, tolerance, "", 1e-12, 0.4999999) \
    X(grid_project, f64, 184, spot_checks, "", 0.0, 1.0) \
    X(grid_project, zero, 192, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_host_model(X) \
    X(host_model, u64, 0, id, "", VCS_U64) \
    X(host_model, u64, 8, count, "hosts", 0.0, VCS_MAX_HOSTS) \
    X(host_model, f64, 16, speed_sd, "", 0.0, 10.0) \
    X(host_model, f64, 24, arrivals, "s", VCS_DURATION) \
    X(host_model, f64, 32, lifetime, "s", VCS_DURATION) \
    X(host_model, f64, 40, rate, "bytes/s", 0.0, 1e30) \
    X(host_model, f64, 48, client_error, "", 0.0, 1.0) \
    X(host_model, f64, 56, no_reply, "", 0.0, 1.0) \
    X(host_model, f64, 64, wrong, "", 0.0, 1.0) \
    X(host_model, f64, 72, saboteurs, "", 0.0, 1.0) \
    X(host_model, f64, 80, sabotage, "", 0.0, 1.0) \
    X(host_model, flags, 88, flags, "", 0.0, VCS_HOSTS_COLLUDE | VCS_HOSTS_REPLACED) \
    X(host_model, zero, 92, reserved0, "", VCS_NO_RANGE) \
    X(host_model, zero, 96, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_host_row(X) \
    X(host_row, f64, 0, weight, "hosts", 0.0, 1e12) \
    X(host_row, f64, 8, cpus, "CPUs", 0.0, VCS_MAX_INSTANCES) \
    X(host_row, f64, 16, flops, "FLOPS", 0.0, 1e30) \
    X(host_row, f64, 24, available, "", 0.0, 1.0) \
    X(host_row, f64, 32, ram, "bytes", VCS_AMOUNT) \
    X(host_row, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_grid_outcome(X) \
    X(grid_outcome, size, 0, struct_size, "bytes", VCS_U32) \
    X(grid_outcome, u32, 4, flags, "", VCS_U32) \
    X(grid_outcome, u64, 8, hosts, "", VCS_U64) \
    X(grid_outcome, u64, 16, left, "", VCS_U64) \
    X(grid_outcome, u64, 24, saboteurs, "", VCS_U64) \
    X(grid_outcome, f64, 32, present, "instance-seconds", VCS_AMOUNT) \
    X(grid_outcome, f64, 40, off, "instance-seconds", VCS_AMOUNT) \
    X(grid_outcome, f64, 48, used, "instance-seconds", VCS_AMOUNT) \
    X(grid_outcome, f64, 56, idle, "instance-seconds", VCS_AMOUNT) \
    X(grid_outcome, f64, 64, flops_used, "FLOP", VCS_AMOUNT) \
    X(grid_outcome, u64, 72, calls, "", VCS_U64) \
    X(grid_outcome, u64, 80, steps, "", VCS_U64) \
    X(grid_outcome, u64, 88, samples, "", VCS_U64) \
    X(grid_outcome, zero, 96, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_grid_project_outcome(X) \
    X(grid_project_outcome, u64, 0, id, "", VCS_U64) \
    X(grid_project_outcome, u64, 8, units, "", VCS_U64) \
    X(grid_project_outcome, u64, 16, done, "", VCS_U64) \
    X(grid_project_outcome, u64, 24, failed, "", VCS_U64) \
    X(grid_project_outcome, u64, 32, open, "", VCS_U64) \
    X(grid_project_outcome, u64, 40, wrong_accepted, "", VCS_U64) \
    X(grid_project_outcome, u64, 48, copies, "", VCS_U64) \
    X(grid_project_outcome, u64, 56, valid, "", VCS_U64) \
    X(grid_project_outcome, u64, 64, invalid, "", VCS_U64) \
    X(grid_project_outcome, u64, 72, not_judged, "", VCS_U64) \
    X(grid_project_outcome, u64, 80, errors, "", VCS_U64) \
    X(grid_project_outcome, u64, 88, no_reply, "", VCS_U64) \
    X(grid_project_outcome, u64, 96, aborted, "", VCS_U64) \
    X(grid_project_outcome, u64, 104, detached, "", VCS_U64) \
    X(grid_project_outcome, u64, 112, in_progress, "", VCS_U64) \
    X(grid_project_outcome, u64, 120, late, "", VCS_U64) \
    X(grid_project_outcome, u64, 128, unsendable, "", VCS_U64) \
    X(grid_project_outcome, u64, 136, duplicates, "", VCS_U64) \
    X(grid_project_outcome, u64, 144, spot_checks, "", VCS_U64) \
    X(grid_project_outcome, u64, 152, caught, "", VCS_U64) \
    X(grid_project_outcome, u64, 160, calls, "", VCS_U64) \
    X(grid_project_outcome, u64, 168, transitions, "", VCS_U64) \
    X(grid_project_outcome, u64, 176, changes, "", VCS_U64) \
    X(grid_project_outcome, f64, 184, makespan, "s", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 192, tail, "s", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 200, turnaround_mean, "s", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 208, turnaround_p50, "s", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 216, turnaround_p95, "s", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 224, turnaround_p99, "s", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 232, mean_in_progress, "", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 240, time_in_progress, "s", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 248, flops_useful, "FLOP", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 256, flops_redundant, "FLOP", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 264, flops_invalid, "FLOP", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 272, flops_late, "FLOP", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 280, flops_failed, "FLOP", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 288, flops_checks, "FLOP", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 296, credit, "", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 304, window, "", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 312, window_bytes, "bytes", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 320, window_span, "s", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 328, power_available, "FLOPS", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 336, flops_lost, "FLOP", VCS_AMOUNT) \
    X(grid_project_outcome, f64, 344, flops_held, "FLOP", VCS_AMOUNT) \
    X(grid_project_outcome, u64, 352, failed_decisions, "", VCS_U64) \
    X(grid_project_outcome, u64, 360, waiting, "units", VCS_U64) \
    X(grid_project_outcome, zero, 368, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_grid_host_outcome(X) \
    X(grid_host_outcome, u32, 0, host_class, "", VCS_U32) \
    X(grid_host_outcome, u32, 4, flags, "", VCS_U32) \
    X(grid_host_outcome, f64, 8, cpus, "", VCS_AMOUNT) \
    X(grid_host_outcome, f64, 16, flops, "FLOPS", VCS_AMOUNT) \
    X(grid_host_outcome, f64, 24, joined, "s", VCS_ANY) \
    X(grid_host_outcome, f64, 32, on, "s", VCS_AMOUNT) \
    X(grid_host_outcome, f64, 40, idleness, "", 0.0, 1.0) \
    X(grid_host_outcome, f64, 48, waste, "", 0.0, 1.0) \
    X(grid_host_outcome, f64, 56, share_violation, "", 0.0, 1.0) \
    X(grid_host_outcome, u64, 64, reported, "", VCS_U64) \
    X(grid_host_outcome, u64, 72, calls, "", VCS_U64) \
    X(grid_host_outcome, u64, 80, refused, "", VCS_U64) \
    X(grid_host_outcome, f64, 88, flops_used, "FLOP", VCS_AMOUNT) \
    X(grid_host_outcome, f64, 96, lost, "", 0.0, 1.0) \
    X(grid_host_outcome, f64, 104, least_loss, "", 0.0, 1.0)

#define VCS_FIELDS_grid_sample(X) \
    X(grid_sample, f64, 0, time, "s", VCS_ANY) \
    X(grid_sample, u64, 8, units, "", VCS_U64) \
    X(grid_sample, u64, 16, done, "", VCS_U64) \
    X(grid_sample, u64, 24, failed, "", VCS_U64) \
    X(grid_sample, u64, 32, wrong_accepted, "", VCS_U64) \
    X(grid_sample, u64, 40, copies, "", VCS_U64) \
    X(grid_sample, u64, 48, over, "", VCS_U64) \
    X(grid_sample, u64, 56, unsent, "", VCS_U64) \
    X(grid_sample, u64, 64, duplicates, "", VCS_U64) \
    X(grid_sample, f64, 72, window, "", VCS_AMOUNT) \
    X(grid_sample, f64, 80, credit, "", VCS_AMOUNT) \
    X(grid_sample, zero, 88, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_grid_event(X) \
    X(grid_event, f64, 0, time, "s", VCS_ANY) \
    X(grid_event, u32, 8, kind, "", VCS_U32) \
    X(grid_event, u32, 12, project, "", VCS_U32) \
    X(grid_event, u32, 16, host, "", VCS_U32) \
    X(grid_event, u32, 20, copy_index, "", VCS_U32) \
    X(grid_event, u64, 24, unit, "", VCS_U64) \
    X(grid_event, f64, 32, amount, "", VCS_ANY) \
    X(grid_event, f64, 40, deadline, "s", VCS_ANY) \
    X(grid_event, u32, 48, resource, "", VCS_U32) \
    X(grid_event, u32, 52, reason, "", VCS_U32) \
    X(grid_event, u32, 56, host_class, "", VCS_U32) \
    X(grid_event, zero, 60, reserved0, "", VCS_NO_RANGE) \
    X(grid_event, zero, 64, reserved, "", VCS_NO_RANGE)

#define VCS_GRID_STRUCTS(S) \
    S(grid_terms, VCS_TYPE_GRID_TERMS, 64, 64, VCS_SINGLE) \
    S(grid_project, VCS_TYPE_GRID_PROJECT, 240, 240, VCS_NUMBERED) \
    S(host_model, VCS_TYPE_HOST_MODEL, 136, 136, VCS_SINGLE) \
    S(host_row, VCS_TYPE_HOST_ROW, 64, 64, VCS_NUMBERED) \
    S(grid_outcome, VCS_TYPE_GRID_OUTCOME, 120, 120, VCS_SINGLE) \
    S(grid_project_outcome, VCS_TYPE_GRID_PROJECT_OUTCOME, 384, 384, VCS_SINGLE) \
    S(grid_host_outcome, VCS_TYPE_GRID_HOST_OUTCOME, 112, 88, VCS_SINGLE) \
    S(grid_sample, VCS_TYPE_GRID_SAMPLE, 96, 96, VCS_SINGLE) \
    S(grid_event, VCS_TYPE_GRID_EVENT, 72, 72, VCS_SINGLE)

VCS_GRID_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
