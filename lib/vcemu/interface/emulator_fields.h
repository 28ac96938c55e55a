/*
 * The fields of the structs of emulator.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_INTERFACE_EMULATOR_FIELDS_H
#define VCEMU_INTERFACE_EMULATOR_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcemu/emulator.h>

/* The most operations that a job needs. What no host could compute in VCS_MAX_SECONDS may be refused later. */
#define VCS_OPERATIONS 0.0, 1e30

#define VCS_FIELDS_emulation(X) \
    X(emulation, size, 0, struct_size, "bytes", VCS_U32) \
    X(emulation, flags, 4, flags, "", 0.0, VCS_EMULATION_USABLE_GIVEN) \
    X(emulation, u64, 8, seed, "", VCS_U64) \
    X(emulation, f64, 16, start, "s", -VCS_MAX_SECONDS, VCS_MAX_SECONDS) \
    X(emulation, f64, 24, duration, "s", 1e-3, VCS_MAX_EMULATION) \
    X(emulation, f64, 32, available, "", 1e-6, 1.0) \
    X(emulation, f64, 40, available_mean, "s", VCS_DURATION) \
    X(emulation, f64, 48, connection_interval, "s", VCS_DURATION) \
    X(emulation, choice, 56, study_rules, "", 0.0, 1.0) \
    X(emulation, u32, 60, max_reply, "jobs", 1.0, 1000000.0) \
    X(emulation, f64, 64, available_step, "s", 0.0, VCS_MAX_SECONDS) \
    X(emulation, f64, 72, spell_shape, "", 0.0, 10.0) \
    X(emulation, choice, 80, spells, "", 0.0, VCS_SPELLS_LOG_NORMAL) \
    X(emulation, zero, 84, reserved0, "", VCS_NO_RANGE) \
    X(emulation, zero, 88, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_job_model(X) \
    X(job_model, f64, 0, latency_bound, "s", 1e-3, VCS_MAX_SECONDS) \
    X(job_model, f64, 8, est_flops, "FLOP", VCS_OPERATIONS) \
    X(job_model, f64, 16, mean_flops, "FLOP", VCS_OPERATIONS) \
    X(job_model, f64, 24, sd_flops, "FLOP", VCS_OPERATIONS) \
    X(job_model, f64, 32, cpus, "instances", 0.0, VCS_MAX_INSTANCES) \
    X(job_model, f64, 40, gpus, "instances", 0.0, VCS_MAX_INSTANCES) \
    X(job_model, f64, 48, weight, "", 0.0, 1e12) \
    X(job_model, f64, 56, ram, "bytes", VCS_AMOUNT) \
    X(job_model, f64, 64, checkpoint_interval, "s", VCS_DURATION) \
    X(job_model, u32, 72, gpu, "", VCS_U32) \
    X(job_model, choice, 76, distribution, "", 0.0, VCS_SIZES_LOG_NORMAL) \
    X(job_model, u32, 80, first_size, "", VCS_U32) \
    X(job_model, u32, 84, size_count, "", VCS_U32) \
    X(job_model, flags, 88, flags, "", 0.0, VCS_JOB_MODEL_EXACT) \
    X(job_model, zero, 92, reserved0, "", VCS_NO_RANGE) \
    X(job_model, f64, 96, fraction_blur, "", 0.0, 4.0) \
    X(job_model, f64, 104, fraction_step, "", 0.0, 1.0) \
    X(job_model, zero, 112, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_server_model(X)                                                                                     \
    X(server_model, f64, 0, up_mean, "s", VCS_DURATION)                                                                \
    X(server_model, f64, 8, down_mean, "s", VCS_DURATION)                                                              \
    X(server_model, f64, 16, scheduler_failure, "", 0.0, 1.0)                                                          \
    X(server_model, f64, 24, network_failure, "", 0.0, 1.0)                                                            \
    X(server_model, f64, 32, request_delay, "s", VCS_DURATION)                                                         \
    X(server_model, u32, 40, max_in_progress, "jobs", VCS_U32)                                                         \
    X(server_model, u32, 44, schedulers, "schedulers", 0.0, 1000.0)                                                    \
    X(server_model, f64, 48, master_failure, "", 0.0, 1.0)                                                             \
    X(server_model, f64, 56, moves_at, "s", VCS_DURATION)                                                              \
    X(server_model, zero, 64, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_event(X) \
    X(event, f64, 0, time, "s", VCS_ANY) \
    X(event, u32, 8, kind, "", VCS_U32) \
    X(event, u32, 12, project, "", VCS_U32) \
    X(event, u64, 16, task, "", VCS_U64) \
    X(event, u32, 24, resource, "", VCS_U32) \
    X(event, u32, 28, track, "", VCS_U32) \
    X(event, f64, 32, amount, "", VCS_AMOUNT) \
    X(event, f64, 40, deadline, "s", -DBL_MAX, VCS_INFINITY) \
    X(event, u32, 48, reason, "", VCS_U32) \
    X(event, zero, 52, reserved0, "", VCS_NO_RANGE) \
    X(event, zero, 56, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_outcome(X) \
    X(outcome, size, 0, struct_size, "bytes", VCS_U32) \
    X(outcome, u32, 4, flags, "", VCS_U32) \
    X(outcome, f64, 8, waste, "", 0.0, 1.0) \
    X(outcome, f64, 16, idleness, "", 0.0, 1.0) \
    X(outcome, f64, 24, share_violation, "", 0.0, 1.0) \
    X(outcome, f64, 32, monotony, "", 0.0, 1.0) \
    X(outcome, f64, 40, rpcs_per_job, "", VCS_AMOUNT) \
    X(outcome, f64, 48, stops_per_job, "", VCS_AMOUNT) \
    X(outcome, f64, 56, study_waste, "", 0.0, 1.0) \
    X(outcome, f64, 64, study_idleness, "", 0.0, 1.0) \
    X(outcome, f64, 72, study_share_violation, "", 0.0, 1.0) \
    X(outcome, f64, 80, available_time, "s", VCS_AMOUNT) \
    X(outcome, f64, 88, flops_available, "FLOP", VCS_AMOUNT) \
    X(outcome, f64, 96, flops_used, "FLOP", VCS_AMOUNT) \
    X(outcome, f64, 104, flops_in_time, "FLOP", VCS_AMOUNT) \
    X(outcome, f64, 112, flops_late, "FLOP", VCS_AMOUNT) \
    X(outcome, u64, 120, received, "jobs", VCS_U64) \
    X(outcome, u64, 128, ended, "tasks", VCS_U64) \
    X(outcome, u64, 136, in_time, "results", VCS_U64) \
    X(outcome, u64, 144, late, "results", VCS_U64) \
    X(outcome, u64, 152, calls, "calls", VCS_U64) \
    X(outcome, u64, 160, failed_calls, "calls", VCS_U64) \
    X(outcome, u64, 168, refused, "jobs", VCS_U64) \
    X(outcome, u64, 176, starts, "", VCS_U64) \
    X(outcome, u64, 184, stops, "", VCS_U64) \
    X(outcome, u64, 192, schedules, "", VCS_U64) \
    X(outcome, u64, 200, fetches, "", VCS_U64) \
    X(outcome, u64, 208, master_fetches, "", VCS_U64) \
    X(outcome, u64, 216, failed_masters, "", VCS_U64) \
    X(outcome, u64, 224, given_up, "tasks", VCS_U64) \
    X(outcome, u64, 232, done_late, "results", VCS_U64) \
    X(outcome, u64, 240, unreported, "results", VCS_U64) \
    X(outcome, f64, 248, flops_received, "FLOP", VCS_AMOUNT) \
    X(outcome, f64, 256, flops_done_late, "FLOP", VCS_AMOUNT) \
    X(outcome, f64, 264, flops_unreported, "FLOP", VCS_AMOUNT)

#define VCS_FIELDS_project_outcome(X) \
    X(project_outcome, u64, 0, id, "", VCS_U64) \
    X(project_outcome, f64, 8, flops_used, "FLOP", VCS_AMOUNT) \
    X(project_outcome, f64, 16, flops_in_time, "FLOP", VCS_AMOUNT) \
    X(project_outcome, f64, 24, flops_late, "FLOP", VCS_AMOUNT) \
    X(project_outcome, f64, 32, mean_wait, "s", VCS_AMOUNT) \
    X(project_outcome, u64, 40, received, "jobs", VCS_U64) \
    X(project_outcome, u64, 48, ended, "tasks", VCS_U64) \
    X(project_outcome, u64, 56, in_time, "results", VCS_U64) \
    X(project_outcome, u64, 64, late, "results", VCS_U64) \
    X(project_outcome, u64, 72, calls, "calls", VCS_U64) \
    X(project_outcome, u64, 80, failed_calls, "calls", VCS_U64) \
    X(project_outcome, u64, 88, master_fetches, "", VCS_U64) \
    X(project_outcome, u64, 96, failed_masters, "", VCS_U64) \
    X(project_outcome, u64, 104, done_late, "results", VCS_U64) \
    X(project_outcome, u64, 112, unreported, "results", VCS_U64) \
    X(project_outcome, u64, 120, stops, "", VCS_U64) \
    X(project_outcome, f64, 128, flops_received, "FLOP", VCS_AMOUNT) \
    X(project_outcome, f64, 136, flops_done_late, "FLOP", VCS_AMOUNT) \
    X(project_outcome, f64, 144, flops_unreported, "FLOP", VCS_AMOUNT)

#define VCS_FIELDS_resource_outcome(X) \
    X(resource_outcome, f64, 0, waste, "", 0.0, 1.0) \
    X(resource_outcome, f64, 8, idleness, "", 0.0, 1.0) \
    X(resource_outcome, f64, 16, available, "instance-seconds", VCS_AMOUNT) \
    X(resource_outcome, f64, 24, used, "instance-seconds", VCS_AMOUNT) \
    X(resource_outcome, f64, 32, wasted, "instance-seconds", VCS_AMOUNT) \
    X(resource_outcome, f64, 40, off, "instance-seconds", VCS_AMOUNT) \
    X(resource_outcome, f64, 48, idle_unfit, "instance-seconds", VCS_AMOUNT) \
    X(resource_outcome, f64, 56, idle_limit, "instance-seconds", VCS_AMOUNT) \
    X(resource_outcome, f64, 64, idle_held, "instance-seconds", VCS_AMOUNT) \
    X(resource_outcome, f64, 72, idle_backed_off, "instance-seconds", VCS_AMOUNT) \
    X(resource_outcome, f64, 80, idle_disconnected, "instance-seconds", VCS_AMOUNT) \
    X(resource_outcome, f64, 88, idle_no_work, "instance-seconds", VCS_AMOUNT) \
    X(resource_outcome, f64, 96, idle_unexplained, "instance-seconds", VCS_AMOUNT) \
    X(resource_outcome, f64, 104, idle_server_limit, "instance-seconds", VCS_AMOUNT) \
    X(resource_outcome, f64, 112, in_time, "instance-seconds", VCS_AMOUNT) \
    X(resource_outcome, f64, 120, done_late, "instance-seconds", VCS_AMOUNT)

#define VCS_EMULATOR_STRUCTS(S) \
    S(emulation, VCS_TYPE_EMULATION, 104, 104, VCS_SINGLE) \
    S(job_model, VCS_TYPE_JOB_MODEL, 128, 128, VCS_NUMBERED) \
    S(server_model, VCS_TYPE_SERVER_MODEL, 80, 80, VCS_NUMBERED) \
    S(event, VCS_TYPE_EVENT, 64, 64, VCS_SINGLE) \
    S(outcome, VCS_TYPE_OUTCOME, 272, 232, VCS_SINGLE) \
    S(project_outcome, VCS_TYPE_PROJECT_OUTCOME, 152, 104, VCS_SINGLE) \
    S(resource_outcome, VCS_TYPE_RESOURCE_OUTCOME, 128, 128, VCS_SINGLE)

VCS_EMULATOR_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
