/*
 * The fields of the structs of parameters.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FIELDS_PARAMETERS_FIELDS_H
#define VCS_FIELDS_PARAMETERS_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/chance.h>
#include <vcsched/parameters.h>

#define VCS_FIELDS_parameters(X) \
    X(parameters, size, 0, struct_size, "bytes", VCS_U32) \
    X(parameters, flags, 4, flags, "", 0.0, 0.0) \
    X(parameters, choice, 8, profile, "", 0.0, VCS_PROFILE_COUNT - 1.0) \
    X(parameters, choice, 12, discipline, "", 0.0, VCS_DISCIPLINE_SLICED) \
    X(parameters, choice, 16, accounting, "", 0.0, VCS_ACCOUNTING_LOCAL) \
    X(parameters, choice, 20, estimate, "", 0.0, VCS_ESTIMATE_DEPLOYED) \
    X(parameters, choice, 24, use_dcf, "", 0.0, 2.0) \
    X(parameters, choice, 28, backoff_rule, "", VCS_BACKOFF_EXPONENT, VCS_BACKOFF_DOUBLING) \
    X(parameters, choice, 32, freeze_rec, "", 0.0, 1.0) \
    X(parameters, choice, 36, cpu_fit, "", 0.0, VCS_CPU_FIT_STRICT) \
    X(parameters, choice, 40, cushion_min_buffer, "", 0.0, 1.0) \
    X(parameters, choice, 44, deadline_origin, "", 0.0, VCS_ORIGIN_START) \
    X(parameters, u32, 48, backoff_failures, "", 1.0, 1000.0) \
    X(parameters, u32, 52, step_budget, "", VCS_U32) \
    X(parameters, f64, 56, period, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 64, min_buffer, "s", 0.0, VCS_MAX_BUFFER) \
    X(parameters, f64, 72, additional_buffer, "s", 0.0, VCS_MAX_BUFFER) \
    X(parameters, f64, 80, rec_half_life, "s", 1.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 88, average_rate, "1/s", 1e-12, 1.0) \
    X(parameters, f64, 96, deadline_cushion, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 104, miss_fraction, "", 1e-6, 1.0) \
    X(parameters, f64, 112, horizon, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 120, backoff_min, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 128, backoff_max, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 136, resource_backoff_min, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 144, resource_backoff_max, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 152, transfer_backoff_min, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 160, transfer_backoff_max, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 168, transfer_give_up, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, choice, 176, scheduling, "", 0.0, VCS_SCHEDULING_DEADLINE) \
    X(parameters, choice, 180, ranking, "", 0.0, VCS_RANK_DEBT) \
    X(parameters, choice, 184, work_fetch, "", 0.0, VCS_WORK_FETCH_OWED) \
    X(parameters, choice, 188, work_send, "", 0.0, VCS_WORK_SEND_BY_CHANCE) \
    X(parameters, choice, 192, save_first, "", 0.0, 1.0) \
    X(parameters, choice, 196, hysteresis, "", 0.0, 1.0) \
    X(parameters, choice, 200, learn_usable, "", 0.0, 1.0) \
    X(parameters, u32, 204, max_runnable, "tasks", VCS_U32) \
    X(parameters, u32, 208, max_uploads, "results", VCS_U32) \
    X(parameters, u32, 212, master_fetch_failures, "", 1.0, 4294967295.0) \
    X(parameters, f64, 216, switch_cost, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 224, backup_lead, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 232, look_interval, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 240, master_fetch_interval, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 248, report_delay, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 256, bump, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, choice, 264, late_by, "", 0.0, VCS_LATE_BY_COUNT) \
    X(parameters, u32, 268, simulation_effort, "", VCS_U32) \
    X(parameters, u32, 272, placement_effort, "", VCS_U32) \
    X(parameters, choice, 276, device_bound, "", 0.0, VCS_DEVICES_REQUIRED) \
    X(parameters, f64, 280, least_buffer, "s", 0.0, VCS_MAX_BUFFER) \
    X(parameters, f64, 288, least_shortfall, "", 0.0, 1.0) \
    X(parameters, f64, 296, hold, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, choice, 304, let_finish, "", 0.0, 1.0) \
    X(parameters, choice, 308, spare_gpus, "", 0.0, 1.0) \
    X(parameters, choice, 312, stopped_memory, "", 0.0, 1.0) \
    X(parameters, choice, 316, give_up, "", 0.0, VCS_GIVE_UP_BY_SIZE) \
    X(parameters, f64, 320, give_up_below, "", 0.0, 1.0) \
    X(parameters, f64, 328, report_margin, "s", 0.0, VCS_MAX_BUFFER) \
    X(parameters, f64, 336, admission_cushion, "s", 0.0, VCS_MAX_BUFFER) \
    X(parameters, f64, 344, report_risk, "", 0.0, 1.0) \
    X(parameters, f64, 352, connect_every, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, choice, 360, keep_running, "", 0.0, 1.0) \
    X(parameters, choice, 364, hours, "", 0.0, VCS_HOURS_WEEK)

#define VCS_PARAMETERS_STRUCTS(S) \
    S(parameters, VCS_TYPE_PARAMETERS, 368, 16, VCS_SINGLE)

VCS_PARAMETERS_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
